/* Decryption of rijndael.h: as encryption, but that rows are shifted back; keys and tables are those of the inverse. */
#define SHIFT 3
#include "rijndael.h"

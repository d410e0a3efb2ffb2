/* Encryption of rijndael.h. */
#define SHIFT 1
#include "rijndael.h"

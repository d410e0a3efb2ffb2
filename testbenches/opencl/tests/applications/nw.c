/* Needleman-Wunsch: the global alignment of two sequences, a launch for each diagonal. */
#include "host.h"
#define LENGTH 48
#define WIDTH (LENGTH + 1)
static int score[WIDTH][WIDTH], expected[WIDTH][WIDTH], similar[4][4];
static unsigned char a[LENGTH], b[LENGTH];

int main(void) {
    int gap = 3, length = LENGTH, wrong = 0;
    for (int i = 0; i < LENGTH; i++)
        a[i] = next(4), b[i] = next(4);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            similar[i][j] = i == j ? 5 : -(int)next(4);
    for (int i = 0; i < WIDTH; i++)
        score[i][0] = score[0][i] = expected[i][0] = expected[0][i] = -gap * i;
    for (int y = 1; y < WIDTH; y++)
        for (int x = 1; x < WIDTH; x++) {
            int best = expected[y - 1][x - 1] + similar[a[y - 1]][b[x - 1]];
            int left = expected[y][x - 1] - gap, above = expected[y - 1][x] - gap;
            best = left > best ? left : best;
            expected[y][x] = above > best ? above : best;
        }
    start("nw.cl", "");
    cl_kernel diagonal = kernel("diagonal");
    cl_mem scores = buffer(sizeof score, score), table = buffer(sizeof similar, similar);
    cl_mem first = buffer(sizeof a, a), second = buffer(sizeof b, b);
    ARGUMENT(diagonal, 0, scores);
    ARGUMENT(diagonal, 1, table);
    ARGUMENT(diagonal, 2, first);
    ARGUMENT(diagonal, 3, second);
    ARGUMENT(diagonal, 5, length);
    ARGUMENT(diagonal, 6, gap);
    for (int number = 2; number <= 2 * LENGTH; number++) {
        ARGUMENT(diagonal, 4, number);
        launch(diagonal, 1, 64, 1, 64, 1);
    }
    fetch(scores, sizeof score, score);
    for (int i = 0; i < WIDTH * WIDTH; i++)
        wrong += score[i / WIDTH][i % WIDTH] != expected[i / WIDTH][i % WIDTH];
    return verdict(wrong);
}

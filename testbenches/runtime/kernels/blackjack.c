/* Blackjack (a benchmark of Narasiman 2014): every thread plays some rounds with a deck of 52 cards of its own. Player and dealer draw
   until they have 17; an ace counts 11 as long as that is not too much. */
#include "warploom.h"

/* The deck is new again when no more cards than this are left. */
#define CUT 40

/* The bits of the cards dealt; what is above the 52nd card always is. */
struct deck {
    u32 low, high, left, random;
};

struct hand {
    u32 total, aces;
};

static inline void shuffle(struct deck *deck) {
    deck->low = 0;
    deck->high = 0xFFF00000;
    deck->left = 52;
}

/* Draws numbers until one is that of a card not yet dealt. */
static inline u32 deal(struct deck *deck) {
    u32 card, bit, upper;
    do {
        deck->random = deck->random * 1664525 + 1013904223;
        card = deck->random >> 26;
        bit = 1u << (card & 31);
        upper = -(card >> 5);
    } while (((deck->low & ~upper) | (deck->high & upper)) & bit);
    deck->low |= bit & ~upper;
    deck->high |= bit & upper;
    deck->left--;
    return card;
}

static inline void draw(struct deck *deck, struct hand *hand) {
    u32 rank = deal(deck) >> 2;
    if (rank == 0) {
        hand->total += 11;
        hand->aces++;
    } else {
        hand->total += rank < 9 ? rank + 1 : 10;
    }
    if (hand->total > 21 && hand->aces > 0) {
        hand->total -= 10;
        hand->aces--;
    }
}

void kernel(const u32 *seeds, u32 *won, u32 *lost, u32 n, u32 rounds) {
    u32 i = global_x();
    if (i >= n)
        return;
    struct deck deck = {.random = seeds[i]};
    u32 wins = 0, losses = 0;
    shuffle(&deck);
    for (u32 round = 0; round < rounds; round++) {
        struct hand player = {0, 0}, dealer = {0, 0};
        if (deck.left <= CUT)
            shuffle(&deck);
        for (u32 card = 0; card < 2; card++) {
            draw(&deck, &player);
            draw(&deck, &dealer);
        }
        if (player.total != 21 && dealer.total != 21) {
            while (player.total < 17)
                draw(&deck, &player);
            if (player.total <= 21)
                while (dealer.total < 17)
                    draw(&deck, &dealer);
        }
        if (player.total > 21 || (dealer.total <= 21 && dealer.total > player.total))
            losses++;
        else if (dealer.total > 21 || player.total > dealer.total)
            wins++;
    }
    won[i] = wins;
    lost[i] = losses;
}

//! Blackjack, after the benchmark of that name in Narasiman 2014, of which only the description is known: every thread plays against
//! the dealer with a deck of 52 cards of its own. The deck is a set of bits, so that it stays in registers; a card that has been dealt
//! is drawn again.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Rounds of a player; the deck is shuffled after some.
const ROUNDS: u32 = 3;
/// No round begins with as few cards as this.
const CUT: usize = 40;

pub(super) const ABOUT: About = About {
    summary: "simulated card game, a deck per thread: short loops of unequal length in loops, branches on random cards",
    papers: "Narasiman 2014 (blackjack)",
    arithmetic: Arithmetic::Integer,
    unit: "players",
    sizes: Sizes { smoke: 8, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let seeds = Random::new(problem.seed).words(n);
    let (input, won, lost) = (session.buffer(&seeds)?, session.zeros(n)?, session.zeros(n)?);
    let arguments = [input.address, won.address, lost.address, n as u32, ROUNDS];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    let (wins, losses) = seeds.into_iter().map(play).unzip();
    Ok(vec![Output::exact("won", session.read(won), wins), Output::exact("lost", session.read(lost), losses)])
}

/// Cards not yet dealt, and the state of a linear congruential generator (Numerical Recipes).
struct Deck {
    cards: Vec<u32>,
    random: u32,
}

impl Deck {
    fn deal(&mut self) -> u32 {
        loop {
            self.random = self.random.wrapping_mul(1664525).wrapping_add(1013904223);
            let drawn = self.random >> 26;
            if let Some(place) = self.cards.iter().position(|&card| card == drawn) {
                return self.cards.swap_remove(place);
            }
        }
    }
}

/// What the cards are worth: an ace is 11 if that is not too much.
fn worth(cards: &[u32]) -> u32 {
    let ranks = || cards.iter().map(|card| card / 4);
    let least = ranks().map(|rank| (rank + 1).min(10)).sum::<u32>();
    if least <= 11 && ranks().any(|rank| rank == 0) { least + 10 } else { least }
}

/// Rounds won and lost.
fn play(seed: u32) -> (u32, u32) {
    let mut deck = Deck { cards: Vec::new(), random: seed };
    let (mut wins, mut losses) = (0, 0);
    for _ in 0..ROUNDS {
        if deck.cards.len() <= CUT {
            deck.cards = (0..52).collect();
        }
        let cards: [u32; 4] = std::array::from_fn(|_| deck.deal());
        let (mut player, mut dealer) = (vec![cards[0], cards[2]], vec![cards[1], cards[3]]);
        if worth(&player) != 21 && worth(&dealer) != 21 {
            while worth(&player) < 17 {
                player.push(deck.deal());
            }
            while worth(&player) <= 21 && worth(&dealer) < 17 {
                dealer.push(deck.deal());
            }
        }
        match (worth(&player), worth(&dealer)) {
            (22.., _) => losses += 1,
            (_, 22..) => wins += 1,
            (player, dealer) => {
                wins += u32::from(player > dealer);
                losses += u32::from(player < dealer);
            }
        }
    }
    (wins, losses)
}

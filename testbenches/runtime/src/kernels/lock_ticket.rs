//! A ticket lock: threads come in the order in which they have drawn tickets.
use super::{About, Arithmetic, Output, Problem, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "a ticket lock: threads of a warp wait for their turn, one for another",
    papers: "Mellor-Crummey and Scott 1991 (ticket lock)",
    arithmetic: Arithmetic::Integer,
    unit: "threads",
    sizes: Sizes { smoke: 8, default: 64, large: 256 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let (turns, tickets) = (session.zeros(2)?, session.zeros(n)?);
    let (count, order) = (session.zeros(1)?, session.zeros(n)?);
    let arguments = [turns.address, tickets.address, count.address, order.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    let (tickets, order) = (session.read(tickets), session.read(order));
    let has = |place: usize, thread: u32| tickets.get(thread as usize).is_some_and(|&ticket| ticket as usize == place);
    let wrong = |place: usize, thread: u32| (!has(place, thread)).then(|| format!("the thread with ticket {place}"));
    Ok(vec![
        Output::exact("count", session.read(count), vec![n as u32]),
        Output::schedule_dependent("order", order, wrong),
        Output::permutation("tickets", tickets.clone()),
    ])
}

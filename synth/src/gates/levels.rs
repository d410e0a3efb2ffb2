//! An order in which every cell comes after those that it listens to.
use super::{Cell, GatesError, Kind};

/// A step of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Outputs of a cell follow its inputs: logic, open latches, clear and preset.
    Follow(u32),
    /// A flip-flop sees what it will store, after all else.
    Watch(u32),
}

/// The steps, or the cells of a loop.
pub fn order(cells: &[Cell], kinds: &[Kind], nets: usize) -> Result<Vec<Step>, GatesError> {
    let kind = |cell: &Cell| &kinds[cell.kind as usize];
    let follows = |cell: &Cell| kind(cell).logic.clock.is_none() || kind(cell).logic.through != 0;
    // What follows when a net changes: its readers that do so at once.
    let through = |cell: &Cell| -> Vec<u32> {
        let logic = &kind(cell).logic;
        let inputs = cell.inputs.iter().enumerate();
        let inputs = inputs.filter(|(i, _)| logic.bit(*i).is_some_and(|bit| logic.through >> bit & 1 == 1));
        inputs.map(|(_, net)| *net).collect()
    };
    let mut readers: Vec<Vec<u32>> = vec![vec![]; nets];
    let mut waits = vec![0u32; cells.len()];
    let mut driven = vec![false; nets];
    for cell in cells.iter().filter(|cell| follows(cell)) {
        cell.outputs.iter().for_each(|net| driven[*net as usize] = true);
    }
    for (i, cell) in cells.iter().enumerate().filter(|(_, cell)| follows(cell)) {
        for net in through(cell).into_iter().filter(|net| driven[*net as usize]) {
            readers[net as usize].push(i as u32);
            waits[i] += 1;
        }
    }
    let ready = cells.iter().enumerate().filter(|(i, cell)| follows(cell) && waits[*i] == 0);
    let mut level: Vec<u32> = ready.map(|(i, _)| i as u32).collect();
    let mut steps = vec![];
    let mut done = vec![false; cells.len()];
    while !level.is_empty() {
        let mut next = vec![];
        for &i in &level {
            steps.push(Step::Follow(i));
            done[i as usize] = true;
            for reader in cells[i as usize].outputs.iter().flat_map(|net| &readers[*net as usize]) {
                waits[*reader as usize] -= 1;
                if waits[*reader as usize] == 0 {
                    next.push(*reader);
                }
            }
        }
        next.sort_unstable();
        level = next;
    }
    let left: Vec<u32> =
        (0..cells.len() as u32).filter(|&i| follows(&cells[i as usize]) && !done[i as usize]).collect();
    if let Some(&start) = left.first() {
        return Err(GatesError::Loop { cells: find_loop(start, cells, &done, &through) });
    }
    let clocked = cells.iter().enumerate().filter(|(_, cell)| kind(cell).logic.clock.is_some());
    steps.extend(clocked.map(|(i, _)| Step::Watch(i as u32)));
    Ok(steps)
}

/// A loop among the cells that are not done, found by going from each to one that drives it.
fn find_loop(start: u32, cells: &[Cell], done: &[bool], through: &dyn Fn(&Cell) -> Vec<u32>) -> Vec<String> {
    let mut way = vec![start];
    loop {
        let inputs = through(&cells[*way.last().expect("a start") as usize]);
        let drives = |cell: &Cell| cell.outputs.iter().any(|net| inputs.contains(net));
        let driver = (0..cells.len()).find(|&i| !done[i] && !through(&cells[i]).is_empty() && drives(&cells[i]));
        let driver = driver.expect("a cell that waits for another") as u32;
        if let Some(first) = way.iter().position(|&cell| cell == driver) {
            return way[first..].iter().rev().map(|&cell| cells[cell as usize].path.clone()).collect();
        }
        way.push(driver);
    }
}

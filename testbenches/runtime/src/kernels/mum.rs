//! Longest matches of short queries in a text, after MUMmerGPU (Schatz et al. 2007), as simulated by Bakhoda et al. (2009): the host
//! builds a suffix tree of the text, a thread walks it for every place of its query.
use super::suffix_tree::{SYMBOLS, SuffixTree};
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Symbols of the text, and of the shortest and the longest query.
const TEXT: usize = 1024;
const SHORTEST: u32 = 4;
const LONGEST: u32 = 10;
/// One symbol of a query in so many is changed.
const ERRORS: u32 = 8;

pub(super) const ABOUT: About = About {
    summary: "matches queries by a suffix tree: nested loops whose lengths and exits depend on the data",
    papers: "Rhu 2014 (MUM), Fung 2011 (MUM), Turner 2012 (MUM)",
    arithmetic: Arithmetic::Integer,
    unit: "queries",
    sizes: Sizes { smoke: 10, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let text: Vec<u8> = (0..TEXT).map(|_| symbol(&mut random)).collect();
    let queries: Vec<Vec<u8>> = (0..n).map(|_| query(&text, &mut random)).collect();
    let mut first = vec![0];
    first.extend(queries.iter().scan(0, |sum, query| {
        *sum += query.len() as u32;
        Some(*sum)
    }));
    let all = queries.concat();
    let tree = session.buffer(&SuffixTree::new(&text).words(&text))?;
    let (text_buffer, query_buffer) = (session.buffer(&packed(&text))?, session.buffer(&packed(&all))?);
    let first = session.buffer(&first)?;
    let (length, place) = (session.zeros(all.len())?, session.zeros(all.len())?);
    let buffers = [tree, text_buffer, query_buffer, first, length, place].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[n as u32]].concat();
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;

    let matches = longest_matches(&text, &queries);
    let places = session.read(place);
    // A match may stand in several places of the text; which one is reported is the tree's choice.
    let right = |found: u32, pattern: &[u8]| text.get(found as usize..).is_some_and(|text| text.starts_with(pattern));
    let expected_places = matches.iter().zip(&places);
    let expected_places =
        expected_places.map(|(&(ref pattern, place), &got)| if right(got, pattern) { got } else { place }).collect();
    let lengths = matches.iter().map(|(pattern, _)| pattern.len() as u32).collect();
    Ok(vec![Output::exact("length", session.read(length), lengths), Output::exact("place", places, expected_places)])
}

fn symbol(random: &mut Random) -> u8 {
    random.below(SYMBOLS as u32) as u8
}

/// A piece of the text with errors.
fn query(text: &[u8], random: &mut Random) -> Vec<u8> {
    let length = SHORTEST + random.below(LONGEST - SHORTEST + 1);
    let begin = random.below(TEXT as u32 - length) as usize;
    let copy = |&right: &u8| if random.below(ERRORS) == 0 { symbol(random) } else { right };
    text[begin..begin + length as usize].iter().map(copy).collect()
}

/// Four symbols to a word, the first one lowest.
fn packed(symbols: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    symbols.chunks(4).map(word).collect()
}

/// For every place of every query the longest piece from there that the text holds, and one place where: it begins one of the two
/// suffixes between which the rest of the query would stand.
fn longest_matches(text: &[u8], queries: &[Vec<u8>]) -> Vec<(Vec<u8>, u32)> {
    let mut suffixes: Vec<usize> = (0..text.len()).collect();
    suffixes.sort_unstable_by_key(|&suffix| &text[suffix..]);
    let longest = |pattern: &[u8]| {
        let above = suffixes.partition_point(|&suffix| &text[suffix..] < pattern);
        let neighbours = &suffixes[above.saturating_sub(1)..(above + 1).min(suffixes.len())];
        let common = |suffix: usize| text[suffix..].iter().zip(pattern).take_while(|(a, b)| a == b).count();
        let found = neighbours.iter().map(|&suffix| (common(suffix), suffix)).max().unwrap_or((0, 0));
        (pattern[..found.0].to_vec(), found.1 as u32)
    };
    queries
        .iter()
        .flat_map(|query| (0..query.len()).map(|begin| longest(&query[begin..])).collect::<Vec<_>>())
        .collect()
}

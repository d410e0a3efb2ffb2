//! "Did you mean": the nearest names to one that is not there.

/// A sentence naming the nearest candidates, or all of them when none is near; starts on a new line.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let mut ranked: Vec<(usize, &str)> = names.iter().map(|&n| (strsim::damerau_levenshtein(wrong, n), n)).collect();
    ranked.sort();
    let near: Vec<&str> = ranked.iter().filter(|(d, n)| *d <= 2.max(n.len() / 3)).map(|(_, n)| *n).take(3).collect();
    match near.as_slice() {
        [] => format!("\n  there are: {}", names.join(", ")),
        near => format!("\n  did you mean {}?", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_suggested_and_far_ones_listed() {
        assert_eq!(nearest("bitnic", ["bitonic", "bfs"]), "\n  did you mean bitonic?");
        assert_eq!(nearest("zzz", ["bitonic", "matmul"]), "\n  there are: bitonic, matmul");
    }
}

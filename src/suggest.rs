//! "Did you mean": the nearest names to one that is not there.

/// A sentence naming the nearest candidates, or all of them when none is near; starts on a new line.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    // A parameter need not have a name.
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let ranked = ranked(wrong, names.iter().copied());
    // Of a word so short that hardly a letter stays, any name is near.
    let typed = wrong.chars().count();
    let is_near = |distance: usize, name: &str| {
        distance <= 2.max(name.len() / 3) && (2 * distance < typed || name.starts_with(wrong) && !wrong.is_empty())
    };
    let near: Vec<&str> = ranked.iter().filter(|(d, n)| is_near(*d, n)).map(|(_, n)| *n).take(3).collect();
    match near.as_slice() {
        [] if ranked.is_empty() => String::new(),
        // Nobody reads more; the command that lists them is named beside.
        [] if names.len() > 100 => String::new(),
        [] => format!("\n  there are: {}", names.join(", ")),
        near => format!("\n  did you mean {}?", near.join(" or ")),
    }
}

/// The same for more hierarchical names than anybody wants to read: the three nearest, however far they are; first those
/// that are only somewhere else.
pub fn nearest_of_many<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let last = |name: &str| name.rsplit('.').next().map(str::to_string);
    let mut ranked = ranked(wrong, names);
    ranked.sort_by_key(|(_, name)| last(name) != last(wrong));
    let near: Vec<&str> = ranked.into_iter().map(|(_, n)| n).take(3).collect();
    format!("\n  did you mean {}?", near.join(" or "))
}

/// All names with their distances, the nearest first.
fn ranked<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<(usize, &'a str)> {
    let names = names.into_iter();
    let mut ranked: Vec<(usize, &str)> = names.map(|name| (strsim::damerau_levenshtein(wrong, name), name)).collect();
    ranked.sort();
    ranked
}

#[cfg(test)]
mod tests {
    use super::{nearest, nearest_of_many};

    #[test]
    fn near_names_are_suggested_and_far_ones_listed() {
        assert_eq!(nearest("bitnic", ["bitonic", "bfs"]), "\n  did you mean bitonic?");
        assert_eq!(nearest("zzz", ["bitonic", "matmul"]), "\n  there are: bitonic, matmul");
        assert_eq!(nearest("o", ["", "out"]), "\n  did you mean out?");
        assert_eq!(nearest("o", [""]), "");
        assert_eq!(nearest("", ["nw", "bfs"]), "\n  there are: nw, bfs");
        assert_eq!(nearest("nope", ["core", "fifo"]), "\n  there are: core, fifo");
        assert_eq!(nearest("cor", ["core", "fifo"]), "\n  did you mean core?");
        let many = ["core.issue.valid", "core.issue.warp", "core.alu", "x", "y"];
        let few = "\n  did you mean core.issue.warp or core.issue.valid or core.alu?";
        assert_eq!(nearest_of_many("core.issue.wrap", many), few);
        let moved = "\n  did you mean core.issue.valid or core.alu or core.issue.warp?";
        assert_eq!(nearest_of_many("core.valid", many), moved);
    }
}

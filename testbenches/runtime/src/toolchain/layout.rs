//! Types of LLVM's intermediate representation as text: their sizes and alignments on this target
//! (`e-m:e-p:32:32-i64:64-n32-S128`).

/// The items of a list between brackets, separated by commas that are in no brackets themselves.
pub(super) fn items(list: &str) -> Vec<&str> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in list.char_indices() {
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                items.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(list[start..].trim());
    items.retain(|item| !item.is_empty());
    items
}

/// The type at the start of a text, as in `%struct.P* noundef %0`.
pub(super) fn leading_type(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|character: char| {
        match character {
            '[' | '{' | '<' => depth += 1,
            ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        depth == 0 && character.is_whitespace()
    });
    &text[..end.unwrap_or(text.len())]
}

/// Size, with the bytes up to the next element of an array, and alignment in bytes; `named` has the contents of structures. None of what has no
/// size, or is not known.
pub(super) fn size_and_alignment<'a>(of: &'a str, named: &impl Fn(&str) -> Option<&'a str>) -> Option<(u32, u32)> {
    let inside = |open: &str, close: &str| of.strip_prefix(open)?.strip_suffix(close);
    let repeated = |inside: &'a str| {
        let (count, element) = inside.split_once(" x ")?;
        let (size, alignment) = size_and_alignment(element.trim(), named)?;
        Some((count.trim().parse::<u32>().ok()?.checked_mul(size)?, alignment))
    };
    let structure = |members: &'a str, packed: bool| {
        let (mut size, mut most) = (0u32, 1);
        for member in items(members) {
            let (bytes, alignment) = size_and_alignment(member, named)?;
            let alignment = if packed { 1 } else { alignment };
            size = size.checked_next_multiple_of(alignment)?.checked_add(bytes)?;
            most = most.max(alignment);
        }
        Some((size.checked_next_multiple_of(most)?, most))
    };
    if of == "ptr" || of.ends_with('*') {
        return Some((4, 4));
    }
    if let Some(members) = inside("<{", "}>") {
        return structure(members, true);
    }
    if let Some(members) = inside("{", "}") {
        return structure(members, false);
    }
    if let Some(elements) = inside("<", ">") {
        let size = repeated(elements)?.0.checked_next_power_of_two()?;
        return Some((size, size));
    }
    if let Some(elements) = inside("[", "]") {
        return repeated(elements);
    }
    if of.starts_with('%') {
        return size_and_alignment(named(of)?, named);
    }
    let bytes = match of {
        "half" => 2,
        "float" => 4,
        "double" => 8,
        _ => of.strip_prefix('i')?.parse::<u32>().ok()?.div_ceil(8).checked_next_power_of_two()?,
    };
    Some((bytes, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<(u32, u32)> {
        let named = |name: &str| match name {
            "%struct.P" => Some("{ i32, <4 x float>, i8, [15 x i8] }"),
            "%struct.L" => Some("{ %struct.P, i64 }"),
            _ => None,
        };
        size_and_alignment(text, &named)
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("i1", (1, 1)),
            ("i8", (1, 1)),
            ("i64", (8, 8)),
            ("half", (2, 2)),
            ("double", (8, 8)),
            ("<3 x i8>", (4, 4)),
            ("<3 x float>", (16, 16)),
            ("<16 x i64>", (128, 128)),
            ("[3 x [2 x i16]]", (12, 2)),
            ("{ i8, i32, i8 }", (12, 4)),
            ("<{ i8, i32 }>", (5, 1)),
            ("{ i8, <{ i8, i32 }>, { i8 } }", (7, 1)),
            ("%struct.P", (48, 16)),
            ("%struct.L", (64, 16)),
            ("%struct.O*", (4, 4)),
            ("ptr", (4, 4)),
        ] {
            assert_eq!(of(text), Some(expected), "{text}");
        }
        for text in ["%struct.O", "opaque", "{ %struct.O }", "[4294967295 x i64]", "label", "i"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn lists() {
        assert_eq!(
            items("i32* noundef %0, <{ i8, i32 }> %1,[2 x i32] %2"),
            ["i32* noundef %0", "<{ i8, i32 }> %1", "[2 x i32] %2"]
        );
        assert_eq!(items(" "), [""; 0]);
        assert_eq!(
            ["<4 x float> noundef %1", "%struct.P* byval(%struct.P) %2", "i32"].map(leading_type),
            ["<4 x float>", "%struct.P*", "i32"]
        );
    }
}

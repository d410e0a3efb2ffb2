//! How much room a text needs.

/// An estimate of a text's width in pixels, rather too much than too little: which font a viewer has is not known.
pub fn text_width(text: &str, size: i32) -> i32 {
    // The size of plotters is that of a line; a letter of a wide font takes half of it.
    (text.chars().count() as f64 * f64::from(size) * 0.53).ceil() as i32
}

/// The text in lines of at most so many pixels, as far as its words allow.
pub fn wrapped(text: &str, size: i32, width: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "where the issue slots go";
        assert_eq!(wrapped(text, 10, 1000), [text]);
        assert_eq!(wrapped(text, 10, text_width("the issue", 10)), ["where the", "issue", "slots go"]);
        assert_eq!(wrapped("unbreakable", 10, 3), ["unbreakable"]);
        assert!(wrapped("", 10, 3).is_empty());
    }
}

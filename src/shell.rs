//! Words of a command line as a shell reads them.

/// In quotes if the shell would read it otherwise.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text.to_string() } else { in_quotes(text) }
}

/// In quotes, whatever it is.
pub fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_special_is_in_quotes() {
        for plain in ["a=zero:i32:4", "--global", "../x.cl"] {
            assert_eq!(quoted(plain), plain);
        }
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("-DN=4 -w"), "'-DN=4 -w'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}

//! Selection of hierarchical names by pattern.

/// Patterns in which `*` stands for any text, dots included, and `?` for any one character.
#[derive(Clone, Debug, Default)]
pub struct Globs(Vec<Vec<char>>);

impl Globs {
    /// A name matches when one of `patterns` does.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Self {
        Self(patterns.iter().map(|pattern| pattern.as_ref().chars().collect()).collect())
    }

    /// Whether one of the patterns matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let name: Vec<char> = name.chars().collect();
        self.0.iter().any(|pattern| matches(pattern, &name))
    }
}

/// Greedy match that returns to the last `*` when it gets stuck.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_cross_scopes_and_brackets_are_plain() {
        let globs = Globs::new(&["core.divergence.*", "*.lanes[?].sum"]);
        for name in ["core.divergence.stack.depth", "core.divergence.x", "core.alu.lanes[3].sum"] {
            assert!(globs.matches(name), "{name}");
        }
        for name in ["core.divergence", "core.alu.lanes[13].sum", "core.alu.lanes[3].sums", ""] {
            assert!(!globs.matches(name), "{name}");
        }
        assert!(!Globs::default().matches("core"));
    }
}

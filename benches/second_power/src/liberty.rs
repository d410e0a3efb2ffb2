//! A Liberty file as nested groups.
use std::iter::Peekable;
use std::vec::IntoIter;

use anyhow::{Context, Result, bail};

/// `kind (args) { attributes and groups }`.
#[derive(Debug, Default)]
pub struct Group {
    pub kind: String,
    pub args: Vec<String>,
    /// Simple ones have one value, those with brackets any number.
    attributes: Vec<(String, Vec<String>)>,
    pub groups: Vec<Group>,
}

impl Group {
    pub fn name(&self) -> &str {
        self.args.first().map_or("", String::as_str)
    }

    pub fn values(&self, attribute: &str) -> Option<&[String]> {
        self.attributes.iter().find(|(name, _)| name == attribute).map(|(_, values)| values.as_slice())
    }

    pub fn text(&self, attribute: &str) -> Option<&str> {
        self.values(attribute)?.first().map(String::as_str)
    }

    pub fn number(&self, attribute: &str) -> Option<f64> {
        self.text(attribute)?.trim().parse().ok()
    }

    /// All numbers of an attribute with brackets.
    pub fn numbers(&self, attribute: &str) -> Vec<f64> {
        let values = self.values(attribute).into_iter().flatten();
        let words = values.flat_map(|value| value.split(|c: char| c == ',' || c.is_whitespace()));
        words.filter_map(|word| word.parse().ok()).collect()
    }

    pub fn all(&self, kind: &str) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }
}

/// So many groups may be inside of one another.
const DEEPEST: usize = 100;

#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Sign(char),
    NewLine,
}

/// The library of a file's text.
pub fn read(text: &str) -> Result<Group> {
    let mut tokens = tokens(text)?.into_iter().peekable();
    let mut root = Group::default();
    while tokens.peek().is_some() {
        body(&mut tokens, &mut root, 0)?;
    }
    root.groups.into_iter().find(|group| group.kind == "library").context("there is no library in it")
}

fn tokens(text: &str) -> Result<Vec<Token>> {
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut rest = text.as_str();
    let mut tokens = vec![];
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                tokens.push(Token::NewLine);
                1
            }
            '"' => {
                let Some(end) = rest[1..].find('"').map(|end| end + 1) else {
                    bail!("a string does not end: {}", rest.lines().next().unwrap_or_default());
                };
                tokens.push(Token::Word(rest[1..end].to_string()));
                end + 1
            }
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '(' | ')' | '{' | '}' | ':' | ';' | ',' => {
                tokens.push(Token::Sign(first));
                1
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || "(){}:;,\"".contains(c);
                let end = rest.find(ends).unwrap_or(rest.len());
                tokens.push(Token::Word(rest[..end].to_string()));
                end
            }
        };
        rest = &rest[length..];
    }
    Ok(tokens)
}

/// Up to the brace that ends the group; the outermost, of depth 0, ends with the file.
fn body(tokens: &mut Peekable<IntoIter<Token>>, group: &mut Group, depth: usize) -> Result<()> {
    if depth > DEEPEST {
        bail!("more than {DEEPEST} groups are inside of one another");
    }
    while let Some(token) = tokens.next() {
        let Token::Word(name) = token else {
            if token == Token::Sign('}') {
                return Ok(());
            }
            continue;
        };
        match tokens.next() {
            Some(Token::Sign(':')) => {
                let mut words = vec![];
                // The end of a line is one of the value, with or without a semicolon.
                while let Some(token) =
                    tokens.next_if(|token| !matches!(token, Token::NewLine | Token::Sign(';' | '}')))
                {
                    match token {
                        Token::Word(word) => words.push(word),
                        Token::Sign(sign) => words.push(sign.to_string()),
                        Token::NewLine => {}
                    }
                }
                group.attributes.push((name, vec![words.join(" ")]));
            }
            Some(Token::Sign('(')) => {
                let mut args = vec![];
                for token in tokens.by_ref() {
                    match token {
                        Token::Sign(')') => break,
                        Token::Word(word) => args.push(word),
                        _ => {}
                    }
                }
                while tokens.next_if_eq(&Token::NewLine).is_some() {}
                if tokens.next_if_eq(&Token::Sign('{')).is_some() {
                    let mut inner = Group { kind: name, args, ..Group::default() };
                    body(tokens, &mut inner, depth + 1)?;
                    group.groups.push(inner);
                } else {
                    group.attributes.push((name, args));
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        bail!("it ends inside of {} ({})", group.kind, group.args.join(", "));
    }
    Ok(())
}

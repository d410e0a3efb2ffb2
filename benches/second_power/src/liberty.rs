//! A Liberty file as nested groups.
use std::iter::Peekable;
use std::vec::IntoIter;

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

#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Sign(char),
    NewLine,
}

/// The library of a file's text.
pub fn read(text: &str) -> Group {
    let mut tokens = tokens(text).into_iter().peekable();
    let mut root = Group::default();
    body(&mut tokens, &mut root);
    root.groups.into_iter().find(|group| group.kind == "library").expect("a library")
}

fn tokens(text: &str) -> Vec<Token> {
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
                let end = rest[1..].find('"').expect("the end of a string") + 1;
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
    tokens
}

fn body(tokens: &mut Peekable<IntoIter<Token>>, group: &mut Group) {
    while let Some(token) = tokens.next() {
        let Token::Word(name) = token else {
            if token == Token::Sign('}') {
                return;
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
                    body(tokens, &mut inner);
                    group.groups.push(inner);
                } else {
                    group.attributes.push((name, args));
                }
            }
            _ => {}
        }
    }
}

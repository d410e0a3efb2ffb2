//! Expressions as text: on one line when they fit, else one operand or one condition per line.

/// Longest line that is not broken.
const LINE: usize = 110;

/// An expression as it is to be printed. Every compound operand is parenthesised.
pub(super) enum Doc {
    /// A name or a literal.
    Text(String),
    /// An operator before its operand.
    Prefix(&'static str, Box<Doc>),
    /// Operands joined by one operator.
    Infix(&'static str, Vec<Doc>),
    /// Conditions with their values, first match wins, and the value when none holds.
    Choice(Vec<(Doc, Doc)>, Box<Doc>),
    /// Operands between commas: a concatenation or a call.
    List(String, Vec<Doc>, &'static str),
}

impl Doc {
    pub fn text(text: impl Into<String>) -> Self {
        Doc::Text(text.into())
    }

    pub fn call(function: &str, operands: Vec<Doc>) -> Self {
        Doc::List(format!("{function}("), operands, ")")
    }

    pub fn concat(operands: Vec<Doc>) -> Self {
        Doc::List("{".into(), operands, "}")
    }

    pub fn infix(operator: &'static str, a: Doc, b: Doc) -> Self {
        Doc::Infix(operator, vec![a, b])
    }

    /// The statement `head = self;`, indented by `indent`.
    pub fn statement(&self, indent: usize, head: &str, assign: &str) -> String {
        let pad = " ".repeat(indent);
        let line = format!("{pad}{head} {assign} {};\n", self.flat(true));
        if line.len() <= LINE && !matches!(self, Doc::Choice(conditions, _) if conditions.len() > 1) {
            return line;
        }
        let inner = indent + 4;
        format!("{pad}{head} {assign}\n{}{};\n", " ".repeat(inner), self.broken(inner, true))
    }

    /// On one line; `bare` without parentheses around it.
    pub fn flat(&self, bare: bool) -> String {
        let join =
            |docs: &[Doc], between: &str| docs.iter().map(|doc| doc.flat(false)).collect::<Vec<_>>().join(between);
        match self {
            Doc::Text(text) => text.clone(),
            Doc::Prefix(operator, operand) => prefixed(operator, operand.flat(false), bare),
            Doc::Infix(operator, operands) => parenthesised(join(operands, &format!(" {operator} ")), bare),
            Doc::Choice(conditions, default) => {
                let choices =
                    conditions.iter().map(|(c, value)| format!("{} ? {} : ", c.flat(false), value.flat(false)));
                parenthesised(choices.collect::<String>() + &default.flat(false), bare)
            }
            Doc::List(open, operands, close) => format!("{open}{}{close}", join(operands, ", ")),
        }
    }

    fn at(&self, column: usize) -> String {
        let flat = self.flat(false);
        if column + flat.len() <= LINE { flat } else { self.broken(column, false) }
    }

    /// Over several lines, the first one starting at `column`.
    fn broken(&self, column: usize, bare: bool) -> String {
        let inner = if bare { column } else { column + 1 };
        let line = format!("\n{}", " ".repeat(inner));
        match self {
            Doc::Text(text) => text.clone(),
            Doc::Prefix(operator, operand) => prefixed(operator, operand.at(inner + operator.len()), bare),
            Doc::Infix(operator, operands) => {
                let column = inner + operator.len() + 1;
                let operands = operands.iter().enumerate().map(|(i, doc)| match i {
                    0 => doc.at(inner),
                    _ => format!("{line}{operator} {}", doc.at(column)),
                });
                parenthesised(operands.collect(), bare)
            }
            Doc::Choice(conditions, default) => {
                let choices = conditions.iter().map(|(condition, value)| {
                    let condition = condition.at(inner);
                    let column = inner + condition.lines().last().map_or(0, str::len) + 3;
                    let value = value.at(if condition.contains('\n') { inner + 4 } else { column });
                    format!("{condition} ? {value} :{line}")
                });
                parenthesised(choices.collect::<String>() + &default.at(inner), bare)
            }
            Doc::List(open, operands, close) => {
                let inner = column + 2;
                let line = format!("\n{}", " ".repeat(inner));
                let operands: Vec<_> = operands.iter().map(|doc| format!("{line}{}", doc.at(inner))).collect();
                format!("{open}{}\n{}{close}", operands.join(","), " ".repeat(column))
            }
        }
    }
}

fn parenthesised(text: String, bare: bool) -> String {
    if bare { text } else { format!("({text})") }
}

/// A complement needs no parentheses; a reduction does, to be told from the binary operator, and of a complement within, too: `|~` is
/// one token to some tools.
fn prefixed(operator: &str, operand: String, bare: bool) -> String {
    let operand = parenthesised(operand.clone(), operator == "~" || !operand.starts_with('~'));
    parenthesised(format!("{operator}{operand}"), bare || operator == "~")
}

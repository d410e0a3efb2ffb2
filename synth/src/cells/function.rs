//! Boolean functions as Liberty writes them: `(!(A B))`, `A' + B`, `A ^ B`.
//!
//! What binds tighter, first: `!` and `'`, then `^`, then `&`, `*` and mere juxtaposition, then `|` and `+`.

/// A function of numbered variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// 0 or 1.
    Constant(bool),
    /// A variable.
    Variable(usize),
    /// The opposite.
    Not(Box<Function>),
    /// Both.
    And(Box<Function>, Box<Function>),
    /// At least one.
    Or(Box<Function>, Box<Function>),
    /// Exactly one.
    Xor(Box<Function>, Box<Function>),
}

impl Function {
    /// Reads `text`; `variable` numbers the names in it. An error says what is wrong with the text.
    pub fn parse(text: &str, variable: &dyn Fn(&str) -> Option<usize>) -> Result<Self, String> {
        let mut parser = Parser { text, at: 0, variable };
        let function = parser.or()?;
        match parser.peek() {
            None => Ok(function),
            Some(found) => Err(parser.wrong(&format!("`{found}` is not expected"))),
        }
    }

    /// Its value, where bit i of `values` is variable i.
    pub fn value(&self, values: u64) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Variable(variable) => values >> variable & 1 == 1,
            Self::Not(a) => !a.value(values),
            Self::And(a, b) => a.value(values) && b.value(values),
            Self::Or(a, b) => a.value(values) || b.value(values),
            Self::Xor(a, b) => a.value(values) != b.value(values),
        }
    }

    /// The variables in it, as bits.
    pub fn variables(&self) -> u64 {
        match self {
            Self::Constant(_) => 0,
            Self::Variable(variable) => 1 << variable,
            Self::Not(a) => a.variables(),
            Self::And(a, b) | Self::Or(a, b) | Self::Xor(a, b) => a.variables() | b.variables(),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    variable: &'a dyn Fn(&str) -> Option<usize>,
}

impl Parser<'_> {
    fn wrong(&self, what: &str) -> String {
        format!("{what} in the function `{}`", self.text)
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Takes one of `characters`, if it comes next.
    fn take(&mut self, characters: &[char]) -> bool {
        let next = self.peek().filter(|next| characters.contains(next));
        self.at += next.map_or(0, char::len_utf8);
        next.is_some()
    }

    fn or(&mut self) -> Result<Function, String> {
        let mut left = self.and()?;
        while self.take(&['|', '+']) {
            left = Function::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Function, String> {
        let mut left = self.xor()?;
        // What begins another operand is a conjunction without an operator.
        while self.take(&['&', '*']) || self.peek().is_some_and(|next| next == '!' || next == '(' || is_name(next)) {
            left = Function::And(Box::new(left), Box::new(self.xor()?));
        }
        Ok(left)
    }

    fn xor(&mut self) -> Result<Function, String> {
        let mut left = self.operand()?;
        while self.take(&['^']) {
            left = Function::Xor(Box::new(left), Box::new(self.operand()?));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Function, String> {
        if self.take(&['!']) {
            return Ok(Function::Not(Box::new(self.operand()?)));
        }
        let mut operand = if self.take(&['(']) {
            let inside = self.or()?;
            if !self.take(&[')']) {
                return Err(self.wrong("`)` is missing"));
            }
            inside
        } else {
            self.name()?
        };
        while self.take(&['\'']) {
            operand = Function::Not(Box::new(operand));
        }
        Ok(operand)
    }

    fn name(&mut self) -> Result<Function, String> {
        self.peek();
        let rest = &self.text[self.at..];
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        self.at += name.len();
        // Names that begin with a digit are quoted.
        match (name.trim_matches(['"', '\\']), (self.variable)(name.trim_matches(['"', '\\']))) {
            ("", _) => Err(self.wrong("an operand is missing")),
            (_, Some(variable)) => Ok(Function::Variable(variable)),
            ("0", _) => Ok(Function::Constant(false)),
            ("1", _) => Ok(Function::Constant(true)),
            (name, None) => Err(self.wrong(&format!("`{name}` is no pin"))),
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '[' | ']' | '.' | '"' | '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Function, String> {
        Function::parse(text, &|name| ["A", "B", "C", "D", "1A"].iter().position(|pin| *pin == name))
    }

    #[test]
    fn what_libraries_write() {
        type Expected = fn(bool, bool, bool, bool) -> bool;
        let cases: [(&str, Expected); 17] = [
            ("A", |a, _, _, _| a),
            ("(!(A B))", |a, b, _, _| !(a && b)),
            ("A'", |a, _, _, _| !a),
            ("(A B)' C", |a, b, c, _| !(a && b) && c),
            ("A^B", |a, b, _, _| a != b),
            ("(((A B)+(B C))+(C A))", |a, b, c, _| [a, b, c].iter().filter(|x| **x).count() >= 2),
            ("!A & B | C * D", |a, b, c, d| (!a && b) || (c && d)),
            ("A + B C", |a, b, c, _| a || (b && c)),
            ("A B ^ C", |a, b, c, _| a && (b != c)),
            ("A & B ^ C & D", |a, b, c, d| a && (b != c) && d),
            ("!A^B", |a, b, _, _| a == b),
            ("!!A''", |a, _, _, _| a),
            ("!A'", |a, _, _, _| a),
            ("A !B", |a, b, _, _| a && !b),
            ("(A)(B)", |a, b, _, _| a && b),
            ("1", |_, _, _, _| true),
            ("0 + A", |a, _, _, _| a),
        ];
        for (text, expected) in cases {
            let function = parse(text).unwrap_or_else(|error| panic!("{error}"));
            for values in 0..16u64 {
                let [a, b, c, d] = [0, 1, 2, 3].map(|bit| values >> bit & 1 == 1);
                assert_eq!(function.value(values), expected(a, b, c, d), "{text} of {values:04b}");
            }
        }
    }

    #[test]
    fn quoted_names_and_variables() {
        let function = parse("\\\"1A\\\" & !C").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(function.variables(), 0b10100);
        assert!(function.value(0b10000) && !function.value(0b10100));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, wrong) in [
            ("A B)", "`)` is not expected in the function `A B)`"),
            ("(A", "`)` is missing in the function `(A`"),
            ("A + ", "an operand is missing in the function `A + `"),
            ("", "an operand is missing in the function ``"),
            ("A X", "`X` is no pin in the function `A X`"),
            ("A % B", "`%` is not expected in the function `A % B`"),
        ] {
            assert_eq!(parse(text), Err(wrong.to_string()));
        }
    }
}

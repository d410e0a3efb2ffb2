//! Mapped gates from structural Verilog, with the hierarchy dissolved.
use std::collections::HashMap;

/// A cell of the library.
pub struct Cell {
    pub kind: String,
    /// Names of the instances from the top down to it.
    pub path: Vec<String>,
    /// Pins and their nets.
    pub pins: Vec<(String, usize)>,
}

/// Gates between numbered nets.
pub struct Netlist {
    /// Name of the outermost module.
    pub top: String,
    pub cells: Vec<Cell>,
    pub nets: usize,
    /// By name of the port: its nets.
    pub inputs: Vec<(String, Vec<usize>)>,
    pub outputs: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Number(String),
    Sign(char),
}

type Connections = Vec<(String, Vec<Token>)>;

#[derive(Default)]
struct Module {
    /// Name, direction, bits from the lowest on.
    ports: Vec<(String, bool, Vec<String>)>,
    widths: HashMap<String, Vec<String>>,
    assigns: Vec<(Vec<Token>, Vec<Token>)>,
    /// Kind, name, and pins with what is at them.
    instances: Vec<(String, String, Connections)>,
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let plain = |c: char| c.is_alphanumeric() || "_$'".contains(c);
        let length = match first {
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("(*") && !rest.starts_with("(*)") => {
                rest.find("*)").map_or(rest.len(), |end| end + 2)
            }
            '\\' => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                tokens.push(Token::Name(rest[1..end].to_string()));
                end
            }
            _ if plain(first) => {
                let end = rest.find(|c| !plain(c)).unwrap_or(rest.len());
                let word = rest[..end].to_string();
                tokens.push(if first.is_ascii_digit() { Token::Number(word) } else { Token::Name(word) });
                end
            }
            _ => {
                if !first.is_whitespace() {
                    tokens.push(Token::Sign(first));
                }
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

fn statement<'t>(tokens: &mut &'t [Token]) -> &'t [Token] {
    let end = tokens.iter().position(|token| *token == Token::Sign(';')).unwrap_or(tokens.len());
    let (statement, rest) = tokens.split_at(end);
    *tokens = rest.get(1..).unwrap_or(&[]);
    statement
}

fn name(token: &Token) -> &str {
    match token {
        Token::Name(name) | Token::Number(name) => name,
        Token::Sign(sign) => panic!("a name was expected in the netlist, not `{sign}`"),
    }
}

fn modules(text: &str) -> HashMap<String, Module> {
    let tokens = tokens(text);
    let mut rest = tokens.as_slice();
    let mut modules = HashMap::new();
    while rest.first().is_some_and(|token| *token == Token::Name("module".into())) {
        let header = statement(&mut rest);
        let mut module = Module::default();
        loop {
            if rest[0] == Token::Name("endmodule".into()) {
                rest = &rest[1..];
                break;
            }
            module.statement(statement(&mut rest));
        }
        modules.insert(name(&header[1]).to_string(), module);
    }
    modules
}

impl Module {
    fn statement(&mut self, tokens: &[Token]) {
        match name(&tokens[0]) {
            word @ ("input" | "output" | "wire" | "reg") => {
                let (range, names) = match tokens[1] {
                    Token::Sign('[') => (Some(&tokens[2..5]), &tokens[6..]),
                    _ => (None, &tokens[1..]),
                };
                for name in names.iter().filter(|token| **token != Token::Sign(',')).map(name) {
                    let bits = match range {
                        None => vec![name.to_string()],
                        Some(range) => {
                            let [high, low] = [0, 2].map(|i| self::name(&range[i]).parse::<usize>().expect("a range"));
                            (low..=high).map(|bit| format!("{name}[{bit}]")).collect()
                        }
                    };
                    self.widths.insert(name.to_string(), bits.clone());
                    if word == "input" || word == "output" {
                        self.ports.push((name.to_string(), word == "input", bits));
                    }
                }
            }
            "assign" => {
                let at = tokens.iter().position(|token| *token == Token::Sign('=')).expect("an assignment");
                self.assigns.push((tokens[1..at].to_vec(), tokens[at + 1..].to_vec()));
            }
            kind => {
                let mut pins = vec![];
                let mut rest = &tokens[3..];
                while let [Token::Sign('.'), pin, Token::Sign('('), after @ ..] = rest {
                    let end = after.iter().position(|token| *token == Token::Sign(')')).expect("the end of a pin");
                    pins.push((name(pin).to_string(), after[..end].to_vec()));
                    rest = after.get(end + 1..).unwrap_or(&[]);
                    rest = rest.strip_prefix(&[Token::Sign(',')]).unwrap_or(rest);
                }
                self.instances.push((kind.to_string(), name(&tokens[1]).to_string(), pins));
            }
        }
    }

    /// Bits of an expression, the lowest first; constants are `0` and `1`.
    fn bits(&self, tokens: &[Token]) -> Vec<String> {
        match tokens {
            [] => vec![],
            [Token::Sign('{'), inside @ .., Token::Sign('}')] => {
                let parts = inside.split(|token| *token == Token::Sign(','));
                let parts: Vec<Vec<String>> = parts.map(|part| self.bits(part)).collect();
                parts.into_iter().rev().flatten().collect()
            }
            [Token::Number(number)] => {
                let (width, digits) = number.split_once('\'').unwrap_or(("32", number));
                let radix = match digits.chars().next() {
                    Some('h') => 16,
                    Some('b') => 2,
                    _ => 10,
                };
                let digits = digits.trim_start_matches(['h', 'b', 'd']);
                let value = u128::from_str_radix(digits, radix).unwrap_or(0);
                (0..width.parse().unwrap_or(32)).map(|bit| (value >> bit & 1).to_string()).collect()
            }
            [Token::Name(name)] => self.widths.get(name).unwrap_or_else(|| panic!("no net {name}")).clone(),
            [Token::Name(name), Token::Sign('['), Token::Number(bit), Token::Sign(']')] => {
                vec![format!("{name}[{bit}]")]
            }
            [
                Token::Name(name),
                Token::Sign('['),
                Token::Number(high),
                Token::Sign(':'),
                Token::Number(low),
                Token::Sign(']'),
            ] => {
                let [high, low] = [high, low].map(|bit| bit.parse::<usize>().expect("a range"));
                (low..=high).map(|bit| format!("{name}[{bit}]")).collect()
            }
            _ => panic!("an expression in the netlist that is no net: {tokens:?}"),
        }
    }
}

/// Nets that are one.
struct Nets(Vec<usize>);

impl Nets {
    fn new_net(&mut self) -> usize {
        self.0.push(self.0.len());
        self.0.len() - 1
    }

    fn root(&self, mut net: usize) -> usize {
        while self.0[net] != net {
            net = self.0[net];
        }
        net
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// The netlist of the module that no other has in it.
pub fn read(text: &str) -> Netlist {
    let modules = modules(text);
    let used: Vec<&str> =
        modules.values().flat_map(|module| &module.instances).map(|(kind, ..)| kind.as_str()).collect();
    let (name, top) = modules.iter().find(|(name, _)| !used.contains(&name.as_str())).expect("an outermost module");
    // Nets 0 and 1 are constant.
    let mut nets = Nets(vec![0, 1]);
    let mut cells = vec![];
    let known = inside(&modules, top, &[], HashMap::new(), &mut nets, &mut cells);
    for cell in &mut cells {
        for (_, net) in &mut cell.pins {
            *net = nets.root(*net);
        }
    }
    let of = |bits: &[String]| bits.iter().map(|bit| nets.root(known[bit])).collect::<Vec<_>>();
    let inputs = top.ports.iter().filter(|port| port.1).map(|(name, _, bits)| (name.clone(), of(bits))).collect();
    let outputs = top.ports.iter().filter(|port| !port.1).flat_map(|port| of(&port.2)).collect();
    Netlist { top: name.clone(), cells, nets: nets.0.len(), inputs, outputs }
}

fn inside(
    modules: &HashMap<String, Module>,
    module: &Module,
    path: &[String],
    mut known: HashMap<String, usize>,
    nets: &mut Nets,
    cells: &mut Vec<Cell>,
) -> HashMap<String, usize> {
    fn net(bit: String, known: &mut HashMap<String, usize>, nets: &mut Nets) -> usize {
        match bit.as_str() {
            "0" => 0,
            "1" => 1,
            _ => *known.entry(bit).or_insert_with(|| nets.new_net()),
        }
    }
    for bit in module.ports.iter().flat_map(|port| &port.2) {
        net(bit.clone(), &mut known, nets);
    }
    for (to, from) in &module.assigns {
        for (to, from) in module.bits(to).into_iter().zip(module.bits(from)) {
            let (to, from) = (net(to, &mut known, nets), net(from, &mut known, nets));
            nets.join(to, from);
        }
    }
    for (kind, name, pins) in &module.instances {
        let path = [path, std::slice::from_ref(name)].concat();
        let pins = pins.iter().map(|(pin, tokens)| {
            let bits = module.bits(tokens).into_iter().map(|bit| net(bit, &mut known, nets));
            (pin.clone(), bits.collect::<Vec<_>>())
        });
        let pins: Vec<(String, Vec<usize>)> = pins.collect();
        match modules.get(kind) {
            Some(child) => {
                let ports = child.ports.iter().flat_map(|(port, _, bits)| {
                    let nets = pins.iter().find(|(pin, _)| pin == port).map_or(&[][..], |(_, nets)| nets);
                    bits.iter().cloned().zip(nets.iter().copied())
                });
                inside(modules, child, &path, ports.collect(), nets, cells);
            }
            None => {
                let pins = pins.into_iter().filter_map(|(pin, nets)| Some((pin, *nets.first()?))).collect();
                cells.push(Cell { kind: kind.clone(), path, pins });
            }
        }
    }
    known
}

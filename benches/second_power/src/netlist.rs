//! Mapped gates from structural Verilog, with the hierarchy dissolved.
use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, bail, ensure};

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

/// A statement as it was, but for the spaces.
fn written(tokens: &[Token]) -> String {
    let word = |token: &Token| match token {
        Token::Name(word) | Token::Number(word) => word.clone(),
        Token::Sign(sign) => sign.to_string(),
    };
    tokens.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn name(token: &Token) -> Option<&str> {
    match token {
        Token::Name(name) => Some(name),
        _ => None,
    }
}

fn modules(text: &str) -> Result<HashMap<String, Module>> {
    let tokens = tokens(text);
    let mut rest = tokens.as_slice();
    let mut modules = HashMap::new();
    while !rest.is_empty() {
        let header = statement(&mut rest);
        let [Token::Name(keyword), Token::Name(module_name), ..] = header else {
            bail!("a module was expected, not `{}`", written(header));
        };
        ensure!(keyword == "module", "a module was expected, not `{}`", written(header));
        let mut module = Module::default();
        loop {
            match rest {
                [] => bail!("module {module_name} does not end"),
                [Token::Name(end), after @ ..] if end == "endmodule" => {
                    rest = after;
                    break;
                }
                _ => {}
            }
            let statement = statement(&mut rest);
            module.statement(statement).with_context(|| format!("`{}` is not understood", written(statement)))?;
        }
        modules.insert(module_name.clone(), module);
    }
    Ok(modules)
}

/// Bits of a range, from the lowest on.
fn range(name: &str, high: &str, low: &str) -> Option<Vec<String>> {
    const MOST: usize = 1 << 20;
    let (high, low) = (high.parse::<usize>().ok()?, low.parse::<usize>().ok()?);
    (high < MOST).then(|| (low..=high).map(|bit| format!("{name}[{bit}]")).collect())
}

/// Bits of a constant, from the lowest on, each 0 or 1.
fn constant(number: &str) -> Option<Vec<String>> {
    let (width, digits) = number.split_once('\'').unwrap_or(("32", number));
    let width = width.parse().ok().filter(|width| (1..=1 << 20).contains(width))?;
    let (radix, digits) = match digits.split_at_checked(1)? {
        ("h", digits) => (16, digits),
        ("b", digits) => (2, digits),
        ("d", digits) => (10, digits),
        _ => (10, digits),
    };
    let value = u128::from_str_radix(digits, radix).ok()?;
    Some((0..width).map(|bit| (value.checked_shr(bit).unwrap_or(0) & 1).to_string()).collect())
}

impl Module {
    /// None if it is no statement of a netlist.
    fn statement(&mut self, tokens: &[Token]) -> Option<()> {
        match tokens {
            [Token::Name(word), declared @ ..] if ["input", "output", "wire", "reg"].contains(&word.as_str()) => {
                let (range, names) = match declared {
                    [
                        Token::Sign('['),
                        Token::Number(high),
                        Token::Sign(':'),
                        Token::Number(low),
                        Token::Sign(']'),
                        names @ ..,
                    ] => (Some((high, low)), names),
                    names => (None, names),
                };
                for token in names.iter().filter(|token| **token != Token::Sign(',')) {
                    let name = name(token)?;
                    let bits = match range {
                        None => vec![name.to_string()],
                        Some((high, low)) => self::range(name, high, low)?,
                    };
                    self.widths.insert(name.to_string(), bits.clone());
                    if word == "input" || word == "output" {
                        self.ports.push((name.to_string(), word == "input", bits));
                    }
                }
            }
            [Token::Name(word), assigned @ ..] if word == "assign" => {
                let at = assigned.iter().position(|token| *token == Token::Sign('='))?;
                self.assigns.push((assigned[..at].to_vec(), assigned[at + 1..].to_vec()));
            }
            [Token::Name(kind), Token::Name(instance), Token::Sign('('), inside @ .., Token::Sign(')')] => {
                let mut pins = vec![];
                let mut rest = inside;
                while let [Token::Sign('.'), pin, Token::Sign('('), after @ ..] = rest {
                    let end = after.iter().position(|token| *token == Token::Sign(')'))?;
                    pins.push((name(pin)?.to_string(), after[..end].to_vec()));
                    rest = &after[end + 1..];
                    rest = rest.strip_prefix(&[Token::Sign(',')]).unwrap_or(rest);
                }
                rest.is_empty().then_some(())?;
                self.instances.push((kind.clone(), instance.clone(), pins));
            }
            _ => return None,
        }
        Some(())
    }

    /// Bits of an expression, the lowest first; constants are `0` and `1`.
    fn bits(&self, tokens: &[Token]) -> Result<Vec<String>> {
        let bits = match tokens {
            [] => Some(vec![]),
            [Token::Sign('{'), inside @ .., Token::Sign('}')] => {
                let parts = inside.split(|token| *token == Token::Sign(','));
                let parts = parts.map(|part| self.bits(part)).collect::<Result<Vec<_>>>()?;
                Some(parts.into_iter().rev().flatten().collect())
            }
            [Token::Number(number)] => constant(number),
            [Token::Name(name)] => Some(self.widths.get(name).with_context(|| format!("no net {name}"))?.clone()),
            [Token::Name(name), Token::Sign('['), Token::Number(bit), Token::Sign(']')] => {
                Some(vec![format!("{name}[{bit}]")])
            }
            [
                Token::Name(name),
                Token::Sign('['),
                Token::Number(high),
                Token::Sign(':'),
                Token::Number(low),
                Token::Sign(']'),
            ] => range(name, high, low),
            _ => None,
        };
        bits.with_context(|| format!("`{}` is no net and no constant", written(tokens)))
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
pub fn read(text: &str) -> Result<Netlist> {
    let modules = modules(text)?;
    let used: HashSet<&str> =
        modules.values().flat_map(|module| &module.instances).map(|(kind, ..)| kind.as_str()).collect();
    let mut outermost = modules.iter().filter(|(name, _)| !used.contains(name.as_str()));
    let (name, top) = outermost.next().context("no module is the outermost")?;
    ensure!(outermost.next().is_none(), "more than one module is in no other");
    // Nets 0 and 1 are constant.
    let mut nets = Nets(vec![0, 1]);
    let mut cells = vec![];
    let known = inside(&modules, top, &[], HashMap::new(), &mut nets, &mut cells)?;
    for cell in &mut cells {
        for (_, net) in &mut cell.pins {
            *net = nets.root(*net);
        }
    }
    let of = |bits: &[String]| bits.iter().map(|bit| nets.root(known[bit])).collect::<Vec<_>>();
    let inputs = top.ports.iter().filter(|port| port.1).map(|(name, _, bits)| (name.clone(), of(bits))).collect();
    let outputs = top.ports.iter().filter(|port| !port.1).flat_map(|port| of(&port.2)).collect();
    Ok(Netlist { top: name.clone(), cells, nets: nets.0.len(), inputs, outputs })
}

fn inside(
    modules: &HashMap<String, Module>,
    module: &Module,
    path: &[String],
    mut known: HashMap<String, usize>,
    nets: &mut Nets,
    cells: &mut Vec<Cell>,
) -> Result<HashMap<String, usize>> {
    ensure!(path.len() <= modules.len(), "a module is inside of itself: {}", path.join("."));
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
        for (to, from) in module.bits(to)?.into_iter().zip(module.bits(from)?) {
            let (to, from) = (net(to, &mut known, nets), net(from, &mut known, nets));
            nets.join(to, from);
        }
    }
    for (kind, name, pins) in &module.instances {
        let path = [path, std::slice::from_ref(name)].concat();
        let pins = pins.iter().map(|(pin, tokens)| {
            let bits = module.bits(tokens)?.into_iter().map(|bit| net(bit, &mut known, nets));
            Ok((pin.clone(), bits.collect()))
        });
        let pins = pins.collect::<Result<Vec<(String, Vec<usize>)>>>()?;
        match modules.get(kind) {
            Some(child) => {
                let ports = child.ports.iter().flat_map(|(port, _, bits)| {
                    let nets = pins.iter().find(|(pin, _)| pin == port).map_or(&[][..], |(_, nets)| nets);
                    bits.iter().cloned().zip(nets.iter().copied())
                });
                inside(modules, child, &path, ports.collect(), nets, cells)?;
            }
            None => {
                let pins = pins.into_iter().filter_map(|(pin, nets)| Some((pin, *nets.first()?))).collect();
                cells.push(Cell { kind: kind.clone(), path, pins });
            }
        }
    }
    Ok(known)
}

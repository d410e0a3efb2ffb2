//! What yosys' `write_json` writes, as far as it is needed.
use std::collections::BTreeMap;

use serde::Deserialize;

/// A design.
#[derive(Deserialize)]
pub struct Design {
    /// By name.
    pub modules: BTreeMap<String, Module>,
}

/// A module.
#[derive(Deserialize)]
pub struct Module {
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
    /// By name.
    #[serde(default)]
    pub ports: BTreeMap<String, ModulePort>,
    /// By name.
    #[serde(default)]
    pub cells: BTreeMap<String, Instance>,
    #[serde(default, rename = "netnames")]
    nets: BTreeMap<String, Net>,
}

/// A net with a name.
#[derive(Deserialize)]
struct Net {
    bits: Vec<Bit>,
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
}

/// A port of a module.
#[derive(Deserialize)]
pub struct ModulePort {
    /// `input`, `output` or `inout`.
    pub direction: String,
    /// The lowest first.
    pub bits: Vec<Bit>,
}

/// A cell of the library, or a module in a module.
#[derive(Deserialize)]
pub struct Instance {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Bits at its ports, the lowest first.
    pub connections: BTreeMap<String, Vec<Bit>>,
}

/// A bit of a net.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub enum Bit {
    /// By number in its module.
    Net(u64),
    /// `0`, `1`, `x` or `z`.
    Constant(String),
}

impl Design {
    /// The outermost module: the one that says so, or that is in no other.
    pub fn top(&self) -> Option<&str> {
        let inside = |name: &String| {
            self.modules.values().flat_map(|module| module.cells.values()).any(|cell| cell.kind == *name)
        };
        let marked = self.modules.iter().find(|(_, module)| module.has("top"));
        let top = marked.or_else(|| self.modules.iter().find(|(name, _)| !inside(name)));
        top.map(|(name, _)| name.as_str())
    }
}

impl Module {
    /// Whether there is nothing in it that could be simulated.
    pub fn is_black_box(&self) -> bool {
        self.has("blackbox")
    }

    /// Bits of registers that start at 1.
    pub fn starts_high(&self) -> impl Iterator<Item = &Bit> {
        let initial = |net: &Net| net.attributes.get("init").and_then(|value| value.as_str().map(str::to_string));
        let nets = self.nets.values().filter_map(move |net| Some((net, initial(net)?)));
        // Written with the highest bit first.
        nets.flat_map(|(net, initial)| {
            let bits: Vec<&Bit> =
                net.bits.iter().zip(initial.bytes().rev()).filter(|(_, c)| *c == b'1').map(|(bit, _)| bit).collect();
            bits
        })
    }

    /// Whether an attribute is set.
    fn has(&self, attribute: &str) -> bool {
        match self.attributes.get(attribute) {
            Some(serde_json::Value::String(bits)) => bits.contains('1'),
            Some(serde_json::Value::Number(number)) => number.as_u64() != Some(0),
            _ => false,
        }
    }
}

//! What yosys' `write_json` writes, as far as it is needed: cells, ports and nets of modules.
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
    /// `input`, `output` or `inout` by port; none where yosys does not know the module.
    #[serde(default)]
    pub port_directions: BTreeMap<String, String>,
}

/// A bit of a net.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Bit {
    /// By number in its module.
    Net(u32),
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
    /// The module of this name in a text that `write_json` wrote.
    pub fn read(text: &str, name: &str) -> Result<Self, serde_json::Error> {
        let mut design: Design = serde_json::from_str(text)?;
        let missing = || serde::de::Error::custom(format!("there is no module {name}"));
        design.modules.remove(name).ok_or_else(missing)
    }

    /// Nets by the names of their bits. A net may have several.
    pub fn net_names(&self) -> BTreeMap<String, u32> {
        let mut names = BTreeMap::new();
        for (name, Net { bits, .. }) in &self.nets {
            for (i, bit) in bits.iter().enumerate() {
                if let Bit::Net(net) = bit {
                    names.insert(bit_name(name, i, bits.len()), *net);
                }
            }
        }
        names
    }

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

/// As `splitnets` calls a bit.
pub fn bit_name(name: &str, i: usize, width: usize) -> String {
    if width == 1 { name.to_string() } else { format!("{name}[{i}]") }
}

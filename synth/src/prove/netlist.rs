//! A flat module as yosys writes it, of AND gates, inverters, flip-flops and black boxes.
use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

/// A bit of a signal.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(untagged)]
pub(super) enum Bit {
    /// Number of a net.
    Net(u32),
    /// `0`, `1` or `x`.
    Constant(String),
}

/// A port.
#[derive(Debug, Deserialize)]
pub(super) struct Port {
    /// `input` or `output`.
    pub direction: String,
    pub bits: Vec<Bit>,
}

/// A cell.
#[derive(Debug, Deserialize)]
pub(super) struct Cell {
    #[serde(rename = "type")]
    pub kind: String,
    pub connections: BTreeMap<String, Vec<Bit>>,
    /// None where yosys does not know the module.
    #[serde(default)]
    pub port_directions: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Named {
    bits: Vec<Bit>,
}

/// A module.
#[derive(Debug, Deserialize)]
pub(super) struct Flat {
    pub ports: BTreeMap<String, Port>,
    pub cells: BTreeMap<String, Cell>,
    netnames: BTreeMap<String, Named>,
}

#[derive(Deserialize)]
struct Design {
    modules: HashMap<String, Flat>,
}

impl Flat {
    /// The module of this name in a text that `write_json` wrote.
    pub fn read(text: &str, name: &str) -> Result<Self, serde_json::Error> {
        let mut design: Design = serde_json::from_str(text)?;
        let missing = || serde::de::Error::custom(format!("there is no module {name}"));
        design.modules.remove(name).ok_or_else(missing)
    }

    /// Nets by the names of their bits. A net may have several.
    pub fn nets(&self) -> BTreeMap<String, u32> {
        let mut nets = BTreeMap::new();
        for (name, Named { bits }) in &self.netnames {
            for (i, bit) in bits.iter().enumerate() {
                if let Bit::Net(net) = bit {
                    nets.insert(bit_name(name, i, bits.len()), *net);
                }
            }
        }
        nets
    }
}

/// As `splitnets` calls a bit.
pub(super) fn bit_name(name: &str, i: usize, width: usize) -> String {
    if width == 1 { name.to_string() } else { format!("{name}[{i}]") }
}

//! Verilog names for the nets of a module.
use std::collections::HashSet;

use warploom_sim::lint::is_keyword;
use warploom_sim::netlist::{Module, NetKind, NetName, Segment};

/// The names taken in one module.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// `wanted`, or with the first number after it that is free.
    pub fn unique(&mut self, wanted: &str) -> String {
        let free = |name: &String| !is_keyword(name) && !self.taken.contains(name);
        let numbered = (2..).map(|i| format!("{wanted}_{i}"));
        let name = std::iter::once(wanted.to_string()).chain(numbered).find(free).expect("some number is free");
        self.taken.insert(name.clone());
        name
    }
}

/// `lanes[3].sum` as `lanes_3_sum`.
fn flattened(name: &NetName) -> String {
    name.0.iter().map(flattened_segment).collect::<Vec<_>>().join("_")
}

/// `lanes[3]` as `lanes_3`.
fn flattened_segment(segment: &Segment) -> String {
    segment.index.iter().fold(segment.field.clone(), |name, i| format!("{name}_{i}"))
}

/// Names of all nets of a module, its ports first so that nothing inside can rename them.
pub(super) fn nets(module: &Module, names: &mut Names) -> Vec<String> {
    let mut all = vec![String::new(); module.nets.len()];
    for port in &module.ports {
        all[port.0 as usize] = names.unique(&flattened(&module.net(*port).name));
    }
    for (net, name) in module.nets.iter().zip(&mut all) {
        match net.kind {
            NetKind::Input | NetKind::Clock | NetKind::Output => {}
            // A register goes by its own name, not that of its output pin.
            NetKind::RegisterOutput(i) => *name = names.unique(&flattened(&module.registers[i].name)),
            _ => *name = names.unique(&flattened(&net.name)),
        }
    }
    all
}

/// Names of a module's instances, after those of its nets.
pub(super) fn instances(module: &Module, names: &mut Names) -> Vec<String> {
    module.instances.iter().map(|instance| names.unique(&flattened_segment(&instance.name))).collect()
}

/// Names of a module's memories, after those of its instances.
pub(super) fn memories(module: &Module, names: &mut Names) -> Vec<String> {
    module.memories.iter().map(|memory| names.unique(&flattened(&memory.name))).collect()
}

/// `round_robin_arbiter.rs` for `RoundRobinArbiter`: a module's file is named after it.
pub(super) fn source_file(source: &str) -> String {
    let mut file = String::new();
    for (i, c) in source.char_indices() {
        if c.is_ascii_uppercase() && i > 0 {
            file.push('_');
        }
        file.push(c.to_ascii_lowercase());
    }
    file + ".rs"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(segments: &[(&str, &[usize])]) -> NetName {
        NetName(
            segments.iter().map(|(field, index)| Segment { field: field.to_string(), index: index.to_vec() }).collect(),
        )
    }

    #[test]
    fn flattens() {
        assert_eq!(flattened(&name(&[("grant", &[])])), "grant");
        assert_eq!(flattened(&name(&[("lanes", &[3]), ("sum", &[])])), "lanes_3_sum");
        assert_eq!(flattened(&name(&[("table", &[1, 2])])), "table_1_2");
    }

    #[test]
    fn stays_unique_and_off_keywords() {
        let mut names = Names::default();
        assert_eq!(names.unique("a_1"), "a_1");
        assert_eq!(names.unique("a_1"), "a_1_2");
        assert_eq!(names.unique("first_match"), "first_match_2");
    }

    #[test]
    fn source_files() {
        assert_eq!(source_file("RoundRobinArbiter"), "round_robin_arbiter.rs");
        assert_eq!(source_file("L1DataCache"), "l1_data_cache.rs");
    }
}

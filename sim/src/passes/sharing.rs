//! Equal operators on equal operands become one: the graph is hash-consed from here on.
//!
//! First of all passes: the lanes are found by what they share.
use crate::ir::Design;

/// Runs the pass.
pub fn run(design: &mut Design) {
    super::rewrite(design, |graph, op, ty| {
        graph.share();
        graph.add(op, ty)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Graph, Op, Output, Type};

    #[test]
    fn equal_sums_become_one() {
        let mut design = Design { graph: Graph::unshared(), ..Design::default() };
        for _ in 0..2 {
            let [a, b] = [0, 1].map(|i| design.graph.add(Op::Input(i), Type::scalar(8)));
            let value = design.graph.add(Op::Binary(Binary::Add, a, b), Type::scalar(8));
            design.outputs.push(Output { port: None, value });
        }
        assert_ne!(design.outputs[0].value, design.outputs[1].value);
        run(&mut design);
        assert_eq!(design.outputs[0].value, design.outputs[1].value);
        assert_eq!(design.graph.len(), 3);
    }
}

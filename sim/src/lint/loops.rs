//! Combinational loops, across the hierarchy: children are known by which outputs follow which inputs.
use crate::netlist::{Driver, Module, ModuleId, NetId, NetKind, Op};

/// Per port of a module: the numbers of the input ports that it follows in the same cycle.
pub(crate) type Dependencies = Vec<Vec<usize>>;

/// What the search finds in one module.
pub(crate) struct Found {
    pub dependencies: Dependencies,
    /// The nets of each loop, the first one again at the end.
    pub loops: Vec<Vec<String>>,
}

/// The combinational paths from inputs to outputs of `module`, whose children are in `modules`.
pub(crate) fn combinational_dependencies(module: &Module, modules: &[Module], known: &[Dependencies]) -> Found {
    let graph = Graph::new(module, modules, known);
    let mut search = Search { graph: &graph, state: vec![State::New; graph.edges.len()], loops: vec![] };
    let order: Vec<usize> = (0..module.nets.len()).collect();
    let finished = order.into_iter().flat_map(|net| search.visit(net)).collect::<Vec<_>>();
    let loops = search.loops.iter().map(|path| graph.names(path)).collect();

    // Input ports reached, as one bit each, in the order in which the search finished the nodes.
    let words = module.ports.len().div_ceil(64).max(1);
    let mut reached = vec![vec![0u64; words]; graph.edges.len()];
    for (position, port) in module.ports.iter().enumerate() {
        if module.net(*port).kind == NetKind::Input {
            reached[port.0 as usize][position / 64] |= 1 << (position % 64);
        }
    }
    for node in finished {
        for &from in &graph.edges[node] {
            if from != node {
                let [to, from] = reached.get_disjoint_mut([node, from]).expect("two nodes");
                to.iter_mut().zip(from).for_each(|(to, from)| *to |= *from);
            }
        }
    }
    let inputs = |port: &NetId| match module.net(*port).kind {
        NetKind::Output => {
            let bits = &reached[port.0 as usize];
            (0..module.ports.len()).filter(|i| bits[i / 64] >> (i % 64) & 1 == 1).collect()
        }
        _ => vec![],
    };
    Found { dependencies: module.ports.iter().map(inputs).collect(), loops }
}

/// Nets first, then expressions; edges lead to what a node is computed from.
struct Graph<'a> {
    module: &'a Module,
    edges: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn new(module: &'a Module, modules: &[Module], known: &[Dependencies]) -> Self {
        let nets = module.nets.len();
        let mut edges: Vec<Vec<usize>> = Vec::with_capacity(nets + module.exprs.len());
        for net in &module.nets {
            edges.push(match (net.kind, net.driver) {
                (_, Driver::Expr(expr)) => vec![nets + expr.0 as usize],
                (NetKind::ReadData(memory, port), _) => {
                    let read = &module.memories[memory].reads[port];
                    if read.enable.is_none() { vec![nets + read.address.0 as usize] } else { vec![] }
                }
                _ => vec![],
            });
        }
        for expr in &module.exprs {
            edges.push(match &expr.op {
                Op::Net(net) => vec![net.0 as usize],
                op => op.operands().iter().map(|operand| nets + operand.0 as usize).collect(),
            });
        }
        for instance in &module.instances {
            let ModuleId(child) = instance.module;
            let ports = &modules[child as usize].ports;
            for (position, outside) in instance.ports.iter().enumerate().take(ports.len()) {
                let inputs = known[child as usize][position].iter();
                if matches!(module.net(*outside).kind, NetKind::ChildOutput(_)) {
                    edges[outside.0 as usize].extend(inputs.map(|&input| instance.ports[input].0 as usize));
                }
            }
        }
        Self { module, edges }
    }

    /// The nets on a path, in the direction of the signal.
    fn names(&self, path: &[usize]) -> Vec<String> {
        let nets = path.iter().rev().filter_map(|&node| self.module.nets.get(node));
        let mut names: Vec<String> = nets.map(|net| net.name.to_string()).collect();
        names.push(names[0].clone());
        names
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

struct Search<'a> {
    graph: &'a Graph<'a>,
    state: Vec<State>,
    loops: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Depth first, without recursion; the nodes in the order in which they were finished.
    fn visit(&mut self, start: usize) -> Vec<usize> {
        let mut finished = vec![];
        let mut stack = vec![];
        if self.state[start] == State::New {
            self.state[start] = State::Open;
            stack.push((start, 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            if let Some(&from) = self.graph.edges[node].get(*next) {
                *next += 1;
                match self.state[from] {
                    State::New => {
                        self.state[from] = State::Open;
                        stack.push((from, 0));
                    }
                    State::Open => {
                        let first = stack.iter().position(|&(node, _)| node == from).expect("open nodes are stacked");
                        self.loops.push(stack[first..].iter().map(|&(node, _)| node).collect());
                    }
                    State::Done => {}
                }
            } else {
                self.state[node] = State::Done;
                finished.push(node);
                stack.pop();
            }
        }
        finished
    }
}

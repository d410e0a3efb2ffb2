//! A suffix tree over four symbols, as a device walks it. Without a terminating symbol: suffixes that go on elsewhere end inside
//! an edge.

/// Symbols.
pub(super) const SYMBOLS: usize = 4;
/// Words of a node on the device.
const NODE_WORDS: usize = SYMBOLS + 4;

/// A node and the edge to it.
#[derive(Clone, Debug)]
struct Node {
    /// 0: none, as the root is nobody's child.
    children: [usize; SYMBOLS],
    parent: usize,
    /// Where the edge's symbols begin in the text.
    start: usize,
    /// Symbols from the root.
    depth: usize,
}

/// The tree; node 0 is the root.
pub(super) struct SuffixTree {
    nodes: Vec<Node>,
}

impl SuffixTree {
    /// By insertion of all suffixes, longest first: fast enough for texts that repeat little.
    pub fn new(text: &[u8]) -> Self {
        let mut tree = Self { nodes: vec![Node { children: [0; SYMBOLS], parent: 0, start: 0, depth: 0 }] };
        (0..text.len()).for_each(|begin| tree.insert(text, begin));
        tree
    }

    fn insert(&mut self, text: &[u8], begin: usize) {
        let mut node = 0;
        loop {
            let depth = self.nodes[node].depth;
            let Some(&symbol) = text.get(begin + depth) else { return };
            let child = self.nodes[node].children[usize::from(symbol)];
            if child == 0 {
                self.add(node, text, begin + depth, text.len() - begin);
                return;
            }
            let Node { start, depth: end, .. } = self.nodes[child];
            let edge = &text[start..start + end - depth];
            let same = edge.iter().zip(&text[begin + depth..]).take_while(|(a, b)| a == b).count();
            if same == edge.len() {
                node = child;
                continue;
            }
            if begin + depth + same < text.len() {
                let middle = self.add(node, text, start, depth + same);
                self.nodes[child].start += same;
                self.nodes[child].parent = middle;
                self.nodes[middle].children[usize::from(edge[same])] = child;
                self.add(middle, text, begin + depth + same, text.len() - begin);
            }
            return;
        }
    }

    /// A child of `parent`, in the place that its edge's first symbol says.
    fn add(&mut self, parent: usize, text: &[u8], start: usize, depth: usize) -> usize {
        let new = self.nodes.len();
        self.nodes.push(Node { children: [0; SYMBOLS], parent, start, depth });
        self.nodes[parent].children[usize::from(text[start])] = new;
        new
    }

    /// The node whose path is this one's without the first symbol; of a leaf, its parent's.
    fn link(&self, text: &[u8], node: usize) -> usize {
        let Node { children, parent, start, depth } = self.nodes[node];
        if node == 0 {
            return 0;
        }
        if children == [0; SYMBOLS] {
            return self.link(text, parent);
        }
        let path = start - self.nodes[parent].depth;
        let mut link = 0;
        while self.nodes[link].depth < depth - 1 {
            link = self.nodes[link].children[usize::from(text[path + 1 + self.nodes[link].depth])];
        }
        link
    }

    /// Eight words per node: children, start, depth, suffix link, and one unused.
    pub fn words(&self, text: &[u8]) -> Vec<u32> {
        let mut words = Vec::with_capacity(NODE_WORDS * self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            words.extend(node.children.map(|child| child as u32));
            words.extend([node.start, node.depth, self.link(text, number), 0].map(|word| word as u32));
        }
        words
    }
}

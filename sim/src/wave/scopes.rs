//! The hierarchy of a list of nets.
use crate::engine::ObservedNet;

/// A scope with its nets and the scopes below, in the order of the list.
#[derive(Default)]
pub struct Scope<'a> {
    /// Name: `lanes[3]`; the root has none.
    pub name: &'a str,
    /// Positions in the list, with the nets' own names.
    pub nets: Vec<(usize, &'a str)>,
    /// Scopes below.
    pub children: Vec<Scope<'a>>,
}

impl<'a> Scope<'a> {
    /// The top scopes: there is at least one.
    pub fn roots(nets: &'a [ObservedNet]) -> Vec<Self> {
        let roots = Self::root(nets).children;
        if roots.is_empty() { vec![Self { name: "top", ..Self::default() }] } else { roots }
    }

    /// The scope above all nets.
    pub fn root(nets: &'a [ObservedNet]) -> Self {
        let mut root = Self::default();
        for (i, net) in nets.iter().enumerate() {
            let mut scope = &mut root;
            let mut names = net.path.split('.').peekable();
            while let Some(name) = names.next() {
                if names.peek().is_none() {
                    scope.nets.push((i, name));
                } else {
                    scope = scope.child(name);
                }
            }
        }
        root
    }

    fn child(&mut self, name: &'a str) -> &mut Self {
        let at = self.children.iter().rposition(|child| child.name == name).unwrap_or_else(|| {
            self.children.push(Self { name, ..Self::default() });
            self.children.len() - 1
        });
        &mut self.children[at]
    }
}

//! What can be wrong with a design, and what to do about it. Every finding is an error.
mod keywords;
mod loops;
mod source;

pub use keywords::is_keyword;
pub(crate) use loops::{Dependencies, combinational_dependencies};
pub use source::{SourceFinding, lint_source};

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}\n    help: {}", self.place(), problem.remedy())]
pub struct Diagnostic {
    /// The module's Rust type; the path of the instance when that is not known.
    pub module: String,
    /// The net, instance or primitive in it.
    pub net: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

impl Diagnostic {
    /// What its file is called by convention: `round_robin_arbiter.rs`.
    pub fn file(&self) -> Option<String> {
        if !self.module.starts_with(|c: char| c.is_uppercase()) {
            return None;
        }
        let mut file = String::new();
        for (i, c) in self.module.char_indices() {
            if c.is_uppercase() && i > 0 {
                file.push('_');
            }
            file.extend(c.to_lowercase());
        }
        Some(format!("{file}.rs"))
    }

    fn place(&self) -> String {
        let net = self.net.as_ref().map(|net| format!("{net} in ")).unwrap_or_default();
        match self.file() {
            Some(file) => format!("{net}module {} ({file})", self.module),
            None => format!("{net}instance {}", self.module),
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Assigned on some paths through `update()` only.
    #[error("a latch: not assigned on every path")]
    Latch,
    /// The value of the previous cycle's evaluation would be seen.
    #[error("read before it is assigned, in {0}")]
    ReadBeforeAssigned(String),
    /// Nothing drives it.
    #[error("nothing drives it")]
    Undriven,
    /// Two drivers.
    #[error("driven more than once: {0}")]
    MultiplyDriven(String),
    /// rust-hdl would drive the source of a `wire::join` from its target.
    #[error("`wire::join` names it behind the child's output that it takes over")]
    JoinedBackwards,
    /// rust-hdl would drive the output from the input.
    #[error("it is connected with the output of another child, where that one is declared")]
    ConnectedBackwards,
    /// A cycle through combinational logic.
    #[error("a combinational loop: {}", .0.join(" -> "))]
    CombinationalLoop(Vec<String>),
    /// Two operands, or a value and its target.
    #[error("operands of {left} and {right} bits, {place}")]
    WidthMismatch {
        /// Bits of the left operand or the target.
        left: usize,
        /// Bits of the right operand or the value.
        right: usize,
        /// Where.
        place: String,
    },
    /// A number that loses bits.
    #[error("{value:#x} does not fit into {width} bits, {place}")]
    LiteralTooWide {
        /// The number.
        value: u64,
        /// What it meets.
        width: usize,
        /// Where.
        place: String,
    },
    /// Two signals that the hardware cannot tell apart.
    #[error("another signal has this name, with bundles written out")]
    SameName,
    /// A net of no bits, or of too many.
    #[error("{0} bits; a net has 1 to 64")]
    Width(usize),
    /// The name cannot appear in Verilog.
    #[error("`{0}` is a keyword of Verilog or SystemVerilog")]
    Keyword(String),
    /// Neither a signal, a loop variable nor an enumeration's variant.
    #[error("`{name}` is not a signal of this module, {place}")]
    Unresolved {
        /// As `update()` writes it.
        name: String,
        /// Where.
        place: String,
    },
    /// rust-hdl would read the loop variable instead of the field.
    #[error("the loop variable `{0}` hides the field of the same name")]
    Shadowed(String),
    /// An index past the end.
    #[error("index {index} is outside the {width} bits, {place}")]
    OutOfRange {
        /// The index, or the last bit of a slice.
        index: u64,
        /// What is indexed.
        width: usize,
        /// Where.
        place: String,
    },
    /// Index arithmetic with no value.
    #[error("the index `{0}` is not arithmetic over numbers and loop variables, or has no value")]
    Index(String),
    /// Something that has no hardware.
    #[error("{what} cannot be elaborated, {place}")]
    Unsupported {
        /// The construct.
        what: String,
        /// Where.
        place: String,
    },
    /// A signal type without a netlist equivalent.
    #[error("signals of kind {0} are not supported")]
    UnsupportedSignal(String),
    /// `update()` does not say what it is; so these are fields by which it is known.
    #[error("`update()` does not begin with the name of the module (the one with the fields {0})")]
    Nameless(String),
    /// A child that is neither a module nor one of our primitives.
    #[error("neither a module with `#[hdl_gen]` nor a primitive of warploom_hdl::prim ({0})")]
    NotAModule(String),
    /// A clock as data, or data as a clock.
    #[error("a clock port takes the module's own clock input and nothing else, {0}")]
    Clock(String),
    /// Two enumerations of one name.
    #[error("two different enumerations are called `{0}`")]
    AmbiguousEnumeration(String),
}

impl Problem {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Latch => "assign a default at the top of update(), before the `if` or `match`",
            Self::ReadBeforeAssigned(_) => "move the assignment above the read, or assign a default first",
            Self::Undriven => "assign it in update(), or remove it",
            Self::MultiplyDriven(_) => "keep one driver",
            Self::ConnectedBackwards => "connect it where its own child is declared",
            Self::JoinedBackwards => {
                "name the own output or local first: wire::join(&mut self.own, &mut self.child.output)"
            }
            Self::CombinationalLoop(_) => "break the loop with a register, or split the packed net into separate ones",
            Self::WidthMismatch { .. } => "change the width with bit_cast_to(x, width)",
            Self::LiteralTooWide { .. } => "widen the net, or shorten the number",
            Self::SameName => "rename one of the two",
            Self::Width(_) => "give it 1 to 64 bits, or split it into several nets",
            Self::Keyword(_) => "rename the field",
            Self::Unresolved { .. } => {
                "only fields, loop variables, numbers and enumeration variants have a value here; a size goes into a \
                 loop bound, a Rust constant into a `Constant` field or a literal"
            }
            Self::Shadowed(_) => "rename the loop variable",
            Self::OutOfRange { .. } => "correct the index or the loop bound",
            Self::Index(_) => "use + - * / % << >> & ^ | and parentheses; select at run time with an IndexedMux",
            Self::Unsupported { .. } => "write it with the constructs of warploom_hdl::prelude",
            Self::UnsupportedSignal(_) => "use Net, Bit or a hardware_enum!",
            Self::Nameless(_) => {
                "write comment!(\"module MyModule\"); as the first statement of its update(), where MyModule is the name of \
                 the struct; Rust does not tell the elaborator, and Verilog needs it"
            }
            Self::NotAModule(_) => "put #[hdl_gen] on update(), or return a Tag from hdl()",
            Self::Clock(_) => "declare the module with `: clock`: its children follow that without a word in update()",
            Self::AmbiguousEnumeration(_) => "rename one of them",
        }
    }
}

//! How often the parts of a design are at work: an estimate for who simulates it, which decides about speed only.
//!
//! The generated simulator cuts a design into partitions that are skipped while nothing changes in them. Where to cut depends on what works at the same time, which a netlist does not tell: whoever
//! has designed it states it.

/// Parts of a design that work in the same cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActivityClass {
    /// The instance they are in: its path from the top.
    pub part: &'static str,
    /// The name of the class, of which there may be several parts.
    pub class: &'static str,
    /// Share of the cycles in which something changes in it.
    pub chance: f64,
}

/// What is known of a design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActivityClasses {
    /// The first whose part a path starts with counts.
    pub classes: &'static [ActivityClass],
    /// Paths are from the top, or from its instance of this name.
    pub within: &'static str,
}

const fn class(part: &'static str, class: &'static str, chance: f64) -> ActivityClass {
    ActivityClass { part, class, chance }
}

/// Those of a [`Core`](crate::core::Core), alone or in a [`CoreTile`](crate::gpu::CoreTile). The pipeline's is more than was seen (0.6 over bitonic, bfs, mandelbrot and matmul on the `paper`
/// preset): whenever one part of it works, most do, and this keeps them together.
pub const OF_CORE: ActivityClasses = ActivityClasses {
    classes: &[
        class("counters", "counters", 1.0),
        class("issue.scheduler.stalls", "counters", 1.0),
        class("frontend", "pipeline", 0.85),
        class("issue", "pipeline", 0.85),
        class("execute.float_lanes", "floats", 0.25),
        class("execute.product_pipe", "products", 0.25),
        class("execute", "pipeline", 0.85),
        class("traps", "pipeline", 0.85),
        class("memory.loads", "pipeline", 0.85),
        class("memory.queue", "pipeline", 0.85),
        class("divergence", "divergence", 0.5),
        class("memory.shared", "shared memory", 0.15),
        class("memory", "memory", 0.3),
        class("dispatcher", "dispatcher", 0.1),
        class("barrier", "barrier", 0.1),
    ],
    within: "core",
};

impl ActivityClasses {
    /// A path from the top as the classes have it: [`within`](Self::within) left out.
    pub fn inner<'p>(&self, path: &'p str) -> &'p str {
        path.strip_prefix(self.within).and_then(|rest| rest.strip_prefix('.')).unwrap_or(path)
    }

    /// The class of what stands at a path from the top, `issue.scheduler.grant`, if it is known.
    pub fn of(&self, path: &str) -> Option<&'static ActivityClass> {
        let path = self.inner(path);
        let within =
            |part: &str| path.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        self.classes.iter().find(|known| within(known.part))
    }
}

impl Default for ActivityClasses {
    fn default() -> Self {
        OF_CORE
    }
}

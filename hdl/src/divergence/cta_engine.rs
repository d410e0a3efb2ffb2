//! What the engine of CTA-wide stacks is about: see [`CtaStack`](super::CtaStack).
use crate::prelude::*;

hardware_enum! {
    /// What the engine of a CTA-wide stack is in the middle of.
    pub enum EnginePhase {
        /// Nothing.
        Free,
        /// Pushing the entries of a divergent branch.
        Placing,
        /// On its way down a stack in search of the entry to run.
        Walking,
    }
}

hardware_enum! {
    /// What the engine of a CTA-wide stack does in a cycle.
    pub enum EngineStep {
        /// Nothing to do.
        Idle,
        /// A warp starts.
        Launch,
        /// All warps of the active entry have arrived.
        Commit,
        /// Pushes the likely-convergence entry.
        PlaceLink,
        /// Pushes the side that runs second.
        PlaceLow,
        /// Pushes the side that runs first.
        PlaceTop,
        /// Looks at an entry.
        Walk,
        /// The barrier opens.
        Release,
    }
}

hardware_enum! {
    /// What the engine of a CTA-wide stack with dual paths does in a cycle: see [`CtaPathStack`](super::CtaPathStack).
    pub enum PathStep {
        /// Nothing to do.
        Idle,
        /// A warp starts.
        Launch,
        /// The warps of the right path are formed behind those of the left one; or those of a path that has waited for room.
        Form,
        /// All warps of a path have arrived.
        Commit,
        /// Looks at an entry.
        Walk,
        /// The barrier opens.
        Release,
    }
}

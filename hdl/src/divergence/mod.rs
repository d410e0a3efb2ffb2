//! Which threads of a warp run next: reconvergence stacks.

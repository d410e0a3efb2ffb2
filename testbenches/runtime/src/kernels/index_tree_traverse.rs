//! The look-ups of [`index_tree`](super::index_tree), by the instruction that goes down a tree.
use super::About;
pub(super) use super::index_tree::run;

pub(super) const ABOUT: About = About {
    summary: "look-ups in an index tree, a warp each, a key a lane: an instruction finds the child",
    papers: "Narasiman 2014 (index-based search, TREE_TRAVERSE)",
    ..super::index_tree::ABOUT
};

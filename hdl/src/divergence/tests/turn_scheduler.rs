//! Cycle scripts of [`super`].
use super::*;

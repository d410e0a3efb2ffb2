//! Cycle scripts of [`super`].

//! CTA dispatch, fetch, decode and the warp buffer.

//! Which warp issues: scheduler, scoreboard, barriers.

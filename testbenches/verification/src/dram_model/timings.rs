//! Timings for tests.
use warploom_hdl::memory_system::dram::{DramTiming, GDDR3, GDDR5};

/// All rules differ, and all of them count: tRC is more than tRAS and tRP, and four activates soon reach tFAW.
pub const EVERY_RULE: DramTiming = DramTiming {
    banks: 4,
    groups: 2,
    read_latency: 6,
    write_latency: 3,
    burst: 2,
    turn: 2,
    rcd: 7,
    rcd_write: 4,
    rp: 8,
    rc: 26,
    ras: 15,
    rrd: 5,
    ccd: 2,
    ccd_group: 4,
    cdlr: 3,
    wr: 9,
    rtp: 6,
    rtp_group: 4,
    faw: 31,
    refi: 400,
    rfc: 40,
};

/// Those of the papers, with refresh, and one in which every rule counts.
pub const TIMINGS: [(&str, DramTiming); 4] = [
    ("GDDR3", GDDR3),
    ("GDDR5", GDDR5),
    ("GDDR5 with refresh", DramTiming { faw: 22, refi: 7210, rfc: 61, ..GDDR5 }),
    ("every rule", EVERY_RULE),
];

use super::*;
use crate::memory_system::dram::{DramTiming, GDDR3, GDDR5};

/// `name bank row`, and after it: `w` writes, `xN` bursts, `@T` comes in clock T.
struct Asked {
    name: char,
    bank: usize,
    row: usize,
    write: bool,
    bursts: u32,
    at: usize,
}

fn asked(text: &str) -> Asked {
    let mut words = text.split_whitespace();
    let mut next = || words.next().expect("name, bank and row");
    let (name, bank, row) = (next().chars().next().unwrap(), next().parse().unwrap(), next().parse().unwrap());
    let mut asked = Asked { name, bank, row, write: false, bursts: 1, at: 0 };
    for word in words {
        match word.split_at(1) {
            ("w", _) => asked.write = true,
            ("x", number) => asked.bursts = number.parse().unwrap(),
            ("@", number) => asked.at = number.parse().unwrap(),
            _ => panic!("{word}"),
        }
    }
    asked
}

/// The commands as `clock:command+bank`, and the clock in which the last burst of each request is over; row hits, and clocks in which the bus turned around.
fn run(timing: &DramTiming, starve: usize, requests: &[&str]) -> (String, String, [usize; 2]) {
    let config = ChannelConfig { queue: 32, starve, bursts: 4, ..ChannelConfig::new(timing, 64, 7) };
    let mut scheduler = DramScheduler::new(&config);
    scheduler.connect_all();
    scheduler.room.next = true;
    simulate(&mut scheduler, 1000);
    let asked: Vec<Asked> = requests.iter().map(|text| asked(text)).collect();
    let (mut trace, mut done, mut events) = (vec![], vec![], [0; 2]);
    let mut waiting = asked.iter().enumerate().peekable();
    // Requests come in the cycle before their clock: those of clock 0 before any clock has passed.
    let mut clock = 0;
    while done.len() < asked.len() {
        assert!(clock < 2000, "no progress: {trace:?}");
        loop {
            let next = waiting.next_if(|(_, request)| request.at <= clock && scheduler.ready.val());
            let Some((number, Asked { bank, row, write, bursts, .. })) = next else { break };
            scheduler.tick.next = false;
            scheduler.push_valid.next = true;
            scheduler.push.bank.next = (*bank).into();
            scheduler.push.row.next = (*row).into();
            scheduler.push.write.next = *write;
            scheduler.push.bursts.next = ((1 << *bursts) - 1).into();
            scheduler.push.id.next = number.into();
            tick!(scheduler);
        }
        scheduler.push_valid.next = false;
        scheduler.tick.next = true;
        simulate(&mut scheduler, 1000);
        events[0] += scheduler.events.row_hit.val() as usize;
        events[1] += scheduler.events.turns.val() as usize;
        let command = match scheduler.command.val() {
            DramCommand::Nop => "",
            DramCommand::Activate => "ACT",
            DramCommand::Read => "RD",
            DramCommand::Write => "WR",
            DramCommand::Precharge => "PRE",
            DramCommand::Refresh => "REF",
        };
        match command {
            "" => {}
            "REF" => trace.push(format!("{clock}:REF")),
            _ => trace.push(format!("{clock}:{command}{}", scheduler.bank.val().index())),
        }
        if ["RD", "WR"].contains(&command) && scheduler.last.val() {
            let latency = if command == "RD" { config.timing.read_latency } else { config.timing.write_latency };
            done.push((asked[scheduler.id.val().index()].name, clock + latency + config.timing.burst));
        }
        tick!(scheduler);
        clock += 1;
    }
    done.sort();
    let done = done.iter().map(|(name, clock)| format!("{name} {clock}")).collect::<Vec<_>>().join(" ");
    (trace.join(" "), done, events)
}

/// The vectors of a timing: requests, the commands, and when each is done.
fn vectors(timing: &DramTiming, starve: usize, vectors: &[(&[&str], &str, &str)]) {
    for (requests, trace, done) in vectors {
        let (commands, finished, _) = run(timing, starve, requests);
        assert_eq!((&commands[..], &finished[..]), (*trace, *done), "{requests:?}");
    }
}

#[test]
fn rows_are_opened_read_written_and_closed() {
    vectors(
        &GDDR3,
        0,
        &[
            (&["A 0 1 x2"], "0:ACT0 12:RD0 14:RD0", "A 26"),
            (&["A 0 1", "B 0 2", "C 0 1"], "0:ACT0 12:RD0 14:RD0 25:PRE0 35:ACT0 47:RD0", "A 24 B 59 C 26"),
            (&["A 0 1", "B 1 1"], "0:ACT0 8:ACT1 12:RD0 20:RD1", "A 24 B 32"),
            (&["W 0 1 w", "A 0 1"], "0:ACT0 4:WR0 19:RD0", "A 31 W 13"),
            (&["A 0 1", "W 0 1 w"], "0:ACT0 12:RD0 19:WR0", "A 24 W 28"),
            (&["W 0 1 w", "A 0 2"], "0:ACT0 4:WR0 25:PRE0 35:ACT0 47:RD0", "A 59 W 13"),
            (&["A 0 1", "W 0 1 w", "B 0 2"], "0:ACT0 12:RD0 19:WR0 39:PRE0 49:ACT0 61:RD0", "A 24 B 73 W 28"),
        ],
    );
}

#[test]
fn banks_of_a_group_keep_their_distance() {
    vectors(
        &GDDR5,
        0,
        &[
            (&["A 0 1 x2"], "0:ACT0 12:RD0 15:RD0", "A 29"),
            (
                &["A 0 1 x2", "B 1 1 x2", "C 4 1 x2"],
                "0:ACT0 6:ACT1 12:RD0 13:ACT4 15:RD0 18:RD1 21:RD1 25:RD4 28:RD4",
                "A 29 B 35 C 42",
            ),
            (
                &["A 1 1", "B 1 2", "H 0 1", "I 0 1 @27"],
                "0:ACT1 6:ACT0 12:RD1 18:RD0 27:RD0 29:PRE1 41:ACT1 53:RD1",
                "A 26 B 67 H 32 I 41",
            ),
        ],
    );
}

#[test]
fn rules_that_the_usual_timings_never_meet() {
    let requests = ["A 0 1", "B 1 1", "C 2 1", "D 3 1", "E 4 1"];
    let trace = "0:ACT0 8:ACT1 12:RD0 16:ACT2 20:RD1 24:ACT3 28:RD2 36:RD3 48:ACT4 60:RD4";
    vectors(&DramTiming { faw: 48, ..GDDR3 }, 0, &[(&requests, trace, "A 24 B 32 C 40 D 48 E 72")]);
    let trace = "0:ACT0 12:RD0 25:PRE0 38:ACT0 50:RD0";
    vectors(&DramTiming { rc: 38, ..GDDR3 }, 0, &[(&["A 0 1", "B 0 2"], trace, "A 24 B 62")]);
    let trace = "0:ACT0 12:RD0 100:PRE0 110:REF 170:ACT0 182:RD0";
    let refreshed = DramTiming { refi: 100, rfc: 60, ..GDDR3 };
    vectors(&refreshed, 0, &[(&["A 0 1", "B 0 1 @105"], trace, "A 24 B 194")]);
}

/// Hits that keep coming hold another row off: for ever, or for as long as it may take.
#[test]
fn the_oldest_is_served_when_it_has_starved() {
    let hits: Vec<String> = (0..60).map(|n| format!("h 0 1 @{}", 2 * n)).collect();
    let mut requests: Vec<&str> = hits.iter().map(String::as_str).collect();
    requests.insert(2, "B 0 2 @2");
    let (trace, done, _) = run(&GDDR3, 64, &requests);
    assert!(trace.contains(" 66:PRE0 76:ACT0 88:RD0"), "{trace}");
    assert!(done.starts_with("B 100 "), "{done}");
    let (trace, ..) = run(&GDDR3, 0, &requests);
    assert_eq!(trace.matches("PRE0").count(), 1, "{trace}");
    assert!(trace.ends_with("RD0") && trace.split(' ').rev().nth(2).unwrap().ends_with("PRE0"), "{trace}");
}

#[test]
fn row_hits_and_turns_of_the_bus_are_told() {
    for (requests, events) in [
        (&["A 0 1", "B 0 1"][..], [1, 0]),
        (&["A 0 1 x2", "B 0 2", "C 0 1", "D 0 2"], [2, 0]),
        (&["W 0 1 w", "A 0 1"], [1, 14]),
        (&["A 0 1", "W 0 1 w", "V 0 1 w"], [2, 6]),
    ] {
        assert_eq!(run(&GDDR3, 0, requests).2, events, "{requests:?}");
    }
}

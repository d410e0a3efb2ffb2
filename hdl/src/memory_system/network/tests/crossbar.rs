use std::collections::VecDeque;

use super::*;

/// What an input offers, tick by tick: `0Abc` is a packet of three flits to output 0, `.` a tick without a flit. `#` in `stalls`: nothing leaves that output.
/// What is at each output in every tick.
fn diagram(config: &NetworkConfig, inputs: &[&str], stalls: &[&str]) -> Vec<String> {
    let mut crossbar = Crossbar::new(config);
    crossbar.connect_all();
    simulate(&mut crossbar, 1000);
    let mut waiting: Vec<_> = inputs.iter().map(|text| flits(text)).collect();
    let mut seen = vec![String::new(); config.outputs];
    crossbar.tick.next = true;
    for tick in 0..stalls[0].len() {
        for (input, waiting) in crossbar.inputs.iter_mut().zip(&mut waiting) {
            let (name, destination, head, tail) = waiting.front().copied().unwrap_or(('.', 0, false, false));
            input.valid.next = name != '.';
            (input.head.next, input.tail.next) = (head, tail);
            input.destination.next = destination.into();
            input.payload.iter_mut().enumerate().for_each(|(w, word)| word.next = (name as usize + w).into());
        }
        let ready = stalls.iter().enumerate().map(|(o, stalls)| usize::from(stalls.as_bytes()[tick] != b'#') << o);
        crossbar.outputs_ready.next = ready.sum::<usize>().into();
        simulate(&mut crossbar, 1000);
        for (output, seen) in crossbar.outputs.iter().zip(&mut seen) {
            let name = output.payload[0].val().value() as u8 as char;
            let mut words = output.payload.iter().enumerate();
            assert!(!output.valid.val() || words.all(|(w, word)| word.val() == name as usize + w));
            assert!(!output.valid.val() || output.head.val() == name.is_uppercase());
            seen.push(if output.valid.val() { name } else { '.' });
        }
        for (i, waiting) in waiting.iter_mut().enumerate() {
            if crossbar.inputs_ready.val().get_bit(i) {
                waiting.pop_front();
            }
        }
        tick!(crossbar);
    }
    seen
}

/// Name, destination, head and tail of each.
fn flits(text: &str) -> VecDeque<(char, usize, bool, bool)> {
    let mut destination = 0;
    let names: Vec<char> = text.chars().filter(|name| *name != ' ').collect();
    let ends = |i: usize| names[i + 1..].iter().find(|next| **next != '.').is_none_or(|next| !next.is_lowercase());
    let mut flits = VecDeque::new();
    for (i, name) in names.iter().enumerate() {
        match name.to_digit(10) {
            Some(number) => destination = number as usize,
            None => flits.push_back((*name, destination, name.is_uppercase(), ends(i))),
        }
    }
    flits
}

#[test]
fn a_head_takes_a_tick_for_each_hop_and_one_more() {
    for (hop_cycles, expected) in [(1, "..Abc......"), (4, ".....Abc..."), (8, ".........Ab")] {
        let config = NetworkConfig { hop_cycles, ..NetworkConfig::new(3, 2) };
        let seen = diagram(&config, &["0Abc", "", ""], &["           "; 2]);
        assert_eq!(seen, [expected, "..........."]);
    }
}

#[test]
fn an_output_belongs_to_a_packet_and_then_to_the_next_input() {
    let config = NetworkConfig::new(3, 2);
    let seen = diagram(&config, &["0Abc 0D 1E", "0Fg", "1Hi 0J"], &["                "; 2]);
    assert_eq!(seen, [".....AbcFgJD....", ".....Hi.....E..."]);
}

#[test]
fn a_packet_keeps_its_output_while_its_flits_are_late() {
    let config = NetworkConfig::new(2, 2);
    let seen = diagram(&config, &["0A.b", "0.C"], &["            "; 2]);
    assert_eq!(seen[0], ".....A.bC...");
}

#[test]
fn what_cannot_leave_waits_and_keeps_others_waiting() {
    let config = NetworkConfig { hop_cycles: 1, buffer: 2, ..NetworkConfig::new(2, 2) };
    let seen = diagram(&config, &["0A 0B 0C 1D 1E", "1F"], &["  ####         ", "               "]);
    assert_eq!(seen, ["..AAAAABC......", "..F......DE...."]);
    let seen = diagram(&config, &["0A 0B", "0C"], &["               ", "               "]);
    assert_eq!(seen[0], "..ACB..........");
}

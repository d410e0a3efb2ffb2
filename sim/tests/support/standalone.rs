
/// The words of a file are the inputs, cycle by cycle; what comes behind them in every cycle goes to the standard output, so many words.
fn main() {
    use std::io::Write;
    let arguments: Vec<String> = std::env::args().collect();
    let inputs = std::fs::read(&arguments[1]).expect("the inputs");
    let outputs: usize = arguments[2].parse().expect("a number");
    let inputs: Vec<u64> = inputs.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
    let state = Box::leak(unsafe { Box::<State>::new_zeroed().assume_init() });
    unsafe { warploom_initialize(state) };
    link();
    let mut shown = Vec::new();
    for inputs in inputs.chunks(FIRST_OUTPUT) {
        if state.rest.io[..FIRST_OUTPUT] != *inputs {
            state.rest.io[..FIRST_OUTPUT].copy_from_slice(inputs);
            state.driven = 1;
        }
        unsafe { warploom_step(state) };
        shown.extend(state.rest.io[FIRST_OUTPUT..][..outputs].iter().flat_map(|word| word.to_le_bytes()));
    }
    std::io::stdout().write_all(&shown).expect("a reader");
}

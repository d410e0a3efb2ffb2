/// The counters of a register: `lanes` of them, in words of `size` bytes.
struct Counter { at: usize, size: usize, lanes: usize, mask: u64 }

impl Counter {
    unsafe fn get(&self, registers: *const Registers, lane: usize) -> u64 {
        let at = (registers as *const u8).add(self.at + lane * self.size);
        match self.size {
            1 => *at as u64,
            2 => *(at as *const u16) as u64,
            4 => *(at as *const u32) as u64,
            _ => *(at as *const u64),
        }
    }

    unsafe fn add(&self, registers: *mut Registers, lane: usize, more: u64) {
        let value = self.get(registers, lane).wrapping_add(more) & self.mask;
        let at = (registers as *mut u8).add(self.at + lane * self.size);
        match self.size {
            1 => *at = value as u8,
            2 => *(at as *mut u16) = value as u16,
            4 => *(at as *mut u32) = value as u32,
            _ => *(at as *mut u64) = value,
        }
    }
}

/// All counters, lane by lane.
fn counters() -> impl Iterator<Item = (&'static Counter, usize)> {
    COUNTERS.iter().flat_map(|counter| (0..counter.lanes).map(move |lane| (counter, lane)))
}

/// Leaves out at most so many cycles, which would change counters only and what runs free, and changes these; how many.
#[no_mangle]
pub unsafe extern "C" fn warploom_skip(s: *mut State, most: u64) -> u64 {
    let s = &mut *s;
    if s.rest.later & MOVED != 0 || s.driven != 0 || in_reset(&s.rest.io) {
        return 0;
    }
    let [a, b] = &mut s.registers;
    let (now, before) = if s.bank == 0 { (a, &*b) } else { (b, &*a) };
    // What the last cycle did tells what others of its number do.
    let (number, _) = Free::of(before).cycle(&s.rest.io);
    if s.known >> number & 1 == 0 {
        s.known |= 1 << number;
        for ((counter, lane), rate) in counters().zip(&mut s.rates[number as usize]) {
            *rate = counter.get(now, lane).wrapping_sub(counter.get(before, lane));
        }
    }
    let (mut free, mut times, mut cycles) = (Free::of(now), [0u64; NUMBERS], 0);
    while cycles < most {
        let (number, next) = free.cycle(&s.rest.io);
        if s.known >> number & 1 == 0 {
            break;
        }
        times[number as usize] += 1;
        free = next;
        cycles += 1;
    }
    if cycles == 0 {
        return 0;
    }
    free.store(now);
    for (rates, times) in s.rates.iter().zip(times).filter(|(_, times)| *times != 0) {
        for ((counter, lane), rate) in counters().zip(rates) {
            counter.add(now, lane, rate.wrapping_mul(times));
        }
    }
    s.rest.later |= WOKEN;
    cycles
}

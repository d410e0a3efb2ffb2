//! What a host program has done with a device, so that the same program can be run again up to where it was: what it
//! read is answered from here, launches that ended are not repeated.
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use super::{DeviceError, Launch, LaunchStats};

/// A hash that is the same in every release and on every machine.
pub fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = XxHash64::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// One thing the host program did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    /// Loaded the program with this fingerprint.
    Load(u64),
    /// Read these words.
    Read { address: u32, words: Vec<u32> },
    /// Wrote so many words with this fingerprint.
    Write { address: u32, count: usize, contents: u64 },
    /// Launched; without an end, the launch was under way.
    Launch { launch: Launch, end: Option<Box<LaunchStats>> },
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(program) => write!(f, "loads program {program:016x}"),
            Self::Read { address, words } => write!(f, "reads {} words at {address:#x}", words.len()),
            Self::Write { address, count, contents } => {
                write!(f, "writes {count} words at {address:#x} (contents {contents:016x})")
            }
            Self::Launch { launch: Launch { grid, block, shared_bytes, .. }, .. } => {
                write!(
                    f,
                    "launches a grid of {grid:?} CTAs of {block:?} threads with {shared_bytes} bytes of shared memory"
                )
            }
        }
    }
}

/// What the host program asks of a device that has been restored.
#[derive(Debug, PartialEq)]
pub enum Repeated {
    /// Nothing of it is in the past: do it.
    New,
    /// A launch that was under way: go on with it.
    UnderWay,
    /// A launch that had ended so.
    Ended(Box<LaunchStats>),
}

/// See the [module documentation](self).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct History {
    events: Vec<Event>,
    /// How many of them the host program has done again; all, unless it is being repeated.
    #[serde(skip)]
    repeated: usize,
    /// What the host program did instead of what it had done.
    #[serde(skip)]
    difference: Option<String>,
    /// A launch ended with an error, which cannot be answered from here.
    #[serde(skip)]
    stopped: bool,
}

impl History {
    /// The host program starts again from its beginning.
    pub fn repeat(&mut self) {
        self.repeated = 0;
    }

    /// Whether the host program has come to where it was.
    pub fn check_past(&self) -> Result<(), DeviceError> {
        self.check()?;
        match self.events.get(self.repeated) {
            None => Ok(()),
            Some(past) => Err(DeviceError::OtherRun(format!("the host ends where it {past}"))),
        }
    }

    fn is_ahead(&self) -> bool {
        self.repeated < self.events.len() || self.difference.is_some()
    }

    /// Whether it can be repeated: not after a launch that ended with an error.
    pub fn is_repeatable(&self) -> bool {
        !self.stopped && !self.is_ahead()
    }

    /// A program is loaded; whether it had been. If not, a host program begins, and what was before need not be repeated.
    pub fn load(&mut self, program: u64) -> Result<bool, DeviceError> {
        if !self.is_ahead() {
            *self = Self::default();
        }
        let again = self.done(Event::Load(program), |event| *event == Event::Load(program)).is_some();
        self.check()?;
        Ok(again)
    }

    /// What the host read then, if this is being repeated; else `now` is read and remembered.
    pub fn read(&mut self, address: u32, count: usize, now: impl FnOnce() -> Vec<u32>) -> Vec<u32> {
        let same =
            |event: &Event| matches!(event, Event::Read { address: a, words } if (*a, words.len()) == (address, count));
        if !self.is_ahead() {
            let words = now();
            self.record(Event::Read { address, words: words.clone() });
            return words;
        }
        match self.done(Event::Read { address, words: vec![0; count] }, same) {
            Some(Event::Read { words, .. }) => words.clone(),
            // The next launch says that something is wrong.
            _ => vec![0; count],
        }
    }

    /// The host writes; whether it had.
    pub fn write(&mut self, address: u32, words: &[u32]) -> bool {
        let event = Event::Write { address, count: words.len(), contents: fingerprint(&words) };
        self.done(event.clone(), |past| *past == event).is_some() || self.difference.is_some()
    }

    /// The host launches.
    pub fn launch(&mut self, launch: &Launch) -> Result<Repeated, DeviceError> {
        let same = |event: &Event| matches!(event, Event::Launch { launch: past, .. } if past == launch);
        let repeated = match self.done(Event::Launch { launch: *launch, end: None }, same) {
            Some(Event::Launch { end: Some(stats), .. }) => Repeated::Ended(stats.clone()),
            Some(_) => Repeated::UnderWay,
            None => Repeated::New,
        };
        self.check()?;
        Ok(repeated)
    }

    /// The launch under way has ended.
    pub fn end(&mut self, result: &Result<LaunchStats, DeviceError>) {
        match (result, self.events.last_mut()) {
            (Ok(stats), Some(Event::Launch { end, .. })) => *end = Some(Box::new(stats.clone())),
            _ => self.stopped = true,
        }
    }

    /// The host does something: what it had done, if that is being repeated; else the event is remembered.
    fn done(&mut self, event: Event, same: impl Fn(&Event) -> bool) -> Option<&Event> {
        if self.difference.is_some() {
            return None;
        }
        match self.events.get(self.repeated) {
            None => {
                self.record(event);
                None
            }
            Some(past) if same(past) => {
                self.repeated += 1;
                self.events.get(self.repeated - 1)
            }
            Some(past) => {
                self.difference = Some(format!("step {} of the host: it {event}, then it {past}", self.repeated + 1));
                None
            }
        }
    }

    fn record(&mut self, event: Event) {
        self.events.push(event);
        self.repeated = self.events.len();
    }

    fn check(&self) -> Result<(), DeviceError> {
        self.difference.as_ref().map_or(Ok(()), |difference| Err(DeviceError::OtherRun(difference.clone())))
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::performance_counters::PerformanceCounts;

    use super::*;

    const LAUNCH: Launch = Launch { grid: [1, 1, 1], block: [4, 1, 1], shared_bytes: 0, arguments: 0 };

    fn stats(cycles: u64) -> LaunchStats {
        LaunchStats { counts: PerformanceCounts { cycles, ..Default::default() }, ..LaunchStats::default() }
    }

    /// Load, write, a launch that ends, a read, a launch that does not.
    fn history() -> History {
        let mut history = History::default();
        assert_eq!(history.load(7), Ok(false));
        assert!(!history.write(64, &[1, 2]));
        assert_eq!(history.launch(&LAUNCH), Ok(Repeated::New));
        history.end(&Ok(stats(5)));
        assert_eq!(history.read(64, 1, || vec![9]), [9]);
        assert_eq!(history.launch(&LAUNCH), Ok(Repeated::New));
        assert!(history.is_repeatable());
        history.repeat();
        history
    }

    #[test]
    fn the_same_program_comes_to_where_it_was() {
        let mut history = history();
        assert_eq!(history.load(7), Ok(true));
        assert!(history.write(64, &[1, 2]));
        assert_eq!(history.launch(&LAUNCH), Ok(Repeated::Ended(Box::new(stats(5)))));
        assert_eq!(history.read(64, 1, || unreachable!("it is in the past")), [9]);
        let message = history.check_past().unwrap_err().to_string();
        assert!(message.contains("the host ends where it launches a grid of [1, 1, 1] CTAs"), "{message}");
        assert_eq!(history.launch(&LAUNCH), Ok(Repeated::UnderWay));
        assert_eq!(history.check_past(), Ok(()));
        assert_eq!(history.read(64, 1, || vec![3]), [3]);
    }

    #[test]
    fn another_program_is_found_out() {
        let message = |result: Result<_, DeviceError>| result.map(|_: bool| ()).unwrap_err().to_string();
        let mut other = history();
        assert!(
            message(other.load(8)).contains("step 1 of the host: it loads program 0000000000000008, then it loads")
        );
        let mut other = history();
        other.load(7).unwrap();
        assert!(other.write(64, &[1, 3]), "nothing is written");
        assert_eq!(other.read(64, 2, || unreachable!("it is in the past")), [0, 0]);
        let message = other.launch(&LAUNCH).unwrap_err().to_string();
        assert!(message.contains("step 2 of the host: it writes 2 words at 0x40"), "{message}");
        assert!(other.check_past().is_err() && !other.is_repeatable());
    }

    #[test]
    fn a_launch_that_was_stopped_cannot_be_repeated() {
        let mut history = History::default();
        history.launch(&LAUNCH).unwrap();
        history.end(&Err(DeviceError::Interrupted { cycles: 1 }));
        assert!(!history.is_repeatable());
        assert_eq!(history.load(7), Ok(false));
        assert!(history.is_repeatable() && history.events == [Event::Load(7)], "another host program");
    }
}

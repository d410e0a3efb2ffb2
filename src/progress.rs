//! What the user sees on a terminal while something takes long; nothing elsewhere.
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// A spinner on stderr with a changing message; it goes away when dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// Starts to spin.
    pub fn start() -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// What is going on.
    pub fn say(&self, message: impl Into<String>) {
        self.0.set_message(message.into());
    }

    /// Does something that prints.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// A function to call after every cycle that is not skipped, which shows how many there were, and how fast since `first`; `None` without a terminal.
    pub fn count_cycles(&self, first: u64) -> Option<impl FnMut(u64) + use<>> {
        let (bar, start, mut due) = (self.0.clone(), Instant::now(), first);
        let show = move |cycle: u64| {
            if cycle >= due {
                due = cycle + (1 << 14);
                let rate = (cycle - first) as f64 / start.elapsed().as_secs_f64();
                bar.set_message(format!("running: {cycle} cycles, {rate:.0} cycles/s"));
            }
        };
        (!self.0.is_hidden()).then_some(show)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar on stderr for a number of things; it goes away when dropped.
pub struct Bar {
    bar: ProgressBar,
    /// Things that took their time.
    done: Arc<AtomicU64>,
}

impl Bar {
    /// Nothing is done yet of `length` things; `None`: there is no end.
    pub fn new(length: impl Into<Option<usize>>, things: &str) -> Self {
        let (bar, template) = match length.into() {
            Some(length) => {
                (ProgressBar::new(length as u64), format!("{{bar:30}} {{pos}}/{{len}} {things}, {{left}}: {{msg}}"))
            }
            None => (ProgressBar::no_length(), format!("{{spinner}} {{pos}} {things} in {{elapsed}}: {{msg}}")),
        };
        let done = Arc::new(AtomicU64::new(0));
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let counted = done.clone();
        bar.set_style(style.with_key("left", move |state: &ProgressState, text: &mut dyn Write| {
            let ahead = state.len().unwrap_or(0).saturating_sub(state.pos());
            // A line that cannot be written is not shown.
            let _ = text.write_str(&left(state.elapsed(), counted.load(Ordering::Relaxed), ahead));
        }));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, done }
    }

    /// Does something that prints.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// One more is done.
    pub fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(1);
    }

    /// One more was there already: it says nothing about how long others take.
    pub fn skip(&self) {
        self.bar.inc(1);
    }

    /// What is going on.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// How long those ahead take if each takes as long as those that are done have; nothing is known before the first.
fn left(elapsed: Duration, done: u64, ahead: u64) -> String {
    match done {
        0 => "time left unknown until one has been run".to_string(),
        done => format!("about {} left", HumanDuration(elapsed.mul_f64(ahead as f64 / done as f64))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_needs_something_to_go_by() {
        let after = |done, ahead| left(Duration::from_secs(60), done, ahead);
        assert_eq!(after(0, 2000), "time left unknown until one has been run");
        assert_eq!(after(1, 10), "about 10 minutes left");
        assert_eq!(after(120, 20), "about 10 seconds left");
    }
}

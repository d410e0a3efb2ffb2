//! What the user sees on a terminal while something takes long; nothing elsewhere.
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

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

    /// A function to call after every cycle that shows how many there were, and how fast since `first`; `None` without a terminal.
    pub fn count_cycles(&self, first: u64) -> Option<impl FnMut(u64) + use<>> {
        let (bar, start) = (self.0.clone(), Instant::now());
        let show = move |cycle: u64| {
            if cycle.is_multiple_of(1 << 14) {
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
pub struct Bar(ProgressBar);

impl Bar {
    /// Nothing is done yet of `length` things; `None`: there is no end.
    pub fn new(length: impl Into<Option<usize>>, things: &str) -> Self {
        let (bar, template) = match length.into() {
            Some(length) => {
                (ProgressBar::new(length as u64), format!("{{bar:30}} {{pos}}/{{len}} {things}, {{eta}} left: {{msg}}"))
            }
            None => (ProgressBar::no_length(), format!("{{spinner}} {{pos}} {things} in {{elapsed}}: {{msg}}")),
        };
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Does something that prints.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// One more is done.
    pub fn advance(&self) {
        self.0.inc(1);
    }

    /// What is going on.
    pub fn say(&self, message: String) {
        self.0.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

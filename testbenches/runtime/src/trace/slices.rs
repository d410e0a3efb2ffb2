//! Stretches of cycles in which something stays as it is, one after the other on a track.
use serde_json::Value;

/// What goes on, from when on.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice<K> {
    /// What makes it this slice and no other.
    pub what: K,
    /// The first cycle.
    pub from: u64,
    /// Behind the last cycle.
    pub to: u64,
    /// Cycles in which it was seen.
    pub seen: u64,
}

/// A track, of which the last slice is open.
#[derive(Clone, Debug)]
pub struct Track<K> {
    open: Option<Slice<K>>,
}

impl<K> Default for Track<K> {
    fn default() -> Self {
        Self { open: None }
    }
}

impl<K: PartialEq> Track<K> {
    /// `what` is seen in this cycle. Returns the slice before it, if that was another.
    pub fn see(&mut self, what: K, cycle: u64) -> Option<Slice<K>> {
        match &mut self.open {
            Some(slice) if slice.what == what => {
                (slice.to, slice.seen) = (cycle + 1, slice.seen + 1);
                None
            }
            open => open.replace(Slice { what, from: cycle, to: cycle + 1, seen: 1 }),
        }
    }

    /// Nothing is seen in this cycle, or no more is to come.
    pub fn close(&mut self) -> Option<Slice<K>> {
        self.open.take()
    }
}

impl<K> Slice<K> {
    /// As an event of a trace.
    pub fn event(&self, name: &str, (process, thread): (usize, usize), args: Value) -> Value {
        let (ts, dur) = (self.from, self.to - self.from);
        serde_json::json!({"ph": "X", "name": name, "pid": process, "tid": thread, "ts": ts, "dur": dur, "args": args})
    }
}

#[cfg(test)]
mod tests {
    use super::{Slice, Track};

    #[test]
    fn slices_follow_one_another() {
        let mut track = Track::default();
        assert_eq!(track.see('a', 3), None);
        assert_eq!(track.see('a', 5), None);
        assert_eq!(track.see('b', 6), Some(Slice { what: 'a', from: 3, to: 6, seen: 2 }));
        assert_eq!(track.close(), Some(Slice { what: 'b', from: 6, to: 7, seen: 1 }));
        assert_eq!(track.close(), None);
    }
}

//! Commands in queues.
use std::sync::Arc;

use opencl_sys::*;

use crate::answer::write;
use crate::call::{Call, State};
use crate::error::Result;
use crate::event::{self, Event};
use crate::object::locked;
use crate::queue::{self, Queue};

/// What a command does; the cycles in which it did it, if it took any.
pub type Action = Box<dyn FnOnce(&mut State) -> Result<Option<(u64, u64)>> + Send>;

/// A command that waits.
pub struct Command {
    /// How far it is.
    pub event: Arc<Event>,
    waits: Vec<Arc<Event>>,
    action: Action,
}

impl Command {
    /// Whether all that it waits for is over.
    pub fn waits_for_nothing(&self) -> bool {
        self.waits.iter().all(|event| event.is_over())
    }

    /// Does it.
    pub fn run(self, state: &mut State) {
        let Self { event, waits, action } = self;
        if waits.iter().any(|event| event.status() < CL_COMPLETE) {
            event.reach(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            return;
        }
        event.reach(CL_SUBMITTED);
        event.reach(CL_RUNNING);
        let reached = match action(state) {
            Ok(times) => {
                let now = state.gpu().map_or(0, |gpu| gpu.cycle());
                let (begin, end) = times.unwrap_or((now, now));
                event.ran(begin, end);
                CL_COMPLETE
            }
            Err(error) => {
                let code = error.tell();
                if let Some(queue) = &event.queue {
                    locked(&queue.stopped).get_or_insert(code);
                }
                code
            }
        };
        event.reach(reached);
    }
}

/// What every `clEnqueue...` is given.
pub struct Enqueued {
    /// Where to.
    pub queue: Arc<Queue>,
    kind: cl_command_type,
    waits: Vec<Arc<Event>>,
    event: *mut cl_event,
}

impl Enqueued {
    /// Checks it.
    ///
    /// # Safety
    /// The list has as many events; the pointer to one is null, or leads to a place for it.
    pub unsafe fn new(
        state: &mut State,
        queue: cl_command_queue,
        kind: cl_command_type,
        count: cl_uint,
        list: *const cl_event,
        event: *mut cl_event,
    ) -> Result<Self> {
        let queue = state.queues.get(queue)?;
        let waits = unsafe { event::wait_list(state, &queue.context, count, list) }?;
        Ok(Self { queue, kind, waits, event })
    }

    /// Enqueues it, and runs what can run.
    pub fn now(
        self,
        state: &mut State,
        action: impl FnOnce(&mut State) -> Result<Option<(u64, u64)>> + Send + 'static,
    ) -> Result<()> {
        self.enqueue(state, Box::new(action)).map(drop)
    }

    /// The same, and the call returns when it has come to its end, if it is to block.
    pub fn blocking(
        self,
        state: &mut Call,
        blocks: cl_bool,
        action: impl FnOnce(&mut State) -> Result<Option<(u64, u64)>> + Send + 'static,
    ) -> Result<()> {
        let queue = self.queue.clone();
        let event = self.enqueue(state, Box::new(action))?;
        if blocks == CL_FALSE {
            return Ok(());
        }
        state.wait(&event);
        if event.status() < CL_COMPLETE {
            return Err(event.status().into());
        }
        locked(&queue.stopped).map_or(Ok(()), |code| Err(code.into()))
    }

    fn enqueue(self, state: &mut State, action: Action) -> Result<Arc<Event>> {
        let Self { queue, kind, waits, event: place } = self;
        let now = state.gpu()?.cycle();
        let event = Arc::new(Event::of_command(&queue, kind, now));
        if !place.is_null() {
            let handle = state.events.add(&event);
            unsafe { write(place, handle) };
        }
        locked(&queue.commands).push_back(Command { event: event.clone(), waits, action });
        if !state.waiting.iter().any(|waiting| Arc::ptr_eq(waiting, &queue)) {
            state.waiting.push(queue);
        }
        queue::advance(state);
        Ok(event)
    }
}

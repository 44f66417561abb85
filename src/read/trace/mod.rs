//! Reads trace_view.json: cuts chunks into events, drops what no rule needs, and hands over operators, queue spans and flows.
//!
//! Events are read in place from the chunk; only an event that spans chunks is copied. What the fast way does not understand
//! goes to the careful one, and what neither understands costs that event alone: reading goes on at the next event's start.
//! It never holds more than one unfinished event beside the chunk.

mod damage;
mod event;
mod fields;
mod near;
mod scan;
mod shape;
mod sink;
mod stream;

pub use fields::RawString;
pub use sink::{
    AppCounter, FlowKind, FlowSide, ForwardThread, OperatorSpan, PASSED_OVER, PythonSpan, QueueSide, QueueSpan, Thread,
    TraceSink,
};
pub use stream::{Trace, TraceCounts, TraceWork};

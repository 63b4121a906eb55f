//! The engine of the web page: the generator behind one function, from JSON to JSON.
//!
//! Problem: a page has no files, no threads and no clock, and must be told of errors, not end.
//! Method:  the page sends a request, an object with the key `do`, and gets an answer, an object
//!          with the key `ok`. A request `load` reads a mechanism, which the workbench keeps; the
//!          other requests are about it. Each kind of request is a file here.

mod checks;
mod code;
mod equations;
mod linearised;
mod load;
mod messages;
mod motion;
mod request;
mod source;
mod words;

pub use messages::Message;
pub use request::{PageRequest, Workbench};

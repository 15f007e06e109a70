//! Threads that Python keeps in mind between two calls.
//!
//! A thread of the arena that asks a player in Python for a move attaches to the interpreter and detaches again, a thousand times a
//! second. For a thread that it does not know, the interpreter makes a thread state each time, with a stack for Python's frames from
//! the system, and throws both away: that costs more than all else about a move. So such a thread attaches once, lets go of the lock
//! and keeps the state until it ends. PyO3 has no name for that, hence the `unsafe` here.
#![expect(unsafe_code, reason = "PyO3 has no safe way to keep a thread state")]

use crate::waiting::UnderWay;
use pyo3::ffi;
use std::cell::RefCell;
use std::marker::PhantomData;

/// A thread state that is kept. It is made and dropped by one thread, which never holds it while it sleeps.
struct KeptThreadState {
    outer: ffi::PyGILState_STATE,
    state: *mut ffi::PyThreadState,
    /// The interpreter does not end before it is dropped.
    _call: UnderWay,
    /// It belongs to its thread.
    _here: PhantomData<*const ()>,
}

impl KeptThreadState {
    fn new() -> Option<KeptThreadState> {
        let call = UnderWay::begin().ok()?;
        // SAFETY: the interpreter is there, for `call` holds up its end. The lock that is taken is released by the next line, and what
        // `PyGILState_Ensure` counts up is counted down by `drop`, on this thread.
        let outer = unsafe { ffi::PyGILState_Ensure() };
        let state = unsafe { ffi::PyEval_SaveThread() };
        Some(KeptThreadState {
            outer,
            state,
            _call: call,
            _here: PhantomData,
        })
    }
}

impl Drop for KeptThreadState {
    fn drop(&mut self) {
        // SAFETY: both were made by this thread in `new`, and this undoes it in reverse order. The interpreter is still there: see `new`.
        unsafe {
            ffi::PyEval_RestoreThread(self.state);
            ffi::PyGILState_Release(self.outer);
        }
    }
}

thread_local! {
    static KEPT: RefCell<Option<KeptThreadState>> = const { RefCell::new(None) };
}

/// Has this thread, which is not Python's own and is not attached now, keep its thread state until it ends.
pub fn keep() {
    KEPT.with_borrow_mut(|kept| {
        if kept.is_none() {
            *kept = KeptThreadState::new();
        }
    });
}

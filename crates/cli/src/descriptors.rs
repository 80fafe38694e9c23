//! Standard input and output that the caller has closed.
//!
//! Rust's runtime opens the null device in their place before `main`, so that a closed input would read as an empty one,
//! and a closed output would take everything. They are looked at before the runtime does so. A null device that the
//! caller has opened stays one.

#[cfg(unix)]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

    // SAFETY: it runs before Rust's runtime is set up, and uses nothing of it.
    #[ctor::ctor(unsafe)]
    fn look() {
        for (descriptor, closed) in (0..).zip(&CLOSED) {
            // SAFETY: this asks for a descriptor's flags. One that is not open is an error and has no effect.
            let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
            closed.store(flags == -1, Ordering::Relaxed);
        }
    }

    pub fn was_closed(descriptor: usize) -> bool {
        CLOSED[descriptor].load(Ordering::Relaxed)
    }
}

#[cfg(not(unix))]
mod before_main {
    pub fn was_closed(_: usize) -> bool {
        false
    }
}

pub fn stdin_was_closed() -> bool {
    before_main::was_closed(0)
}

pub fn stdout_was_closed() -> bool {
    before_main::was_closed(1)
}

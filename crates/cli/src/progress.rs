//! The progress bar.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Read, stderr};
use std::time::{Duration, Instant};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

const WITH_SIZE: &str = "{bytes} of {total_bytes} [{wide_bar}] {bytes_per_sec}, {eta} left";
const WITHOUT_SIZE: &str = "{bytes}, {bytes_per_sec}";

/// Bytes read so far, shown on a terminal once the work proves long.
pub struct Progress {
    bar: ProgressBar,
    /// When the bar is to appear; none once it has, or if it never does.
    appears: Option<Instant>,
}

impl Progress {
    /// `size` is the number of bytes to come, if it is known.
    pub fn new(size: Option<u64>, show: bool) -> Progress {
        let template = if size.is_some() {
            WITH_SIZE
        } else {
            WITHOUT_SIZE
        };
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden())
            .with_style(style.progress_chars("=> "));
        Progress {
            bar,
            appears: (show && stderr().is_terminal()).then(|| Instant::now() + PATIENCE),
        }
    }

    /// The same reader, whose bytes are counted.
    pub fn count(&self, reader: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        Box::new(Counted {
            reader,
            bar: self.bar.clone(),
        })
    }

    /// Shows the bar if the work has proved long.
    pub fn look(&mut self) {
        if self.appears.is_some_and(|time| time <= Instant::now()) {
            self.appears = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

/// A reader whose bytes are counted as they are in the file, compressed ones as such.
struct Counted {
    reader: Box<dyn Read + Send>,
    bar: ProgressBar,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bar.inc(read as u64);
        Ok(read)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

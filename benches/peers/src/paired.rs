//! Measures contenders in turn within one process, on a machine whose cores may be shared with others.
//!
//! A neighbour on the core's other hardware thread slows code that is bound by vector throughput by a quarter and code
//! that is bound by latency hardly at all, so it spoils ratios, and nothing in the system shows it. Hence:
//!
//! - A *round* measures every contender once, a sample of about a quarter millisecond each. Ratios are taken within a
//!   round, and their quartiles over the rounds.
//! - A *probe* before and after each sample measures how many independent vector additions go in a cycle of a chain of
//!   dependent additions. A sample counts if its probes found the core as free as the run's best probes did.
//! - The same chain turns time into core cycles, whatever the clock's frequency at the moment.
//! - Every round places the stack and the input at another offset, so that a lucky alignment is one sample among many.

use crate::offsets::Offsets;
use std::arch::asm;
use std::fmt;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long a sample takes.
const SAMPLE: Duration = Duration::from_micros(250);
/// A comparison ends when so many rounds count.
const ROUNDS: usize = 150;
/// After this time it ends with what it has; after four times as long if that is less than a tenth of the rounds.
const PATIENCE: Duration = Duration::from_secs(4);
/// A probe finds the core free from this share of the best probe's result on.
const FREE: f64 = 0.95;

/// One side of a comparison.
pub struct Contender<'a> {
    name: String,
    units: usize,
    run: Box<dyn FnMut(usize, usize) + 'a>,
}

impl<'a> Contender<'a> {
    /// `run(times, offset)` does the work `times` times, on input that begins `offset` bytes (below `offsets::MAX_OFFSET`)
    /// further on than at offset zero. What it keeps on its stack moves by itself.
    pub fn new(name: impl Into<String>, run: impl FnMut(usize, usize) + 'a) -> Contender<'a> {
        Contender {
            name: name.into(),
            units: 1,
            run: Box::new(run),
        }
    }

    /// Says that the work, done once, is so many units: results are for one unit.
    pub fn units(mut self, units: usize) -> Contender<'a> {
        self.units = units;
        self
    }

    fn sample(&mut self, times: usize, offsets: Offsets) -> Duration {
        let mut duration = Duration::ZERO;
        let run = &mut self.run;
        offsets.run(|| {
            let start = Instant::now();
            run(times, offsets.input);
            duration = start.elapsed();
        });
        duration
    }

    /// How many times the work fits in a sample.
    fn times(&mut self) -> usize {
        let mut times = 1;
        loop {
            let duration = (0..3)
                .map(|_| self.sample(times, Offsets::default()))
                .min()
                .unwrap_or_default();
            if duration >= SAMPLE / 4 {
                let wanted = times as f64 * SAMPLE.as_secs_f64() / duration.as_secs_f64();
                return (wanted as usize).max(1);
            }
            times *= 2;
        }
    }
}

/// What a probe sees of the core.
#[derive(Clone, Copy)]
struct Probe {
    cycles_per_nanosecond: f64,
    /// 256-bit additions that go in a cycle.
    additions_per_cycle: f64,
}

impl Probe {
    fn take() -> Probe {
        const TURNS: usize = 512;
        const ADDITIONS: usize = 24;
        let time = |work: fn(usize)| {
            let start = Instant::now();
            work(black_box(TURNS));
            start.elapsed().as_nanos() as f64
        };
        let work = (TURNS * ADDITIONS) as f64;
        let chain = time(dependent_additions);
        // Where four go in a cycle, four times the turns take as long as the chain.
        let vectors = time(|turns| independent_additions(4 * turns));
        // The shorter of two: an interrupted chain would make the core look freer than it is.
        let cycles_per_nanosecond = work / chain.min(time(dependent_additions));
        Probe {
            cycles_per_nanosecond,
            additions_per_cycle: 4.0 * work / vectors / cycles_per_nanosecond,
        }
    }
}

/// 24 dependent additions a turn, a cycle each.
fn dependent_additions(turns: usize) {
    // SAFETY: nothing but the named registers is changed.
    unsafe {
        asm!(
            "2:",
            ".rept 24",
            "add {sum}, {turns}",
            ".endr",
            "dec {turns}",
            "jnz 2b",
            turns = inout(reg) turns => _,
            sum = inout(reg) 0usize => _,
            options(nomem, nostack),
        );
    }
}

/// 24 vector additions a turn in twelve chains, more than any core needs to keep its units busy.
fn independent_additions(turns: usize) {
    // SAFETY: main() has made sure of AVX2; nothing but the named registers is changed, and their upper halves are clean
    // at the end.
    unsafe {
        asm!(
            "2:",
            ".rept 2",
            "vpaddd ymm0, ymm0, ymm15",
            "vpaddd ymm1, ymm1, ymm15",
            "vpaddd ymm2, ymm2, ymm15",
            "vpaddd ymm3, ymm3, ymm15",
            "vpaddd ymm4, ymm4, ymm15",
            "vpaddd ymm5, ymm5, ymm15",
            "vpaddd ymm6, ymm6, ymm15",
            "vpaddd ymm7, ymm7, ymm15",
            "vpaddd ymm8, ymm8, ymm15",
            "vpaddd ymm9, ymm9, ymm15",
            "vpaddd ymm10, ymm10, ymm15",
            "vpaddd ymm11, ymm11, ymm15",
            ".endr",
            "dec {turns}",
            "jnz 2b",
            "vzeroupper",
            turns = inout(reg) turns => _,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm15") _,
            options(nomem, nostack),
        );
    }
}

/// The quartiles of a set of figures.
#[derive(Clone, Copy, Debug)]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
}

impl Quartiles {
    /// Not-a-number for no figures.
    fn of(figures: impl IntoIterator<Item = f64>) -> Quartiles {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        Quartiles {
            lower: at_share(&figures, 0.25),
            median: at_share(&figures, 0.5),
            upper: at_share(&figures, 0.75),
        }
    }
}

/// The figure that so great a share of the sorted figures stays below.
fn at_share(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    *sorted
        .get((share * last).round() as usize)
        .unwrap_or(&f64::NAN)
}

/// With three digits: `5.12 (5.10–5.15)`, `1265 (1262–1270)`.
impl fmt::Display for Quartiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.median {
            ..10.0 => 2,
            10.0..100.0 => 1,
            _ => 0,
        };
        let Quartiles {
            lower,
            median,
            upper,
        } = self;
        write!(f, "{median:.digits$} ({lower:.digits$}–{upper:.digits$})")
    }
}

/// A contender's result, for one unit of its work.
pub struct Measured {
    pub name: String,
    pub cycles: Quartiles,
    pub nanoseconds: Quartiles,
    /// How many times as fast as the baseline, the first contender.
    pub ratio: Quartiles,
    /// Rounds that the ratio comes from.
    pub counted: usize,
}

/// A comparison's results in the order of its contenders.
pub struct Comparison {
    pub measured: Vec<Measured>,
    pub rounds: usize,
    /// 256-bit additions a cycle on the free core.
    pub additions_per_cycle: f64,
}

struct Sample {
    cycles: f64,
    nanoseconds: f64,
    additions_per_cycle: f64,
}

/// Compares contenders; the first is the baseline.
pub fn compare(contenders: &mut [Contender<'_>]) -> Comparison {
    let times: Vec<usize> = contenders.iter_mut().map(Contender::times).collect();
    let mut rounds: Vec<Vec<Sample>> = Vec::new();
    let start = Instant::now();
    loop {
        let offsets = Offsets::of_sample(rounds.len());
        let mut before = Probe::take();
        let round = contenders
            .iter_mut()
            .zip(&times)
            .map(|(contender, &times)| {
                let duration = contender.sample(times, offsets).as_nanos() as f64;
                let after = Probe::take();
                let nanoseconds = duration / (times * contender.units) as f64;
                let frequency = (before.cycles_per_nanosecond + after.cycles_per_nanosecond) / 2.0;
                let sample = Sample {
                    cycles: nanoseconds * frequency,
                    nanoseconds,
                    additions_per_cycle: before.additions_per_cycle.min(after.additions_per_cycle),
                };
                before = after;
                sample
            });
        rounds.push(round.collect());
        if rounds.len().is_multiple_of(50) {
            let comparison = evaluate(contenders, &rounds);
            let counted = comparison
                .measured
                .iter()
                .map(|measured| measured.counted)
                .min();
            let patience = if counted >= Some(ROUNDS / 10) {
                PATIENCE
            } else {
                4 * PATIENCE
            };
            if counted >= Some(ROUNDS) || start.elapsed() > patience {
                return comparison;
            }
        }
    }
}

fn evaluate(contenders: &[Contender<'_>], rounds: &[Vec<Sample>]) -> Comparison {
    let best = best_probe(rounds);
    let free = |sample: &Sample| sample.additions_per_cycle >= FREE * best;
    let measured = contenders.iter().enumerate().map(|(i, contender)| {
        let pairs: Vec<(&Sample, &Sample)> = rounds
            .iter()
            .map(|round| (&round[0], &round[i]))
            .filter(|(baseline, sample)| free(baseline) && free(sample))
            .collect();
        Measured {
            name: contender.name.clone(),
            cycles: Quartiles::of(pairs.iter().map(|(_, sample)| sample.cycles)),
            nanoseconds: Quartiles::of(pairs.iter().map(|(_, sample)| sample.nanoseconds)),
            ratio: Quartiles::of(
                pairs
                    .iter()
                    .map(|(baseline, sample)| baseline.cycles / sample.cycles),
            ),
            counted: pairs.len(),
        }
    });
    Comparison {
        measured: measured.collect(),
        rounds: rounds.len(),
        additions_per_cycle: best,
    }
}

/// The additions a cycle on the free core: the best seen so far in this process.
fn best_probe(rounds: &[Vec<Sample>]) -> f64 {
    static BEST: Mutex<f64> = Mutex::new(0.0);
    let mut probes: Vec<f64> = rounds
        .iter()
        .flatten()
        .map(|sample| sample.additions_per_cycle)
        .collect();
    probes.sort_by(f64::total_cmp);
    let mut best = BEST.lock().unwrap();
    // Not the very best of them: a clock that changes within a probe makes it too good.
    *best = best.max(at_share(&probes, 0.98));
    *best
}

//! Which form of AVX2's kernels is chosen, compared with what Linux says of the processor.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod common;

use lthash::Backend;

/// A field of the first processor in /proc/cpuinfo.
fn field(name: &str) -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(field, _)| field.trim() == name)?;
    Some(value.trim().to_owned())
}

/// The processor's vendor, as `CPUID` has it in three registers.
fn vendor() -> String {
    // SAFETY: every processor of 64 bits has `CPUID`.
    #[allow(unused_unsafe)]
    let leaf = unsafe { std::arch::x86_64::__cpuid(0) };
    let bytes = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes);
    String::from_utf8(bytes.concat()).unwrap()
}

#[test]
fn the_form_is_the_one_for_this_processor() {
    let Ok(chosen) = Backend::Avx2.kernels() else {
        common::not_tested(
            "the form of AVX2's kernels, since this processor or this build has none",
        );
        return;
    };
    let vendor = vendor();
    // Under an emulator, the file is about another processor.
    let family = if field("vendor_id").as_ref() == Some(&vendor) {
        field("cpu family").map(|family| family.parse::<u32>().unwrap())
    } else {
        None
    };
    // Zen 3 and later, of AMD's.
    let expected = match (vendor.as_str(), family) {
        ("AuthenticAMD", Some(25..)) => "in flight",
        ("AuthenticAMD", None) => {
            common::not_tested("the form for an AMD processor that /proc/cpuinfo is not about");
            return;
        }
        _ => "in registers",
    };
    assert_eq!(chosen.form(), Some(expected), "{vendor}, family {family:?}");
}

#[test]
fn every_form_is_there_once_and_the_chosen_one_first() {
    for backend in Backend::all() {
        let forms: Vec<_> = backend.forms().collect();
        let chosen = backend.kernels().ok();
        assert_eq!(
            forms.first().map(|form| form.form()),
            chosen.map(|chosen| chosen.form())
        );
        assert!(forms.iter().all(|form| form.backend() == backend));
        let mut names: Vec<_> = forms.iter().map(|form| form.form()).collect();
        names.sort();
        let expected: &[Option<&str>] = match backend {
            _ if chosen.is_none() => &[],
            Backend::Avx2 => &[Some("in flight"), Some("in registers")],
            _ => &[None],
        };
        assert_eq!(names, expected, "{backend}");
    }
}

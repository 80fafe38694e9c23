//! Assembles the kernels in asm/ where the target can run them.
//!
//! It sets the cfgs `lthash_avx2` and `lthash_avx512`, by which src/ knows which kernels were built. `lthash_avx512` is never set
//! without `lthash_avx2`. On AArch64 it sets `lthash_neon`: those kernels are Rust, and nothing is assembled. If none is set, the
//! portable backend is the only one.
//!
//! - On a target without kernels, without an assembler or with one too old for AVX-512, the script prints one warning and builds
//!   what it can. `LTHASH_REQUIRE_ASM=1` makes the warning an error.
//! - `--cfg lthash_backend="portable"`, Miri and docs.rs need no kernels: the script assembles nothing and prints no warning.
//!
//! Items are `pub` for the tests that include this file: tests/build_*.rs and tests/kernels.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// An instruction set that there are kernels for: they are in `asm/<kernel>_<name>.S`.
pub struct InstructionSet {
    pub name: &'static str,
    kernels: &'static [&'static str],
}

/// The instruction sets. A backend of one needs the kernels of those before it, too.
pub const INSTRUCTION_SETS: [InstructionSet; 2] = [
    InstructionSet {
        name: "avx2",
        kernels: &[
            "absorb",
            "absorb_all_lanes",
            "absorb_lanes",
            "hex",
            "limbs",
            "xof",
            "xof_in_registers",
        ],
    },
    InstructionSet {
        name: "avx512",
        kernels: &[
            "absorb",
            "absorb_all_lanes",
            "absorb_lanes",
            "hex",
            "limbs",
            "xof",
        ],
    },
];

/// The files that those include.
pub const HEADERS: [&str; 15] = [
    "abi.h",
    "blake3.h",
    "chunks.h",
    "chunks_avx2.h",
    "chunks_avx512.h",
    "first_round.h",
    "hex_decode.h",
    "lanes_avx2.h",
    "lanes_avx512.h",
    "limbs.h",
    "rounds_in_flight_avx2.h",
    "rounds_in_registers_avx2.h",
    "rows.h",
    "two_states_avx512.h",
    "xof_avx2.h",
];

/// The name of the static library of all kernels.
const ARCHIVE: &str = "lthash_kernels";

const ADVICE: &str = "install GCC or clang (Debian and Ubuntu: `apt install gcc`, Fedora: `dnf install gcc`, \
                      macOS: `xcode-select --install`) and run `cargo clean -p lthash`, or name one in the environment \
                      variable CC";

fn main() -> ExitCode {
    println!("cargo::rustc-check-cfg=cfg(lthash_neon, lthash_avx2, lthash_avx512)");
    println!(
        r#"cargo::rustc-check-cfg=cfg(lthash_backend, values("portable", "neon", "avx2", "avx512"))"#
    );
    println!("cargo::rerun-if-changed=build.rs");
    // The `cc` crate prints such lines itself, but not for the archiver, and not where nothing is assembled.
    let of_tools = ["CC", "AR", "ARFLAGS"].map(variables);
    let ours = ["LTHASH_REQUIRE_ASM", "DOCS_RS"].map(String::from);
    for variable in of_tools.into_iter().flatten().chain(ours) {
        println!("cargo::rerun-if-env-changed={variable}");
    }

    let facts = Facts::from_env();
    let outcome = match plan(&facts) {
        Plan::Portable => Ok(()),
        Plan::Neon => {
            println!("cargo::rustc-cfg=lthash_neon");
            Ok(())
        }
        Plan::Unsupported(why) => report_missing(&format!(
            "only the portable backend is built, since there are no kernels for {why}"
        )),
        Plan::Refuse(why) => Err(why),
        Plan::Assemble(format) => assemble(&facts, format),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error=lthash: {message}");
            ExitCode::FAILURE
        }
    }
}

impl InstructionSet {
    pub fn sources(&self) -> impl Iterator<Item = String> {
        self.kernels
            .iter()
            .map(|kernel| format!("{kernel}_{}.S", self.name))
    }
}

/// Warns that kernels are missing, or fails if `LTHASH_REQUIRE_ASM=1` requires them.
fn report_missing(message: &str) -> Result<(), String> {
    if matches!(
        env::var("LTHASH_REQUIRE_ASM").as_deref(),
        Err(_) | Ok("" | "0")
    ) {
        println!("cargo::warning=lthash: {message}");
        Ok(())
    } else {
        Err(format!("{message}. LTHASH_REQUIRE_ASM makes this an error"))
    }
}

/// What the plan depends on: Cargo's description of the target, never the target's name, and what the user asks for.
#[derive(Clone, Default)]
pub struct Facts {
    pub arch: String,
    pub pointer_width: String,
    pub vendor: String,
    pub os: String,
    pub env: String,
    pub abi: String,
    pub endian: String,
    /// The features that all code of the target may use.
    pub features: String,
    pub miri: bool,
    pub docs_rs: bool,
    /// `--cfg lthash_backend="…"`.
    pub backend: Option<String>,
    /// The compiler that CC or a variable like it names for the target.
    pub compiler: Option<String>,
}

impl Facts {
    fn from_env() -> Facts {
        let target = |fact: &str| env::var(format!("CARGO_CFG_TARGET_{fact}")).unwrap_or_default();
        Facts {
            arch: target("ARCH"),
            pointer_width: target("POINTER_WIDTH"),
            vendor: target("VENDOR"),
            os: target("OS"),
            env: target("ENV"),
            abi: target("ABI"),
            endian: target("ENDIAN"),
            features: target("FEATURE"),
            miri: env::var_os("CARGO_CFG_MIRI").is_some(),
            docs_rs: env::var_os("DOCS_RS").is_some(),
            backend: env::var("CARGO_CFG_LTHASH_BACKEND").ok(),
            compiler: named_compiler(),
        }
    }
}

/// The compiler that the environment names for the target.
fn named_compiler() -> Option<String> {
    variables("CC").iter().find_map(|name| env::var(name).ok())
}

/// The environment variables in which the `cc` crate looks for a tool or its flags, in its order.
fn variables(name: &str) -> [String; 4] {
    let target = env::var("TARGET").unwrap_or_default();
    let kind = if env::var("HOST").as_ref() == Ok(&target) {
        "HOST"
    } else {
        "TARGET"
    };
    [
        format!("{name}_{target}"),
        format!("{name}_{}", target.replace(['-', '.'], "_")),
        format!("{kind}_{name}"),
        name.to_owned(),
    ]
}

#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Assemble nothing, since the user asks for that.
    Portable,
    /// Assemble nothing: the kernels for NEON are Rust.
    Neon,
    /// Assemble nothing, since there are no kernels for what the text describes.
    Unsupported(String),
    /// Fail with this message.
    Refuse(String),
    /// Assemble the kernels into objects of this format.
    Assemble(ObjectFormat),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectFormat {
    Elf,
    MachO,
    Coff,
}

pub fn plan(facts: &Facts) -> Plan {
    let backend = facts.backend.as_deref();
    if !matches!(
        backend,
        None | Some("portable" | "neon" | "avx2" | "avx512")
    ) {
        return Plan::Refuse(format!(
            "--cfg lthash_backend={:?} names no backend: expected \"portable\", \"neon\", \"avx2\" or \"avx512\"",
            backend.unwrap_or_default()
        ));
    }
    if facts.miri || facts.docs_rs || backend == Some("portable") {
        return Plan::Portable;
    }
    if has_neon(facts) {
        return Plan::Neon;
    }
    let Some(format) = object_format(facts) else {
        return Plan::Unsupported(format!(
            "architecture {:?}, pointer width {:?}, vendor {:?}, system {:?}, environment {:?}, ABI {:?}",
            facts.arch, facts.pointer_width, facts.vendor, facts.os, facts.env, facts.abi
        ));
    };
    // For MSVC only clang can assemble the kernels: Microsoft's ml64 reads another language. `cl` is not even asked for its
    // version, since that may start it.
    let named_clang = || {
        facts
            .compiler
            .as_ref()
            .is_some_and(|name| name.contains("clang"))
    };
    if facts.env == "msvc" && !named_clang() {
        return Plan::Unsupported(
            "Microsoft's assembler, which reads another language (set CC=clang-cl)".into(),
        );
    }
    Plan::Assemble(format)
}

/// Whether all code of the target may use NEON's vectors, whose bytes have the order of BLAKE3's.
fn has_neon(facts: &Facts) -> bool {
    (facts.arch.as_str(), facts.endian.as_str()) == ("aarch64", "little")
        && facts.features.split(',').any(|feature| feature == "neon")
}

/// The format of the target's object files, if there are kernels for the target. There are none for x86-64 with 32-bit pointers,
/// without an operating system that saves vector registers, or with a system that was never tried.
fn object_format(facts: &Facts) -> Option<ObjectFormat> {
    if (facts.arch.as_str(), facts.pointer_width.as_str()) != ("x86_64", "64") {
        return None;
    }
    let (vendor, abi) = (facts.vendor.as_str(), facts.abi.as_str());
    match (facts.os.as_str(), facts.env.as_str()) {
        ("linux", "gnu" | "musl" | "ohos")
            if matches!(vendor, "unknown" | "alpine" | "chimera") && abi.is_empty() =>
        {
            Some(ObjectFormat::Elf)
        }
        ("android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" | "illumos", "")
            if vendor == "unknown" && abi.is_empty() =>
        {
            Some(ObjectFormat::Elf)
        }
        ("macos", "") if vendor == "apple" && abi.is_empty() => Some(ObjectFormat::MachO),
        ("windows", "gnu" | "msvc")
            if matches!(vendor, "pc" | "win7" | "uwp") && matches!(abi, "" | "llvm" | "uwp") =>
        {
            Some(ObjectFormat::Coff)
        }
        _ => None,
    }
}

fn assemble(facts: &Facts, format: ObjectFormat) -> Result<(), String> {
    let asm = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("asm");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let sources = Sources::read(&asm)?;
    for file in files() {
        println!("cargo::rerun-if-changed=asm/{file}");
    }
    println!("cargo::rustc-env=LTHASH_SYMBOL_PREFIX={}", sources.prefix);

    let mut kernels = Assembled::assemble(cc::Build::new(), &sources, &out, format);
    // For musl, cc looks for musl-gcc, which few machines have. The kernels need no C library, so on x86-64 Linux the machine's
    // own compiler can assemble them as well.
    let on_linux = cfg!(all(target_arch = "x86_64", target_os = "linux"));
    if kernels.built.is_empty() && on_linux && facts.os == "linux" && facts.compiler.is_none() {
        let mut build = cc::Build::new();
        build.compiler("cc");
        kernels = Assembled::assemble(build, &sources, &out, format);
    }
    if !kernels.built.is_empty() {
        println!("cargo::rustc-link-search=native={}", out.display());
        println!("cargo::rustc-link-lib=static={ARCHIVE}");
    }
    for isa in kernels.built {
        println!("cargo::rustc-cfg=lthash_{isa}");
    }
    let Some(why) = kernels.missing else {
        return Ok(());
    };
    // These variables, too, may have kept the assembler from working. They are watched only then, because editors set a
    // RUSTC_WRAPPER of their own: each change between an editor and a terminal would build the crate again.
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-env-changed=RUSTC_WRAPPER");
    report_missing(&why)
}

/// All files in asm/ that are assembled or included, in a fixed order.
pub fn files() -> impl Iterator<Item = String> {
    let headers = HEADERS.into_iter().map(String::from);
    headers.chain(INSTRUCTION_SETS.iter().flat_map(InstructionSet::sources))
}

/// The folder asm/, once all its files are known to be there.
pub struct Sources {
    folder: PathBuf,
    /// What every kernel's symbol begins with: the version and a fingerprint of all files' names and contents. So any two sources
    /// of the crate, even of one version, link into one program, and each calls its own kernels.
    pub prefix: String,
}

impl Sources {
    pub fn read(folder: &Path) -> Result<Sources, String> {
        let mut fingerprint = Fingerprint::default();
        let mut missing = Vec::new();
        for file in files() {
            match fs::read(folder.join(&file)) {
                Ok(contents) => {
                    fingerprint.add(file.as_bytes());
                    fingerprint.add(&contents);
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(file),
                Err(error) => return Err(format!("cannot read {file} in asm/: {error}")),
            }
        }
        if !missing.is_empty() {
            return Err(format!(
                "the crate's sources are incomplete: asm/ lacks {}. Let source filters keep *.S and *.h, or build without \
                 kernels by `--cfg lthash_backend=\"portable\"` in RUSTFLAGS",
                missing.join(", ")
            ));
        }
        let [major, minor, patch] = [
            env!("CARGO_PKG_VERSION_MAJOR"),
            env!("CARGO_PKG_VERSION_MINOR"),
            env!("CARGO_PKG_VERSION_PATCH"),
        ];
        Ok(Sources {
            folder: folder.into(),
            prefix: format!("lthash_{major}_{minor}_{patch}_{:016x}_", fingerprint.0),
        })
    }
}

/// FNV-1a with 64 bits (RFC 9923) of byte strings, each preceded by its length.
struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn add(&mut self, bytes: &[u8]) {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The outcome of assembling.
#[derive(Debug, Default)]
pub struct Assembled {
    /// The instruction sets whose kernels are in the archive.
    pub built: Vec<&'static str>,
    /// Why the others are not, if there are others.
    pub missing: Option<String>,
}

impl Assembled {
    /// Assembles the files one by one into `out` until one fails, and archives the objects of each instruction set that is complete.
    pub fn assemble(
        mut build: cc::Build,
        sources: &Sources,
        out: &Path,
        format: ObjectFormat,
    ) -> Assembled {
        build
            .cargo_warnings(false)
            .out_dir(out)
            .include(&sources.folder)
            .define("LTHASH_PREFIX", sources.prefix.as_str());

        let mut kernels = Assembled::default();
        let outcome = kernels.build(&build, sources, out, format);
        kernels.missing = outcome.err().map(|why| {
            let missing = &INSTRUCTION_SETS[kernels.built.len()..];
            let missing: Vec<&str> = missing.iter().map(|set| set.name).collect();
            format!(
                "built without its {} kernels, slower than it could be: {why}; {ADVICE}",
                missing.join(" and ")
            )
        });
        kernels
    }

    fn build(
        &mut self,
        build: &cc::Build,
        sources: &Sources,
        out: &Path,
        format: ObjectFormat,
    ) -> Result<(), String> {
        // If the assembler writes nothing, an earlier run's objects must not be taken for its own.
        fs::remove_dir_all(out)
            .and_then(|()| fs::create_dir(out))
            .map_err(|error| format!("cannot empty {}: {error}", out.display()))?;

        let mut complete = Vec::new();
        let mut objects = Vec::new();
        let mut outcome = Ok(());
        for set in &INSTRUCTION_SETS {
            let files = set
                .sources()
                .map(|file| assemble_file(build, sources, &file, format))
                .collect::<Result<Vec<PathBuf>, String>>();
            match files {
                Ok(files) => {
                    complete.push(set.name);
                    objects.extend(files);
                }
                Err(why) => {
                    outcome = Err(why);
                    break;
                }
            }
        }
        if !objects.is_empty() {
            archive(build, &objects, out)?;
        }
        self.built = complete;
        outcome
    }
}

fn assemble_file(
    build: &cc::Build,
    sources: &Sources,
    file: &str,
    format: ObjectFormat,
) -> Result<PathBuf, String> {
    let source = &sources.folder.join(file);
    let why =
        |what: &dyn std::fmt::Display| format!("{}: {what}", source.display()).replace('\n', " ");
    let object = build
        .clone()
        .file(source)
        .try_compile_intermediates()
        .map_err(|error| why(&error))?
        .pop()
        .ok_or_else(|| why(&"the assembler wrote no object"))?;
    let kernels = kernels(source).map_err(|error| why(&error))?;
    let bytes = fs::read(&object).map_err(|_| why(&"the assembler wrote no object"))?;
    if !bytes.starts_with(format.magic()) {
        return Err(why(&format!(
            "the assembler did not write a 64-bit {format:?} object"
        )));
    }
    let mut symbols = kernels.iter().map(|name| sources.prefix.clone() + name);
    match symbols.find(|symbol| !contains(&bytes, symbol.as_bytes())) {
        Some(symbol) => Err(why(&format!("the assembler's object lacks {symbol}"))),
        None => Ok(object),
    }
}

/// The kernels that an assembly file defines with `KERNEL(name)`.
pub fn kernels(source: &Path) -> io::Result<Vec<String>> {
    let text = fs::read_to_string(source)?;
    let name = |line: &str| Some(line.strip_prefix("KERNEL(")?.split_once(')')?.0.to_owned());
    Ok(text.lines().filter_map(name).collect())
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

impl ObjectFormat {
    /// The first bytes of an x86-64 object file.
    fn magic(self) -> &'static [u8] {
        match self {
            ObjectFormat::Elf => b"\x7fELF\x02\x01",
            ObjectFormat::MachO => b"\xcf\xfa\xed\xfe\x07\0\0\x01",
            ObjectFormat::Coff => b"\x64\x86",
        }
    }
}

fn archive(build: &cc::Build, objects: &[PathBuf], out: &Path) -> Result<(), String> {
    build
        .clone()
        .cargo_metadata(false) // It would tell Cargo to link the archive before this function has checked it.
        .objects(objects)
        .try_compile(ARCHIVE)
        .map_err(|error| error.to_string().replace('\n', " "))?;
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let archive = out.join(format!("lib{ARCHIVE}.a"));
    if size(&archive) < objects.iter().map(|object| size(object)).sum() {
        return Err("the archiver wrote no archive of all objects".into());
    }
    Ok(())
}

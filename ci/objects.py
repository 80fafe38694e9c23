#!/usr/bin/env python3
"""Assembles asm/*.S with several assemblers, for ELF, Mach-O and COFF, and compares and inspects the objects.

usage: ci/objects.py [ZIG]

Every object must have, whatever assembled it:
- the same instructions, up to the order of commutative operands, alignment padding and displacements that are relocated;
- the kernels as its only symbols, decorated as the format wants and hidden where it can say so; nothing undefined;
- constants in read-only data, and in code nothing but the kernels and padding;
- relocations relative to the program counter only;
- on ELF a note that the stack is not executable; under -fcf-protection the note that it fits CET, and `endbr64`.

Needs gcc, clang-14, clang-19, llvm-19, x86_64-w64-mingw32-gcc and, for `zig cc`, its path.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PREFIX = "lthash_objects_"
# Flags that a distribution or a user may have in CFLAGS.
FLAGS = ["-march=core2 -mno-avx2", "-mno-avx512f", "-flto", "-O3 -ffunction-sections -fdata-sections -g"]
COMMUTATIVE = re.compile(r"vp(add[bwdq]|x?or[dq]?|and[dq]?|mull[wd]|max\w+|min\w+|cmpeq\w)$")
PC_RELATIVE = {
    "elf": {"R_X86_64_PC32", "R_X86_64_PLT32"},
    "macho": {"X86_64_RELOC_SIGNED"},
    "coff": {"IMAGE_REL_AMD64_REL32"},
}


def assemblers(zig):
    """Each assembler's name, command, object format, and whether it is asked for CET."""
    for tool in ["gcc", "clang-14", "clang-19"]:
        yield tool, [tool], "elf", False
        yield f"{tool} -fcf-protection", [tool, "-fcf-protection"], "elf", True
        for flags in FLAGS:
            yield f"{tool} {flags}", [tool, *flags.split()], "elf", False
    for tool in ["clang-14", "clang-19"]:
        yield f"{tool} for macOS", [tool, "--target=x86_64-apple-darwin"], "macho", False
        yield f"{tool} for MSVC", [tool, "--target=x86_64-pc-windows-msvc"], "coff", False
    yield "mingw-w64", ["x86_64-w64-mingw32-gcc"], "coff", False
    if zig:
        yield "zig cc for macOS", [zig, "cc", "-target", "x86_64-macos"], "macho", False
        yield "zig cc for Windows", [zig, "cc", "-target", "x86_64-windows-gnu"], "coff", False
        yield "zig cc for Linux", [zig, "cc", "-target", "x86_64-linux-musl"], "elf", False


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def normal(mnemonic, operands):
    """An instruction in a form that is the same for all assemblers."""
    operands = re.sub(r"\[rip( [+-] \w+)?\]", "[rip + ?]", operands)
    parts = [part.strip() for part in re.split(r",(?![^\[]*\])", operands)] if operands else []
    if COMMUTATIVE.match(mnemonic) and len(parts) == 3:
        parts[1:] = sorted(parts[1:])
    return " ".join([mnemonic, ", ".join(parts)]).strip()


def kernels(path):
    """Each kernel's instructions, with the numbers of instructions as branch targets, and the kernels that begin with endbr64."""
    found, where, starts = {}, {}, set()
    for line in output("llvm-objdump-19", "-d", "--no-show-raw-insn", "-M", "intel", str(path)).splitlines():
        if match := re.match(r"[0-9a-f]+ <(\w+)>:", line):
            name = match[1].removeprefix("_")
            found[name], where[name] = [], {}
        elif match := re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*?)(?:\s+#.*)?$", line):
            address, mnemonic, operands = match.groups()
            operands = re.sub(r"\s*<[^>]*>", "", operands).strip()
            if re.match(r"(data16 |cs )*nop[wl]?$", mnemonic) or mnemonic in ("data16", "int3", "cs"):
                continue
            where[name][int(address, 16)] = len(found[name])
            if mnemonic == "endbr64":
                starts.add(name)
            else:
                found[name].append((mnemonic, operands))
    for name, instructions in found.items():
        for i, (mnemonic, operands) in enumerate(instructions):
            if mnemonic.startswith("j"):
                operands = f"to {where[name][int(operands, 16)]}"
            instructions[i] = normal(mnemonic, operands)
    return found, starts


def check_symbols(path, form):
    symbols = [line.split() for line in output("llvm-nm-19", str(path)).splitlines()]
    decoration = "_" if form == "macho" else ""
    for *_, kind, name in symbols:
        if kind == "U":
            raise AssertionError(f"undefined symbol {name}")
        if kind == "T" and not name.startswith(decoration + PREFIX):
            raise AssertionError(f"symbol {name} lacks the prefix")
        if kind not in "T" and not (form == "coff" and name.startswith((".", "@"))):
            raise AssertionError(f"symbol {name} of kind {kind}")
    if form == "elf":
        for line in output("readelf", "-sW", str(path)).splitlines():
            if PREFIX in line and not re.search(r"\bFUNC\s+GLOBAL\s+HIDDEN\b", line):
                raise AssertionError(f"not a hidden function: {line}")
    if form == "macho":
        for line in output("llvm-nm-19", "-m", str(path)).splitlines():
            if "private external" not in line:
                raise AssertionError(f"not private: {line}")


def check_relocations(path, form):
    for line in output("llvm-objdump-19", "-r", str(path)).splitlines():
        kinds = re.findall(r"\b(?:R_X86_64|X86_64_RELOC|IMAGE_REL_AMD64)_\w+", line)
        if line.startswith("RELOCATION RECORDS FOR"):
            section = line
        elif kinds and "debug" not in section and not set(kinds) <= PC_RELATIVE[form]:
            # The unwind tables of COFF and Mach-O have offsets from the image's start and differences.
            if not re.search(r"eh_frame|pdata|xdata|compact_unwind", section):
                raise AssertionError(f"{section} {line}")


def check_sections(path, form, cet, found, starts):
    headers = output("llvm-objdump-19", "-h", str(path))
    if "rip + ?" in str(found):
        names = {"elf": r"\.rodata", "macho": r"__const", "coff": r"\.rdata"}
        assert re.search(names[form] + r"\s", headers), "no read-only data"
    assert not re.search(r"\s(\.data|__data)\s+0*[1-9a-f]", headers), f"writable data: {headers}"
    assert "(bad)" not in str(found) and "<unknown>" not in str(found), "data in code"
    if form != "elf":
        return
    sections = output("readelf", "-SW", str(path))
    stack = re.search(r"\.note\.GNU-stack\s+PROGBITS\s+\S+ \S+ 000000 00\s+(\w*)\s+\d", sections)
    assert stack and "X" not in stack[1], "no note for a stack that is not executable"
    notes = output("readelf", "-nW", str(path))
    assert ("IBT, SHSTK" in notes) == cet, f"CET note: {notes}"
    assert starts == (set(found) if cet else set()), f"endbr64 in {starts or 'none'}"


def main():
    zig = sys.argv[1] if len(sys.argv) > 1 else None
    sources = sorted((ROOT / "asm").glob("*.S"))
    assert sources, "no assembly files"
    expected, failures, objects = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, command, form, cet in assemblers(zig):
            count = 0
            for source in sources:
                path = pathlib.Path(folder) / "kernel.o"
                subprocess.run([*command, f"-DLTHASH_PREFIX={PREFIX}", "-I", str(ROOT / "asm"), "-c", str(source),
                                "-o", str(path)], check=True)
                objects += 1
                try:
                    check_symbols(path, form)
                    check_relocations(path, form)
                    found, starts = kernels(path)
                    check_sections(path, form, cet, found, starts)
                    assert found, "no kernels"
                    for kernel, instructions in found.items():
                        first = expected.setdefault(kernel, instructions)
                        for i, (one, other) in enumerate(zip(first, instructions)):
                            assert one == other, f"{kernel}: instruction {i} is `{other}`, not `{one}`"
                        assert len(first) == len(instructions), f"{kernel}: {len(instructions)} instructions"
                        count += len(instructions)
                except AssertionError as error:
                    print(f"{name}: {source.name}: {error}")
                    failures += 1
            print(f"{name} ({form}): {count} instructions compared")
    print(f"{objects} objects of {len(sources)} files and {len(expected)} kernels: {objects - failures} passed, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())

"""A script for gdb. It steps through the first call of each kernel and checks at every instruction that the unwinder finds the
kernel's caller, with the stack pointer and the preserved registers that the caller had.

Prints a line "found NAME" for each kernel of the program, "checked NAME: COUNT instructions" for each that ran, and
"done" if everything was right, which gdb's exit code does not show.
"""

import re

import gdb

PRESERVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")


def kernels():
    listing = gdb.execute(r"info functions lthash_[0-9]*_[0-9]*_[0-9]*_[0-9a-f]*_", to_string=True)
    return sorted(set(re.findall(r"\b(lthash_\d+_\d+_\d+_[0-9a-f]{16}_\w+)", listing)))


def caller(frame):
    """A kernel's caller, as the unwinder finds it."""
    older = frame.older()
    if older is None:
        return None
    registers = {name: int(older.read_register(name)) for name in PRESERVED}
    return {"function": older.name(), "pc": older.pc(), "rsp": int(older.read_register("rsp")), **registers}


def check(name):
    entry = gdb.newest_frame()
    rsp = int(entry.read_register("rsp"))
    # At the entry, the return address is on top of the stack.
    word = gdb.selected_inferior().read_memory(rsp, 8)
    expected = {
        "function": entry.older().name(),
        "pc": int.from_bytes(bytes(word), "little"),
        "rsp": rsp + 8,
        **{register: int(entry.read_register(register)) for register in PRESERVED},
    }
    checked = set()
    end = None
    while True:
        frame = gdb.newest_frame()
        pc = frame.pc()
        if pc == expected["pc"] and int(frame.read_register("rsp")) == expected["rsp"]:
            break
        if pc in checked:
            # A jump back, to the beginning of a loop: run to the loop's end.
            gdb.Breakpoint(f"*{end}", temporary=True)
            gdb.execute("continue", to_string=True)
            continue
        instruction = frame.architecture().disassemble(pc)[0]
        found = caller(frame)
        if frame.name() != name or found != expected:
            raise gdb.GdbError(f"{name}: before {instruction['asm']}: {frame.name()} in {found}, not {expected}")
        checked.add(pc)
        end = pc + instruction["length"]
        gdb.execute("stepi", to_string=True)
    print(f"checked {name}: {len(checked)} instructions")


for setting in ("pagination off", "confirm off", "debuginfod enabled off", "language c", "suppress-cli-notifications on"):
    gdb.execute(f"set {setting}")
breakpoints = {}
for kernel in kernels():
    print(f"found {kernel}")
    breakpoints[kernel] = gdb.Breakpoint(f"*{kernel}")
    breakpoints[kernel].silent = True
gdb.execute("run --exact every_kernel --test-threads=1 >/dev/null", to_string=True)
while gdb.selected_inferior().pid != 0:
    kernel = gdb.newest_frame().name()
    if kernel not in breakpoints:
        raise gdb.GdbError(f"stopped in {kernel}, which is not the beginning of a kernel")
    breakpoints.pop(kernel).delete()
    check(kernel)
    gdb.execute("continue", to_string=True)
print("done")

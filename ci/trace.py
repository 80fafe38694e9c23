#!/usr/bin/env python3
"""Checks kernels by running them: ci/trace.py KERNELS.so [INSTRUCTION-SET or KERNEL...]. ci/trace.sh calls it.

The proofs in tests/kernels hold for every input, if their interpreter, normal form, decoder and specification are right. This
script shares none of them. It checks some inputs only, but independently:

- values: each kernel is called with a thousand random and special inputs, and the results are compared with BLAKE3's compression
  function and limb operations, written here with NumPy from the paper (O'Connor, Aumasson, Neves, Wilcox-O'Hearn, "BLAKE3: one function, fast
  everywhere", 2021-11-05, sections 2.2 and 2.6);
- traces: each kernel is single-stepped with ptrace in a child process, with a dozen inputs. Before each instruction, the addresses
  of its memory operands are computed from the registers, as Capstone decodes them. Every access must lie in the call's buffers,
  in the constants or in the frame (written before it is read, not below rsp). The sequence of instructions and of accesses,
  relative to the buffers' starts, must be the same for all inputs and addresses. At the end, callee-saved registers and rsp must
  be what they were, and the upper halves of ymm0 to ymm15 zero.

It assumes that Capstone decodes memory operands correctly, that single steps do what a run does, and that NumPy is right.
"""

import ctypes
import mmap
import os
import random
import signal
import struct
import subprocess
import sys
import time

import capstone
import numpy as np
from capstone import x86

TRACED = 12
CALLED = 1000

# --- BLAKE3 and limbs -------------------------------------------------------------------------------------------------

IV = np.array([0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A], dtype=np.uint32)
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]


def rotate(word, count):
    return word >> np.uint32(count) | word << np.uint32(32 - count)


def compress(chaining_value, block, counter, length, flags):
    """The compression function on many nodes at once: the last axis of every array numbers the nodes."""
    nodes = np.broadcast(chaining_value[0], counter[0]).shape
    rows = [*chaining_value, *IV, counter[0], counter[1], length, flags]
    v = [np.broadcast_to(row, nodes).astype(np.uint32) for row in rows]
    m = list(block)

    def quarter_round(a, b, c, d, x, y):
        v[a] = v[a] + v[b] + x
        v[d] = rotate(v[d] ^ v[a], 16)
        v[c] = v[c] + v[d]
        v[b] = rotate(v[b] ^ v[c], 12)
        v[a] = v[a] + v[b] + y
        v[d] = rotate(v[d] ^ v[a], 8)
        v[c] = v[c] + v[d]
        v[b] = rotate(v[b] ^ v[c], 7)

    for _ in range(7):
        for i in range(4):
            quarter_round(i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1])
        for i in range(4):
            columns = [(i + j) % 4 + 4 * j for j in range(4)]
            quarter_round(*columns, m[8 + 2 * i], m[9 + 2 * i])
        m = [m[i] for i in PERMUTATION]
    return np.array([v[i] ^ v[i + 8] for i in range(8)] + [v[i + 8] ^ chaining_value[i] for i in range(8)])


def words(data):
    return np.frombuffer(data, dtype="<u4")


def limbs(data):
    return np.frombuffer(data, dtype="<u2")


def output_blocks(node):
    """Sixteen rows of the words of output blocks 0 to 31."""
    w = words(node)
    column = lambda part: part.reshape(-1, 1)
    counters = np.arange(32, dtype=np.uint32)
    return compress(column(w[:8]), column(w[8:24]), (counters, np.uint32(0)), w[24], w[25])


def xof(buffers):
    buffers["out"] = output_blocks(buffers["node"]).T.astype("<u4").tobytes()


def mixed(sign):
    def mix(buffers):
        blocks = output_blocks(buffers["node"]).astype("<u4")
        mixed = limbs(blocks.tobytes())
        sums = limbs(buffers["sums"])
        buffers["sums"] = (sums + mixed if sign > 0 else sums - mixed).astype("<u2").tobytes()
        buffers["guard"] = blocks[:4, 0].tobytes()

    return mix


def lanes_to_limbs(buffers):
    in_order = words(buffers["sums"]).reshape(16, 32).T.tobytes()
    buffers["limbs"] = (limbs(buffers["limbs"]) + limbs(in_order)).astype("<u2").tobytes()


def combined(sign):
    def combine(buffers):
        left, right = limbs(buffers["limbs"]), limbs(buffers["other"])
        buffers["limbs"] = (left + right if sign > 0 else left - right).astype("<u2").tobytes()

    return combine


def absorb(buffers):
    count, counter, length, flags = buffers["numbers"]
    chaining_value = words(buffers["chaining_value"]).reshape(8, 1)
    half = lambda number: np.array([number & 0xFFFFFFFF], dtype=np.uint32)
    for i in range(count):
        block = words(buffers["blocks"])[16 * i : 16 * i + 16].reshape(16, 1)
        counters = (half(counter), half(counter >> 32))
        chaining_value = compress(chaining_value, block, counters, half(length), half(flags))[:8]
    buffers["chaining_value"] = chaining_value.astype("<u4").tobytes()


# --- Calls ------------------------------------------------------------------------------------------------------------


class Call:
    """A kernel's arguments in order, as (name, size, access, alignment) or as a function that returns a number, and its specification."""

    def __init__(self, kernel, title, arguments, expected, called=CALLED):
        self.kernel, self.title, self.arguments, self.expected = kernel, title, arguments, expected
        self.called = called


def calls(instruction_set):
    node = ("node", 104, "r", 1)
    sums = ("sums", 2048, "rw", 64)
    for form in ["", "_in_registers"] if instruction_set == "avx2" else [""]:
        yield Call("xof" + form, "any node", [node, ("out", 2048, "w", 1)], xof)
        for kernel, sign in [("xof_add", 1), ("xof_sub", -1)]:
            yield Call(kernel + form, "any node", [node, sums, ("guard", 16, "w", 1)], mixed(sign))
    yield Call("lanes_to_limbs", "any sums", [("sums", 2048, "r", 64), ("limbs", 2048, "rw", 1)], lanes_to_limbs)
    for kernel, sign in [("limbs_add", 1), ("limbs_sub", -1)]:
        yield Call(kernel, "any limbs", [("limbs", 2048, "rw", 1), ("other", 2048, "r", 1)], combined(sign))
    for count in [0, 1, 2, 3, 7, 15]:
        yield Call(
            "absorb",
            f"{count} blocks",
            [
                ("chaining_value", 32, "rw", 1),
                ("blocks", 64 * count, "r", 1),
                lambda chooser, count=count: count,
                lambda chooser: chooser.getrandbits(64),
                lambda chooser: chooser.getrandbits(32),
                lambda chooser: chooser.getrandbits(32),
            ],
            absorb,
            CALLED // max(count, 1),
        )


REGISTERS = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]


def data(chooser, size):
    """Bytes of a random choice: all alike, a single bit, or, mostly, random."""
    kind = chooser.randrange(6)
    if kind == 0:
        return bytes([chooser.choice([0, 1, 0x7F, 0x80, 0xFF])]) * size
    if kind == 1:
        one = chooser.randrange(8 * max(size, 1))
        return (1 << one).to_bytes(max(size, 1), "little")[:size]
    return chooser.randbytes(size)


class Arena:
    """Memory that parent and child share: 64 KiB for buffers, then 64 KiB of stack."""

    SIZE, STACK = 1 << 17, 1 << 16
    CANARY = 0xA5

    def __init__(self):
        self.memory = mmap.mmap(-1, self.SIZE)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        assert self.base % 4096 == 0

    def lay_out(self, call, chooser):
        """Chooses places and contents: the buffers' (name, start, size, access), the registers, and what is expected."""
        self.memory[:] = bytes([self.CANARY]) * self.SIZE
        buffers, registers, contents, numbers = [], [], {}, []
        at = 64 * chooser.randrange(1, 64)
        for argument in call.arguments:
            if callable(argument):
                numbers.append(argument(chooser))
                registers.append(numbers[-1])
                continue
            name, size, access, alignment = argument
            at += alignment * chooser.randrange(64 // alignment + 1)
            at += -at % alignment
            contents[name] = data(chooser, size)
            self.memory[at : at + size] = contents[name]
            buffers.append((name, at, size, access))
            registers.append(self.base + at)
            at += size + 64
        contents["numbers"] = numbers
        call.expected(contents)
        after = bytearray(self.memory)
        for name, at, size, _ in buffers:
            assert len(contents[name]) == size
            after[at : at + size] = contents[name]
        return buffers, registers, bytes(after)

    def buffers_are(self, after):
        return self.memory[: self.STACK] == after[: self.STACK]


# --- The kernels' object ----------------------------------------------------------------------------------------------


class Object:
    def __init__(self, path):
        ctypes.CDLL(path)
        path = os.path.realpath(path)
        with open("/proc/self/maps") as maps:
            self.base = min(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(path))
        lines = subprocess.run(["nm", "-S", path], check=True, capture_output=True, text=True).stdout.splitlines()
        symbols = [line.split() for line in lines if " kernel_" in line]
        self.kernels = {it[-1].removeprefix("kernel_"): (self.base + int(it[0], 16), int(it[1], 16)) for it in symbols}
        sections = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
        line = next(line for line in sections.splitlines() if " .rodata " in line)
        fields = line.split(" .rodata ")[1].split()
        self.constants = (self.base + int(fields[1], 16), int(fields[3], 16))


# --- Tracing ----------------------------------------------------------------------------------------------------------


class Registers(ctypes.Structure):
    """struct user_regs_struct."""

    _fields_ = [
        (name, ctypes.c_ulonglong)
        for name in "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base "
        "gs_base ds es fs gs".split()
    ]


class IoVec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long
TRACE_ME, SINGLE_STEP, GET_REGISTERS, SET_REGISTERS, GET_REGISTER_SET = 0, 9, 12, 13, 0x4204
X86_XSTATE = 0x202
# Instructions that only write their first operand.
MOVES = ("mov", "vmov", "vextract", "vpextr", "pop", "set")
PRESERVED = ["rbx", "rbp", "r12", "r13", "r14", "r15"]


def ptrace(request, pid, address=None, value=None):
    if libc.ptrace(request, pid, address, value) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


class Fault(Exception):
    pass


class Tracer:
    """A child process that runs kernels instruction by instruction."""

    # A kernel's return address. No code is there, so a run ends when it is reached.
    RETURN = 0x1000

    def __init__(self, arena, kernels):
        self.arena, self.object = arena, kernels
        self.decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.decoder.detail = True
        self.decoded = {}
        self.pid = os.fork()
        if self.pid == 0:
            ptrace(TRACE_ME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            os._exit(1)
        os.waitpid(self.pid, 0)
        self.registers = Registers()
        ptrace(GET_REGISTERS, self.pid, None, ctypes.addressof(self.registers))

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def decode(self, address, end):
        """The mnemonic, memory operands (base, index, scale, displacement, size, access) and flow of an instruction."""
        if address in self.decoded:
            return self.decoded[address]
        code = ctypes.string_at(address, min(16, end - address))
        it = next(self.decoder.disasm(code, address, count=1), None)
        if it is None:
            raise Fault(f"no instruction at {address - self.object.base:#x}")
        name = lambda register: it.reg_name(register) if register else None
        operands = []
        for operand in it.operands:
            if operand.type == x86.X86_OP_MEM and it.mnemonic not in ("lea", "nop"):
                place = operand.mem
                if place.segment:
                    raise Fault(f"a segment: {it.mnemonic} {it.op_str}")
                size = operand.size
                # Capstone's own account of accesses is not used: it takes moves to memory for reads too.
                if operand is not it.operands[0] or it.mnemonic in ("cmp", "test", "push"):
                    access = "r"
                else:
                    access = "w" if it.mnemonic.startswith(MOVES) else "rw"
                if "{1to" in it.op_str:
                    size = 4
                displacement = place.disp + (it.size if place.base == x86.X86_REG_RIP else 0)
                operands.append((name(place.base), name(place.index), place.scale, displacement, size, access))
        if it.mnemonic == "push":
            operands.append(("rsp", None, 1, -8, 8, "w"))
        elif it.mnemonic in ("pop", "ret"):
            operands.append(("rsp", None, 1, 0, 8, "r"))
        elif it.group(capstone.CS_GRP_CALL) or it.group(capstone.CS_GRP_INT) or it.mnemonic.startswith("rep"):
            raise Fault(f"{it.mnemonic} {it.op_str}")
        self.decoded[address] = (f"{it.mnemonic} {it.op_str}", it.mnemonic, operands)
        return self.decoded[address]

    def run(self, kernel, buffers, arguments, chooser):
        """Runs a kernel until it returns, and returns its trace."""
        (begin, size), arena = self.object.kernels[kernel], self.arena
        top = arena.base + arena.SIZE - 64 - 8 - 16 * chooser.randrange(4)
        regions = [("constants", *self.object.constants, "r")]
        regions += [(name, arena.base + at, size, access) for name, at, size, access in buffers]
        now = Registers.from_buffer_copy(self.registers)
        for name in REGISTERS + PRESERVED + ["rax", "r10", "r11"]:
            setattr(now, name, chooser.getrandbits(64))
        for name, value in zip(REGISTERS, arguments):
            setattr(now, name, value)
        now.rip, now.rsp, now.orig_rax = begin, top, 2**64 - 1
        struct.pack_into("<Q", arena.memory, top - arena.base, self.RETURN)
        before = Registers.from_buffer_copy(now)
        ptrace(SET_REGISTERS, self.pid, None, ctypes.addressof(now))

        trace, written, last = [], set(), None
        place = ctypes.addressof(now)
        while now.rip != self.RETURN:
            if not begin <= now.rip < begin + size:
                raise Fault(f"runs on at {now.rip - begin:#x}")
            text, mnemonic, operands = self.decode(now.rip, begin + size)
            if mnemonic == "ret" and last != "vzeroupper":
                raise Fault("returns without vzeroupper")
            trace.append(now.rip - begin)
            for base, index, scale, displacement, length, access in operands:
                address = displacement
                if base:
                    address += getattr(now, base)
                if index:
                    address += getattr(now, index) * scale
                address &= 2**64 - 1
                trace.append(self.access(regions, address, length, access, now.rsp, top, written, mnemonic, text))
            ptrace(SINGLE_STEP, self.pid)
            _, status = os.waitpid(self.pid, 0)
            if not os.WIFSTOPPED(status) or os.WSTOPSIG(status) != signal.SIGTRAP:
                raise Fault(f"{text}: status {status:#x}")
            ptrace(GET_REGISTERS, self.pid, None, place)
            last = mnemonic
        for name in PRESERVED:
            if getattr(now, name) != getattr(before, name):
                raise Fault(f"{name} is not what it was")
        if now.rsp != top + 8:
            raise Fault("rsp is not what it was")
        if now.eflags & 1 << 10:
            raise Fault("the direction flag is set")
        self.check_upper_halves()
        return trace

    def access(self, regions, address, length, access, rsp, top, written, mnemonic, text):
        writes, reads = "w" in access, "r" in access
        for name, start, size, allowed in regions:
            if start <= address and address + length <= start + size:
                if reads and "r" not in allowed or writes and "w" not in allowed:
                    raise Fault(f"{text}: an access to {name}, which is {allowed}")
                return (name, address - start, length, access)
        frame = range(address, address + length)
        if mnemonic == "ret":
            inside = address == top
        else:
            inside = (rsp - 8 if mnemonic == "push" else rsp) <= address and address + length <= top
        if not inside or top - address > 4096:
            raise Fault(f"{text}: {length} bytes at {address:#x} are in no buffer")
        if reads and mnemonic != "ret" and not written.issuperset(frame):
            raise Fault(f"{text}: reads what it did not write")
        if writes:
            written.update(frame)
        return ("frame", address - rsp, length, access)

    def check_upper_halves(self):
        state = ctypes.create_string_buffer(8192)
        vector = IoVec(ctypes.addressof(state), len(state))
        ptrace(GET_REGISTER_SET, self.pid, X86_XSTATE, ctypes.addressof(vector))
        in_use = struct.unpack_from("<Q", state, 512)[0]
        if in_use & 4 and any(state.raw[576 : 576 + 256]):
            raise Fault("upper halves are not clean")


# --- All of it --------------------------------------------------------------------------------------------------------


def check_values(kernels, name, call, arena, chooser, count):
    address, _ = kernels.kernels[name]
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * len(call.arguments))
    function = prototype(address)
    for _ in range(count):
        _, arguments, after = arena.lay_out(call, chooser)
        function(*arguments)
        if not arena.buffers_are(after):
            raise Fault("memory differs from what is expected")


def check_traces(tracer, name, call, arena, chooser, count):
    first = None
    for _ in range(count):
        buffers, arguments, after = arena.lay_out(call, chooser)
        trace = tracer.run(name, buffers, arguments, chooser)
        if not arena.buffers_are(after):
            raise Fault("memory differs from what is expected")
        if first is not None and trace != first:
            raise Fault("instructions or addresses depend on data")
        first = trace
    return sum(isinstance(it, int) for it in first)


def main():
    kernels, chosen = Object(sys.argv[1]), sys.argv[2:]
    instruction_sets = [it for it in ["avx2", "avx512"] if it in chosen] or ["avx2", "avx512"]
    only = set(chosen) - set(instruction_sets)
    flags = next(line for line in open("/proc/cpuinfo") if line.startswith("flags")).split()
    needs = {"avx2": ["avx2", "bmi2"], "avx512": ["avx2", "bmi2", "avx512f", "avx512bw", "avx512vl"]}
    arena, chooser, failures = Arena(), random.Random(1), 0
    for instruction_set in instruction_sets:
        missing = [need for need in needs[instruction_set] if need not in flags]
        if missing:
            print(f"NOT TESTED: {instruction_set}, since this processor has no {', '.join(missing)}")
            if instruction_set in os.environ.get("LTHASH_REQUIRE", "").split(","):
                sys.exit(f"LTHASH_REQUIRE names {instruction_set}")
            continue
        tracer = Tracer(arena, kernels)
        for call in calls(instruction_set):
            if only and call.kernel not in only:
                continue
            name, start = f"{call.kernel}_{instruction_set}", time.monotonic()
            try:
                check_values(kernels, name, call, arena, chooser, call.called)
                steps = check_traces(tracer, name, call, arena, chooser, TRACED)
                said = f"{call.called} calls, {TRACED} traces of {steps} instructions"
            except Fault as fault:
                failures += 1
                said = f"FAILED: {fault}"
            print(f"{name:26} {call.title:10} {said}, {time.monotonic() - start:.1f} s", flush=True)
        tracer.close()
    sys.exit(failures and f"{failures} failures")


if __name__ == "__main__":
    main()

"""The normal form of rows (docs/ROWS.md, version 1) by another CBOR library, cbor2, and LtHash by blake3 and numpy.

Nothing here is shared with the Rust library: it is what its values are compared with. Each function returns a value's encoding.
"""
import math

import blake3
import cbor2
import numpy


def dumps(value):
    return cbor2.dumps(value, canonical=True)


def head(major, count):
    """The head of an array (4) or a map (5) with so many elements or entries."""
    head = bytearray(dumps(count))
    head[0] |= major << 5
    return bytes(head)


def null():
    return dumps(None)


def boolean(value):
    return dumps(bool(value))


def integer(value):
    return dumps(int(value))


def decimal(mantissa, scale):
    """mantissa * 10**-scale."""
    if mantissa == 0:
        return integer(0)
    while mantissa % 10 == 0:
        mantissa, scale = mantissa // 10, scale - 1
    if scale <= 0:
        return integer(mantissa * 10**-scale)
    return dumps(cbor2.CBORTag(4, [-scale, mantissa]))


def floating(value):
    value = float(value)
    if value.is_integer() and -(2**63) <= int(value) < 2**64:
        return integer(int(value))
    return dumps(math.nan if math.isnan(value) else value)


def text(value):
    return dumps(str(value))


def binary(value):
    return dumps(bytes(value))


def date(days):
    return dumps(cbor2.CBORTag(100, days))


def parts(nanoseconds):
    """Whole seconds, rounded down, and the nanoseconds above them unless they are 0."""
    seconds, nanoseconds = divmod(nanoseconds, 10**9)
    return [seconds, nanoseconds] if nanoseconds else [seconds]


def extended(tag, nanoseconds):
    return dumps(cbor2.CBORTag(tag, dict(zip([1, -9], parts(nanoseconds)))))


def timestamp(nanoseconds):
    return extended(1001, nanoseconds)


def duration(nanoseconds):
    return extended(1002, nanoseconds)


def local_timestamp(nanoseconds):
    return dumps(cbor2.CBORTag(27, ["timestamp", *parts(nanoseconds)]))


def time(nanoseconds):
    return dumps(cbor2.CBORTag(27, ["time", *parts(nanoseconds)]))


def interval(months, days, nanoseconds):
    return dumps(cbor2.CBORTag(27, ["interval", months, days, nanoseconds]))


def array(elements):
    """A list, and a row: of encodings."""
    elements = list(elements)
    return head(4, len(elements)) + b"".join(elements)


def mapping(entries):
    """A map, and a struct, whose keys are the fields' names: of pairs of encodings."""
    # Not by cbor2's canonical form, which is RFC 7049's: there a shorter key always comes first.
    entries = sorted(entries)
    keys = [key for key, _ in entries]
    if len(set(keys)) < len(keys):
        raise ValueError("a map has a key twice")
    return head(5, len(entries)) + b"".join(key + value for key, value in entries)


def checksum(elements):
    """The checksum of LtHash-16-1024 over elements."""
    limbs = numpy.zeros(1024, "<u2")
    for element in elements:
        limbs += numpy.frombuffer(blake3.blake3(element).digest(length=2048), "<u2")
    return blake3.blake3(limbs.tobytes()).hexdigest()

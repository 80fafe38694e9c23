#!/usr/bin/env python3
"""Makes the test values of rows, tests/vectors/rows.json, with cbor2: docs/ROWS.md has the form.

usage: tests/vectors/rows.py [--check]    (with --check, compares the file and the page instead)

Needs cbor2, blake3 and numpy; ci/rows.sh installs them.
"""
import json
import pathlib
import re
import struct
import sys

import row_form as form

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "ROWS.md"
FILE = pathlib.Path(__file__).with_name("rows.json")
SECOND = 10**9

# A value is its kind and what it is of; a row is a name and values. Integers are text, since JSON's may lose digits.
ROWS = [
    ("no values", []),
    ("null", [("null",)]),
    ("booleans", [("bool", False), ("bool", True)]),
    ("five is five", [("integer", "5"), ("decimal", "500", 2), ("decimal", "5", 0), ("float", 5.0)]),
    ("zeros", [("integer", "0"), ("float", 0.0), ("float", -0.0), ("decimal", "0", 2), ("decimal", "0", -2)]),
    ("integers at the ends of heads",
     [("integer", str(sign * n + off)) for n in (23, 24, 255, 256, 65535, 65536, 2**32 - 1, 2**32)
      for sign, off in ((1, 0), (-1, 0), (-1, -1))]),
    ("integers of 64 bits", [("integer", str(n)) for n in (2**63 - 1, 2**63, 2**64 - 1, -(2**63), -(2**63) - 1, -(2**64))]),
    ("bignums", [("integer", str(n)) for n in (2**64, -(2**64) - 1, 2**127 - 1, -(2**127), 10**20, -(10**30))]),
    ("decimals",
     [("decimal", "15", 1), ("decimal", "150", 2), ("decimal", "-150", 2), ("decimal", "1", 38), ("decimal", "1", 24),
      ("decimal", "1", 25), ("decimal", "-1", 127), ("decimal", "99999", 2), ("decimal", str(10**20), 19),
      ("decimal", str(2**64), 3), ("decimal", str(-(2**64)), 1), ("decimal", str(-(2**64) - 1), 1)]),
    ("decimals of negative scale", [("decimal", "12", -3), ("decimal", "-1", -19), ("decimal", "1", -20), ("decimal", "1", -128)]),
    ("decimals of 256 bits",
     [("wide_decimal", str(n), scale) for n, scale in
      ((5, 0), (-1, 0), (-150, 2), (2**127, 0), (-(2**127) - 1, 0), (10**75, 75), (10**75 + 1, 76), (2**255 - 1, 0),
       (-(2**255), 0), (2**255 - 1, 127), (-(2**255), -128), (2**255 - 1, -128), (2**128, 1), (-(2**192), 0),
       (2**64, 0), (-(2**64), 0), (2**254, 127))]),
    ("floats",
     [("float", value) for value in
      (0.5, 1.5, -1.5, 0.1, 1e-8, 65504.5, 2.0**-24, 2.0**-25, 2.0**-14, 3 * 2.0**-24, 1.5 * 2.0**-24, 1023 * 2.0**-24,
       2.0**-149, 2.0**-150, 5e-324, 1 + 2.0**-10, 1 + 2.0**-11, 1 + 2.0**-23, 1 + 2.0**-24, 2047.5 + 2.0**-20,
       float("inf"), float("-inf"), float("nan"))]),
    ("integral floats",
     [("float", value) for value in
      (1.0, -1.0, 65504.0, 65536.0, 2.0**53, 2.0**63, -(2.0**63), -(2.0**63) - 2048, 2.0**64 - 2048, 2.0**64, -(2.0**64), 1e300,
       2.0**63 - 1024, 3.4028234663852886e38, 1.7976931348623157e308)]),
    ("text", [("text", t) for t in ("", "a", "5", "A", "é", "e\u0301", "x" * 23, "x" * 24, " a ", "\0", "€𝄞")]),
    ("long text", [("text", "ab" * 128), ("text", "abcd" * 64)]),
    ("binary", [("bytes", b.hex()) for b in (b"", b"a", b"\0\xff", bytes(range(24)))]),
    ("dates", [("date", days) for days in (0, -1, 20_000, 2**31 - 1, -(2**31))]),
    ("timestamps with a zone",
     [("timestamp", str(n)) for n in (0, SECOND, -SECOND // 2, 1_700_000_000 * SECOND + 1, 2**63 - 1, -(2**63), (2**63 - 1) * SECOND,
                                      -(2**63) * SECOND, -1, SECOND - 1)]),
    ("timestamps without a zone", [("local_timestamp", str(n)) for n in (0, SECOND, -SECOND // 2, 1_700_000_000 * SECOND + 1, -(2**63) * SECOND)]),
    ("times of day", [("time", str(n)) for n in (0, 3600 * SECOND, 86_399_999_999_999, 86_400 * SECOND, -1)]),
    ("durations", [("duration", str(n)) for n in (0, SECOND, -SECOND // 2, 86_400 * SECOND, (2**63 - 1) * SECOND + 999_999_999)]),
    ("intervals", [("interval", 0, 0, "0"), ("interval", 1, -1, "1"), ("interval", 2**31 - 1, -(2**31), str(-(2**63)))]),
    ("lists",
     [("list", []), ("list", [("integer", "1"), ("null",)]), ("list", [("list", []), ("list", [("text", "a")])]),
      ("list", [("integer", str(n)) for n in range(24)])]),
    ("maps and structs",
     [("map", []), ("map", [(("text", "b"), ("integer", "1")), (("text", "a"), ("null",))]),
      ("map", [(("text", "bb"), ("integer", "1")), (("text", "c"), ("integer", "2")), (("text", "a"), ("integer", "3"))]),
      ("map", [(("integer", "-1"), ("text", "minus one")), (("integer", "256"), ("text", "256")), (("integer", "10"), ("text", "10"))]),
      ("map", [(("list", [("integer", "2")]), ("integer", "1")),
               (("map", [(("text", "z"), ("null",)), (("text", "y"), ("null",))]), ("map", [(("text", "k"), ("list", [("null",)]))]))])]),
    ("23 values", [("integer", str(n)) for n in range(23)]),
    ("24 values", [("integer", str(n)) for n in range(24)]),
    ("256 values", [("null",)] * 256),
]


def encode(value):
    kind, *of = value
    match kind:
        case "null":
            return form.null()
        case "bool":
            return form.boolean(*of)
        case "integer":
            return form.integer(*of)
        case "decimal" | "wide_decimal":
            return form.decimal(int(of[0]), of[1])
        case "float":
            return form.floating(*of)
        case "text":
            return form.text(*of)
        case "bytes":
            return form.binary(bytes.fromhex(*of))
        case "date":
            return form.date(*of)
        case "timestamp" | "local_timestamp" | "time" | "duration":
            return getattr(form, kind)(int(*of))
        case "interval":
            return form.interval(of[0], of[1], int(of[2]))
        case "list":
            return form.array(map(encode, *of))
        case "map":
            return form.mapping([(encode(key), encode(item)) for key, item in of[0]])
    raise ValueError(kind)


def readable(value):
    """What Rust reads: numbers as it takes them."""
    kind, *of = value
    match kind:
        case "float":
            return [kind, struct.pack(">d", *of).hex()]
        case "timestamp" | "local_timestamp" | "time" | "duration":
            return [kind, *map(str, divmod(int(*of), SECOND))]
        case "list":
            return [kind, [readable(item) for item in of[0]]]
        case "map":
            return [kind, [[readable(key), readable(item)] for key, item in of[0]]]
    return [kind, *of]


def made():
    rows, elements = [], []
    for name, values in ROWS:
        element = form.array(map(encode, values))
        elements.append(element)
        rows.append({"name": name, "values": [readable(value) for value in values], "element": element.hex()})
    about = ("Rows and their elements in the normal form of docs/ROWS.md, version 1, made by tests/vectors/rows.py with Python's cbor2; "
             "and the checksum of them all, made with blake3 and numpy. Floats are their 64 bits; times are seconds and nanoseconds.")
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    return f'{{\n"about": {json.dumps(about)},\n"rows": [\n{lines}\n],\n"checksum": "{form.checksum(elements)}"\n}}\n'


def check_page():
    """Every encoding that the page has under "Test values" is one that was made here."""
    known = {encode(value).hex() for _, values in ROWS for value in values} | {form.array(map(encode, values)).hex() for _, values in ROWS}
    shown = re.findall(r"`([0-9a-f]{2,})`", PAGE.read_text().split("## Test values")[1])
    if unknown := [text for text in shown if text not in known] or not shown and ["nothing"]:
        sys.exit(f"{PAGE} shows what cbor2 has not made here: {', '.join(unknown)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != made():
            sys.exit(f"{FILE} is not what cbor2 makes: see tests/vectors/rows.py")
        check_page()
        print(f"{FILE.name}: {len(ROWS)} rows as cbor2 makes them")
    elif not sys.argv[1:]:
        FILE.write_text(made())
    else:
        sys.exit(__doc__)

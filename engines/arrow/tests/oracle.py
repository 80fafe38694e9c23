#!/usr/bin/env python3
"""The rows of Parquet and Arrow IPC files by other libraries: pyarrow reads, cbor2 encodes, blake3 and numpy add up.

usage: oracle.py FILE...                        (*.parquet or *.arrow)
       oracle.py --by COLUMN FILE...
       oracle.py --to-parquet FOLDER FILE...    (*.arrow)

Prints, for each file, the number of rows and their checksum. tests/vectors/row_form.py of the repository has the form.
With --by, the files are one table: prints the same for each value of a column, in their order, and then for all rows.
With --to-parquet, pyarrow writes each file as two Parquet files, with and without Arrow's types in them, unless it cannot, and
their paths are printed.
"""
import collections
import pathlib
import sys

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "vectors"))
import row_form as form

types = pyarrow.types
NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def encode(scalar):
    """The encoding of a pyarrow scalar."""
    kind = scalar.type
    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        return encode(scalar.value) if scalar.is_valid else form.null()
    if not scalar.is_valid:
        return form.null()
    if types.is_boolean(kind):
        return form.boolean(scalar.as_py())
    if types.is_integer(kind):
        return form.integer(scalar.as_py())
    if types.is_floating(kind):
        return form.floating(scalar.as_py())
    if types.is_decimal(kind):
        # Not by as_py, which fails for some negative scales.
        bytes = pyarrow.array([scalar], kind).buffers()[1].to_pybytes()[: kind.byte_width]
        return form.decimal(int.from_bytes(bytes, "little", signed=True), kind.scale)
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return form.text(scalar.as_py())
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind) or types.is_fixed_size_binary(kind):
        return form.binary(scalar.as_py())
    if types.is_date32(kind):
        return form.date(scalar.value)
    if types.is_date64(kind):
        days, rest = divmod(scalar.value, 86_400_000)
        assert rest == 0
        return form.date(days)
    if types.is_timestamp(kind):
        nanoseconds = scalar.value * NANOSECONDS[kind.unit]
        return form.local_timestamp(nanoseconds) if kind.tz is None else form.timestamp(nanoseconds)
    if types.is_time(kind):
        return form.time(scalar.value * NANOSECONDS[kind.unit])
    if types.is_duration(kind):
        return form.duration(scalar.value * NANOSECONDS[kind.unit])
    if types.is_interval(kind):
        return form.interval(*scalar.as_py())
    if types.is_map(kind):
        return form.mapping((encode(entry[0]), encode(entry[1])) for entry in scalar.values)
    if types.is_struct(kind):
        return form.mapping((form.text(field.name), encode(scalar[index])) for index, field in enumerate(kind))
    if isinstance(scalar, pyarrow.ListScalar):
        return form.array(map(encode, scalar.values))
    raise TypeError(kind)


def read(path):
    if path.endswith(".parquet"):
        return pyarrow.parquet.read_table(path)
    with pyarrow.memory_map(path) as source:
        return pyarrow.ipc.open_file(source).read_all()


def checksums(paths):
    for path in paths:
        try:
            table = read(path)
        except (OSError, NotImplementedError, pyarrow.ArrowException) as error:
            print("not read:", " ".join(str(error).split()))
            continue
        print_checksum(rows(table))


def checksums_by(column, paths):
    groups, everything = collections.defaultdict(list), []
    for table in map(read, paths):
        elements = rows(table)
        everything += elements
        for key, element in zip(table[column].to_pylist(), elements):
            groups[key].append(element)
    for key in sorted(groups):
        print_checksum(groups[key])
    print_checksum(everything)


def rows(table):
    columns = [[encode(scalar) for scalar in column] for column in table.columns]
    return [form.array(row) for row in zip(*columns)] if columns else []


def print_checksum(elements):
    print(len(elements), form.checksum(elements))


def to_parquet(folder, paths):
    for path in paths:
        table = read(path)
        for types in ("arrow", "parquet"):
            target = pathlib.Path(folder, f"{pathlib.Path(path).stem} {types}.parquet")
            try:
                pyarrow.parquet.write_table(table, target, store_schema=types == "arrow", compression="none")
            except (OSError, NotImplementedError, pyarrow.ArrowException) as error:
                print(f"{target.stem}: {error}", file=sys.stderr)
            else:
                print(target)


if sys.argv[1] == "--to-parquet":
    to_parquet(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == "--by":
    checksums_by(sys.argv[2], sys.argv[3:])
else:
    checksums(sys.argv[1:])

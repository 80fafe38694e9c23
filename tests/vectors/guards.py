#!/usr/bin/env python3
"""Makes the guards of the published vectors, tests/vectors/guards.json, with Python's blake3.

usage: tests/vectors/guards.py [--check]    (with --check, compares the file instead)

Each guard is of a multiset whose limbs, computed here beside it, agree with those that sei.json or solana.json publish.
Needs blake3; ci/vectors.sh installs it.
"""
import json
import pathlib
import sys

from blake3 import blake3

HERE = pathlib.Path(__file__).parent
FILE = HERE / "guards.json"
NOTES = (
    "Guards of the vectors in sei.json and solana.json, by their names: the sum mod 2^128 of the first 16 bytes, little-endian, of each element's "
    "hash, as 32 hex digits, most significant first. Made by guards.py with Python's blake3, which also computes the limbs and compares them with the published ones."
)


class Multiset:
    """Limbs and guard of the elements that are mixed in or, by -1, out."""

    def __init__(self):
        self.limbs = [0] * 1024
        self.guard = 0

    def mix(self, element, times=1):
        digest = blake3(element).digest(length=2048)
        for i in range(1024):
            limb = int.from_bytes(digest[2 * i : 2 * i + 2], "little")
            self.limbs[i] = (self.limbs[i] + times * limb) % 2**16
        self.guard = (self.guard + times * int.from_bytes(digest[:16], "little")) % 2**128

    def copy(self):
        copy = Multiset()
        copy.limbs, copy.guard = self.limbs.copy(), self.guard
        return copy

    def checked(self, name, published):
        """The guard, in hex."""
        checksum = blake3(b"".join(limb.to_bytes(2, "little") for limb in self.limbs)).hexdigest()
        assert self.limbs[:8] == published["first_8_limbs"], name
        assert checksum == published["checksum"], name
        return f"{self.guard:032x}"


def of(*elements):
    multiset = Multiset()
    for element in elements:
        multiset.mix(element)
    return multiset


def generated(label, index, length):
    """The rule of the files for bytes that they do not spell out."""
    return blake3(label.encode() + index.to_bytes(4, "little")).digest(length=length)


def by_name(vectors, multiset_of):
    guards = {vector["name"]: multiset_of(vector).checked(vector["name"], vector) for vector in vectors}
    assert len(guards) == len(vectors)
    return guards


def record(key, value):
    """A record's serialized form, none if its key or value is empty."""
    return [b"".join(len(part).to_bytes(4, "little") + part for part in (key, value))] if key and value else []


def pairs(changeset):
    """Key, previous value and value of each of a changeset's entries, where absence is an empty value."""
    if "rule" in changeset:
        for i in range(changeset["count"]):
            yield (
                generated("key", i, 20 + i % 33),
                generated("old", i, 1 + i * 7 % 96) if i % 5 else b"",
                generated("new", i, 1 + i * 13 % 160) if i % 11 != 10 else b"",
            )
    for pair in changeset.get("pairs", []):
        value = None if pair["delete"] else pair["value"]
        yield tuple(bytes.fromhex(part or "") for part in (pair["key"], pair["last_value"], value))


def sei(published):
    def element(vector):
        return of(*record(bytes.fromhex(vector["key"]), bytes.fromhex(vector["value"])))

    states = {"identity": Multiset()}

    def state(changeset):
        multiset = states[changeset["prev"]].copy()
        for key, previous, value in pairs(changeset):
            for times, of_time in ((-1, previous), (1, value)):
                for serialized in record(key, of_time):
                    multiset.mix(serialized, times)
        states[changeset["name"]] = multiset
        return multiset

    return {"elements": by_name(published["elements"], element), "changesets": by_name(published["changesets"], state)}


def solana(published):
    def message(vector):
        return of(bytes.fromhex(vector["message"]) if "message" in vector else generated("msg", vector["len"], vector["len"]))

    accounts = Multiset()

    def account(vector):
        lamports = int(vector["lamports"])
        data = bytes.fromhex(vector["data"]) if "data" in vector else generated("data", 4, 10000)
        element = lamports.to_bytes(8, "little") + data + bytes([vector["executable"]])
        element += bytes.fromhex(vector["owner"]) + bytes.fromhex(vector["pubkey"])
        if not lamports:
            return Multiset()
        accounts.mix(element)
        return of(element)

    both = of(b"hello", b"world!")
    world = both.copy()
    world.mix(b"hello", -1)
    minus_hello = Multiset()
    minus_hello.mix(b"hello", -1)
    guards = {"messages": by_name(published["messages"], message), "accounts": by_name(published["accounts"], account)}
    for name, multiset in (
        ("state_of_accounts", accounts),
        ("hello_plus_world", both),
        ("hello_plus_world_minus_hello", world),
        ("identity_minus_hello", minus_hello),
    ):
        guards[name] = multiset.checked(name, published[name])
    return guards


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    guards = {"notes": NOTES}
    for name, compute in (("sei", sei), ("solana", solana)):
        guards[name] = compute(json.loads((HERE / f"{name}.json").read_text()))
    text = json.dumps(guards, indent=1) + "\n"
    if not sys.argv[1:]:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        sys.exit(f"{FILE} is not what {pathlib.Path(__file__).name} makes")


main()

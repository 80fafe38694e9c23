#!/usr/bin/env python3
"""Writes the published values of tests/vectors as a C header: crates/c/tests/vectors.py >vectors.h

The rules that these files give for long inputs, and keyed hashes, which they lack, are computed by the package blake3.
"""
import json
import pathlib

from blake3 import blake3

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "tests" / "vectors"
KEY = bytes(range(32))


def generated(label, index, length):
    return blake3(label.encode() + index.to_bytes(4, "little")).digest(length)


declared = {}


def sized(data):
    """An initialiser of lthash_bytes, whose bytes are declared in front of the table that has it."""
    if not data:
        return "{NULL, 0}"
    if data not in declared:
        declared[data] = f"bytes_{len(declared)}"
        print("static const uint8_t %s[] = {%s};" % (declared[data], ", ".join(map(str, data))))
    return "{%s, %d}" % (declared[data], len(data))


def expected(vector):
    limbs = ", ".join(map(str, vector["first_8_limbs"]))
    return "{{%s}, \"%s\"}" % (limbs, vector["checksum"])


def of_bytes(digest):
    limbs = [int.from_bytes(digest[i:i + 2], "little") for i in range(0, 16, 2)]
    return {"first_8_limbs": limbs, "checksum": blake3(digest).hexdigest()}


def optional(text):
    return bytes.fromhex(text or "")


def account(vector):
    data = generated("data", 4, 10000) if "data_rule" in vector else bytes.fromhex(vector["data"])
    return (int(vector["lamports"]).to_bytes(8, "little") + data + bytes([vector["executable"]])
            + bytes.fromhex(vector["owner"]) + bytes.fromhex(vector["pubkey"]))


def message(vector):
    if "message" in vector:
        return bytes.fromhex(vector["message"])
    return generated("msg", vector["len"], vector["len"])


def pair(vector):
    value = b"" if vector["delete"] else optional(vector["value"])
    return bytes.fromhex(vector["key"]), value, optional(vector["last_value"])


def pair_of_rule(i):
    """The rule that the changeset of 100 generated pairs gives."""
    return (generated("key", i, 20 + i % 33),
            b"" if i % 11 == 10 else generated("new", i, 1 + i * 13 % 160),
            b"" if i % 5 == 0 else generated("old", i, 1 + i * 7 % 96))


def table(declaration, rows):
    rows = list(rows)
    print(f"static const {declaration}[] = {{")
    for row in rows:
        print("    {%s}," % ", ".join(row))
    print("};\n")


def main():
    sei = json.loads((VECTORS / "sei.json").read_text())
    solana = json.loads((VECTORS / "solana.json").read_text())
    accounts = [vector for vector in solana["accounts"] if vector["lamports"] != "0"]
    print('#include "test.h"\n')

    messages = [(message(vector), vector) for vector in solana["messages"]]
    messages += [(account(vector), vector) for vector in accounts]
    messages += [(bytes.fromhex(vector["serialized"]), vector) for vector in sei["elements"] if vector["serialized"]]
    table("struct message messages", [(sized(element), expected(vector)) for element, vector in messages])
    table("struct message keyed", [
        (sized(element), expected(of_bytes(blake3(element, key=KEY).digest(2048)))) for element, _ in messages])
    print("static const uint8_t key[] = {%s};\n" % ", ".join(map(str, KEY)))

    table("struct message accounts", [(sized(account(vector)), expected(vector)) for vector in accounts])
    for name in ["hello_plus_world", "hello_plus_world_minus_hello", "identity_minus_hello", "state_of_accounts", "identity"]:
        print(f"static const struct expected {name} = {expected(solana[name])};")

    table("struct record records", [
        (sized(optional(vector["key"])), sized(optional(vector["value"])), sized(optional(vector["serialized"])), expected(vector))
        for vector in sei["elements"]])

    names = ["identity"]
    changesets = []
    for number, vector in enumerate(sei["changesets"]):
        if "pairs" in vector:
            pairs = [pair(entry) for entry in vector["pairs"]]
        else:
            pairs = [pair_of_rule(i) for i in range(vector["count"])] if "rule" in vector else []
        assert len(pairs) == vector["count"]
        mutations = "NULL"
        if pairs:
            mutations = f"mutations_{number}"
            table(f"lthash_mutation {mutations}", [[sized(field) for field in mutation] for mutation in pairs])
        changesets.append((f'"{vector["name"]}"', str(names.index(vector["prev"])), mutations, str(len(pairs)), expected(vector)))
        names.append(vector["name"])
    table("struct changeset changesets", changesets)


if __name__ == "__main__":
    main()

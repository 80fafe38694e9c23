#!/usr/bin/env python3
"""Lists the library's public interface, from rustdoc's JSON, and compares it with ci/public-api.txt.

usage: ci/public-api.py [--write]

The listing changes only on purpose: a change of the interface is made together with the listing (--write), where review
sees it. It has every item and every trait that a type implements itself; auto traits and blanket implementations are left
out. rustdoc's JSON is unstable: another version of its format is refused (FORMAT).

Every function must also be named in tests/stack.rs, which calls them on a small stack.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTING = ROOT / "ci" / "public-api.txt"
STACK_TEST = ROOT / "tests" / "stack.rs"
FEATURES = "std,rayon,serde,zeroize"
FORMAT = 57


def rustdoc():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    subprocess.run(
        ["cargo", "rustdoc", "--package", "lthash", "--quiet", "--lib", "--no-default-features", "--features", FEATURES, "--",
         "-Zunstable-options", "--output-format=json"],
        check=True, cwd=ROOT, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
    crate = json.loads((target / "doc" / "lthash.json").read_text())
    if crate["format_version"] != FORMAT:
        sys.exit(f"rustdoc's JSON has format {crate['format_version']}: this reads {FORMAT}. Look at both and set FORMAT.")
    return crate["index"], crate["root"]


def generic_args(args):
    if not args:
        return ""
    if "parenthesized" in args:
        args = args["parenthesized"]
        output = f" -> {type_name(args['output'])}" if args["output"] else ""
        return f"({', '.join(map(type_name, args['inputs']))}){output}"
    args = args["angle_bracketed"]
    parts = []
    for arg in args["args"]:
        (kind, value), = arg.items() if isinstance(arg, dict) else [("lifetime", "_")]
        parts.append({"lifetime": str, "type": type_name, "const": lambda c: c["expr"]}[kind](value))
    for constraint in args["constraints"]:
        binding = constraint["binding"]
        if "equality" in binding:
            parts.append(f"{constraint['name']} = {type_name(binding['equality']['type'])}")
        else:
            parts.append(f"{constraint['name']}: {bounds(binding['constraint'])}")
    return f"<{', '.join(parts)}>" if parts else ""


def path(value):
    return value["path"].split("::")[-1] + generic_args(value["args"])


def bounds(values):
    names = []
    for bound in values:
        if "outlives" in bound:
            names.append(bound["outlives"])
        elif "trait_bound" in bound:
            prefix = "?" if bound["trait_bound"]["modifier"] == "maybe" else ""
            names.append(prefix + path(bound["trait_bound"]["trait"]))
    return " + ".join(names)


def type_name(value):
    (kind, inner), = value.items()
    if kind == "resolved_path":
        return path(inner)
    if kind in ("generic", "primitive"):
        return inner
    if kind == "borrowed_ref":
        lifetime = f"{inner['lifetime']} " if inner["lifetime"] else ""
        return f"&{lifetime}{'mut ' if inner['is_mutable'] else ''}{type_name(inner['type'])}"
    if kind == "slice":
        return f"[{type_name(inner)}]"
    if kind == "array":
        return f"[{type_name(inner['type'])}; {inner['len']}]"
    if kind == "tuple":
        return f"({', '.join(map(type_name, inner))})"
    if kind == "impl_trait":
        return f"impl {bounds(inner)}"
    if kind == "dyn_trait":
        return f"dyn {' + '.join(path(t['trait']) for t in inner['traits'])}"
    if kind == "qualified_path":
        trait = f" as {path(inner['trait'])}" if inner["trait"] and inner["trait"]["path"] else ""
        self_type = type_name(inner["self_type"])
        return f"<{self_type}{trait}>::{inner['name']}" if trait else f"{self_type}::{inner['name']}"
    raise NotImplementedError(f"a type of kind {kind}")


def generics(value):
    parts = []
    for param in value["params"]:
        (kind, inner), = param["kind"].items()
        if kind == "lifetime":
            parts.append(param["name"])
        elif kind == "type" and not inner["is_synthetic"]:
            limit = bounds(inner["bounds"])
            parts.append(f"{param['name']}: {limit}" if limit else param["name"])
        elif kind == "const":
            parts.append(f"const {param['name']}: {type_name(inner['type'])}")
    where = [f"{type_name(w['bound_predicate']['type'])}: {bounds(w['bound_predicate']['bounds'])}"
             for w in value["where_predicates"] if "bound_predicate" in w]
    return f"<{', '.join(parts)}>" if parts else "", f" where {', '.join(where)}" if where else ""


def function(name, inner):
    header = "".join(f"{word} " for word in ("const", "async", "unsafe") if inner["header"][f"is_{word}"])
    params, where = generics(inner["generics"])
    inputs = ", ".join(f"{arg}: {type_name(value)}" for arg, value in inner["sig"]["inputs"])
    inputs = re.sub(r"^self: (&?(?:mut )?)Self\b", r"\1self", inputs)
    output = f" -> {type_name(inner['sig']['output'])}" if inner["sig"]["output"] else ""
    return f"{header}fn {name}{params}({inputs}){output}{where}"


class Listing:
    def __init__(self, index, root):
        self.index = index
        self.lines = [] # (the item's name, which orders them, and the text)
        self.module("lthash", self.item(root)["inner"]["module"])

    def item(self, number):
        return self.index[str(number)]

    def add(self, item, text):
        attributes = "#[non_exhaustive] " if "non_exhaustive" in item["attrs"] else ""
        self.lines.append((text[text.index("lthash::"):], f"{attributes}pub {text}"))

    def module(self, prefix, inner):
        for number in inner["items"]:
            self.visit(prefix, self.item(number))

    def visit(self, prefix, item):
        (kind, inner), = item["inner"].items()
        if kind == "use":
            return self.visit(prefix, self.item(inner["id"]))
        name = f"{prefix}::{item['name']}"
        if kind == "module":
            self.add(item, f"mod {name}")
            self.module(name, inner)
        elif kind == "function":
            self.add(item, function(name, inner))
        elif kind == "constant":
            self.add(item, f"const {name}: {type_name(inner['type'])}")
        elif kind in ("struct", "enum"):
            params, where = generics(inner["generics"])
            self.add(item, f"{kind} {name}{params}{where}")
            if kind == "enum":
                for variant in map(self.item, inner["variants"]):
                    self.add(variant, f"{name}::{variant['name']}{self.variant(variant['inner']['variant']['kind'])}")
            else:
                self.fields(name, inner["kind"])
            for implementation in map(self.item, inner["impls"]):
                self.implementation(name, implementation["inner"]["impl"])
        elif kind == "trait":
            params, where = generics(inner["generics"])
            self.add(item, f"trait {name}{params}{where}")
            for member in map(self.item, inner["items"]):
                self.add(member, function(f"{name}::{member['name']}", member["inner"]["function"]))
        else:
            raise NotImplementedError(f"{name}, an item of kind {kind}")

    def variant(self, kind):
        if kind == "plain":
            return ""
        if "tuple" in kind:
            return f"({', '.join(type_name(self.item(n)['inner']['struct_field']) for n in kind['tuple'])})"
        fields = map(self.item, kind["struct"]["fields"])
        return f" {{ {', '.join(f['name'] + ': ' + type_name(f['inner']['struct_field']) for f in fields)} }}"

    def fields(self, name, kind):
        if isinstance(kind, dict):
            numbers = kind["tuple"] if "tuple" in kind else kind["plain"]["fields"]
            for field in (self.item(n) for n in numbers if n is not None and str(n) in self.index):
                self.add(field, f"{name}.{field['name']}: {type_name(field['inner']['struct_field'])}")

    def implementation(self, name, inner):
        if inner["is_synthetic"] or inner["blanket_impl"]:
            return
        params, where = generics(inner["generics"])
        if inner["trait"]:
            if not inner["trait"]["path"].split("::")[-1].startswith("Structural"):
                implementor = type_name(inner["for"]).replace(name.split("::")[-1], name)
                text = f"impl{params} {path(inner['trait'])} for {implementor}{where}"
                self.lines.append((f"{name} {text}", text))
            return
        for member in map(self.item, inner["items"]):
            (kind, value), = member["inner"].items()
            if kind == "function":
                self.add(member, function(f"{name}::{member['name']}", value))
            else:
                self.add(member, f"const {name}::{member['name']}: {type_name(value['type'])}")


def main():
    listing = Listing(*rustdoc())
    text = "".join(f"{line}\n" for _, line in sorted(set(listing.lines)))
    if sys.argv[1:] == ["--write"]:
        LISTING.write_text(text)
        return 0
    functions = set(re.findall(r"^pub (?:const )?fn [\w:]*?(\w+)[<(]", text, re.MULTILINE))
    untried = functions - set(re.findall(r"\w+", STACK_TEST.read_text()))
    if untried:
        print("not in tests/stack.rs:", ", ".join(sorted(untried)))
        return 1
    recorded = LISTING.read_text()
    if text == recorded:
        print(f"{len(text.splitlines())} items, as recorded, {len(functions)} names of functions")
        return 0
    subprocess.run(["diff", "-u", "--label", "recorded", "--label", "now", str(LISTING), "-"], input=text, text=True)
    print("The public interface has changed. If that is meant: ci/public-api.py --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())

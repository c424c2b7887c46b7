#!/usr/bin/env python3
"""Compares the error catalogue (resources/errors) with the codes that CANN's public sources list.

usage: tests/catalogue_codes.py [--catalogue DIRECTORY] [--write-list FILE] [--add FILE] [SOURCE...]

A SOURCE is a file of CANN; its form is told by its content:
  rt_error_codes.h    the runtime's header: "#define ACL_ERROR_… 507035" or "… = 507035;"
  error_code.json     a registry: {"error_info_list": [{"ErrCode": "EE1001", "errTitle": …}]}
  *.cc                a registry inside a raw string of C++: error_registry.cc of ge, error_code.cc of hcomm
  cann_codes.json     a list that --write-list has written
Without a SOURCE, tests/data/cann_codes.json is used. Codes of warnings (W…) are left out.

The report says:
  - which codes have no entry (an entry's code is what its id has behind the family: "runtime-507035"),
  - which entries have a code that no source has,
  - how many entries with a code are class sentences: a title or meaning that, without the code, another entry with a
    code has too,
  - which texts (title, meaning, mend, in either language) two entries share.

The exit code is 1 if a code has no entry, if more than a fifth of the entries with a code are class sentences, or if a
text is shared; 2 if a file cannot be read; else 0.

  --catalogue DIRECTORY  directory of the catalogue's files (default: resources/errors)
  --write-list FILE      write the codes of the sources to FILE, numbers and names only, for use without the sources
  --add FILE             append an entry to FILE for each code that has none. Its texts are empty, so the tests of the
                         catalogue fail until somebody writes them. The file must be listed in errors.qrc.
"""
import argparse
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
CATALOGUE = TOP / "resources/errors"
LIST = TOP / "tests/data/cann_codes.json"
MOST_CLASS_SENTENCES = 0.2

LANGUAGES = ("en", "zh_CN")
TEXTS = ("title", "meaning", "mend")

RUNTIME_CODE = re.compile(r"\b(ACL_ERROR_\w+)(?:\s*=|\s*\\\s*\n)?\s*([1-5]07\d{3})\b")
RAW_STRING = re.compile(r'R"([^\s()]{0,16})\((.*?)\)\1"', re.DOTALL)
ERROR_CODE = re.compile(r"E[0-9A-Z][0-9]{4}|[1-5]07[0-9]{3}")

RUNTIME_PATTERN = r"(?i)(?:error[ _]code(?: is)?|errcode|retcode|\bret|result|failed)\s*[:=\[]?\s*%s\b"
RUNTIME_EXAMPLE = "RuntimeError: call:OpCommand.cpp:361 NPU function error: call failed, error code is %s"


class Codes:
    """The codes of the sources: runtime number -> name, E code -> title."""

    def __init__(self):
        self.runtime = {}
        self.errors = {}
        self.sources = []

    def __contains__(self, code):
        return code in self.runtime or code in self.errors

    def all(self):
        return sorted(self.runtime) + sorted(self.errors)

    def take_registry(self, document):
        found = {item["ErrCode"]: item.get("errTitle") or "" for item in document["error_info_list"]
                 if ERROR_CODE.fullmatch(item["ErrCode"])}
        self.errors = {**found, **self.errors}
        return len(found)

    def take_list(self, document):
        self.runtime.update(document["runtime"])
        self.errors = {**dict.fromkeys(document["E"], ""), **self.errors}
        self.sources += document["sources"]
        return len(document["runtime"]) + len(document["E"])

    def take(self, path):
        """Reads a source. Raises OSError, ValueError or KeyError if it is not usable."""
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json" and "error_info_list" not in text:
            if not self.take_list(json.loads(text)):
                raise ValueError("no error code found")
            return
        registries = [text] if path.suffix == ".json" else [
            raw for _, raw in RAW_STRING.findall(text) if "error_info_list" in raw]
        found = sum(self.take_registry(json.loads(registry)) for registry in registries)
        if not registries:
            numbers = {number: name for name, number in RUNTIME_CODE.findall(text)}
            self.runtime.update(numbers)
            found = len(numbers)
        if not found:
            raise ValueError("no error code found")
        self.sources.append(path.name)


def code_of(entry):
    """Returns the code in an entry's id, or None if the id has a name instead."""
    code = entry["id"].partition("-")[2]
    return code if ERROR_CODE.fullmatch(code) else None


def texts_of(entry):
    for key in TEXTS:
        text = entry[key]
        for language in LANGUAGES:
            yield key, language, text if isinstance(text, str) else text[language]


def read_catalogue(directory):
    entries = []
    for path in sorted(directory.glob("*.json")):
        entries += json.loads(path.read_text(encoding="utf-8"))["entries"]
    return entries


def class_sentences(entries):
    """Returns the ids of the coded entries whose title or meaning differs from another one's by the code only."""
    alike = defaultdict(set)
    for entry in entries:
        code = code_of(entry)
        if not code:
            continue
        for key, language, text in texts_of(entry):
            if key != "mend" and text:
                alike[key, language, text.replace(code, "")].add(entry["id"])
    return sorted(set().union(*(ids for ids in alike.values() if len(ids) > 1)))


def shared_texts(entries):
    places = defaultdict(set)
    for entry in entries:
        for _, _, text in texts_of(entry):
            if text:
                places[text].add(entry["id"])
    return sorted((sorted(ids), text) for text, ids in places.items() if len(ids) > 1)


def skeleton(code, codes):
    empty = {language: "" for language in LANGUAGES}
    if code in codes.runtime:
        entry = {"id": f"runtime-{code}", "pattern": RUNTIME_PATTERN % code, "example": RUNTIME_EXAMPLE % code,
                 "source": "CANN, rt_error_codes.h"}
    else:
        family = "hccl" if code[:2] in ("EI", "EJ") else "cann"
        quote = "'" if code[1] in "56789" else ""
        title = codes.errors[code] or "Error"
        entry = {"id": f"{family}-{code}", "pattern": rf"\b{code}(?:[):\[{quote} ]|$)",
                 "example": f"[PID: 4242] 2025-06-01-12:00:00.123.456 {title}({code}): ",
                 "source": "CANN, registry of error codes"}
    return {"id": entry["id"], "weight": 60, "pattern": entry["pattern"], "example": entry["example"],
            **{key: dict(empty) for key in TEXTS}, "commands": [], "source": entry["source"]}


def add_entries(path, missing, codes):
    document = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"entries": []}
    document["entries"] += [skeleton(code, codes) for code in missing]
    write_json(path, document)


def write_json(path, document):
    path.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def write_list(path, codes):
    """Writes the codes; a source that the file describes already keeps its description."""
    described = json.loads(path.read_text(encoding="utf-8"))["sources"] if path.exists() else []
    sources = [next((text for text in described if name in text), name) for name in codes.sources]
    write_json(path, {"runtime": dict(sorted(codes.runtime.items())), "E": sorted(codes.errors), "sources": sources})


def show(heading, lines):
    print(f"{heading}: {len(lines) or 'none'}")
    for line in lines:
        print(f"  {line}")


def report(codes, entries):
    """Prints the report. Returns the codes without an entry, and whether all is well."""
    own = {code_of(entry) for entry in entries} - {None}
    missing = [code for code in codes.all() if code not in own]
    classes = class_sentences(entries)
    shared = shared_texts(entries)
    coded = [entry for entry in entries if code_of(entry)]
    print(f"codes in the sources: {len(codes.runtime)} of the runtime, {len(codes.errors)} E codes")
    print(f"entries: {len(entries)}, with a code: {len(coded)}")
    show("codes without an entry", missing)
    show("entries with a code that no source has",
         sorted(entry["id"] for entry in coded if code_of(entry) not in codes))
    show("texts of several entries", [f"{', '.join(ids)}: {text}" for ids, text in shared])
    share = len(classes) / len(coded) if coded else 0
    print(f"class sentences: {len(classes)} of {len(coded)} ({share:.1%}, at most {MOST_CLASS_SENTENCES:.0%})")
    return missing, not missing and not shared and share <= MOST_CLASS_SENTENCES


def main():
    usage, _, rest = __doc__.partition("\n\nusage: ")
    parser = argparse.ArgumentParser(description=usage, usage=rest.partition("\n")[0],
                                     epilog=rest.partition("\n\n")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogue", type=Path, default=CATALOGUE, help=argparse.SUPPRESS)
    parser.add_argument("--write-list", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--add", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("sources", type=Path, nargs="*", default=[LIST], help=argparse.SUPPRESS)
    options = parser.parse_args()

    codes = Codes()
    for path in options.sources:
        try:
            codes.take(path)
        except (OSError, ValueError, KeyError) as problem:
            print(f"{path}: not a usable list of error codes: {problem}", file=sys.stderr)
            return 2
    try:
        entries = read_catalogue(options.catalogue)
    except (OSError, ValueError, KeyError) as problem:
        print(f"{options.catalogue}: not a usable catalogue: {problem}", file=sys.stderr)
        return 2

    missing, is_well = report(codes, entries)
    if options.write_list:
        write_list(options.write_list, codes)
    if options.add and missing:
        add_entries(options.add, missing, codes)
        print(f"{options.add}: {len(missing)} entries added; write their texts")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())

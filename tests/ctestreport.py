#!/usr/bin/env python3
"""Prints what tests/run.sh says before the closing lines of ctest.

usage: ctestreport.py STEPS [LASTTEST_LOG...]

How long each step took, the slowest tests, each test function that was skipped, with its reason, and what the tests that
failed said. STEPS is what step() in tests/run.sh wrote; a LASTTEST_LOG is the Testing/Temporary/LastTest.log of one run of
ctest.
"""
import re
import sys
from pathlib import Path

SLOWEST = 20
MOST_LINES = 40  # Of the output of one test that failed.


def seconds(text: str) -> float:
    """Of a word as the shell's `times` prints it: 1m2.5s."""
    minutes, rest = text.rstrip("s").split("m")
    return int(minutes) * 60 + float(rest)


def steps(file: Path):
    """(name, seconds, CPU seconds of both cores together, ccache's hits, its misses) of each step."""
    marks = []
    for mark in re.findall(r"^@ (\S+) (.*)\n.*\n(\S+) (\S+)\n", file.read_text(), re.MULTILINE):
        marks.append((float(mark[0]), mark[1], seconds(mark[2]) + seconds(mark[3])))
    for (began, name, before), (ended, _, after) in zip(marks, marks[1:]):
        if name != "end":
            log = file.with_name(name.split()[0] + ".ccache")
            said = log.read_text() if name.endswith(" build") and log.exists() else ""
            hits = len(re.findall("^(?:direct|preprocessed)_cache_hit$", said, re.MULTILINE))
            yield name, ended - began, after - before, hits, len(re.findall("^cache_miss$", said, re.MULTILINE))


def tests(log: str):
    """(name, seconds, output) of each test."""
    for part in re.split(r"^\d+/\d+ Testing: ", log, flags=re.MULTILINE)[1:]:
        took = re.search(r"^Test time = +([\d.]+) sec$", part, re.MULTILINE)
        yield part.split("\n", 1)[0], float(took.group(1)) if took else 0.0, part


def skipped(output: str):
    """(function, reason) of each function that Qt Test or Python's unittest skipped."""
    for name, reason in re.findall(r"^SKIP +: (\S.*?\)) (.*(?:\n(?! +Loc: ).*)*)\n +Loc: ", output, re.MULTILINE):
        yield re.sub(r"^.*::(?=\w+\()", "", name), " ".join(reason.split())
    for name, reason in re.findall(r"^(\w+) \([\w.]+\)(?:\n.*)? \.\.\. skipped ['\"](.*)['\"]$", output, re.MULTILINE):
        yield name, reason


def failure(output: str):
    """The lines about what failed, of the output of a test that did: Qt Test's words, else the last lines."""
    if not re.search(r"^Test Failed\.$", output, re.MULTILINE):
        return []
    said = output.split("\n<end of output>", 1)[0]
    found = re.findall(r"^FAIL!  : .*(?:\n(?!PASS|SKIP|FAIL!|Totals|Q?(?:INFO|DEBUG|WARN)).*)*", said, re.MULTILINE)
    return "\n".join(found).splitlines()[:MOST_LINES] or said.splitlines()[-MOST_LINES:]


def main() -> None:
    print("\nSteps:")
    for name, took, cpu, hits, misses in steps(Path(sys.argv[1])):
        cache = f"   ccache had {hits} of {hits + misses}" if hits + misses else ""
        print(f"{took:8.0f} s  {cpu:6.0f} CPU s  {name}{cache}")
    found = []
    for log in map(Path, sys.argv[2:]):
        found += [(log.parents[2].name, *test) for test in tests(log.read_text(errors="replace"))]
    if not found:
        return
    print(f"\nSlowest of {len(found)} tests:")
    for preset, name, took, _ in sorted(found, key=lambda test: -test[2])[:SLOWEST]:
        print(f"{took:8.1f} s  {preset:5} {name}")
    skips = [(preset, name, *skip) for preset, name, _, output in found for skip in skipped(output)]
    print(f"\nSkipped test functions: {len(skips)}")
    for preset, name, function, reason in sorted(skips):
        print(f"  {preset:5} {name} {function}: {reason}")
    for preset, name, _, output in found:
        lines = failure(output)
        if lines:
            print(f"\nFailed: {preset} {name}")
            print(*lines, sep="\n")
    print()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures what an edit costs, and with --fresh what a build from nothing costs.

usage: tests/bench/build/bench_build.py [--fresh]

Machines differ, so all is told in U: what `g++ -O2` needs here for a program of one line that includes nlohmann/json.
- An edit: a line more in a file of core/run/record, until its test has passed in preset dev. Wall time, on the cores
  that are idle.
- A fresh build of both programs in preset release, without ccache. Cpu time of all processes.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
TEST = "tst_journal"
EDITS = ["journal.cpp", "rundirectory.cpp", "journal.h", "runrecord.h", "runevent.h"]
os.environ["CCACHE_DISABLE"] = "1"


def run(*command: str) -> tuple:
    """Wall and cpu seconds, and what it printed."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def unit() -> float:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "unit.cpp"
        source.write_text('#include <nlohmann/json.hpp>\nint main() { return int(nlohmann::json::parse("[1]").size()); }\n')
        return min(run("g++", "-O2", "-o", f"{folder}/unit", str(source))[1] for _ in range(3))


def build() -> tuple:
    return run("cmake", "--build", "--preset", "dev", "--target", "test_run")


def edit(name: str, one: float):
    file = TOP / "core/run/record" / name
    text = file.read_text()
    try:
        file.write_text(text + "// A line more.\n")
        built, _, said = build()
        tested, _, _ = run("ctest", "--preset", "dev", "-R", f"^{TEST}$")
    finally:
        file.write_text(text)
    steps = said.count("Building CXX")
    print(f"{name}: {(built + tested) / one:.1f} U ({steps} sources; test {tested / one:.1f} U"
          f"{'; CMake ran again' if 'Re-running CMake' in said else ''})", flush=True)
    build()


def fresh(one: float):
    folder = TOP / "build/bench-release"
    shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "--preset", "release", "-B", str(folder), "-DCMAKE_CXX_COMPILER_LAUNCHER=")
    wall, cpu, _ = run("cmake", "--build", str(folder), "--target", "rankdeck", "rankdeckctl")
    print(f"Fresh release build: {cpu / one:.0f} U of cpu time, {wall / one:.0f} U until it was done", flush=True)
    shutil.rmtree(folder)


def main():
    run("cmake", "--preset", "dev", "-DCMAKE_CXX_COMPILER_LAUNCHER=")
    build()
    one = unit()
    print(f"U: {one:.1f} s", flush=True)
    for name in EDITS:
        edit(name, one)
    if "--fresh" in sys.argv[1:]:
        fresh(unit())


main()

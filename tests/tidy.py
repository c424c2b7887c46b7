#!/usr/bin/env python3
"""Runs clang-tidy on the sources of app, core and ui that have not passed yet as they are now.

usage: tests/tidy.py [--minutes N]

What passed is kept in ~/.cache/rankdeck/tidy (XDG_CACHE_HOME), outside the tree: one empty file, named by a hash of
everything that clang-tidy read. With --minutes it begins with no source after so many minutes: those that the last
commits changed come first, then others, different ones at each commit.
"""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
TOOL = "clang-tidy-14"
ROOTS = [TOP / top for top in ("core", "ui", "app")]
COMMITS = 20
KEPT_DAYS = 90


def output(*command: str) -> str:
    return subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8").stdout


def commands() -> dict:
    """The compile command of each source, without precompiled headers and a warning that are another compiler's. The
    headers of a room are looked at where they are, not behind the links that lead there."""
    text = (TOP / "build/dev/compile_commands.json").read_text()
    text = re.sub(r' -Winvalid-pch -include [^ ]+| -Wno-maybe-uninitialized', "", text)
    text = re.sub(r'"command": "[^ ]*ccache ', '"command": "', text)
    text = re.sub(r" -I{}/build/dev/rooms/[^ ]+".format(re.escape(str(TOP))), "", text)
    text = re.sub(r"( -std=)", "".join(f" -I{root}" for root in ROOTS) + r"\1", text)
    database = TOP / "build/tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(text)
    found = {Path(entry["file"]): entry["command"] for entry in json.loads(text)}
    return {file: found[file] for file in sorted(found) if any(root in file.parents for root in ROOTS)}


@lru_cache(maxsize=None)
def read(file: Path):
    """Hash of a file, and the files of ours that it includes."""
    text = file.read_bytes()
    included = set()
    for name in re.findall(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', text, re.MULTILINE):
        places = [folder / name.decode() for folder in [file.parent, *ROOTS]]
        included |= {place.resolve() for place in places if place.is_file()}
    return hashlib.sha256(text).hexdigest(), included


def everything_read(source: Path) -> set:
    files, new = set(), {source}
    while new:
        files |= new
        new = set().union(*(read(file)[1] for file in new)) - files
    return files


def keys() -> dict:
    """Of each source. Headers that are not ours change only with their packages."""
    packages = output("dpkg-query", "-W", "*-dev", "clang*", "libclang*") or output("rpm", "-qa")
    common = output(TOOL, "--version") + (TOP / ".clang-tidy").read_text() + packages
    result = {}
    for source, command in commands().items():
        key = hashlib.sha256((common + command.replace(str(TOP), "")).encode())
        for file in sorted(everything_read(source)):
            key.update(f"{file.relative_to(TOP)} {read(file)[0]}\n".encode())
        result[source] = key.hexdigest()
    return result


def in_turn(sources: list) -> list:
    """Those that the last commit changed first, then those of the commits before it."""
    def changed(commits: int) -> set:
        names = output("git", "log", "-n", str(commits), "--format=", "--name-only").split()
        return {str(Path(name).with_suffix("")) for name in names}
    last, recent = changed(1), changed(COMMITS)
    commit = output("git", "rev-parse", "HEAD")

    def order(source: Path):
        name = str(source.relative_to(TOP).with_suffix(""))
        return name not in last, name not in recent, hashlib.sha256((commit + name).encode()).hexdigest()
    return sorted(sources, key=order)


def passes(source: Path) -> bool:
    done = subprocess.run([TOOL, "-quiet", "-p", "build/tidy", str(source)], cwd=TOP, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
    if done.returncode == 0 and not re.search(r"(error|warning): ", done.stdout):
        return True
    print(done.stdout, file=sys.stderr, flush=True)
    return False


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float)
    minutes = parser.parse_args().minutes
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rankdeck/tidy"
    cache.mkdir(parents=True, exist_ok=True)
    known = keys()
    wanted = []
    for source, key in known.items():
        if (cache / key).exists():
            (cache / key).touch()
        else:
            wanted.append(source)
    print(f"clang-tidy: {len(known) - len(wanted)} of {len(known)} sources have passed before as they are.", flush=True)
    if minutes is not None:
        wanted = in_turn(wanted)
    last_begin = time.monotonic() + 60 * minutes if minutes is not None else None
    looked, failed = [], []

    def look(source: Path):
        if last_begin is not None and time.monotonic() >= last_begin:
            return
        looked.append(source)
        if passes(source):
            (cache / known[source]).touch()
        else:
            failed.append(source)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(look, wanted))
    if len(looked) < len(wanted):
        print(f"{len(wanted) - len(looked)} others wait for another commit. Looked at {len(looked)}:",
              *(str(source.relative_to(TOP)) for source in sorted(looked)), flush=True)
    for old in cache.iterdir():
        if old.stat().st_mtime < time.time() - KEPT_DAYS * 86400:
            old.unlink()
    if failed:
        print("clang-tidy is not content with", *(str(source.relative_to(TOP)) for source in sorted(failed)),
              file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

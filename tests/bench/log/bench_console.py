#!/usr/bin/env python3
"""How fast rankdeckctl prints what 8 ranks log, a prefix on every line, beside cat of the same bytes to the same place.

Once while the ranks write (a launch on the terminal), once from the logs as they are, and merged and folded. GB/s by
the clock and by cpu time, since other work may use the cores, and the most memory that was resident."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RANKS = 8
LINE_BYTES = 100


def lines_of_a_rank(count):
    """Lines of 100 bytes as Python's logging writes them, one a millisecond."""
    for number in range(count):
        ms = number % 1000
        second = number // 1000 % 60
        minute = number // 60000 % 60
        line = f"2025-04-07 15:{minute:02}:{second:02},{ms:03} - INFO - step {number}, loss 2.3456, "
        yield (line + "x" * (LINE_BYTES - 1 - len(line))).encode() + b"\n"


def measured(command, total, environment):
    """Wall and cpu seconds and MB resident of a command that prints to /dev/null."""
    begin = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    words = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit code {process.returncode}\n{words}")
    wall = time.monotonic() - begin
    return total / wall / 1e9, total / (usage.ru_utime + usage.ru_stime) / 1e9, usage.ru_maxrss / 1024


def check_whole_lines(rankdeckctl, count, environment):
    """Every line is printed once, whole, with a prefix, in the order of its rank."""
    reached = {}
    process = subprocess.Popen([rankdeckctl, "logs", "last"], env=environment, stdout=subprocess.PIPE)
    for line in process.stdout:
        prefix, separator, rest = line.partition(b"2025-")
        wanted = next(reached.setdefault(prefix, lines_of_a_rank(count)), None)
        if separator + rest != wanted:
            sys.exit(f"torn or out of order: {line!r}")
    if process.wait() != 0 or len(reached) != RANKS or any(next(lines, None) for lines in reached.values()):
        sys.exit("lines are missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankdeckctl", default="build/release/bin/rankdeckctl")
    parser.add_argument("--lines", type=int, default=1000000, help="of each rank")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many")
    options = parser.parse_args()
    rankdeckctl = str(Path(options.rankdeckctl).resolve())
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_STATE_HOME=folder + "/state", XDG_RUNTIME_DIR=folder)
        source = Path(folder) / "rank.txt"
        # A child's memory is counted from this program's, so that nothing large may be held here.
        with source.open("wb") as file:
            file.writelines(lines_of_a_rank(options.lines))
        total = RANKS * source.stat().st_size
        launch = [rankdeckctl, "processes", "--nproc", str(RANKS), "--", shutil.which("cat"), str(source)]
        logs = [rankdeckctl, "logs", "last"]
        print(f"{RANKS} ranks x {options.lines} lines of {LINE_BYTES} bytes, {total / 1e6:.0f} MB to /dev/null")
        print(f"{'':32}{'GB/s':>8}{'GB/s cpu':>10}{'MB':>8}")
        cases = [("cat FILES", [shutil.which("cat")] + [str(source)] * RANKS), ("launch, while ranks write", launch),
                 ("logs RUN", logs), ("logs --level error", logs + ["--level", "error"]),
                 ("logs --merge", logs + ["--merge"]), ("logs --fold", logs + ["--fold"])]
        if shutil.which("torchrun"):
            # torch 1.13 on Python 3.11 knows these two only rank by rank.
            streams = ",".join(f"{rank}:1" for rank in range(RANKS))
            cases.append(("torchrun, while ranks write",
                          ["torchrun", "--standalone", "--nproc_per_node", str(RANKS), "--redirects", streams,
                           "--tee", streams, "--log_dir", folder + "/torchrun", "--no_python", *launch[-2:]]))
        for name, command in cases:
            best = max(measured(command, total, environment) for _ in range(options.repeat))
            print(f"{name:32}{best[0]:8.2f}{best[1]:10.2f}{best[2]:8.0f}", flush=True)
        check_whole_lines(rankdeckctl, options.lines, environment)
        print("Every line was printed whole, in the order of its rank.")


if __name__ == "__main__":
    main()

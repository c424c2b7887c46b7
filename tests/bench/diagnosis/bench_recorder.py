#!/usr/bin/env python3
"""How long `rankdeckctl collectives` takes for the dumps of 256 ranks, 2,000 collectives each.

All ranks have the same dump of some 4 MB, with 15 frames for each collective, as torch's pickler writes it. Ends with
exit code 1 and a sentence when a goal is missed."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/diagnosis/recorder"))
import recorderdumps  # noqa: E402

RANKS, CALLS, DEEP = 256, 2000, 12
GOAL_SECONDS, GOAL_MEGABYTES = 2.0, 300


def make(folder):
    its = recorderdumps.Rank(0, {"0": ("default_pg", list(range(RANKS)))})
    for call in range(CALLS):
        its.call("all_reduce", 200 + call % 40)
    for entry in its.entries:
        entry["frames"] += [{"name": "layer_%d" % deep, "filename": "/home/me/project/model/layers_%d.py" % deep,
                             "line": deep} for deep in range(DEEP)]
    first = folder / "hccl_trace_rank_0"
    first.write_bytes(recorderdumps.torch_pickle(its.dump()))
    for rank in range(1, RANKS):
        os.link(first, folder / "hccl_trace_rank_{}".format(rank))
    return first.stat().st_size * RANKS / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankdeckctl", default=str(ROOT / "build/release/bin/rankdeckctl"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rankdeck-bench-") as name:
        folder = Path(name)
        megabytes = make(folder)
        best, memory = None, 0
        for _ in range(5):
            start = time.monotonic()
            process = subprocess.Popen([options.rankdeckctl, "collectives", name], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - start
            if status != 0:
                sys.exit("rankdeckctl collectives failed")
            best, memory = min(best or seconds, seconds), max(memory, usage.ru_maxrss / 1024)
    print("{:.0f} MB of {} dumps: {:.2f} s, the shortest of 5; {:.0f} MB resident".format(megabytes, RANKS, best, memory))
    if best > GOAL_SECONDS or memory > GOAL_MEGABYTES:
        sys.exit("The goal is {} s and {} MB.".format(GOAL_SECONDS, GOAL_MEGABYTES))


if __name__ == "__main__":
    main()

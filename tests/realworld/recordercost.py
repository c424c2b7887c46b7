"""What torch's flight recorder costs: the same all_reduce with it and without, in turn; see tests/realworld.sh.

In a rank (with RANK set): prints how long one all_reduce takes. Else: launches ranks with each, and prints the medians.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

SIZES = [4, 65536]  # Numbers of 4 bytes.
ROUNDS = 7
RANKS = 2


def rank():
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo")
    for size in SIZES:
        values = torch.ones(size)
        for _ in range(300):
            dist.all_reduce(values)
        begin = time.perf_counter()
        for _ in range(1500):
            dist.all_reduce(values)
        if dist.get_rank() == 0:
            print("{} {:.2f}".format(size, (time.perf_counter() - begin) / 1500 * 1e6), flush=True)


def main():
    parser = argparse.ArgumentParser(prog="tests/realworld.sh recorder")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    state = options.work / "measured"
    state.mkdir(mode=0o700, exist_ok=True)
    times = {(size, way): [] for size in SIZES for way in ("on", "off")}
    for _ in range(ROUNDS):
        for way in ("on", "off"):
            done = subprocess.run([options.program, "torchrun", "--nproc-per-node", str(RANKS), "--flight-recorder", way,
                                   "--no-python", "chroot", str(options.root), "python3", "/mnt/job/recordercost.py"],
                                  env=dict(os.environ, XDG_STATE_HOME=str(state), LC_ALL="C.UTF-8"), stdout=subprocess.PIPE,
                                  stdin=subprocess.DEVNULL, text=True, check=True)
            for line in done.stdout.splitlines():
                words = line.split("]:")[-1].split()
                times[int(words[0]), way].append(float(words[1]))
    for size in SIZES:
        on, off = (statistics.median(times[size, way]) for way in ("on", "off"))
        print("all_reduce of {} numbers, {} ranks, median of {}: {:.1f} us with the recorder, {:.1f} us without, {:+.1f} us"
              .format(size, RANKS, ROUNDS, on, off, on - off))


if __name__ == "__main__":
    sys.exit(rank() if "RANK" in os.environ else main())

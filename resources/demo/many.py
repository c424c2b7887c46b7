#!/usr/bin/env python3
"""Simulates many ranks in Rankdeck's demos: rank 0 writes into the logs of all ranks what they would print.

The other ranks are processes that wait, see many.sh. After some steps one of them is told to fail.
"""

import argparse
import os
import sys
import time

from train import Pace, loss_at

FAILURE = """Traceback (most recent call last):
  File "pretrain.py", line 412, in <module>
    train_step(model, batch)
  File "pretrain.py", line 287, in train_step
    loss.backward()
RuntimeError: NPU out of memory. Tried to allocate 2.50 GiB (NPU {device}; 60.97 GiB total capacity; 57.31 GiB \
already allocated; 57.31 GiB current active; 1.12 GiB free; 58.90 GiB reserved in total by PyTorch)
"""


class Logs:
    """The logs of all ranks, which are named alike: …/logs/RANK/stdout.log."""

    def __init__(self, own, rank):
        self.head, name = os.path.split(os.path.dirname(own))
        self.tail = os.path.basename(own)
        if name != str(rank):
            sys.exit("many.py: {} is not the log of rank {}; start it by Rankdeck's demo".format(own, rank))

    def write(self, rank, text):
        with open(os.path.join(self.head, str(rank), self.tail), "ab", buffering=0) as log:
            log.write(text.encode())

    def why(self):
        return os.path.join(self.head, "why")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=60, metavar="N", help="default: %(default)s")
    parser.add_argument("--rate", type=float, default=1.0, metavar="R", help="steps a second (default: %(default)s)")
    parser.add_argument("--fail-rank", type=int, default=-1, metavar="RANK", help="this rank fails; -1: none")
    parser.add_argument("--fail-step", type=int, default=40, metavar="STEP", help="after this step (default: %(default)s)")
    options = parser.parse_args(arguments)
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    logs = Logs(os.readlink("/proc/self/fd/1"), rank)
    for each in range(ranks):
        logs.write(each, "rank {} of {}, simulated\n".format(each, ranks))
    pace = Pace(options.rate)
    for step in range(1, options.steps + 1):
        pace.wait()
        for each in range(ranks):
            logs.write(each, "step: {}/{}, loss: {:.6f}\n".format(
                step, options.steps, loss_at(step, options.steps, each, 1)))
        if step == options.fail_step and 0 < options.fail_rank < ranks:
            os.mkfifo(logs.why(), 0o600)
            with open(logs.why(), "w", encoding="utf-8") as why:
                why.write(FAILURE.format(device=options.fail_rank % 8))
            time.sleep(3600)  # Its launcher ends it with the others.
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Eight ranks that stop in Python's debugger, for the demo of Rankdeck's terminals: no framework, no NPU.

Every rank takes its share of a data set and stops before each step. One of them has got another share than the
others, which nothing in its output shows. Ask all ranks at once:

    p len(batch)        who differs?
    p shard.first       and why?
    where, up, next, continue
"""

import os
from dataclasses import dataclass

SAMPLES = 1023  # One short of eight equal shares.
SHARE = 128
STEPS = 3


@dataclass
class Shard:
    """The part of the data set that one rank trains on: samples first .. end - 1."""

    first: int
    end: int

    def batch(self):
        return list(range(self.first, self.end))


def shard_of(rank):
    first = rank * SHARE
    return Shard(first, min(first + SHARE, SAMPLES))


def train_step(step, shard):
    batch = shard.batch()
    breakpoint()
    loss = sum(1.0 / (1 + sample) for sample in batch) / len(batch)
    print(f"step: {step}/{STEPS}, loss is {loss:.6f}", flush=True)
    return loss


def main():
    rank = int(os.environ.get("RANK_ID", "0"))
    shard = shard_of(rank)
    print(f"rank {rank} of {os.environ.get('RANK_SIZE', '1')} stops before each of {STEPS} steps", flush=True)
    for step in range(1, STEPS + 1):
        train_step(step, shard)


if __name__ == "__main__":
    main()

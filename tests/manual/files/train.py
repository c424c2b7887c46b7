"""What the commands of the manual launch: three steps, or one every 0.1 s until it is ended (--slow)."""

import itertools
import os
import sys
import time

rank = int(os.environ.get("RANK") or os.environ.get("RANK_ID") or 0)


def trainer(*numbers):
    return sum(numbers) + rank


def main():
    if "--fail-once" in sys.argv and rank == 0 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        sys.exit("this attempt fails")
    for step in itertools.count(1) if "--slow" in sys.argv else range(1, 4):
        print(f"step {step}/3 loss: {3 / step:.4f}", flush=True)
        time.sleep(0.1 if "--slow" in sys.argv else 0)


if __name__ == "__main__":
    main()

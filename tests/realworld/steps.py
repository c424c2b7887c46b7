"""Prints steps: steps.py COUNT [fails]."""
import os
import sys
import time

for step in range(int(sys.argv[1])):
    print("step {}/{} loss {:.4f}".format(step, sys.argv[1], 1 / (step + 1)), flush=True)
    time.sleep(0.1)
    if len(sys.argv) > 2 and step == 12 and os.environ["RANK"] == "1":
        raise ValueError("shard 7 is empty")

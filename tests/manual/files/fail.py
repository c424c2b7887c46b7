"""Rank 1 fails; rank 0 waits to be ended."""

import os
import time

if os.environ["RANK"] == "1":
    raise ValueError("batch 17 has 31 samples, expected 32")
time.sleep(600)

"""loudrank.py MEGABYTES_PER_SECOND SECONDS: prints steps of a training as fast, then how long it took.

It never prints faster; what the machine keeps it from printing in time it prints later.
"""
import os
import sys
import time

rate = float(sys.argv[1]) * 1e6
whole = int(rate * float(sys.argv[2]))
lines = bytearray()
step = 0
while len(lines) < 100_000:
    step += 1
    lines += b"epoch: 1 step: %d, loss is %.6f, per step time: %.3f ms\n" % (step, 9.0 / step, 400 + step % 50)
lines[99_999:] = b"\n"

started = time.monotonic()
printed = 0
while printed < whole:
    early = started + printed / rate - time.monotonic()
    if early > 0:
        time.sleep(early)
    printed += os.write(1, lines)
print(f"{printed} bytes in {time.monotonic() - started:.2f} s", flush=True)

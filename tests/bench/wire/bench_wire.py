#!/usr/bin/env python3
"""What the window sends to an X server at the other end of a network: a run of 8 ranks, all of their logs shown.

Starts an X server of its own (Xvfb, openbox), the window behind a proxy that counts, and prints a table with the budget
of each case. xterm -e tail -f of one such log is measured in the same run where xterm is installed. Exit code 1: a budget
was passed."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from xproxy import Proxy

HERE = Path(__file__).resolve().parent
# The device grid is in the window too and shows the last lines and how long each rank runs: of the budget at 1 line/s
# half is for the grid, half for the logs.
# Lines a second and rank, seconds to measure, most bytes a second; None: no budget, 0: nothing at all.
CASES = [("8 panes, 1,000 lines/s", 1000, 5, 90_000), ("8 panes, 10 lines/s", 10, 5, None),
         ("8 panes, 1 line/s", 1, 10, 4_000), ("run has ended, idle", None, 10, 0)]
SETTLE = 2.5  # s: for what comes later than the change it comes from.
SETTLE_IDLE = 8  # s: the status bar says every 3 s what was sent, until that is nothing.


def start_server(folder):
    read_end, write_end = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-listen", "tcp", "-screen", "0", "1600x1000x24"],
                              pass_fds=[write_end], stderr=subprocess.DEVNULL)
    os.close(write_end)
    with os.fdopen(read_end) as ready:
        display = int(ready.readline())
    environment = dict(os.environ, DISPLAY=f":{display}", XDG_CONFIG_HOME=str(folder))
    manager = subprocess.Popen(["openbox", "--sm-disable"], env=environment, stderr=subprocess.DEVNULL)
    return display, server, manager


class Window:
    def __init__(self, program, canvas, proxy):
        environment = dict(os.environ, DISPLAY=f"127.0.0.1:{proxy.display}", QT_QPA_PLATFORM="xcb")
        self.process = subprocess.Popen([program, canvas], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.expect_done()

    def expect_done(self):
        if self.process.stdout.readline().strip() != "done":
            sys.exit("the window has ended")

    def tell(self, command):
        print(command, file=self.process.stdin, flush=True)
        self.expect_done()

    def close(self):
        self.process.communicate("quit\n", timeout=30)


def measure(proxy, seconds, settle=SETTLE):
    time.sleep(settle)
    proxy.reset()
    time.sleep(seconds)
    return proxy.sent / seconds


def measure_window(options, proxy, canvas):
    window = Window(options.programs / "window", canvas, proxy)
    time.sleep(SETTLE)
    print(f"\n{canvas}: {proxy.sent:,} bytes until it is shown")
    passed = True
    for what, rate, seconds, budget in CASES:
        window.tell("end" if rate is None else f"print {rate}")
        sent = measure(proxy, seconds, SETTLE_IDLE if rate is None else SETTLE)
        kept = budget is None or canvas == "raster" or sent <= budget
        passed = passed and kept
        limit = "" if budget is None else f"  budget {budget:,}"
        print(f"  {what:28} {sent:12,.0f} bytes/s{limit if canvas != 'raster' else ''}{'' if kept else '  PASSED'}")
        if options.requests:
            for name, size in proxy.request_bytes.most_common(8):
                print(f"      {name:24} {proxy.requests[name]:8} requests {size / seconds:12,.0f} bytes/s")
    window.close()
    return passed


def measure_xterm(proxy, folder):
    log = folder / "log.txt"
    log.touch()
    environment = dict(os.environ, DISPLAY=f"127.0.0.1:{proxy.display}")
    terminal = subprocess.Popen(["xterm", "-geometry", "140x50", "-e", "tail", "-f", str(log)], env=environment,
                                stderr=subprocess.DEVNULL)
    time.sleep(SETTLE)
    print("\nxterm -e tail -f, one log")
    with log.open("a") as out:
        for rate in (1000, 10, 1):
            line = "2024-05-12 10:00:00,131 [INFO] [rank 0] step {}/100000 loss=2.01234 lr=1.0e-4 grad_norm=0.834 tokens/s=12345\n"
            proxy.reset()
            begin = time.monotonic()
            steps = min(rate, 20)
            for step in range(steps * 5):
                out.write("".join(line.format(step * 100 + at) for at in range(rate // steps)))
                out.flush()
                time.sleep(max(0.0, begin + (step + 1) / steps - time.monotonic()))
            print(f"  {rate:5} lines/s {proxy.sent / (time.monotonic() - begin):12,.0f} bytes/s")
    terminal.terminate()
    terminal.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="where the benchmark's window was built: build/dev/tests/bench/wire")
    parser.add_argument("--requests", action="store_true", help="also say which requests were sent")
    parser.add_argument("--canvas", choices=["raster", "glyphs"], action="append", help="only this one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        display, server, manager = start_server(folder)
        try:
            proxy = Proxy(("127.0.0.1", 6000 + display))
            passed = [measure_window(options, proxy, canvas) for canvas in options.canvas or ["glyphs", "raster"]]
            if shutil.which("xterm"):
                measure_xterm(proxy, Path(folder))
        finally:
            manager.terminate()
            server.terminate()
            manager.wait()
            server.wait()
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

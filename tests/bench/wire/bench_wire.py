#!/usr/bin/env python3
"""What the window sends to an X server at the other end of a network, how often it waits for it, and how soon it
answers: a run of 8 ranks, all of their logs shown.

Starts X servers of its own (Xvfb, openbox), one of them without trust as over `ssh -X`, and the window behind a proxy
that counts and delays. Each case has a budget; exit code 1: more bytes or frames were sent, or more round trips made,
than one allows. Times depend on the machine, and only say when they are missed. xterm -e tail -f of one such log is measured in the same run
where xterm is installed. Exit code 77: what this needs is not installed."""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from xproxy import Proxy
from xservers import Server
from xviewer import Viewer

# Lines a second and rank, seconds to measure, most bytes a second; None: no budget, 0: nothing at all. At 1 line/s half
# of the budget is for the device grid, which shows the last lines and how long each rank runs.
CASES = [("8 panes, 1,000 lines/s", "print 1000", 5, 90_000), ("8 panes, 10 lines/s", "print 10", 5, None),
         ("8 panes, 1 line/s", "print 1", 10, 4_000), ("8 panes without the grid, 1 line/s", "panes", 10, 2_000),
         ("device grid alone, 1 line/s", "grid", 10, 2_000)]
# No line is printed, but each second every value of every NPU and of its processes is another.
VALUE_CASES = [("device grid alone, nothing printed", "grid", 5, 500), ("8 NPUs sampled each second", "values", 10, 3_000),
               ("the same and 1 line/s", "print 1", 10, 4_000)]
QUICK_VALUE_CASES = [("device grid alone, nothing printed", "grid", 2, 500), ("8 NPUs sampled each second", "values", 4, 3_000)]
# In a window of its own: after a minute the list of runs says that it is a minute.
IDLE_CASES = [("run has ended, idle", "end", 10, 0)]
BITMAP_CASES = [("8 panes, 1,000 lines/s", "print 1000", 5, 1_000_000), ("8 panes, 10 lines/s", "print 10", 5, None),
                ("8 panes, 1 line/s", "print 1", 10, None)]
RASTER_CASES = [(what, command, seconds, None) for what, command, seconds, _ in CASES[:3]]
QUICK_CASES = [("8 panes, 1,000 lines/s", "print 1000", 2, 90_000), ("run has ended, idle", "end", 2, 0)]
QUICK_BITMAP_CASES = [("8 panes, 1,000 lines/s", "print 1000", 2, 1_000_000)]
# Round trips until nothing more happens, exactly, and what is asked beside them because of the window manager, which
# differs by a few. The window takes as many as one of Qt's in which there is nothing, and none more.
# A menu that closes takes 3 with Qt 6.4 and 4 with Qt 6.8.
START_CASES = [([], 59, 16), (["--fast-start"], 44, 16)]
SPLASH_ROUND_TRIPS = 2
ACTION_CASES = [("a page up in a log", "key", 0, 0), ("another log", "one", 0, 0), ("a smaller window", "resize", 0, 4),
                ("a menu opens", "menu", 8, 8), ("it closes", "unmenu", 4, 2), ("nothing", "nothing", 0, 0)]
# Most bytes for each key that is typed into a terminal, its echo and all else that is sent meanwhile.
KEY_BUDGET = 2_000
SETTLE = 2.5  # s: for what comes later than the change it comes from.
SETTLE_IDLE = 8  # s: the status bar says every 3 s what was sent, until that is nothing.
DELAY = 0.025  # s, each way.
SHORT_DELAY = 0.01
KEY_A, KEY_SHIFT, KEY_PAGE_UP = 38, 50, 112
LINE = ("2024-05-12 10:00:00,131 [INFO] [rank 0] step {}/100000 loss=2.01234 lr=1.0e-4 grad_norm=0.834 "
        "tokens/s=12345\n")


class Window:
    def __init__(self, program, canvas, server, proxy, *what):
        self.process = subprocess.Popen([program, canvas, *what], env=server.environment(proxy.display), text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.expect_done()

    def expect_done(self):
        words = self.process.stdout.readline().split()
        if words[:1] != ["done"]:
            sys.exit("the window has ended")
        return words[1:]

    def tell(self, command):
        print(command, file=self.process.stdin, flush=True)
        return self.expect_done()

    def close(self):
        self.process.communicate("quit\n", timeout=60)


class Flood:
    """Has another process write `rate` lines a second in all to the logs of a window."""

    WRITER = """
import itertools, sys, time
rate, names = int(sys.argv[1]), sys.argv[2:]
lines = rate // len(names) // 20
# Like lines would look as if nothing had come.
blocks = ["".join(%r.format(at) for at in range(lines * turn, lines * (turn + 1))).encode() for turn in range(50)]
files = [open(name, "ab", buffering=0) for name in names]
due = time.monotonic()
for block in itertools.cycle(blocks):
    for file in files:
        file.write(block)
    due = max(due + 0.05, time.monotonic() - 0.5)
    time.sleep(max(0.0, due - time.monotonic()))
""" % LINE

    def __init__(self, window, rate):
        self.writer = subprocess.Popen([sys.executable, "-c", self.WRITER, str(rate), *window.tell("logs")])

    def __enter__(self):
        time.sleep(SETTLE)

    def __exit__(self, *_):
        self.writer.terminate()
        self.writer.wait()


def say(what, value, unit, budget, digits=0):
    kept = budget is None or value <= budget
    limit = "" if budget is None else f"  at most {budget:,}"
    print(f"  {what:34} {value:12,.{digits}f} {unit}{limit}{'' if kept else '  PASSED'}", flush=True)
    return kept


def measure_bytes(options, server, proxy, canvas, cases):
    proxy.reset()
    window = Window(options.programs / "window", canvas, server, proxy)
    time.sleep(SETTLE)
    print(f"\n{canvas}: {proxy.sent:,} bytes until it is shown")
    kept = []
    for what, command, seconds, budget in cases:
        window.tell(command)
        time.sleep(SETTLE_IDLE if command == "end" else SETTLE)
        proxy.reset()
        time.sleep(seconds)
        kept.append(say(what, proxy.sent / seconds, "bytes/s", budget))
        if replies := sum(proxy.replies.values()):
            kept.append(say(what, replies, "round trips", 0))
        if options.requests:
            for name, size in proxy.request_bytes.most_common(8):
                print(f"      {name:24} {proxy.requests[name]:8} requests {size / seconds:12,.0f} bytes/s")
    window.close()
    return all(kept)


def measure_terminal_keys(options, server, proxy, viewer, keys=20):
    """One by one, as they are typed: each has come back from the log before the next."""
    window = Window(options.programs / "window", "glyphs", server, proxy, "terminals")
    window.tell("panes")
    place = [int(word) for word in window.tell("terminal")]
    time.sleep(SETTLE)
    viewer.press(KEY_SHIFT)
    settle(proxy)
    proxy.reset()
    for _ in range(keys):
        before = viewer.pixels(*place)
        viewer.press(KEY_A)
        seconds_until(lambda: viewer.pixels(*place) != before, time.monotonic())
    time.sleep(0.5)
    kept = say("a key in a terminal", proxy.sent / keys, "bytes", KEY_BUDGET)
    if options.requests:
        for name, size in proxy.request_bytes.most_common(8):
            print(f"      {name:24} {proxy.requests[name]:8} requests {size:12,} bytes")
    window.close()
    return kept


def measure_raster_flood(options, server, proxy):
    """Each frame is followed by one question whether the server has done with it."""
    window = Window(options.programs / "window", "raster", server, proxy)
    seconds = 10
    with Flood(window, 100_000):
        proxy.reset()
        time.sleep(seconds)
        frames, sent = proxy.requests["ChangeProperty"], proxy.sent
    window.close()
    # One more may begin in the time.
    kept = say("8 panes, 12,500 lines/s", (frames - 1) / seconds, "frames/s", 2, 1)
    say("8 panes, 12,500 lines/s", sent / seconds, "bytes/s", None)
    return kept


def seconds_until(condition, begin, most=60.0):
    while not condition():
        if time.monotonic() - begin > most:
            sys.exit("what was waited for has not come to the screen")
        time.sleep(0.001)
    return time.monotonic() - begin


@contextlib.contextmanager
def started(options, server, proxy, viewer, folder, arguments):
    """The program itself: its name, and after how many seconds its splash and its window were there."""
    home = tempfile.mkdtemp(dir=folder)
    environment = dict(server.environment(proxy.display), XDG_STATE_HOME=home, XDG_CONFIG_HOME=home,
                       XDG_RUNTIME_DIR=home)
    # In the middle of the screen the splash is seen, beside it the window.
    splash, beside = (800, 475, 4, 4), (500, 650, 8, 8)
    # The window of the case before may still be going.
    seconds_until(lambda: not viewer.has_windows(), time.monotonic())
    before = [viewer.pixels(*splash), viewer.pixels(*beside)]
    begin = time.monotonic()
    process = subprocess.Popen([options.programs.parents[2] / "bin" / "rankdeck", *arguments], env=environment,
                               stderr=subprocess.DEVNULL)
    first = seconds_until(lambda: viewer.pixels(*splash) != before[0], begin)
    usable = seconds_until(lambda: viewer.pixels(*beside) != before[1], begin)
    yield " ".join(["rankdeck", *arguments]), first, usable
    process.terminate()
    process.wait()
    seconds_until(lambda: viewer.pixels(*beside) == before[1], time.monotonic())


def measure_start(options, server, proxy, viewer, folder):
    proxy.delay = DELAY
    for arguments, *_ in START_CASES:
        with started(options, server, proxy, viewer, folder, arguments) as (name, first, usable):
            say(f"{name}: splash", first, "s", 0.25, 2)
            say(f"{name}: window", usable, "s", 4.0, 2)
    proxy.delay = 0


def say_round_trips(options, what, counted, budget, manager_budget):
    kept = [say(what, counted.round_trips, "round trips", budget)]
    if counted.manager_questions or manager_budget:
        kept.append(say("  because of the window manager", counted.manager_questions, "round trips", manager_budget))
    if options.requests:
        print("     ", dict(counted.replies))
    return all(kept)


def settle(proxy):
    """Until no reply has come for some time."""
    seen = -1
    while seen != (seen := sum(proxy.replies.values())):
        time.sleep(1.5)


def measure_start_round_trips(options, server, proxy, viewer, folder):
    kept = []
    proxy.delay = SHORT_DELAY
    for arguments, budget, manager_budget in START_CASES:
        proxy.connections.clear()
        with started(options, server, proxy, viewer, folder, arguments) as (name, _, _):
            settle(proxy)
            splash, window = proxy.connections
            kept.append(say(f"{name}: splash", splash.round_trips, "round trips", SPLASH_ROUND_TRIPS))
            kept.append(say_round_trips(options, f"{name}: window", window, budget, manager_budget))
    proxy.delay = 0
    return all(kept)


def measure_action_round_trips(options, server, proxy, viewer):
    kept = []
    window = Window(options.programs / "window", "best", server, proxy)
    time.sleep(SETTLE)
    place = [int(word) for word in window.tell("scroll")]
    # The first key of another keyboard, as ours is to the server, has Qt read the keyboard's layout: 18 round trips.
    viewer.press(KEY_SHIFT)
    proxy.delay = SHORT_DELAY
    settle(proxy)
    for what, command, budget, manager_budget in ACTION_CASES:
        before = viewer.pixels(*place)
        proxy.reset()
        if command == "key":
            viewer.press(KEY_PAGE_UP)
        elif command != "nothing":
            window.tell(command)
        if command != "nothing":
            seconds_until(lambda: viewer.pixels(*place) != before, time.monotonic())
        settle(proxy)
        kept.append(say_round_trips(options, what, proxy, budget, manager_budget))
    proxy.delay = 0
    window.close()
    return all(kept)


def measure_keys(options, server, proxy, viewer, rate=8_000):
    window = Window(options.programs / "window", "best", server, proxy)
    place = [int(word) for word in window.tell("find")]
    waits = []
    with Flood(window, rate):
        proxy.delay = DELAY
        # The first key of another keyboard, as ours is to the server, has Qt read the keyboard's layout: 18 round trips.
        viewer.press(KEY_SHIFT)
        time.sleep(SETTLE)
        for key in range(20):
            time.sleep(0.15 + key * 37 % 100 / 1000)
            before = viewer.pixels(*place)
            begin = time.monotonic()
            viewer.press(KEY_A)
            waits.append(seconds_until(lambda: viewer.pixels(*place) != before, begin) * 1000)
    proxy.delay = 0
    window.close()
    waits.sort()
    say("key to pixel under flood, median", waits[len(waits) // 2], "ms", 2000 * DELAY + 10)
    say("the same, longest of 20", waits[-1], "ms", 2000 * DELAY + 10)


def measure_loop(options, server, proxy):
    window = Window(options.programs / "window", "best", server, proxy)
    with Flood(window, 100_000):
        window.tell("ticks")
        time.sleep(10)
        percentile, longest = (float(word) for word in window.tell("ticks"))
    window.close()
    say("tick of 1 ms, 99 % within", percentile, "ms", 5.0, 1)
    say("the same, longest", longest, "ms", None, 1)


def measure_xterm(server, proxy, folder):
    log = folder / "log.txt"
    log.touch()
    terminal = subprocess.Popen(["xterm", "-geometry", "140x50", "-e", "tail", "-f", str(log)],
                                env=server.environment(proxy.display), stderr=subprocess.DEVNULL)
    time.sleep(SETTLE)
    print("\nxterm -e tail -f, one log")
    with log.open("a") as out:
        for rate in (1000, 10, 1):
            proxy.reset()
            begin = time.monotonic()
            steps = min(rate, 20)
            for step in range(steps * 5):
                out.write("".join(LINE.format(step * 100 + at) for at in range(rate // steps)))
                out.flush()
                time.sleep(max(0.0, begin + (step + 1) / steps - time.monotonic()))
            say(f"{rate:,} lines/s", proxy.sent / (time.monotonic() - begin), "bytes/s", None)
    terminal.terminate()
    terminal.wait()


def measure(options):
    kept = []
    parts = [options.only] if options.only else ["bytes", "round-trips"] if options.quick else ["bytes", "round-trips", "times"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Server(folder / "trusting") as server:
            proxy = Proxy(("127.0.0.1", 6000 + server.display))
            viewer = Viewer(server.display)
            seconds_until(viewer.has_manager, time.monotonic())
            if "bytes" in parts:
                kept.append(measure_bytes(options, server, proxy, "glyphs", QUICK_CASES if options.quick else CASES))
                kept.append(measure_bytes(options, server, proxy, "glyphs", QUICK_VALUE_CASES if options.quick else VALUE_CASES))
                kept.append(measure_terminal_keys(options, server, proxy, viewer))
            if "bytes" in parts and not options.quick:
                kept.append(measure_bytes(options, server, proxy, "glyphs", IDLE_CASES))
                kept.append(measure_bytes(options, server, proxy, "raster", RASTER_CASES))
                kept.append(measure_raster_flood(options, server, proxy))
                if shutil.which("xterm"):
                    measure_xterm(server, proxy, folder)
            if "round-trips" in parts:
                print("\nround trips, until nothing more happens")
                kept.append(measure_start_round_trips(options, server, proxy, viewer, folder))
                kept.append(measure_action_round_trips(options, server, proxy, viewer))
            if "times" in parts:
                print("\ntimes; a round trip takes 50 ms")
                measure_start(options, server, proxy, viewer, folder)
                measure_keys(options, server, proxy, viewer)
                measure_loop(options, server, proxy)
        if "bytes" in parts:
            with Server(folder / "untrusting", trusts=False) as server:
                proxy = Proxy(("127.0.0.1", 6000 + server.display))
                server.admit(proxy.display)
                print("\non a display that does not trust us", end="")
                cases = QUICK_BITMAP_CASES if options.quick else BITMAP_CASES
                kept.append(measure_bytes(options, server, proxy, "best", cases))
                if not options.quick:
                    kept.append(measure_bytes(options, server, proxy, "best", IDLE_CASES))
    return all(kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, nargs="+",
                        help="where the benchmark's window was built: build/check/tests/bench/wire; several of them, of "
                             "different versions, are measured in turn")
    parser.add_argument("--rounds", type=int, default=1, help="how often each is measured (1)")
    parser.add_argument("--requests", action="store_true", help="also say which requests were sent")
    parser.add_argument("--quick", action="store_true", help="only what takes seconds and depends on no machine")
    parser.add_argument("--only", choices=["bytes", "round-trips", "times"], help="a part of it")
    options = parser.parse_args()
    if missing := [name for name in ("Xvfb", "openbox", "xauth") if not shutil.which(name)]:
        print(f"skipped: {', '.join(missing)} not installed")
        return 77
    kept = []
    versions = options.programs
    for options.programs in versions * options.rounds:
        if len(versions) > 1:
            print(f"\n== {options.programs}")
        kept.append(measure(options))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())

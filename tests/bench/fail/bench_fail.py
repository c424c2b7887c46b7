#!/usr/bin/env python3
"""How long launchers take to end a run of which one rank fails.

Rank 3 of N exits with 3 while the others sleep; each rank has a child in its process group and a grandchild in a
session of its own, whose parent is gone. In ms from that exit, medians: until the launcher says so (for rankdeckctl,
until the event is in the journal; for others, until their first line), until all other ranks are dead, until all
children and grandchildren are, and until the command has returned; and how many processes are left a second later."""

import argparse
import ctypes
import json
import os
import platform
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOARD = struct.Struct("=IIq")  # as in rank.cpp
PIDS = struct.Struct("=iii")
FAILING = 3
LIMIT = 40.0  # s: torchrun gives ranks 30 to end.
IN_MODIFY = 2
libc = ctypes.CDLL(None, use_errno=True)


def commands(options, count, board):
    rank = [str(options.programs / "rank"), str(board)]
    yield "rankdeckctl", [str(options.rankdeckctl), "processes", "--nproc", str(count), "--", *rank]
    loop = 'n=$1; shift; while [ "$n" -gt 0 ]; do "$@" & n=$((n - 1)); done; wait -n; code=$?; kill $(jobs -p); exit $code'
    yield "shell, wait -n and kill", ["bash", "-c", loop, "bash", str(count), *rank]
    if shutil.which("mpirun") and not options.no_peers:
        yield "mpirun", ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(count), *rank]
    if shutil.which("torchrun") and not options.no_peers:
        # torch 1.13 on Python 3.11 knows no other numbers than 1 and 2 in these two.
        yield "torchrun", ["torchrun", "--standalone", "--nproc_per_node", str(count), "--redirects", "0:1",
                           "--tee", "0:1", "--monitor_interval", "0.1",
                           "--log_dir", str(board.parent / "torchrun"), "--no_python", *rank]


def wait_for_ranks(board, count, process):
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline and process.poll() is None:
        pids = list(PIDS.iter_unpack(board.read_bytes()[BOARD.size:]))
        if all(all(of) for of in pids):
            return pids
        time.sleep(0.01)
    sys.exit(f"{process.args[0]}: the ranks did not start")


class Watch:
    """Waits for the ends of processes and for files to be written, and notes when it heard of them."""

    def __init__(self):
        self.poll = select.poll()
        self.names = {}
        self.heard = []

    def add(self, descriptor, name):
        self.names[descriptor] = name
        self.poll.register(descriptor, select.POLLIN)

    def add_process(self, pid, name):
        self.add(os.pidfd_open(pid), name)

    def events(self, deadline):
        """(time, name) of each; one that has ended is not waited for again."""
        while self.names and time.monotonic() < deadline:
            ready = self.poll.poll(max(0, deadline - time.monotonic()) * 1000)
            now = time.monotonic_ns()
            for descriptor, _ in ready:
                yield now, self.names[descriptor], descriptor

    def remove(self, descriptor):
        self.poll.unregister(descriptor)
        del self.names[descriptor]
        self.heard.append(descriptor)

    def close(self):
        """Not before the end: closing an inotify descriptor takes the kernel 10 ms and more."""
        for descriptor in [*self.names, *self.heard]:
            os.close(descriptor)


def hear_first(first):
    """Under chrt: be woken before the programs that are measured, whose priority is what chrt gave."""
    policy = os.sched_getscheduler(0)
    if policy in (os.SCHED_RR, os.SCHED_FIFO):
        os.sched_setscheduler(0, policy, os.sched_param(2 if first else 1))


def journal_of(state):
    found = sorted(state.glob("rankdeck/runs/*/journal.jsonl"), key=lambda path: path.stat().st_mtime)
    return found[-1] if found else None


def says_that_a_rank_ended(journal):
    return any(json.loads(line)["event"] == "process-exited" for line in journal.read_text().splitlines())


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def measure(name, command, count, board, state):
    board.write_bytes(bytes(BOARD.size + PIDS.size * count))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    pids = wait_for_ranks(board, count, process)
    hear_first(True)
    watch = Watch()
    journal = journal_of(state) if name == "rankdeckctl" else None
    if journal:
        report = libc.inotify_init1(os.O_NONBLOCK)
        libc.inotify_add_watch(report, os.fsencode(journal), IN_MODIFY)
    else:
        report = os.dup(process.stderr.fileno())
        os.set_blocking(report, False)
    time.sleep(0.3)  # All that was to be said of the start has been said.
    try:
        os.read(report, 1 << 20)
    except BlockingIOError:
        pass
    watch.add(report, "report")
    watch.add_process(process.pid, "returned")
    failing = pids[FAILING][0]
    for rank, child, grandchild in pids:
        if rank != failing:
            watch.add_process(rank, "ranks")
        watch.add_process(child, "children")
        watch.add_process(grandchild, "children")
    os.kill(failing, signal.SIGUSR1)

    heard = {}
    for now, what, descriptor in watch.events(time.monotonic() + LIMIT):
        heard[what] = now
        if what == "report" and journal:
            os.read(descriptor, 1 << 16)
            if not says_that_a_rank_ended(journal):
                continue
        watch.remove(descriptor)
        # What is left when the command has returned has a second more.
        if what == "returned":
            break
    for now, what, descriptor in watch.events(time.monotonic() + 1):
        heard.setdefault("report", now) if what == "report" else heard.__setitem__(what, now)
        watch.remove(descriptor)
    left = [pid for of in pids for pid in of if is_alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    watch.close()
    process.communicate()
    hear_first(False)
    failed_at = BOARD.unpack_from(board.read_bytes())[2]
    times = {what: (now - failed_at) / 1e6 for what, now in heard.items()}
    return times, len(left), process.returncode


def main():
    build = HERE.parents[2] / "build" / "dev"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankdeckctl", type=Path, default=build / "bin" / "rankdeckctl")
    parser.add_argument("--programs", type=Path, default=build / "tests" / "bench" / "fail", help="where rank was built")
    parser.add_argument("--sizes", type=int, nargs="*", default=[8, 64], help="numbers of ranks, 4 at least")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-peers", action="store_true", help="without mpirun and torchrun")
    options = parser.parse_args()
    options.rankdeckctl, options.programs = options.rankdeckctl.resolve(), options.programs.resolve()

    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{os.cpu_count()} cpus, {platform.machine()}, Linux {platform.release()}, load {load}")
    with tempfile.TemporaryDirectory(prefix="bench-fail-") as folder:
        state = Path(folder)
        os.environ.update(XDG_STATE_HOME=folder, XDG_RUNTIME_DIR=folder, OMP_NUM_THREADS="1")
        found = {}
        for _ in range(options.rounds):
            for count in options.sizes:
                for name, command in commands(options, count, state / "board"):
                    found.setdefault((count, name), []).append(measure(name, command, count, state / "board", state))
    print(f"ms from the exit of rank {FAILING}; medians of {options.rounds}")
    print(f"{'N':>4} {'':24}{'reported':>10}{'ranks':>10}{'children':>10}{'returned':>10}  code  left")
    for (count, name), rounds in found.items():
        cells = ""
        for what in ("report", "ranks", "children", "returned"):
            times = [of[what] for of, _, _ in rounds if what in of]
            cells += f"{statistics.median(times):10.1f}" if times else f"{'-':>10}"
        print(f"{count:4} {name:24}{cells}  {rounds[-1][2]:4}  {max(left for _, left, _ in rounds):4}")


if __name__ == "__main__":
    main()

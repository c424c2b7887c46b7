#!/usr/bin/env python3
"""How long launchers take: from the command to the first instruction of the last of N ranks.

All in one run and in turn, so that a machine whose speed drifts does so for all of them; medians, and their ratios to
the floor, a loop of posix_spawn in a program of its own. Then what keeper, guardian, supervisor and agent cost while 8
ranks sleep. With --keeper also what the keeper costs a launch of 256 ranks: in pairs, with it and without it."""

import argparse
import json
import os
import platform
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOARD = struct.Struct("=II")  # as in rank.cpp
KEEPER_RANKS = 256
KEEPER_GOAL = 1.05  # of the time without it


class Launchers:
    """The command lines that start N ranks each."""

    def __init__(self, rankdeckctl, programs, with_peers):
        self.rank = str(programs / "rank")
        self.spawnloop = str(programs / "spawnloop")
        self.rankdeckctl = str(rankdeckctl)
        self.peers = [name for name in ("mpirun", "torchrun") if with_peers and shutil.which(name)]

    def commands(self, count, board):
        rank = [self.rank, str(board), str(count)]
        yield "posix_spawn loop", [self.spawnloop, str(count), *rank]
        loop = 'n=$1; shift; while [ "$n" -gt 0 ]; do "$@" & n=$((n - 1)); done; wait'
        yield "shell loop", ["sh", "-c", loop, "sh", str(count), *rank]
        yield "rankdeckctl", [self.rankdeckctl, "processes", "--nproc", str(count), "--", *rank]
        if "mpirun" in self.peers:
            yield "mpirun", ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(count), *rank]
        if "torchrun" in self.peers:
            # torch 1.13 on Python 3.11 knows no other numbers than 1 and 2 in these two.
            yield "torchrun", ["torchrun", "--standalone", "--nproc_per_node", str(count), "--redirects", "0:1",
                               "--tee", "0:1", "--monitor_interval", "0.1",
                               "--log_dir", str(board.parent / "torchrun"), "--no_python", *rank]


def first_instructions(command, count, board, environment=None):
    """Milliseconds from the command to the first instruction of the last rank."""
    size = BOARD.size + 8 * count
    board.write_bytes(bytes(size))
    begin = time.monotonic_ns()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env=environment)
    words = process.communicate()[1].decode(errors="replace")
    arrived, complete = BOARD.unpack_from(board.read_bytes())
    if process.returncode != 0 or arrived != count or not complete:
        sys.exit(f"{command[0]}: exit code {process.returncode}, {arrived} of {count} ranks started\n{words}")
    return (max(struct.unpack_from(f"={count}q", board.read_bytes(), BOARD.size)) - begin) / 1e6


def compare(launchers, sizes, rounds, board):
    times = {}
    for _ in range(rounds):
        for count in sizes:
            for name, command in launchers.commands(count, board):
                times.setdefault(name, {}).setdefault(count, []).append(first_instructions(command, count, board))
    medians = {name: {count: statistics.median(of[count]) for count in sizes} for name, of in times.items()}
    floor = medians["posix_spawn loop"]
    print(f"ms to the last rank's first instruction, and how many times the floor; medians of {rounds}")
    print(f"{'N':20}" + "".join(f"{count:>18}" for count in sizes))
    for name, of in medians.items():
        print(f"{name:20}" + "".join(f"{of[n]:10.1f} ({of[n] / floor[n]:4.2f})" for n in sizes))


def compare_keeper(launchers, programs, pairs, board):
    """The same launch with and without a keeper, each first in every other pair. Exits with 1 when the goal is missed."""
    command = dict(launchers.commands(KEEPER_RANKS, board))["rankdeckctl"]
    base = {**os.environ, "LD_PRELOAD": str(programs / "nokeeper.so")}
    environments = {"with": base, "without": {**base, "NO_KEEPER": "1"}}
    times = {name: [] for name in environments}
    for pair in range(pairs):
        for name in sorted(environments, reverse=pair % 2 == 0):
            times[name].append(first_instructions(command, KEEPER_RANKS, board, environments[name]))
    print(f"\nms to the first instruction of the last of {KEEPER_RANKS} ranks, {pairs} pairs: median, shortest")
    for name, of in times.items():
        print(f"{name + ' a keeper':20}{statistics.median(of):10.1f}{min(of):10.1f}")
    ratio = statistics.median(one / other for one, other in zip(times["with"], times["without"]))
    shortest = min(times["with"]) / min(times["without"])
    print(f"ratio: {ratio:.3f} by the median of the pairs, {shortest:.3f} by the shortest (goal: {KEEPER_GOAL})")
    if min(ratio, shortest) > KEEPER_GOAL:
        sys.exit("The keeper costs more than its goal.")


def cpu_seconds(pid):
    """On a cpu so far, all threads; finer than the clock ticks of /proc/PID/stat."""
    return sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def memory(pid, what):
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(what + ":")) / 1024


def journal(run):
    return [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]


def watch(rankdeckctl, seconds, state):
    launch = [str(rankdeckctl), "processes", "--nproc", "8", "--detach", "--", "sleep", "3600"]
    name = subprocess.run(launch, check=True, capture_output=True, text=True).stdout.strip()
    run = state / "rankdeck" / "runs" / name
    try:
        started = []
        while len(started) < 8:
            time.sleep(0.1)
            events = journal(run) if (run / "journal.jsonl").exists() else []
            started = [event for event in events if event["event"] == "process-started"]
        agent = next(event["pid"] for event in events if event["event"] == "agent-started")
        record = json.loads((run / "run.json").read_text())
        guardian = record["guardian"]["pid"]
        keeper = int(Path(f"/proc/{guardian}/stat").read_text().rpartition(")")[2].split()[1])
        pids = {"keeper": keeper, "guardian": guardian, "supervisor": record["supervisor"]["pid"], "agent": agent}
        time.sleep(1)  # The start is over.
        before = {role: cpu_seconds(pid) for role, pid in pids.items()}
        time.sleep(seconds)
        cpu = {role: cpu_seconds(pid) - before[role] for role, pid in pids.items()}
        resident = {role: memory(pid, "Rss") for role, pid in pids.items()}
        proportional = {role: memory(pid, "Pss") for role, pid in pids.items()}
    finally:
        subprocess.run([str(rankdeckctl), "stop", name, "--kill"], check=False, capture_output=True)
    print(f"\n8 sleeping ranks for {seconds} s {'cpu s':>10}{'RSS MB':>10}{'PSS MB':>10}")
    for role in pids:
        print(f"{role:28}{cpu[role]:8.3f}{resident[role]:10.1f}{proportional[role]:10.1f}")
    print(f"{'together':28}{sum(cpu.values()):8.3f}{sum(resident.values()):10.1f}{sum(proportional.values()):10.1f}")


def main():
    build = HERE.parents[2] / "build" / "dev"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankdeckctl", type=Path, default=build / "bin" / "rankdeckctl")
    parser.add_argument("--programs", type=Path, default=build / "tests" / "bench" / "launch",
                        help="where rank and spawnloop were built")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1, 8, 64, 256], help="numbers of ranks")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--watch", type=int, default=30, metavar="SECONDS", help="how long the ranks sleep; 0: skip")
    parser.add_argument("--keeper", type=int, default=0, metavar="PAIRS", help="also compare launches without keeper")
    parser.add_argument("--no-peers", action="store_true", help="without mpirun and torchrun")
    options = parser.parse_args()

    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{os.cpu_count()} cpus, {platform.machine()}, Linux {platform.release()}, load {load}")
    with tempfile.TemporaryDirectory(prefix="bench-launch-") as folder:
        scratch = Path(folder)
        os.environ["XDG_STATE_HOME"] = str(scratch)
        os.environ["XDG_RUNTIME_DIR"] = str(scratch)
        os.environ["OMP_NUM_THREADS"] = "1"
        launchers = Launchers(options.rankdeckctl.resolve(), options.programs.resolve(), not options.no_peers)
        if options.sizes:
            compare(launchers, options.sizes, options.rounds, scratch / "board")
        if options.keeper:
            compare_keeper(launchers, options.programs.resolve(), options.keeper, scratch / "board")
        if options.watch:
            watch(options.rankdeckctl.resolve(), options.watch, scratch)


if __name__ == "__main__":
    main()

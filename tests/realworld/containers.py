"""Runs ranks in a container of podman, and says of each trouble whether Rankdeck told it: see tests/realworld.sh."""
import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "rankdeck-realworld"
PODMAN = ["podman", "--runtime", "runc", "--cgroup-manager", "cgroupfs"]
LONGEST = 60


class Box:
    """The container, and a run in it."""
    def __init__(self, options, client):
        self.options, self.client = options, client
        state = options.work / "containers"
        state.mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, XDG_STATE_HOME=str(state), LC_ALL="C.UTF-8",
                                DOCKER_HOST="unix://" + str(options.work / "podman.sock"))

    def call(self, *words):
        return subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=LONGEST).stdout

    def podman(self, *words):
        return self.call(*PODMAN, *words)

    def ctl(self, *words):
        return self.call(self.options.program, *words)

    def ctl_json(self, *words):
        """What a command says as JSON; nothing where it says something else."""
        try:
            return json.loads(self.ctl(*words, "--json"))
        except ValueError:
            return {}

    def start(self):
        self.podman("rm", "-f", "-t", "0", NAME)
        # A container that may do what this machine may: the usual limits are above what this caller has.
        said = self.podman("run", "-d", "--name", NAME, "--network", "host", "--ulimit", "nofile=1024:1024", "--ulimit",
                           "nproc=1000:1000", "-v", str(HERE) + ":/mnt/job:ro", "--rootfs", str(self.options.root), "sleep",
                           "100000")
        if NAME not in self.podman("ps"):
            sys.exit("The container was not started: " + said)

    def launch(self, steps, *fault):
        return self.ctl("processes", "--nproc", "2", "--detach", "--transport", self.client + ":" + NAME, "--work-dir",
                        "/root", "--", "python3", "/mnt/job/steps.py", str(steps), *fault)

    def state(self):
        return (self.ctl_json("list", "--limit", "1").get("runs") or [{}])[0].get("state")

    def step(self):
        ranks = self.ctl_json("progress", "last").get("ranks") or [{}]
        return min(rank.get("step") or 0 for rank in ranks)

    def report(self):
        return self.ctl_json("report", "last")

    def until(self, condition):
        end = time.monotonic() + LONGEST
        while not condition():
            if time.monotonic() > end:
                return False
            time.sleep(0.2)
        return True

    def runs(self):
        return self.until(lambda: self.state() == "running" and self.step() > 2)

    def goes_on(self):
        step = self.step()
        return self.until(lambda: self.step() > step + 10)

    def leader(self):
        """The client of podman or docker that leads into the container."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[1:4] == [b"exec", b"-i", NAME.encode()]:
                return int(folder.name)
        return None


def ends_well(box):
    box.launch(10)
    return box.until(lambda: box.state() == "succeeded")


def failing_rank(box):
    box.launch(100, "fails")
    report = box.until(lambda: box.state() == "failed") and box.report()
    return bool(report) and report["root_rank"] == 1 and "shard 7" in report["cause"] and bool(report["frame"])


def cut_transport(box):
    box.launch(1000)
    leader = box.leader() if box.runs() else None
    if not leader:
        return False
    os.kill(leader, 9)
    return box.goes_on() and box.until(lambda: box.leader() is not None)


def paused(box):
    box.launch(1000)
    if not box.runs():
        return False
    box.podman("pause", NAME)
    time.sleep(5)  # It stands still for as long.
    is_kept = box.state() == "running"
    box.podman("unpause", NAME)
    return is_kept and box.goes_on()


def stopped(box):
    box.launch(1000)
    if not box.runs():
        return False
    box.ctl("stop", "last")
    left = box.podman("exec", NAME, "ps", "ax")
    return box.state() == "stopped" and "sleep 100000" in left and "steps.py" not in left


def lost(box, *words):
    box.launch(1000)
    if not box.runs():
        return False
    box.podman(*words)
    report = box.until(lambda: box.state() == "failed") and box.report()
    return bool(report) and "Lost node " + NAME in json.dumps(report)


def killed(box):
    return lost(box, "kill", NAME)


def removed(box):
    return lost(box, "rm", "-f", "-t", "0", NAME)


def absent(box):
    box.podman("rm", "-f", "-t", "0", NAME)
    said = box.launch(10)
    return NAME in said and ("o such container" in said or "no container with name" in said)


def main():
    parser = argparse.ArgumentParser(prog="tests/realworld.sh podman")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--client", choices=["podman", "docker"], default="podman")
    options = parser.parse_args()
    box = Box(options, options.client)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    service = subprocess.Popen([*PODMAN, "system", "service", "-t", "0", "unix://" + str(options.work / "podman.sock")])
    wrong = 0
    try:
        for trouble in (ends_well, failing_rank, cut_transport, paused, stopped, killed, removed, absent):
            try:
                box.start()
                is_right = trouble(box)
            except subprocess.TimeoutExpired:
                is_right = False
            finally:
                box.ctl("stop", "last", "--kill", "--yes")
            print("{:16} {}".format(trouble.__name__.replace("_", "-"), "right" if is_right else "WRONG"), flush=True)
            wrong += not is_right
    finally:
        service.kill()
        service.wait()
        box.podman("rm", "-f", "-t", "0", NAME)
    sys.exit(wrong > 0)


main()

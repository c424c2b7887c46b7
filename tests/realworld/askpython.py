"""Where ranks of several versions of Python stand, asked by `rankdeckctl dump`; see tests/realworld.sh.

Prints for each root how many of its ranks told their line of Python, by which way, within how long, and for how long the
most patient of them was stopped.
"""
import argparse
import os
import re
import subprocess
import time
from pathlib import Path

RANKS = 8


def main():
    parser = argparse.ArgumentParser(prog="tests/realworld.sh stacks")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("roots", nargs="+", type=Path)
    options = parser.parse_args()
    state = options.work / "asked"
    state.mkdir(mode=0o700, exist_ok=True)
    environment = dict(os.environ, XDG_STATE_HOME=str(state), LC_ALL="C.UTF-8")

    def ctl(*words):
        return subprocess.run([options.program, *words], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=180).stdout

    for root in options.roots:
        version = subprocess.run(["chroot", root, "python3", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        name = ctl("processes", "--detach", "--nproc", str(RANKS), "--", "chroot", str(root), "python3", "/mnt/job/waits.py").split()[0]
        until = time.monotonic() + 60
        while ctl("logs", name).count("waiting") < RANKS and time.monotonic() < until:
            time.sleep(0.2)
        begin = time.monotonic()
        stacks = ctl("dump", name)
        seconds = time.monotonic() - begin
        run = state / "rankdeck/runs" / name
        texts = [file.read_text(errors="replace") for file in sorted(run.glob("stacks/*"))]
        told = [text for text in texts if re.search(r"waits\.py.*wait_for_the_others|wait_for_the_others.*waits\.py", text)]
        ways = {text.split(", ")[2].split()[0] for text in texts}
        stops = [float(each) for each in re.findall(r"stopped for ([\d.]+) s", ctl("logs", name))]
        ctl("stop", name, "--kill", "--yes")
        print("{} in {}: {} of {} ranks told their line, by {}, {:.1f} s; stopped for at most {:.1f} s".format(
            version.strip(), root, len(told), RANKS, ", ".join(sorted(ways)) or "nothing", seconds, max(stops, default=0)))
        if len(told) < RANKS:
            print(stacks[:600])


if __name__ == "__main__":
    main()

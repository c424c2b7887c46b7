#!/usr/bin/env python3
"""What rankdeckctl top needs for a run of many ranks: memory, and cpu while they print every 20 s.

Once with the log of one rank, once with all logs merged; the logs have a past. Exit code 1: more than 40 MB resident, or
more than 2 % of a core."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_MB = 40
MOST_PERCENT = 2
LIMIT = 120
RANK = """
i=0
while [ $i -lt $0 ]; do i=$((i + 1)); echo "epoch: 1 step: $i, loss is 0.$i"; done
while :; do sleep 20; i=$((i + 1)); echo "epoch: 1 step: $i, loss is 0.$i"; done
"""


def megabytes(pid):
    """Resident, and of that private."""
    rollup = Path("/proc/{}/smaps_rollup".format(pid)).read_text()
    kilobytes = {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB", rollup, re.MULTILINE)}
    return kilobytes["Rss"] / 1024, (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]) / 1024


def cpu_seconds(pid):
    fields = Path("/proc/{}/stat".format(pid)).read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rankdeckctl", type=Path)
    parser.add_argument("--ranks", type=int, default=1024)
    parser.add_argument("--backlog", type=int, default=100, help="lines that each rank has printed before")
    parser.add_argument("--seconds", type=int, default=40, help="how long cpu time is measured")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rankdeck-") as holder:
        environment = dict(os.environ, HOME=holder, XDG_STATE_HOME=holder + "/state", XDG_CONFIG_HOME=holder + "/config",
                           LC_ALL="C.UTF-8", TERM="xterm-256color")
        for name in ("TMUX", "XDG_RUNTIME_DIR"):
            environment.pop(name, None)
        ctl = str(given.rankdeckctl.resolve())

        def tmux(*words):
            return subprocess.run(["tmux", "-S", holder + "/tmux", "-f", "/dev/null", *words], check=True,
                                  env=environment, stdout=subprocess.PIPE, encoding="utf-8").stdout

        def wait_for(pattern):
            end = time.monotonic() + LIMIT
            while not re.search(pattern, tmux("capture-pane", "-p"), re.MULTILINE):
                if time.monotonic() > end:
                    sys.exit("{} does not come; there is\n{}".format(pattern, tmux("capture-pane", "-p")))
                time.sleep(0.2)

        subprocess.run([ctl, "processes", "--nproc", str(given.ranks), "--standalone", "--redirects", "3", "--detach", "--",
                        "sh", "-c", RANK, str(given.backlog)], check=True, env=environment, stderr=subprocess.DEVNULL)
        good = True
        try:
            tmux("new-session", "-d", "-x", "80", "-y", "24", ctl, "top", "last")
            pid = int(tmux("display-message", "-p", "#{pane_pid}"))
            # All that were printed before, and some that came since.
            all_lines = "|".join(str(given.ranks * (given.backlog + more)) for more in range(10))
            for view, key, ready in (("ranks and one log", "End", "rank 0 .*following"),
                                     ("logs merged", "m", "all ranks .* ({}) lines".format(all_lines))):
                tmux("send-keys", key)
                wait_for(ready)
                before = cpu_seconds(pid)
                time.sleep(given.seconds)
                percent = 100 * (cpu_seconds(pid) - before) / given.seconds
                resident, private = megabytes(pid)
                print("{:18} {:4.1f} % of a core, {:4.1f} MB resident, {:4.1f} MB of it its own".format(
                    view, percent, resident, private), flush=True)
                good = good and resident <= MOST_MB and percent <= MOST_PERCENT
            tmux("kill-server")
        finally:
            subprocess.run([ctl, "stop", "last", "--kill"], env=environment, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

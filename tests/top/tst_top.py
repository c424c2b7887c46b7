"""rankdeckctl top as its user sees it: in tmux, which tells what stands on the screen."""

import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

RANKDECKCTL = os.environ["RANKDECKCTL"]
LIMIT = 60

# Prints steps, an escape that would clear the screen, and errors; waits to be told how to end.
RANK = r"""
import os, sys, time
rank, folder = int(os.environ["RANK"]), sys.argv[1]
print("begin of rank %d \x1b[2J\x1b[31mred\x1b[0m" % rank, flush=True)
for step in range(1, 41):
    print("epoch: 1 step: %d, loss is %.3f" % (step, 9 / step), flush=True)
print("2026-01-01 00:00:00 ERROR rank %d is unhappy" % rank, flush=True)
while not os.path.exists(folder + "/end"):
    time.sleep(0.05)
if rank == 1:
    raise ValueError("nothing to learn")
time.sleep(1000)
"""


class Top(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="rankdeck-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.environment = dict(os.environ, HOME=holder.name, XDG_STATE_HOME=holder.name + "/state",
                                XDG_CONFIG_HOME=holder.name + "/config", LC_ALL="C.UTF-8", TERM="xterm-256color")
        for name in ("TMUX", "NO_COLOR", "XDG_RUNTIME_DIR"):
            self.environment.pop(name, None)
        (self.folder / "rank.py").write_text(RANK)
        self.addCleanup(self.ctl, "stop", "last", "--kill")

    def ctl(self, *words):
        return subprocess.run([RANKDECKCTL, *words], env=self.environment, cwd=str(self.folder), timeout=LIMIT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")

    def launch(self, ranks):
        launched = self.ctl("processes", "--nproc", str(ranks), "--standalone", "--detach", "--",
                            sys.executable, str(self.folder / "rank.py"), str(self.folder))
        self.assertEqual(launched.returncode, 0, launched.stdout)
        return launched.stdout.split()[0]

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", str(self.folder / "tmux"), "-f", "/dev/null", *words], check=True,
                              env=self.environment, stdout=subprocess.PIPE, encoding="utf-8").stdout

    def start(self, words="", before="", columns=80, rows=24):
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "sh")
        self.addCleanup(subprocess.run, ["tmux", "-S", str(self.folder / "tmux"), "kill-server"],
                        stderr=subprocess.DEVNULL)
        self.type(words, before)

    def type(self, words="", before=""):
        self.press("{} {} top {}; echo ended with $?".format(before, RANKDECKCTL, words), "Enter")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def wait_for(self, *patterns):
        """Waits until all of these are on the screen."""
        end = time.monotonic() + LIMIT
        while True:
            screen = self.screen()
            missing = [pattern for pattern in patterns if not re.search(pattern, screen, re.MULTILINE)]
            if not missing:
                return screen
            if time.monotonic() > end:
                self.fail("{} does not come; there is\n{}".format(missing, screen))
            time.sleep(0.05)

    def test_ranks_and_the_log_of_the_chosen_one(self):
        name = self.launch(2)
        self.start()
        screen = self.wait_for("^" + name + "  running ", "2 running", r"^ +0 running +40 ", "rank 0 .*following",
                               "rank 0 is unhappy$")
        self.assertEqual(len(screen.splitlines()), 24)
        self.assertNotIn("rank 1 is unhappy", screen)
        self.press("Home")
        self.wait_for(re.escape("begin of rank 0 ^[[2Jred"), "line 1 of 42")
        self.press("Down", "End")
        self.wait_for("rank 1 .*following", "rank 1 is unhappy$")
        self.press("m")
        self.wait_for("all ranks .*following", "rank 0 │ .*rank 0 is unhappy", "rank 1 │ .*rank 1 is unhappy")
        self.press("/", "begin", "Enter")
        self.wait_for('all ranks · only "begin" · 2 lines', "begin of rank 0", "begin of rank 1")
        self.press("/")
        self.press("BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "(", "Enter")
        self.wait_for(r"^(?!Only lines).*\(.*", "missing")
        self.press("q")
        self.wait_for("^ended with 0")

    def test_a_failure_and_its_verdict(self):
        self.launch(2)
        self.start("last")
        self.wait_for("2 running")
        (self.folder / "end").touch()
        self.wait_for("  failed  ", "^Rank 1 failed first: ValueError: nothing to learn", "1 failed")
        self.press("e")
        self.wait_for("ValueError: nothing to learn", "Esc: back")
        self.press("Escape", "s")
        self.wait_for("The run has ended")
        self.press("n", "Enter")
        self.wait_for("^rank 1 +failed", "^command ")

    def test_stopping_asks_first(self):
        self.launch(2)
        self.start()
        self.wait_for("2 running")
        self.press("s")
        self.wait_for("^Stop the run.*only rank 0")
        self.press("x")
        self.wait_for("^Nothing was ended", "2 running")
        self.press("s", "y")
        self.wait_for("  stopped  ")

    def test_a_rank_is_killed_alone(self):
        self.launch(2)
        self.start()
        self.wait_for("2 running")
        self.press("Down", "K")
        self.wait_for("^Kill the run at once.*only rank 1")
        self.press("r")
        self.wait_for("1 running", "1 stopped")

    def test_a_rank_is_started_again(self):
        self.launch(2)
        self.start()
        self.wait_for("2 running")
        self.press("Down", "R")
        self.wait_for("^Start rank 1 again, after its end.*y: yes")
        self.press("x")
        self.wait_for("^Nothing was started", "2 running")
        self.press("R", "y")
        self.wait_for("^Rank 1 is started again on request", "2 running")

    def test_list_of_runs(self):
        self.launch(1)
        self.ctl("stop", "last", "--kill")
        self.launch(1)
        self.start()
        self.wait_for("1 running")
        self.press("r")
        self.wait_for("^RUN ", " running ", " stopped ")
        self.press("Down", "Enter")
        self.wait_for("^[0-9-]+-rank\\S*  stopped ")
        self.press("h")
        self.wait_for("^Keys")

    def test_sizes(self):
        self.launch(8)
        self.start(columns=40, rows=10)
        self.wait_for("8 running|running", r"^ +0 running", "following")
        self.tmux("resize-window", "-x", "120", "-y", "40")
        screen = self.wait_for(r"^ +7 running", "NODE, REMARK")
        self.assertEqual(len(screen.splitlines()), 40)
        self.press("v")
        self.wait_for("^ +0 RRRRRRRR$")

    def test_colours(self):
        self.launch(1)
        self.start()
        self.wait_for("1 running", "42 lines")
        self.press("Home")
        self.wait_for("red")
        colour = re.compile("\x1b\\[[0-9;]*3[0-7]")
        self.assertRegex(self.screen("-e"), colour)
        self.press("q")
        self.wait_for("^ended with 0")
        self.type(before="NO_COLOR=1")
        self.wait_for("1 running", "42 lines")
        self.press("Home")
        self.wait_for("red")
        self.assertNotRegex(self.screen("-e"), colour)

    def test_it_ends_with_its_terminal(self):
        self.launch(1)
        self.start()
        self.wait_for("1 running")
        pane = int(self.tmux("display-message", "-p", "#{pane_pid}"))
        child, = [int(pid) for pid in Path("/proc/{0}/task/{0}/children".format(pane)).read_text().split()]
        self.tmux("kill-session")
        end = time.monotonic() + LIMIT
        while Path("/proc/{}/comm".format(child)).exists():
            self.assertLess(time.monotonic(), end, "it goes on without a terminal")
            time.sleep(0.05)

    def test_no_terminal(self):
        outcome = self.ctl("top")
        self.assertEqual(outcome.returncode, 2)
        self.assertIn("not a terminal", outcome.stdout)

    def test_unknown_terminal(self):
        self.launch(1)
        self.start(before="TERM=of-nobody")
        self.wait_for("1 running")


if __name__ == "__main__":
    unittest.main()

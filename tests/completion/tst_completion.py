"""TAB completes words of rankdeckctl and rankdeck in a real shell, COMPLETED_SHELL, on a terminal of its own."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

RANKDECKCTL = os.environ["RANKDECKCTL"]
SCRIPTS = os.environ["COMPLETION_SCRIPTS"]
LIMIT = 30


class Shell:
    """A shell at its prompt "READY> ", with the completion loaded as an installation does."""

    def __init__(self, folder):
        name = os.environ["COMPLETED_SHELL"]
        self.name = os.path.basename(name)
        environment = dict(os.environ, TERM="dumb", PS1="READY> ", HOME=folder,
                           PATH=os.path.dirname(RANKDECKCTL) + ":" + os.environ["PATH"])
        start = {
            "bash": ([name, "--norc", "--noprofile", "-i"], ". {}/rankdeckctl.bash; bind 'set bell-style none'"),
            "zsh": ([name, "-f", "-i"], "fpath=({} $fpath); autoload -Uz compinit; compinit -u -D; PS1='READY> '; "
                                        "setopt no_list_beep no_auto_menu"),
            "fish": ([name, "--no-config", "-i"], "source {}/rankdeckctl.fish; function fish_prompt; echo 'READY> '; end"),
        }
        argv, load = start[self.name]
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(argv[0], argv, environment)
        self.shown = ""
        self.type(load.format(SCRIPTS) + "; echo LOAD''ED\r")
        self.wait_for("LOADED")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self, seconds):
        if select.select([self.terminal], [], [], seconds)[0]:
            self.shown += os.read(self.terminal, 65536).decode(errors="replace")

    def wait_for(self, text):
        end = time.monotonic() + LIMIT
        while text not in self.shown:
            if time.monotonic() > end:
                raise AssertionError("{!r} does not come; there is {!r}".format(text, self.shown))
            self.read(end - time.monotonic())

    def completed(self, line, program):
        """Types the line and TAB, and has the shell print the words of what stands there then."""
        # printf takes the place of the program once the line is complete.
        self.shown = ""
        self.type(program + " " + line + "\t")
        self.type("END\x01printf '<%s>' \x05\r")  # Ctrl-A, Ctrl-E: to the line's begin and end.
        self.wait_for("END>")
        return [word for word in re.findall(r"<([^<>\r\n]*)>", self.shown) if word != "%s"][1:]

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = os.path.realpath(tempfile.mkdtemp())
        os.environ.update(XDG_STATE_HOME=cls.folder + "/state", XDG_CONFIG_HOME=cls.folder + "/config",
                          XDG_RUNTIME_DIR=cls.folder)
        os.mkdir(cls.folder + "/tables")
        open(cls.folder + "/tables/whole.json", "w").close()
        call = [RANKDECKCTL, "processes", "--nproc", "3", "--standalone", "--quiet", "--name", "one", "--", "true"]
        subprocess.run(call, check=True, stderr=subprocess.DEVNULL)
        subprocess.run([RANKDECKCTL, "profile", "save", "bert", "processes", "--", "true"], check=True,
                       stderr=subprocess.DEVNULL)
        cls.run_name = os.listdir(cls.folder + "/state/rankdeck/runs")[0]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.shell = Shell(self.folder)

    def tearDown(self):
        self.shell.close()

    def check(self, line, *words, program="rankdeckctl"):
        """The last word is unfinished where more than one may stand there."""
        self.assertEqual(self.shell.completed(line, program), list(words[:-1]) + [words[-1] + "END"]
                         if words[-1] else list(words[:-1]) + ["END"])

    def test_commands(self):
        self.check("delet", "delete", "")
        self.check("ranktable sub", "ranktable", "subset", "")

    def test_options(self):
        self.check("logs --foll", "logs", "--follow", "")
        self.check("msrun --worker_n", "msrun", "--worker_num", "")
        self.check("plan msrun --cluster", "plan", "msrun", "--cluster_time_out", "")

    def test_values(self):
        self.check("list --state succ", "list", "--state", "succeeded", "")
        self.check("signal --rank 2 US", "signal", "--rank", "2", "USR")
        self.check("run be", "run", "bert", "")
        self.check("--lang au", "--lang", "auto", "")
        self.check("--lang zh list --state succ", "--lang", "zh", "list", "--state", "succeeded", "")

    def test_runs(self):
        self.check("logs " + self.run_name[:6], "logs", self.run_name, "")
        self.check("dump la", "dump", "last", "")
        self.check("stop last --rank al", "stop", "last", "--rank", "all", "")

    def test_files(self):
        self.check("ranktable check tables/wh", "ranktable", "check", "tables/whole.json", "")

    def check_window(self, line, *words):
        self.check(line, *words, program="rankdeck")

    def test_options_of_the_window(self):
        self.check_window("--fast", "--fast-start", "")
        self.check_window("--canvas ras", "--canvas", "raster", "")
        self.check_window("--demo coll", "--demo", "collective", "")
        self.check_window("--attach " + self.run_name[:6], "--attach", self.run_name, "")

    def test_launches_of_the_window(self):
        self.check_window("--lang en torchr", "--lang", "en", "torchrun", "")
        self.check_window("msrun --worker_n", "msrun", "--worker_num", "")
        self.check_window("tables/wh", "tables/whole.json", "")


if __name__ == "__main__":
    unittest.main()

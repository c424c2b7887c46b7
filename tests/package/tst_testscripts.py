"""What tests/run.sh prints at its end, and what it gives to clang-tidy."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
STEPS = """@ 100.0 check build
0m0.001s 0m0.002s
0m1.000s 0m0.500s
@ 160.5 check tests
0m0.001s 0m0.002s
1m31.000s 0m0.500s
@ 200.5 end
0m0.001s 0m0.002s
2m1.000s 0m10.500s
"""
LOG = """Start testing: Nov 28 14:31 UTC
----------------------------------------------------------
1/2 Testing: tst_journal
1/2 Test: tst_journal
Output:
----------------------------------------------------------
PASS   : tst_journal::JournalTest::initTestCase()
SKIP   : tst_journal::JournalTest::opens(a row) not root,
so nothing is mounted
   Loc: [tests/run/tst_journal.cpp(12)]
FAIL!  : tst_journal::JournalTest::closes() 'isClosed' returned FALSE. ()
   Loc: [tests/run/tst_journal.cpp(13)]
<end of output>
Test time =   0.25 sec
----------------------------------------------------------
Test Failed.
2/2 Testing: tst_top
2/2 Test: tst_top
Output:
----------------------------------------------------------
test_scrolls (tst_top.TopTest.test_scrolls) ... skipped 'no tmux'
<end of output>
Test time =  12.50 sec
----------------------------------------------------------
Test Passed.
"""
TIDY = """#!/bin/sh
[ "$1" = --version ] && exec cat "$LOOKED/version"
for source; do :; done
basename "$source" >>"$LOOKED/sources"
! grep -q BAD "$source"
"""


class ReportTest(unittest.TestCase):
    def test_stepsSlowestTestsSkippedFunctionsAndFailuresAreNamed(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "build/check/Testing/Temporary/LastTest.log")
            log.parent.mkdir(parents=True)
            log.write_text(LOG)
            steps = Path(folder, "steps")
            steps.write_text(STEPS)
            Path(folder, "check.ccache").write_text("# a.o\ncache_miss\n# b.o\ndirect_cache_hit\n")
            said = subprocess.run([sys.executable, str(TESTS / "ctestreport.py"), str(steps), str(log)],
                                  stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        self.assertEqual([line.strip() for line in said.splitlines() if line.strip()], [
            "Steps:",
            "60 s      90 CPU s  check build   ccache had 1 of 2",
            "40 s      40 CPU s  check tests",
            "Slowest of 2 tests:",
            "12.5 s  check tst_top",
            "0.2 s  check tst_journal",
            "Skipped test functions: 2",
            "check tst_journal opens(a row): not root, so nothing is mounted",
            "check tst_top test_scrolls: no tmux",
            "Failed: check tst_journal",
            "FAIL!  : tst_journal::JournalTest::closes() 'isClosed' returned FALSE. ()",
            "Loc: [tests/run/tst_journal.cpp(13)]"])


class TidyTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.top = Path(self.folder.name).resolve() / "tree"
        for name in ("core/room", "ui", "app", "tests", "build/dev"):
            (self.top / name).mkdir(parents=True)
        shutil.copy(TESTS / "tidy.py", self.top / "tests")
        self.write(".clang-tidy", "Checks: -*\n")
        self.write("core/room/b.h", "int b();\n")
        self.write("core/room/a.h", '#include "room/b.h"\n')
        self.write("core/room/a.cpp", '#include "a.h"\n')
        self.write("ui/alone.cpp", "#include <vector>\n")
        entries = ['{{"directory": "/", "command": "c++ -std=c++20 -c {0}", "file": "{0}"}}'.format(self.top / name)
                   for name in ("core/room/a.cpp", "ui/alone.cpp")]
        self.write("build/dev/compile_commands.json", "[" + ",\n".join(entries) + "]")
        self.write("bin/clang-tidy-14", TIDY)
        (self.top / "bin/clang-tidy-14").chmod(0o755)
        self.write("looked/version", "14.0.6")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name: str, text: str):
        (self.top / name).parent.mkdir(exist_ok=True)
        (self.top / name).write_text(text)

    def looked(self, *options: str, code: int = 0) -> str:
        """Names of the sources that clang-tidy was given."""
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.top / "cache"), "LOOKED": str(self.top / "looked"),
                       "PATH": "{}:{}".format(self.top / "bin", os.environ["PATH"])}
        self.write("looked/sources", "")
        done = subprocess.run([sys.executable, "-B", str(self.top / "tests/tidy.py"), *options], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        self.assertEqual(done.returncode, code, done.stdout)
        return " ".join(sorted((self.top / "looked/sources").read_text().split()))

    def test_whatPassedIsLookedAtAgainWhenAnythingThatItReadsChanged(self):
        self.assertEqual(self.looked(), "a.cpp alone.cpp")
        self.assertEqual(self.looked(), "")
        self.write("core/room/b.h", "long b();\n")
        self.assertEqual(self.looked(), "a.cpp")
        self.write("ui/alone.cpp", "#include <map>\n")
        self.assertEqual(self.looked(), "alone.cpp")
        self.write("core/room/b.h", "int b();\n")
        self.assertEqual(self.looked(), "")
        self.write(".clang-tidy", "Checks: bugprone-*\n")
        self.assertEqual(self.looked(), "a.cpp alone.cpp")
        self.write("looked/version", "14.0.7")
        self.assertEqual(self.looked(), "a.cpp alone.cpp")

    def test_whatFailedFailsAgain(self):
        self.write("ui/alone.cpp", "BAD\n")
        self.assertEqual(self.looked(code=1), "a.cpp alone.cpp")
        self.assertEqual(self.looked(code=1), "alone.cpp")

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_whatTheLastCommitsChangedComesFirst(self):
        for number in range(20):
            self.write("app/{}.cpp".format(number), "")
        names = ["core/room/a.cpp", "ui/alone.cpp", *("app/{}.cpp".format(number) for number in range(20))]
        self.write("build/dev/compile_commands.json", json.dumps(
            [{"directory": "/", "command": "c++ -c " + name, "file": str(self.top / name)} for name in names]))
        git = ["git", "-C", str(self.top), "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "add", "core/room/a.h", "ui/alone.cpp"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
        ask = "import tidy; print(*(each.name for each in tidy.in_turn(tidy.commands())))"
        done = subprocess.run([sys.executable, "-B", "-c", ask], cwd=self.top / "tests", stdout=subprocess.PIPE,
                              encoding="utf-8", check=True)
        turn = done.stdout.split()
        self.assertEqual(set(turn[:2]), {"a.cpp", "alone.cpp"})
        self.assertEqual(len(turn), 22)
        self.assertEqual(self.looked("--minutes", "0"), "")
        self.assertEqual(len(self.looked("--minutes", "60").split()), 22)


if __name__ == "__main__":
    unittest.main()

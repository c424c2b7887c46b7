"""A wheel in a virtual environment whose Python changes: rankdeckctl runs on, and ranks get the Python that is meant.

The wheel is app/package/wheel.py's, of the rankdeckctl RANKDECKCTL without its libraries, which are this system's.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
RANKDECKCTL = os.environ["RANKDECKCTL"]


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, str(cls.folder), ignore_errors=True)
        tree = cls.folder / "tree"
        for name in ("bin", "share/licenses", "share/rankdeck/python"):
            (tree / name).mkdir(parents=True)
        for name in ("rankdeck", "rankdeckctl"):
            subprocess.run(["strip", "-o", str(tree / "bin" / name), RANKDECKCTL], check=True)
        shutil.copy(str(SOURCE / "LICENSE"), str(tree / "share/licenses/rankdeck"))
        shutil.copytree(str(SOURCE / "app/python/rankdeck"), str(tree / "share/rankdeck/python/rankdeck"))
        made = subprocess.run([sys.executable, str(SOURCE / "app/package/wheel.py"), str(tree), os.uname().machine, "0.0",
                               str(cls.folder)], cwd=str(SOURCE), env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
                              check=True, capture_output=True, text=True)
        cls.made = cls.folder / "venv"
        venv = subprocess.run([sys.executable, "-m", "venv", str(cls.made)], capture_output=True, text=True)
        if venv.returncode != 0:
            raise unittest.SkipTest("no venv here: " + venv.stdout + venv.stderr)
        subprocess.run([str(cls.made / "bin/python"), "-m", "pip", "install", "--no-index", "--disable-pip-version-check",
                        made.stdout.strip()], env={**os.environ, "HOME": str(cls.folder)}, check=True)

    def setUp(self):
        """Each test changes a copy."""
        self.home = Path(tempfile.mkdtemp(dir=str(self.folder)))
        self.venv = self.home / "venv"
        shutil.copytree(str(self.made), str(self.venv), symlinks=True)

    def run_words(self, *words, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8",
                       "XDG_STATE_HOME": str(self.home / "state"), "XDG_RUNTIME_DIR": str(self.home), **variables}
        return subprocess.run(words, env=environment, cwd=str(self.home), capture_output=True, text=True, timeout=300)

    def activated(self):
        """The variables of an activated environment."""
        return {"VIRTUAL_ENV": str(self.venv), "PATH": "{}/bin:{}".format(self.venv, os.environ["PATH"])}

    def launch(self, *words, **variables):
        return self.run_words(str(self.venv / "bin/rankdeckctl"), "processes", "--ports", "auto", "--nproc", "1", *words,
                              **variables)

    def assert_runs(self):
        shown = self.run_words(str(self.venv / "bin/rankdeckctl"), "--version")
        self.assertTrue(shown.stdout.startswith("rankdeckctl "), shown.stdout + shown.stderr)
        run = self.launch("--", "sh", "-c", "echo it runs")
        self.assertIn("it runs", run.stdout, run.stderr)
        self.assertEqual(run.returncode, 0, run.stderr)

    def pythons(self):
        return [path for path in (self.venv / "bin").iterdir() if path.name.startswith("python")]

    def replace_python(self, target):
        for path in self.pythons():
            path.unlink()
            path.symlink_to(target)

    def test_another_version(self):
        other = self.home / "python3.99"
        other.write_text('#!/bin/sh\necho another Python runs "$@"\n')
        other.chmod(0o755)
        self.replace_python(other)
        self.assert_runs()
        (self.home / "train.py").write_text("print('this one')\n")
        run = self.launch("--", "python3", "train.py", **self.activated())
        self.assertRegex(run.stdout, "another Python runs .*train.py", run.stderr)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_it_is_gone(self):
        self.replace_python("/no/such/python3.9")
        self.assert_runs()
        (self.home / "train.py").write_text("print('with the Python of the system')\n")
        run = self.launch("--", "python3", "train.py", **self.activated())
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn("the Python of this environment is gone: there is no /no/such/python3.9", run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        without = self.launch("--unset-env", "VIRTUAL_ENV", "--", "python3", "train.py", **self.activated())
        self.assertIn("with the Python of the system", without.stdout, without.stderr)

    def test_the_environment_is_moved(self):
        shutil.rmtree(str(self.venv))
        self.venv = self.made.rename(self.home / "moved")
        self.addCleanup(lambda: self.venv.rename(self.made))
        self.assert_runs()
        (self.home / "train.py").write_text("import sys; print('prefix', sys.prefix)\n")
        run = self.launch("--", "python3", "train.py", **self.activated())
        self.assertIn("prefix {}\n".format(self.venv), run.stdout, run.stderr)
        script = "import rankdeck.davincirunsdk as sdk; print(sdk.find_rankdeckctl())"
        found = self.run_words(str(self.venv / "bin/python"), "-c", script)
        self.assertEqual(found.stdout, "{}/bin/rankdeckctl\n".format(self.venv), found.stderr)

    def test_no_variable_of_the_ranks_misleads_it(self):
        foreign = self.home / "foreign"
        foreign.mkdir()
        for name in ("readlink", "dirname", "sh", "python3"):
            (foreign / name).write_text("#!/bin/sh\necho /nowhere\n")
            (foreign / name).chmod(0o755)
        for variables in ({"PATH": ""}, {"PATH": "/nowhere"}, {"PATH": "{}:/usr/bin:/bin".format(foreign)},
                          {"LD_PRELOAD": "/no/such/library.so"}):
            shown = self.run_words(str(self.venv / "bin/rankdeckctl"), "--version", **variables)
            self.assertTrue(shown.stdout.startswith("rankdeckctl "), str(variables) + shown.stdout + shown.stderr)


if __name__ == "__main__":
    unittest.main()

"""The steps of "Add a launcher" on the developers' page are true: tests/data/newlauncher.patch takes them in a copy of
the tree, whose rankdeckctl then plans, launches, completes and explains the new launcher.

What the patch does not touch is not built again: the rooms with files of the patch are compiled from the copy and
linked in front of this build's library."""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["RANKDECK_SOURCE"]
BUILD = os.environ["RANKDECK_BUILD"]
PATCH = os.path.join(SOURCE, "tests", "data", "newlauncher.patch")


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError("{}\n{}".format(command, done.stdout))
    return done.stdout


class NewLauncher(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        copy = os.path.join(cls.folder, "tree")
        shutil.copytree(os.path.join(SOURCE, "core"), os.path.join(copy, "core"))
        run(["patch", "--strip=1", "--fuzz=3", "--input=" + PATCH], cwd=copy)
        changed = re.findall(r"^\+\+\+ b/(\S+)", open(PATCH, encoding="utf-8").read(), re.M)
        rooms = sorted({os.path.dirname(path) for path in changed if path.endswith(".cpp")})
        cls.program = cls.build(copy, rooms)
        state = os.path.join(cls.folder, "state")
        runtime = os.path.join(cls.folder, "runtime")
        os.makedirs(state)
        os.makedirs(runtime, mode=0o700)
        cls.environment = dict(os.environ, XDG_STATE_HOME=state, XDG_RUNTIME_DIR=runtime, XDG_CONFIG_HOME=state)

    @classmethod
    def build(cls, copy, rooms):
        """Compiles the rooms of the copy, and links rankdeckctl with them."""
        with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
            commands = {entry["file"]: entry for entry in json.load(file)}
        objects = []
        for room in rooms:
            name = room.replace("/", "_")
            unity = [path for path in commands if "/{}.dir/Unity/".format(name) in path]
            if not unity:
                raise unittest.SkipTest("this build has no unity rooms")
            whole = os.path.join(cls.folder, name + ".cpp")
            with open(whole, "w", encoding="utf-8") as file:
                for source in sorted(os.listdir(os.path.join(copy, room))):
                    if source.endswith(".cpp"):
                        file.write('#include "{}"\n'.format(os.path.join(copy, room, source)))
            entry = commands[unity[0]]
            command = shlex.split(entry["command"])
            command[command.index(unity[0])] = whole
            objects.append(os.path.join(cls.folder, name + ".o"))
            command[command.index("-o") + 1] = objects[-1]
            # Before the folders of this build's rooms.
            command.insert(command.index(next(word for word in command if word.startswith("-"))),
                           "-I" + os.path.join(copy, "core"))
            run(command, cwd=entry["directory"])
        link = run(["ninja", "-C", BUILD, "-t", "commands", "rankdeckctl"]).strip().splitlines()[-1]
        program = os.path.join(cls.folder, "rankdeckctl")
        words = shlex.split(re.search(r"&& (.*?) && :$", link).group(1))
        words[words.index("-o") + 1] = program
        words[words.index("-o"):words.index("-o")] = objects
        run(words, cwd=BUILD)
        return program

    def ctl(self, *arguments):
        return run([self.program, *arguments], env=self.environment, cwd=self.folder, timeout=60)

    def test_it_plans(self):
        plan = json.loads(self.ctl("plan", "--json", "solo", "--", "true"))
        self.assertEqual(plan["launcher"], "solo")
        self.assertEqual([process["argv"] for process in plan["processes"]], [["true"]])

    def test_it_launches(self):
        self.assertIn("hello from solo", self.ctl("solo", "--", "echo", "hello from solo"))

    def test_it_completes(self):
        self.assertIn("solo", self.ctl("__complete", "1", "rankdeckctl", "so").split())
        self.assertIn("solo", self.ctl("__complete", "2", "rankdeckctl", "plan", "").split())
        self.assertIn("--log-dir", self.ctl("__complete", "2", "rankdeckctl", "solo", "--log").split())

    def test_it_is_explained(self):
        self.assertIn("launch one process", self.ctl("solo", "--help") + self.ctl("--help"))
        self.assertIn("wrap, solo or run", re.sub(r"\s+", " ", self.ctl("--help")))


if __name__ == "__main__":
    unittest.main()

"""What app/package.sh makes, as it is used: in a root folder where nothing else is, and in a virtual environment.

RANKDECK_PACKAGES is the folder of the packages; RANKDECK_ROOT the root folder of another system to try them in, or "".
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ["RANKDECK_PACKAGES"])
ARCHITECTURE = os.environ.get("RANKDECK_ARCHITECTURE") or os.uname().machine
ROOT = os.environ.get("RANKDECK_ROOT", "")
VERSION = r"0\.\d+\.\d+ \((?:[0-9a-f]{8}\+?, )?20\d\d-\d\d-\d\d\), Qt 6\.\d+\.\d+\n"

# Mounts and processes end with the command.
UNSHARE = [shutil.which("unshare"), "--mount", "--pid", "--fork", "--kill-child"]
if os.geteuid() != 0:
    UNSHARE.append("--map-root-user")
ENTER = """
    set -eu
    root=$1 changes=$2
    shift 2
    if [ -n "$changes" ]; then
        mkdir -p "$changes/new" "$changes/work"
        mount -t overlay -o "lowerdir=$root,upperdir=$changes/new,workdir=$changes/work" changes "$root"
    fi
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=755 devices "$root/dev"
    for device in null zero full random urandom; do
        : >"$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    if [ -n "${THEN:-}" ]; then
        chroot "$root" "$@"
        exec chroot "$root" "$1" $THEN
    fi
    exec chroot "$root" "$@"
"""


class Room:
    """A root folder, empty but for what is unpacked there. What commands change there may go to another folder."""

    def __init__(self, folder, changes=""):
        self.root, self.changes = Path(ROOT or folder), str(changes)
        for name in ("proc", "dev", "tmp"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.root / "package", ignore_errors=True)
        (self.root / "package/home").mkdir(parents=True)

    def command(self, *words):
        return [*UNSHARE, shutil.which("bash"), "-c", ENTER, "enter", str(self.root), self.changes, *words]

    def run(self, *words, **variables):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/package/home", **variables}
        return subprocess.run(self.command(*words), env=environment, capture_output=True, text=True, timeout=300)

    def launch(self, program, *words):
        if ARCHITECTURE == os.uname().machine:
            return self.run(program, "processes", *words)
        # A process that qemu emulates is told another start time of itself than others are: it would seem gone.
        return self.run(program, "processes", "--detach", *words, THEN="wait last")


def unpack(name, folder):
    found, = PACKAGES.glob("{}-*-linux-{}.tar.gz".format(name, ARCHITECTURE))
    with tarfile.open(str(found)) as archive:
        archive.extractall(str(folder))
    tree, = Path(folder).glob(name + "-*")
    return tree.rename(Path(folder) / "a b")  # Wherever its user wants it.


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="rankdeck-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)


class EmptyRoot(Folder):
    def setUp(self):
        super().setUp()
        if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
            self.skipTest("this user may not unshare namespaces")
        self.room = Room(self.folder)

    def check_launch(self, program):
        # The package has the only programs that are there.
        version = self.room.run(program, "--version")
        self.assertRegex(version.stdout, "^rankdeckctl " + VERSION + "$", version.stderr)
        run = self.room.launch(program, "--nproc", "3", "--", program, "explain", "no such text at all")
        self.assertEqual(run.returncode, 1, run.stderr)
        report = self.room.run(program, "report", "last")
        self.assertRegex(report.stdout, r"Rank \d failed first: ", report.stderr)
        self.assertIn("exit code 1", report.stdout)

    def test_node(self):
        unpack("rankdeckctl", self.room.root / "package")
        self.check_launch("/package/a b/bin/rankdeckctl")

    def test_two_nodes(self):
        unpack("rankdeckctl", self.room.root / "package")
        program = "/package/a b/bin/rankdeckctl"
        run = self.room.launch(program, "--nodes", "alpha,beta", "--transport", "local", "--nproc", "1", "--", program,
                          "explain", "EI0002")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        for rank in "01":
            printed = self.room.run(program, "logs", "last", "--rank", rank)
            self.assertIn("EI0002", printed.stdout, printed.stderr)

    def test_whole(self):
        tree = unpack("rankdeck", self.room.root / "package")
        self.check_launch("/package/a b/bin/rankdeckctl")
        window = self.room.run("/package/a b/bin/rankdeck", "--version")
        self.assertRegex(window.stdout, "^rankdeck " + VERSION + "$", window.stderr)
        for name in (tree / "lib").glob("*.so*"):
            self.assertTrue(name.is_file() and not name.is_symlink(), name)


class Rpm(Folder):
    def test_installs(self):
        found = list(PACKAGES.glob("rankdeck-*.{}.rpm".format(ARCHITECTURE)))
        if ROOT or not found or not shutil.which("rpm") or os.geteuid() != 0:
            self.skipTest("no rpm, no rpm package, or not root")
        room = Room(self.folder)
        done = subprocess.run(["rpm", "--root", str(self.folder), "--ignorearch", "-i", str(found[0])],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("rankdeck", "rankdeckctl"):
            shown = room.run("/usr/bin/" + name, "--version")
            self.assertRegex(shown.stdout, "^" + name + " " + VERSION + "$", shown.stderr)
        for page in ("man1/rankdeckctl.1", "man1/rankdeck.1", "zh_CN/man1/rankdeckctl-list.1"):
            self.assertTrue((self.folder / "usr/share/man" / page).is_file(), page)


class Deb(Folder):
    def find(self, release):
        name = "rankdeck_*~{}_{}.deb".format(release, {"x86_64": "amd64", "aarch64": "arm64"}[ARCHITECTURE])
        found = [str(path) for path in PACKAGES.glob(name)]
        if not found:
            self.skipTest("no " + name)
        return found

    def test_lintian_finds_no_error(self):
        found = self.find("*")
        if ROOT or not shutil.which("lintian"):
            self.skipTest("once is enough, or no lintian here")
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", *found], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_installs(self):
        if not ROOT:
            self.skipTest("that is for a system of its own")
        release = dict(line.split("=", 1) for line in Path(ROOT, "etc/os-release").read_text().splitlines() if "=" in line)
        found, = self.find(release["ID"] + release["VERSION_ID"].strip('"'))
        room = Room(ROOT, self.folder)
        shutil.copy(found, str(room.root / "package/rankdeck.deb"))
        shutil.copy("/etc/resolv.conf", str(room.root / "etc/resolv.conf"))
        for words in (("update",), ("install", "-y", "--no-install-recommends", "/package/rankdeck.deb")):
            done = room.run("apt-get", "-q", *words, DEBIAN_FRONTEND="noninteractive")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("rankdeck", "rankdeckctl"):
            shown = room.run(name, "--version")
            self.assertRegex(shown.stdout, "^" + name + " " + VERSION + "$", shown.stderr)
        run = room.launch("rankdeckctl", "--nproc", "2", "--", "sh", "-c", "exit $RANK")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        done = room.run("dpkg", "--purge", "rankdeck")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Environment(Folder):
    """What ranks and other programs see of the package: nothing."""

    def setUp(self):
        super().setUp()
        if ROOT or ARCHITECTURE != os.uname().machine:
            self.skipTest("these are about this system")
        self.program = str(unpack("rankdeckctl", self.folder) / "bin/rankdeckctl")
        # As CANN's folders: the names that we need, and nothing fit for use.
        self.libraries = self.folder / "libraries"
        self.libraries.mkdir()
        for name in ("libc.so.6", "libstdc++.so.6", "libQt6Core.so.6", "libarchive.so.13", "libz.so.1"):
            (self.libraries / name).write_bytes(b"")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}

    def run_program(self, *words, **variables):
        return subprocess.run([self.program, *words], env={**self.environment, **variables}, capture_output=True,
                              text=True, timeout=60)

    def test_foreign_libraries(self):
        for variables in ({"LD_LIBRARY_PATH": str(self.libraries)}, {"LD_PRELOAD": "/no/such/library.so"}):
            shown = self.run_program("--version", **variables)
            self.assertRegex(shown.stdout, VERSION, shown.stderr)
            self.assertEqual(shown.stderr, "")

    def test_ranks(self):
        script = 'import os, sys; print("\\n".join(sorted(os.environ))); print("LD", os.environ["LD_LIBRARY_PATH"])'
        folder = "/no/such/folder"
        ours = self.run_program("processes", "--nproc", "1", "--", sys.executable, "-c", script, LD_LIBRARY_PATH=folder)
        self.assertEqual(ours.returncode, 0, ours.stderr)
        self.assertIn("LD " + folder, ours.stdout)
        self.assertNotRegex(ours.stdout, "HELD|FONTCONFIG|QT_")

    def test_command_line(self):
        script = 'import os; print(open("/proc/{}/cmdline".format(os.getppid())).read().replace("\\0", " ").strip())'
        ours = self.run_program("processes", "--nproc", "1", "--", sys.executable, "-c", script)
        self.assertNotIn("ld.so", ours.stdout)
        self.assertIn(self.program, ours.stdout)


    def lead_to_nodes(self, architecture=os.uname().machine):
        """Each node has a home of its own, and says that it is of this architecture."""
        (self.folder / "node-bin").mkdir()
        uname = self.folder / "node-bin/uname"
        uname.write_text("#!/bin/sh\necho {}\n".format(architecture))
        ssh = self.folder / "bin/ssh"
        ssh.write_text('#!/bin/sh\n[ -z "$LD_LIBRARY_PATH$LD_PRELOAD" ] || exit 9\n'
                       'while [ "$1" != -- ]; do shift; done\nexport PATH="$HOME/node-bin:/usr/bin:/bin" HOME="$HOME/$2"\n'
                       'mkdir -p "$HOME" && exec sh -c "$3"\n')
        for program in (ssh, uname):
            program.chmod(0o755)

    def test_nodes(self):
        """Two nodes without Rankdeck, which a stand-in for ssh leads to: both get what the program needs."""
        self.environment["PATH"] = str(self.folder / "bin") + ":/usr/bin:/bin"
        (self.folder / "bin").mkdir()
        self.lead_to_nodes()
        for expected in (1, 0):
            run = self.run_program("processes", "--nodes", "alpha,beta", "--nproc", "1", "--transport", "ssh", "--work-dir",
                                   "/", "--", "sh", "-c", "echo rank $RANK sees $LD_LIBRARY_PATH", LD_LIBRARY_PATH="/none")
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            for rank in "01":
                self.assertIn("rank " + rank + " sees /none", run.stdout)
            self.assertEqual(run.stderr.count("Copying rankdeckctl to alpha"), expected, run.stderr)
        for node in ("alpha", "beta"):
            programs = list((self.folder / node / ".cache/rankdeck").glob("rankdeckctl-*.d/bin/rankdeckctl"))
            self.assertEqual(len(programs), 1, programs)
        self.assertEqual(len(list((self.folder / ".cache/rankdeck").glob("for-nodes-*"))), 1)

    def test_node_of_another_architecture_emulated_by_qemu(self):
        other, = {"x86_64", "aarch64"} - {ARCHITECTURE}
        (self.folder / "whole").mkdir()
        tree = unpack("rankdeck", self.folder / "whole")
        self.program = str(tree / "bin/rankdeckctl")
        if not list(tree.glob("share/rankdeck/nodes/rankdeckctl-*-linux-{}.tar.gz".format(other))):
            self.skipTest("the package was made without that of " + other)
        if not Path("/proc/sys/fs/binfmt_misc/qemu-" + other).exists():
            self.skipTest("no qemu-user is registered here for " + other)
        self.environment["PATH"] = str(self.folder / "bin") + ":/usr/bin:/bin"
        (self.folder / "bin").mkdir()
        self.lead_to_nodes(other)
        run = self.run_program("processes", "--nodes", "alpha", "--nproc", "1", "--transport", "ssh", "--work-dir", "/", "--",
                               "sh", "-c", "echo rank $RANK; readlink /proc/$PPID/exe")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("rank 0", run.stdout)
        self.assertIn("/qemu-" + other, run.stdout)


class Wheel(Folder):
    def setUp(self):
        super().setUp()
        self.wheel, = PACKAGES.glob("rankdeck-*{}.whl".format(ARCHITECTURE))

    def run_in(self, room, *words):
        if room:
            return room.run(*words)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)

    def test_pip(self):
        if not ROOT and ARCHITECTURE != os.uname().machine:
            self.skipTest("Python is of another architecture here")
        room = Room(self.folder) if ROOT else None
        wheel, venv = self.wheel, str(self.folder / "venv")
        if room:
            wheel, venv = Path("/package") / self.wheel.name, "/package/venv"
            shutil.copy(str(self.wheel), str(room.root / "package"))
        made = self.run_in(room, "python3" if room else sys.executable, "-m", "venv", venv)
        if made.returncode != 0:
            self.skipTest("no venv here: " + made.stdout + made.stderr)
        pip = self.run_in(room, venv + "/bin/python", "-m", "pip", "install", "--no-index", "--disable-pip-version-check",
                          str(wheel))
        self.assertEqual(pip.returncode, 0, pip.stdout + pip.stderr)
        for name in ("rankdeck", "rankdeckctl"):
            shown = self.run_in(room, venv + "/bin/" + name, "--version")
            self.assertRegex(shown.stdout, "^" + name + " " + VERSION + "$", shown.stderr)
        script = ("import rankdeck.davincirunsdk as sdk, sys\n"
                  "sys.exit(sdk.find_rankdeckctl() != sys.prefix + '/bin/rankdeckctl')\n")
        found = self.run_in(room, venv + "/bin/python", "-c", script)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        program, words = venv + "/bin/rankdeckctl", ["--nproc", "2", "--", "sh", "-c", "exit $RANK"]
        run = room.launch(program, *words) if room else self.run_in(room, program, "processes", *words)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        report = self.run_in(room, program, "report", "last")
        self.assertIn("Rank 1 failed first", report.stdout, report.stderr)


class Frame:
    """The picture on an X server's screen, from the file that it keeps it in (XWD)."""

    def __init__(self, content):
        fields = [int.from_bytes(content[at:at + 4], "big") for at in range(0, 100, 4)]
        header, colours = fields[0], fields[19]
        self.pixels = content[header + 12 * colours:]

    def shows_text(self):
        """Edges of letters have many shades."""
        return len({self.pixels[at:at + 4] for at in range(0, len(self.pixels), 4)}) > 50


class Window(Folder):
    """Drawn with the package's own fonts, the window looks as the one that was built does here with the same fonts."""

    def setUp(self):
        super().setUp()
        if not shutil.which("Xvfb") or "RANKDECK_BUILT" not in os.environ:
            self.skipTest("no Xvfb, or nothing to compare with")
        if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
            self.skipTest("this user may not unshare namespaces")
        self.room = Room(self.folder / "root") if not ROOT else Room(ROOT)

    def open_window(self, command, environment):
        """Returns the file of its screen, and what it says. It ends with the test."""
        folder = Path(tempfile.mkdtemp(dir=str(self.folder)))
        reader, writer = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-nolisten", "tcp", "-noreset", "-screen", "0",
                                   "1280x800x24", "-nocursor", "-fbdir", str(folder)], pass_fds=[writer], stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        os.close(writer)
        with open(reader) as pipe:
            display = ":" + pipe.readline().strip()
        words = folder / "words"
        with open(str(words), "w") as said:
            program = subprocess.Popen(command, env={**environment, "DISPLAY": display}, stdout=said, stderr=said)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        return folder / "Xvfb_screen0", words

    def test_looks(self):
        tree = unpack("rankdeck", self.room.root / "package")
        home, runtime = self.folder / "home", self.folder / "runtime"
        home.mkdir()
        for made in (runtime, self.room.root / "package/runtime"):  # With no mark of a window that was killed.
            made.mkdir(mode=0o700)
        built, _ = self.open_window([os.environ["RANKDECK_BUILT"]],
                                    {"PATH": os.environ["PATH"], "HOME": str(home), "QT_QPA_PLATFORM": "xcb",
                                     "FONTCONFIG_FILE": str(tree / "share/fonts.conf"), "XDG_RUNTIME_DIR": str(runtime)})
        packed, words = self.open_window(self.room.command("/package/a b/bin/rankdeck"),
                                         {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/package/home",
                                          "XDG_RUNTIME_DIR": "/package/runtime"})
        deadline = time.monotonic() + 90
        while True:
            pictures = [Frame(file.read_bytes()) for file in (built, packed)]
            differing = sum(one != other for one, other in zip(*(picture.pixels for picture in pictures)))
            if differing == 0 and all(picture.shows_text() for picture in pictures):
                return
            self.assertLess(time.monotonic(), deadline, "{} bytes differ; it said: {}".format(
                differing, words.read_text()))


if __name__ == "__main__":
    unittest.main()

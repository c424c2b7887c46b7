"""What README.md and the manual show is true: each link leads somewhere, each command works, each option exists.

Blocks marked sh, and indented ones, are run line by line, in a directory with what tests/manual/files has, rank
tables and a run that has ended. A comment before a block says otherwise:

    <!-- test: exit 1 -->                     its commands end with this code
    <!-- test: plan, needs a second node -->  launches go to `rankdeckctl plan`, of others the options are looked up
    <!-- test: needs NPUs -->                 the options are looked up in --help
    <!-- test: file spec.json -->             the block is this file of that directory
"""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MANUAL = SOURCE / "resources" / "manual" / "en"
PROGRAM = Path(os.environ["RANKDECKCTL"])
MADE = os.environ.get("RANKDECK_MADE")  # Man pages and HTML, where the build has made them.
OTHER_PAGES = [SOURCE / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
LAUNCHERS = ("davincirun", "msrun", "processes", "torchrun", "run")
PLACEHOLDERS = ("COMMAND", "LAUNCHER")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


OWN_NETWORK = "TEST_HAS_OWN_NETWORK"


def setUpModule():
    """Goes on in a network of its own, where that is allowed: launches of the manual take the usual ports, which no
    connection gets there by chance (HCCL's 60000 to 60015)."""
    own = ["unshare", "--net", "sh", "-c", 'ip link set lo up && '
           'echo 32768 59999 >/proc/sys/net/ipv4/ip_local_port_range && exec "$@"', "sh"]
    if OWN_NETWORK in os.environ or os.geteuid() != 0 or not shutil.which("unshare"):
        return
    if subprocess.run(own + ["true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ[OWN_NETWORK] = "1"
        os.execvp("unshare", own + Path("/proc/self/cmdline").read_text().split("\0")[:-1])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pages():
    return OTHER_PAGES + sorted(MANUAL.rglob("*.md"))


def name_of(page):
    return str(page.relative_to(SOURCE))


class Block:
    def __init__(self, kind, order, line):
        self.kind, self.order, self.line, self.lines = kind, order, line, []

    def commands(self):
        """Lines of a shell, those that end with a backslash joined to the next."""
        text = "\n".join(self.lines).replace("\\\n", " ")
        return [line.strip() for line in text.splitlines() if line.strip()]


def split(page):
    """The text of a page without its blocks, and these."""
    prose, blocks, order, fence, indented = [], [], "", None, None
    before = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if fence is not None:
            if line.startswith("```"):
                fence = None
            else:
                fence.lines.append(line)
        elif line.startswith("```"):
            fence = Block(line[3:].strip(), order, number)
            blocks.append(fence)
            order = ""
        elif line.startswith("    ") and (indented or not before.strip()):
            if not indented:
                indented = Block("sh", order, number)
                blocks.append(indented)
            indented.lines.append(line)
        else:
            if line.strip():
                indented = None
                found = re.fullmatch(r"<!-- test: (.*?) *-->", line)
                order = found[1] if found else ""
            prose.append(line)
        before = line
    return "\n".join(prose), blocks


def anchors(page):
    """The names that GitHub and others give to the headings of a page."""
    found = set()
    for line in split(page)[0].splitlines():
        heading = re.match(r"#+ +(.*)", line)
        if heading:
            text = re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-")
            found.add(text)
    return found


def links(page):
    return [link for link in LINK.findall(re.sub(r"`[^`]*`", "", split(page)[0])) if "://" not in link]


def target(page, link):
    path = link.partition("#")[0]
    return (page.parent / path).resolve() if path else page


def options_in(text):
    return {option.replace("_", "-") for option in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", text)}


def call_in(words):
    """The words from rankdeckctl or rankdeck on: `salloc -N 2 rankdeckctl …` has two before."""
    for at, word in enumerate(words):
        if word in ("rankdeckctl", "rankdeck"):
            return words[at:]
    return []


class Sandbox:
    """A directory in which the commands of a page find what they name."""

    def __init__(self):
        self.root = Path(tempfile.mkdtemp())
        self.folder = self.root / "work"
        self.runs = self.root / "state_home/rankdeck/runs"
        shutil.copytree(SOURCE / "tests/manual/files", self.folder)
        tables = SOURCE / "tests/data/ranktables"
        shutil.copy(SOURCE / "resources/demo/rank_table.json", self.folder / "table.json")
        shutil.copy(tables / "template2_2servers.json", self.folder / "platform.json")
        shutil.copy(tables / "server_list_2servers.json", self.folder / "hccl_2s_16p.json")
        whole = json.loads((tables / "server_list_2servers.json").read_text())
        for number, server in enumerate(whole["server_list"], 1):
            part = dict(whole, server_list=[server], server_count="1")
            (self.folder / f"server{number}.json").write_text(json.dumps(part))
        self.environment = {"HOME": str(self.root), "LC_ALL": "C.UTF-8", "TERM": "dumb",
                            "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
        for name in ("STATE_HOME", "CONFIG_HOME", "RUNTIME_DIR", "CACHE_HOME"):
            place = self.root / name.lower()
            place.mkdir(mode=0o700)
            self.environment["XDG_" + name] = str(place)
        if OWN_NETWORK not in os.environ:
            self.environment["PET_MASTER_PORT"] = str(free_port())
        for name, value in os.environ.items():
            if name.endswith("SAN_OPTIONS"):
                self.environment[name] = value

    def run(self, line):
        return subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=60)

    def all_ranks_printed(self, words):
        """Waits until both ranks of the run that one of these words names have printed something."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            logs = [log for word in words for log in (self.runs / word).glob("logs/*/stdout.log")]
            if len(logs) == 2 and all(log.stat().st_size for log in logs):
                return True
            time.sleep(0.02)
        return False

    def close(self):
        for run in self.runs.glob("*"):
            self.run(f"rankdeckctl stop --kill {run.name}")
        shutil.rmtree(self.root)


class Helps:
    """What --help says of each command, asked once."""

    def __init__(self, sandbox):
        self.sandbox, self.known = sandbox, {}
        self.general = self.of()
        self.commands = {found[1] for found in re.finditer(r"^  ([a-z]+) ", self.general, re.MULTILINE)}

    def of(self, *words, program="rankdeckctl"):
        call = shlex.join((program,) + words + ("--help",))
        if call not in self.known:
            self.known[call] = self.sandbox.run("QT_QPA_PLATFORM=offscreen " + call).stdout
        return self.known[call]

    def of_call(self, words):
        """The help that a command line is read by, up to where a training script's own options begin."""
        if words[0] == "rankdeck":
            return self.of(program="rankdeck") + "".join(self.of(word) for word in words[1:2] if word in LAUNCHERS)
        command = [word for word in words[1:2] if word in self.commands]
        text = self.of(*command)
        if words[2:3] and words[2] in self.actions(text):
            text = self.of(*words[1:3])
        if command in (["plan"], ["preflight"], ["run"], ["profile"], ["import"]):
            text += "".join(self.of(launcher) for launcher in LAUNCHERS)
        return text

    @staticmethod
    def actions(text):
        """Those of a command such as ranktable, whose help is a list of them."""
        is_list = re.match(r"Usage: rankdeckctl [a-z]+ ACTION", text)
        return re.findall(r"^  ([a-z]+) ", text, re.MULTILINE) if is_list else []

    def everything(self):
        texts = [self.general, self.of(program="rankdeck")]
        for command in sorted(self.commands):
            texts.append(self.of(command))
            texts += [self.of(command, action) for action in self.actions(texts[-1])]
        return "\n".join(texts)


def before_script(words):
    """A call without what belongs to the program that it launches."""
    for at, word in enumerate(words):
        if word == "--" or word.endswith(".py") or word == "python3":
            return words[:at]
    return words


def is_whole_launch(call, code):
    """Whether it launches a script, and nothing is left for the reader to fill in."""
    return call[1:2] and call[1] in LAUNCHERS and "train.py" in code and not re.search(r"…|\b[A-Z]{3,}\b", code)


class ManualTest(unittest.TestCase):
    def setUp(self):
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.close)
        self.helps = Helps(self.sandbox)

    def test_each_link_leads_somewhere(self):
        for page in pages():
            for link in links(page):
                with self.subTest(page=name_of(page), link=link):
                    found = target(page, link)
                    self.assertTrue(found.exists(), "no such file")
                    anchor = link.partition("#")[2]
                    self.assertTrue(not anchor or anchor in anchors(found), "no such heading")

    def test_each_page_is_reached_from_the_index(self):
        reached, todo = set(), [MANUAL / "index.md"]
        while todo:
            page = todo.pop()
            if page in reached or page.suffix != ".md" or MANUAL not in page.parents:
                continue
            reached.add(page)
            todo += [target(page, link) for link in links(page)]
        self.assertEqual(set(MANUAL.rglob("*.md")), reached)

    @unittest.skipUnless(MADE, "lowdown is not installed")
    def test_links_hold_in_html(self):
        for page in MANUAL.rglob("*.md"):
            path = (Path(MADE) / "html" / page.relative_to(MANUAL)).with_suffix(".html")
            html = path.read_text(encoding="utf-8")
            self.assertNotIn("<!--", html)
            for link in re.findall(r'href="([^"]+)"', html):
                file, _, anchor = link.partition("#")
                found = path.parent / file if file else path
                with self.subTest(page=str(path), link=link):
                    self.assertTrue(found.is_file(), "no such file")
                    known = found.read_text(encoding="utf-8")
                    self.assertTrue(not anchor or f'id="{anchor}"' in known, "no such heading")

    @unittest.skipUnless(MADE, "lowdown is not installed")
    def test_man_pages_have_every_command_and_option(self):
        folder = Path(MADE) / "man1"
        chinese = Path(MADE) / "zh_CN" / "man1"
        self.assertEqual({page.name for page in folder.iterdir()}, {page.name for page in chinese.iterdir()})
        for page in chinese.iterdir():
            with self.subTest(page=page.name):
                english, translated = ((place / page.name).read_text(encoding="utf-8") for place in (folder, chinese))
                self.assertFalse(options_in(english) - options_in(translated), "options that the page does not have")
                self.assertRegex(translated, r"名称\n.LP\n%s - [^\n]*[\u4e00-\u9fff]" % page.stem)
        pages = {page.stem: page.read_text(encoding="utf-8").replace("\\-", "-").replace("\\(dq", '"')
                 for page in folder.iterdir()}
        for command in self.helps.commands:
            for words in [(command,)] + [(command, action) for action in self.helps.actions(self.helps.of(command))]:
                page = pages["-".join(("rankdeckctl",) + words)]
                with self.subTest(command=words):
                    self.assertRegex(page, r"NAME\n.LP\nrankdeckctl-[a-z-]+ - \w.*\n")
                    missing = options_in(self.helps.of(*words)) - options_in(page)
                    self.assertFalse(missing, "options that the page does not have")
        self.assertTrue("--canvas" in pages["rankdeck"])
        for name, page in pages.items():
            self.assertFalse(re.search(r"/(home/\w+|root)/", page), f"the home of whoever built {name}")
        self.assertTrue("XDG_STATE_HOME" in pages["rankdeckctl"], "an underscore became italics")

    def test_readme_is_short(self):
        self.assertLessEqual(len((SOURCE / "README.md").read_text(encoding="utf-8").splitlines()), 150)

    def test_each_named_command_and_option_exists(self):
        everything = options_in(self.helps.everything())
        for page in pages():
            if page.parent.name == "launchers":
                continue  # tst_optiontables tries each of their lines.
            for code in re.findall(r"(?<!`)`([^`\n]+)`", split(page)[0]):
                words = code.split()
                call = call_in(words)
                with self.subTest(page=name_of(page), code=code):
                    if call and call[0] == words[0] == "rankdeckctl" and len(call) > 1 and call[1].isalpha():
                        self.assertIn(call[1], self.helps.commands | set(PLACEHOLDERS))
                    if call:
                        self.check_options(call)
                    elif code.startswith("--"):
                        option = re.match(r"--[\w-]+", code)[0].replace("_", "-")
                        self.assertTrue(option in everything or option == "--help", "no help has this option")
                    if is_whole_launch(call, code):
                        done = self.sandbox.run("rankdeckctl plan " + shlex.join(call[1:]))
                        self.assertEqual(0, done.returncode, done.stdout)

    def check_options(self, call):
        unknown = options_in(" ".join(before_script(call)[1:])) - options_in(self.helps.of_call(call)) - {"--help"}
        self.assertFalse(unknown, "options that --help does not have")

    def test_each_command_in_a_block_works(self):
        for page in pages():
            if page.parent.name != "launchers":
                self.check_blocks(page)

    def check_blocks(self, page):
        sandbox = Sandbox()
        try:
            if any("last" in line for block in split(page)[1] for line in block.lines):
                self.assertEqual(0, sandbox.run("rankdeckctl processes --nproc 2 -- python3 train.py").returncode)
            for block in split(page)[1]:
                if block.order.startswith("file "):
                    (sandbox.folder / block.order[5:]).write_text("\n".join(block.lines))
                for command in block.commands() if block.kind == "sh" else []:
                    with self.subTest(page=name_of(page), line=block.line, command=command):
                        self.check_command(sandbox, command, block.order)
        finally:
            sandbox.close()

    def check_command(self, sandbox, command, order):
        words = shlex.split(command, comments=True)
        call = call_in(words)
        if "$(" in command:
            call = ["rankdeckctl"]  # Words of a shell that only the shell understands.
        if not call:
            program = words[0]
            if "/" in program and "=" not in program and not program.startswith("build/"):
                self.assertTrue((SOURCE / program).exists(), "no such file")
            return
        if call[0] == "rankdeckctl" and call[1:2] != ["collective"] and not order.startswith(("plan", "needs")):
            done = sandbox.run(command)
            self.assertEqual(int(order[5:]) if order.startswith("exit ") else 0, done.returncode, done.stdout)
            if "--detach" in call:
                self.assertTrue(sandbox.all_ranks_printed(done.stdout.split()), "no rank printed a line")
            return
        if call[1:2] and call[1] in LAUNCHERS and not order.startswith("needs"):
            done = sandbox.run("rankdeckctl plan " + shlex.join(call[1:]))
            self.assertEqual(0, done.returncode, done.stdout)
            return
        print(f"Not run: {command} ({order or 'opens a window'})")
        if call[0] == "rankdeckctl":
            self.assertIn(call[1], self.helps.commands)
        self.check_options(call)


if __name__ == "__main__":
    unittest.main()

"""The package rankdeck starts real ranks by rankdeckctl: davincirunsdk's examples, torch's start_processes."""

import ast
import contextlib
import importlib.util
import io
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "app/python"
sys.path.insert(0, str(PACKAGE))

import rankdeck  # noqa: E402
import rankdeck.davincirunsdk  # noqa: E402
from rankdeck import Std, start_processes  # noqa: E402

TEMPLATE_2 = Path(__file__).resolve().parents[1] / "data/ranktables/template2_2servers.json"
TABLE = {"version": "1.0", "status": "completed", "server_count": "1", "server_list": [
    {"server_id": "10.0.0.1", "device": [{"device_id": "0", "device_ip": "192.168.1.1", "rank_id": "0"},
                                         {"device_id": "1", "device_ip": "192.168.1.2", "rank_id": "1"}]}]}


def trainer(a, b, c):
    print("trainer", a, b, c)
    print("warning", a, file=sys.stderr)
    return {"sum": a + b + c, "local_rank": os.environ["LOCAL_RANK"]}


def fail_at_1(rank):
    if rank == 1:
        raise ValueError("no data on rank 1")
    time.sleep(600)


def leave(code):
    sys.exit(code)


class Point:
    def __init__(self, x):
        self.x = x


def moved(point):
    return Point(point.x + 1)


class OutStream(io.StringIO):
    """sys.stdout of a notebook's kernel: no file descriptor, and it belongs to ipykernel."""

    __module__ = "ipykernel.iostream"


class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        for name in ("RANK_TABLE_FILE", "RANK_TABLE_FILE_V_1_0", "RANK_SIZE", "RANK_START", "MA_CURRENT_HOST_IP"):
            os.environ.pop(name, None)
        (self.folder / "run").mkdir(mode=0o700)
        os.environ.update(XDG_STATE_HOME=str(self.folder / "state"), XDG_RUNTIME_DIR=str(self.folder / "run"),
                          MA_HOME=str(self.folder / "ma"), LC_ALL="C.UTF-8")
        directory = os.getcwd()
        self.addCleanup(os.chdir, directory)
        os.chdir(str(self.folder))

    def use_table(self):
        path = self.folder / "table.json"
        path.write_text(json.dumps(TABLE))
        os.environ["RANK_TABLE_FILE"] = str(path)
        return path

    def output_of(self, act):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            value = act()
        return value, out.getvalue()

    def in_python(self, source, *arguments):
        """Runs source as a program of its own; returns its exit code and what it printed."""
        script = "import sys; sys.path.insert(0, {!r})\n".format(str(PACKAGE)) + source
        done = subprocess.run([sys.executable, *arguments, script] if arguments else self.script(script),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=120)
        return done.returncode, done.stdout, done.stderr

    def script(self, source):
        path = self.folder / "script.py"
        path.write_text(source)
        return [sys.executable, str(path)]


class SourceTest(unittest.TestCase):
    def test_itIsPython37(self):
        for path in PACKAGE.glob("rankdeck/*.py"):
            source = path.read_text(encoding="utf-8")
            ast.parse(source, str(path), **({"feature_version": (3, 7)} if sys.version_info >= (3, 8) else {}))

    def test_everythingPublicIsDocumented(self):
        for name in rankdeck.__all__:
            if name != "Std":
                self.assertTrue(getattr(rankdeck, name).__doc__, name)

    def test_itSaysThatItIsTyped(self):
        self.assertTrue((PACKAGE / "rankdeck/py.typed").exists())


class ProgramTest(PackageTest):
    def test_aProgramThatIsNotThereIsNamed(self):
        with self.assertRaisesRegex(rankdeck.RankdeckError, "/no/rankdeckctl: no such program"):
            os.environ["RANKDECKCTL"] = "/no/rankdeckctl"
            rankdeck.generate_rank_table()

    def test_theProgramOfTheEnvironmentIsFoundBesideThePackage(self):
        site = self.folder / "venv/lib/python3.9/site-packages"
        shutil.copytree(str(PACKAGE / "rankdeck"), str(site / "rankdeck"))
        program = self.folder / "venv/bin/rankdeckctl"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        environment = {name: value for name, value in os.environ.items() if name != "RANKDECKCTL"}
        found = subprocess.check_output(
            [sys.executable, "-c", "from rankdeck.davincirunsdk import find_rankdeckctl; print(find_rankdeckctl())"],
            env={**environment, "PYTHONPATH": str(site)}, encoding="utf-8")
        self.assertEqual(found.strip(), str(program))


class DavincirunsdkTest(PackageTest):
    def test_withoutATableNothingIsSet(self):
        os.environ["RANK_TABLE_FILE"] = str(self.folder / "none.json")
        self.assertIs(rankdeck.init_rank_table(), False)
        self.assertNotIn("RANK_SIZE", os.environ)

    def test_aTemplate2TableIsConverted(self):
        os.environ["RANK_TABLE_FILE"] = str(TEMPLATE_2)
        os.environ["MA_CURRENT_INSTANCE_NAME"] = self.first_pod()
        with self.assertRaisesRegex(rankdeck.RankdeckError, "init_rank_table"):
            rankdeck.get_rank_table()
        environment = rankdeck.init_rank_table()
        self.assertEqual(environment["RANK_TABLE_FILE"], str(self.folder / "ma/rank_table/jobstart_hccl.json"))
        self.assertEqual((os.environ["RANK_SIZE"], os.environ["RANK_START"]), ("16", "0"))
        table = rankdeck.get_rank_table()
        self.assertEqual(table.get_device_num(), 16)
        self.assertEqual(table.get_rank_table_path(), environment["RANK_TABLE_FILE"])
        self.assertEqual(table.rank_table["version"], "1.0")

    @staticmethod
    def first_pod():
        instances = json.loads(TEMPLATE_2.read_text())["group_list"][0]["instance_list"]
        return min((instance["pod_name"] for instance in instances), key=lambda name: int(name.rsplit("-", 1)[1]))

    def test_settingIsApartFromGenerating(self):
        self.use_table()
        table = rankdeck.generate_rank_table()
        self.assertNotIn("RANK_SIZE", os.environ)
        rankdeck.set_rank_env(table)
        self.assertEqual(os.environ["RANK_SIZE"], "2")
        self.assertEqual(os.environ["MA_CURRENT_HOST_IP"], "10.0.0.1")

    def test_theReadmesExampleOfATrainingJob(self):
        path = self.use_table()
        Path("train.py").write_text("import os; print('rank', os.environ['RANK_ID'], os.environ['DEVICE_ID'],"
                                    " os.environ['MS_COMPILER_CACHE_PATH'], flush=True)")
        source = """
from rankdeck.davincirunsdk import init_rank_table, start_and_wait_distributed_train
init_rank_table()
print('code', start_and_wait_distributed_train([sys.executable, 'train.py']))
"""
        code, out, err = self.in_python(source)
        self.assertEqual(code, 0, err)
        self.assertIn("rank 0 0 /", out)
        self.assertIn("rank 1 1 /", out)
        self.assertTrue(out.endswith("code 0\n"), out)
        self.assertEqual(len(list(Path("log").glob("*-proc-rank-*.txt"))), 2)
        cache = out.split("rank 0 0 ")[1].split()[0]
        self.assertFalse(os.path.exists(cache))
        self.assertTrue(path.exists())

    def test_theSdksExampleOfAStartAndALaterWait(self):
        self.use_table()

        def act():
            with rankdeck.set_random_ms_cache_dir():
                self.assertTrue(os.path.isdir(os.environ["MS_COMPILER_CACHE_PATH"]))
                manager = rankdeck.davincirunsdk.start_distributed_train(
                    ["sh", "-c", "echo in $MS_COMPILER_CACHE_PATH"], work_dir="made/here")
                return rankdeck.davincirunsdk.wait_distributed_train(manager)

        code, out = self.output_of(act)
        self.assertEqual(code, 0)
        self.assertEqual(out.count(" in /"), 2)
        self.assertNotIn("MS_COMPILER_CACHE_PATH", os.environ)

    def test_aFailureIsRaisedWithItsVerdict(self):
        self.use_table()
        script = "[ $RANK_ID = 1 ] && { echo no data here; exit 3; }; sleep 600"
        with self.assertRaises(rankdeck.DistributedRuntimeError) as raised:
            self.output_of(lambda: rankdeck.start_and_wait(["sh", "-c", script]))
        error = raised.exception
        self.assertIn("Rank 1 failed first: exit code 3", str(error))
        self.assertIn("no data here", error.verdict)
        self.assertEqual(error.report["root_rank"], 1)
        self.assertEqual(error.exit_codes, {0: -15, 1: 3})
        self.assertEqual(error.exit_code, 3)
        self.assertIsInstance(error, RuntimeError)

    def test_aFailureIs1WhenNothingShallBeRaised(self):
        self.use_table()
        code, _ = self.output_of(lambda: rankdeck.start_and_wait(["sh", "-c", "exit 3"], raise_exception=False))
        self.assertEqual(code, 1)

    def test_othersMayGoOnWhenOneFails(self):
        self.use_table()
        script = "[ $RANK_ID = 1 ] && exit 3; sleep 0.5; touch went-on"
        code, _ = self.output_of(lambda: rankdeck.start_and_wait(
            ["sh", "-c", script], destroy_when_finished=False, raise_exception=False))
        self.assertEqual(code, 1)
        self.assertTrue(Path("went-on").exists())

    def test_aLaunchWithoutATableIsAnError(self):
        with self.assertRaisesRegex(rankdeck.RankdeckError, "init_rank_table"):
            rankdeck.start(["true"])

    def test_whatCannotBeStartedIsSaidInRankdeckctlsWords(self):
        self.use_table()
        with self.assertRaisesRegex(rankdeck.RankdeckError, "no-such-program"):
            rankdeck.start(["no-such-program"])

    def test_aNotebookGetsTheLinesWhenItAsksForThemAndAsTheyCome(self):
        self.use_table()
        script = "echo first; while [ ! -e go ]; do sleep 0.01; done; echo second"
        for asked in (True, False):
            out = OutStream()
            with contextlib.redirect_stdout(out):
                run = rankdeck.start(["sh", "-c", script], output_notebook=asked)
                deadline = time.monotonic() + 60
                while asked and out.getvalue().count("first") < 2 and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertNotIn("second", out.getvalue())
                Path("go").touch()
                self.assertEqual(rankdeck.wait(run), 0)
            Path("go").unlink()
            self.assertEqual(out.getvalue().count("second"), 2 if asked else 0)

    def test_anInterruptEndsTheRanks(self):
        self.use_table()
        interrupted = -signal.SIGINT if sys.version_info >= (3, 8) else 1
        for number, code in ((signal.SIGINT, interrupted), (signal.SIGTERM, 143)):
            source = "from rankdeck import start_and_wait\nstart_and_wait(['sh', '-c', 'echo up; exec sleep 600'])"
            program = subprocess.Popen(self.script("import sys; sys.path.insert(0, {!r})\n".format(str(PACKAGE)) + source),
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.addCleanup(program.stdout.close)
            self.addCleanup(program.kill)
            self.assertIn(b"up", program.stdout.readline())
            program.send_signal(number)
            self.assertEqual(program.wait(60), code)
            listed = json.loads(subprocess.check_output([os.environ["RANKDECKCTL"], "list", "--json"]))
            self.assertEqual([run["state"] for run in listed["runs"] if run["state"] == "running"], [])


class StartProcessesTest(PackageTest):
    def test_twoTrainersAsAFunction(self):
        log_dir = self.folder / "foobar"
        log_dir.mkdir()
        ctx, out = self.output_of(lambda: self.waited(start_processes(
            name="trainer", entrypoint=trainer, args={0: (1, 2, 3), 1: (4, 5, 6)},
            envs={0: {"LOCAL_RANK": 0}, 1: {"LOCAL_RANK": 1}}, log_dir=str(log_dir), redirects=Std.ALL,
            tee={0: Std.ERR})))
        result = ctx.wait()
        self.assertFalse(result.is_failed(), result.verdict)
        self.assertEqual(result.return_values, {0: {"sum": 6, "local_rank": "0"}, 1: {"sum": 15, "local_rank": "1"}})
        self.assertEqual(Path(result.stdouts[1]).read_text(), "trainer 4 5 6\n")
        self.assertEqual(Path(result.stderrs[0]).read_text(), "warning 1\n")
        self.assertEqual(result.stdouts[0], str(log_dir / "0/stdout.log"))
        self.assertEqual(out, "[trainer0]:warning 1\n")

    @staticmethod
    def waited(ctx):
        ctx.wait()
        return ctx

    def test_twoEchoWorkersAsABinary(self):
        ctx, out = self.output_of(lambda: self.waited(start_processes(
            name="echo", entrypoint="echo", log_dir=str(self.folder / "foobar"), args={0: "hello", 1: "world"},
            redirects={1: Std.OUT})))
        self.assertIn("hello\n", out)
        self.assertNotIn("world", out)
        self.assertEqual((self.folder / "foobar/1/stdout.log").read_text(), "world\n")
        self.assertEqual(ctx.wait().stdouts[0], "")

    def test_argumentsOfAProgramBecomeText(self):
        _, out = self.output_of(lambda: self.waited(start_processes(
            "trainer", "/usr/bin/echo" if os.path.exists("/usr/bin/echo") else "/bin/echo",
            {0: (1, 2, 3), 1: ([1, 2, 3],)}, {0: {}, 1: {}}, str(self.folder / "test"))))
        self.assertIn("1 2 3\n", out)
        self.assertIn("[1, 2, 3]\n", out)

    def test_ranksThatDifferAndALogDirectoryInUseAreRefused(self):
        with self.assertRaisesRegex(RuntimeError, "envs: local rank 1 is missing"):
            start_processes("t", trainer, {0: (), 1: ()}, {0: {}}, None)
        (self.folder / "used").mkdir()
        (self.folder / "used/file").touch()
        with self.assertRaisesRegex(rankdeck.RankdeckError, "used"):
            start_processes("t", "true", {0: ()}, {0: {}}, str(self.folder / "used"))

    def test_aFailingFunctionIsAFailureWithItsTraceback(self):
        (ctx, _) = self.output_of(lambda: self.waited(start_processes("t", fail_at_1, {0: (0,), 1: (1,)})))
        result = ctx.wait()
        self.assertTrue(result.is_failed())
        self.assertEqual(list(result.failures), [1])
        failure = result.failures[1]
        self.assertEqual(failure.exitcode, 1)
        self.assertEqual(failure.message["message"], "ValueError: no data on rank 1")
        self.assertIn("in fail_at_1", failure.message["extraInfo"]["py_callstack"])
        self.assertIn("Rank 1 failed first: ValueError: no data on rank 1", result.verdict)

    def test_exitCodesAndSignalsOfProcesses(self):
        (ctx, _) = self.output_of(lambda: self.waited(start_processes("t", leave, {0: (7,)})))
        failure = ctx.wait().failures[0]
        self.assertEqual((failure.exitcode, failure.signal_name()), (7, "<N/A>"))
        self.assertEqual(failure.error_file_data["errorTraits"]["category"], "system_terminated_error")
        self.assertLess(abs(failure.timestamp - time.time()), 600)
        self.assertRegex(failure.timestamp_isoformat(), r"\d{4}-\d\d-\d\d_\d\d:\d\d:\d\d")
        (ctx, _) = self.output_of(lambda: self.waited(start_processes("t", "sh", {0: ("-c", "kill -9 $$")})))
        failure = ctx.wait().failures[0]
        self.assertEqual(failure.exitcode, -9)
        self.assertRegex(failure.message, r"Signal 9 \(SIGKILL\) received by PID \d+")
        self.assertEqual(failure.signal_name(), "SIGKILL")
        self.assertEqual((failure.error_file, failure.error_file_data), ("<N/A>", {"message": "<NONE>"}))

    def test_aProgramThatIsEndedForAnothersFailureHasFailedToo(self):
        words = {0: ("-c", "while [ ! -e go ]; do sleep 0.01; done; exit 3"), 1: ("-c", "touch go; exec sleep 600")}
        (ctx, _) = self.output_of(lambda: self.waited(start_processes("t", "sh", words)))
        result = ctx.wait()
        self.assertEqual({rank: failure.exitcode for rank, failure in result.failures.items()}, {0: 3, 1: -15})
        self.assertEqual(result.return_values, {})

    def test_whatReturnsNothingHasNone(self):
        (ctx, _) = self.output_of(lambda: self.waited(start_processes("t", "true", {0: (), 1: ()})))
        self.assertEqual(ctx.wait().return_values, {0: None, 1: None})
        (ctx, _) = self.output_of(lambda: self.waited(start_processes("t", leave, {0: (0,)})))
        self.assertEqual(ctx.wait().return_values, {0: None})

    def test_nothingIsStartedForNoArgumentsOrAProgramThatIsNotThere(self):
        ctx = start_processes("t", "true", {})
        self.assertEqual((ctx.pids(), ctx.nprocs, ctx.wait().failures, ctx.close()), ({}, 0, {}, None))
        with self.assertRaises(FileNotFoundError) as caught:
            start_processes("t", "no-such-program", {0: ()})
        self.assertEqual(caught.exception.filename, "no-such-program")
        listed = json.loads(subprocess.check_output([os.environ["RANKDECKCTL"], "list", "--json"]))
        self.assertEqual(listed["runs"], [])

    def test_aContextKnowsWhatWasGiven(self):
        ctx = start_processes("t", "true", {0: ("a",)}, {0: {"A": "1"}})
        self.assertEqual((ctx.name, ctx.entrypoint, ctx.args, ctx.envs, ctx.nprocs),
                         ("t", "true", {0: ("a",)}, {0: {"A": "1"}}, 1))
        ctx.wait()

    def test_ranksHaveTheVariablesThatWereGivenAlone(self):
        os.environ["WORLD_SIZE"] = "8"
        os.environ.pop("RANK", None)
        ctx, out = self.output_of(lambda: self.waited(start_processes(
            "t", "sh", {0: ("-c", "echo ${RANK-none} $WORLD_SIZE $MASTER_PORT ${LOCAL_RANK-none}")},
            {0: {"MASTER_PORT": 29400}})))
        self.assertIn("none 8 29400 none\n", out)

    def test_aContextKnowsItsFiles(self):
        log_dir = self.folder / "files"
        ctx = self.waited(start_processes("t", "true", {0: ()}, {0: {}}, str(log_dir), redirects=Std.OUT))
        self.assertEqual((ctx.stdouts, ctx.stderrs), ({0: str(log_dir / "0/stdout.log")}, {0: ""}))
        self.assertEqual(ctx.error_files, {0: ""})

    def test_resultsCanBeMadeAsTorchDoes(self):
        failure = rankdeck.ProcessFailure(local_rank=1, pid=997, exitcode=-11, error_file="ignored.json")
        self.assertEqual(failure.message, "Signal 11 (SIGSEGV) received by PID 997")
        self.assertTrue(rankdeck.RunProcsResult(failures={1: failure}).is_failed())
        self.assertFalse(rankdeck.RunProcsResult(return_values={0: "a"}).is_failed())

    def test_functionsThatCloseEndedHaveFailed(self):
        ctx = start_processes("t", time.sleep, {0: (600,), 1: (600,)}, {0: {}, 1: {}})
        deadline = time.monotonic() + 60
        while len(ctx.pids()) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        ctx.close()
        result = ctx.wait(timeout=60)
        self.assertEqual({rank: failure.exitcode for rank, failure in result.failures.items()}, {0: -15, 1: -15})

    def test_streamsAreReadFromText(self):
        self.assertEqual(Std.from_str("3"), Std.ALL)
        self.assertEqual(Std.from_str("0:3,1:0,12:1"), {0: Std.ALL, 1: Std.NONE, 12: Std.OUT})
        for text in ("", "4", "out", "0:5", "0:1,", "0:1;1:2"):
            with self.assertRaises(ValueError):
                Std.from_str(text)

    def test_aWaitMayBeShort(self):
        ctx = start_processes("t", "sh", {0: ("-c", "while [ ! -e go ]; do sleep 0.01; done")})
        self.assertIsNone(ctx.wait(timeout=0))
        self.assertIsNone(ctx.wait(timeout=0.2))
        Path("go").touch()
        self.assertFalse(ctx.wait(timeout=60).is_failed())

    def test_closeEndsProcesses(self):
        for death_sig in (None, signal.SIGKILL):
            ctx = start_processes("t", "sleep", {0: ("600",), 1: ("600",)})
            deadline = time.monotonic() + 60
            while len(ctx.pids()) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            pids = ctx.pids()
            self.assertEqual(sorted(pids), [0, 1])
            ctx.close(death_sig)
            for pid in pids.values():
                with self.assertRaises(ProcessLookupError):
                    os.kill(pid, 0)
            self.assertIsNotNone(ctx.wait(timeout=60))

    def test_closeKillsAfterItsTimeout(self):
        ready = "trap '' TERM; touch ready; while :; do sleep 0.1; done"
        ctx = start_processes("t", "sh", {0: ("-c", ready)})
        deadline = time.monotonic() + 60
        while not Path("ready").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        begin = time.monotonic()
        ctx.close(timeout=1)
        self.assertLess(time.monotonic() - begin, 25)  # The grace of a run is 30 s.
        self.assertEqual(ctx.wait(timeout=60).failures[0].exitcode, -9)

    def test_valuesOfAModulesOwnClassComeBack(self):
        ctx = start_processes("t", moved, {0: (Point(4),)})
        self.assertEqual(ctx.wait().return_values[0].x, 5)

    def test_functionsAreNamedAsText(self):
        Path("helper.py").write_text("def double(x):\n    return 2 * x\n")
        ctx = start_processes("t", "os.path:join", {0: ("a", "b")})
        self.assertEqual(ctx.wait().return_values, {0: "a/b"})
        ctx = start_processes("t", "helper.py:double", {0: (21,)})
        self.assertEqual(ctx.wait().return_values, {0: 42})

    def test_logsSpecsOfNewerTorch(self):
        class LogsSpecs:  # The fields of torch's DefaultLogsSpecs.
            _root_log_dir = str(self.folder / "logs")
            _redirects = Std.NONE
            _tee = Std.OUT
            _local_ranks_filter = {0}

        def act():
            return self.waited(start_processes("t", "echo", {0: ("zero",), 1: ("one",)}, {0: {}, 1: {}}, LogsSpecs(),
                                               None, "spawn"))

        ctx, out = self.output_of(act)
        self.assertEqual(out, "[t0]:zero\n")
        self.assertRegex(ctx.wait().stdouts[0], r"/logs/t_\w+/attempt_0/0/stdout\.log$")
        self.assertEqual(Path(ctx.wait().stdouts[1]).read_text(), "one\n")

    def test_linePrefixesOfNewerTorch(self):
        def act():
            return self.waited(start_processes("t", "echo", {0: ("zero",)}, tee=Std.ALL,
                                               log_line_prefixes={0: "<rank 0> "}))
        try:
            _, out = self.output_of(act)
        except rankdeck.RankdeckError as error:
            self.assertIn("log_line_prefixes", str(error))
            self.skipTest("this rankdeckctl has fixed prefixes")
        self.assertEqual(out, "<rank 0> zero\n")

    def test_aFunctionOfAScriptIsFoundAndTheScriptRunsOnce(self):
        source = """
from rankdeck import start_processes
print('top level', __name__)
def add(a, b):
    return a + b
if __name__ == '__main__':
    print(start_processes('t', add, {0: (1, 2)}).wait().return_values)
"""
        code, out, err = self.in_python(source)
        self.assertEqual((code, out.replace("[t0]:", "")), (0, "top level __main__\ntop level __mp_main__\n{0: 3}\n"), err)
        if sys.version_info >= (3, 8):  # Python 3.7 does not tell what is needed of the script.
            code, out, err = self.in_python(source.replace("add, {0: (1, 2)}", "'operator:add', {0: (1, 2)}"))
            self.assertEqual((code, out), (0, "top level __main__\n{0: 3}\n"), err)

    def test_aScriptWithoutAGuardDoesNotStartItselfForEver(self):
        code, out, _ = self.in_python("""
from rankdeck import start_processes
def f():
    return 1
result = start_processes('t', f, {0: ()}).wait()
print(result.is_failed(), result.verdict)
""")
        self.assertEqual(code, 0)
        self.assertIn("True Rank 0 failed first", out)
        self.assertIn("__name__ == '__main__'", out)

    @unittest.skipIf(sys.version_info < (3, 8), "Python 3.7 cannot send them")
    def test_functionsOfANotebookAreSentByValue(self):
        source = """
import math, os
from rankdeck import start_processes
OFFSET = 5
def root(x):
    return math.sqrt(x) + OFFSET
def entry(x, *, y=3):
    return entry(x - 100) if x > 100 else (root(x), y, [root(i) for i in range(2)], os.environ['LOCAL_RANK'])
print(start_processes('nb', entry, {0: (4,), 1: (109,)}).wait().return_values)
print(start_processes('nb', lambda f: f(4), {0: (root,)}).wait().return_values)
class Known: pass
for function, args in ((entry, (Known(),)), ((lambda x: lambda: x)(1), ())):
    try:
        start_processes('nb', function, {0: args})
    except TypeError as error:
        print(error)
"""
        code, out, err = self.in_python(source, "-c")
        self.assertEqual(code, 0, err)
        lines = out.splitlines()
        self.assertEqual(lines[0], "{0: (7.0, 3, [5.0, 6.0], '0'), 1: (8.0, 3, [5.0, 6.0], '1')}")
        self.assertEqual(lines[1], "{0: 7.0}")
        self.assertRegex(lines[2], "entry cannot be called in another process: .*Known.* Move it")
        self.assertRegex(lines[3], "<lambda> cannot be called in another process")

    @unittest.skipIf(sys.version_info >= (3, 8), "only Python 3.7 cannot send them")
    def test_functionsOfANotebookAreRefusedByPython37(self):
        code, out, err = self.in_python("""
from rankdeck import start_processes
try:
    start_processes('nb', lambda: 1, {0: ()})
except TypeError as error:
    print(error)
""", "-c")
        self.assertEqual(code, 0, err)
        self.assertIn("Python 3.7 sends only what a file defines", out)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed")
    def test_torchsOwnHasTheSameResults(self):
        from torch.distributed.elastic import multiprocessing as torchs
        for entrypoint, args, redirects in ((trainer, {0: (1, 2, 3), 1: (4, 5, 6)}, torchs.Std.ALL),
                                            (fail_at_1, {0: (0,), 1: (1,)}, torchs.Std.OUT),
                                            ("echo", {0: (1, 2), 1: ([3],)}, {1: torchs.Std.OUT})):
            results = []
            for who, start in (("theirs", torchs.start_processes), ("ours", start_processes)):
                log_dir = self.folder / "{}-{}".format(who, getattr(entrypoint, "__name__", entrypoint))
                log_dir.mkdir()
                envs = {rank: {"LOCAL_RANK": str(rank)} for rank in args}
                result = start("t", entrypoint, args, envs, str(log_dir), "spawn", redirects).wait()
                files = {str(path.relative_to(log_dir)): path.read_text() for path in log_dir.glob("*/stdout.log")}
                ends = {rank: (failure.exitcode, failure.message.get("message") if isinstance(failure.message, dict)
                               else failure.message) for rank, failure in result.failures.items()}
                # Some releases of torch have a None for each program.
                values = result.return_values if callable(entrypoint) else {}
                results.append((result.is_failed(), ends, values, files))
            self.assertEqual(results[0], results[1])

    def test_aResultCanBePickled(self):
        (ctx, _) = self.output_of(lambda: self.waited(start_processes("t", leave, {0: (7,)})))
        copy = pickle.loads(pickle.dumps(ctx.wait()))
        self.assertEqual(copy.failures[0].exitcode, 7)


if __name__ == "__main__":
    unittest.main()

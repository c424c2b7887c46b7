"""The demo's training script does what its help promises: without faults, and with each of them."""

import contextlib
import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "resources" / "demo"
sys.path.insert(0, str(DEMO))

import debug  # noqa: E402
import link  # noqa: E402
import many  # noqa: E402
import npu_smi  # noqa: E402
import train  # noqa: E402


def start(*options, rank=0, stdout=subprocess.PIPE, **variables):
    environment = dict(os.environ, RANK_ID=str(rank), RANK_SIZE="8", ASCEND_DEVICE_ID=str(rank), PYTHONUNBUFFERED="1",
                       **variables)
    return subprocess.Popen([sys.executable, "-B", str(DEMO / "train.py"), "--steps", "20", *options],
                            env=environment, stdout=stdout, stderr=stdout)


def run(*options, rank=0):
    process = start("--rate", "0", *options, rank=rank)
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err


def losses(out):
    return [line for line in out.decode().splitlines() if ", loss is " in line]


class Links(unittest.TestCase):
    def start(self, *words):
        return subprocess.Popen([sys.executable, "-B", str(DEMO / "link.py"), *words], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def cut(self):
        cut = link.Cut("node2", 12)
        cut.path = cut.path.replace("-{}-".format(os.getppid()), "-{}-".format(os.getpid()))
        self.addCleanup(cut.forget)
        return cut

    def test_streams_and_exit_code_pass(self):
        process = self.start("node1", "sh", "-c", "cat; exit 3")
        out, _ = process.communicate(b"there and back\n" * 20000, timeout=30)
        self.assertEqual(out, b"there and back\n" * 20000)
        self.assertEqual(process.returncode, 3)

    def test_it_is_cut_once(self):
        cut = self.cut()
        process = self.start("--cut", "node2", "--after", "0.1", "--for", "12", "node2", "sh", "-c",
                             "echo up; exec sleep 15 2>/dev/null")
        out, err = process.communicate(timeout=30)
        self.assertEqual((out, process.returncode), (b"up\n", 255))
        self.assertIn(b"node2: the link was cut", err)
        _, err = self.start("--cut", "node2", "node2", "true").communicate(timeout=30)
        self.assertIn(b"node2: the link is cut", err)
        # Another node's is whole.
        whole = self.start("--cut", "node2", "node1", "true")
        whole.communicate(timeout=30)
        self.assertEqual(whole.returncode, 0)
        os.utime(cut.path, (1, time.time() - 20))
        again = self.start("--cut", "node2", "--after", "0", "--for", "12", "node2", "true")
        again.communicate(timeout=30)
        self.assertEqual(again.returncode, 0)
        self.assertFalse(os.path.exists(cut.path))


class ManyRanks(unittest.TestCase):
    def test_one_writes_for_all(self):
        with tempfile.TemporaryDirectory() as folder:
            for rank in range(3):
                os.mkdir(os.path.join(folder, str(rank)))
            with open(os.path.join(folder, "0", "stdout.log"), "wb") as log:
                code = subprocess.call([sys.executable, "-B", str(DEMO / "many.py"), "--steps", "4", "--rate", "0"],
                                       env=dict(os.environ, RANK="0", WORLD_SIZE="3"), stdout=log)
            self.assertEqual(code, 0)
            for rank in range(3):
                lines = Path(folder, str(rank), "stdout.log").read_text().splitlines()
                self.assertEqual(lines[0], "rank {} of 3, simulated".format(rank))
                self.assertEqual(len(lines), 5)
                self.assertTrue(lines[4].startswith("step: 4/4, loss: "))

    def test_another_log_is_refused(self):
        with self.assertRaises(SystemExit):
            many.Logs("/tmp/train.log", 0)


class Debugging(unittest.TestCase):
    def test_one_rank_has_another_share(self):
        sizes = [len(debug.shard_of(rank).batch()) for rank in range(8)]
        self.assertEqual(sizes, [128] * 7 + [127])

    def test_it_stops_before_every_step(self):
        environment = dict(os.environ, RANK_ID="7", RANK_SIZE="8")
        process = subprocess.run([sys.executable, "-B", str(DEMO / "debug.py")], env=environment, text=True,
                                 input="p len(batch)\n" + "continue\n" * debug.STEPS, capture_output=True, timeout=30)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("(Pdb) 127\n", process.stdout)
        self.assertIn(f"step: {debug.STEPS}/{debug.STEPS}, loss is", process.stdout)


class InventedNpus(unittest.TestCase):
    """The stand-in for npu-smi says the same for the same state and step, and follows both."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.journal = Path(self.folder.name) / "journal.jsonl"
        self.log = Path(self.folder.name) / "rank-5.log"

    def ask(self, *question, events=(), step=0, slow=(), more=""):
        self.journal.write_text("".join('{"event": "%s", "process": 5, "pid": 4711}\n' % event for event in events)
                                + '{"event": "process-exi')
        self.log.write_text("epoch: 1 step: {}, loss is 1.0\n".format(step) + more if step else "")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            npu_smi.main(["--journal", str(self.journal), "--rank", "5", "5", str(self.log), *slow, "--",
                          *question])
        return out.getvalue()

    def row(self, *events, step=0, more=""):
        lines = self.ask("info", events=events, step=step, more=more).splitlines()
        at = next(at for at, line in enumerate(lines) if line.startswith("| 5     910B3"))
        power, temperature = lines[at].split("|")[3].split()[:2]
        busy, _, _, _, hbm = lines[at + 1].split("|")[3].split()[:5]
        return int(busy), int(hbm), int(temperature), float(power)

    def test_there_are_eight_cards(self):
        self.assertEqual(self.ask("info", "-m").count("Ascend 910B3"), 8)
        self.assertEqual(self.ask("info").count("910B3"), 8)

    def test_they_are_called_invented(self):
        self.assertIn("invented", self.ask("info"))

    def test_the_same_step_gives_the_same_values(self):
        self.assertEqual(self.ask("info", events=["process-started"], step=77),
                         self.ask("info", events=["process-started"], step=77))

    def test_a_card_is_idle_while_its_rank_waits_for_the_others(self):
        waits = "[WARNING] AllReduce on group demo_world waits for its peers.\n"
        self.assertEqual(self.row("process-started", step=249, more=waits)[0], 0)
        self.assertGreater(self.row("process-started", step=249, more=waits + "epoch: 1 step: 251\n")[0], 80)
        self.assertEqual(self.row("process-started", step=249, more="the next batch is waited for.\n")[0], 0)

    def test_a_card_follows_its_rank(self):
        idle = self.row()
        early = self.row("process-started", step=3)
        late = self.row("process-started", step=240)
        ended = self.row("process-started", "process-exited", step=240)
        self.assertEqual(idle[0], 0)
        self.assertGreater(early[0], 80)
        self.assertGreater(late[1], early[1])
        self.assertGreater(late[2], early[2])
        self.assertGreater(late[3], idle[3])
        self.assertEqual(ended, idle)

    def test_a_rank_at_a_prompt_leaves_its_card_idle(self):
        waiting = self.row("process-started", "at-prompt", step=30)
        self.assertEqual(waiting[0], 0)
        self.assertGreater(waiting[1], self.row()[1])
        self.assertGreater(self.row("process-started", "at-prompt", "prompt-left", step=30)[0], 80)

    def test_a_slow_card_is_hot_and_not_well(self):
        slow = ("--slow", "5", "100")
        before = self.ask("info", events=["process-started"], step=99, slow=slow)
        after = self.ask("info", events=["process-started"], step=160, slow=slow)
        self.assertNotIn("Warning", before)
        self.assertEqual(after.count("Warning"), 1)
        self.assertIn("curFreq(MHZ)            : 900", self.ask(
            "info", "-t", "common", "-i", "5", events=["process-started"], step=160, slow=slow))
        self.assertIn("Warning", self.ask("info", "-t", "health", "-i", "5", "-c", "0", events=["process-started"],
                                          step=160, slow=slow))

    def test_it_names_the_process_of_the_rank(self):
        self.assertIn("| 4711 ", self.ask("info", events=["process-started"]))
        self.assertNotIn("| 4711 ", self.ask("info"))


class Loss(unittest.TestCase):
    def test_is_the_same_for_the_same_arguments(self):
        self.assertEqual(train.loss_at(7, 50, 3, 1), train.loss_at(7, 50, 3, 1))

    def test_differs_between_ranks_and_seeds(self):
        self.assertNotEqual(train.loss_at(7, 50, 3, 1), train.loss_at(7, 50, 4, 1))
        self.assertNotEqual(train.loss_at(7, 50, 3, 1), train.loss_at(7, 50, 3, 2))

    def test_falls(self):
        tenths = [train.loss_at(step, 200, 0, 1) for step in range(20, 201, 20)]
        self.assertEqual(tenths, sorted(tenths, reverse=True))


class Stories(unittest.TestCase):
    def test_peers_of_a_rank_that_hangs_give_up_and_name_it(self):
        code, out, err = run("--hang-rank", "5", "--hang-step", "7", "--hang-timeout", "0.01")
        self.assertEqual(code, 1)
        self.assertEqual(len(losses(out)), 6)
        self.assertIn(b"EI0002: [PID: ", err)
        self.assertIn(b"remote rank [5].", err)

    def test_a_rank_that_is_waited_for_says_where_it_stands(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = folder + "/trace_rank_"
            variables = {"TORCH_HCCL_" + name: value for name, value in (
                ("TRACE_BUFFER_SIZE", "5"), ("DEBUG_INFO_TEMP_FILE", prefix), ("DEBUG_INFO_PIPE_FILE", prefix))}
            with start("--rate", "0", "--hang-rank", "6", "--hang-step", "9", rank=6, **variables) as process:
                for line in process.stderr:
                    if b"batch is waited for" in line:
                        break
                with open(prefix + "6.pipe", "w") as pipe:
                    pipe.write("1\n")
                deadline = time.monotonic() + 30
                while not os.path.exists(prefix + "6") and time.monotonic() < deadline:
                    os.sched_yield()
                dump = pickle.loads(Path(prefix + "6").read_bytes())
                stacks = Path(prefix + "6_py_traceback").read_text()
                process.terminate()
                process.communicate(timeout=30)
        self.assertEqual([entry["collective_seq_id"] for entry in dump["entries"]], [4, 5, 6, 7, 8])
        self.assertEqual({entry["state"] for entry in dump["entries"]}, {"completed"})
        self.assertIn("in load_batch", stacks)
        self.assertEqual(process.returncode, -signal.SIGTERM)

    def test_a_failure_can_be_one_of_hccl(self):
        code, _, err = run("--fail-rank", "5", "--fail-code", "EI0002", rank=5)
        self.assertEqual(code, 1)
        self.assertIn(b"remote rank [6].", err)

    def test_a_failure_can_be_one_of_the_card(self):
        code, _, err = run("--fail-rank", "5", "--fail-code", "507054", rank=5)
        self.assertEqual(code, 1)
        self.assertIn(b"error code is 507054", err)

    def test_a_slow_rank_takes_longer_from_its_step_on(self):
        pace = train.Pace(10)
        options = train.options_for(["--slow-rank", "2", "--slow-step", "3", "--rate", "0"],
                                    train.Place({"RANK_ID": "2", "RANK_SIZE": "8"}))
        printer = train.Printer(False)
        printer.say = printer.log = lambda *words: None
        training = train.Training(options, train.Place({"RANK_ID": "2"}), printer, pace)
        pace.wait = lambda: None
        for step in range(1, 5):
            training.train_step("", step)
        self.assertAlmostEqual(pace.interval, 0.3)


class Epochs(unittest.TestCase):
    def test_share_all_steps_out(self):
        self.assertEqual(train.epoch_sizes(50, 4), [13, 13, 12, 12])


class Pace(unittest.TestCase):
    def setUp(self):
        self.now = 0.0
        self.waits = []

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.now += seconds

    def test_keeps_the_rate_although_the_steps_take_time(self):
        pace = train.Pace(10, clock=lambda: self.now, sleep=self.sleep)
        for _ in range(10):
            pace.wait()
            self.now += 0.04
        self.assertAlmostEqual(self.now, 1.04)

    def test_of_zero_never_waits(self):
        pace = train.Pace(0, clock=lambda: self.now, sleep=self.sleep)
        pace.wait()
        self.assertEqual(self.waits, [])


class Options(unittest.TestCase):
    def refusal(self, *arguments):
        place = train.Place({"RANK_ID": "0", "RANK_SIZE": "8"})
        err = io.StringIO()
        with contextlib.redirect_stderr(err), self.assertRaises(SystemExit) as end:
            train.options_for(list(arguments), place)
        self.assertEqual(end.exception.code, 2)
        return err.getvalue()

    def test_refuse_a_rank_that_is_not_there(self):
        self.assertIn("the ranks are 0 to 7", self.refusal("--fail-rank", "8"))

    def test_refuse_a_fault_after_the_last_step(self):
        self.assertIn("after the last step", self.refusal("--steps", "5", "--hang-rank", "0", "--hang-step", "6"))

    def test_refuse_a_signal_that_does_not_exist(self):
        self.assertIn("there is no signal NONE", self.refusal("--signal", "NONE"))

    def test_know_signals_by_name_and_number(self):
        place = train.Place({})
        for text in ("KILL", "SIGKILL", "sigkill", "9"):
            self.assertEqual(train.options_for(["--signal", text], place).signal, signal.SIGKILL)


class Script(unittest.TestCase):
    def test_trains_to_the_end(self):
        code, out, err = run("--epochs", "2", rank=5)
        self.assertEqual(code, 0)
        self.assertIn(b"rank 5 of 8, device 5", out)
        self.assertEqual(len(losses(out)), 20)
        self.assertTrue(losses(out)[10].startswith("epoch: 2/2 step: 1/10, loss is "))
        self.assertEqual(out.count(b"per step time: "), 2)
        self.assertIn(b"training is finished", out)
        self.assertNotIn(b"Traceback", err)

    def test_fails_with_a_traceback_and_the_code_asked_for(self):
        code, out, err = run("--fail-rank", "3", "--fail-step", "10", "--exit-code", "3", rank=3)
        self.assertEqual(code, 3)
        self.assertEqual(len(losses(out)), 9)
        self.assertIn(b"Traceback (most recent call last):", err)
        self.assertTrue(err.splitlines()[-1].startswith(b"RuntimeError: "))

    def test_fails_with_1_where_no_code_was_asked_for(self):
        self.assertEqual(run("--fail-rank", "3", rank=3)[0], 1)

    def test_fails_only_the_rank_asked_for(self):
        self.assertEqual(run("--fail-rank", "3", rank=2)[0], 0)

    def test_dies_by_the_signal_asked_for(self):
        for name in ("KILL", "SEGV", "TERM"):
            with self.subTest(name):
                code, _, _ = run("--signal-rank", "0", "--signal", name)
                self.assertEqual(-code, signal.Signals["SIG" + name])

    def test_hangs_until_sigterm_and_then_dies_by_it(self):
        with start("--rate", "0", "--hang-rank", "0") as process:
            for line in process.stderr:
                if b"batch is waited for" in line:
                    break
            process.terminate()
            out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertIn(b"SIGTERM received, rank 0 ends", out)

    def test_ignores_sigterm_when_told_to(self):
        for options in (("--ignore-sigterm",), ("--ignore-sigterm-rank", "0")):
            with self.subTest(options[0]), start("--rate", "0", "--hang-rank", "0", *options) as process:
                for line in process.stderr:
                    if b"batch is waited for" in line:
                        break
                process.terminate()
                with open("/proc/{}/status".format(process.pid)) as status:
                    ignored = next(int(line.split()[1], 16) for line in status if line.startswith("SigIgn"))
                process.kill()
            self.assertTrue(ignored & 1 << (signal.SIGTERM - 1))
            self.assertEqual(process.returncode, -signal.SIGKILL)

    def test_floods(self):
        _, out, _ = run("--flood-rank", "all", "--flood-lines", "5000")
        self.assertEqual(out.count(b"flood line "), 5000)

    def test_prints_what_is_not_text(self):
        _, out, _ = run("--garbage")
        self.assertIn(b"\x00", out)
        self.assertRaises(UnicodeDecodeError, out.decode)

    def test_prints_one_very_long_line(self):
        _, out, _ = run("--long-line", "2")
        self.assertEqual(max(map(len, out.splitlines())), 2000000)

    def test_draws_a_progress_bar_over_itself(self):
        _, _, err = run("--tqdm")
        self.assertEqual(err.count(b"\r"), 20)

    def test_speaks_chinese_and_colour(self):
        _, out, err = run("--chinese", "--colour")
        self.assertIn("训练结束", out.decode())
        self.assertIn(b"\x1b[33mWARNING\x1b[0m", err)

    def test_leaves_a_child_in_a_session_of_its_own(self):
        # To a file: the child holds the output open, and a pipe would only end with it.
        with tempfile.TemporaryFile() as log:
            start("--rate", "0", "--child", stdout=log).wait(timeout=30)
            log.seek(0)
            line = next(line for line in log.read().decode().splitlines() if line.startswith("child: "))
        pid = int(line.split()[-1])
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        self.assertEqual(os.getsid(pid), pid)


if __name__ == "__main__":
    unittest.main()

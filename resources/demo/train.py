#!/usr/bin/env python3
"""A stand-in for a small data-parallel training run: no framework, no NPU, only the standard library.

Start one process per rank, as a launcher does. It prints what a MindSpore script prints and, when asked to,
fails in the ways that real runs fail, so that a launcher can be tried without hardware.
"""

import argparse
import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime

from recorder import Recorder

LEVEL_COLOURS = {"INFO": "32", "WARNING": "33", "ERROR": "31"}
EVERY_RANK = "all"


class Place:
    """Where this process stands in the job, from the launcher's environment."""

    def __init__(self, environment):
        self.rank = int(environment.get("RANK_ID", "0"))
        self.world_size = int(environment.get("RANK_SIZE", "1"))
        self.device = int(environment.get("ASCEND_DEVICE_ID") or environment.get("DEVICE_ID") or "0")


class Terminated(BaseException):
    """SIGTERM arrived. Not an Exception, so that no handler of the training code swallows it."""


class Printer:
    """Plain lines on stdout, log lines in MindSpore's form on stderr."""

    def __init__(self, colour):
        self.colour = colour

    def say(self, text):
        print(text, flush=True)

    def log(self, level, submodule, text, place="train.py:1] demo"):
        shown = "\x1b[{}m{}\x1b[0m".format(LEVEL_COLOURS[level], level) if self.colour else level
        stamp = datetime.now().strftime("%Y-%m-%d-%H:%M:%S.%f")
        stamp = stamp[:-3] + "." + stamp[-3:]
        head = "[{}] {}({},{:x},python):{}".format(shown, submodule, os.getpid(), threading.get_ident(), stamp)
        print("{} [{}] {}".format(head, place, text), file=sys.stderr, flush=True)


def loss_at(step, steps, rank, seed):
    """Loss after `step` of `steps`: the same for the same arguments, falling, a little different per rank."""
    fall = 2.25 * math.exp(-4.0 * step / steps)
    noise = random.Random("{}/{}/{}".format(seed, rank, step)).gauss(0.0, 0.01)
    return max(0.001, 0.05 + fall * (1.0 + noise))


def epoch_sizes(steps, epochs):
    """`steps` shared out over `epochs`, the first ones taking what is left over."""
    each, left = divmod(steps, epochs)
    return [each + (1 if epoch < left else 0) for epoch in range(epochs)]


class Pace:
    """Keeps `rate` steps a second on average; 0 never waits."""

    def __init__(self, rate, clock=time.monotonic, sleep=time.sleep):
        self.interval = 1.0 / rate if rate > 0 else 0.0
        self.clock = clock
        self.sleep = sleep
        self.due = clock()

    def wait(self):
        self.due += self.interval
        ahead = self.due - self.clock()
        if ahead > 0:
            self.sleep(ahead)


def die_by(number):
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


class Training:
    def __init__(self, options, place, printer, pace, environment=None):
        self.options = options
        self.place = place
        self.printer = printer
        self.pace = pace
        self.recorder = Recorder(environment or {}, place.rank, place.world_size)

    def run(self):
        step = 0
        epochs = self.options.epochs
        for epoch, size in enumerate(epoch_sizes(self.options.steps, epochs), start=1):
            began = time.monotonic()
            for step_in_epoch in range(1, size + 1):
                step += 1
                self.train_step("epoch: {}/{} step: {}/{}".format(epoch, epochs, step_in_epoch, size), step)
            elapsed = (time.monotonic() - began) * 1000.0
            self.end_progress_bar()
            self.printer.say("epoch time: {:.3f} ms, per step time: {:.3f} ms".format(elapsed, elapsed / size))
            if self.options.chinese:
                self.printer.say("第 {} 轮训练完成，平均每步 {:.3f} 毫秒".format(epoch, elapsed / size))

    def train_step(self, words, step):
        if self.place.rank == self.options.slow_rank and step == self.options.slow_step:
            self.pace.interval *= self.options.slow_factor
            self.printer.log("WARNING", "DEVICE", "Device {} is hot and has lowered its clock.".format(
                self.place.device))
        self.pace.wait()
        self.load_batch(step)
        loss = loss_at(step, self.options.steps, self.place.rank, self.options.seed)
        self.all_reduce(step)
        if self.options.tqdm:
            self.draw_progress_bar(step, loss)
        else:
            self.printer.say("{}, loss is {:.6f}".format(words, loss))

    def load_batch(self, step):
        """The data of a step; a rank that hangs waits for them, and does not come to the collective."""
        if self.place.rank == self.options.hang_rank and step == self.options.hang_step:
            self.printer.log("WARNING", "MD", "The queue of batches is empty, the next batch is waited for.")
            while True:
                signal.pause()

    def all_reduce(self, step):
        """The collective every step ends with, and where the other faults that were asked for happen."""
        options, rank = self.options, self.place.rank
        if rank == options.signal_rank and step == options.signal_step:
            die_by(options.signal)
        self.recorder.begin("all_reduce", 4096)
        if options.hang_timeout is not None and step == options.hang_step and rank != options.hang_rank:
            self.printer.log("WARNING", "DISTRIBUTED", "AllReduce on group demo_world waits for its peers.")
            time.sleep(options.hang_timeout)
            self.fail(options.hang_rank)
        if rank == options.fail_rank and step == options.fail_step:
            self.printer.log("ERROR", "DEVICE", "The stream of device {} stopped at step {}.".format(
                self.place.device, step), "collective.py:42] all_reduce")
            if options.fail_code == "EI0002":
                self.fail((rank + 1) % self.place.world_size)
            if options.fail_code == "507054":
                raise RuntimeError("torch_npu: NPU function error: synchronize failed, error code is 507054")
            raise RuntimeError("AllReduce on group demo_world failed at step {}: device {} of rank {} gave no "
                               "answer".format(step, self.place.device, rank))
        self.recorder.end()

    def fail(self, remote):
        """As HCCL reports that a peer did not come; the reason is one of the catalogue's examples."""
        self.recorder.dump()
        self.printer.log("ERROR", "DISTRIBUTED", "AllReduce on group demo_world has timed out.")
        raise RuntimeError("EI0002: [PID: {}] {} The wait execution of the Notify register times out. Reason: The Notify "
                           "register has not received the Notify record from remote rank [{}].".format(
                               os.getpid(), datetime.now().strftime("%Y-%m-%d-%H:%M:%S.000.000"), remote))

    def draw_progress_bar(self, step, loss):
        done = 30 * step // self.options.steps
        bar = "#" * done + " " * (30 - done)
        sys.stderr.write("\r{:3d}%|{}| {}/{} loss={:.4f}".format(100 * step // self.options.steps, bar, step,
                                                                 self.options.steps, loss))
        sys.stderr.flush()

    def end_progress_bar(self):
        if self.options.tqdm:
            sys.stderr.write("\n")
            sys.stderr.flush()


def greet(options, place, printer):
    printer.say("rank {} of {}, device {}, pid {}".format(place.rank, place.world_size, place.device, os.getpid()))
    printer.log("INFO", "DISTRIBUTED", "Group demo_world is ready with {} ranks.".format(place.world_size),
                "collective.py:17] init_process_group")
    if os.environ.get("RANK_TABLE_FILE"):
        printer.say("rank table: {}".format(os.environ["RANK_TABLE_FILE"]))
    printer.say("dataset: 60000 samples, shard {} of {}".format(place.rank + 1, place.world_size))
    printer.log("WARNING", "ME", "No checkpoint was found, training starts from step 0.", "train.py:88] load")
    if options.chinese:
        printer.log("WARNING", "ME", "未找到检查点，从第 0 步开始训练。", "train.py:88] load")
        printer.say("数据集加载完成：共 60000 个样本，本卡为第 {} 号设备".format(place.device))


def pour(options, place, printer):
    """The awkward output that was asked for, before the first step."""
    if options.flood_rank in (place.rank, EVERY_RANK):
        for number in range(1, options.flood_lines + 1):
            sys.stdout.write("flood line {} of {} from rank {}\n".format(number, options.flood_lines, place.rank))
    sys.stdout.flush()
    if options.garbage:
        sys.stdout.buffer.write(b"NUL: [\x00\x00] not UTF-8: [\xff\xfe\xc3\x28] cut short: [\xe4\xb8]\n")
    if options.long_line and place.rank == 0:
        for _ in range(options.long_line):
            sys.stdout.buffer.write(b"x" * 1000000)
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
    if options.child:
        child = subprocess.Popen(["sleep", "3600"], stdin=subprocess.DEVNULL, start_new_session=True)
        printer.say("child: sleep in a session of its own, pid {}".format(child.pid))


def whole_number(least):
    def parse(text):
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError("{} is less than {}".format(number, least))
        return number
    parse.__name__ = "whole number"
    return parse


def flood_rank(text):
    return EVERY_RANK if text == EVERY_RANK else whole_number(0)(text)


def signal_named(text):
    name = text.upper()
    try:
        return signal.Signals(int(text)) if text.isdigit() else signal.Signals[
            name if name.startswith("SIG") else "SIG" + name]
    except (KeyError, ValueError):
        raise argparse.ArgumentTypeError("there is no signal {}".format(text))


def option_parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="Steps count from 1 through all epochs.")
    parser.add_argument("--steps", type=whole_number(1), default=200, metavar="N",
                        help="steps in all, shared out over the epochs (default: %(default)s)")
    parser.add_argument("--epochs", type=whole_number(1), default=1, metavar="N", help="default: %(default)s")
    parser.add_argument("--rate", type=float, default=10.0, metavar="R",
                        help="steps a second, 0 for as fast as possible (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the noise in the loss")

    faults = parser.add_argument_group("faults of one rank")
    faults.add_argument("--fail-rank", type=whole_number(0), metavar="RANK", help="raise an exception")
    faults.add_argument("--fail-step", type=whole_number(1), metavar="STEP", help="at this step (default: 10)")
    faults.add_argument("--fail-code", choices=["EI0002", "507054"],
                        help="with this error of HCCL or of the runtime as the exception")
    faults.add_argument("--exit-code", type=int, metavar="CODE", help="and exit with this code (default: 1)")
    faults.add_argument("--signal-rank", type=whole_number(0), metavar="RANK", help="die by a signal")
    faults.add_argument("--signal-step", type=whole_number(1), metavar="STEP", help="at this step (default: 10)")
    faults.add_argument("--signal", type=signal_named, default=signal.SIGSEGV, metavar="NAME",
                        help="KILL, SIGSEGV, 6 … (default: SIGSEGV)")
    faults.add_argument("--hang-rank", type=whole_number(0), metavar="RANK",
                        help="wait for data for ever, and do not come to the collective of a step")
    faults.add_argument("--hang-step", type=whole_number(1), metavar="STEP", help="at this step (default: 10)")
    faults.add_argument("--hang-timeout", type=float, metavar="S",
                        help="the other ranks wait for it at that step, and fail after S seconds")
    faults.add_argument("--slow-rank", type=whole_number(0), metavar="RANK",
                        help="its steps take longer, as on a card that is hot")
    faults.add_argument("--slow-step", type=whole_number(1), metavar="STEP", help="from this step on (default: 10)")
    faults.add_argument("--slow-factor", type=float, default=3.0, metavar="F",
                        help="this many times as long (default: %(default)s)")
    faults.add_argument("--ignore-sigterm", action="store_true", help="every rank ignores SIGTERM")
    faults.add_argument("--ignore-sigterm-rank", type=whole_number(0), metavar="RANK", help="this one does")
    faults.add_argument("--child", action="store_true",
                        help="leave a `sleep` in a session of its own behind, which the launcher must end")

    output = parser.add_argument_group("output")
    output.add_argument("--colour", "--color", action="store_true", help="levels in ANSI colours")
    output.add_argument("--chinese", action="store_true", help="some messages in Chinese")
    output.add_argument("--tqdm", action="store_true", help="a progress bar that overwrites itself, no loss lines")
    output.add_argument("--flood-rank", type=flood_rank, metavar="RANK",
                        help="first print many lines as fast as possible; a rank or 'all'")
    output.add_argument("--flood-lines", type=whole_number(1), default=100000, metavar="N",
                        help="that many (default: %(default)s)")
    output.add_argument("--garbage", action="store_true", help="a line with NUL bytes and invalid UTF-8")
    output.add_argument("--long-line", type=whole_number(1), metavar="MB",
                        help="rank 0 prints one line of that many megabytes")
    return parser


def options_for(arguments, place):
    parser = option_parser()
    options = parser.parse_args(arguments)
    if options.epochs > options.steps:
        parser.error("--epochs {} is more than --steps {}".format(options.epochs, options.steps))
    if not options.rate >= 0:
        parser.error("--rate {} must be 0 or more".format(options.rate))
    for fault in ("fail", "signal", "hang", "slow"):
        rank, step = getattr(options, fault + "_rank"), getattr(options, fault + "_step")
        if rank is not None and rank >= place.world_size:
            parser.error("--{}-rank {}: the ranks are 0 to {}".format(fault, rank, place.world_size - 1))
        if step is not None and step > options.steps:
            parser.error("--{}-step {} is after the last step, {}".format(fault, step, options.steps))
        if step is None:
            setattr(options, fault + "_step", min(10, options.steps))
    return options


def prepare_for_sigterm(options, place):
    if options.ignore_sigterm or options.ignore_sigterm_rank == place.rank:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return

    def terminate(_number, _frame):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one, or the end of main, kills at once
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)


def main(arguments):
    place = Place(os.environ)
    options = options_for(arguments, place)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    printer = Printer(options.colour)
    try:
        prepare_for_sigterm(options, place)
        greet(options, place, printer)
        pour(options, place, printer)
        Training(options, place, printer, Pace(options.rate), os.environ).run()
        printer.say("训练结束" if options.chinese else "training is finished")
    except Terminated:
        printer.say("SIGTERM received, rank {} ends".format(place.rank))
        # Die by the signal itself: the launcher must see a signal, not an exit code that looks like one.
        die_by(signal.SIGTERM)
    except Exception:
        if options.exit_code is None:
            raise
        sys.excepthook(*sys.exc_info())
        return options.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs torch's own tests of start_processes() and of torchrun with Rankdeck's in their place; see tests/realworld.sh.

torchtests.py FOLDER: test/distributed of torch's source. Prints for each test whether it passed, and if not, why.
The tests keep torch's classes for all that Rankdeck has no counterpart of, such as DefaultLogsSpecs.
"""
import importlib.util
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

import torch.distributed.elastic.multiprocessing as multiprocessing
import torch.distributed.elastic.multiprocessing.api as api
import torch.distributed.elastic.multiprocessing.errors as errors
import torch.distributed.run as torchrun

import rankdeck
from rankdeck.davincirunsdk import find_rankdeckctl

LIMIT = 90  # Seconds for a test.
FILES = ["elastic/multiprocessing/test_api.py", "elastic/multiprocessing/api_test.py", "launcher/test_run.py",
         "launcher/run_test.py", "launcher/launch_test.py"]


def run_torchrun(args=None):
    """What torch.distributed.run.main() does, by rankdeckctl."""
    line = sys.argv[1:] if args is None else [str(each) for each in args]
    done = subprocess.run([find_rankdeckctl(), "torchrun", *line], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    sys.stderr.write(done.stderr)
    if done.returncode == 2:
        raise ValueError(done.stderr)
    if done.returncode != 0:
        raise errors.ChildFailedError("rankdeck", {0: errors.ProcessFailure(0, 0, done.returncode, "<N/A>")})


def take_their_place():
    for module in (multiprocessing, api, errors):
        for name in ("PContext", "ProcessFailure", "RunProcsResult", "Std", "start_processes"):
            if hasattr(module, name):
                setattr(module, name, getattr(rankdeck, name))
    torchrun.main = run_torchrun


class Told(unittest.TextTestResult):
    """A line for each test, with the last line of what went wrong."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}

    def tell(self, test, word, reason=""):
        self.counts[word] += 1
        print("{:8}{}{}".format(word, test.id().split(".", 1)[-1], ": " + reason if reason else ""), flush=True)

    def addSuccess(self, test):
        self.tell(test, "passed")

    def addError(self, test, error):
        self.tell(test, "failed", "{}: {}".format(error[0].__name__, str(error[1]).strip()[:300]).replace("\n", " "))

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error:
            self.addError(test, error)

    def addSkip(self, test, reason):
        self.tell(test, "skipped", reason)

    def startTest(self, test):
        super().startTest(test)
        signal.alarm(LIMIT)

    def stopTest(self, test):
        signal.alarm(0)
        super().stopTest(test)


def too_long(number, frame):
    raise TimeoutError("it took more than {} s".format(LIMIT))


def main():
    take_their_place()
    signal.signal(signal.SIGALRM, too_long)
    for name in FILES:
        path = Path(sys.argv[1], name)
        if not path.exists():
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        tests = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = tests
        os.chdir(path.parent)
        sys.path.insert(0, str(path.parent))
        spec.loader.exec_module(tests)
        print("# " + name, flush=True)
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            unittest.TextTestRunner(nowhere, resultclass=Told, failfast=False).run(
                unittest.defaultTestLoader.loadTestsFromModule(tests))
    print(", ".join("{} {}".format(count, word) for word, count in Told.counts.items()))


if __name__ == "__main__":
    main()

"""Drives rankdeckctl: starts a run, prints what its ranks write, and waits for its end."""
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence


class RankdeckError(RuntimeError):
    """Says why rankdeckctl did not do what it was asked for."""


class DistributedRuntimeError(RuntimeError):
    """The verdict, report (`rankdeckctl report --json`), exit_codes by rank (-N: signal N), exit_code of the run."""
    def __init__(self, verdict: str, report: Dict[str, Any], exit_codes: Dict[int, int], exit_code: int) -> None:
        super().__init__(verdict)
        self.verdict, self.report, self.exit_codes, self.exit_code = verdict, report, exit_codes, exit_code


def find_rankdeckctl(given: Optional[str] = None) -> str:
    """Returns the program: the given one, RANKDECKCTL, bin/rankdeckctl in a folder above this, or the one in PATH."""
    # A venv, a conda environment and Rankdeck's own tree have it in bin.
    above = [str(folder / "bin") for folder in list(Path(__file__).resolve().parents)[:5]]
    chosen = given or os.environ.get("RANKDECKCTL") or "rankdeckctl"
    found = shutil.which(chosen, path=os.pathsep.join([*above, os.environ.get("PATH", os.defpath)]))
    if not found:
        raise RankdeckError("{}: no such program. Install Rankdeck, or set RANKDECKCTL.".format(chosen))
    return found


def ask(words: Sequence[str], program: Optional[str] = None, allowed: Sequence[int] = (0,),
        **options: Any) -> "subprocess.CompletedProcess[str]":
    """Runs rankdeckctl to its end. Raises RankdeckError with its words unless its exit code is allowed."""
    done = subprocess.run([find_rankdeckctl(program), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", errors="replace", **options)
    if done.returncode not in allowed:
        raise RankdeckError(done.stderr.strip() or "rankdeckctl ended with code {}.".format(done.returncode))
    return done


class Run:
    """A run that was started here. It goes on when this object, or Python, is gone; `rankdeckctl stop` ends it too."""

    def __init__(self, words: Sequence[str], program: Optional[str] = None, show: bool = True) -> None:
        """Starts `rankdeckctl WORDS`. show: write the ranks' lines to sys.stdout as they come."""
        self.program = find_rankdeckctl(program)
        self.name = ask([words[0], "--detach", *words[1:]], self.program).stdout.strip()
        # In a session of its own: an interrupt is for Python to act upon.
        self._watcher = subprocess.Popen([self.program, "attach" if show else "wait", self.name],
                                         stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                         stdout=subprocess.PIPE if show else subprocess.DEVNULL)
        self._printer = threading.Thread(target=self._print, args=(sys.stdout,), daemon=True)
        self._printer.start()

    def _print(self, out: Any) -> None:
        with self._watcher:
            for line in self._watcher.stdout or ():
                try:
                    out.write(line.decode("utf-8", "replace"))
                    out.flush()
                except ValueError:  # It was closed. If nobody read on, the watcher would stand still.
                    pass

    def wait(self, timeout: Optional[float] = None, stops: bool = False) -> Optional[int]:
        """Returns the run's exit code after its last line, or None after `timeout`. stops: an interrupt ends it."""
        try:
            code = self._watcher.wait(timeout)
            self._printer.join()
        except subprocess.TimeoutExpired:
            return None
        except BaseException:
            if stops:
                self.stop()
            raise
        # If somebody ended the watcher, the run itself goes on.
        return code if code >= 0 else ask(["wait", self.name], self.program, range(256)).returncode

    def stop(self, kill: bool = False) -> None:
        """Ends all ranks: by SIGTERM, and SIGKILL after the grace time; with `kill` by SIGKILL at once."""
        ask(["stop", self.name] + ["--kill"] * kill, self.program, range(256))

    def processes(self) -> List[Dict[str, Any]]:
        """Returns what `rankdeckctl wait --json` says of each process now; exit: its code, -N for signal N."""
        told = ask(["wait", self.name, "--timeout", "0", "--json"], self.program, range(256)).stdout
        return [{**each, "exit": 128 - each["exit_code"] if each["signal"] else each["exit_code"]}
                for each in json.loads(told)["processes"]]

    def failure(self) -> Optional[DistributedRuntimeError]:
        """Waits for the end. Returns the verdict as an error, or None when no rank failed."""
        code = self.wait() or 0
        report = json.loads(ask(["report", self.name, "--json"], self.program).stdout)
        exits = {each["rank"]: each["exit"] for each in self.processes()
                 if each["role"] == "worker" and each["exit"] is not None}
        verdict = ask(["report", self.name], self.program).stdout.strip()
        return DistributedRuntimeError(verdict, report, exits, code) if report["has_failure"] else None

"""start_processes() of torch.distributed.elastic.multiprocessing, in its old form and in that of torch >= 2.3."""
import json
import os
import pickle
import shutil
import signal
import sys
import tempfile
from enum import IntFlag
from pathlib import Path
from typing import Any, Callable, Dict, NamedTuple, Optional, Union

from . import call
from .run import Run

Std = IntFlag("Std", [("NONE", 0), ("OUT", 1), ("ERR", 2), ("ALL", 3)])  # Streams of a process.


# How a process failed. exitcode: -N for signal N. message: what error.json says, or the end in words.
ProcessFailure = NamedTuple("ProcessFailure", [("local_rank", int), ("pid", int), ("exitcode", int),
                                               ("error_file", str), ("message", Any), ("timestamp", str)])


class RunProcsResult(NamedTuple):
    """How all processes ended, by local rank. verdict: which one failed first and why, in words."""
    return_values: Dict[int, Any]
    failures: Dict[int, ProcessFailure]
    stdouts: Dict[int, str]
    stderrs: Dict[int, str]
    verdict: str

    def is_failed(self) -> bool:
        return bool(self.failures)


class PContext:
    """Processes under way. They go on when Python ends; close() ends them."""

    def __init__(self, name: str, run: Run, files: Dict[int, int], folder: str) -> None:
        self.name, self.run, self._files, self._folder = name, run, files, folder
        self._result: Optional[RunProcsResult] = None

    def pids(self) -> Dict[int, int]:
        """Returns the process ids by local rank."""
        return {each["local_rank"]: each["pid"] for each in self.run.processes() if each["pid"]}

    def wait(self, timeout: float = -1, period: float = 1) -> Optional[RunProcsResult]:
        """Waits for all processes, below 0 without limit. Returns None while they run. An interrupt ends them."""
        code = self.run.wait(None if timeout < 0 else timeout, stops=True)
        if code is not None and not self._result:
            self._result = self._collect(code)
        return self._result

    def close(self, death_sig: Optional[int] = None, timeout: int = 30) -> None:
        """Ends all processes by SIGTERM, after 30 s by SIGKILL; at once by SIGKILL when that is death_sig."""
        self.run.stop(kill=death_sig == signal.SIGKILL)

    def _collect(self, code: int) -> RunProcsResult:
        error = self.run.failure() if code else None
        result = RunProcsResult({}, {}, {}, {}, error.verdict if error else "")
        for process in self.run.processes():
            rank, file = process["local_rank"], process["error_file"]
            error_file = file or str(Path(process["stdout"]).with_name("error.json"))
            value = Path(self._folder, str(rank))
            exitcode, pid = code if process["exit"] is None else process["exit"], process["pid"] or -1
            result.stdouts[rank] = process["stdout"] if self._files[rank] & Std.OUT else ""
            result.stderrs[rank] = process["stderr"] if self._files[rank] & Std.ERR else ""
            if exitcode and (not process["ended_by_rankdeck"] or error and rank == error.report["root_rank"]):
                words = "Signal {} received by PID {}" if exitcode < 0 else "Exit code {} of PID {}"
                told = json.loads(Path(file).read_text()) if file else {"message": words.format(abs(exitcode), pid)}
                when = str((process["failure"] or {}).get("timestamp", ""))
                result.failures[rank] = ProcessFailure(rank, pid, exitcode, error_file, told.get("message"), when)
            elif value.is_file():
                result.return_values[rank] = pickle.loads(value.read_bytes())
        shutil.rmtree(self._folder, ignore_errors=True)
        return result


def start_processes(name: str, entrypoint: Union[Callable[..., Any], str], args: Dict[int, Any],
                    envs: Optional[Dict[int, Dict[str, Any]]] = None, log_dir: Any = None, start_method: Any = "spawn",
                    redirects: Any = Std.NONE, tee: Any = Std.NONE, *, logs_specs: Any = None,
                    log_line_prefixes: Optional[Dict[int, str]] = None, rankdeckctl: Optional[str] = None) -> PContext:
    """Starts entrypoint once for each local rank in args, and returns at once.

    entrypoint: a program, a function, or "module:function" or "file.py:function", which each process imports.
    args: a tuple for each local rank 0, 1 …; a program gets them as text. start_method: spawn, always.
    log_dir: an empty directory for <local rank>/stdout.log, stderr.log, error.json; else they are the run's.
    logs_specs, log_line_prefixes: of torch >= 2.3; also taken at their places there.
    redirects: streams that go to files. tee: to files and to sys.stdout, where all goes that is not redirected.
    Raises RuntimeError when ranks or log_dir are not so, TypeError when a function or its arguments cannot be sent.
    """
    if "RANKDECK_PREPARES" in os.environ:
        raise RuntimeError("a process being made ready calls start_processes(). Call it in `if __name__ == '__main__':`")
    if not isinstance(log_dir, (str, os.PathLike, type(None))):
        log_dir, logs_specs = None, log_dir
    if not isinstance(start_method, str):  # torch >= 2.3 has log_line_prefixes and start_method here.
        log_line_prefixes, redirects = start_method, Std.NONE
    envs = {rank: {} for rank in args} if envs is None else envs
    for what, given in (("args", args), ("envs", envs)):
        if not args or set(given) != set(range(len(args))):
            raise RuntimeError("{}, local rank mapping mismatch, expected: {}, actual: {}".format(
                what, set(range(len(args))), set(given)))
    shown = set(args)
    if logs_specs is not None:
        log_dir, redirects, tee = logs_specs._root_log_dir, logs_specs._redirects, logs_specs._tee
        shown = logs_specs._local_ranks_filter or shown
        if log_dir not in (None, os.devnull):
            os.makedirs(log_dir, exist_ok=True)
            log_dir = os.path.join(tempfile.mkdtemp(prefix=name + "_", dir=log_dir), "attempt_0")
    teed = {rank: int(tee.get(rank, 0) if isinstance(tee, dict) else tee) * (rank in shown) for rank in args}
    files = {rank: int(redirects.get(rank, 0) if isinstance(redirects, dict) else redirects) for rank in args}
    files = {rank: files[rank] | teed[rank] if rank in shown else 3 for rank in args}
    words = {rank: [each] if isinstance(each, str) else list(map(str, each)) for rank, each in args.items()}
    folder, command = tempfile.mkdtemp(prefix="rankdeck-"), [entrypoint]
    try:
        if isinstance(entrypoint, str) and ":" in entrypoint and not shutil.which(entrypoint):
            args, entrypoint = {rank: (entrypoint, *each) for rank, each in args.items()}, call.by_name
        if callable(entrypoint):
            Path(folder, "call").write_bytes(call.pack(entrypoint, args))
            start = "import sys; sys.path.insert(0, {!r}); from rankdeck import call; call.main(*sys.argv[1:])"
            command = [sys.executable, "-c", start.format(str(Path(__file__).parents[1])), folder]
            words = {rank: [str(rank)] for rank in args}
        # rankdeckctl sets it as torchrun does; start_processes() does not.
        own_threads = "OMP_NUM_THREADS" in os.environ or any("OMP_NUM_THREADS" in each for each in envs.values())
        spec = {"name": name, "command": command, "work_dir": os.getcwd(),
                "log_dir": "" if log_dir in (None, os.devnull) else os.path.abspath(log_dir),
                "common": {"unset_env": [] if own_threads else ["OMP_NUM_THREADS"]},
                "processes": {"nproc": len(args), "args": words, "redirects": files, "tee": teed,
                              "envs": {rank: {key: str(value) for key, value in envs[rank].items()} for rank in args},
                              **({"log_line_prefixes": log_line_prefixes} if log_line_prefixes else {})}}
        Path(folder, "spec.json").write_text(json.dumps(spec), encoding="utf-8")
        run = Run(["processes", os.path.join(folder, "spec.json")], rankdeckctl)
    except BaseException:
        shutil.rmtree(folder)
        raise
    return PContext(name, run, files, folder)

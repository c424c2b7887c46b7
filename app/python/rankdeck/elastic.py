"""start_processes() of torch.distributed.elastic.multiprocessing, in its old form and in that of torch >= 2.3."""
import dis
import errno
import importlib
import io
import json
import marshal
import os
import pickle
import re
import runpy
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag
from multiprocessing import current_process, spawn
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from .davincirunsdk import Run

_NOT_AVAILABLE = "<N/A>"  # torch's word.
# What a launcher says of ranks. Where envs is given, as torch asks, only that counts; see _as_given().
_OWN_VARIABLES = ("LOCAL_RANK RANK GROUP_RANK ROLE_RANK ROLE_NAME LOCAL_WORLD_SIZE WORLD_SIZE GROUP_WORLD_SIZE "
                  "ROLE_WORLD_SIZE MASTER_ADDR MASTER_PORT OMP_NUM_THREADS "
                  "TORCHELASTIC_RESTART_COUNT TORCHELASTIC_MAX_RESTARTS TORCHELASTIC_RUN_ID "
                  "TORCHELASTIC_USE_AGENT_STORE TORCHELASTIC_SIGNALS_TO_HANDLE "
                  "TORCH_NCCL_ASYNC_ERROR_HANDLING").split()


class Std(IntFlag):
    """Streams of a process."""
    NONE, OUT, ERR, ALL = 0, 1, 2, 3

    @classmethod
    def from_str(cls, text: str) -> Union["Std", Dict[int, "Std"]]:
        """Reads "3", for all local ranks, or "0:3,1:0". Raises ValueError for other text."""
        if not re.fullmatch(r"[0-3]|\d+:[0-3](,\d+:[0-3])*", text):
            raise ValueError("{!r} is neither a number from 0 to 3 nor RANK:NUMBER,RANK:NUMBER".format(text))
        if ":" not in text:
            return cls(int(text))
        return {int(rank): cls(int(value)) for rank, value in (each.split(":") for each in text.split(","))}


@dataclass
class ProcessFailure:
    """How a process failed. exitcode: -N for signal N. error_file: "<N/A>" for none.

    error_file_data: what is in the file. message: its message, or the end in words. timestamp: seconds since 1970.
    """
    local_rank: int
    pid: int
    exitcode: int
    error_file: str
    error_file_data: Any = field(init=False)
    message: Any = field(init=False)
    timestamp: int = field(init=False)

    def __post_init__(self) -> None:
        self.timestamp = int(time.time())
        self.error_file_data, words = {"message": "<NONE>"}, "Exit code {} of PID {}".format(self.exitcode, self.pid)
        if os.path.isfile(self.error_file):
            self.error_file_data = json.loads(Path(self.error_file).read_text())
            words = self.error_file_data.get("message") or words
        elif (self.exitcode or 0) < 0:
            words = "Signal {} ({}) received by PID {}".format(-self.exitcode, self.signal_name(), self.pid)
        else:
            self.error_file_data["errorTraits"] = {"category": "system_terminated_error", "retryability": "False"}
        self.message = words

    def signal_name(self) -> str:
        """Returns "SIGTERM", for example; "<N/A>" for an exit code or a signal without a name."""
        with suppress(ValueError):
            return signal.Signals(-self.exitcode).name
        return _NOT_AVAILABLE

    def timestamp_isoformat(self) -> str:
        """Returns the local time as 2026-01-31_12:00:00."""
        return datetime.fromtimestamp(self.timestamp).isoformat(sep="_")


@dataclass
class RunProcsResult:
    """How all processes ended, by local rank. verdict: which one failed first and why, in words."""
    return_values: Dict[int, Any] = field(default_factory=dict)
    failures: Dict[int, ProcessFailure] = field(default_factory=dict)
    stdouts: Dict[int, str] = field(default_factory=dict)
    stderrs: Dict[int, str] = field(default_factory=dict)
    verdict: str = ""

    def is_failed(self) -> bool:
        return bool(self.failures)


class PContext:
    """Processes under way. They go on when Python ends; close() ends them. name … nprocs: as they were given."""

    def __init__(self, name: str, entrypoint: Union[Callable[..., Any], str], args: Dict[int, Any],
                 envs: Dict[int, Dict[str, Any]], run: Optional[Run], files: Dict[int, int], folder: str) -> None:
        self.name, self.entrypoint, self.args, self.envs, self.nprocs = name, entrypoint, args, envs, len(args)
        self._run, self._files, self._folder = run, files, folder
        self._result: Optional[RunProcsResult] = None if run else RunProcsResult()
        self._is_closed = False

    @property
    def run(self) -> Run:
        """The run of Rankdeck. There is none for no processes."""
        if not self._run:
            raise RuntimeError("no processes were to be started")
        return self._run

    def pids(self) -> Dict[int, int]:
        """Returns the process ids by local rank."""
        return {each["local_rank"]: each["pid"] for each in self.run.processes() if each["pid"]} if self.nprocs else {}

    @property
    def stdouts(self) -> Dict[int, str]:
        """The files of standard output by local rank; "" where it is not redirected."""
        return self._streams("stdout", Std.OUT)

    @property
    def stderrs(self) -> Dict[int, str]:
        """The same of standard error."""
        return self._streams("stderr", Std.ERR)

    @property
    def error_files(self) -> Dict[int, str]:
        """The files that TORCHELASTIC_ERROR_FILE names, by local rank; "" for one that is not written."""
        return {each["local_rank"]: each["error_file"] or "" for each in self.run.processes()} if self.nprocs else {}

    def _streams(self, key: str, stream: Std) -> Dict[int, str]:
        processes = self.run.processes() if self.nprocs else []
        return {each["local_rank"]: each[key] if self._files[each["local_rank"]] & stream else "" for each in processes}

    def wait(self, timeout: float = -1, period: float = 1) -> Optional[RunProcsResult]:
        """Waits for all processes, below 0 without limit. Returns None while they run. An interrupt ends them."""
        if not self._result:
            code = self.run.wait(None if timeout < 0 else timeout, stops=True)
            if code is not None:
                self._result = self._collect(code)
        return self._result

    def close(self, death_sig: Optional[int] = None, timeout: int = 30) -> None:
        """Ends all processes by SIGTERM, after `timeout` s by SIGKILL; at once by SIGKILL when that is death_sig."""
        if not self.nprocs:
            return
        self._is_closed = True
        with suppress(TimeoutExpired):
            self.run.stop(kill=death_sig == signal.SIGKILL, timeout=timeout)
            return
        self.run.stop(kill=True)

    def _collect(self, code: int) -> RunProcsResult:
        error = self.run.failure() if code else None
        result = RunProcsResult(stdouts=self.stdouts, stderrs=self.stderrs, verdict=error.verdict if error else "")
        for process in self.run.processes():
            rank, exitcode = process["local_rank"], process["exit"]
            value = Path(self._folder, str(rank))
            # As in torch, a program has failed too that was ended for another's failure, and whatever close() ended.
            is_ended = exitcode and (self._is_closed or error and not callable(self.entrypoint))
            if process["failure"] or is_ended:
                result.failures[rank] = self._failure_of(process)
            elif not error:
                result.return_values[rank] = pickle.loads(value.read_bytes()) if value.is_file() else None
        if result.failures:
            result.return_values.clear()
        shutil.rmtree(self._folder, ignore_errors=True)
        return result

    @staticmethod
    def _failure_of(process: Dict[str, Any]) -> ProcessFailure:
        failure = ProcessFailure(process["local_rank"], process["pid"] or -1, process["exit"],
                                 process["error_file"] or _NOT_AVAILABLE)
        if process["failure"]:
            failure.timestamp = int(process["failure"]["timestamp"])
        return failure


def _as_given(envs: Dict[int, Dict[str, Any]], names: List[str]) -> Tuple[Dict[int, Dict[str, str]], List[str]]:
    """Returns envs as text with what the caller has of these variables, and those of them that nobody has.

    rankdeckctl sets them as torchrun does; start_processes() of torch does not.
    """
    own = {name: os.environ[name] for name in names if name in os.environ}
    given = {rank: {**own, **{key: str(value) for key, value in each.items()}} for rank, each in envs.items()}
    return given, [name for name in names if not any(name in each for each in given.values())]


def start_processes(name: str, entrypoint: Union[Callable[..., Any], str], args: Dict[int, Any],
                    envs: Optional[Dict[int, Dict[str, Any]]] = None, log_dir: Any = None, start_method: Any = "spawn",
                    redirects: Any = Std.NONE, tee: Any = Std.NONE, *, logs_specs: Any = None,
                    log_line_prefixes: Optional[Dict[int, str]] = None, numa_options: Any = None,
                    duplicate_stdout_filters: Any = None, duplicate_stderr_filters: Any = None) -> PContext:
    """Starts entrypoint once for each local rank in args, and returns at once.

    entrypoint: a program, a function, or "module:function" or "file.py:function", which each process imports.
    args: a tuple for each local rank 0, 1 …; a program gets them as text. start_method: spawn, always.
    log_dir: an empty directory for <local rank>/stdout.log, stderr.log, error.json; else they are the run's.
    logs_specs, log_line_prefixes: of torch >= 2.3; also taken at their places there.
    numa_options: of torch >= 2.10; its affinity_mode. duplicate_…: taken, and nothing is written twice.
    redirects: streams that go to files. tee: to files and to sys.stdout, where all goes that is not redirected.
    Raises RuntimeError when ranks or log_dir are not so, TypeError when a function or its arguments cannot be sent,
    FileNotFoundError for a program that is not there. No args: nothing is started.
    """
    session = spawn.get_preparation_data("")  # Raises RuntimeError in a process that is being made ready.
    if not isinstance(log_dir, (str, os.PathLike, type(None))):
        log_dir, logs_specs = None, log_dir
    if not isinstance(start_method, str):  # torch >= 2.3 has log_line_prefixes and start_method here.
        log_line_prefixes, redirects = start_method, Std.NONE
    envs, shown = envs or {}, set(args)
    if not args:
        return PContext(name, entrypoint, args, envs, None, {}, "")
    if logs_specs is not None:
        log_dir, redirects, tee = logs_specs._root_log_dir, logs_specs._redirects, logs_specs._tee
        shown = logs_specs._local_ranks_filter or shown
        if log_dir not in (None, os.devnull):
            os.makedirs(log_dir, exist_ok=True)
            prefix = "{}_".format(envs.get(0, {}).get("TORCHELASTIC_RUN_ID", name))
            attempt = "attempt_{}".format(envs.get(0, {}).get("TORCHELASTIC_RESTART_COUNT", 0))
            log_dir = os.path.join(tempfile.mkdtemp(prefix=prefix, dir=log_dir), attempt)
    teed = {rank: int(tee.get(rank, 0) if isinstance(tee, dict) else tee) * (rank in shown) for rank in args}
    files = {rank: int(redirects.get(rank, 0) if isinstance(redirects, dict) else redirects) for rank in args}
    files = {rank: files[rank] | teed[rank] if rank in shown else 3 for rank in args}
    words = {rank: [each] if isinstance(each, str) else list(map(str, each)) for rank, each in args.items()}
    folder, command = tempfile.mkdtemp(prefix="rankdeck-"), [entrypoint]
    try:
        if callable(entrypoint) or ":" in entrypoint and not shutil.which(entrypoint):
            Path(folder, "call").write_bytes(_pack(session, entrypoint, args))
            start = "import sys; sys.path.insert(0, {!r}); from rankdeck.elastic import call; call(*sys.argv[1:])"
            command = [sys.executable, "-c", start.format(str(Path(__file__).parents[1])), folder]
            words = {rank: [str(rank)] for rank in args}
        elif not shutil.which(entrypoint):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), entrypoint)
        given, unset = _as_given(envs or dict.fromkeys(args, {}), _OWN_VARIABLES if envs else ["OMP_NUM_THREADS"])
        numa = getattr(numa_options, "affinity_mode", numa_options)
        spec = {"name": name, "command": command, "work_dir": os.getcwd(),
                "log_dir": "" if log_dir in (None, os.devnull) else os.path.abspath(log_dir),
                "common": {"unset_env": unset},
                "processes": {"nproc": len(args), "args": words, "redirects": files, "tee": teed, "envs": given,
                              **({"log_line_prefixes": log_line_prefixes} if log_line_prefixes else {}),
                              **({"numa_binding": getattr(numa, "value", numa)} if numa else {})}}
        Path(folder, "spec.json").write_text(json.dumps(spec), encoding="utf-8")
        run = Run(["processes", os.path.join(folder, "spec.json")])
    except BaseException:
        shutil.rmtree(folder)
        raise
    return PContext(name, entrypoint, args, envs, run, files, folder)


def _make(code: bytes, *name_and_defaults: Any) -> Any:
    return types.FunctionType(marshal.loads(code), vars(sys.modules["__main__"]), *name_and_defaults)


def _fill(function: Any, used: Dict[str, Any]) -> None:
    function.__kwdefaults__ = used.pop("")
    function.__globals__.update(used)


class _ByValue(pickle.Pickler):
    """Sends functions of a session without a file, such as a notebook's, by value. That needs Python 3.8."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if getattr(value, "__module__", "") != "__main__":
            return NotImplemented
        if not isinstance(value, types.FunctionType) or value.__closure__:
            raise TypeError("{!r} is known to this session alone".format(value))
        codes, used = [value.__code__], {"": value.__kwdefaults__}
        for code in codes:  # Also of the functions and comprehensions in it.
            codes += [each for each in code.co_consts if isinstance(each, types.CodeType)]
            names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
            used.update({name: value.__globals__[name] for name in names if name in value.__globals__})
        return _make, (marshal.dumps(value.__code__), value.__name__, value.__defaults__), used, None, None, _fill


def _pack(session: Dict[str, Any], function: Union[Callable[..., Any], str], args: Dict[int, Any]) -> bytes:
    """Returns what call() needs. Raises TypeError when something cannot be sent to another process."""
    packed = io.BytesIO()
    has_file = any(key.startswith("init_main") for key in session)
    try:
        (pickle.Pickler if has_file else _ByValue)(packed).dump((function, args))
        uses_main = b"__main__" in packed.getvalue()
        if uses_main and not has_file and sys.version_info < (3, 8):
            raise TypeError("Python 3.7 sends only what a file defines")
    except Exception as error:
        raise TypeError("{} cannot be called in another process: {}. Move it, and what it needs, to the top level of a "
                        "module.".format(getattr(function, "__name__", function), error)) from error
    # As multiprocessing does, the script is run again, but only when something that it defines is needed.
    unused = {"authkey"} if uses_main else {"authkey", "init_main_from_path", "init_main_from_name"}
    return pickle.dumps(({key: session[key] for key in set(session) - unused}, packed.getvalue()))


def call(folder: str, rank: str) -> None:
    """Calls the function with the rank's arguments; leaves what it returns, or error.json as torch's record() does."""
    try:
        session, packed = pickle.loads(Path(folder, "call").read_bytes())
        current_process()._inheriting = True  # So multiprocessing knows a process that is being made ready.
        spawn.prepare(session)
        del current_process()._inheriting
        function, args = pickle.loads(packed)
        if isinstance(function, str):
            place, _, name = function.rpartition(":")
            function = (runpy.run_path(place) if place.endswith(".py") else vars(importlib.import_module(place)))[name]
        result = pickle.dumps(function(*args[int(rank)]))
    except Exception as error:
        Path(os.environ.get("TORCHELASTIC_ERROR_FILE") or os.devnull).write_text(json.dumps({"message": {
            "message": "{}: {}".format(type(error).__name__, error),
            "extraInfo": {"py_callstack": traceback.format_exc(), "timestamp": str(int(time.time()))}}}))
        raise
    Path(folder, rank).write_bytes(result)

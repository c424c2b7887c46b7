"""davincirunsdk's functions by Rankdeck, and the run that they start: rankdeckctl is driven by its JSON."""
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, CompletedProcess, Popen, TimeoutExpired, run
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union


class RankdeckError(RuntimeError):
    """Says why rankdeckctl did not do what it was asked for."""


class DistributedRuntimeError(RuntimeError):
    """The verdict, report (`rankdeckctl report --json`), exit_codes by rank (-N: signal N), exit_code of the run."""
    def __init__(self, verdict: str, report: Dict[str, Any], exit_codes: Dict[int, Any], exit_code: int) -> None:
        super().__init__(verdict)
        self.verdict, self.report, self.exit_codes, self.exit_code = verdict, report, exit_codes, exit_code


def find_rankdeckctl() -> str:
    """Returns RANKDECKCTL, bin/rankdeckctl of the venv, conda environment or tree around this, or the one in PATH."""
    above = [str(folder / "bin") for folder in list(Path(__file__).resolve().parents)[:5]]
    chosen = os.environ.get("RANKDECKCTL") or "rankdeckctl"
    found = shutil.which(chosen, path=os.pathsep.join([*above, os.environ.get("PATH", os.defpath)]))
    if not found:
        raise RankdeckError("{}: no such program. Install Rankdeck, or set RANKDECKCTL.".format(chosen))
    return found


def ask(words: Sequence[str], allowed: Sequence[int] = (0,), **options: Any) -> "CompletedProcess[str]":
    """Runs rankdeckctl to its end. Raises RankdeckError with its words unless its exit code is allowed."""
    done = run([find_rankdeckctl(), *words], stdin=DEVNULL, stdout=PIPE, stderr=PIPE, encoding="utf-8",
               errors="replace", **options)
    if done.returncode not in allowed:
        raise RankdeckError(done.stderr.strip() or "rankdeckctl ended with code {}.".format(done.returncode))
    return done


class Run:
    """A run that was started here. It goes on when this object, or Python, is gone; `rankdeckctl stop` ends it too."""

    def __init__(self, words: Sequence[str], show: bool = True) -> None:
        """Starts `rankdeckctl WORDS`. show: write the ranks' lines to sys.stdout as they come."""
        self.name = ask([words[0], "--detach", *words[1:]]).stdout.strip()
        # In a session of its own: an interrupt is for Python to act upon.
        self._watcher = Popen([find_rankdeckctl(), "attach" if show else "wait", self.name], stdin=DEVNULL,
                              stdout=PIPE, stderr=DEVNULL, start_new_session=True)
        self._printer = threading.Thread(target=self._print, args=(sys.stdout,), daemon=True)
        self._printer.start()

    def _print(self, out: Any) -> None:
        with self._watcher:
            for line in self._watcher.stdout or ():
                with suppress(ValueError):  # It was closed. If nobody read on, the watcher would stand still.
                    out.write(line.decode("utf-8", "replace"))
                    out.flush()

    def wait(self, timeout: Optional[float] = None, stops: bool = False) -> Optional[int]:
        """Returns the run's exit code after its last line, or None after `timeout`. stops: an interrupt ends it."""
        try:
            code = self._watcher.wait(timeout)
            self._printer.join()
        except TimeoutExpired:
            return None
        except BaseException:
            if stops:
                self.stop()
            raise
        # If somebody ended the watcher, the run itself goes on.
        return code if code >= 0 else ask(["wait", self.name], range(256)).returncode

    def stop(self, kill: bool = False, timeout: Optional[float] = None) -> None:
        """Ends all ranks: by SIGTERM, and SIGKILL after the grace time; with `kill` by SIGKILL at once.

        Raises subprocess.TimeoutExpired when they have not ended after `timeout` s; they still will.
        """
        ask(["stop", self.name] + ["--kill"] * kill, range(256), timeout=timeout)

    def processes(self) -> List[Dict[str, Any]]:
        """Returns what `rankdeckctl wait --json` says of each process now; exit: its code, -N for signal N."""
        told = ask(["wait", self.name, "--timeout", "0", "--json"], range(256)).stdout
        return [{**each, "exit": 128 - each["exit_code"] if each["signal"] else each["exit_code"]}
                for each in json.loads(told)["processes"]]

    def failure(self) -> DistributedRuntimeError:
        """Waits for the end. Returns the verdict as an error."""
        code = self.wait() or 0
        report = json.loads(ask(["report", self.name, "--json"]).stdout)
        exits = {each["rank"]: each["exit"] for each in self.processes() if each["role"] == "worker"}
        verdict = ask(["report", self.name]).stdout.strip()
        return DistributedRuntimeError(verdict, report, exits, code)


class RankTable:
    """A rank table of version 1.0 or 1.2: rank_table, and the variables that set_rank_env() sets."""

    def __init__(self, variables: Dict[str, str]) -> None:
        self.variables = variables
        self.rank_table: Dict[str, Any] = json.loads(Path(variables["RANK_TABLE_FILE"]).read_text(encoding="utf-8"))

    def get_rank_table_path(self) -> str:
        return self.variables["RANK_TABLE_FILE"]

    def get_device_num(self) -> int:
        return int(self.variables["RANK_SIZE"])


def generate_rank_table() -> Optional[RankTable]:
    """Waits for the platform's rank table, converts template 2 to version 1.0, and returns it; None without one."""
    done = ask(["ranktable", "init", "--json"], (0, 3))
    return None if done.returncode == 3 else RankTable(json.loads(done.stdout))


def get_rank_table() -> RankTable:
    """Returns the table that RANK_TABLE_FILE names. Raises RankdeckError unless its version is 1.0 or 1.2."""
    path = os.environ.get("RANK_TABLE_FILE")
    shown = json.loads(ask(["ranktable", "show", "--json", path]).stdout) if path else {}
    if shown.get("version") not in ("1.0", "1.2"):
        raise RankdeckError("RANK_TABLE_FILE names no table of version 1.0 or 1.2. Call init_rank_table() first.")
    return RankTable(json.loads(ask(["ranktable", "init", "--json"],
                                    env={**os.environ, "RANK_TABLE_FILE_V_1_0": ""}).stdout))


def set_rank_env(rank_table: RankTable) -> None:
    """Sets RANK_TABLE_FILE, MA_CURRENT_HOST_IP, RANK_START and RANK_SIZE."""
    os.environ.update(rank_table.variables)


def init_rank_table() -> Union[Dict[str, str], bool]:
    """Calls generate_rank_table() and set_rank_env(). Returns the environment, or False without a table."""
    rank_table = generate_rank_table()
    if rank_table:
        set_rank_env(rank_table)
    return dict(os.environ) if rank_table else False


@contextmanager
def set_random_ms_cache_dir() -> Iterator[None]:
    """Has MS_COMPILER_CACHE_PATH name a new directory, under /cache or with temporary files; removes it at the end."""
    before = os.environ.get("MS_COMPILER_CACHE_PATH")
    with tempfile.TemporaryDirectory(dir="/cache" if os.access("/cache", os.W_OK) else None) as folder:
        os.environ["MS_COMPILER_CACHE_PATH"] = folder
        try:
            yield
        finally:
            del os.environ["MS_COMPILER_CACHE_PATH"]
            os.environ.update({} if before is None else {"MS_COMPILER_CACHE_PATH": before})


def start_distributed_train(command: List[str], work_dir: str = "./", log_dir: str = "./log", *,
                            output_notebook: bool = False, destroy_when_finished: bool = True) -> Run:
    """Starts command once for each device of this node, on the table that RANK_TABLE_FILE names.

    output_notebook: write the ranks' lines to the notebook's cell; elsewhere they are written in any case.
    destroy_when_finished: end the other ranks when one fails; davincirunsdk has it in the wait alone.
    """
    path = get_rank_table().get_rank_table_path()
    os.makedirs(work_dir, exist_ok=True)
    words = ["davincirun", "--rank-table", path, "--work-dir", os.fspath(work_dir), "--log-dir", os.fspath(log_dir),
             "--no-random-cache-dir", *["--no-destroy"] * (not destroy_when_finished), *map(os.fspath, command)]
    return Run(words, output_notebook or not type(sys.stdout).__module__.startswith("ipykernel"))


def wait_distributed_train(fmk_manager: Run, destroy_when_finished: bool = True, raise_exception: bool = True) -> int:
    """Returns 0 when every rank exited with 0, else raises DistributedRuntimeError, or returns 1.

    destroy_when_finished: an interrupt or SIGTERM ends the ranks; for a failure, give it to start_distributed_train().
    """
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number)) if is_main else None
    try:
        code = fmk_manager.wait(stops=destroy_when_finished)
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, before)
    if code and raise_exception:
        raise fmk_manager.failure()
    return int(code != 0)


def start_and_wait_distributed_train(command: List[str], work_dir: str = "./", log_dir: str = "./log", *,
                                     output_notebook: bool = False, random_cache_dir: bool = True,
                                     destroy_when_finished: bool = True, raise_exception: bool = True) -> int:
    """Does both, by default in set_random_ms_cache_dir()."""
    with set_random_ms_cache_dir() if random_cache_dir else suppress():
        manager = start_distributed_train(command, work_dir, log_dir, output_notebook=output_notebook,
                                          destroy_when_finished=destroy_when_finished)
        return wait_distributed_train(manager, destroy_when_finished, raise_exception)

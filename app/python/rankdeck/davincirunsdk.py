"""davincirunsdk's functions by Rankdeck. rankdeckctl is everywhere the program to use; see find_rankdeckctl()."""
import json
import os
import signal
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from typing import Any, Dict, Iterator, List, Optional, Union

from .run import DistributedRuntimeError, RankdeckError, Run, ask  # noqa: F401


class RankTable:
    """A rank table of version 1.0 or 1.2: rank_table, and the variables that set_rank_env() sets."""

    def __init__(self, variables: Dict[str, str]) -> None:
        self.variables = variables
        with open(variables["RANK_TABLE_FILE"], encoding="utf-8") as file:
            self.rank_table: Dict[str, Any] = json.load(file)

    def get_rank_table_path(self) -> str:
        return self.variables["RANK_TABLE_FILE"]

    def get_device_num(self) -> int:
        return int(self.variables["RANK_SIZE"])


def generate_rank_table(*, rankdeckctl: Optional[str] = None) -> Optional[RankTable]:
    """Waits for the platform's rank table, converts template 2 to version 1.0, and returns it; None without one."""
    done = ask(["ranktable", "init", "--json"], rankdeckctl, allowed=(0, 3))
    return None if done.returncode == 3 else RankTable(json.loads(done.stdout))


def get_rank_table(*, rankdeckctl: Optional[str] = None) -> RankTable:
    """Returns the table that RANK_TABLE_FILE names. Raises RankdeckError unless its version is 1.0 or 1.2."""
    path = os.environ.get("RANK_TABLE_FILE")
    shown = json.loads(ask(["ranktable", "show", "--json", path], rankdeckctl).stdout) if path else {}
    if shown.get("version") not in ("1.0", "1.2"):
        raise RankdeckError("RANK_TABLE_FILE names no table of version 1.0 or 1.2. Call init_rank_table() first.")
    environment = {**os.environ, "RANK_TABLE_FILE_V_1_0": ""}
    return RankTable(json.loads(ask(["ranktable", "init", "--json"], rankdeckctl, env=environment).stdout))


def set_rank_env(rank_table: RankTable) -> None:
    """Sets RANK_TABLE_FILE, MA_CURRENT_HOST_IP, RANK_START and RANK_SIZE."""
    os.environ.update(rank_table.variables)


def init_rank_table(*, rankdeckctl: Optional[str] = None) -> Union[Dict[str, str], bool]:
    """Calls generate_rank_table() and set_rank_env(). Returns the environment, or False without a table."""
    rank_table = generate_rank_table(rankdeckctl=rankdeckctl)
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
                            output_notebook: bool = False, destroy_when_finished: bool = True,
                            rankdeckctl: Optional[str] = None) -> Run:
    """Starts command once for each device of this node, on the table that RANK_TABLE_FILE names.

    output_notebook: write the ranks' lines to the notebook's cell; elsewhere they are written in any case.
    destroy_when_finished: end the other ranks when one fails; davincirunsdk has it in the wait alone.
    """
    path = get_rank_table(rankdeckctl=rankdeckctl).get_rank_table_path()
    os.makedirs(work_dir, exist_ok=True)
    words = ["davincirun", "--rank-table", path, "--work-dir", os.fspath(work_dir), "--log-dir", os.fspath(log_dir),
             "--no-random-cache-dir", *["--no-destroy"] * (not destroy_when_finished), *map(os.fspath, command)]
    return Run(words, rankdeckctl, output_notebook or not type(sys.stdout).__module__.startswith("ipykernel"))


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
    error = fmk_manager.failure() if code and raise_exception else None
    if error:
        raise error
    return int(code != 0)


def start_and_wait_distributed_train(command: List[str], work_dir: str = "./", log_dir: str = "./log", *,
                                     output_notebook: bool = False, random_cache_dir: bool = True,
                                     destroy_when_finished: bool = True, raise_exception: bool = True,
                                     rankdeckctl: Optional[str] = None) -> int:
    """Does both, by default in set_random_ms_cache_dir()."""
    with set_random_ms_cache_dir() if random_cache_dir else suppress():
        run = start_distributed_train(command, work_dir, log_dir, output_notebook=output_notebook,
                                      destroy_when_finished=destroy_when_finished, rankdeckctl=rankdeckctl)
        return wait_distributed_train(run, destroy_when_finished, raise_exception)

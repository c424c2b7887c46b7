"""Rankdeck from Python: start ranks, see their lines, and learn which one failed first. Needs rankdeckctl.

`rankdeck.davincirunsdk` has davincirunsdk's functions under their own names; `start_processes` is torch's.
"""
from .davincirunsdk import (DistributedRuntimeError, RankdeckError, RankTable, Run, generate_rank_table, get_rank_table,
                            init_rank_table, set_random_ms_cache_dir, set_rank_env)
from .davincirunsdk import start_and_wait_distributed_train as start_and_wait
from .davincirunsdk import start_distributed_train as start
from .davincirunsdk import wait_distributed_train as wait
from .elastic import PContext, ProcessFailure, RunProcsResult, Std, start_processes

__all__ = [name for name in dir() if not name.startswith("_")]

"""The flight recorder of a rank of Rankdeck's demos: keeps the last collectives, and dumps them when something is
written to its pipe, in the form of torch_npu's recorder. Without torch's variables it listens to no pipe.
"""

import atexit
import collections
import fcntl
import os
import pickle
import signal
import sys
import time
import traceback

GROUP = "demo_world"


class Recorder:
    def __init__(self, environment, rank, ranks):
        self.rank, self.ranks, self.count = rank, ranks, 0
        self.entries = collections.deque(maxlen=int(environment.get("TORCH_HCCL_TRACE_BUFFER_SIZE", "0")))
        self.target = environment.get("TORCH_HCCL_DEBUG_INFO_TEMP_FILE")
        self.pipe = None
        prefix = environment.get("TORCH_HCCL_DEBUG_INFO_PIPE_FILE")
        if prefix and self.target:
            self.listen("{}{}.pipe".format(prefix, rank))

    def listen(self, path):
        """By a signal: a thread would stand in every call stack of the rank."""
        if os.path.lexists(path):
            os.unlink(path)
        os.mkfifo(path, 0o600)
        self.pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        atexit.register(os.close, self.pipe)  # Python forgets its handlers then, and an order would end it.
        signal.signal(signal.SIGIO, self.answer)
        fcntl.fcntl(self.pipe, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(self.pipe, fcntl.F_SETFL, fcntl.fcntl(self.pipe, fcntl.F_GETFL) | os.O_ASYNC)

    def answer(self, _number, frame):
        try:
            asked = os.read(self.pipe, 128)
        except BlockingIOError:
            return
        if asked:
            self.dump(frame)

    def begin(self, operation, size):
        caller = sys._getframe(1)
        self.count += 1
        self.entries.append({
            "record_id": self.count, "pg_id": 0, "process_group": ("0", GROUP), "collective_seq_id": self.count,
            "p2p_seq_id": 0, "op_id": self.count, "profiling_name": "hccl:" + operation,
            "time_created_ns": time.time_ns(), "input_sizes": [[size]], "input_dtypes": ["Float"],
            "output_sizes": [[size]], "output_dtypes": ["Float"], "state": "started", "is_p2p": False,
            "time_discovered_started_ns": time.time_ns(), "time_discovered_completed_ns": None,
            "frames": [{"name": caller.f_code.co_name, "filename": caller.f_code.co_filename,
                        "line": caller.f_lineno}]})

    def end(self):
        if self.entries:
            self.entries[-1]["state"] = "completed"
            self.entries[-1]["time_discovered_completed_ns"] = time.time_ns()

    def dump(self, frame=None):
        """As at a time-out, or when it is asked. Whoever reads it must see a whole file."""
        if not self.target:
            return
        path = "{}{}".format(self.target, self.rank)
        groups = {"0": {"name": "0", "desc": GROUP, "ranks": str(list(range(self.ranks)))}}
        self.write(path + "_py_traceback", "".join(traceback.format_stack(frame or sys._getframe(1))).encode())
        self.write(path, pickle.dumps({"version": "2.4", "entries": list(self.entries), "pg_config": groups}, 2))

    @staticmethod
    def write(path, content):
        with open(path + ".new", "wb") as out:
            out.write(content)
        os.rename(path + ".new", path)

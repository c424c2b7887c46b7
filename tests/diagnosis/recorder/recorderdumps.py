"""Writes dumps as flight recorders do: recorderdumps.py FOLDER CASE [FORMAT]. Each case is a hang of four ranks.

FORMAT is torch (a pickle as C++ of torch writes it: protocol 2, lists of sizes by build_intlist, entries with
process_group as a tuple), npu (torch_npu's "2.4"), python (protocol 4), json (its JSON form) or gloo (torch 2.14 with
gloo: nothing says when a collective began or ended, and the only group of pg_config has no name).
"""
import json
import os
import pickle
import struct
import sys

LIBRARY = {"name": "all_reduce", "filename": "/venv/lib/python3.11/site-packages/torch/distributed/c10d_logger.py", "line": 83}


class Rank:
    """The collectives of a rank, in the order of its calls."""

    def __init__(self, rank, groups):
        self.rank, self.groups, self.entries, self.counts = rank, groups, [], {}

    def call(self, operation, line, group="0", size=1024, state="completed", file="/home/me/model.py", wait=2.0):
        sequence = self.counts[group] = self.counts.get(group, 0) + 1
        self.entries.append({
            "record_id": len(self.entries), "pg_id": int(group), "process_group": (group, self.groups[group][0]),
            "collective_seq_id": sequence, "p2p_seq_id": 0, "op_id": len(self.entries) + 1,
            "profiling_name": "hccl:" + operation, "time_created_ns": 1_700_000_000_000_000_000 + len(self.entries),
            "input_sizes": [[size, 8]], "input_dtypes": ["Float"], "output_sizes": [[size, 8]], "output_dtypes": ["Float"],
            "state": state, "duration_ms": wait if state == "completed" else None, "retired": state == "completed",
            "timeout_ms": 600000, "is_p2p": False,
            "frames": [LIBRARY, {"name": "forward", "filename": file, "line": line},
                       {"name": "main", "filename": "/home/me/train.py", "line": 9}]})

    def dump(self):
        return {"version": "2.4", "entries": self.entries,
                "pg_config": {name: {"name": name, "desc": description, "ranks": str(ranks)}
                              for name, (description, ranks) in self.groups.items() if self.rank in ranks},
                "pg_status": {name: {"last_enqueued_collective": self.counts.get(name, 0)} for name in self.groups}}


def torch_pickle(value):
    """As torch's pickler writes it: keys and values one by one, no common strings, lists of numbers by a function."""
    def write(its):
        if its is None:
            return b"N"
        if isinstance(its, bool):
            return b"\x88" if its else b"\x89"
        if isinstance(its, int):
            return b"J" + struct.pack("<i", its) if abs(its) < 2**31 else b"\x8a\x08" + struct.pack("<q", its)
        if isinstance(its, float):
            return b"G" + struct.pack(">d", its)
        if isinstance(its, str):
            return b"X" + struct.pack("<I", len(its.encode())) + its.encode()
        if isinstance(its, tuple):
            return b"(" + b"".join(map(write, its)) + b"t"
        if isinstance(its, list):
            plain = b"](" + b"".join(map(write, its)) + b"e"
            isNumbers = its and all(isinstance(item, int) for item in its)
            return b"ctorch.jit._pickle\nbuild_intlist\n" + plain + b"\x85R" if isNumbers else plain
        return b"}(" + b"".join(write(key) + write(item) for key, item in its.items()) + b"u"
    return b"\x80\x02" + write(value) + b"."


def make(case):
    world = list(range(4))
    groups = {"0": ("default_pg", world)}
    if case == "crossed":
        groups = {"0": ("default_pg", world), "1": ("tp", [0, 1]), "2": ("dp", [0, 1])}
    ranks, stacks, gone = [Rank(rank, groups) for rank in world], {}, []
    for step in range(20):
        for its in ranks:
            slow = case == "slow" and its.rank == 2
            its.call("all_reduce", 212, wait=1.0 if slow else 90.0)
    for its in ranks:
        odd = its.rank == 3
        if case == "skipped":
            # Rank 3 leaves out the call of line 212; then it has nothing more to call.
            if not odd:
                its.call("all_reduce", 212)
            its.call("all_reduce", 230)
            if not odd:
                its.call("all_reduce", 240, state="started")
            else:
                its.call("all_reduce", 240)
                stacks[3] = 'Current thread 0x01 (most recent call first):\n  File "/home/me/train.py", line 70 in save\n'
        elif case == "sizes":
            its.call("all_reduce", 212, size=512 if odd else 1024, state="started")
        elif case == "order":
            for operation in ("all_gather", "all_reduce") if odd else ("all_reduce", "all_gather"):
                its.call(operation, 212 if operation == "all_reduce" else 215, state="started")
        elif case == "loader":
            if odd:
                stacks[3] = ('Thread 0x02 (most recent call first):\n  File "/usr/lib/python3.11/threading.py", line 3 in run\n\n'
                             'Current thread 0x01 (most recent call first):\n'
                             '  File "/venv/site-packages/torch/utils/data/dataloader.py", line 700 in __next__\n'
                             '  File "/home/me/dataset.py", line 88 in read\n  File "/home/me/train.py", line 9 in main\n')
            else:
                its.call("all_reduce", 212, state="started")
        elif case == "stopped":
            its.call("all_reduce", 212, state="started")
            gone = [3]
        elif case == "crossed":
            if its.rank == 0:
                its.call("all_reduce", 300, group="1", state="started")
            elif its.rank == 1:
                its.call("all_reduce", 310, group="2", state="started")
        elif case == "network":
            its.call("all_reduce", 212, state="started")
    return [its for its in ranks if its.rank not in gone], stacks


def main(folder, case, form="torch"):
    os.makedirs(folder, exist_ok=True)
    ranks, stacks = make(case)
    for its in ranks:
        path = os.path.join(folder, "hccl_trace_rank_{}".format(its.rank))
        dump = its.dump()
        if form == "npu":
            for entry in dump["entries"]:
                del entry["duration_ms"]
                if entry["state"] == "completed":
                    entry["time_discovered_started_ns"] = entry["time_created_ns"]
                    entry["time_discovered_completed_ns"] = entry["time_created_ns"] + (
                        1_000_000 if case == "slow" and its.rank == 2 else 90_000_000)
        if form == "gloo":
            dump["pg_config"] = {"": {"name": "", "desc": "", "ranks": str([0, 1])}}
            for entry in dump["entries"]:
                entry.update(state="scheduled", duration_ms=None, profiling_name=entry["profiling_name"].replace("hccl", "gloo"))
        text = (json.dumps(dump).encode() if form == "json" else pickle.dumps(dump, 4) if form == "python"
                else torch_pickle(dump))
        with open(path, "wb") as out:
            out.write(text)
    for rank, text in stacks.items():
        with open(os.path.join(folder, "hccl_trace_rank_{}_py_traceback".format(rank)), "w") as out:
            out.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A rank that records its collectives and answers its pipe as torch_npu's ProcessGroupHCCL does, without torch.

recordingrank.py CASE MEET: four of them meet in the folder MEET, and hang as CASE says, each in its own way. Once the
file MEET/give-up is there, rank 0 ends as after HCCL's time-out.
"""
import json
import os
import pickle
import select
import signal
import sys
import threading
import time
import traceback

CASE, MEET = sys.argv[1:]
RANK = int(os.environ["RANK"])
WORLD = [0, 1, 2, 3]
GROUPS = {"0": ("default_pg", WORLD), "1": ("tp", [0, 1]), "2": ("dp", [0, 1])}
PREFIX = os.environ["TORCH_HCCL_DEBUG_INFO_TEMP_FILE"]
PIPE = "{}{}.pipe".format(os.environ["TORCH_HCCL_DEBUG_INFO_PIPE_FILE"], RANK)
entries, counts = [], {}


def write(path, text, mode="w"):
    with open(path + ".new", mode) as out:
        out.write(text)
    os.rename(path + ".new", path)


def dump():
    frames = sys._current_frames()[threading.main_thread().ident]
    with open("{}{}".format(PREFIX, RANK), "wb") as out:
        out.write(pickle.dumps({"version": "2.4", "entries": entries,
                                "pg_config": {name: {"name": name, "desc": its[0], "ranks": str(its[1])}
                                              for name, its in GROUPS.items() if RANK in its[1]}}, 2))
    with open("{}{}_py_traceback".format(PREFIX, RANK), "w") as out:
        out.write("".join(traceback.format_stack(frames)))


def monitor(pipe):
    while True:
        select.select([pipe], [], [])
        if os.read(pipe, 128):
            dump()
        else:
            time.sleep(0.05)  # Nobody has it open to write.


def status(group, sequence, state):
    folder = os.environ["TORCH_HCCL_STATUS_SAVE_PATH"]
    name = "torch_hccl_status-{}_1_{}_4_{}_0.log".format(RANK, RANK, os.getpid())
    write(os.path.join(folder, name), json.dumps({
        "last_comm_op": [{"seq": sequence, "op_type": entries[-1]["profiling_name"].split(":")[1], "pg_id": group,
                          "comm_ids": GROUPS[group][0], "status": state}],
        "is_master": True, "exception_message": "", "global_pg_end_time": 0}))


def collective(operation, group="0", size=1024):
    """Begins, waits until all ranks of the group are in the same one, and ends."""
    sequence = counts[group] = counts.get(group, 0) + 1
    caller = sys._getframe(1)
    entry = {"record_id": len(entries), "pg_id": int(group), "process_group": (group, GROUPS[group][0]),
             "collective_seq_id": sequence, "p2p_seq_id": 0, "op_id": len(entries), "profiling_name": "hccl:" + operation,
             "time_created_ns": time.time_ns(), "input_sizes": [[size]], "input_dtypes": ["Float"],
             "output_sizes": [[size]], "output_dtypes": ["Float"], "state": "started", "is_p2p": False,
             "time_discovered_started_ns": time.time_ns(), "time_discovered_completed_ns": None,
             "frames": [{"name": caller.f_code.co_name, "filename": caller.f_code.co_filename, "line": caller.f_lineno}]}
    entries.append(entry)
    status(group, sequence, "start")
    call = "{} {}".format(operation, size)
    write("{}/{}-{}-{}".format(MEET, group, sequence, RANK), call)
    began = time.monotonic()
    for other in GROUPS[group][1]:
        path = "{}/{}-{}-{}".format(MEET, group, sequence, other)
        while not os.path.exists(path) or open(path).read() != call:
            time.sleep(0.01)
            if time.monotonic() - began > 0.5:
                stand_still()
    entry["state"] = "completed"
    entry["time_discovered_completed_ns"] = time.time_ns()
    status(group, sequence, "end")


def stand_still():
    write("{}/still-{}".format(MEET, RANK), "")
    if RANK == 0 and os.path.exists(MEET + "/give-up"):
        if CASE != "stopped":
            dump()  # As at a time-out, with TORCH_HCCL_DUMP_ON_TIMEOUT.
        print("RuntimeError: EI0002: The wait execution of the Notify register times out.", flush=True)
        os._exit(1)


def load_batch():
    stand_still()
    time.sleep(1000)  # line: loader


def save():
    stand_still()
    time.sleep(1000)  # line: save


def train():
    odd = RANK == 3
    if CASE == "loader" and odd:
        load_batch()
    if CASE == "stopped" and odd:
        stand_still()
        os.kill(os.getpid(), signal.SIGSTOP)
    if CASE == "crossed" and RANK < 2:
        collective("all_reduce", group="12"[RANK])
    if CASE == "order" and odd:
        collective("all_gather")  # line: order
    if CASE == "skipped" and odd:
        save()
    collective("all_reduce", size=512 if CASE == "sizes" and odd else 1024)  # line: train


os.makedirs(MEET, exist_ok=True)
if os.path.exists(PIPE):
    os.unlink(PIPE)
os.mkfifo(PIPE)
threading.Thread(target=monitor, args=(os.open(PIPE, os.O_RDONLY | os.O_NONBLOCK),), daemon=True).start()
for step in range(1, 4):
    print("step {}/100 loss: 1".format(step), flush=True)
    collective("all_reduce")
if CASE == "stall":
    for step in range(4, 40):
        print("step {}/100 loss: 1".format(step), flush=True)
        collective("all_reduce")
        time.sleep(0.2)
    CASE = "loader"
train()

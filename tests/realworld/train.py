#!/usr/bin/env python3
"""A small training with one fault: train.py FAULT [--steps N]. What each fault is, and who is to blame: faults.tsv.

Ranks come from torchrun's variables. A step is a batch, a loss that all ranks average, and a line.
"""
import argparse
import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Dataset

FAULTS = {}
AT = 12
RANK = int(os.environ.get("RANK", "0"))
WORLD = int(os.environ.get("WORLD_SIZE", "1"))
ATTEMPT = int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))
SHARED = os.environ.get("REALWORLD_SHARED", "/tmp")


def fault(function):
    FAULTS[function.__name__.replace("_", "-")] = function
    return function


class Words(Dataset):
    def __init__(self, wrong=None):
        self.wrong = wrong

    def __len__(self):
        return 4000

    def __getitem__(self, index):
        if self.wrong and index >= 8 * AT:
            self.wrong(index)
        return torch.full((16,), float(index % 7)), torch.tensor([1.0])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(16, 32), nn.Linear(32, 1)

    def forward(self, batch):
        return self.second(torch.relu(self.first(batch)))


class Training:
    def __init__(self, options):
        self.steps, self.wrong, self.workers, self.hook = options.steps, None, 0, None
        self.model, self.batches, self.wrap = Net(), 0, False

    def average_gradients(self):
        for parameter in self.model.parameters():
            dist.all_reduce(parameter.grad)
            parameter.grad /= WORLD

    def run(self, at_step=None):
        model = nn.parallel.DistributedDataParallel(self.model) if self.wrap else self.model
        optimiser = torch.optim.SGD(model.parameters(), lr=1e-3)
        loader = DataLoader(Words(self.wrong), batch_size=8, num_workers=self.workers)
        for step, (batch, wanted) in enumerate(loader):
            if step >= self.steps:
                break
            if at_step:
                at_step(step, batch)
            loss = nn.functional.mse_loss(model(batch), wanted)
            optimiser.zero_grad()
            loss.backward()
            if not self.wrap:
                self.average_gradients()
            optimiser.step()
            print("step {}/{} loss {:.4f}".format(step, self.steps, loss.item()), flush=True)
            time.sleep(0.1)


def at(step, ranks, act):
    """What these ranks do at that step."""
    return lambda now, batch: act() if now == step and RANK in ranks else None


def init(seconds=20, **options):
    """@param seconds until gloo gives up; what hangs is to hang for longer than anybody waits."""
    dist.init_process_group("gloo", timeout=timedelta(seconds=seconds), **options)


@fault
def none(training):
    init()
    training.run()


@fault
def skip_collective(training):
    init()
    training.run(lambda step, batch: dist.all_reduce(torch.ones(4)) if RANK != 2 or step != AT else None)


@fault
def sizes_differ(training):
    init()
    training.run(at(AT, range(WORLD), lambda: dist.all_reduce(torch.ones(512 if RANK == 3 else 128))))


@fault
def order_differs(training):
    init()

    def sync_count():
        dist.all_reduce(torch.ones(8))

    def sync_scale():
        dist.broadcast(torch.ones(8), 0)

    def both():
        for act in (sync_count, sync_scale) if RANK == 1 else (sync_scale, sync_count):
            act()

    training.run(at(AT, range(WORLD), both))


@fault
def loader_sleeps(training):
    init(600)

    def read_slow_disk(index):
        time.sleep(1000)

    training.wrong = read_slow_disk if RANK == 3 else None
    training.run()


@fault
def stopped(training):
    init(600)
    training.run(at(AT, [1], lambda: os.kill(os.getpid(), signal.SIGSTOP)))


@fault
def groups_cross(training):
    init(600)
    tensor, data = dist.new_group([0, 1]), dist.new_group([0, 1])

    def cross():
        for group in (tensor, data) if RANK == 0 else (data, tensor):
            dist.all_reduce(torch.ones(4), group=group)
        dist.all_reduce(torch.ones(4))

    training.run(at(AT, [0, 1], cross))


# What a loader's worker runs is of the module: Python 3.14 has it come by name.
def fetch(index):
    time.sleep(1000)


@fault
def worker_sleeps(training):
    init(600)
    training.workers, training.wrong = 1, fetch if RANK == 2 else None
    training.run()


@fault
def unused_parameter(training):
    init()
    training.wrap = True
    training.model.third = nn.Linear(4, 4)
    training.run()


@fault
def killed(training):
    init()
    training.run(at(AT, [3], lambda: os.kill(os.getpid(), signal.SIGKILL)))


@fault
def segfault(training):
    faulthandler.enable()
    init()

    def read_null():
        ctypes.string_at(0)

    training.run(at(AT, [2], read_null))


@fault
def import_error(training):
    import flash_attention_of_tomorrow  # noqa: F401


@fault
def monitored_barrier(training):
    init()

    def meet():
        if RANK != 2:
            dist.monitored_barrier(timeout=timedelta(seconds=8))
        else:
            time.sleep(12)

    training.run(at(AT, range(WORLD), meet))


@fault
def never_joins(training):
    if RANK == 3:
        time.sleep(60)
    init(8)
    training.run()


@fault
def fails_twice(training):
    init()

    def read_shard():
        if ATTEMPT < 2:
            raise OSError("shard 7 of attempt {} cannot be read".format(ATTEMPT))

    training.run(at(AT, [1], read_shard))


@fault
def always_fails(training):
    init()

    def read_shard():
        raise OSError("shard 7 cannot be read")

    training.run(at(AT, [1], read_shard))


def die(index):
    os.kill(os.getpid(), signal.SIGKILL)


@fault
def worker_killed(training):
    init()
    training.workers, training.wrong = 1, die if RANK == 1 else None
    training.run()


@fault
def nan_exit(training):
    init()

    def stop():
        print("loss is nan at step {}, giving up".format(AT), flush=True)
        sys.exit(3)

    training.run(at(AT, [2], stop))


@fault
def no_cuda(training):
    init()
    training.model.cuda()


@fault
def no_torch_npu(training):
    import torch_npu  # noqa: F401


@fault
def npu_device(training):
    init()
    training.model.to("npu:0")


@fault
def compile_data_dependent(training):
    init()

    @torch.compile(fullgraph=True, backend="eager")
    def route(values):
        return values * 2 if values.sum() > 0 else values

    training.run(at(AT, [2], lambda: route(torch.ones(3))))


@fault
def disk_full(training):
    init()

    def save():
        with open("/dev/full", "wb") as out:
            torch.save(training.model.state_dict(), out)

    training.run(at(AT, [0], save))


@fault
def terminated(training):
    init()
    training.run(at(AT, [1], lambda: os.kill(os.getpid(), signal.SIGTERM)))


@fault
def value_error_recorded(training):
    from torch.distributed.elastic.multiprocessing.errors import record

    def batch_of(size):
        raise ValueError("batch size {} is not a multiple of 3".format(size))

    @record
    def main():
        init()
        training.run(at(AT, [2], lambda: batch_of(8)))

    main()


@fault
def allocation(training):
    init()
    training.run(at(AT, [1], lambda: torch.empty(10**15)))


@fault
def weights_only(training):
    init()
    path = os.path.join(SHARED, "weights-{}.pt".format(RANK))
    torch.save({"model": Words()}, path)
    training.run(at(AT, [0], lambda: torch.load(path)))


@fault
def fsdp_forward(training):
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    init()
    fully_shard(training.model, mesh=init_device_mesh("cpu", (WORLD,)))

    def pad(batch):
        if RANK == 1:
            training.model(torch.ones(8, 15))

    training.average_gradients = lambda: None
    training.run(lambda step, batch: pad(batch) if step == AT else None)


@fault
def accumulation(training):
    init(10)

    def average():
        if RANK != 1 or training.batches != AT:
            Training.average_gradients(training)
        training.batches += 1

    training.average_gradients = average
    training.run()
    dist.barrier()


@fault
def uneven_inputs(training):
    init()
    training.steps -= 6 if RANK == 3 else 0
    training.run()


@fault
def resume_world_size(training):
    init()
    if RANK < 2:
        torch.save({}, os.path.join(SHARED, "resume-{}.pt".format(RANK)))
    dist.barrier()
    torch.load(os.path.join(SHARED, "resume-{}.pt".format(RANK)))
    training.run()


@fault
def async_checkpoint(training):
    import torch.distributed.checkpoint as checkpoint
    init()
    place = os.path.join(SHARED, "a-file")
    open(place, "w").close()

    def save():
        checkpoint.async_save({"model": training.model.state_dict()}, checkpoint_id=place + "/step").result()

    training.run(at(AT, range(WORLD), save))


@fault
def state_dict_differs(training):
    init()
    training.model.load_state_dict({"first.weight": torch.ones(3, 3)})


@fault
def assertion(training):
    init()

    def check():
        assert torch.ones(2).sum() == 3, "the vocabulary has 50257 words, the tokenizer 50304"

    training.run(at(AT, [0], check))


def label(index):
    return {"text": 1}["label"]


@fault
def worker_key_error(training):
    init()
    training.workers, training.wrong = 1, label if RANK == 2 else None
    training.run()


@fault
def shapes_differ(training):
    init()
    training.run(at(AT, [1], lambda: training.model(torch.ones(8, 17))))


@fault
def leaves_early(training):
    init()
    training.run(at(AT, [2], lambda: os._exit(0)))


@fault
def recursion(training):
    init()

    def nest(value):
        return nest([value])

    training.run(at(AT, [3], lambda: nest(0)))


@fault
def aborts(training):
    init()
    training.run(at(AT, [1], os.abort))


@fault
def divides_by_zero(training):
    init()
    training.run(at(AT, [2], lambda: os.kill(os.getpid(), signal.SIGFPE)))


@fault
def no_permission(training):
    init()
    folder = os.path.join(SHARED, "locked")
    if RANK == 0:
        os.makedirs(folder, exist_ok=True)

    def save():
        raise PermissionError(13, "Permission denied", folder + "/step_12.pt")

    training.run(at(AT, [0], save))


@fault
def no_config(training):
    open("/data/config/train_7b.json")


@fault
def collective_timeout(training):
    init(8)
    training.run(at(AT, [2], lambda: time.sleep(30)))


@fault
def cannot_pickle(training):
    init()
    training.run(at(AT, range(WORLD), lambda: dist.broadcast_object_list([threading.Lock() if RANK == 0 else None], 0)))


@fault
def world_too_large(training):
    os.environ["WORLD_SIZE"] = str(WORLD + 1)
    init(8)
    training.run()


@fault
def interrupted(training):
    init()

    def interrupt():
        raise KeyboardInterrupt

    training.run(at(AT, [1], interrupt))


@fault
def hook_raises(training):
    init()

    def refuse(gradient):
        if RANK == 2 and training.batches == AT:
            raise RuntimeError("gradient of first.weight is not finite")
        training.batches += 1

    training.model.first.weight.register_hook(refuse)
    training.run()


@fault
def gather_sizes(training):
    init()

    def gather():
        parts = [torch.empty(4) for _ in range(WORLD)]
        dist.all_gather(parts, torch.ones(5 if RANK == 3 else 4))

    training.run(at(AT, range(WORLD), gather))


@fault
def thread_dies(training):
    init(600)

    def feed():
        raise RuntimeError("the feeder lost its connection to the data server")

    def start():
        feeder = threading.Thread(target=feed, name="feeder")
        feeder.start()
        threading.Event().wait()  # For a batch that never comes.

    training.run(at(AT, [3], start))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fault", choices=sorted(FAULTS))
    parser.add_argument("--steps", type=int, default=30)
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    FAULTS[options.fault](Training(options))
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()

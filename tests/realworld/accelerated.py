#!/usr/bin/env python3
"""A small training by accelerate with one fault: accelerated.py FAULT. What each fault is: accelerate.tsv."""
import os
import signal
import sys
import time
from datetime import timedelta

import torch
from accelerate import Accelerator
from accelerate.utils import InitProcessGroupKwargs
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

AT = 12
STEPS = 60


def main(fault):
    # What hangs is to hang for longer than anybody waits. Debian's torch knows MPI, which accelerate would take.
    patience = timedelta(seconds=3600 if fault == "waits-alone" else 20)
    accelerator = Accelerator(cpu=True, kwargs_handlers=[InitProcessGroupKwargs(backend="gloo", timeout=patience)])
    rank = accelerator.process_index
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
    data = TensorDataset(torch.rand(4 * 8 * STEPS, 16), torch.rand(4 * 8 * STEPS, 1))
    if fault == "load-state-missing":
        accelerator.load_state("/mnt/job/shared/checkpoint-of-another-run")
    if fault == "unprepared-loader":
        loader = accelerator.prepare(DataLoader(data, batch_size="8"))
    model, optimizer, loader = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=1e-3),
                                                   DataLoader(data, batch_size=8))
    for step, (batch, wanted) in enumerate(loader):
        if step == AT:
            act(fault, accelerator, rank)
        loss = nn.functional.mse_loss(model(batch), wanted)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        accelerator.print("step {}/{} loss {:.4f}".format(step, STEPS, loss.item()), flush=True)
        time.sleep(0.1)
    accelerator.wait_for_everyone()
    accelerator.end_training()


def read_prompts(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def act(fault, accelerator, rank):
    if fault == "rank-raises" and rank == 1:
        read_prompts("/mnt/job/shared/prompts-1.json")
    if fault == "gather-sizes":
        accelerator.gather(torch.ones(3 + (rank == 2)))
    if fault == "waits-alone" and rank != 3:
        accelerator.wait_for_everyone()
    if fault == "waits-alone" and rank == 3:
        time.sleep(3600)
    if fault == "killed" and rank == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "save-state-forbidden":
        accelerator.save_state("/proc/checkpoint")
    if fault == "exits" and rank == 3:
        sys.exit(4)


main(sys.argv[1])

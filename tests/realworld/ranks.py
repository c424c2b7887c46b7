#!/usr/bin/env python3
"""Ranks of mpirun with one fault: ranks.py FAULT. What each fault is: mpi.tsv."""
import array
import os
import signal
import sys
import time

from mpi4py import MPI

AT = 12
WORLD = MPI.COMM_WORLD
RANK = WORLD.Get_rank()


def read_part(step):
    raise OSError("part {} of the mesh cannot be read".format(step))


def act(fault):
    if fault == "aborts" and RANK == 2:
        WORLD.Abort(3)
    if fault == "raises" and RANK == 1:
        read_part(AT)
    if fault == "killed" and RANK == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "exits" and RANK == 2:
        sys.stdout.flush()
        os._exit(4)
    if fault == "truncates" and RANK == 0:
        WORLD.Send(array.array("d", [1.0] * 8), 1)
    if fault == "truncates" and RANK == 1:
        WORLD.Recv(array.array("d", [0.0] * 2), 0)
    if fault == "receives-nothing" and RANK == 0:
        WORLD.recv(source=3, tag=77)


def main(fault):
    for step in range(60):
        if step == AT:
            act(fault)
        total = WORLD.allreduce(step)
        print("step {}/60 loss {:.4f}".format(step, 1 / (1 + total)), flush=True)
        time.sleep(0.1)


main(sys.argv[1])

#!/usr/bin/env python3
"""Mounts a file system at the directory given, by which every name is a file and no read is ever answered: who
reads is in uninterruptible sleep once it has been killed, until this program ends. Speaks the FUSE protocol itself
(linux/fuse.h). Prints "mounted", then "hangs" for each read, or why it cannot mount."""

import ctypes
import os
import signal
import struct
import sys

LOOKUP, FORGET, GETATTR, OPEN, READ, INIT, INTERRUPT = 1, 2, 3, 14, 15, 26, 36
ROOT = 1


def attributes(node):
    mode = 0o40755 if node == ROOT else 0o100644
    return struct.pack("<6Q10I", node, 4096, 8, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer_to(operation, node):
    """The body of an answer; None: the kernel expects none, or shall wait for ever."""
    if operation == INIT:
        return struct.pack("<4I2H2I2H8I", 7, 31, 65536, 0, 12, 9, 65536, 1, 0, 0, *[0] * 8)
    if operation == LOOKUP:
        return struct.pack("<4Q2I", 2, 0, 1, 1, 0, 0) + attributes(2)
    if operation == GETATTR:
        return struct.pack("<QII", 1, 0, 0) + attributes(node)
    if operation == OPEN:
        return struct.pack("<QII", 0, 0, 0)
    return None


def main():
    signal.alarm(300)  # Whatever becomes of the test, nothing hangs for ever.
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        sys.exit("/dev/fuse: " + error.strerror)
    options = "fd={},rootmode=40000,user_id=0,group_id=0".format(device)
    if libc.mount(b"hangingfiles", sys.argv[1].encode(), b"fuse", 0, options.encode()) != 0:
        sys.exit("mount: " + os.strerror(ctypes.get_errno()))
    print("mounted", flush=True)
    while True:
        request = os.read(device, 1 << 17)
        _, operation, unique, node = struct.unpack("<IIQQ", request[:24])
        answer = answer_to(operation, node)
        if operation == READ:
            print("hangs", flush=True)
        elif answer is not None:
            os.write(device, struct.pack("<IiQ", 16 + len(answer), 0, unique) + answer)
        elif operation not in (FORGET, INTERRUPT):
            os.write(device, struct.pack("<IiQ", 16, -38, unique))  # ENOSYS


main()

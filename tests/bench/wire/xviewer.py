"""A client of an X server that looks at its screen and presses keys."""

import socket
import struct


class Viewer:
    """Of display `number` of this machine, over TCP, without a cookie."""

    def __init__(self, number):
        self.socket = socket.create_connection(("127.0.0.1", 6000 + number))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        status, words = struct.unpack("<BxxxxxH", self.read(8))
        setup = self.read(words * 4)
        if status != 1:
            raise OSError("the X server refuses")
        vendor, formats = struct.unpack_from("<H", setup, 16)[0], setup[21]
        self.root = struct.unpack_from("<I", setup, 32 + (vendor + 3) // 4 * 4 + 8 * formats)[0]
        self.test = self.ask(struct.pack("<BxHHxx", 98, 4, 5) + b"XTEST\0\0\0")[9]

    def read(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise OSError("the X server has gone")
            data += more
        return data

    def ask(self, request):
        self.socket.sendall(request)
        while True:
            answer = self.read(32)
            if answer[0] == 1:
                return answer + self.read(4 * struct.unpack_from("<I", answer, 4)[0])
            if answer[0] == 0:
                raise OSError(f"X error {answer[1]}")

    def has_manager(self):
        """A window manager is there, and has said so."""
        return self.root_property(b"_NET_SUPPORTING_WM_CHECK")[1] == 32

    def has_windows(self):
        """The window manager manages windows of somebody's."""
        return struct.unpack_from("<I", self.root_property(b"_NET_CLIENT_LIST"), 16)[0] > 0

    def root_property(self, name):
        """The answer to GetProperty, with one item at most."""
        padded = name.ljust((len(name) + 3) // 4 * 4, b"\0")
        atom = struct.unpack_from(
            "<I", self.ask(struct.pack("<BBHHxx", 16, 0, 2 + len(padded) // 4, len(name)) + padded), 8)[0]
        return self.ask(struct.pack("<BxHIIIII", 20, 6, self.root, atom, 0, 0, 1))

    def pixels(self, x, y, width, height):
        return self.ask(struct.pack("<BBHIhhHHI", 73, 2, 5, self.root, x, y, width, height, 0xFFFFFFFF))[32:]

    def press(self, key):
        """Press and release the key with this code."""
        for what in (2, 3):
            self.socket.sendall(struct.pack("<BBHBBxxII8xhh8x", self.test, 2, 9, what, key, 0, 0, 0, 0))

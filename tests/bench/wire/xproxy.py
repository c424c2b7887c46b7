"""A proxy between X clients and their server that counts bytes, and requests by name."""

import collections
import queue
import socket
import threading
import time

CORE_NAMES = {1: "CreateWindow", 2: "ChangeWindowAttributes", 8: "MapWindow", 12: "ConfigureWindow", 18: "ChangeProperty",
              43: "GetInputFocus", 53: "CreatePixmap", 54: "FreePixmap", 55: "CreateGC", 56: "ChangeGC",
              59: "SetClipRectangles", 62: "CopyArea", 70: "PolyFillRectangle", 72: "PutImage", 98: "QueryExtension"}


class Requests:
    """Cuts what a client sends into requests (little endian; after the connection setup)."""

    def __init__(self, count):
        self.count, self.rest, self.skip, self.is_set_up = count, b"", 0, False

    def feed(self, data):
        while data:
            if self.skip:
                skipped = min(self.skip, len(data))
                self.skip -= skipped
                data = data[skipped:]
                continue
            self.rest += data[:64]
            data = data[64:]
            self.cut()

    def cut(self):
        while not self.skip:
            if not self.is_set_up:
                if len(self.rest) < 12:
                    return
                padded = [(int.from_bytes(self.rest[at:at + 2], "little") + 3) // 4 * 4 for at in (6, 8)]
                size, name = 12 + sum(padded), "setup"
                self.is_set_up = True
            else:
                if len(self.rest) < 8 and (len(self.rest) < 4 or self.rest[2:4] == b"\0\0"):
                    return
                words = int.from_bytes(self.rest[2:4], "little") or int.from_bytes(self.rest[4:8], "little")
                opcode = self.rest[0]
                name = CORE_NAMES.get(opcode, str(opcode)) if opcode < 128 else f"extension {opcode}.{self.rest[1]}"
                size = words * 4
            self.count(name, size)
            self.skip = max(0, size - len(self.rest))
            self.rest = self.rest[size:]


class Proxy:
    """Listens on a port of its own and passes connections on to `server` (host, port). `sent` and `received` are in
    bytes as seen by the clients. `delay` is in seconds, for each direction."""

    def __init__(self, server):
        self.server = server
        self.delay = 0.0
        self.lock = threading.Lock()
        self.reset()
        # X clients reach display N at port 6000 + N.
        for self.display in range(40, 400):
            self.listener = socket.socket()
            try:
                self.listener.bind(("127.0.0.1", 6000 + self.display))
                break
            except OSError:
                self.listener.close()
        else:
            raise OSError("no port of an X display is free")
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def reset(self):
        with self.lock:
            self.sent = self.received = 0
            self.requests = collections.Counter()
            self.request_bytes = collections.Counter()

    def count(self, name, size):
        self.requests[name] += 1
        self.request_bytes[name] += size

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(self.server)
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.carry, args=(client, server, Requests(self.count)), daemon=True).start()
            threading.Thread(target=self.carry, args=(server, client, None), daemon=True).start()

    def deliver(self, target, waiting):
        while True:
            due, data = waiting.get()
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                if not data:
                    target.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(data)
            except OSError:
                return

    def carry(self, source, target, requests):
        waiting = queue.Queue()
        threading.Thread(target=self.deliver, args=(target, waiting), daemon=True).start()
        while True:
            try:
                data = source.recv(1 << 18)
            except OSError:
                data = b""
            waiting.put((time.monotonic() + self.delay, data))
            if not data:
                return
            with self.lock:
                if requests:
                    self.sent += len(data)
                    requests.feed(data)
                else:
                    self.received += len(data)

"""A proxy between X clients and their server that counts bytes, requests by name, and round trips."""

import collections
import queue
import socket
import threading
import time

CORE_NAMES = {1: "CreateWindow", 2: "ChangeWindowAttributes", 3: "GetWindowAttributes", 8: "MapWindow",
              12: "ConfigureWindow", 14: "GetGeometry", 15: "QueryTree", 16: "InternAtom", 18: "ChangeProperty",
              20: "GetProperty", 23: "GetSelectionOwner", 38: "QueryPointer", 40: "TranslateCoordinates",
              43: "GetInputFocus", 53: "CreatePixmap", 54: "FreePixmap", 55: "CreateGC", 56: "ChangeGC",
              59: "SetClipRectangles", 62: "CopyArea", 70: "PolyFillRectangle", 72: "PutImage", 98: "QueryExtension"}

# What Qt asks when a window manager has changed something, as often as that does so.
MANAGER_QUESTIONS = {"GetProperty", "TranslateCoordinates"}


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


class Answers:
    """Cuts what a server sends, and finds the replies in it: `count` gets the number of the request that each is for,
    0 being the connection setup."""

    def __init__(self, count):
        self.count, self.rest, self.is_set_up = count, b"", False

    def feed(self, data):
        self.rest += data
        while len(self.rest) >= 32:
            words = int.from_bytes(self.rest[6:8] if not self.is_set_up else self.rest[4:8], "little")
            kind = self.rest[0]
            size = 8 + 4 * words if not self.is_set_up else 32 + (4 * words if kind in (1, 35) else 0)
            if len(self.rest) < size:
                return
            if not self.is_set_up or kind == 1:
                self.count(int.from_bytes(self.rest[2:4], "little") if self.is_set_up else 0)
            self.is_set_up = True
            self.rest = self.rest[size:]


class Connection:
    """What one client asks. `replies`: how many it got, by what it asked; `round_trips`: how many of them were to a
    request that it made when it had the one before, so that it may have waited for as many, one after another. Those to
    MANAGER_QUESTIONS are counted apart."""

    def __init__(self):
        self.number = -1
        self.had_reply = 0.0  # When the client had the last one that counts as a round trip.
        self.asked = collections.deque(maxlen=1 << 16)  # Number, name and time of requests, oldest first.
        self.reset()

    def reset(self):
        self.replies = collections.Counter()
        self.round_trips = self.manager_questions = 0

    def request(self, name, now):
        self.number += 1
        self.asked.append((self.number & 0xFFFF, name, now))

    def reply(self, number, due):
        while self.asked:
            asked, name, when = self.asked.popleft()
            if asked == number:
                self.replies[name] += 1
                if name in MANAGER_QUESTIONS:
                    self.manager_questions += 1
                elif when >= self.had_reply:
                    self.round_trips += 1
                    self.had_reply = due
                return


class Proxy:
    """Listens on a port of its own and passes connections on to `server` (host, port). `sent` and `received` are in
    bytes as seen by the clients. `delay` is in seconds, for each direction. `connections`: in the order they came."""

    def __init__(self, server):
        self.server = server
        self.delay = 0.0
        self.lock = threading.Lock()
        self.connections = []
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
            for connection in self.connections:
                connection.reset()

    @property
    def round_trips(self):
        return sum(connection.round_trips for connection in self.connections)

    @property
    def manager_questions(self):
        return sum(connection.manager_questions for connection in self.connections)

    @property
    def replies(self):
        return sum((connection.replies for connection in self.connections), collections.Counter())

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(self.server)
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection()
            self.connections.append(connection)
            threading.Thread(target=self.carry, args=(client, server, self.count_sent(connection)), daemon=True).start()
            threading.Thread(target=self.carry, args=(server, client, self.count_received(connection)), daemon=True).start()

    def count_sent(self, connection):
        def count(name, size):
            self.requests[name] += 1
            self.request_bytes[name] += size
            connection.request(name, time.monotonic())

        requests = Requests(count)

        def take(data):
            self.sent += len(data)
            requests.feed(data)
        return take

    def count_received(self, connection):
        answers = Answers(lambda number: connection.reply(number, time.monotonic() + self.delay))

        def take(data):
            self.received += len(data)
            answers.feed(data)
        return take

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

    def carry(self, source, target, take):
        waiting = queue.Queue()
        threading.Thread(target=self.deliver, args=(target, waiting), daemon=True).start()
        while True:
            try:
                data = source.recv(1 << 18)
            except OSError:
                data = b""
            # Counted first: whoever has it may answer before we are done.
            with self.lock:
                take(data)
            waiting.put((time.monotonic() + self.delay, data))
            if not data:
                return

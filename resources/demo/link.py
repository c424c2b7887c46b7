#!/usr/bin/env python3
"""Stands in for the network of Rankdeck's demo of two nodes, as ssh does for real ones: starts the words behind
its own on "a node", which is this machine, and passes their streams on.

With --cut, the link to that node is cut once: nothing passes any more, the link ends, and new ones are refused
until it is mended. What was started on the node goes on meanwhile. Nothing but Rankdeck's demos may call it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time

BLOCK = 65536
# An end of the stream right after a word is news of a death; after so much silence it is that of a link.
SILENCE = 9.0
# A cut before it was that of another run.
OLD = 3600.0


class Cut:
    """The one cut of a run's link, known to all links of the run: a file beside no other program's files."""

    def __init__(self, node, seconds):
        self.seconds = seconds
        self.path = os.path.join(tempfile.gettempdir(), "rankdeck-demo-{}-{}-{}".format(
            os.getuid(), os.getppid(), node))

    def make(self):
        os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))

    def began(self):
        try:
            began = os.stat(self.path).st_mtime
        except OSError:
            return None
        if time.time() < began + OLD:
            return began
        self.forget()
        return None

    def forget(self):
        try:
            os.unlink(self.path)
        except OSError:
            pass


def pump(source, to, has_begun):
    """Passes bytes on until one of the ends is closed. Sets `has_begun` at the first ones, or at the end."""
    try:
        while True:
            block = os.read(source, BLOCK)
            has_begun.set()
            if not block:
                break
            while block:
                block = block[os.write(to, block):]
    except OSError:
        has_begun.set()  # The other stream will end too.


def pass_on(child, seconds):
    """Returns whether the child has closed its end; else the seconds since its first word are over."""
    def feed():
        pump(0, child.stdin.fileno(), threading.Event())
        child.stdin.close()

    has_answered = threading.Event()
    output = threading.Thread(target=pump, args=(child.stdout.fileno(), 1, has_answered), daemon=True)
    output.start()
    threading.Thread(target=feed, daemon=True).start()
    has_answered.wait()
    output.join(seconds)
    return not output.is_alive()


def hold(child):
    """In a process of its own: the node's side of a cut cable, on which nothing comes and nothing ends."""
    if os.fork() != 0:
        return
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    time.sleep(SILENCE)
    os._exit(0)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cut", metavar="NODE", help="cut the link to this node")
    parser.add_argument("--after", type=float, default=20.0, metavar="S",
                        help="S seconds after its first word (default: %(default)s)")
    parser.add_argument("--for", type=float, default=15.0, dest="seconds", metavar="S",
                        help="for S seconds (default: %(default)s)")
    parser.add_argument("node")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    cut = Cut(options.node, options.seconds)
    began = cut.began() if options.cut == options.node else None
    if began is not None and time.time() < began + options.seconds:
        print("{}: the link is cut".format(options.node), file=sys.stderr)
        return 255
    child = subprocess.Popen(options.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    is_first = options.cut == options.node and began is None
    if pass_on(child, options.after if is_first else None):
        if began is not None:
            cut.forget()
        return child.wait()
    cut.make()
    hold(child)
    print("{}: the link was cut".format(options.node), file=sys.stderr)
    sys.stderr.flush()
    os._exit(255)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

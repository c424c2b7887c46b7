#!/usr/bin/env python3
"""Stand-in for docker, podman, kubectl and enroot, by the name that it is started by.

Takes the words that these take, and starts the rest in "../containers/NAME": with a clean environment and a file system
where runs are somewhere else. As with a real one, what it starts is in a session of its own, and when this program is
killed it learns so by the end of its input alone. After SIGUSR1 it carries nothing any more.
"""
import argparse
import os
import signal
import subprocess
import sys
import threading


def container_and_command(program, words):
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("verb", choices=["exec"])
    if program != "enroot":
        parser.add_argument("-i", action="store_true", required=True)
    if program == "kubectl":
        parser.add_argument("-n", default="default")
        parser.add_argument("-c")
        end = words.index("--")
        words, command = words[:end], words[end + 1:]
        parser.add_argument("name")
        return parser.parse_args(words).name, command
    parser.add_argument("name")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(words)
    return options.name, options.command


silent = threading.Event()


def carry(source, sink):
    while piece := os.read(source, 65536):
        if silent.is_set():
            threading.Event().wait()  # For good.
        while piece:
            piece = piece[os.write(sink, piece):]
    os.close(sink)


def main():
    program = os.path.basename(sys.argv[0])
    home = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0])))
    name, command = container_and_command(program, sys.argv[1:])
    own = os.path.join(home, "containers", name)
    with open(os.path.join(home, "calls"), "a", encoding="utf-8") as calls:
        print(program, *sys.argv[1:len(sys.argv) - len(command)], file=calls)
    if not os.path.isdir(own):
        sys.exit(f"Error response from daemon: No such container: {name}")
    state = os.path.join(home, "state")
    enter = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "sh", own + "/state", state]
    container = subprocess.Popen(
        enter + command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        env={"HOME": own, "PATH": own + "/bin:/usr/bin:/bin", "XDG_STATE_HOME": state, "CONTAINER": name})
    signal.signal(signal.SIGUSR1, lambda *_: silent.set())
    inward = threading.Thread(target=carry, args=(0, container.stdin.fileno()), daemon=True)
    inward.start()
    carry(container.stdout.fileno(), 1)
    code = container.wait()
    os._exit(128 - code if code < 0 else code)


if __name__ == "__main__":
    main()

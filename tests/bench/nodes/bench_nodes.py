#!/usr/bin/env python3
"""How long a launch over ssh takes: from the command to the first instruction of the last node's rank.

Against a shell loop of ssh and, where it is installed, pdsh, which do nothing but run the same command everywhere. All
in one run and in turn, over an sshd of our own on loopback; medians, and their ratios to the shell loop. All nodes are
this machine, so its cpus do the work of both sides of every connection."""

import argparse
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT = 60


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Sshd:
    """An sshd that lets this user in with a key made for it, and the ssh configuration that leads there."""

    def __init__(self, folder, nodes):
        self.port = free_port()
        self.configuration = folder / "ssh_config"
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
        host_key = " ".join((folder / "host.pub").read_text().split()[:2])
        (folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {host_key}\n")
        self.configuration.write_text(
            f"Host {' '.join(nodes)}\n  HostName 127.0.0.1\n  Port {self.port}\n  IdentityFile {folder}/user\n"
            f"  IdentitiesOnly yes\n  UserKnownHostsFile {folder}/known_hosts\n  BatchMode yes\n")
        server = folder / "sshd_config"
        server.write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\nMaxStartups 200\nPidFile none\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.process = subprocess.Popen([shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-f", server],
                                        stderr=subprocess.DEVNULL)

    def wait_until_up(self):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("sshd does not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def commands(rankdeckctl, sshd, nodes, script):
    loop = f'for node in {" ".join(nodes)}; do ssh -F {sshd.configuration} "$node" {script} & done; wait'
    yield "shell loop of ssh", ["sh", "-c", loop]
    if shutil.which("pdsh"):
        os.environ["PDSH_SSH_ARGS_APPEND"] = f"-F {sshd.configuration}"
        yield "pdsh", ["pdsh", "-R", "ssh", "-w", ",".join(nodes), str(script)]
    yield "rankdeckctl", [str(rankdeckctl), "processes", "--nodes", ",".join(nodes), "--ssh-config",
                          str(sshd.configuration), "--node-program", str(rankdeckctl), "--quiet", "--nproc", "1",
                          "--master-port", str(free_port()), "--", str(script)]


def last_instruction(command, arrivals, count):
    """Milliseconds from the command to the first instruction of the last rank."""
    for old in arrivals.iterdir():
        old.unlink()
    begin = time.time_ns()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          timeout=LIMIT, check=False)
    times = [int(file.read_text()) for file in arrivals.iterdir()]
    if done.returncode != 0 or len(times) != count:
        sys.exit(f"{command[0]}: exit code {done.returncode}, {len(times)} of {count} ranks started\n"
                 + done.stderr.decode(errors="replace"))
    return (max(times) - begin) / 1e6


def main():
    build = HERE.parents[2] / "build" / "dev"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankdeckctl", type=Path, default=build / "bin" / "rankdeckctl")
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()

    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{os.cpu_count()} cpus, {platform.machine()}, Linux {platform.release()}, load {load}")
    nodes = [f"node{number}" for number in range(options.nodes)]
    with tempfile.TemporaryDirectory(prefix="bench-nodes-") as folder:
        scratch = Path(folder)
        os.environ["XDG_STATE_HOME"] = str(scratch)
        os.environ["XDG_RUNTIME_DIR"] = str(scratch)
        arrivals = scratch / "arrivals"
        arrivals.mkdir()
        script = scratch / "rank.sh"
        script.write_text(f"#!/bin/sh\ndate +%s%N >{arrivals}/$$\n")
        script.chmod(0o755)
        sshd = Sshd(scratch, nodes)
        try:
            sshd.wait_until_up()
            times = {}
            for _ in range(options.rounds):
                for name, command in commands(options.rankdeckctl.resolve(), sshd, nodes, script):
                    times.setdefault(name, []).append(last_instruction(command, arrivals, options.nodes))
        finally:
            sshd.stop()
    floor = statistics.median(times["shell loop of ssh"])
    print(f"ms to the last of {options.nodes} nodes' first instruction; medians of {options.rounds}")
    for name, of in times.items():
        print(f"{name:20}{statistics.median(of):10.1f} ({statistics.median(of) / floor:4.2f})")


if __name__ == "__main__":
    main()

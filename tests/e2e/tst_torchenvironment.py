"""`rankdeckctl processes` gives each rank the environment that torchrun gives it, but for what is listed here."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RANKDECKCTL = os.environ.get("RANKDECKCTL", "rankdeckctl")
WRITE_ENVIRONMENT = """
import json, os, sys
with open(os.path.join(sys.argv[1], os.environ["RANK"]), "w") as file:
    json.dump(dict(os.environ), file)
"""

# What may differ, and why. A variable that only one of the two sets differs too.
ALLOWED = {
    "TORCHELASTIC_ERROR_FILE": "a path of each launch",
    "TORCHELASTIC_RUN_ID": "an id of each launch",
    "TORCHELASTIC_USE_AGENT_STORE": "no launcher holds a store here: rank 0 makes it itself",
    "NCCL_ASYNC_ERROR_HANDLING": "what older versions of torch call TORCH_NCCL_ASYNC_ERROR_HANDLING",
    "TORCH_NCCL_ASYNC_ERROR_HANDLING": "what newer versions of torch call NCCL_ASYNC_ERROR_HANDLING",
    "TORCHELASTIC_SIGNALS_TO_HANDLE": "newer versions of torch set it",
    "PYTHONUNBUFFERED": "torchrun starts python with -u instead",
}

# Not equal by both being absent.
PRESENT = {"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK", "GROUP_WORLD_SIZE", "ROLE_RANK",
           "ROLE_NAME", "ROLE_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RESTART_COUNT",
           "TORCHELASTIC_MAX_RESTARTS"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@unittest.skipUnless(shutil.which("torchrun"), "torchrun (Debian's python3-torch) is not installed")
class TorchEnvironmentTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.port = free_port()

    def environments(self, who, commands, variables):
        """What each rank of a launch, one command a node, found in its environment."""
        found = self.folder / who
        found.mkdir()
        own = {"LC_ALL": "C.UTF-8", "XDG_STATE_HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder)}
        inherited = {name: value for name, value in os.environ.items() if name not in PRESENT | {"OMP_NUM_THREADS"}}
        environment = inherited | own | variables
        rank = [sys.executable, "-c", WRITE_ENVIRONMENT, str(found)]
        nodes = [subprocess.Popen(command + rank, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for command in commands]
        for node in nodes:
            try:
                words = node.communicate()[0]
            finally:
                node.kill()
            self.assertEqual(node.returncode, 0, words.decode(errors="replace"))
        return {int(file.name): json.loads(file.read_text()) for file in found.iterdir()}

    def compare(self, nproc, nnodes=1, role="default", **variables):
        # torch 1.13 on Python 3.11 knows no other numbers than 1 and 2 for redirects and tee.
        torchrun = [["torchrun", "--nproc_per_node", str(nproc), "--nnodes", str(nnodes), "--node_rank", str(node),
                     "--master_addr", "127.0.0.1", "--master_port", self.port, "--role", role,
                     "--monitor_interval", "0.1",
                     "--log_dir", str(self.folder / f"torchrun-{node}"), "--redirects", "1", "--tee", "1",
                     "--no_python"] for node in range(nnodes)]
        rankdeck = [[RANKDECKCTL, "processes", "--nproc", str(nproc), "--nnodes", str(nnodes),
                     "--node-rank", str(node), "--master-port", self.port, "--role", role, "--"]
                    for node in range(nnodes)]
        theirs = self.environments("theirs", torchrun, variables)
        ours = self.environments("ours", rankdeck, variables)
        self.assertEqual(sorted(theirs), list(range(nproc * nnodes)))
        self.assertEqual(sorted(ours), sorted(theirs))
        for rank, their in theirs.items():
            self.assertLessEqual(PRESENT, set(their))
            our = ours[rank]
            differing = {name: (their.get(name), our.get(name)) for name in their | our
                         if their.get(name) != our.get(name) and name not in ALLOWED}
            self.assertEqual(differing, {}, f"rank {rank}: torchrun's value, ours")
            for name in ALLOWED:
                self.assertIn(name, our | their)

    def test_oneRank(self):
        self.compare(1)

    def test_severalRanks(self):
        self.compare(3)

    def test_twoNodes(self):
        self.compare(2, nnodes=2, role="trainer")

    def test_threadsThatTheUserChose(self):
        self.compare(2, OMP_NUM_THREADS="4")


if __name__ == "__main__":
    unittest.main()

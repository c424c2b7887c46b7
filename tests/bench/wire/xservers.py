"""X servers of a benchmark's own."""

import os
import secrets
import subprocess


def run_xauth(file, *arguments, display=None):
    environment = dict(os.environ, XAUTHORITY=str(file))
    if display is not None:
        environment["DISPLAY"] = f":{display}"
    return subprocess.run(["xauth", "-q", "-f", str(file), *arguments], env=environment, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


class Server:
    """Xvfb with a window manager. One that does not `trust` its clients has no extensions but BIG-REQUESTS and XC-MISC
    for them, as a display that is reached through `ssh -X` without trust."""

    def __init__(self, folder, trusts=True):
        self.folder, self.trusts = folder, trusts
        self.cookies = folder / "cookies"
        folder.mkdir()

    def __enter__(self):
        extra, cookie = [], secrets.token_hex(16)
        if not self.trusts:
            (self.folder / "server").touch()
            run_xauth(self.folder / "server", "add", ":0", ".", cookie)
            # Not reset when its last client leaves: that would forget whom it does not trust.
            extra = ["-auth", str(self.folder / "server"), "-noreset"]
        read_end, write_end = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-listen", "tcp", "-screen", "0",
                                        "1600x1000x24", *extra], pass_fds=[write_end], stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            self.display = int(ready.readline())
        self.cookies.touch()
        if not self.trusts:
            run_xauth(self.folder / "server", "add", f":{self.display}", ".", cookie)
            run_xauth(self.cookies, "add", f":{self.display}", ".", cookie)
        environment = dict(os.environ, DISPLAY=f":{self.display}", XDG_CONFIG_HOME=str(self.folder))
        if not self.trusts:
            environment["XAUTHORITY"] = str(self.folder / "server")
        self.manager = subprocess.Popen(["openbox", "--sm-disable"], env=environment, stderr=subprocess.DEVNULL)
        if not self.trusts:
            run_xauth(self.cookies, "generate", f":{self.display}", ".", "untrusted", "timeout", "0")
        return self

    def admit(self, display):
        """Clients may come through a proxy that listens as this display."""
        cookie = run_xauth(self.cookies, "list", f":{self.display}").split()[-1]
        run_xauth(self.cookies, "add", f":{display}", ".", cookie)

    def environment(self, display):
        """For clients that reach it as this display of this machine, over TCP."""
        environment = dict(os.environ, DISPLAY=f"127.0.0.1:{display}", QT_QPA_PLATFORM="xcb")
        if not self.trusts:
            environment["XAUTHORITY"] = str(self.cookies)
        return environment

    def __exit__(self, *_):
        for process in (self.manager, self.server):
            process.terminate()
            process.wait()

#!/usr/bin/env python3
"""What `progress` and `report --bundle` cost on a run with gigabytes of step lines, beside wc -l and gzip -1.

8 ranks print step lines with stamps, as fast as --rate says. Then, in one series, cpu and wall seconds of wc -l and
gzip -1 on their logs; of `progress` and `report --bundle` with what the supervisor kept while the run was live; and of
both when nothing is kept and all is read. Figures with and without what was kept are compared."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RANKS = 8

# A rank: so many lines, evenly over so many seconds.
RANK = r"""
import os, sys, time
rank, lines, seconds = int(os.environ["RANK"]), int(sys.argv[1]), float(sys.argv[2])
out, begin, done = sys.stdout.buffer, time.monotonic(), 0
while done < lines:
    passed = time.monotonic() - begin
    due = lines if passed >= seconds else int(lines * passed / seconds)
    block = []
    for step in range(done + 1, min(due, done + 20000) + 1):
        block.append(b"2025-04-07 %02d:%02d:%02d,%03d - INFO - step: %d/%d, loss: %.4f, lr: 1.5e-04, 1234.5 tokens/s, rank %d ok\n"
                     % (step // 3600000 % 24, step // 60000 % 60, step // 1000 % 60, step % 1000, step, lines,
                        2 + 1 / step, rank))
    out.write(b"".join(block))
    out.flush()
    done += len(block)
    if done >= due:
        time.sleep(0.05)
"""
LINE_BYTES = 102


def measured(command, environment=None):
    """Cpu and wall seconds, MB resident, and what it printed."""
    begin = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    out = process.stdout.read()
    err = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command[:3])}: exit code {process.returncode}\n{err}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024, out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankdeckctl", default="build/release/bin/rankdeckctl")
    parser.add_argument("--bytes", type=float, default=1.8e9, help="of all logs together")
    parser.add_argument("--rate", type=int, default=10000, help="lines a second of all ranks together; 0: all at once")
    parser.add_argument("--folder", help="where the logs go; the default is the temporary directory")
    options = parser.parse_args()
    rankdeckctl = str(Path(options.rankdeckctl).resolve())
    lines = max(1, int(options.bytes / LINE_BYTES / RANKS))
    seconds = lines * RANKS / options.rate if options.rate else 0
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        if shutil.disk_usage(folder).free < 1.2 * options.bytes:
            sys.exit(f"{folder}: not enough room; use --folder")
        environment = dict(os.environ, XDG_STATE_HOME=folder + "/state", XDG_RUNTIME_DIR=folder, LC_ALL="C.UTF-8")
        environment.pop("XDG_CONFIG_HOME", None)
        script = Path(folder) / "rank.py"
        script.write_text(RANK)
        print(f"{RANKS} ranks x {lines} lines, {seconds:.0f} s", flush=True)
        launch = measured([rankdeckctl, "processes", "--quiet", "--detach", "--nproc", str(RANKS), "--", sys.executable,
                           str(script), str(lines), str(seconds)], environment)
        run = Path(folder) / "state/rankdeck/runs" / launch[3].decode().strip()
        ticks = 0
        while subprocess.run([rankdeckctl, "wait", run.name, "--timeout", "1"], env=environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            try:
                supervisor = json.loads((run / "run.json").read_text())["supervisor"]["pid"]
                fields = Path(f"/proc/{supervisor}/stat").read_text().rsplit(") ", 1)[1].split()
                ticks = max(ticks, int(fields[11]) + int(fields[12]))
            except (OSError, KeyError):
                pass
        plan = json.loads((run / "run.json").read_text())
        logs = sorted(str(path) for path in (run / "logs").rglob("*") if path.is_file() and path.stat().st_size > 1e5)
        total = sum(os.path.getsize(log) for log in logs)
        print(f"{total / 1e9:.2f} GB in {len(logs)} logs; {plan['phase']}; the supervisor used "
              f"{ticks / os.sysconf('SC_CLK_TCK'):.1f} s of cpu\n", flush=True)

        print(f"{'':44}{'cpu s':>8}{'wall s':>8}{'MB':>6}{'of its peer':>13}", flush=True)

        def show(name, result, peer=None):
            ratio = f"{result[0] / peer[0]:13.2f}" if peer else ""
            print(f"{name:44}{result[0]:8.2f}{result[1]:8.2f}{result[2]:6.0f}{ratio}", flush=True)
            return result

        bundle = str(Path(folder) / "b.tar.gz")
        progress = [rankdeckctl, "progress", run.name, "--json"]
        report = [rankdeckctl, "report", run.name, "--bundle", bundle]
        wc = show("wc -l", measured(["wc", "-l", *logs]))
        gzip = show("gzip -1", measured(["sh", "-c", 'gzip -1 -c "$@" >/dev/null', "sh", *logs]))
        kept = show("progress", measured(progress, environment), wc)
        show("report --bundle", measured(report, environment), gzip)
        shutil.rmtree(run / "progress", ignore_errors=True)
        read = show("progress, nothing kept", measured(progress, environment), wc)
        shutil.rmtree(run / "progress", ignore_errors=True)
        show("report --bundle, nothing kept", measured(report, environment), gzip)
        show("progress, as that kept it", measured(progress, environment), wc)
        if kept[3] != read[3]:
            sys.exit("The figures differ:\n" + kept[3].decode() + read[3].decode())
        print("The figures with and without what was kept are the same.")


if __name__ == "__main__":
    main()

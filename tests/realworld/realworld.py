"""Runs faults and judges the verdicts: see tests/realworld.sh, which calls it in a root that is ready."""
import argparse
import calendar
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FORMS = ["live", "wrap", "dir", "console", "adopt"]
RANKS = 4
STALL = 6           # --stall-after, seconds.
SILENT = 12         # A torchrun without Rankdeck whose logs are silent for so long stands still.
LONGEST = 150       # Nothing takes longer.
PARTS = ["rank", "cause", "line", "advice"]


class Fault:
    def __init__(self, row):
        fields = row + [""] * (7 - len(row))
        self.name, ends, ranks, self.cause, self.line, self.advice, unseen = fields[:7]
        self.ends, self.ranks, self.unseen = ends.split("|"), ranks, unseen.split(",")

    def may_be(self, rank):
        return self.ranks == "all" or str(rank) in self.ranks.split(",")


def torchrun(fault, program, logs):
    return ["torchrun", "--nproc-per-node", str(RANKS), "--max-restarts", str(restarts(fault)), "--monitor-interval",
            "0.5", "--master-port", "0", "--rdzv-backend", "c10d", "--rdzv-endpoint", "localhost:0", *logs, program,
            fault.name]


def accelerate(fault, program, logs):
    precision = "fp7" if fault.name == "wrong-precision" else "no"
    config = {"config-missing": ["--config_file", "/mnt/job/nothing.yaml"],
              "config-unknown-key": ["--config_file", "/mnt/job/unknown-key.yaml"]}.get(fault.name, [])
    # --multi_gpu: one process for each device, whatever the device is.
    return ["accelerate", "launch", *config, "--multi_gpu", "--num_processes", str(RANKS), "--num_machines", "1",
            "--mixed_precision", precision, "--dynamo_backend", "no", "--main_process_port", "0", program, fault.name]


def mpirun(fault, program, logs):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--output", "tag", "-n", str(RANKS), "python3", program, fault.name]


class Programs:
    """A table of faults, the program that has them, and who starts its ranks."""
    def __init__(self, table, program, launcher, forms):
        self.table, self.program, self.launcher, self.forms = table, program, launcher, forms

    def faults(self):
        with open(HERE / self.table, encoding="utf-8") as file:
            rows = csv.reader((line for line in file if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
            return [Fault(row) for row in rows]


SETS = {
    "torch": Programs("faults.tsv", "train.py", torchrun, FORMS),
    "transformers": Programs("transformers.tsv", "trainer.py", torchrun, FORMS),
    "accelerate": Programs("accelerate.tsv", "accelerated.py", accelerate, ["live", "wrap", "console", "adopt"]),
    "mpi": Programs("mpi.tsv", "ranks.py", mpirun, ["wrap", "console", "adopt"]),
}


class Bench:
    def __init__(self, options):
        self.options = options
        self.programs = SETS[options.set]
        self.shared = options.work / "shared"
        self.done = set()  # Faults whose torchrun has been run alone in this call.
        self.environment = dict(os.environ, REALWORLD_SHARED="/mnt/job/shared", LC_ALL="C.UTF-8",
                                XDG_STATE_HOME=str(options.work / "state"), XDG_RUNTIME_DIR=str(options.work / "runtime"))
        self.environment.pop("USE_LIBUV", None)
        for folder in ("state", "runtime"):
            (options.work / folder).mkdir(mode=0o700, exist_ok=True)

    def ctl(self, *arguments, limit=60):
        try:
            return subprocess.run([self.options.program, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit, text=True,
                                  errors="replace").stdout
        except subprocess.TimeoutExpired:
            return ""

    def prepare(self):
        shutil.rmtree(self.shared, ignore_errors=True)
        self.shared.mkdir()
        (self.options.work / "unknown-key.yaml").write_text("compute_environment: LOCAL_MACHINE\nnum_procs: 4\n")

    def launch_line(self, fault, logs):
        program = "/mnt/job/" + self.programs.program
        return ["chroot", str(self.options.root), *self.programs.launcher(fault, program, logs)]

    def state(self):
        runs = json.loads(self.ctl("list", "--json", "--limit", "1") or "{}").get("runs", [])
        return runs[0] if runs else {}

    def watch(self):
        """Until the last run has ended; one that stands still is stopped once that was told, as its user would."""
        begin = time.monotonic()
        directory = None
        while time.monotonic() - begin < LONGEST:
            run = self.state()
            directory = directory or run.get("directory")
            if run and run.get("state") not in ("starting", "running", "stopping"):
                return
            if directory and self.told_stall(Path(directory)):
                self.ctl("stop", "last")
                return
            time.sleep(1)
        self.ctl("stop", "last", "--kill", "--yes")

    @staticmethod
    def told_stall(directory):
        """A stall was told some seconds ago, in which evidence is taken."""
        told = [line for line in (directory / "journal.jsonl").read_text(errors="replace").splitlines()
                if '"event":"stalled"' in line] if (directory / "journal.jsonl").exists() else []
        if not told:
            return False
        when = json.loads(told[0])["time"]
        return time.time() - calendar.timegm(time.strptime(when[:19], "%Y-%m-%dT%H:%M:%S")) > 8

    def launched(self, arguments):
        """Launches, and says what the report of the run is."""
        self.prepare()
        before = self.state().get("directory")
        said = self.ctl(arguments[0], "--detach", *arguments[1:], limit=LONGEST)
        if self.state().get("directory") == before:
            return {"trouble": said}
        self.watch()
        return self.report("last")

    def report(self, what):
        text = self.ctl("report", what, "--json")
        try:
            return json.loads(text)
        except ValueError:
            return {"trouble": text}

    def live(self, fault):
        return self.launched(["torchrun", "--nproc-per-node", str(RANKS), "--max-restarts", str(restarts(fault)),
                              "--stall-after", str(STALL), "--name", fault.name, "--no-python", "chroot",
                              str(self.options.root), "python3", "/mnt/job/" + self.programs.program, fault.name])

    def wrap(self, fault):
        return self.launched(["wrap", "--stall-after", str(STALL), "--name", fault.name, "--", *self.launch_line(fault, [])])

    def started(self, fault, out):
        self.prepare()
        logs = self.options.work / "logs" / out / self.options.set / fault.name
        shutil.rmtree(logs, ignore_errors=True)
        logs.mkdir(parents=True)
        inside = "/mnt/job/logs/{}/{}/{}/torch".format(out, self.options.set, fault.name)
        with open(logs / "console.log", "wb") as console:
            process = subprocess.Popen(self.launch_line(fault, ["--log-dir", inside, "--tee", "3"]), env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT,
                                       start_new_session=True)
        return process, logs

    @staticmethod
    def finished(process, logs, when_silent=lambda: None):
        begin, changed, size = time.monotonic(), time.monotonic(), -1
        while process.poll() is None and time.monotonic() - begin < LONGEST:
            now = sum(file.stat().st_size for file in logs.rglob("*") if file.is_file())
            if now != size:
                size, changed = now, time.monotonic()
            if time.monotonic() - changed > SILENT and time.monotonic() - begin > 2 * SILENT:
                when_silent()
                break
            time.sleep(0.5)
        # Only what this script started is signalled. torchrun sends its ranks SIGTERM, and SIGKILL 30 s later; one that is stopped hears neither of our signals before.
        for number in (signal.SIGTERM, signal.SIGCONT, signal.SIGKILL):
            try:
                process.wait(0 if process.poll() is not None else 5)
                break
            except subprocess.TimeoutExpired:
                end_ranks(process.pid, number)
        process.wait()
        try:
            os.killpg(process.pid, signal.SIGKILL)  # Ranks that torchrun has left; they are in its session.
        except ProcessLookupError:
            pass

    def alone(self, fault):
        """torchrun without Rankdeck, once for the two forms that read what it left."""
        process, logs = self.started(fault, "alone")
        self.finished(process, logs)
        return logs

    def dir(self, fault):
        return self.report(str(self.kept(fault) / "torch"))

    def console(self, fault):
        return self.report(str(self.kept(fault) / "console.log"))

    def kept(self, fault):
        logs = self.options.work / "logs/alone" / self.options.set / fault.name
        if not (logs / "console.log").exists() or fault.name not in self.done:
            self.alone(fault)
        self.done.add(fault.name)
        return logs

    def adopt(self, fault):
        process, logs = self.started(fault, "adopt")
        time.sleep(3)
        before = self.state().get("directory")
        said = self.ctl("adopt", str(process.pid), "--stall-after", str(STALL), "--detach")
        # Its user asks a run that stands still, and ends it then.
        self.finished(process, logs, lambda: self.ctl("dump", "last"))
        if self.state().get("directory") == before:
            return {"trouble": said}
        for _ in range(60):
            if self.state().get("state") not in ("starting", "running", "stopping"):
                return self.report("last")
            time.sleep(0.5)
        self.ctl("stop", "last", "--kill", "--yes")
        return {"trouble": said}


def end_ranks(pid, number):
    """What a torchrun that this script started has started, and itself."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split()
    for child in found:
        end_ranks(int(child), number)
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def restarts(fault):
    return {"fails-twice": 3, "always-fails": 2}.get(fault.name, 0)


def judge(fault, form, report):
    """What is right of the verdict: rank, cause, line, advice; and whether it named another rank as certain."""
    if "trouble" in report:
        return {part: False for part in PARTS} | {"wrong": False, "said": report["trouble"][-300:]}
    known = report.get("known") or {}
    rank = report.get("root_rank")
    said = " ".join(str(report.get(key) or "") for key in ("cause", "reason", "ending")) + str(known.get("title", ""))
    if report.get("is_hang"):
        said += " hung"

    def told(*values):
        """What is there: a pattern that takes anything takes nothing less."""
        return "\n".join(json.dumps(value) for value in values if value)

    lines = told(*(report.get(key) for key in ("evidence", "frame", "stacks", "collectives", "last_lines", "step")))
    advice = told(report.get("advice"), known.get("mend"), known.get("commands"))
    # A stall whose user stopped it has to be told as a stall, and a failure as a failure.
    ends_right = ("fail" in fault.ends and bool(report.get("has_failure"))) or (
        "hang" in fault.ends and (bool(report.get("is_hang")) or report.get("rule") == "stalled"))
    if "well" in fault.ends and (fault.ends == ["well"] or not report.get("has_failure")):
        state = (report.get("results") or {}).get("state")
        is_well = not report.get("has_failure") and (form in ("dir", "console") or state in ("succeeded", "unknown"))
        return {part: is_well for part in PARTS} | {"wrong": not is_well, "said": said[:200]}
    is_alike = fault.ranks == "all" and report.get("rule") == "alike-error"  # "All ranks failed alike"
    rank_right = rank is None if fault.ranks == "-" else is_alike or (rank is not None and fault.may_be(rank))

    def has(pattern, text):
        return not pattern or re.search(pattern, text, re.IGNORECASE) is not None

    return {"rank": rank_right, "cause": ends_right and has(fault.cause, said), "line": has(fault.line, lines),
            "advice": has(fault.advice, advice),
            "wrong": rank is not None and not rank_right and report.get("confidence") == "certain",
            "named": rank, "confidence": report.get("confidence"), "id": known.get("id"),
            "said": (report.get("cause") or "")[:200]}


def show(results, faults, forms, commit):
    print("\n{:24}".format("fault") + "".join("{:>12}".format(form) for form in forms))
    for fault in faults:
        cells = []
        for form in forms:
            found = results.get((form, fault.name))
            if form in fault.unseen:
                cells.append("not seen")
            elif not found:
                cells.append("-")
            else:
                cells.append("".join(part[0].upper() if found[part] else "." for part in PARTS) + ("!" if found["wrong"] else ""))
        print("{:24}".format(fault.name) + "".join("{:>12}".format(cell) for cell in cells))
    print("(R rank, C cause, L line, A advice; ! certain of a wrong rank)")
    old = {found["commit"] for found in results.values()} - {commit}
    print("Commit {}{}\n".format(commit, "; some results are of " + ", ".join(sorted(old)) if old else ""))
    for form in forms:
        seen = [results[form, fault.name] for fault in faults if form not in fault.unseen and (form, fault.name) in results]
        if seen:
            shares = ", ".join("{} {:.0f} %".format(part, 100 * sum(found[part] for found in seen) / len(seen)) for part in PARTS)
            print("{}: {} of {} faults; certain and wrong: {}".format(form, shares, len(seen), sum(found["wrong"] for found in seen)))


def main():
    parser = argparse.ArgumentParser(prog="tests/realworld.sh")
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("set", nargs="?", choices=list(SETS), default="torch")
    parser.add_argument("--form", action="append", choices=FORMS)
    parser.add_argument("--fault", action="append")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    bench = Bench(options)
    faults = [fault for fault in bench.programs.faults() if not options.fault or fault.name in options.fault]
    forms = [form for form in options.form or FORMS if form in bench.programs.forms]
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=HERE, stdout=subprocess.PIPE, text=True).stdout.strip()
    file = options.work / "results.jsonl"
    results = {}
    if file.exists():
        for line in file.read_text().splitlines():
            found = json.loads(line)
            if found.get("set", "torch") == options.set:
                results[found["form"], found["fault"]] = found
    for form in forms:
        for fault in faults:
            kept = results.get((form, fault.name))
            if form in fault.unseen or (kept and kept["commit"] == commit and not options.again):
                continue
            begin = time.monotonic()
            report = getattr(bench, form)(fault)
            found = {"set": options.set, "form": form, "fault": fault.name, "commit": commit, "seconds": round(time.monotonic() - begin)}
            found |= judge(fault, form, report)
            results[form, fault.name] = found
            with open(file, "a", encoding="utf-8") as out:
                out.write(json.dumps(found) + "\n")
            print(json.dumps(found), flush=True)
    show(results, faults, forms, commit)
    if options.keep:
        for folder in ("logs", "state/rankdeck/runs"):
            if (options.work / folder).exists():
                shutil.copytree(options.work / folder, options.keep / folder, dirs_exist_ok=True, symlinks=True,
                                ignore_dangling_symlinks=True)


main()

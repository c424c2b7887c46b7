#!/usr/bin/env python3
"""How often `rankdeckctl report` tells rightly which rank failed first and why, and how long that takes.

Reads every labelled case as it lies: those of tests/diagnosis/cases (README.md there explains the labels) and the logs
found in the wild, whose folder --found names. Prints for each group how many cases have the right cause, the right
rank, a known error with fitting advice, logs that the report could read, and a verdict that calls a wrong rank certain;
then the misses, each with what was expected and what the report said. Then makes 1,000 ranks' logs of 1 MB each and
measures time and memory of their verdict, beside cat and grep of the same files.

Ends with exit code 1 and a sentence when a goal is missed."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
COLUMNS = ("cause", "rank", "explained", "read", "confidently wrong")
GOALS = {"cause": 0.92, "rank": 0.92, "explained": 0.85, "read": 0.90}
GOAL_SECONDS = 5.0
GOAL_MEGABYTES = 300
FAILING = 417  # of the 1,000 ranks
# A found case with this number or a higher one was chosen because the verdict missed it: no goal until that is mended.
FIRST_MISS = 501
MEGABYTE = 1 << 20
HOUR = 3600
DAY = 24 * HOUR


@dataclass
class Case:
    """One failed job: what to give to the report, and what really happened."""

    name: str
    group: str
    folder: Path
    path: Path
    label: dict
    held_out: bool = False


@dataclass
class Score:
    """How many cases of a group were right; a case without a cause to explain is not among the explainable."""

    cases: int = 0
    explainable: int = 0
    right: dict = field(default_factory=lambda: dict.fromkeys(COLUMNS, 0))

    def add(self, marks):
        self.cases += 1
        self.explainable += marks["explained"] is not None
        for column in COLUMNS:
            self.right[column] += bool(marks[column])

    def share(self, column):
        of = self.explainable if column == "explained" else self.cases
        return self.right[column] / of if of else 1.0

    def row(self, name):
        cells = "".join(f"{self.right[column]:5} {self.share(column):5.0%}" for column in COLUMNS[:-1])
        return f"{name:24}{self.cases:6}{cells}{self.right['confidently wrong']:7}"


def own_cases(folder):
    for file in sorted(folder.glob("*/case.json")):
        label = json.loads(file.read_text(encoding="utf-8"))
        path = file.parent / label.get("open", "")
        group = label.get("group", "launches")
        yield Case(file.parent.name, group, file.parent, path, label, label.get("heldOut", False))


def found_cases(folder):
    for file in sorted(folder.glob("*/label.json")):
        found = json.loads(file.read_text(encoding="utf-8"))
        label = {"rootRank": found["rank"], "causeWords": found["cause_words"], "adviceWords": found["advice_words"]}
        yield Case(file.parent.name, "found: " + found["group"], file.parent, file.parent / "logs", label)


def is_chosen_miss(case):
    number = case.name.partition("-")[0]
    return case.group.startswith("found") and number.isdigit() and int(number) >= FIRST_MISS


def written(case, folder):
    """Path of the case; where its label says which logs were written last, of a copy in which they were."""
    last = case.label.get("writtenLast")
    if last is None:
        return case.path
    copy = folder / case.name
    shutil.copytree(case.folder, copy)
    for file in copy.rglob("*"):
        if file.is_file():
            age = HOUR if file.relative_to(copy).as_posix().startswith(last) else DAY
            os.utime(file, (time.time() - age,) * 2)
    return copy / case.label.get("open", "")


def has_one(words, *texts):
    text = "\n".join(text for text in texts if text).casefold()
    return any(word.casefold() in text for word in words)


def is_cause_right(label, verdict, headline):
    if label.get("noFailure"):
        return not verdict.get("cause_id")
    causes, words = label.get("causeIds", []), label.get("causeWords", [])
    if not causes and not words:
        # The logs do not tell the cause: only to be certain of one is wrong.
        return verdict.get("confidence") != "certain" or not verdict.get("cause_id")
    known = verdict.get("known") or {}
    return verdict.get("cause_id") in causes or has_one(words, headline, verdict.get("cause"), known.get("title"),
                                                       known.get("id"))


def is_rank_right(label, verdict):
    if label.get("noFailure"):
        return not verdict.get("has_failure")
    if label.get("scheduler"):
        return verdict.get("root_role") == "scheduler"
    root = verdict.get("root_rank")
    if label.get("rootRank") is not None:
        return root == label["rootRank"] and verdict.get("root_role") != "scheduler"
    if label.get("candidates"):
        named = verdict.get("candidates", []) + ([] if root is None else [root])
        if not set(named) <= set(label["candidates"]):
            return False
    return root is None or verdict.get("confidence") != "certain"


def is_explained(label, verdict):
    """None if there is no cause to explain."""
    causes, words = label.get("causeIds", []), label.get("adviceWords", [])
    if label.get("noFailure") or not (causes or words):
        return None
    known = verdict.get("known") or {}
    return known.get("id") in causes or has_one(words, known.get("mend"), known.get("meaning"),
                                                *known.get("commands", []), verdict.get("own_advice"), verdict.get("advice"))


def run(command, environment):
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=120, check=False)


def read_verdict(rankdeckctl, path, environment):
    """The verdict, its first words, and what the report complained of where it could not read the logs."""
    report = run([rankdeckctl, "report", "--json", path], environment)
    try:
        verdict = json.loads(report.stdout)
    except json.JSONDecodeError:
        return None, "", (report.stderr.strip() or f"exit code {report.returncode}").splitlines()[-1]
    if verdict.get("title"):
        return verdict, verdict["title"], ""
    return verdict, run([rankdeckctl, "report", path], environment).stdout.partition("\n")[0], ""


def wanted_rank(label):
    for flag, words in (("noFailure", "no failure"), ("scheduler", "the scheduler"), ("allRanks", "all ranks alike")):
        if label.get(flag):
            return words
    if label.get("rootRank") is not None:
        return f"rank {label['rootRank']}"
    return f"one of {label['candidates']}, undecided" if label.get("candidates") else "no rank as certain"


def judge(case, rankdeckctl, environment):
    verdict, headline, complaint = read_verdict(rankdeckctl, case.path, environment)
    label = case.label
    if verdict is None:
        marks = dict.fromkeys(COLUMNS, False)
        marks["explained"] = None if is_explained(label, {}) is None else False
        return marks, [f"not read: {complaint}"], {}
    marks = {"cause": is_cause_right(label, verdict, headline), "rank": is_rank_right(label, verdict),
             "explained": is_explained(label, verdict), "read": True}
    marks["confidently wrong"] = not marks["rank"] and verdict.get("confidence") == "certain"
    misses = []
    if not marks["rank"]:
        certain = "CERTAIN" if marks["confidently wrong"] else verdict.get("confidence")
        misses.append(f"rank: wanted {wanted_rank(label)}, got {verdict.get('root_rank')} ({certain}, "
                      f"{verdict.get('rule')}), candidates {verdict.get('candidates')}")
    if not marks["cause"]:
        wanted = " | ".join(label.get("causeIds", []) + label.get("causeWords", [])) or "none"
        misses.append(f"cause: wanted {wanted}; got {verdict.get('cause_id')}: {headline[:160]}")
    if marks["explained"] is False:
        wanted = " | ".join(label.get("causeIds", []) + label.get("adviceWords", []))
        misses.append(f"explained: wanted {wanted}; got {(verdict.get('known') or {}).get('id')}")
    shown = ("title", "root_rank", "root_role", "confidence", "rule", "candidates", "cause_id", "cause")
    return marks, misses, {key: verdict.get(key) for key in shown}


def keep(path, verdicts):
    """Writes the verdicts of a first time: never over others."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    document = {"commit": commit.stdout.strip(), "verdicts": verdicts}
    with path.open("x", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, indent=1)


def judge_all(cases, options, environment):
    groups, total, held_out, found, chosen = {}, Score(), Score(), Score(), Score()
    misses = []
    kept = {}
    for case in cases:
        marks, why, verdict = judge(case, options.rankdeckctl, environment)
        kept[case.name] = {**verdict, "right": [column for column in COLUMNS if marks[column]]}
        scores = [groups.setdefault(case.group, Score()), chosen if is_chosen_miss(case) else total]
        scores += [held_out] if case.held_out else []
        scores += [found] if case.group.startswith("found") else []
        for score in scores:
            score.add(marks)
        # What a rule was not fitted to stays unseen; only its count is told.
        if why and (options.held_out or not case.held_out):
            misses.append((case, why))
    print(f"{'group':24}{'cases':>6}" + "".join(f"{column:>11}" for column in COLUMNS[:-1]) + "  wrong*")
    for name in sorted(groups):
        print(groups[name].row(name))
    print(held_out.row("held out, of these"))
    if found.cases:
        print(found.row("found in the wild"))
    if chosen.cases:
        print(chosen.row("chosen as misses"))
    print(total.row("all others"))
    if options.keep:
        keep(options.keep, kept)
    print("* verdicts that call a wrong rank certain\n")
    for case, why in misses:
        print(f"{case.group} / {case.name}")
        for line in why:
            print(f"    {line}")
    return total


def last_lines(rank):
    if rank == FAILING:
        return ('Traceback (most recent call last):\n  File "/work/train.py", line 88, in <module>\n    main()\n'
                '  File "/work/train.py", line 61, in main\n    loss = model(batch)\n'
                "ValueError: batch 417 has no labels\n")
    return (f"EI0002: [PID: {4000 + rank}] 2025-04-07-15:59:59.000.000 The wait execution of the Notify register times "
            f"out. Reason: The Notify register has not received the Notify record from remote rank [{FAILING}].\n"
            "RuntimeError: ACL stream synchronize failed, error code:507048\n")


def write_many(folder, ranks, size):
    """Logs as trainers write them, each with an error in its last lines."""
    line = "2025-04-07 15:{:02}:{:02},{:03} - INFO - iteration {:8}/ 100000 | loss: 2.3456E+00 | grad norm: 1.234 |\n"
    count = size // len(line.format(0, 0, 0, 0))
    lines = "".join(line.format(number // 60000 % 60, number // 1000 % 60, number % 1000, number)
                    for number in range(count))
    for rank in range(ranks):
        first = f"2025-04-07 15:00:00,000 - INFO - rank {rank} of {ranks} starts\n"
        (folder / f"worker_{rank}.log").write_text(first + lines + last_lines(rank), encoding="utf-8")


def measured(command, environment):
    """Wall and cpu seconds, MB resident and output of a command."""
    begin = time.monotonic()
    # Through a file: a child's peak includes what this process held when it forked.
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL if command[0] == "cat" else output,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        output.seek(0)
        return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.read()


def measure_many(options, environment):
    """Sentences about missed goals."""
    ranks, size = (500, 20000) if options.quick else (options.ranks, MEGABYTE)
    missed = []
    with tempfile.TemporaryDirectory(prefix="bench-verdicts-", dir=options.folder) as name:
        folder = Path(name)
        write_many(folder, ranks, size)
        files = sorted(str(file) for file in folder.iterdir())
        commands = {"cat": ["cat", *files], "grep": ["grep", "-c", "Error", *files],
                    "rankdeckctl report": [options.rankdeckctl, "report", "--json", folder]}
        print(f"\n{ranks} ranks' logs of {size / MEGABYTE:.2f} MB each; load {os.getloadavg()[0]:.1f}")
        print(f"{'':20}{'seconds':>9}{'cpu s':>8}{'MB':>7}{'of cat':>9}{'of grep':>9}")
        found = {}
        for what, command in commands.items():
            rounds = [measured(command, environment) for _ in range(1 if options.quick else 3)]
            found[what] = min(rounds, key=lambda of: of[0])
        for what, (wall, cpu, memory, _) in found.items():
            ratios = "".join(f"{wall / found[base][0]:9.1f}" for base in ("cat", "grep"))
            print(f"{what:20}{wall:9.2f}{cpu:8.2f}{memory:7.0f}{ratios}")
        wall, _, memory, output = found["rankdeckctl report"]
        try:
            verdict = json.loads(output)
        except json.JSONDecodeError:
            return [f"the verdict on {ranks} ranks was no JSON"]
        if verdict.get("root_rank") != FAILING:
            missed.append(f"the verdict on {ranks} ranks named rank {verdict.get('root_rank')}, not {FAILING}")
        # The quick form runs beside other tests, and under the sanitizers: there time and memory say nothing.
        if options.quick:
            return missed
        if wall > GOAL_SECONDS:
            missed.append(f"the verdict on {ranks} ranks took {wall:.1f} s, goal {GOAL_SECONDS:.0f} s")
        if memory > GOAL_MEGABYTES:
            missed.append(f"the verdict on {ranks} ranks took {memory:.0f} MB, goal {GOAL_MEGABYTES} MB")
    return missed


def missed_goals(total):
    missed = [f"{column} is right in {total.share(column):.1%} of the cases, goal {goal:.0%}"
              for column, goal in GOALS.items() if total.share(column) < goal]
    wrong = total.right["confidently wrong"]
    return missed + ([f"{wrong} verdicts call a wrong rank certain, goal 0"] if wrong else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankdeckctl", type=Path, default=ROOT / "build" / "check" / "bin" / "rankdeckctl")
    parser.add_argument("--cases", type=Path, default=ROOT / "tests" / "diagnosis" / "cases")
    parser.add_argument("--found", type=Path, default=ROOT.parent / "shared" / "data" / "failing_logs",
                        help="logs found in the wild, each with label.json")
    parser.add_argument("--only", default="", help="only cases whose group and name contain this")
    parser.add_argument("--keep", type=Path, help="a new file for the verdicts, with the commit of the project")
    parser.add_argument("--held-out", action="store_true", help="list misses of held-out cases too")
    parser.add_argument("--ranks", type=int, default=1000, help="logs of 1 MB to measure; 0: none")
    parser.add_argument("--folder", help="where these logs are written; the default is a temporary directory")
    parser.add_argument("--quick", action="store_true", help="small logs, no goal of time and memory")
    options = parser.parse_args()
    options.rankdeckctl = options.rankdeckctl.resolve()
    if not options.rankdeckctl.exists():
        sys.exit(f"{options.rankdeckctl}: no such file. Build rankdeckctl or name it with --rankdeckctl.")
    if options.ranks and not options.quick and options.ranks <= FAILING:
        parser.error(f"--ranks: rank {FAILING} is the one that fails, so it must be larger or 0")
    if not options.found.is_dir():
        print(f"{options.found} is absent: only our own cases are judged.")

    with tempfile.TemporaryDirectory(prefix="bench-verdicts-") as home:
        environment = {**os.environ, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "LC_ALL": "C.UTF-8"}
        cases = [*own_cases(options.cases), *found_cases(options.found)]
        cases = [case for case in cases if options.only in f"{case.group}/{case.name}"]
        for case in cases:
            case.path = written(case, Path(home))
        missed = missed_goals(judge_all(cases, options, environment))
        missed += measure_many(options, environment) if options.ranks else []
    if missed:
        sys.exit(f"Goals are missed: {'; '.join(missed)}.")
    print("All goals are met.")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Stands in for npu-smi in Rankdeck's demos: eight cards that do not exist.

What it prints follows the ranks of the demo: whether they run, by the run's journal, and at which step they are,
by their logs. The same state and step give the same values. Nothing but Rankdeck's demos may call it.
"""

import argparse
import json
import math
import re
import sys

CARDS = 8
BUSES = ("C1", "C2", "81", "82", "01", "02", "41", "42")
HBM_TOTAL = 65536
HBM_IDLE = 3314
HBM_TRAINING = 52100
TAIL_BYTES = 16384
STEP = re.compile(rb"\bstep[:= ]+(\d+)")
WAITS = (b"waits for its peers", b"is waited for")  # For other ranks, for data.


class Rank:
    def __init__(self, index, card, log):
        self.index = int(index)
        self.card = int(card)
        self.log = log
        self.pid = 0
        self.is_at_prompt = False
        self.is_held = False
        self.step = 0
        self.waits = False  # For ranks that do not come to a collective, or for data.
        self.slow_step = 0  # From it on its card is hot and slow; 0: never.

    def take(self, event):
        kind = event.get("event")
        if kind == "process-started":
            self.pid = event.get("pid", 0)
        elif kind == "process-exited":
            self.pid = 0
        elif kind in ("at-prompt", "prompt-left"):
            self.is_at_prompt = kind == "at-prompt"
        elif kind in ("process-held", "process-released"):
            self.is_held = kind == "process-held"

    def read_step(self):
        try:
            with open(self.log, "rb") as log:
                log.seek(0, 2)
                log.seek(max(0, log.tell() - TAIL_BYTES))
                tail = log.read()
        except OSError:
            tail = b""
        found = list(STEP.finditer(tail))
        self.step = int(found[-1].group(1)) if found else 0
        rest = tail[found[-1].end() if found else 0:]
        self.waits = any(words in rest for words in WAITS)


class Card:
    """The values of one card; a function of its number and of its rank's state and step alone."""

    def __init__(self, number, rank):
        self.number = number
        self.pid = rank.pid if rank else 0
        works = bool(self.pid) and not rank.is_at_prompt and not rank.is_held and not rank.waits
        step = rank.step if rank else 0
        noise = (number * 7919 + step * 104729) % 97 / 96.0
        # Each fiftieth step saves something; before the first one the data is loaded.
        self.busy = 0 if not works else 12 + int(6 * noise) if step % 50 == 0 else 86 + int(11 * noise)
        filled = 1.0 - math.exp(-step / 8.0) if self.pid else 0.0
        self.hbm = HBM_IDLE + number % 3
        if self.pid:
            self.hbm += 2100 + int(HBM_TRAINING * filled) + int(240 * noise)
        warm = 1.0 - math.exp(-step / 60.0) if works else 0.0
        self.temperature = 36 + number % 4 + (int(24 * warm) + int(2 * noise) if works else 0)
        self.health = "OK"
        self.clock = 1800 if self.busy else 800
        if works and rank.slow_step and step >= rank.slow_step:
            self.busy, self.clock, self.health = 97 + int(2 * noise), 900, "Warning"
            self.temperature = min(96, self.temperature + 12 + (step - rank.slow_step) // 4)
        self.power = 92.0 + number % 5 + 2.9 * self.busy * (0.6 + 0.4 * warm)


def read_journal(path, ranks):
    by_index = {rank.index: rank for rank in ranks}
    try:
        with open(path, encoding="utf-8", errors="replace") as journal:
            for line in journal:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue  # Its last line may be torn.
                rank = by_index.get(event.get("process", -1)) if isinstance(event, dict) else None
                if rank:
                    rank.take(event)
    except OSError:
        pass


def print_map():
    print("\tNPU ID                         Chip ID                        Chip Logic ID                  Chip Name")
    for card in range(CARDS):
        print("\t{:<31}{:<31}{:<31}Ascend 910B3".format(card, 0, card))
        print("\t{:<31}{:<31}{:<31}Mcu".format(card, 1, "-"))


def print_cards(cards):
    line = "+" + "-" * 27 + "+" + "-" * 17 + "+" + "-" * 54 + "+"
    print("+" + "-" * 100 + "+")
    print("| {:<98} |".format("npu-smi 25.0.rc1          Version: 25.0.rc1     invented by Rankdeck's demo"))
    print(line)
    print("| NPU   Name                | Health          | Power(W)    Temp(C)           Hugepages-Usage(page) |")
    print("| Chip                      | Bus-Id          | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)         |")
    print(line.replace("-", "="))
    for card in cards:
        print("| {:<6}{:<20}| {:<16}| {:<12.1f}{:<18}{:<22} |".format(card.number, "910B3", card.health, card.power,
                                                                      card.temperature, "0    / 0"))
        print("| {:<26}| {:<16}| {:<12}{:<18}{:<22} |".format(
            0, "0000:{}:00.0".format(BUSES[card.number]), card.busy, "0    / 0",
            "{} / {}".format(card.hbm, HBM_TOTAL)))
        print(line)
    print("| NPU     Chip              | Process id      | Process name             | Process memory(MB)        |")
    print(line.replace("-", "="))
    for card in cards:
        if card.pid:
            print("| {:<8}{:<18}| {:<16}| {:<25}| {:<26}|".format(card.number, 0, card.pid, "python3",
                                                                  card.hbm - HBM_IDLE))
        else:
            print("| No running processes found in NPU {:<64} |".format(card.number))
        print(line)


def print_common(card):
    print("\tNPU ID                         : {}".format(card.number))
    print("\tChip Count                     : 1\n")
    print("\tChip ID                        : 0")
    print("\tAicore Usage Rate(%)           : {}".format(card.busy))
    print("\tAicore Freq(MHZ)               : {}".format(1800))
    print("\tAicore curFreq(MHZ)            : {}".format(card.clock))
    print("\tTemperature(C)                 : {}".format(card.temperature))
    print("\tNPU Real-time Power(W)         : {:.1f}".format(card.power))


def print_health(card):
    print("\tNPU ID                         : {}".format(card.number))
    print("\tChip ID                        : 0")
    print("\tHealth                         : {}".format(card.health))
    print("\tError Code                     : NA")
    print("\tError Information              : NA")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--journal", required=True, help="journal of the demo's run")
    parser.add_argument("--rank", nargs=3, action="append", default=[], metavar=("PROCESS", "CARD", "LOG"),
                        help="a rank of the demo")
    parser.add_argument("--slow", nargs=2, type=int, action="append", default=[], metavar=("PROCESS", "STEP"),
                        help="its card is hot and slow from this step on")
    parser.add_argument("question", nargs="*", help="as npu-smi is asked: info, info -m, info -t common -i CARD")
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    question = arguments[at + 1:]

    if question == ["info", "-m"]:
        print_map()
        return 0
    ranks = [Rank(*rank) for rank in options.rank]
    for rank in ranks:
        rank.slow_step = dict(options.slow).get(rank.index, 0)
    read_journal(options.journal, ranks)
    for rank in ranks:
        rank.read_step()
    by_card = {rank.card: rank for rank in ranks}
    cards = [Card(number, by_card.get(number)) for number in range(CARDS)]
    if question == ["info"]:
        print_cards(cards)
    elif question[:2] == ["info", "-t"] and question[2:3] + question[4:5] in [
            [subject, str(card)] for subject in ("common", "health") for card in range(CARDS)]:
        (print_common if question[2] == "common" else print_health)(cards[int(question[4])])
    else:
        print("This device does not support querying {}.".format(" ".join(question[2:3]) or "that"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

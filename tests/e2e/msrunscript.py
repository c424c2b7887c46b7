#!/usr/bin/env python3
"""A stand-in for a training script under msrun: says what it was given, then does what it was told."""

import argparse
import os
import sys
import time

SHOWN = ("MS_", "MSRUN_", "RANK_", "DEVICE_ID", "LOCAL_RANK")


def wait_for(path):
    while path and not os.path.exists(path):
        time.sleep(0.02)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fail-rank", default="")
    parser.add_argument("--fail-device", default="")
    parser.add_argument("--rank-base", type=int, help="MindSpore makes device 0 this rank, device 1 the one before it …")
    parser.add_argument("--code", type=int, default=3)
    parser.add_argument("--until", default="", help="workers end once this file is there")
    parser.add_argument("--scheduler-code", type=int, default=0)
    parser.add_argument("--scheduler-until", default="")
    parser.add_argument("--scheduler-says", default="", help="a file that the scheduler prints")
    options = parser.parse_args()
    for name in sorted(os.environ):
        if name.startswith(SHOWN):
            print("{}={}".format(name, os.environ[name]))
    print("cpus={}".format(sorted(os.sched_getaffinity(0))), flush=True)
    if os.environ.get("MS_ROLE") == "MS_SCHED":
        if options.scheduler_says:
            with open(options.scheduler_says) as said:
                print(said.read(), flush=True)
            open(options.scheduler_says + ".done", "w").close()
        wait_for(options.scheduler_until)
        sys.exit(options.scheduler_code)
    device = os.environ.get("DEVICE_ID")
    if options.rank_base is not None:
        print("[WARNING] DISTRIBUTED(4711,ffff9e1f7440,python):2026-11-30-10:11:12.131.415 [mindspore/ccsrc/distributed/"
              "cluster/cluster_context.cc:305] BuildCluster] This node {0} rank id: {0}".format(options.rank_base - int(device)),
              flush=True)
    if options.fail_device == device or os.environ.get("RANK_ID") == options.fail_rank:
        if options.scheduler_says:
            wait_for(options.scheduler_says + ".done")
        print("RuntimeError: told to fail", file=sys.stderr)
        sys.exit(options.code)
    wait_for(options.until)


main()

"""A rank that waits in C, where other threads may run, and says how long it was stopped at a time."""
import threading
import time


def watch_the_clock():
    last = time.monotonic()
    while True:
        time.sleep(0.01)
        now = time.monotonic()
        if now - last > 0.1:
            print("stopped for {:.2f} s".format(now - last), flush=True)
        last = now


def wait_for_the_others():
    print("waiting", flush=True)
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


threading.Thread(target=watch_the_clock, daemon=True).start()
wait_for_the_others()

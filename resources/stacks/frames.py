import sys, time, _remote_debugging

# Reads the frames of another Python, of the pid that is given, without stopping it; of one that runs, it may take several
# attempts. The module is Python's own, without a promise: 3.15 nests threads in interpreters.


def threads(left):
    try:
        found = _remote_debugging.RemoteUnwinder(int(sys.argv[1]), all_threads=True).get_stack_trace()
        return sorted((one for each in found for one in getattr(each, "threads", [each])), key=lambda one: one.thread_id)
    except (RuntimeError, OSError) as error:
        if not left or isinstance(error, PermissionError):
            raise
        return time.sleep(0.05) or threads(left - 1)


def text(frame):
    line = frame.lineno if hasattr(frame, "lineno") else (frame.location or (0,))[0]
    return '\n  File "%s", line %d in %s' % (frame.filename, line or 0, frame.funcname)


print("\n".join("Thread 0x%016x (most recent call first):" % one.thread_id + "".join(map(text, one.frame_info))
                for one in threads(5)))

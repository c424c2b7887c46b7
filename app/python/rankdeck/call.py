"""Calls a Python function in a process of its own: pack() is for the process that asks, main() runs in the other."""
import dis
import importlib
import io
import json
import marshal
import os
import pickle
import runpy
import sys
import time
import traceback
import types
from multiprocessing import spawn
from typing import Any, Callable, Dict


def by_name(entrypoint: str, *args: Any) -> Any:
    """Calls what "module:function" or "file.py:function" names."""
    place, _, name = entrypoint.rpartition(":")
    return (runpy.run_path(place) if place.endswith(".py") else vars(importlib.import_module(place)))[name](*args)


def _make(code: bytes, *name_and_defaults: Any) -> Any:
    return types.FunctionType(marshal.loads(code), vars(sys.modules["__main__"]), *name_and_defaults)


def _fill(function: Any, used: Dict[str, Any]) -> None:
    function.__kwdefaults__ = used.pop("")
    function.__globals__.update(used)


class _Pickler(pickle.Pickler):
    """Sends functions of a session without a file, such as a notebook's, by value. That needs Python 3.8."""
    has_file, uses_main = True, sys.version_info < (3, 8)

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return importlib.import_module, (value.__name__,)
        if getattr(value, "__module__", "") != "__main__":
            return NotImplemented
        self.uses_main = True
        if self.has_file:
            return NotImplemented
        if not isinstance(value, types.FunctionType) or value.__closure__:
            raise TypeError("{!r} is known to this session alone".format(value))
        codes, used = [value.__code__], {"": value.__kwdefaults__}
        for code in codes:  # Also of the functions and comprehensions in it.
            codes += [each for each in code.co_consts if isinstance(each, types.CodeType)]
            names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
            used.update({name: value.__globals__[name] for name in names if name in value.__globals__})
        return _make, (marshal.dumps(value.__code__), value.__name__, value.__defaults__), used, None, None, _fill


def pack(function: Callable[..., Any], args: Dict[int, Any]) -> bytes:
    """Returns what main() needs. Raises TypeError when something cannot be sent to another process."""
    session, packed = spawn.get_preparation_data(""), io.BytesIO()
    pickler = _Pickler(packed)
    pickler.has_file = any(key.startswith("init_main") for key in session)
    try:
        if sys.version_info < (3, 8) and not pickler.has_file and function.__module__ == "__main__":
            raise TypeError("Python 3.7 sends only what a file defines")
        pickler.dump((function, args))
    except Exception as error:
        raise TypeError("{} cannot be called in another process: {}. Move it, and what it needs, to the top level of a "
                        "module.".format(getattr(function, "__name__", function), error)) from error
    # As multiprocessing does, the script is run again, but only when something that it defines is needed.
    unused = {"authkey"} if pickler.uses_main else {"authkey", "init_main_from_path", "init_main_from_name"}
    return pickle.dumps(({key: session[key] for key in set(session) - unused}, packed.getvalue()))


def main(folder: str, rank: str) -> None:
    """Calls the function with the rank's arguments; leaves what it returns, or error.json as torch's record() does."""
    try:
        with open(os.path.join(folder, "call"), "rb") as file:
            session, packed = pickle.load(file)
        os.environ["RANKDECK_PREPARES"] = "1"
        spawn.prepare(session)
        del os.environ["RANKDECK_PREPARES"]
        function, args = pickle.loads(packed)
        result = pickle.dumps(function(*args[int(rank)]))
    except Exception as error:
        trace = traceback.format_exc()
        with open(os.environ.get("TORCHELASTIC_ERROR_FILE") or os.devnull, "w") as out:
            json.dump({"message": {"message": "{}: {}".format(type(error).__name__, error), "extraInfo": {
                "py_callstack": trace, "timestamp": str(int(time.time()))}}}, out)
        sys.exit(trace.strip())
    with open(os.path.join(folder, rank), "wb") as file:
        file.write(result)

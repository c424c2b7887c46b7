#include "launch/planning/pythonfunction.h"

namespace rankdeck
{

/// For every Python from 3.6 on.
constexpr char caller[] = R"(import importlib, importlib.util, json, os, sys, time, traceback
place, _, name = sys.argv[1].rpartition(":")
arguments = json.loads(sys.argv[2])
sys.argv = [place]
returns = os.environ.pop("RANKDECK_RETURN_FILE", None)
def write(path, data):
    with open(path + ".new", "w") as file:
        file.write(data)
    os.rename(path + ".new", path)
def find():
    if not place.endswith(".py"):
        return importlib.import_module(place)
    path = os.path.abspath(place)
    stem = os.path.basename(path)[:-3]
    sys.path[0] = os.path.dirname(path)
    spec = importlib.util.spec_from_file_location(stem, path)
    module = sys.modules[stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
def plain(value):
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(type(value).__name__ + " has no form in JSON")
value = None
try:
    function = find()
    for part in name.split("."):
        function = getattr(function, part)
    value = function(*arguments)
except SystemExit as end:
    if end.code:
        raise
except Exception as error:
    path = os.environ.get("TORCHELASTIC_ERROR_FILE")
    if path and not os.path.exists(path):
        write(path, json.dumps({"message": {"message": "%s: %s" % (type(error).__name__, error),
            "extraInfo": {"py_callstack": traceback.format_exc(), "timestamp": str(int(time.time()))}}}))
    raise
try:
    data = json.dumps({"value": value}, default=plain, allow_nan=False)
except Exception as error:
    data = json.dumps({"problem": "%s: %s" % (type(error).__name__, error)})
if returns:
    write(returns, data)
)";

QStringList pythonFunctionArguments(const QString &function, const QStringList &arguments)
{
    const QString list = '['_L1 + arguments.join(u", "_s) + ']'_L1;
    return {u"-c"_s, QString::fromLatin1(caller), function, list};
}

QString calledPythonFunction(const QStringList &arguments)
{
    const bool isOurs = arguments.value(0) == "-c"_L1 && arguments.value(1) == QLatin1String(caller);
    return isOurs ? arguments.value(2) : QString();
}

} // namespace rankdeck

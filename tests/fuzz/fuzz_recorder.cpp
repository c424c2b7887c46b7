// What a flight recorder has dumped: pickles and JSON, and the stacks of Python beside them.

#include "demand.h"
#include "diagnosis/recorder/collectivereport.h"

#include <cstdint>

using namespace rankdeck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), qsizetype(size));
    RecorderDumps read;
    for (const int rank : {0, 1}) {
        auto dump = readRecorderDump(bytes, rank);
        if (!dump)
            continue;
        dump->rank = rank;
        dump->pythonPlace = placeInPythonStacks(bytes);
        demand(std::ranges::all_of(dump->collectives, [&](const RecordedCollective &its) {
            return its.group >= 0 && std::size_t(its.group) < dump->groups.size() && its.place >= 0 &&
                   its.place < dump->texts.size();
        }));
        read.dumps.push_back(std::move(dump.value()));
    }
    // Two equal dumps differ in nothing.
    for (const CollectiveGroup &group : reportCollectives(read).groups)
        demand(!group.mismatch);
    return 0;
}

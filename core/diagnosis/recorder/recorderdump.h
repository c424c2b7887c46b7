#pragma once

#include "diagnosis/recorder/valuetree.h"

namespace rankdeck
{

/// A collective of one rank, as its recorder had it.
struct RecordedCollective {
    enum class State { Scheduled, Started, Completed };

    qint64 sequence = 0; ///< Within its process group, from 1; all ranks of a group count alike.
    int group = 0;       ///< In RecorderDump::groups.
    bool isPointToPoint = false;
    State state = State::Scheduled;
    int operation = 0; ///< In RecorderDump::texts: "all_reduce".
    int shape = 0;     ///< The same: sizes and types, "[[1024]] float32".
    int place = 0;     ///< The same: where the program called it, "model.py:212 in forward"; may be empty.
    std::optional<double> durationMs; ///< From its start to its end.
};

/// A process group, as one of its ranks knows it.
struct RecordedGroup {
    QString name;        ///< "0", as torch numbers them.
    QString description; ///< "default_pg", or the name that the program chose.
    QList<int> ranks;    ///< Global ranks, ascending; empty if the dump does not say.

    bool operator==(const RecordedGroup &) const = default;
};

/// The last collectives of a rank, from its flight recorder, oldest first.
struct RecorderDump {
    int rank = -1;
    QString version; ///< "2.4"
    std::vector<RecordedGroup> groups;
    std::vector<RecordedCollective> collectives;
    QStringList texts;
    /// Where Python stood when the dump was made, from the file beside it; empty if there is none.
    QString pythonPlace;

    const QString &operation(const RecordedCollective &its) const { return texts.at(its.operation); }
    const QString &shape(const RecordedCollective &its) const { return texts.at(its.shape); }
    const QString &place(const RecordedCollective &its) const { return texts.at(its.place); }
};

/// Reads a dump of versions 1 to 2, a pickle or JSON. @param rank the rank in the file's name, for dumps
/// without one. Fails if the bytes are not such a dump, or are damaged.
Result<RecorderDump> readRecorderDump(QByteArrayView bytes, int rank);

/// Returns JSON that readRecorderDump() reads: shorter than the recorder's own, without frames and times.
QByteArray recorderDumpJson(const RecorderDump &dump);

/// A folder's dumps, by rank.
struct RecorderDumps {
    std::vector<RecorderDump> dumps; ///< By rank.
    QList<Error> unreadable;         ///< Dumps that could not be read; the others count nevertheless.
};

/// Reads all dumps in a folder: files whose name ends with a rank, below 256 MB each; leaves others alone.
/// Two threads, the memory of two dumps and of all collectives. Not for the GUI thread. Fails without a dump.
Result<RecorderDumps> readRecorderDumps(const QString &folder);

/// The file with Python's stacks beside that of a dump, as torch_npu names it.
QString pythonStacksBeside(const QString &dump);

/// Returns where the main thread is by what faulthandler, or torch_npu by Python's traceback, wrote: the
/// innermost place that is not a library's, "dataset.py:88 in read"; empty if it does not say.
QString placeInPythonStacks(const QByteArray &text);

} // namespace rankdeck

#pragma once

#include "diagnosis/loggederror.h"
#include "result.h"
#include "run/runstate.h"

#include <QDateTime>
#include <QHash>
#include <QString>

namespace rankdeck
{

/// A directory of logs that any launcher wrote, shown as a run: its phase is Recorded, or Writing while one
/// of the logs grows, and those of its ranks Unknown, Writing or Failed, without a pid and an exit code.
/// Reads names, sizes and ends of files in the caller's thread, never whole logs; writes nothing.
class LogDirectory
{
public:
    /// A log that was written this recently may be written further.
    static constexpr int writingSeconds = 60;

    explicit LogDirectory(const QString &directory);

    /// What is there now. Error: as findLogs(), or it is a run of ours, which is to be opened as that.
    Result<RunState> open();
    /// Look again. True when the state changed; its plan is the same value as before unless other files are
    /// there. Files that are gone leave everything as it was.
    bool update();

    const RunState &state() const { return m_state; }
    /// When the last of the logs was written; UTC.
    const QDateTime &written() const { return m_written; }

private:
    /// What was found in a process's files when they were written last.
    struct Found {
        QDateTime written;
        qint64 bytes = -1;
        std::optional<LoggedError> error;
    };
    void work(const LaunchPlan &plan);
    Found foundIn(const ProcessPlan &process) const;
    void judge();

    QString m_directory;
    RunState m_state;
    QDateTime m_written;
    QHash<QString, Found> m_found; ///< By log file.
};

} // namespace rankdeck

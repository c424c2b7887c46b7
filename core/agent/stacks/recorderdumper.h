#pragma once

#include "base/sentence.h"
#include "launch/plan/recorderfiles.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QMap>
#include <QTimer>

#include <vector>

namespace rankdeck
{

/// Asks the flight recorders of this node's ranks, through their pipes, for dumps, and waits until these are
/// written. Does not wait for a rank that listens to no pipe. Sends no signal, stops no process.
class RecorderDumper : public QObject
{
    Q_OBJECT

public:
    /// @param prefixes of the pipes and dumps. All pipes that are there are asked.
    explicit RecorderDumper(std::vector<RecorderPrefixes> prefixes);

    /// Asks for dumps, and waits for at most `limit`. A second call during the wait continues it.
    void start(std::chrono::milliseconds limit);
    /// Returns the dumps of ranks that were not asked, such as those that timed out and exited.
    QStringList ownDumps() const;

Q_SIGNALS:
    /// @param dumps the files that were written; with them those of Python's stacks.
    /// @param asked how many ranks listen.
    void finished(const QStringList &dumps, int asked);

private:
    /// A dump that is due.
    struct Due {
        QString path;
        QDateTime before; ///< When an older one was written.
        qint64 size = -1; ///< As last seen of the new one, with Python's stacks.
        QElapsedTimer sinceGrowth;
        bool isWhole = false;
    };

    void removeTold();
    void look();

    std::vector<RecorderPrefixes> m_prefixes;
    std::vector<Due> m_due;
    QMap<QString, QDateTime>
        m_told; ///< The dumps that have been finished() before, and when they were written.
    QTimer m_timer;
    QElapsedTimer m_sinceStart;
    std::chrono::milliseconds m_limit{0};
};

/// Says how many of the recorders that were asked have written a dump; empty if none was asked.
Sentence dumpedText(const QStringList &dumps, int asked);

} // namespace rankdeck

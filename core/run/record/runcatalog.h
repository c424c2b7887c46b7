#pragma once

#include "run/record/runrecord.h"

#include <QHash>
#include <QTimer>

namespace rankdeck
{

/// One line of the run list.
struct RunSummary {
    QString name;
    QString title; ///< The plan's short name.
    QString launcher;
    QString directory;
    RunPhase phase = RunPhase::Starting;
    QDateTime created;
    QDateTime ended;
    int exitCode = 0;
    int worldSize = 0;
    QString remark; ///< When a lost run lost its supervisor, or which ranks are stalled; else empty.
    /// The first line of the verdict on a failed run, English; empty until it is kept. See verdictOf().
    QString verdict;

    /// Returns the seconds from the start to the end, or to `now` while the run is live.
    qint64 duration(const QDateTime &now) const;
    bool operator==(const RunSummary &) const = default;
};

/// Reads run.json files into summaries, each again only when it has changed.
class RunSummaries
{
public:
    /// Every run under runsDirectory(): live ones first, then the newest.
    QList<RunSummary> read();

private:
    /// Facts that show whether a run is still watched. `record` is without its plan, which may be large.
    struct Known {
        QDateTime modified;
        RunRecord record;
        RunSummary summary;
        QString stall;
        bool isFinal = false; ///< Only a new run.json changes `summary`.
    };
    static Known knownOf(const RunRecord &record, const QString &directory);
    static void lookAgain(Known &known);
    std::optional<RunSummary> summaryOf(const QString &directory);

    QHash<QString, Known> m_known;
};

/// Returns why runsDirectory() cannot be listed; nothing if it can, or if no run has been launched yet.
std::optional<Error> problemWithRuns();

/// Returns the directory of the run called `name`: its whole name, a unique beginning or end of it, "last",
/// or a path. Fails if there is none, or several, which are listed.
Result<QString> findRun(const QString &name);

/// Returns the title that the user gave to a run; empty if there is none.
QString givenTitle(const QString &directory);
/// Gives a run another title, kept in the file "title" of its directory; an empty one takes it away. The
/// run's name stays.
std::optional<Error> giveTitle(const QString &directory, const QString &title);

/// Looks for new and changed runs every two seconds, in the thread it lives in.
class RunCatalog : public QObject
{
    Q_OBJECT

public:
    RunCatalog();

public Q_SLOTS:
    void start();
    /// Looks now.
    void refresh();

Q_SIGNALS:
    /// Emitted by start() and whenever the list differs from the last one.
    void runsChanged(const QList<rankdeck::RunSummary> &runs);

private:
    QTimer m_timer;
    RunSummaries m_summaries;
    std::optional<QList<RunSummary>> m_reported;
};

} // namespace rankdeck

#pragma once

#include "run/record/runevent.h"
#include "run/record/runrecord.h"
#include "run/record/runstate.h"

namespace rankdeck
{

class Journal;

/// The journal and the record of a run, and the state that follows from them, kept in step for its one
/// supervisor.
class RunBook : public QObject
{
    Q_OBJECT

public:
    explicit RunBook(QString directory);
    ~RunBook() override;

    /// Reads the record, claims the run and opens the journal. Fails if there is no run, or if it has ended,
    /// was given up or has a supervisor.
    std::optional<Error> open();

    const QString &directory() const { return m_directory; }
    /// Changes to it are written by save().
    RunRecord &record() { return m_record; }
    const RunRecord &record() const { return m_record; }
    const RunState &state() const { return m_state; }
    Journal &journal() { return *m_journal; }

    /// The nodes have prepared the launch: `plan` takes the place of what was assumed.
    void replacePlan(const LaunchPlan &plan);
    /// Takes the ranks of the processes from `numbered`, a plan of the same processes.
    void renumber(const LaunchPlan &numbered);
    /// Appends an event to the journal, and saves the record when the phase has changed.
    void write(const RunEvent &event);
    /// Writes what happens now.
    void write(AnyEvent what, const QString &node = {}) { write(RunEvent::now(std::move(what), node)); }
    void note(const Sentence &sentence) { write(events::Note{sentence}); }
    /// Records why the run fails; nothing: it does not any more.
    void fail(const std::optional<Failure> &failure);
    /// Says in the index of each log directory which logs are this run's.
    void indexLogs();
    /// Names the first failure by all error files, which are complete only at the end.
    void settleFailure();
    /// Saves the record. A failure is reported once on standard error, and tried again by saveIfNeeded().
    void save();
    void saveIfNeeded();
    /// Returns the exit code of a run with this failure.
    /// @param named the process that the verdict names, by index in the plan; -1: none.
    int codeOf(const Failure &failure, int named) const;
    /// Writes the last event and the finished record.
    void finish(RunPhase phase, int exitCode);

Q_SIGNALS:
    /// An event is in the journal, and the state follows it.
    void written(const rankdeck::RunEvent &event);

private:
    QString m_directory;
    RunRecord m_record;
    RunState m_state;
    std::unique_ptr<Journal> m_journal;
    std::optional<Failure> m_firstFailure; ///< The one that was seen first, before settleFailure().
    bool m_isSaved = false;
    QString m_problem; ///< Why it could not be saved.
};

} // namespace rankdeck

#pragma once

#include "rankdeckctl/logs/logprinter.h"
#include "rankdeckctl/runs/runchoice.h"
#include "run/process/unixsignals.h"

namespace rankdeck
{

/// Watches a run from a terminal until it ends: prints the ranks' lines, reports their events, and
/// returns the run's exit code.
class RunConsole : public QObject
{
    Q_OBJECT

public:
    struct Options {
        bool showLogs = true; ///< Lines of the ranks, to standard output.
        /// Reports the ranks' events on standard error; else only stalls.
        bool showEvents = true;
        bool showPast = true; ///< Also prints the existing lines.
        int tail = -1;        ///< Lines of the existing log to print; -1 for all.
        /// Shows these ranks only; empty: all processes.
        std::vector<int> ranks = {};
        /// Types standard input into the terminals of the ranks that have one.
        bool types = false;
        bool isRaw = false;          ///< See LogsToPrint.
        bool hasErrorsApart = false; ///< The same.
        bool isJson = false;         ///< Each line as a JSON object, see ViewOptions.
        /// These stop the run (the second one kills it) instead of ending only this program.
        QList<int> stopSignals = {};
    };

    RunConsole(const QString &runDirectory, Options options);

    /// Runs the event loop until the run has ended. Returns its exit code, or unusableInput when it cannot be
    /// read.
    int watch() { return watchRun(m_client); }
    /// Requests the run's end as soon as the supervisor can be reached.
    void stop() { m_client.stop(); }
    void kill() { m_client.kill(); }

private:
    void take(const RunState &state);
    void printNews();
    void sayNews(const RunState &state);
    void readInput();
    void sayStall(const RunState &state) const;
    void finish(const RunState &state);
    void onSignal(int number);

    Options m_options;
    RunClient m_client;
    std::unique_ptr<UnixSignals> m_signals; ///< Absent when signals end this program alone.
    QSocketNotifier m_input;
    QList<int> m_shown; ///< By index in the plan.
    QTimer m_tick;
    std::unique_ptr<PrintedLogs> m_printer;
    std::optional<RunState> m_state;
    int m_firstSignal = 0;
};

} // namespace rankdeck

#pragma once

#include "rankdeckctl/runs/runchoice.h"
#include "run/samples/runsamples.h"

namespace rankdeck
{

/// Returns a reading as a table for a terminal: a row for each chip, then a row for each process on one, with
/// the columns that have a value. "-" stands for a value that a chip does not report. Names the Rankdeck run
/// of each process, for which it reads /proc.
QStringList deviceTable(const DeviceReading &reading);

/// Samples the NPUs and process trees of a live run through its agents, and prints them.
class RunDevices : public RunWatcher
{
public:
    /// @param seconds between two tables, until the run or the program ends; nothing: one table.
    RunDevices(const QString &runDirectory, bool asJson, std::optional<int> seconds)
        : RunWatcher(runDirectory)
        , m_asJson(asJson)
        , m_seconds(seconds)
    {
    }

protected:
    void request(RunClient &client, const RunState &state) override;
    bool update(const RunState &state, const RunState *before) override;

private:
    void addSample(const NodeSample &sample);
    /// Whether every node with processes that run or wait has sent a sample.
    bool isComplete() const;
    void print();

    bool m_asJson;
    std::optional<int> m_seconds;
    QSet<QString> m_heard; ///< Nodes that have sent a complete sample.
    QMap<QString, NodeSample> m_newest;
    RunSamples m_samples;
    QDateTime m_printed;
};

} // namespace rankdeck

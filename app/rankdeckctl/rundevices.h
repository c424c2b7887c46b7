#pragma once

#include "run/samples/runsamples.h"
#include "runwatcher.h"

#include <QSet>

#include <optional>

namespace rankdeck
{

/// Asks the agents of a live run what its NPUs and process trees look like, and prints it.
class RunDevices : public RunWatcher
{
    Q_OBJECT

public:
    /// @param seconds again after so many, until the run ends or the program is ended; nothing: once.
    RunDevices(const QString &runDirectory, bool asJson, std::optional<int> seconds);

protected:
    void ask(RunClient &client, const RunState &state) override;
    bool take(const RunState &state, const RunState *before) override;

private:
    void hear(const NodeSample &sample);
    /// Whether every node whose processes run, or are to, has told.
    bool isComplete() const;
    void print();

    bool m_asJson;
    std::optional<int> m_seconds;
    QSet<QString> m_told; ///< Nodes that have told what their NPUs and processes do.
    QMap<QString, NodeSample> m_newest;
    RunSamples m_samples;
    QDateTime m_printed;
};

/// A row for each process that something is known of: its rank, its NPU, what its tree uses and who else is
/// on its NPU; with the columns that one of them has a value for.
QStringList runDevicesTable(const RunState &state, const RunSamples &samples);

} // namespace rankdeck

#pragma once

#include "agent/head/nodeagent.h"
#include "run/record/runrecord.h"

namespace rankdeck
{

/// Prepares the nodes of a launch for named nodes before the first process is started: each node reports the
/// facts that planning needs, then makes its files, and only when all have done so may they start.
class LaunchPreparation : public QObject
{
    Q_OBJECT

public:
    using Agents = std::vector<std::unique_ptr<NodeAgent>>;

    /// @param record, agents must live as long as this object does.
    /// @param unplaced what unplacedPlan() was for the attempt before; nothing for the first.
    LaunchPreparation(const RunRecord &record, const Agents &agents, QString runDirectory,
                      std::optional<LaunchPlan> unplaced);

    /// @param attempt counts from 0.
    void begin(int attempt) { m_attempt = attempt; }
    void takeFacts(NodeAgent &node, const HostFacts &facts);
    void takePrepared(NodeAgent &node, const PreparedNode &prepared);
    /// Nothing is to be started any more.
    void cancel() { m_isOver = true; }
    /// The plan before node paths are filled in.
    const std::optional<LaunchPlan> &unplacedPlan() const { return m_unplaced; }
    /// Where the logs are read here. Only while done() is emitted.
    const LogPlaces &places() const { return *m_places; }

Q_SIGNALS:
    /// All may start. The plan has the places where all files are read here.
    void done(const rankdeck::LaunchPlan &plan);
    /// `node` cannot start its share, or the launch cannot be planned: none may start.
    void refused(const QString &node, const rankdeck::Error &problem);

private:
    Result<LaunchPlan> makePlan() const;
    void prepareAll();
    void placeAll();

    const RunRecord &m_record;
    const Agents &m_agents;
    QString m_directory;
    std::optional<LaunchPlan> m_unplaced;
    int m_attempt = 0;
    std::unique_ptr<LogPlaces> m_places; ///< While the nodes prepare.
    bool m_isOver = false;
};

} // namespace rankdeck

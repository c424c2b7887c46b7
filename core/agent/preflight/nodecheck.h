#pragma once

#include "agent/preflight/nodenetwork.h"
#include "base/oneshottimer.h"
#include "device/sampling/devicesampler.h"
#include "launch/plan/launchplan.h"

#include <deque>

namespace rankdeck
{

struct NodeCheckTask {
    LaunchPlan share;            ///< As shareOf() gives it, or the plan of a launch for one node.
    QStringList imports;         ///< Python modules.
    QMap<int, QString> tableIps; ///< Addresses of the node's devices in the rank table, by physical id.
    int limitSeconds = 20;       ///< Programs that still run after this time are killed and reported.
};

/// The values that the head of a preflight compares between nodes.
struct NodeCheckEnd {
    QStringList addresses;  ///< hcclAddresses() of the node.
    QMap<int, QString> tls; ///< NpuNetwork::tls().
};

/// Carries out a node's part of a preflight: hostChecks() and, by programs that it waits for in the event
/// loop, Python's imports and the state of the NPUs and their network. Its destructor stops the programs.
class NodeCheck : public QObject
{
    Q_OBJECT

public:
    explicit NodeCheck(NodeCheckTask task);
    ~NodeCheck() override;

    void start();

Q_SIGNALS:
    void checked(const rankdeck::PreflightCheck &check);
    void done(const rankdeck::NodeCheckEnd &end); ///< Emitted once, after the last checked().

private:
    struct Question {
        QString program;
        QStringList arguments;
        QString workDir;
        QProcessEnvironment environment;
        /// The result: the exit code, -1 if the program did not end, and the output.
        std::function<void(int exitCode, const QByteArray &output)> take;
    };

    void queueImports();
    void queueNpuNetwork();
    void sampleNpus();
    void takeReading(const Result<DeviceReading> &reading);
    QList<int> devices() const;
    void askNext();
    void conclude(int exitCode);
    void finish();

    NodeCheckTask m_task;
    QProcessEnvironment m_environment;
    NpuNetwork m_network;
    bool m_hasNetwork = false;
    std::deque<Question> m_questions; ///< The first is being asked.
    std::unique_ptr<QProcess> m_process;
    OneShotTimer m_limit;
    bool m_isLate = false;
    std::unique_ptr<DeviceSampler> m_sampler; ///< While it is waited for.
};

} // namespace rankdeck

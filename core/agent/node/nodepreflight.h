#pragma once

#include "agent/channel/agentorders.h"
#include "agent/channel/headchannel.h"
#include "agent/preflight/nodecheck.h"
#include "base/ranks.h"
#include "run/control/peer.h"

#include <QProcess>

#include <map>
#include <memory>

namespace rankdeck
{

/// The processes of the collective self-test on a node: `rankdeckctl collective`, one a rank, whose standard
/// input and output are the rank's line to the store of its head. They are apart from this process because
/// their transport aborts where ranks do not agree. Each dies with this process.
class SelfTestRanks : public QObject
{
    Q_OBJECT

public:
    ~SelfTestRanks() override;

    /// @param program rankdeckctl.
    /// @param arguments behind "collective".
    void start(const QString &program, const QList<int> &ranks, int worldSize, const QStringList &arguments);
    /// Sends a line to a rank; dropped if the rank has ended.
    void tell(int rank, const QByteArray &line);

Q_SIGNALS:
    void said(int rank, const QByteArray &line);
    /// Emitted when the rank has exited or could not be started; `how` is a sentence, empty on success.
    void rankEnded(int rank, const QString &how);

private:
    static constexpr qsizetype longestLine = 1024 * 1024;

    struct Rank {
        QProcess process;
        LineBuffer lines{longestLine};
        QByteArray lastWords; ///< Its last output on standard error.
        bool hasEnded = false;
    };

    void read(int number, Rank &rank);
    void end(int number, Rank &rank, const QString &how);

    std::map<int, std::unique_ptr<Rank>> m_ranks;
};

/// What a preflight asks of a node: its checks, and ranks of the collective self-test. It starts nothing of a
/// launch.
class NodePreflight : public QObject
{
    Q_OBJECT

public:
    /// @param head must live as long as this object does; gets the answers.
    explicit NodePreflight(HeadChannel &head)
        : m_head(head)
    {
    }

    void check(const orders::CheckNode &order);
    void startSelfTest(const orders::StartSelfTest &order);
    void tellRank(const orders::TellRank &order);

private:
    HeadChannel &m_head;
    std::unique_ptr<NodeCheck> m_check;
    std::unique_ptr<SelfTestRanks> m_selfTest;
};

} // namespace rankdeck

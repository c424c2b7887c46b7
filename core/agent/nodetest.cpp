#include "agent/nodetest.h"

#include "agent/transport/reachingproblem.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace rankdeck
{

namespace
{

constexpr int timeoutMs = 25000;
/// Ranks compare times between nodes, and so does who reads their logs.
constexpr double largeOffsetMs = 1000;

QString tr(const char *text)
{
    return QCoreApplication::translate("NodeTest", text);
}

/// What of a node that answers should be known before a launch.
QString oddities(const NodeTestResult &result)
{
    QStringList found;
    const QString own = QCoreApplication::applicationVersion();
    if (result.description->version != own)
        found << tr("Rankdeck is %1 there and %2 here.").arg(result.description->version, own);
    if (std::abs(result.clockOffsetMs) > largeOffsetMs)
        found << tr("Its clock is %1 s %2.")
                     .arg(std::abs(result.clockOffsetMs) / 1000, 0, 'f', 1)
                     .arg(result.clockOffsetMs > 0 ? tr("ahead") : tr("behind"));
    return found.join(QLatin1Char(' '));
}

} // namespace

QString wantedCopyText(const NodeTestResult &result)
{
    return tr("rankdeckctl is not there: a launch copies this machine's first (%1).")
        .arg(QLocale().formattedDataSize(result.wantedCopy, 0));
}

NodeTest::NodeTest(std::unique_ptr<AgentTransport> transport, const QString &node, QObject *parent)
    : QObject(parent)
    , m_link(std::move(transport), node)
{
    m_result.node = node;
    m_timeout.setSingleShot(true);
    connect(&m_timeout, &QTimer::timeout, this, [this] {
        m_timedOut = true;
        m_link.abort();
    });
    connect(&m_link, &AgentLink::ready, this, &NodeTest::ask);
    connect(&m_link, &AgentLink::described, this, &NodeTest::take);
    connect(&m_link, &AgentLink::ended, this, &NodeTest::conclude);
}

void NodeTest::start()
{
    m_timeout.start(timeoutMs);
    m_link.start();
}

void NodeTest::ask()
{
    m_clock.ask();
    m_link.order({AgentOrder::Kind::Describe, {}, {}});
}

void NodeTest::take(const NodeDescription &description)
{
    m_result.description = description;
    const bool asksAgain = m_clock.take(description);
    m_result.roundTripMs = m_clock.roundTripMs();
    m_result.clockOffsetMs = m_clock.offsetMs();
    if (asksAgain)
        ask();
    else
        m_link.order({AgentOrder::Kind::Kill, {}, {}}); // It has started nothing; this ends it.
}

void NodeTest::conclude(const QString &how)
{
    m_timeout.stop();
    m_result.wantedCopy = m_link.transport().wantedCopy();
    m_result.isKeyUnknown = !m_result.isUsable() && isKeyUnknown(how);
    if (m_result.description)
        m_result.problem = oddities(m_result);
    else if (m_result.isUsable())
        m_result.problem.clear();
    else if (m_timedOut)
        m_result.problem = tr("No answer within %1 s.").arg(timeoutMs / 1000);
    else
        m_result.problem =
            m_link.transport().problem().value_or(problemOfReaching(how, m_result.node)).sentence();
    Q_EMIT finished(m_result);
}

} // namespace rankdeck

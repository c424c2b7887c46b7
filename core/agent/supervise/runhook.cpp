#include "agent/supervise/runhook.h"

#include "base/program.h"
#include "launch/text/commandline.h"

#include <QFileInfo>

namespace rankdeck
{

/// Returns the variables that tell the command about the run.
static QMap<QString, QString> hookVariables(const QString &runDirectory, const RunRecord &record,
                                            const QString &state, const QString &reason)
{
    const bool hasRank = record.failure && record.failure->rank != Failure::noRank;
    return {
        {u"RANKDECK_RUN"_s, QFileInfo(runDirectory).fileName()},
        {u"RANKDECK_RUN_NAME"_s, record.plan.name},
        {u"RANKDECK_RUN_DIRECTORY"_s, runDirectory},
        {u"RANKDECK_RUN_STATE"_s, state},
        {u"RANKDECK_RUN_EXIT_CODE"_s, isLive(record.phase) ? QString() : QString::number(record.exitCode)},
        {u"RANKDECK_RUN_FAILED_RANK"_s, hasRank ? QString::number(record.failure->rank.value) : QString()},
        {u"RANKDECK_RUN_REASON"_s, reason},
    };
}

RunHook::RunHook()
{
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    connect(&m_process, &QProcess::finished, this, &RunHook::startNext);
    onFailedStart(m_process, this, [this] { startNext(); });
    m_limit.setInterval(limitMs);
    connect(&m_limit, &QTimer::timeout, &m_process, &QProcess::kill);
}

RunHook::~RunHook()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void RunHook::start(const QString &runDirectory, const RunRecord &record, const QString &state,
                    const QString &reason)
{
    const QString variable = u"RANKDECK_ON_END"_s;
    m_environment = QProcessEnvironment::systemEnvironment();
    const QString line = record.spec.environment.value(variable, m_environment.value(variable));
    const Result<QStringList> command = splitCommandLine(line);
    m_waiting = command ? *command : QStringList();
    const QMap<QString, QString> variables = hookVariables(runDirectory, record, state, reason);
    for (auto its = variables.cbegin(); its != variables.cend(); ++its)
        m_environment.insert(its.key(), its.value());
    m_process.setWorkingDirectory(runDirectory);
    m_process.setStandardOutputFile(runDirectory + u"/on-end.log"_s, QIODevice::Append);
    // One of a stall that is still running comes to its end first.
    if (m_process.state() == QProcess::NotRunning)
        startNext();
}

void RunHook::startNext()
{
    m_limit.stop();
    if (m_waiting.isEmpty()) {
        Q_EMIT idle();
        return;
    }
    m_process.setProcessEnvironment(m_environment);
    m_process.setProgram(m_waiting.takeFirst());
    m_process.setArguments(std::exchange(m_waiting, {}));
    m_limit.start();
    m_process.start();
}

} // namespace rankdeck

#include "bundle/systemtexts.h"

#include "device/asknpusmi.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSysInfo>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

constexpr qint64 mostOutput = 1 << 20;

QString tr(const char *text)
{
    return QCoreApplication::translate("SystemTexts", text);
}

struct Printed {
    QByteArray text;
    QString problem; ///< Empty: there is none.
};

Printed run(const QString &program, const QStringList &arguments, std::chrono::milliseconds limit,
            const std::function<bool()> &isCancelled = {})
{
    constexpr int lookMs = 100;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    QElapsedTimer clock;
    clock.start();
    bool isLate = false;
    while (process.state() != QProcess::NotRunning && !process.waitForFinished(lookMs) && !isLate)
        isLate = clock.elapsed() > limit.count() || (isCancelled && isCancelled());
    if (process.state() != QProcess::NotRunning) {
        process.kill();
        process.waitForFinished(1000);
        return {process.readAllStandardOutput().left(mostOutput),
                tr("no answer within %1 s").arg(limit.count() / 1000)};
    }
    if (process.error() == QProcess::FailedToStart)
        return {{}, process.errorString()};
    const QByteArray text = process.readAllStandardOutput().left(mostOutput);
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return {text, tr("it failed, exit code %1").arg(process.exitCode())};
    return {text, {}};
}

/// The launch's own interpreter: the first word of a worker's command that is a python.
QString interpreterOf(const LaunchPlan &plan)
{
    static const QRegularExpression python(QStringLiteral("(^|/)python[\\d.]*$"));
    for (const ProcessPlan &process : plan.processes) {
        if (const QString program = process.ownCommand().value(0); program.contains(python))
            return program;
    }
    return {};
}

QByteArray line(const QString &name, const QString &value)
{
    return QStringLiteral("%1: %2\n").arg(name, value).toUtf8();
}

void addFile(QByteArray &text, const char *path)
{
    constexpr qint64 most = 4096;
    QFile file(QString::fromLatin1(path));
    if (file.open(QIODevice::ReadOnly))
        text += QByteArray("\n") + path + ":\n" + file.read(most).trimmed() + '\n';
}

QByteArray variableLines(const QMap<QString, QString> &variables)
{
    QByteArray text;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        text += QStringLiteral("%1=%2\n").arg(it.key(), it.value()).toUtf8();
    return text;
}

/// Those that all processes have with one value.
QMap<QString, QString> commonVariables(const LaunchPlan &plan)
{
    if (plan.processes.empty())
        return {};
    QMap<QString, QString> common = plan.processes.front().setVariables;
    for (const ProcessPlan &process : plan.processes) {
        common.removeIf([&process](QMap<QString, QString>::iterator it) {
            const auto found = process.setVariables.constFind(it.key());
            return found == process.setVariables.cend() || *found != it.value();
        });
    }
    return common;
}

} // namespace

QByteArray versionsText(const RunState &state)
{
    constexpr std::chrono::seconds pythonLimit(5);
    QByteArray text = line(QStringLiteral("Rankdeck"), QStringLiteral(RANKDECK_VERSION));
    text += line(QStringLiteral("Qt"), QString::fromLatin1(qVersion()));
    text += line(tr("System"), QSysInfo::prettyProductName());
    text += line(tr("Kernel"), QStringLiteral("%1 %2 %3")
                                   .arg(QSysInfo::kernelType(), QSysInfo::kernelVersion(),
                                        QSysInfo::currentCpuArchitecture()));
    text += line(tr("Host"), QSysInfo::machineHostName());
    // What others wrote of a launch is not carried out.
    if (const QString python = interpreterOf(*state.plan); !python.isEmpty() && !hasLogsAlone(state.phase)) {
        const Printed printed = run(python, {QStringLiteral("--version")}, pythonLimit);
        text += line(python, printed.problem.isEmpty() ? QString::fromUtf8(printed.text).trimmed()
                                                       : tr("not known: %1").arg(printed.problem));
    }
    for (const char *path :
         {"/usr/local/Ascend/driver/version.info", "/usr/local/Ascend/firmware/version.info",
          "/usr/local/Ascend/ascend-toolkit/latest/version.cfg",
          "/usr/local/Ascend/ascend-toolkit/latest/compiler/version.info"})
        addFile(text, path);
    return text;
}

QByteArray npuSmiText(std::chrono::milliseconds limit, const std::function<bool()> &isCancelled)
{
    const QString npuSmi = npuSmiPath();
    if (npuSmi.isEmpty())
        return tr("There is no npu-smi on this machine.\n").toUtf8();
    const Printed printed = run(npuSmi, {QStringLiteral("info")}, limit, isCancelled);
    QByteArray text =
        tr("%1 info, on %2 at %3\n")
            .arg(npuSmi, QSysInfo::machineHostName(), QDateTime::currentDateTimeUtc().toString(Qt::ISODate))
            .toUtf8();
    if (!printed.problem.isEmpty())
        text += tr("npu-smi said nothing of use: %1.\n").arg(printed.problem).toUtf8();
    return text + printed.text;
}

QByteArray environmentText(const LaunchPlan &plan)
{
    QByteArray text = tr("# What the launch sets. What its processes inherited is not recorded.\n").toUtf8();
    const QMap<QString, QString> common = commonVariables(plan);
    text += '\n' + tr("# All processes\n").toUtf8() + variableLines(common);
    for (const ProcessPlan &process : plan.processes) {
        QMap<QString, QString> own = process.setVariables;
        own.removeIf([&common](QMap<QString, QString>::iterator it) { return common.contains(it.key()); });
        if (own.isEmpty() && process.removeVariables.isEmpty())
            continue;
        text += QStringLiteral("\n# %1\n").arg(process.label()).toUtf8() + variableLines(own);
        for (const QString &name : process.removeVariables)
            text += QStringLiteral("unset %1\n").arg(name).toUtf8();
    }
    return text;
}

} // namespace rankdeck

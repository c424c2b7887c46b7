#include "bundle/bundlecontent.h"

#include "base/program.h"
#include "device/sampling/devicetool.h"
#include "diagnosis/evidence/cannfiles.h"
#include "diagnosis/recorder/recorderdump.h"
#include "launch/plan/launchplan.h"
#include "launch/plan/recorderfiles.h"
#include "run/record/runstate.h"
#include "run/samples/nodehistory.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QSysInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qint64 mostOutput = 1 << 20;

struct Printed {
    QByteArray text;
    QString problem; ///< Empty for none.
};

Printed run(const QString &program, const QStringList &arguments, std::chrono::milliseconds limit,
            const std::function<bool()> &isCancelled = {})
{
    constexpr int lookMs = 100;
    QProcess process;
    QProcessEnvironment environment = withoutPreload();
    environment.insert(u"LC_ALL"_s, u"C"_s);
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
        return {{}, problemOf(process)};
    const QByteArray text = process.readAllStandardOutput().left(mostOutput);
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return {text, tr("it failed, exit code %1").arg(process.exitCode())};
    return {text, {}};
}

/// Returns the interpreter of the launch: the first word of a worker's command that is a python.
QString interpreterOf(const LaunchPlan &plan)
{
    static const QRegularExpression python(u"(^|/)python[\\d.]*$"_s);
    for (const ProcessPlan &process : plan.processes) {
        if (const QString program = process.ownCommand().value(0); program.contains(python))
            return program;
    }
    return {};
}

QByteArray line(const QString &name, const QString &value)
{
    return u"%1: %2\n"_s.arg(name, value).toUtf8();
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
        text += u"%1=%2\n"_s.arg(it.key(), it.value()).toUtf8();
    return text;
}

/// Returns the variables that have the same value in all processes.
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

constexpr qint64 mostOfFile = 1 << 20;
constexpr int mostPlogs = 512;
constexpr int mostStacks = 4096;

class Collection
{
public:
    void add(const QString &path, const QString &folder, const QString &label, bool isOfFirstFailure)
    {
        const QFileInfo info(path);
        if (path.isEmpty() || !info.isFile() || m_paths.contains(path))
            return;
        m_paths.insert(path);
        files.push_back(
            {path, freeName(folder, plainName(info.fileName()), label), info.size(), 0, isOfFirstFailure});
    }

    std::vector<BundleFile> files;

private:
    /// Returns a free name: torchrun uses one file name for all ranks.
    QString freeName(const QString &folder, const QString &file, const QString &label)
    {
        QString name = folder + '/'_L1 + file;
        if (m_names.contains(name))
            name = folder + '/'_L1 + plainName(label) + '-'_L1 + file;
        const QString base = name;
        for (int number = 2; m_names.contains(name); ++number)
            name = u"%1.%2"_s.arg(base).arg(number);
        m_names.insert(name);
        return name;
    }

    QSet<QString> m_paths;
    QSet<QString> m_names;
};

void addPlogs(Collection &all, const RunState &state, int failed)
{
    const qint64 failedPid = failed >= 0 ? state.ranks[std::size_t(failed)].pid : 0;
    int left = mostPlogs;
    for (const Plog &plog : plogsOf(state)) {
        if (left-- <= 0)
            return;
        all.add(plog.path, u"plogs"_s, QString::number(plog.pid), failedPid > 0 && plog.pid == failedPid);
    }
}

} // namespace

QByteArray versionsText(const RunState &state)
{
    constexpr std::chrono::seconds pythonLimit(5);
    QByteArray text = line(u"Rankdeck"_s, QStringLiteral(RANKDECK_VERSION));
    text += line(u"Qt"_s, QString::fromLatin1(qVersion()));
    text += line(tr("System"), QSysInfo::prettyProductName());
    text += line(tr("Kernel"), u"%1 %2 %3"_s.arg(QSysInfo::kernelType(), QSysInfo::kernelVersion(),
                                                 QSysInfo::currentCpuArchitecture()));
    text += line(tr("Host"), QSysInfo::machineHostName());
    // Never runs a program named in foreign logs.
    if (const QString python = interpreterOf(*state.plan); !python.isEmpty() && !hasLogsAlone(state.phase)) {
        const Printed printed = run(python, {u"--version"_s}, pythonLimit);
        text += line(python, printed.problem.isEmpty() ? QString::fromUtf8(printed.text).trimmed()
                                                       : tr("unknown: %1").arg(printed.problem));
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
        return tr("Not installed on this machine: npu-smi.\n").toUtf8();
    const Printed printed = run(npuSmi, {u"info"_s}, limit, isCancelled);
    QByteArray text =
        tr("%1 info, on %2 at %3\n")
            .arg(npuSmi, QSysInfo::machineHostName(), QDateTime::currentDateTimeUtc().toString(Qt::ISODate))
            .toUtf8();
    if (!printed.problem.isEmpty())
        text += tr("npu-smi printed nothing useful: %1.\n").arg(printed.problem).toUtf8();
    return text + printed.text;
}

QByteArray environmentText(const LaunchPlan &plan)
{
    QByteArray text = tr("# Set by the launch. Inherited variables are not recorded.\n").toUtf8();
    const QMap<QString, QString> common = commonVariables(plan);
    text += '\n' + tr("# All processes\n").toUtf8() + variableLines(common);
    for (const ProcessPlan &process : plan.processes) {
        QMap<QString, QString> own = process.setVariables;
        own.removeIf([&common](QMap<QString, QString>::iterator it) { return common.contains(it.key()); });
        if (own.isEmpty() && process.removeVariables.isEmpty())
            continue;
        text += u"\n# %1\n"_s.arg(process.label()).toUtf8() + variableLines(own);
        for (const QString &name : process.removeVariables)
            text += u"unset %1\n"_s.arg(name).toUtf8();
    }
    return text;
}

QString plainName(const QString &name)
{
    QString plain = name.right(120);
    for (QChar &letter : plain) {
        const char latin = letter.toLatin1();
        if (!(letter.unicode() < 0x80 &&
              (letter.isLetterOrNumber() || latin == '.' || latin == '_' || latin == '-')))
            letter = '_'_L1;
    }
    if (plain.startsWith('.'_L1))
        plain.prepend('_'_L1);
    return plain.isEmpty() ? u"_"_s : plain;
}

std::vector<BundleFile> bundleFiles(const RunState &state, int failed)
{
    Collection all;
    const auto logs = u"logs"_s;
    const auto &processes = state.plan->processes;
    for (std::size_t index = 0; index < processes.size(); ++index) {
        for (const QString &path : writtenFiles(processes[index]))
            all.add(path, logs, processes[index].label(), int(index) == failed);
    }
    for (const auto *hooks : {&state.plan->before, &state.plan->after}) {
        for (const ProcessPlan &hook : *hooks)
            all.add(hook.logFile, logs, hook.label(), false);
    }
    addPlogs(all, state, failed);
    for (const CannTrace &trace : cannTracesOf(state))
        all.add(trace.path, u"atrace"_s, QString::number(state.ranks[std::size_t(trace.process)].pid),
                trace.process == failed);
    const QDir stacks(state.directory + u"/stacks"_s);
    const QFileInfoList dumps = stacks.entryInfoList(QDir::Files | QDir::NoSymLinks, QDir::Name);
    for (const QFileInfo &dump : dumps.mid(0, mostStacks))
        all.add(dump.filePath(), u"stacks"_s, u"stack"_s, false);
    if (state.recordedPlan) {
        // The dumps themselves are not text: see BundleWriter.
        const QDir recorder(writtenRecorderFolder(state.directory, *state.recordedPlan, state.attempt));
        const QFileInfoList texts = recorder.entryInfoList({'*'_L1 + pythonStacksBeside({})},
                                                           QDir::Files | QDir::NoSymLinks, QDir::Name);
        for (const QFileInfo &text : texts.mid(0, mostStacks))
            all.add(text.filePath(), u"flight-recorder"_s, u"stack"_s, false);
    }
    for (qsizetype node = 0; node < sampledNodes(*state.plan).size(); ++node) {
        for (const QString &path :
             {deviceHistoryPath(state.directory, node), loadHistoryPath(state.directory, node)})
            all.add(path, u"samples"_s, u"samples"_s, false);
    }
    return std::move(all.files);
}

void divideRoom(std::vector<BundleFile> &files, qint64 room)
{
    qint64 left = std::max<qint64>(room, 0);
    qint64 half = left / 2;
    for (BundleFile &file : files) {
        if (!file.isOfFirstFailure)
            continue;
        file.most = std::min({file.bytes, mostOfFile, half});
        half -= file.most;
        left -= file.most;
    }
    // Small files first: the others share the rest.
    std::vector<BundleFile *> others;
    for (BundleFile &file : files) {
        if (!file.isOfFirstFailure)
            others.push_back(&file);
    }
    std::ranges::sort(
        others, [](const BundleFile *one, const BundleFile *other) { return one->bytes < other->bytes; });
    for (std::size_t index = 0; index < others.size(); ++index) {
        const qint64 share = left / qint64(others.size() - index);
        others[index]->most = std::min({others[index]->bytes, mostOfFile, share});
        left -= others[index]->most;
    }
}

} // namespace rankdeck

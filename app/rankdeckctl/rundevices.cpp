#include "rundevices.h"

#include "devicetable.h"
#include "output.h"

#include <QCoreApplication>
#include <QLocale>

namespace rankdeck
{

namespace
{

constexpr double bytesPerMb = 1024.0 * 1024.0;

QString rankText(const ProcessPlan &process)
{
    return process.role == Role::Worker ? QString::number(process.rank.value) : roleWord(process.role);
}

QString fixedText(const std::optional<double> &number, double unit, int decimals)
{
    return number ? QString::number(*number / unit, 'f', decimals) : absentText;
}

/// "python (pid 4711) of bob, …"
QString othersText(const QList<DeviceUser> &others)
{
    QStringList texts;
    for (const DeviceUser &other : others) {
        const QString name = other.process.name.isEmpty() ? absentText : other.process.name;
        const QString text = RunDevices::tr("%1 (pid %2)").arg(name).arg(other.process.pid);
        texts << (other.user.isEmpty() ? text : RunDevices::tr("%1 of %2").arg(text, other.user));
    }
    return texts.isEmpty() ? absentText : visibleText(texts.join(QStringLiteral(", ")));
}

/// Whether it runs, or is still to be started.
bool isToRun(const RankState &rank)
{
    return rank.phase == RankPhase::Running || rank.phase == RankPhase::Waiting;
}

} // namespace

QStringList runDevicesTable(const RunState &state, const RunSamples &samples)
{
    QList<TableColumn> columns{{RunDevices::tr("RANK"), true, {}}, {RunDevices::tr("NODE"), false, {}}};
    const QList<ChipColumn> ofDevices = chipColumns();
    for (const ChipColumn &column : ofDevices)
        columns << TableColumn{column.heading, column.isNumber, {}};
    columns << TableColumn{RunDevices::tr("CPU %"), true, {}}
            << TableColumn{RunDevices::tr("MEM MB"), true, {}}
            << TableColumn{RunDevices::tr("PROCS"), true, {}}
            << TableColumn{RunDevices::tr("READ MB/S"), true, {}}
            << TableColumn{RunDevices::tr("WRITTEN MB/S"), true, {}}
            << TableColumn{RunDevices::tr("OTHERS"), false, {}};
    for (std::size_t index = 0; index < state.plan->processes.size(); ++index) {
        const RunSamples::Sample *sample = samples.of(static_cast<int>(index));
        if (!sample)
            continue;
        const ProcessPlan &process = state.plan->processes[index];
        QStringList row{rankText(process), visibleText(process.node)};
        for (const ChipColumn &column : ofDevices)
            row << (sample->device ? column.text(*sample->device) : absentText);
        const TreeLoad load = sample->load.value_or(TreeLoad());
        row << fixedText(load.cpuPercent, 1, 0);
        row << (sample->load ? fixedText(static_cast<double>(load.residentBytes), bytesPerMb, 0)
                             : absentText);
        row << (sample->load ? QString::number(load.processes) : absentText);
        row << fixedText(load.readBytesPerSecond, bytesPerMb, 1)
            << fixedText(load.writtenBytesPerSecond, bytesPerMb, 1) << othersText(sample->foreign);
        for (qsizetype column = 0; column < row.size(); ++column)
            columns[column].texts << row[column];
    }
    return columnTable(columns);
}

RunDevices::RunDevices(const QString &runDirectory, bool asJson, std::optional<int> seconds)
    : RunWatcher(runDirectory)
    , m_asJson(asJson)
    , m_seconds(seconds)
{
}

void RunDevices::ask(RunClient &client, const RunState & /*state*/)
{
    connect(&client, &RunClient::sampled, this, &RunDevices::hear);
    client.sample({true, -1});
}

bool RunDevices::take(const RunState &state, const RunState * /*before*/)
{
    bool isAnyLeft = false;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        if (state.ranks[index].phase != RankPhase::Running)
            m_samples.forget(static_cast<int>(index));
        isAnyLeft = isAnyLeft || isToRun(state.ranks[index]);
    }
    if (!isAnyLeft)
        say(tr("rankdeckctl: no process of the run runs any more"));
    return !isAnyLeft;
}

bool RunDevices::isComplete() const
{
    const auto &ranks = state().ranks;
    for (std::size_t index = 0; index < ranks.size(); ++index) {
        if (isToRun(ranks[index]) && !m_told.contains(state().plan->processes[index].node))
            return false;
    }
    return true;
}

void RunDevices::hear(const NodeSample &sample)
{
    m_samples.take(sample);
    m_newest.insert(sample.node, sample);
    const auto hasCpu = std::any_of(sample.loads.begin(), sample.loads.end(),
                                    [](const TreeLoad &load) { return load.cpuPercent.has_value(); });
    if (hasCpu && !sample.isAwaitingDevices)
        m_told.insert(sample.node);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const bool isDue = !m_printed.isValid() || (m_seconds && m_printed.secsTo(now) >= *m_seconds);
    if (!isComplete() || !isDue)
        return;
    m_printed = now;
    print();
    if (!m_seconds)
        QCoreApplication::quit();
}

void RunDevices::print()
{
    if (m_asJson) {
        for (const NodeSample &sample : std::as_const(m_newest))
            rankdeck::print(visibleJson(sample.toLine()));
        return;
    }
    if (m_seconds)
        rankdeck::print(m_printed.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
    for (auto problem = m_samples.problems().begin(); problem != m_samples.problems().end(); ++problem)
        say(QStringLiteral("rankdeckctl: %1: %2").arg(problem.key(), visibleText(problem->sentence())));
    for (const QString &line : runDevicesTable(state(), m_samples))
        rankdeck::print(line);
    if (m_seconds)
        rankdeck::print(QString());
}

} // namespace rankdeck

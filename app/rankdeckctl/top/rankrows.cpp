#include "rankdeckctl/top/rankrows.h"

#include "base/times.h"

#include <cmath>

namespace rankdeck
{

constexpr double kib = 1024;

/// "512M", "57.8G".
static QString sizeText(double bytes)
{
    const double mib = bytes / kib / kib;
    return mib < 1000 ? u"%1M"_s.arg(std::round(mib)) : u"%1G"_s.arg(mib / kib, 0, 'f', 1);
}

static QString mbText(qint64 mb)
{
    return sizeText(double(mb) * kib * kib);
}

QString processName(const RunSnapshot &run, int process)
{
    const ProcessPlan &plan = run.planOf(process);
    return plan.role == Role::Worker ? rankdeck::processName(plan).text() : plan.label();
}

LogRun stateOf(const RunSnapshot &run, int process)
{
    const RankState &rank = run.rankOf(process);
    if (rank.phase == RankPhase::Running && rank.hold != Hold::None)
        return textRun(holdWord(rank.hold), Look::Warning);
    if (rank.phase == RankPhase::Running && rank.prompt)
        return textRun(tr("at prompt"), Look::Warning);
    if (run.state.silentSince(process).isValid())
        return textRun(tr("stalled"), Look::Warning);
    const RankPhase phase = run.state.shownPhase(rank);
    const bool isGood = phase == RankPhase::Running || phase == RankPhase::Exited;
    return textRun(shownWord(phase), phase == RankPhase::Failed ? Look::Bad
                                     : isGood                   ? Look::Good
                                                                : Look::Plain);
}

bool isTroubled(const RunSnapshot &run, int process)
{
    const RankState &rank = run.rankOf(process);
    return run.state.shownPhase(rank) == RankPhase::Failed || rank.isHeld() ||
           run.state.silentSince(process).isValid() || !run.state.deviceAlarm(process).isEmpty();
}

static Look lookOf(RunPhase phase)
{
    if (phase == RunPhase::Running || phase == RunPhase::Succeeded)
        return Look::Good;
    return phase == RunPhase::Failed || phase == RunPhase::Lost ? Look::Bad : Look::Warning;
}

QList<LogRun> runTitle(const RunSnapshot &run)
{
    const RunState &state = run.state;
    const QDateTime end = isLive(state.phase) || !state.ended.isValid() ? run.now : state.ended;
    QList<LogRun> title{textRun(state.name, Look::Strong), textRun(u"  "_s),
                        textRun(shownWord(state.phase), lookOf(state.phase)),
                        textRun(u"  "_s + elapsedText(state.created.secsTo(end)))};
    QMap<QString, int> counts;
    QMap<QString, LogStyle> styles;
    for (int process = 0; process < int(state.ranks.size()); ++process) {
        const LogRun word = stateOf(run, process);
        ++counts[word.text];
        styles[word.text] = word.style;
    }
    for (auto count = counts.begin(); count != counts.end(); ++count)
        title << LogRun{u"  %1 %2"_s.arg(count.value()).arg(count.key()), styles[count.key()]};
    if (run.samples.hasInventedDevices())
        title << textRun(u"  "_s + tr("NPUs invented"), Look::Warning);
    return title;
}

QList<LogRun> runNews(const RunSnapshot &run)
{
    if (!run.headline.isEmpty())
        return {textRun(run.headline, Look::Bad), textRun(tr("  (e: more)"))};
    if (run.state.hasTrouble() && !isLive(run.state.phase))
        return {textRun(tr("Reading the logs for the cause."), Look::Bad)};
    if (!run.state.unreached.isEmpty())
        return {textRun(run.state.unreached.first(), Look::Bad)};
    const QString standstill = run.state.standstill();
    if (!standstill.isEmpty())
        return {textRun(standstill, Look::Warning)};
    return {textRun(progressText(runProgress(run.progress), mayGrow(run.state.phase)))};
}

RankRows::RankRows(const RunSnapshot &run, int cells)
    : m_run(run)
    , m_cells(cells)
{
    addColumns();
    // The last column takes the remaining width.
    constexpr int leastRemark = 12;
    const auto taken = [this] {
        int sum = 0;
        for (const Column &column : std::as_const(m_columns))
            sum += column.cells + 1;
        return sum;
    };
    while (m_columns.size() > 1 && taken() + leastRemark > m_cells)
        m_columns.erase(std::ranges::min_element(m_columns, {}, &Column::worth));
    const int rest = std::max(0, m_cells - taken() - 1); // A blank follows it, too.
    m_columns << Column{tr("NODE, REMARK"), rest, false, 0, [this](int process) {
                            return remark(process);
                        }};
}

void RankRows::addColumns()
{
    const RunSnapshot &run = m_run;
    const auto add = [this](const QString &heading, int cells, bool isNumber, int worth, const auto &text) {
        m_columns << Column{heading, cells, isNumber, worth, text};
    };
    add(tr("RANK"), 5, true, 9, [&run](int process) {
        const ProcessPlan &plan = run.planOf(process);
        return textRun(plan.role == Role::Worker ? QString::number(plan.rank.value) : roleWord(plan.role));
    });
    add(tr("STATE"), 9, false, 8, [&run](int process) { return stateOf(run, process); });
    const auto progressOf = [&run](int process) {
        const auto index = std::size_t(process);
        return index < run.progress.size() ? run.progress[index] : RankProgress();
    };
    const auto has = [&run](auto value) {
        return std::ranges::any_of(run.progress, [&](const RankProgress &each) { return value(each); });
    };
    if (has([](const RankProgress &each) { return each.step.has_value(); }))
        add(tr("STEP"), 8, true, 7, [progressOf](int process) {
            const auto step = progressOf(process).step;
            return textRun(step ? countText(*step) : QString());
        });
    if (has([](const RankProgress &each) { return each.last.loss.has_value(); }))
        add(tr("LOSS"), 7, true, 2, [progressOf](int process) {
            const auto loss = progressOf(process).last.loss;
            return textRun(loss ? lossText(*loss) : QString());
        });
    const auto collectiveOf = [&run](int process) {
        const RunSamples::Sample *sample = run.samples.of(process);
        return sample ? sample->collective : std::nullopt;
    };
    const QList<int> sampled = run.samples.processes();
    if (std::ranges::any_of(sampled, [&](int process) { return collectiveOf(process).has_value(); }))
        add(tr("COLLECTIVE"), 20, false, 6, [&run, collectiveOf](int process) {
            const auto its = collectiveOf(process);
            return textRun(its ? its->text() : QString(),
                           run.samples.isBehind(process) ? Look::Warning : Look::Plain);
        });
    if (run.samples.hasDevices())
        addDeviceColumns();
    const auto loadOf = [&run](int process) {
        const RunSamples::Sample *sample = run.samples.of(process);
        return sample ? sample->load : std::nullopt;
    };
    add(tr("CPU%"), 5, true, 3, [loadOf](int process) {
        const auto percent = loadOf(process).value_or(TreeLoad()).cpuPercent;
        return textRun(percent ? QString::number(std::lround(*percent)) : QString());
    });
    add(tr("MEM"), 6, true, 4, [loadOf](int process) {
        const auto load = loadOf(process);
        return textRun(load ? sizeText(double(load->residentBytes)) : QString());
    });
}

void RankRows::addDeviceColumns()
{
    const RunSnapshot &run = m_run;
    const auto add = [&](const QString &heading, int cells, int worth,
                         const std::function<LogRun(const RunSamples::Sample &)> &text) {
        m_columns << Column{heading, cells, true, worth, [&run, text](int process) {
                                const RunSamples::Sample *sample = run.samples.of(process);
                                return sample && sample->device ? text(*sample) : LogRun();
                            }};
    };
    add(tr("NPU%"), 4, 7, [](const RunSamples::Sample &sample) {
        const auto busy = sample.busyPercent();
        return textRun(busy ? QString::number(*busy) : QString());
    });
    add(tr("HBM"), 11, 6, [](const RunSamples::Sample &sample) {
        const Amount memory = sample.memory();
        if (!memory.used)
            return LogRun();
        const QString used = mbText(*memory.used);
        constexpr double nearlyFull = 95;
        const bool isFull = memory.percent().value_or(0) >= nearlyFull;
        return textRun(memory.total ? u"%1/%2"_s.arg(used, mbText(*memory.total)) : used,
                       isFull ? Look::Warning : Look::Plain);
    });
    add(tr("TEMP"), 4, 1, [](const RunSamples::Sample &sample) {
        const auto temperature = sample.device->temperatureC;
        return textRun(temperature ? QString::number(*temperature) : QString());
    });
    add(tr("WATT"), 5, 0, [](const RunSamples::Sample &sample) {
        const auto power = sample.device->powerW;
        return textRun(power ? QString::number(*power, 'f', 1) : QString());
    });
}

LogRun RankRows::remark(int process) const
{
    const RankState &rank = m_run.rankOf(process);
    const Look look = m_run.state.shownPhase(rank) == RankPhase::Failed ? Look::Bad : Look::Plain;
    const auto finding = m_run.findings.constFind(process);
    if (finding != m_run.findings.constEnd())
        return textRun(*finding, look);
    if (rank.status && !rank.status->isSuccess())
        return textRun(rank.status->text(), look);
    const QString alarm = m_run.state.deviceAlarm(process);
    if (!alarm.isEmpty())
        return textRun(alarm, Look::Bad);
    const QDateTime silent = m_run.state.silentSince(process);
    if (silent.isValid())
        return textRun(tr("silent for %1").arg(elapsedText(silent.secsTo(m_run.now))), Look::Warning);
    const QString node = m_run.planOf(process).node;
    const RunSamples::Sample *sample = m_run.samples.of(process);
    if (sample && !sample->foreign.isEmpty())
        return textRun(tr("%1, shared with pid %2").arg(node).arg(sample->foreign.first().process.pid),
                       Look::Warning);
    return textRun(node, Look::Dim);
}

QList<LogRun> RankRows::heading() const
{
    QString line;
    for (const Column &column : m_columns)
        line += inCells(column.heading, column.cells, column.isNumber) + u' ';
    return {LogRun{line, styleOf(Look::Label)}};
}

QList<LogRun> RankRows::row(int process) const
{
    QList<LogRun> runs;
    for (const Column &column : m_columns) {
        const LogRun text = column.text(process);
        runs << LogRun{inCells(text.text, column.cells, column.isNumber) + u' ', text.style};
    }
    return runs;
}

/// Returns 0 for the worst, more for better ones.
static int severityOf(const RunSnapshot &run, int process)
{
    constexpr std::array worstFirst{RankPhase::Failed,  RankPhase::Unknown, RankPhase::Ended,
                                    RankPhase::Running, RankPhase::Writing, RankPhase::Waiting,
                                    RankPhase::Stopped, RankPhase::Exited};
    const RankPhase phase = run.state.shownPhase(run.rankOf(process));
    const auto place = std::ranges::find(worstFirst, phase) - worstFirst.begin();
    return int(2 * place) - (isTroubled(run, process) ? 1 : 0);
}

QList<int> rankOrder(const RunSnapshot &run, const RankOrder &order, const SampleFilter &filter)
{
    QList<int> processes;
    QList<RankLook> looks;
    for (int process = 0; process < int(run.state.ranks.size()); ++process) {
        const ProcessPlan &plan = run.planOf(process);
        if (filter.isEmpty() && order == RankOrder()) {
            processes << process;
            continue;
        }
        const RunSamples::Sample *sample = run.samples.of(process);
        RankLook look{
            .place = process,
            .rank = plan.role == Role::Worker ? std::optional(plan.rank.value) : std::nullopt,
            .text = u"%1 %2 %3"_s.arg(processName(run, process), plan.node, run.findings.value(process)),
            .states = {stateOf(run, process).text, phaseWord(run.rankOf(process).phase)},
            .severity = severityOf(run, process),
            .alarm = run.state.deviceAlarm(process),
            .sample = sample ? *sample : RunSamples::Sample()};
        if (!filter.wants(look))
            continue;
        processes << process;
        looks << look;
    }
    if (looks.isEmpty())
        return processes;
    return listOf(inOrder(looks, order), [&](int place) { return processes[place]; });
}

static QChar letterOf(const RunSnapshot &run, int process)
{
    const RankState &rank = run.rankOf(process);
    if (rank.phase == RankPhase::Running && isTroubled(run, process))
        return u'!';
    // By RankPhase.
    static constexpr std::array letters{u'-', u'R', u'.', u'F', u'?', u'S', u'?', u'R'};
    static_assert(letters.size() == std::size_t(RankPhase::Writing) + 1);
    return letters.at(std::size_t(run.state.shownPhase(rank)));
}

constexpr int mapMargin = 6;

int rankMapColumns(int cells)
{
    constexpr int mostColumns = 64;
    constexpr int step = 8;
    return std::clamp((cells - mapMargin) / step * step, step, mostColumns);
}

QList<ScreenLine> rankMap(const RunSnapshot &run, const QList<int> &processes, int chosen, int cells)
{
    QList<ScreenLine> lines;
    const int columns = rankMapColumns(cells);
    for (qsizetype at = 0; at < processes.size(); ++at) {
        if (at % columns == 0) {
            const QString first = QString::number(run.planOf(processes[at]).rank.value);
            lines << ScreenLine{{textRun(inCells(first, mapMargin - 1, true) + u' ', Look::Label)}};
        }
        LogRun letter{QString(letterOf(run, processes[at])), stateOf(run, processes[at]).style};
        letter.style.underline = processes[at] == chosen;
        letter.style.bold = letter.style.bold || letter.style.underline;
        QList<LogRun> &runs = lines.last().runs;
        if (runs.last().style == letter.style && at % columns != 0)
            runs.last().text += letter.text;
        else
            runs << letter;
    }
    return lines;
}

static QString historyText(const QList<std::optional<double>> &recent)
{
    static const QString blocks = u"▁▂▃▄▅▆▇█"_s;
    double most = 100;
    for (const auto &each : recent)
        most = std::max(most, each.value_or(0));
    QString text;
    for (const auto &each : recent) {
        const double part = each.value_or(0) / most * double(blocks.size() - 1);
        text += each ? blocks[qsizetype(std::lround(part))] : QChar(u' ');
    }
    return text;
}

static void addDevice(QStringList &lines, const RunSamples::Sample &sample)
{
    const DeviceSample &device = *sample.device;
    const auto add = [&](const QString &name, const QString &value) {
        lines << inCells(name, 24) + value;
    };
    add(tr("NPU"), shownName(device.name));
    if (device.ids.logical)
        add(tr("device"), QString::number(device.ids.logical->value));
    if (device.ids.bus)
        add(tr("bus"), device.ids.bus->text);
    add(tr("health"), device.healthWord);
    forEachNumber(device, [&](const char *name, const auto &number) {
        if (number)
            add(QString::fromLatin1(name).replace(u'_', u' '), QString::number(*number));
    });
    if (device.isLinkUp)
        add(tr("link"), *device.isLinkUp ? tr("up") : tr("down"));
    for (const quint32 code : device.errorCodes.value_or(QList<quint32>()))
        add(tr("error code"), u"0x%1"_s.arg(code, 8, 16, '0'_L1));
    for (const DeviceUser &user : sample.users) {
        const QString memory = user.process.memoryMb ? mbText(*user.process.memoryMb) : QString();
        add(user.isForeign() ? tr("used by another process") : tr("used by this run"),
            tr("pid %1").arg(user.process.pid) + u"  %1  %2  %3"_s.arg(user.user, user.process.name, memory));
    }
}

QString rankDetails(const RunSnapshot &run, int process)
{
    const RankState &rank = run.rankOf(process);
    const ProcessPlan &plan = run.planOf(process);
    QStringList lines;
    const auto add = [&](const QString &name, const QString &value) {
        if (!value.isEmpty())
            lines << inCells(name, 24) + value;
    };
    add(processName(run, process), stateOf(run, process).text);
    add(tr("node"), plan.node);
    add(tr("pid"), rank.pid > 0 ? QString::number(rank.pid) : QString());
    if (rank.started.isValid())
        add(tr("time"), elapsedText(rank.started.secsTo(rank.ended.isValid() ? rank.ended : run.now)));
    add(tr("ended"), rank.status ? rank.status->text() : QString());
    add(tr("finding"), run.findings.value(process));
    add(tr("NPU alarm"), run.state.deviceAlarm(process));
    if (std::size_t(process) < run.progress.size()) {
        const RankProgress &progress = run.progress[std::size_t(process)];
        add(tr("progress"), progressText(progress));
        add(tr("step time"), progress.stepMs ? stepTimeText(*progress.stepMs) : QString());
    }
    if (const RunSamples::Sample *sample = run.samples.of(process)) {
        add(tr("busy, last 5 minutes"), historyText(run.samples.recent(process)));
        if (sample->load) {
            const TreeLoad &load = *sample->load;
            add(tr("processes"), QString::number(load.processes));
            add(tr("memory"), sizeText(double(load.residentBytes)));
            add(tr("cpu"), load.cpuPercent ? u"%1 %"_s.arg(std::lround(*load.cpuPercent)) : QString());
            add(tr("read per second"),
                load.readBytesPerSecond ? sizeText(*load.readBytesPerSecond) : QString());
            add(tr("written per second"),
                load.writtenBytesPerSecond ? sizeText(*load.writtenBytesPerSecond) : QString());
        }
        if (sample->device)
            addDevice(lines, *sample);
    }
    add(tr("log"), plan.logFile);
    add(tr("standard error"), plan.stderrFile);
    add(tr("command"), plan.argv.join(u' '));
    return lines.join(u'\n');
}

} // namespace rankdeck

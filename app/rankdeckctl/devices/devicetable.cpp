#include "rankdeckctl/devices/devicetable.h"

#include "agent/preflight/openruns.h"
#include "base/listcomma.h"
#include "base/times.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

static void insertProcess(JsonText &json, const ProcessPlan &process)
{
    json.insert("role", roleWord(process.role));
    insertRank(json, process);
}

static JsonText loadJson(const TreeLoad &load)
{
    return {{"processes", load.processes},
            {"resident_bytes", load.residentBytes},
            {"cpu_percent", load.cpuPercent},
            {"read_bytes_per_second", load.readBytesPerSecond},
            {"written_bytes_per_second", load.writtenBytesPerSecond}};
}

static JsonText userJson(DeviceUser user, const LaunchPlan &plan)
{
    const bool isOurs = !user.isForeign() && user.owner < int(plan.processes.size());
    const int owner = std::exchange(user.owner, -1); // Which is not written.
    JsonText json = user;
    if (isOurs)
        insertProcess(json, plan.processes[std::size_t(owner)]);
    return json;
}

/// Returns a node of a run as JSON: {"node", "time" (of the sample), "processes", "problem" (why the NPUs
/// cannot be read, or null)}, and where NPUs were read what `rankdeckctl devices --json` says of a machine,
/// "time" being "devices_time" there. Each process has "role", "rank" (null: no worker), "device_index" (in
/// "devices", or null) and "load" (of its tree, or null); each one on an NPU has "role" and "rank" if it is
/// the run's.
static JsonText nodeJson(const NodeSample &sample, const RunState &state)
{
    QList<JsonText> processes;
    for (std::size_t index = 0; index < state.plan->processes.size(); ++index) {
        const int process = int(index);
        const auto chip = sample.chips.constFind(process);
        const auto load = sample.loads.constFind(process);
        const bool hasChip = chip != sample.chips.constEnd();
        const bool hasLoad = load != sample.loads.constEnd();
        if (!hasChip && !hasLoad)
            continue;
        JsonText json;
        insertProcess(json, state.plan->processes[index]);
        json.insert("device_index", hasChip ? JsonText(*chip) : JsonText());
        json.insert("load", hasLoad ? loadJson(*load) : JsonText());
        processes << json;
    }
    JsonText json;
    if (sample.devices) {
        json = *sample.devices;
        json.insert("devices_time", sample.devices->time);
        QList<JsonText> devices;
        for (const DeviceSample &device : sample.devices->samples) {
            JsonText deviceJson = device;
            if (devices.size() < sample.users.size())
                deviceJson.insert("processes",
                                  JsonText::list(sample.users[devices.size()], [&](const DeviceUser &user) {
                                      return userJson(user, *state.plan);
                                  }));
            devices << deviceJson;
        }
        json.insert("devices", devices);
    }
    json.insert("node", sample.node);
    json.insert("time", jsonTime(sample.time));
    json.insert("problem", sample.problem);
    json.insert("processes", processes);
    return json;
}

namespace
{

const QString absentText = u"-"_s; ///< Shown in a table for unknown values.

/// A column of a table for a terminal, with a text for each row.
struct TableColumn {
    QString heading;
    bool isNumber = true; ///< Aligned to the right.
    QStringList texts;
};

/// Returns the heading and the rows, with two blanks between columns. Leaves out columns of absentText alone.
QStringList columnTable(const QList<TableColumn> &columns)
{
    QByteArray alignment;
    QList<QStringList> rows;
    for (const TableColumn &column : columns) {
        if (column.texts.count(absentText) == column.texts.size())
            continue;
        alignment += column.isNumber ? 'r' : 'l';
        rows.resize(column.texts.size() + 1);
        rows[0] << column.heading;
        for (qsizetype row = 1; row < rows.size(); ++row)
            rows[row] << column.texts[row - 1];
    }
    return tableLines(rows, alignment);
}

template <typename Number>
QString numberText(const std::optional<Number> &number)
{
    return number ? QString::number(*number) : absentText;
}

constexpr double bytesPerMb = 1024.0 * 1024.0;

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
        const QString text = tr("%1 (pid %2)").arg(name).arg(other.process.pid);
        texts << (other.user.isEmpty() ? text : tr("%1 of %2").arg(text, other.user));
    }
    return texts.isEmpty() ? absentText : visibleText(texts.join(listComma()));
}

/// Whether it runs, or is still to be started.
bool isToRun(const RankState &rank)
{
    return rank.phase == RankPhase::Running || rank.phase == RankPhase::Waiting;
}

template <typename Id>
QString idText(const std::optional<Id> &id)
{
    return id ? QString::number(id->value) : absentText;
}

QString wordText(const QString &word)
{
    return word.isEmpty() ? absentText : visibleText(word);
}

QString amountText(const Amount &amount)
{
    return amount.total || amount.used ? u"%1/%2"_s.arg(numberText(amount.used), numberText(amount.total))
                                       : absentText;
}

QString clockText(const DeviceSample &sample)
{
    if (!sample.clockMhz)
        return absentText;
    return sample.isThrottled() ? tr("%1 of %2").arg(*sample.clockMhz).arg(*sample.ratedClockMhz)
                                : QString::number(*sample.clockMhz);
}

QString codesText(const DeviceSample &sample)
{
    const QStringList codes = listOf(sample.errorCodes.value_or(QList<quint32>()),
                                     [&](quint32 code) { return u"0x%1"_s.arg(code, 8, 16, '0'_L1); });
    return codes.isEmpty() ? absentText : codes.join(','_L1);
}

struct ChipColumn {
    QString heading;
    bool isNumber = true;
    std::function<QString(const DeviceSample &)> text;
};

QList<ChipColumn> chipColumns()
{
    using Sample = const DeviceSample &;
    QList<ChipColumn> columns;
    const auto number = [&](const QString &heading, auto text) {
        columns << ChipColumn{heading, true, text};
    };
    const auto word = [&](const QString &heading, auto text) {
        columns << ChipColumn{heading, false, text};
    };
    number(tr("DEVICE"), [](Sample s) { return idText(s.ids.logical); });
    number(tr("PHYSICAL"), [](Sample s) { return idText(s.ids.physical); });
    number(tr("CARD"), [](Sample s) { return idText(s.ids.card); });
    number(tr("CHIP"), [](Sample s) { return idText(s.ids.chip); });
    word(tr("BUS"), [](Sample s) { return s.ids.bus ? visibleText(s.ids.bus->text) : absentText; });
    word(tr("NAME"), [](Sample s) { return wordText(s.name); });
    word(tr("HEALTH"), [](Sample s) { return wordText(s.healthWord); });
    number(tr("AICORE %"), [](Sample s) { return numberText(s.rates.aiCore); });
    number(tr("NPU %"), [](Sample s) { return numberText(s.rates.npu); });
    number(tr("HBM MB"), [](Sample s) { return amountText(s.hbm); });
    number(tr("DDR MB"), [](Sample s) { return amountText(s.ddr); });
    number(tr("TEMP C"), [](Sample s) { return numberText(s.temperatureC); });
    number(tr("POWER W"), [](Sample s) { return fixedText(s.powerW, 1, 1); });
    number(tr("CLOCK MHZ"), [](Sample s) { return clockText(s); });
    word(tr("LINK"),
         [](Sample s) { return s.isLinkUp ? (*s.isLinkUp ? tr("up") : tr("down")) : absentText; });
    word(tr("ERRORS"), codesText);
    return columns;
}

QStringList chipLines(const QList<DeviceSample> &samples)
{
    QList<TableColumn> columns;
    for (const ChipColumn &column : chipColumns()) {
        TableColumn &texts = columns.emplace_back(TableColumn{column.heading, column.isNumber, {}});
        for (const DeviceSample &sample : samples)
            texts.texts << column.text(sample);
    }
    return columnTable(columns);
}

void addRow(QList<TableColumn> &columns, const QStringList &row)
{
    for (qsizetype column = 0; column < row.size(); ++column)
        columns[column].texts << row[column];
}

QStringList processLines(const QList<DeviceSample> &samples)
{
    const QList<OpenRun> runs = openRuns();
    const PidView view = pidViewOfAll();
    QList<TableColumn> columns{{tr("DEVICE"), true, {}},    {tr("PID"), true, {}},   {tr("USER"), false, {}},
                               {tr("MEMORY MB"), true, {}}, {tr("NAME"), false, {}}, {tr("RUN"), false, {}}};
    for (const DeviceSample &sample : samples) {
        const QList<DeviceProcess> processes = sample.processes.value_or(QList<DeviceProcess>());
        for (const DeviceUser &user : joinProcesses(processes, view)) {
            const OpenRun *run = user.ownPid > 0 ? runOf(pid_t(user.ownPid), runs) : nullptr;
            const QStringList row{idText(sample.ids.logical),  QString::number(user.process.pid),
                                  wordText(user.user),         numberText(user.process.memoryMb),
                                  wordText(user.process.name), wordText(run ? run->record.name : QString())};
            addRow(columns, row);
        }
    }
    return columns.first().texts.isEmpty() ? QStringList() : columnTable(columns);
}

/// Returns a row for each process with a sample: its rank, its NPU, what its tree uses and who else is on its
/// NPU; with the columns that have a value.
QStringList runDevicesTable(const RunState &state, const RunSamples &samples)
{
    QList<TableColumn> columns{{tr("RANK"), true, {}}, {tr("NODE"), false, {}}};
    const QList<ChipColumn> ofDevices = chipColumns();
    for (const ChipColumn &column : ofDevices)
        columns << TableColumn{column.heading, column.isNumber, {}};
    columns << TableColumn{tr("CPU %"), true, {}} << TableColumn{tr("MEM MB"), true, {}}
            << TableColumn{tr("PROCS"), true, {}} << TableColumn{tr("READ MB/S"), true, {}}
            << TableColumn{tr("WRITTEN MB/S"), true, {}} << TableColumn{tr("OTHERS"), false, {}};
    for (std::size_t index = 0; index < state.plan->processes.size(); ++index) {
        const RunSamples::Sample *sample = samples.of(int(index));
        if (!sample)
            continue;
        const ProcessPlan &process = state.plan->processes[index];
        QStringList row{process.role == Role::Worker ? QString::number(process.rank.value)
                                                     : roleWord(process.role),
                        visibleText(process.node)};
        for (const ChipColumn &column : ofDevices)
            row << (sample->device ? column.text(*sample->device) : absentText);
        const TreeLoad load = sample->load.value_or(TreeLoad());
        row << fixedText(load.cpuPercent, 1, 0);
        row << (sample->load ? fixedText(double(load.residentBytes), bytesPerMb, 0) : absentText);
        row << (sample->load ? QString::number(load.processes) : absentText);
        row << fixedText(load.readBytesPerSecond, bytesPerMb, 1)
            << fixedText(load.writtenBytesPerSecond, bytesPerMb, 1) << othersText(sample->foreign);
        addRow(columns, row);
    }
    return columnTable(columns);
}

} // namespace

QStringList deviceTable(const DeviceReading &reading)
{
    QStringList lines = chipLines(reading.samples);
    const QStringList processes = processLines(reading.samples);
    if (!processes.isEmpty())
        lines << QString() << processes;
    return lines;
}

void RunDevices::request(RunClient &client, const RunState & /*state*/)
{
    QObject::connect(&client, &RunClient::sampled, [this](const NodeSample &sample) { addSample(sample); });
    client.sample({true, -1});
}

bool RunDevices::update(const RunState &state, const RunState * /*before*/)
{
    bool isAnyLeft = false;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        if (state.ranks[index].phase != RankPhase::Running)
            m_samples.forget(int(index));
        isAnyLeft = isAnyLeft || isToRun(state.ranks[index]);
    }
    if (!isAnyLeft)
        say(tr("rankdeckctl: no process of the run is running any more"));
    return !isAnyLeft;
}

bool RunDevices::isComplete() const
{
    const auto &ranks = state().ranks;
    for (std::size_t index = 0; index < ranks.size(); ++index) {
        if (isToRun(ranks[index]) && !m_heard.contains(state().plan->processes[index].node))
            return false;
    }
    return true;
}

void RunDevices::addSample(const NodeSample &sample)
{
    m_samples.take(sample);
    m_newest.insert(sample.node, sample);
    const auto hasCpu = std::any_of(sample.loads.begin(), sample.loads.end(),
                                    [](const TreeLoad &load) { return load.cpuPercent.has_value(); });
    if (hasCpu && !sample.isAwaitingDevices)
        m_heard.insert(sample.node);
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
        const JsonText nodes =
            JsonText::list(m_newest, [&](const NodeSample &sample) { return nodeJson(sample, state()); });
        printJson({{"run", state().name}, {"nodes", nodes}}, !m_seconds);
        return;
    }
    if (m_seconds)
        rankdeck::print(m_printed.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s));
    for (auto problem = m_samples.problems().begin(); problem != m_samples.problems().end(); ++problem)
        say(u"rankdeckctl: "_s + withColon(problem.key(), visibleText(problem->sentence())));
    for (const QString &line : runDevicesTable(state(), m_samples))
        rankdeck::print(line);
    if (m_seconds)
        rankdeck::print(QString());
}

} // namespace rankdeck

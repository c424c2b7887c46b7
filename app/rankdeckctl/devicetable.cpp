#include "devicetable.h"

#include "output.h"
#include "run/pidview.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("devicetable", text);
}

const QString absent = QStringLiteral("-");

template <typename Number>
QString numberText(const std::optional<Number> &number)
{
    return number ? QString::number(*number) : absent;
}

template <typename Id>
QString idText(const std::optional<Id> &id)
{
    return id ? QString::number(id->value) : absent;
}

QString amountText(const Amount &amount)
{
    return amount.total || amount.used
               ? QStringLiteral("%1/%2").arg(numberText(amount.used), numberText(amount.total))
               : absent;
}

QString clockText(const DeviceSample &sample)
{
    if (!sample.clockMhz)
        return absent;
    return sample.isThrottled() ? tr("%1 of %2").arg(*sample.clockMhz).arg(*sample.ratedClockMhz)
                                : QString::number(*sample.clockMhz);
}

QString codesText(const DeviceSample &sample)
{
    QStringList codes;
    for (const quint32 code : sample.errorCodes.value_or(QList<quint32>()))
        codes << QStringLiteral("0x%1").arg(code, 8, 16, QLatin1Char('0'));
    return codes.isEmpty() ? absent : codes.join(QLatin1Char(','));
}

struct Column {
    QString heading;
    bool isNumber = true;
    std::function<QString(const DeviceSample &)> text;
};

QList<Column> deviceColumns()
{
    using Sample = const DeviceSample &;
    return {
        {tr("DEVICE"), true,
         [](Sample s) {
             return idText(s.ids.logical);
         }},
        {tr("PHYSICAL"), true,
         [](Sample s) {
             return idText(s.ids.physical);
         }},
        {tr("CARD"), true,
         [](Sample s) {
             return idText(s.ids.card);
         }},
        {tr("CHIP"), true,
         [](Sample s) {
             return idText(s.ids.chip);
         }},
        {tr("BUS"), false,
         [](Sample s) {
             return s.ids.bus ? visibleText(s.ids.bus->text) : absent;
         }},
        {tr("NAME"), false,
         [](Sample s) {
             return s.name.isEmpty() ? absent : visibleText(s.name);
         }},
        {tr("HEALTH"), false,
         [](Sample s) {
             return s.healthWord.isEmpty() ? absent : visibleText(s.healthWord);
         }},
        {tr("AICORE %"), true,
         [](Sample s) {
             return numberText(s.rates.aiCore);
         }},
        {tr("NPU %"), true,
         [](Sample s) {
             return numberText(s.rates.npu);
         }},
        {tr("HBM MB"), true,
         [](Sample s) {
             return amountText(s.hbm);
         }},
        {tr("DDR MB"), true,
         [](Sample s) {
             return amountText(s.ddr);
         }},
        {tr("TEMP C"), true,
         [](Sample s) {
             return numberText(s.temperatureC);
         }},
        {tr("POWER W"), true,
         [](Sample s) {
             return numberText(s.powerW);
         }},
        {tr("CLOCK MHZ"), true,
         [](Sample s) {
             return clockText(s);
         }},
        {tr("LINK"), false,
         [](Sample s) {
             return s.isLinkUp ? (*s.isLinkUp ? tr("up") : tr("down")) : absent;
         }},
        {tr("ERRORS"), false,
         [](Sample s) {
             return codesText(s);
         }},
    };
}

/// Rows of equal columns, two blanks between them.
QStringList aligned(const QList<QStringList> &rows, const QList<bool> &areNumbers)
{
    QList<qsizetype> widths(areNumbers.size(), 0);
    for (const QStringList &row : rows) {
        for (qsizetype column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], row[column].size());
    }
    QStringList lines;
    for (const QStringList &row : rows) {
        QStringList cells;
        for (qsizetype column = 0; column < row.size(); ++column)
            cells << (areNumbers[column] ? row[column].rightJustified(widths[column])
                                         : row[column].leftJustified(widths[column]));
        QString line = cells.join(QStringLiteral("  "));
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
        lines << line;
    }
    return lines;
}

QStringList chipLines(const QList<DeviceSample> &samples)
{
    QList<QStringList> rows(samples.size() + 1);
    QList<bool> areNumbers;
    for (const Column &column : deviceColumns()) {
        QStringList texts;
        for (const DeviceSample &sample : samples)
            texts << column.text(sample);
        if (texts.count(absent) == texts.size())
            continue;
        rows[0] << column.heading;
        areNumbers << column.isNumber;
        for (qsizetype row = 0; row < texts.size(); ++row)
            rows[row + 1] << texts[row];
    }
    return aligned(rows, areNumbers);
}

QStringList processLines(const QList<DeviceSample> &samples, const RunOfPid &runOfPid)
{
    const PidView view = pidViewOfAll();
    QList<QStringList> rows{{tr("DEVICE"), tr("PID"), tr("USER"), tr("MEMORY MB"), tr("NAME"), tr("RUN")}};
    for (const DeviceSample &sample : samples) {
        const QList<DeviceProcess> processes = sample.processes.value_or(QList<DeviceProcess>());
        for (const DeviceUser &user : joinProcesses(processes, view)) {
            const QString run = user.ownPid > 0 ? runOfPid(user.ownPid) : QString();
            const QString &name = user.process.name;
            rows << QStringList{idText(sample.ids.logical),
                                QString::number(user.process.pid),
                                user.user.isEmpty() ? absent : visibleText(user.user),
                                numberText(user.process.memoryMb),
                                name.isEmpty() ? absent : visibleText(name),
                                run.isEmpty() ? absent : visibleText(run)};
        }
    }
    return rows.size() > 1 ? aligned(rows, {true, true, false, true, false, false}) : QStringList();
}

} // namespace

QStringList deviceTable(const DeviceReading &reading, const RunOfPid &runOfPid)
{
    QStringList lines = chipLines(reading.samples);
    const QStringList processes = processLines(reading.samples, runOfPid);
    if (!processes.isEmpty())
        lines << QString() << processes;
    return lines;
}

} // namespace rankdeck

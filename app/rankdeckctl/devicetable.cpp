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
    return amount.total || amount.used
               ? QStringLiteral("%1/%2").arg(numberText(amount.used), numberText(amount.total))
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
    QStringList codes;
    for (const quint32 code : sample.errorCodes.value_or(QList<quint32>()))
        codes << QStringLiteral("0x%1").arg(code, 8, 16, QLatin1Char('0'));
    return codes.isEmpty() ? absentText : codes.join(QLatin1Char(','));
}

} // namespace

QList<ChipColumn> chipColumns()
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
             return s.ids.bus ? visibleText(s.ids.bus->text) : absentText;
         }},
        {tr("NAME"), false,
         [](Sample s) {
             return wordText(s.name);
         }},
        {tr("HEALTH"), false,
         [](Sample s) {
             return wordText(s.healthWord);
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
             return s.powerW ? QString::number(*s.powerW, 'f', 1) : absentText;
         }},
        {tr("CLOCK MHZ"), true,
         [](Sample s) {
             return clockText(s);
         }},
        {tr("LINK"), false,
         [](Sample s) {
             return s.isLinkUp ? (*s.isLinkUp ? tr("up") : tr("down")) : absentText;
         }},
        {tr("ERRORS"), false,
         [](Sample s) {
             return codesText(s);
         }},
    };
}

namespace
{

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

QStringList processLines(const QList<DeviceSample> &samples, const RunOfPid &runOfPid)
{
    const PidView view = pidViewOfAll();
    QList<TableColumn> columns{{tr("DEVICE"), true, {}},    {tr("PID"), true, {}},   {tr("USER"), false, {}},
                               {tr("MEMORY MB"), true, {}}, {tr("NAME"), false, {}}, {tr("RUN"), false, {}}};
    for (const DeviceSample &sample : samples) {
        const QList<DeviceProcess> processes = sample.processes.value_or(QList<DeviceProcess>());
        for (const DeviceUser &user : joinProcesses(processes, view)) {
            const QString run = user.ownPid > 0 ? runOfPid(user.ownPid) : QString();
            const QStringList row{idText(sample.ids.logical),  QString::number(user.process.pid),
                                  wordText(user.user),         numberText(user.process.memoryMb),
                                  wordText(user.process.name), wordText(run)};
            for (qsizetype column = 0; column < row.size(); ++column)
                columns[column].texts << row[column];
        }
    }
    return columns.first().texts.isEmpty() ? QStringList() : columnTable(columns);
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

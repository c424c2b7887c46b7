#include "launch/cpubinding.h"

#include "json.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

/// A range that is longer holds cpus that no machine has.
constexpr int mostCpus = 65536;

QString tr(const char *text)
{
    return QCoreApplication::translate("cpuBinding", text);
}

Error wrong(const QString &what, const QString &mend = {})
{
    return {what, {}, mend};
}

Result<QList<int>> readRange(const QString &device, const Json &json)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,6})-(\\d{1,6})$"));
    const QString text = json.is_string() ? json.get<QString>() : QString::fromStdString(json.dump());
    const auto match = pattern.match(text);
    const QString mend = tr("Write first and last cpu as a string, for example \"0-10\".");
    if (!json.is_string() || !match.hasMatch())
        return wrong(tr("%1 of %2 is not a range of cpus").arg(text, device), mend);
    const int first = match.captured(1).toInt();
    const int last = match.captured(2).toInt();
    if (first > last || last >= mostCpus)
        return wrong(tr("the range %1 of %2 is empty or too large").arg(text, device), mend);
    QList<int> cpus;
    for (int cpu = first; cpu <= last; ++cpu)
        cpus << cpu;
    return cpus;
}

Result<QList<int>> readRanges(const QString &device, const Json &json)
{
    if (!json.is_array() || json.empty())
        return wrong(tr("the value of %1 is not a list of ranges").arg(device),
                     tr("Write for example \"%1\":[\"0-10\"].").arg(device));
    QList<int> cpus;
    for (const Json &entry : json) {
        const auto range = readRange(device, entry);
        if (!range)
            return range.error();
        cpus << *range;
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

Result<CpuBinding> readBinding(const QString &text)
{
    if (text.compare(QLatin1String("false"), Qt::CaseInsensitive) == 0)
        return CpuBinding{};
    if (text.compare(QLatin1String("true"), Qt::CaseInsensitive) == 0)
        return CpuBinding{CpuBinding::Kind::Even, {}};
    const auto json = parseJson(text.toUtf8());
    if (!json || !json->is_object())
        return wrong(tr("\"%1\" is neither True, nor False, nor a JSON object").arg(text),
                     tr("Write for example {\"device0\":[\"0-10\"]}."));
    CpuBinding binding{CpuBinding::Kind::ByDevice, {}};
    static const QRegularExpression key(QStringLiteral("^device(\\d{1,6})$"));
    for (const auto &[name, value] : json->items()) {
        const QString device = QString::fromStdString(name);
        const auto match = key.match(device);
        if (!match.hasMatch())
            return wrong(tr("\"%1\" does not name a device").arg(device),
                         tr("Write device0, device1 and so on."));
        const auto cpus = readRanges(device, value);
        if (!cpus)
            return cpus.error();
        binding.byDevice.insert(match.captured(1).toInt(), *cpus);
    }
    return binding;
}

} // namespace

Result<CpuBinding> readCpuBinding(const QString &text, const QString &option)
{
    auto binding = readBinding(text);
    if (!binding)
        return Error{binding.error().what, option, binding.error().mend};
    return binding;
}

Result<QList<QList<int>>> bindLocalRanks(const QString &bindCore, const QString &option, int workers,
                                         const QList<int> &cpus, QStringList &notes)
{
    const auto binding = readCpuBinding(bindCore, option);
    if (!binding)
        return binding.error();
    if (binding->kind == CpuBinding::Kind::Even) {
        if (cpus.size() < workers)
            notes << tr("The workers are not bound to cpus: %1 cpus are too few for %2 workers.")
                         .arg(cpus.size())
                         .arg(workers);
        return evenShares(cpus, workers);
    }
    QList<QList<int>> shares(workers);
    QStringList unbound;
    for (int device = 0; device < workers && binding->kind == CpuBinding::Kind::ByDevice; ++device) {
        shares[device] = binding->byDevice.value(device);
        if (shares[device].isEmpty())
            unbound << QString::number(device);
        for (const int cpu : std::as_const(shares[device])) {
            if (!cpus.contains(cpu))
                return Error{
                    tr("cpu %1 of device%2 is none that this process may run on").arg(cpu).arg(device),
                    option, tr("See taskset -cp $$.")};
        }
    }
    if (!unbound.isEmpty())
        notes << tr("%1 names no cpus for device %2: not bound.")
                     .arg(option, unbound.join(QLatin1String(", ")));
    return shares;
}

QList<QList<int>> evenShares(const QList<int> &cpus, int parts)
{
    const qsizetype share = cpus.size() / std::max(parts, 1);
    QList<QList<int>> shares;
    for (int part = 0; part < parts; ++part)
        shares << cpus.mid(part * share, share);
    return shares;
}

} // namespace rankdeck

#include "run/samples/samplefilter.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankdeck
{

namespace
{

template <typename Number>
std::optional<double> number(const std::optional<Number> &value)
{
    return value ? std::optional<double>(double(*value)) : std::nullopt;
}

std::optional<double> deviceNumber(RankValue value, const RunSamples::Sample &sample)
{
    if (!sample.device)
        return std::nullopt;
    switch (value) {
    case RankValue::AiCore:
        return number(sample.busyPercent());
    case RankValue::Hbm: {
        const auto percent = sample.memory().percent();
        return percent ? percent : number(sample.device->rates.hbm);
    }
    case RankValue::Temperature:
        return number(sample.device->temperatureC);
    case RankValue::Power:
        return sample.device->powerW;
    case RankValue::Health:
        return sample.device->health ? std::optional<double>(double(*sample.device->health)) : std::nullopt;
    case RankValue::Clock:
        return number(sample.device->clockMhz);
    case RankValue::Foreign:
        return number(sample.foreignCount());
    default:
        return std::nullopt;
    }
}

constexpr double kibi = 1024;

/// A unit behind a number, and its size in the unit of the value.
struct Unit {
    const char *name = nullptr;
    double factor = 1;
};

/// A value that is compared with a number.
struct Quantity {
    const char *name = nullptr;
    RankValue value = RankValue::Place;
    QList<Unit> units;           ///< None: any number is bare.
    bool mayBeBare = true;       ///< A number without a unit is in the first one.
    const char *meant = nullptr; ///< Units as a sentence names them.
};

const QList<Unit> &byteUnits()
{
    static const QList<Unit> bytes{
        {"GB", kibi * kibi * kibi}, {"MB", kibi * kibi}, {"kB", kibi}, {"TB", kibi * kibi * kibi * kibi}};
    return bytes;
}

const QList<Quantity> &quantities()
{
    static const QList<Unit> percent{{"%", 1}};
    static const QList<Unit> rates{
        {"MB/s", kibi * kibi}, {"MB", kibi * kibi},          {"kB/s", kibi},
        {"kB", kibi},          {"GB/s", kibi * kibi * kibi}, {"GB", kibi * kibi * kibi}};
    static const QList<Quantity> all{
        {"ai", RankValue::AiCore, percent, true, "%"},
        {"hbm", RankValue::Hbm, percent, false, "%, GB or MB"},
        {"temp", RankValue::Temperature, {{"C", 1}, {"°C", 1}}, true, "°C"},
        {"power", RankValue::Power, {{"W", 1}}, true, "W"},
        {"clock", RankValue::Clock, {{"MHz", 1}, {"GHz", 1000}}, true, "MHz or GHz"},
        {"cpu", RankValue::Cpu, percent, true, "%"},
        {"mem", RankValue::Memory, byteUnits(), false, "GB or MB"},
        {"read", RankValue::Read, rates, false, "MB, kB or GB"},
        {"written", RankValue::Written, rates, false, "MB, kB or GB"},
        {"foreign", RankValue::Foreign, {}, true, ""},
    };
    return all;
}

bool isSame(const QString &one, const char *other)
{
    return one.compare(QString::fromUtf8(other), Qt::CaseInsensitive) == 0;
}

bool holds(double one, const QString &comparator, double other)
{
    if (comparator == "<"_L1)
        return one < other;
    if (comparator == "<="_L1)
        return one <= other;
    if (comparator == ">"_L1)
        return one > other;
    if (comparator == ">="_L1)
        return one >= other;
    // Rounded, as values are shown.
    const bool isEqual = std::round(one) == std::round(other);
    return comparator == "!="_L1 ? !isEqual : isEqual;
}

/// A number and the text behind it.
struct Given {
    double number = 0;
    QString unit;
};

Result<Given> numberFrom(const QString &text)
{
    static const QRegularExpression pattern(u"^(-?[0-9]+(?:\\.[0-9]+)?)(.*)$"_s);
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return Error{tr("\"%1\" is not a number").arg(text), {}, tr("Write e.g. 12 or 1.5.")};
    return Given{match.captured(1).toDouble(), match.captured(2)};
}

/// Returns the used bytes of an NPU's memory.
std::optional<double> usedBytes(const RankLook &look)
{
    const Amount memory = look.sample.memory();
    return memory.used ? std::optional<double>(double(*memory.used) * kibi * kibi) : std::nullopt;
}

using Term = std::function<bool(const RankLook &)>;
using Number = std::function<std::optional<double>(const RankLook &)>;

/// @param unit of `with`.
Term compared(const Number &number, const QString &comparator, double with, double unit = 1)
{
    return [number, comparator, with, unit](const RankLook &look) {
        const std::optional<double> its = number(look);
        return its && holds(*its / unit, comparator, with);
    };
}

Term compared(RankValue value, const QString &comparator, double with, double unit = 1)
{
    return compared([value](const RankLook &look) { return numberOf(value, look); }, comparator, with, unit);
}

Term containing(const QString &text)
{
    return [text](const RankLook &look) {
        return look.text.contains(text, Qt::CaseInsensitive);
    };
}

Result<Term> stateTerm(const QString &comparator, const QString &word)
{
    if (comparator != "="_L1 && comparator != "!="_L1)
        return Error{tr("States cannot be compared"), {}, tr("Write state=failed or state!=running.")};
    const bool isWanted = comparator == "="_L1;
    return Term([word, isWanted](const RankLook &look) {
        return look.states.contains(word, Qt::CaseInsensitive) == isWanted;
    });
}

Result<Term> healthTerm(const QString &comparator, const QString &word)
{
    const DeviceHealth health = healthFromWord(word);
    if (health != DeviceHealth::Unknown || isSame(word, "unknown"))
        return compared(RankValue::Health, comparator, double(health));
    return Error{tr("\"%1\" is not a health value").arg(word), QString(),
                 tr("Give ok, warning, alarm, critical or unknown.")};
}

Result<Term> rankTerm(const QString &comparator, const QString &number)
{
    bool isNumber = false;
    const int rank = number.toInt(&isNumber);
    if (!isNumber)
        return Error{tr("\"%1\" is not a rank").arg(number), {}, tr("Write e.g. rank<8.")};
    const auto its = [](const RankLook &look) {
        return look.rank ? std::optional<double>(*look.rank) : std::nullopt;
    };
    return compared(its, comparator, rank);
}

std::optional<double> factorOf(const QString &unit, const QList<Unit> &units)
{
    for (const Unit &each : units) {
        if (isSame(unit, each.name))
            return each.factor;
    }
    return std::nullopt;
}

Result<Term> quantityTerm(const Quantity &quantity, const QString &comparator, const QString &text)
{
    const auto given = numberFrom(text);
    if (!given)
        return given.error();
    const QString &unit = given->unit;
    if (unit.isEmpty() && quantity.mayBeBare)
        return compared(quantity.value, comparator, given->number);
    if (const auto factor = factorOf(unit, quantity.units))
        return compared(quantity.value, comparator, given->number, *factor);
    if (const auto factor = factorOf(unit, byteUnits()); factor && quantity.value == RankValue::Hbm)
        return compared(usedBytes, comparator, given->number, *factor);
    const QString name = QString::fromLatin1(quantity.name);
    if (quantity.units.isEmpty())
        return Error{tr("%1 is a number without a unit").arg(name), {}, tr("Remove \"%1\".").arg(unit)};
    return Error{unit.isEmpty() ? tr("Missing unit") : tr("\"%1\" is not a unit of %2").arg(unit, name),
                 QString(), tr("Give %1.", "units").arg(QString::fromUtf8(quantity.meant))};
}

Result<Term> comparison(const QString &name, const QString &comparator, const QString &value)
{
    if (isSame(name, "state"))
        return stateTerm(comparator, value);
    if (isSame(name, "health"))
        return healthTerm(comparator, value);
    if (isSame(name, "rank"))
        return rankTerm(comparator, value);
    for (const Quantity &quantity : quantities()) {
        if (isSame(name, quantity.name))
            return quantityTerm(quantity, comparator, value);
    }
    return Error{tr("Unknown value \"%1\"").arg(name), QString(),
                 tr("Use ai, hbm, temp, power, clock, health, foreign, cpu, mem, read, written, rank or "
                    "state. Quote text to search for it literally.")};
}

Result<Term> termFrom(const QString &text)
{
    static const QRegularExpression pattern(u"^([A-Za-z]+)(<=|>=|!=|==|<|>|=)(.*)$"_s);
    const QRegularExpressionMatch match = pattern.match(text);
    if (match.hasMatch()) {
        QString comparator = match.captured(2);
        if (comparator == "=="_L1)
            comparator = u"="_s;
        auto term = comparison(match.captured(1), comparator, match.captured(3));
        if (term)
            return term;
        Error error = term.error();
        error.where = text;
        return error;
    }
    if (isSame(text, "foreign"))
        return compared(RankValue::Foreign, u">"_s, 0);
    if (isSame(text, "throttled"))
        return Term(
            [](const RankLook &look) { return look.sample.device && look.sample.device->isThrottled(); });
    if (isSame(text, "alarm"))
        return Term([](const RankLook &look) {
            const std::optional<double> health = numberOf(RankValue::Health, look);
            return !look.alarm.isEmpty() || (health && *health > double(DeviceHealth::Ok));
        });
    return containing(text);
}

} // namespace

std::optional<double> numberOf(RankValue value, const RankLook &look)
{
    const std::optional<TreeLoad> &load = look.sample.load;
    switch (value) {
    case RankValue::Place:
        return double(look.place);
    case RankValue::State:
        return number(look.severity);
    case RankValue::Cpu:
        return load ? load->cpuPercent : std::nullopt;
    case RankValue::Memory:
        return load ? std::optional<double>(double(load->residentBytes)) : std::nullopt;
    case RankValue::Read:
        return load ? load->readBytesPerSecond : std::nullopt;
    case RankValue::Written:
        return load ? load->writtenBytesPerSecond : std::nullopt;
    default:
        return deviceNumber(value, look.sample);
    }
}

bool comesBefore(const std::optional<double> &one, const std::optional<double> &other, bool isDescending)
{
    if (!one || !other)
        return one.has_value() && !other.has_value();
    return isDescending ? *one > *other : *one < *other;
}

QList<int> inOrder(const QList<RankLook> &looks, const RankOrder &order)
{
    const QList<std::optional<double>> numbers =
        listOf(looks, [&](const RankLook &look) { return numberOf(order.by, look); });
    QList<int> indexes(looks.size());
    std::iota(indexes.begin(), indexes.end(), 0);
    std::ranges::stable_sort(indexes, [&](int one, int other) {
        return comesBefore(numbers.at(one), numbers.at(other), order.isDescending);
    });
    return indexes;
}

Result<SampleFilter> SampleFilter::from(const QString &text)
{
    // Either a quoted text or a word.
    static const QRegularExpression pattern(u"\"([^\"]*)\"?|([^\\s\"]+)"_s);
    SampleFilter filter;
    for (auto matches = pattern.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const QString quoted = match.captured(1);
        if (match.captured(2).isEmpty()) {
            if (!quoted.isEmpty())
                filter.m_terms.push_back(containing(quoted));
            continue;
        }
        const auto term = termFrom(match.captured(2));
        if (!term)
            return term.error();
        filter.m_terms.push_back(*term);
    }
    return filter;
}

bool SampleFilter::wants(const RankLook &look) const
{
    return std::ranges::all_of(m_terms, [&look](const Term &term) { return term(look); });
}

} // namespace rankdeck

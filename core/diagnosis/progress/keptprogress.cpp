#include "diagnosis/progress/keptprogress.h"

#include "base/regularfile.h"
#include "launch/plan/attempt.h"

#include <QCryptographicHash>
#include <QDir>
#include <QSaveFile>
#include <QtEndian>

#include <bit>
#include <type_traits>

namespace rankdeck
{

// A file of kept progress: a line that says how it was made, parts in their order, and the hash of all that.
// Numbers are little-endian; a list or an optional value is behind its size.

/// To be raised when the same lines give another progress, or its parts are others.
constexpr int keptFormat = 1;
constexpr qint64 printedBytes = 1024;
constexpr qint64 mostKept = 4 * 1024 * 1024;
constexpr auto keptHash = QCryptographicHash::Sha1;

namespace
{

/// Walks over parts in an order that is the same for both directions. `Direction` has number() and bytes().
template <typename Direction>
class PartVisitor
{
public:
    template <typename... Parts>
    void operator()(Parts &...parts)
    {
        (part(parts), ...);
    }

private:
    template <typename T>
    void part(T &value)
    {
        if constexpr (std::is_same_v<T, float>)
            number<quint32>(value);
        else if constexpr (std::is_same_v<T, double>)
            number<quint64>(value);
        else if constexpr (std::is_enum_v<T>)
            asNumber<std::underlying_type_t<T>>(value);
        else if constexpr (std::is_same_v<T, bool>)
            asNumber<quint8>(value);
        else if constexpr (std::is_integral_v<T>)
            own().number(value);
        else
            value.visitParts(*this);
    }
    void part(QByteArray &bytes) { own().bytes(bytes); }
    template <typename Tag, typename Value>
    void part(StrongNumber<Tag, Value> &number)
    {
        part(number.value);
    }
    template <typename T>
    void part(std::optional<T> &value)
    {
        bool isThere = value.has_value();
        part(isThere);
        if (isThere && !value)
            value.emplace();
        else if (!isThere)
            value.reset();
        if (value)
            part(*value);
    }
    template <typename T>
    void part(std::vector<T> &values)
    {
        auto size = static_cast<quint32>(values.size());
        part(size);
        values.resize(own().mostOf(size));
        for (T &value : values)
            part(value);
    }
    template <typename T, std::size_t size>
    void part(std::array<T, size> &values)
    {
        for (T &value : values)
            part(value);
    }
    void part(ValueSeries::Bucket &bucket)
    {
        (*this)(bucket.least, bucket.most, bucket.last, bucket.count, bucket.odd);
    }
    void part(ProgressPoint &point)
    {
        (*this)(point.epoch, point.epochs, point.step, point.steps, point.loss, point.stepMs,
                point.throughput, point.learningRate, point.throughputUnit, point.isGlobalStep, point.isBar);
    }
    void part(RankProgress &progress)
    {
        (*this)(progress.last, progress.step, progress.steps, progress.countsEpochs, progress.stepMs,
                progress.advancedAt, progress.lines);
    }
    void part(KnownProgress::Stream &stream)
    {
        (*this)(stream.size, stream.unfinished, stream.isBarTaken, stream.lines, stream.print);
    }
    void part(KnownProgress &known) { (*this)(known.streams, known.tracker); }

    /// Passes on a value as the number with its bits.
    template <typename Number, typename T>
    void number(T &value)
    {
        auto bits = std::bit_cast<Number>(value);
        own().number(bits);
        value = std::bit_cast<T>(bits);
    }
    template <typename Number, typename T>
    void asNumber(T &value)
    {
        auto number = static_cast<Number>(value);
        own().number(number);
        value = static_cast<T>(number);
    }

    Direction &own() { return static_cast<Direction &>(*this); }
};

class PartWriter : public PartVisitor<PartWriter>
{
public:
    explicit PartWriter(QByteArray head)
        : m_written(std::move(head))
    {
    }
    template <typename T>
    void number(T value)
    {
        value = qToLittleEndian(value);
        m_written.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    void bytes(const QByteArray &bytes)
    {
        number(static_cast<quint32>(bytes.size()));
        m_written += bytes;
    }
    static std::size_t mostOf(quint32 size) { return size; }
    const QByteArray &written() const { return m_written; }

private:
    QByteArray m_written;
};

/// Reads what somebody may have damaged: once something is missing, every further part is 0.
class PartReader : public PartVisitor<PartReader>
{
public:
    explicit PartReader(QByteArrayView bytes)
        : m_left(bytes)
    {
    }
    template <typename T>
    void number(T &value)
    {
        value = 0;
        if (!has(sizeof value))
            return;
        value = qFromLittleEndian<T>(m_left.data());
        m_left = m_left.sliced(sizeof value);
    }
    void bytes(QByteArray &bytes)
    {
        quint32 size = 0;
        number(size);
        bytes.clear();
        if (!has(size))
            return;
        bytes = m_left.first(size).toByteArray();
        m_left = m_left.sliced(size);
    }
    /// Returns a number of parts that may still be there, each of which has a byte or more.
    std::size_t mostOf(quint32 size) { return has(size) ? size : 0; }
    /// Returns true if all was there, and nothing else.
    bool isWhole() const { return m_isGood && m_left.isEmpty(); }

private:
    bool has(std::size_t size)
    {
        m_isGood = m_isGood && size <= static_cast<std::size_t>(m_left.size());
        return m_isGood;
    }

    QByteArrayView m_left;
    bool m_isGood = true;
};

} // namespace

static QByteArray headOfKept(const QByteArray &pattern)
{
    return "rankdeck progress " + QByteArray::number(keptFormat) + ' ' +
           QByteArrayView(RANKDECK_VERSION).toByteArray() + ' ' + pattern.toHex() + '\n';
}

QString progressFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt)
{
    const QString folder = runDirectory + u"/progress"_s;
    return plan.maxRestarts > 0 ? folder + '/'_L1 + attemptFolder(QString::number(attempt)) : folder;
}

QByteArray logPrint(const QString &path, qint64 size)
{
    RegularFile file(path);
    const qint64 bytes = std::min(size, printedBytes);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return {};
    const QByteArray begin = file.read(bytes);
    if (!file.seek(size - bytes))
        return {};
    const QByteArray end = file.read(bytes);
    if (begin.size() != bytes || end.size() != bytes)
        return {};
    QCryptographicHash hash(keptHash);
    hash.addData(begin);
    hash.addData(end);
    return hash.result();
}

bool keepProgress(const QString &folder, int process, KnownProgress &known, const QByteArray &pattern)
{
    if (!QDir().mkpath(folder))
        return false;
    PartWriter writer(headOfKept(pattern));
    writer(known);
    QSaveFile file(folder + '/'_L1 + QString::number(process));
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(writer.written());
    file.write(QCryptographicHash::hash(writer.written(), keptHash));
    return file.commit();
}

std::optional<KnownProgress> keptProgress(const QString &folder, int process, const QByteArray &pattern,
                                          int mostBuckets)
{
    RegularFile file(folder + '/'_L1 + QString::number(process));
    if (!file.open(QIODevice::ReadOnly) || file.size() > mostKept)
        return std::nullopt;
    const QByteArray all = file.read(mostKept);
    const QByteArray head = headOfKept(pattern);
    const qsizetype end = all.size() - QCryptographicHash::hashLength(keptHash);
    if (end < head.size() || !all.startsWith(head) ||
        QCryptographicHash::hash(all.first(end), keptHash) != all.sliced(end))
        return std::nullopt;
    KnownProgress known;
    PartReader reader(QByteArrayView(all).sliced(head.size(), end - head.size()));
    reader(known);
    const auto isSound = [](const KnownProgress::Stream &stream) {
        return stream.size >= 0 && stream.unfinished >= 0 && stream.unfinished <= stream.size;
    };
    if (!reader.isWhole() || !std::ranges::all_of(known.streams, isSound) ||
        !known.tracker.isSound(mostBuckets))
        return std::nullopt;
    return known;
}

} // namespace rankdeck

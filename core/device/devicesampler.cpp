#include "device/devicesampler.h"

#include "device/driveraccess.h"

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr std::chrono::milliseconds longestRest{120000};

/// The first line with words.
QString firstLine(const QByteArray &output)
{
    for (const QByteArray &line : output.split('\n')) {
        const QString words = QString::fromUtf8(line).simplified();
        if (!words.isEmpty())
            return words.left(200);
    }
    return {};
}

bool areSameChips(const QList<DeviceSample> &one, const QList<DeviceSample> &other)
{
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const DeviceSample &a, const DeviceSample &b) { return a.ids.isSameChip(b.ids); });
}

} // namespace

DeviceSampler::DeviceSampler(DeviceSource source, DeviceSamplerSettings settings, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_settings(std::move(settings))
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, [this] {
        m_clock.start();
        ask();
    });
}

DeviceSampler::~DeviceSampler()
{
    for (QObject *who : std::as_const(m_wanting))
        who->disconnect(this); // One of them may be this itself.
}

void DeviceSampler::setWanted(QObject *who, bool isWanted)
{
    const bool wasWanted = this->isWanted();
    if (isWanted && !m_wanting.contains(who)) {
        m_wanting.insert(who);
        connect(who, &QObject::destroyed, this, [this, who] { setWanted(who, false); });
    } else if (!isWanted && m_wanting.remove(who)) {
        who->disconnect(this);
    }
    if (this->isWanted() == wasWanted)
        return;
    m_next.stop();
    if (wasWanted)
        m_question.reset();
    else
        m_next.start(0);
}

std::chrono::milliseconds DeviceSampler::intervalAfter(std::chrono::milliseconds duration) const
{
    return std::max(m_settings.interval, m_settings.restFactor * duration);
}

void DeviceSampler::ask()
{
    QString program = m_source.path;
    QStringList arguments{QStringLiteral("info")};
    m_isMapQuestion = m_source.kind == DeviceSource::Kind::NpuSmi && !m_map;
    m_hasFailed = false;
    if (m_source.kind == DeviceSource::Kind::Dcmi) {
        program = m_settings.helper;
        arguments = QStringList{QStringLiteral("devices"), QLatin1String(readDcmiOption)};
    } else if (m_isMapQuestion) {
        arguments << QStringLiteral("-m");
    }
    if (program.isEmpty()) {
        fail(noDeviceSource());
        return;
    }
    m_askedAt = QDateTime::currentDateTimeUtc();
    m_question.reset(new DeviceQuestion(program, arguments, m_settings.limit));
    connect(m_question.get(), &DeviceQuestion::answered, this, &DeviceSampler::read);
    connect(m_question.get(), &DeviceQuestion::failed, this, &DeviceSampler::fail);
    connect(m_question.get(), &DeviceQuestion::ended, this, &DeviceSampler::endQuestion);
}

void DeviceSampler::read(const QByteArray &output, int exitCode)
{
    if (m_isMapQuestion) {
        // One that does not know -m yet says so; the chips are then counted.
        const NpuSmiReport report = parseNpuSmi(output);
        if (report.failure && report.failure->code)
            fail(explainDcmi(*report.failure->code, lookAtDriver(), m_source.path));
        else
            m_map = report.map;
        return;
    }
    auto reading = readingFrom(output, exitCode);
    if (reading)
        take(std::move(*reading));
    else
        fail(reading.error());
}

Result<DeviceReading> DeviceSampler::readingFrom(const QByteArray &output, int exitCode) const
{
    if (m_source.kind == DeviceSource::Kind::Dcmi)
        return readingFromJson(output);
    return readingFrom(parseNpuSmi(output), output, exitCode);
}

Result<DeviceReading> DeviceSampler::readingFrom(const NpuSmiReport &report, const QByteArray &output,
                                                 int exitCode) const
{
    if (report.failure && report.failure->code)
        return explainDcmi(*report.failure->code, lookAtDriver(), m_source.path);
    if (report.failure)
        return explainFailure(report.failure->line, lookAtDriver(), m_source.path);
    // What it printed before it failed is of some of the cards.
    if (report.samples.isEmpty() || exitCode != 0)
        return explainFailure(report.samples.isEmpty() ? firstLine(output)
                                                       : tr("it failed with code %1").arg(exitCode),
                              lookAtDriver(), m_source.path);
    DeviceReading reading;
    reading.source = m_source.kind;
    reading.time = m_askedAt;
    reading.driverVersion = report.driverVersion;
    reading.samples = report.samples;
    for (DeviceSample &sample : reading.samples)
        m_map->complete(sample.ids);
    countLogicalIds(reading.samples);
    return reading;
}

void DeviceSampler::take(DeviceReading reading)
{
    m_failures = 0;
    m_error.reset();
    if (m_last && !areSameChips(m_last->samples, reading.samples))
        m_map.reset();
    m_last = std::move(reading);
    Q_EMIT sampled(*m_last);
}

void DeviceSampler::fail(const Error &error)
{
    m_failures += m_hasFailed ? 0 : 1;
    m_hasFailed = true;
    m_error = error;
    Q_EMIT failed(error);
}

void DeviceSampler::endQuestion()
{
    m_question.reset();
    if (!isWanted())
        return;
    if (m_isMapQuestion && !m_hasFailed) {
        ask();
        return;
    }
    m_lastDuration = std::chrono::milliseconds(m_clock.elapsed());
    std::chrono::milliseconds interval = intervalAfter(m_lastDuration);
    if (m_failures > 0) {
        const int doublings = std::min(m_failures - 1, 10);
        interval = std::max(interval, std::min(longestRest, m_settings.afterFailure * (1 << doublings)));
    }
    m_next.start(std::max(std::chrono::milliseconds(0), interval - m_lastDuration));
}

} // namespace rankdeck

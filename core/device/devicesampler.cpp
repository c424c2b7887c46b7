#include "device/devicesampler.h"

#include "device/driveraccess.h"
#include "device/npusmi/npusmireport.h"

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr std::chrono::milliseconds longestRest{120000};
/// How long the error codes of a chip are believed while its health stays.
constexpr std::chrono::milliseconds errorCodesAge{60000};
/// How long a link is believed to be as it was.
constexpr std::chrono::milliseconds linkAge{60000};
/// After a question for a card's details that hung or failed.
constexpr std::chrono::milliseconds detailsRest{60000};

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

/// Of "link status: UP", what `hccn_tool -i N -link -g` prints; nothing for other text.
std::optional<bool> linkStateFrom(const QByteArray &output)
{
    constexpr char label[] = "link status:";
    const auto at = output.indexOf(label);
    if (at < 0)
        return std::nullopt;
    const QByteArray rest = output.mid(at + static_cast<qsizetype>(qstrlen(label)));
    const QByteArray word = rest.left(rest.indexOf('\n')).trimmed();
    if (word == "UP")
        return true;
    return word == "DOWN" ? std::optional(false) : std::nullopt;
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
    connect(&m_next, &QTimer::timeout, this, &DeviceSampler::beginRound);
}

DeviceSampler::~DeviceSampler()
{
    for (const QMetaObject::Connection &end : std::as_const(m_wanting))
        disconnect(end); // One of them may be this itself.
}

void DeviceSampler::setWanted(QObject *who, bool isWanted)
{
    const bool wasWanted = this->isWanted();
    if (isWanted && !m_wanting.contains(who))
        m_wanting.insert(who,
                         connect(who, &QObject::destroyed, this, [this, who] { setWanted(who, false); }));
    else if (!isWanted)
        disconnect(m_wanting.take(who));
    if (this->isWanted() == wasWanted)
        return;
    m_next.stop();
    updateStream();
    if (wasWanted && m_process) {
        m_isCancelled = true;
        m_process->cancel();
    } else if (!wasWanted && !m_process) {
        scheduleNext();
    }
}

void DeviceSampler::setInterval(std::chrono::milliseconds interval)
{
    m_settings.interval = interval;
    updateStream();
    if (m_next.isActive())
        scheduleNext();
}

std::chrono::milliseconds DeviceSampler::intervalAfter(std::chrono::milliseconds duration) const
{
    return std::max(m_settings.interval, m_settings.restFactor * duration);
}

void DeviceSampler::beginRound()
{
    m_clock.start();
    m_hasFailed = false;
    m_pending.reset();
    if (m_source.kind == DeviceSource::Kind::NpuSmi && !m_map)
        ask(Question::Map, {QStringLiteral("info"), QStringLiteral("-m")});
    else
        askAll();
}

void DeviceSampler::askAll()
{
    const bool isDcmi = m_source.kind == DeviceSource::Kind::Dcmi;
    m_askedAt = QDateTime::currentDateTimeUtc();
    ask(Question::All, isDcmi ? QStringList{QStringLiteral("devices"), QLatin1String(readDcmiOption)}
                              : QStringList{QStringLiteral("info")});
}

bool DeviceSampler::askMore()
{
    if (!m_pending)
        return false;
    const bool isNpuSmi = m_source.kind == DeviceSource::Kind::NpuSmi;
    if ((isNpuSmi && askForErrors()) || askForLink())
        return true;
    const bool areToRest = m_detailsFailed.isValid() && !m_detailsFailed.hasExpired(detailsRest.count());
    if (!isNpuSmi || !m_detailedCard || areToRest)
        return false;
    ask(Question::More, {QStringLiteral("info"), QStringLiteral("-t"), QStringLiteral("common"),
                         QStringLiteral("-i"), QString::number(m_detailedCard->value)});
    return true;
}

bool DeviceSampler::askForLink()
{
    if (m_settings.hccnTool.isEmpty())
        return false;
    for (const DeviceSample &sample : std::as_const(m_pending->samples)) {
        const bool isKnown = std::any_of(m_links.begin(), m_links.end(), [&](const Link &link) {
            return link.chip.isSameChip(sample.ids) && !link.age.hasExpired(linkAge.count());
        });
        if (isKnown || !(sample.ids.physical || sample.ids.logical))
            continue;
        const int number = sample.ids.physical ? sample.ids.physical->value : sample.ids.logical->value;
        // Also where there is no answer: the others shall have their turn.
        const auto before = std::find_if(m_links.begin(), m_links.end(),
                                         [&](const Link &link) { return link.chip.isSameChip(sample.ids); });
        Link link =
            before == m_links.end() ? Link{sample.ids, {}, {}} : m_links.takeAt(before - m_links.begin());
        link.age.start();
        m_links.append(link);
        ask(Question::Link,
            {QStringLiteral("-i"), QString::number(number), QStringLiteral("-link"), QStringLiteral("-g")});
        return true;
    }
    return false;
}

bool DeviceSampler::askForErrors()
{
    const auto isKnown = [this](const DeviceSample &sample) {
        return std::any_of(m_errorCodes.begin(), m_errorCodes.end(), [&](const ErrorCodes &known) {
            return known.chip.isSameChip(sample.ids) && known.healthWord == sample.healthWord &&
                   !known.age.hasExpired(errorCodesAge.count());
        });
    };
    QStringList arguments{QStringLiteral("info"), QStringLiteral("-t")};
    for (const DeviceSample &sample : m_pending->samples) {
        if (!sample.ids.card || !sample.health || *sample.health == DeviceHealth::Ok || isKnown(sample))
            continue;
        arguments << QStringLiteral("health") << QStringLiteral("-i")
                  << QString::number(sample.ids.card->value);
        if (sample.ids.chip)
            arguments << QStringLiteral("-c") << QString::number(sample.ids.chip->value);
        // Also where there is no answer: the others shall have their turn.
        m_errorCodes.removeIf([&](const ErrorCodes &known) { return known.chip.isSameChip(sample.ids); });
        m_errorCodes.append({sample.ids, sample.healthWord, std::nullopt, {}});
        m_errorCodes.last().age.start();
        m_moreOf = sample.ids;
        ask(Question::More, arguments);
        return true;
    }
    m_moreOf.reset();
    return false;
}

void DeviceSampler::ask(Question question, const QStringList &arguments)
{
    const QString driver = m_source.kind == DeviceSource::Kind::Dcmi ? m_settings.helper : m_source.path;
    const QString program = question == Question::Link ? m_settings.hccnTool : driver;
    m_question = question;
    if (program.isEmpty()) {
        fail(noDeviceSource());
        return;
    }
    m_process.reset(new DeviceQuestion(program, arguments, m_settings.limit));
    connect(m_process.get(), &DeviceQuestion::answered, this, &DeviceSampler::read);
    connect(m_process.get(), &DeviceQuestion::failed, this, [this, question](const Error &error) {
        if (question == Question::More && !m_moreOf)
            m_detailsFailed.start();
        if (question != Question::Link || !m_pending) {
            fail(error);
            return;
        }
        // Some have no such port, and what the driver says is known.
        m_links.last().isUp.reset();
        publish();
    });
    const qint64 pid = m_process->pid();
    // First: with the end of a question goes all that is connected with it.
    if (pid > 0)
        connect(m_process.get(), &DeviceQuestion::ended, this, [this, pid] { Q_EMIT toolEnded(pid); });
    connect(m_process.get(), &DeviceQuestion::ended, this, &DeviceSampler::endQuestion);
    if (pid > 0)
        Q_EMIT toolStarted(pid);
}

void DeviceSampler::read(const QByteArray &output, int exitCode)
{
    if (m_question == Question::Map) {
        // One that does not know -m yet says so; the chips are then counted.
        const NpuSmiReport report = parseNpuSmi(output);
        if (report.failure && report.failure->code)
            fail(explainDcmi(*report.failure->code, lookAtDriver(), m_source.path));
        else
            m_map = report.map;
    } else if (m_question == Question::More) {
        readMore(output);
    } else if (m_question == Question::Link) {
        m_links.last().isUp = linkStateFrom(output);
    } else if (auto reading = readingFrom(output, exitCode)) {
        m_pending = std::move(reading.value());
    } else {
        fail(reading.error());
    }
}

void DeviceSampler::readMore(const QByteArray &output)
{
    for (DeviceSample more : parseNpuSmi(output).samples) {
        // With -c no chip is named: it is the one that was asked about.
        if (m_moreOf && !more.ids.card)
            more.ids = *m_moreOf;
        if (m_moreOf && more.ids.isSameChip(*m_moreOf)) {
            m_errorCodes.last().codes = more.errorCodes;
            continue;
        }
        for (DeviceSample &sample : m_pending->samples) {
            if (sample.ids.isSameChip(more.ids))
                complete(sample, more);
        }
    }
}

Result<DeviceReading> DeviceSampler::readingFrom(const QByteArray &output, int exitCode) const
{
    const bool isDcmi = m_source.kind == DeviceSource::Kind::Dcmi;
    if (output.trimmed().isEmpty())
        return Error{tr("printed nothing and ended with code %1").arg(exitCode),
                     isDcmi ? m_settings.helper : m_source.path,
                     {}};
    if (isDcmi)
        return readingFromJson(output);
    const NpuSmiReport report = parseNpuSmi(output);
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

void DeviceSampler::publish()
{
    for (DeviceSample &sample : m_pending->samples) {
        for (const ErrorCodes &known : std::as_const(m_errorCodes)) {
            if (!sample.errorCodes && known.chip.isSameChip(sample.ids) &&
                known.healthWord == sample.healthWord)
                sample.errorCodes = known.codes;
        }
        for (const Link &link : std::as_const(m_links)) {
            if (link.chip.isSameChip(sample.ids))
                sample.isLinkUp = link.isUp;
        }
    }
    if (m_last && !areSameChips(m_last->samples, m_pending->samples))
        m_map.reset();
    m_failures = 0;
    m_error.reset();
    m_last = std::exchange(m_pending, std::nullopt);
    Q_EMIT sampled(*m_last);
}

void DeviceSampler::fail(const Error &error)
{
    // What was to be asked besides is less than what is known.
    if (m_pending)
        publish();
    m_failures += m_hasFailed ? 0 : 1;
    m_hasFailed = true;
    m_error = error;
    Q_EMIT failed(error);
}

void DeviceSampler::endQuestion()
{
    m_process.reset();
    const bool wasCancelled = std::exchange(m_isCancelled, false);
    if (!isWanted())
        return;
    if (!wasCancelled) {
        if (m_question == Question::Map && !m_hasFailed) {
            askAll();
            return;
        }
        if (m_question == Question::All && askMore())
            return;
        if (m_pending)
            publish();
        m_lastDuration = std::chrono::milliseconds(m_clock.elapsed());
        updateStream();
    }
    scheduleNext();
}

void DeviceSampler::updateStream()
{
    const bool isSlow =
        m_lastDuration >= m_settings.slowCall && m_settings.interval < intervalAfter(m_lastDuration);
    const bool isUseful = isWanted() && m_source.kind == DeviceSource::Kind::NpuSmi && m_last &&
                          m_failures == 0 && isSlow && !m_cannotStream;
    const auto interval = std::clamp(std::chrono::ceil<std::chrono::seconds>(m_settings.interval),
                                     DeviceStream::leastInterval, DeviceStream::longestInterval);
    if (m_stream) {
        // With another interval it begins anew when this one has ended.
        if (!isUseful || m_stream->interval() != interval)
            m_stream->stop();
        return;
    }
    if (!isUseful)
        return;
    m_stream.reset(new DeviceStream(m_source.path, interval, m_settings.limit));
    connect(m_stream.get(), &DeviceStream::sampled, this, &DeviceSampler::takeStreamed);
    const qint64 pid = m_stream->pid();
    connect(m_stream.get(), &DeviceStream::ended, this, [this, pid] {
        if (pid > 0)
            Q_EMIT toolEnded(pid);
        endStream();
    });
    if (pid > 0)
        Q_EMIT toolStarted(pid);
}

void DeviceSampler::endStream()
{
    m_cannotStream = m_cannotStream || !m_stream->isStopped();
    m_stream.reset();
    updateStream();
}

void DeviceSampler::takeStreamed(const QList<DeviceSample> &samples)
{
    DeviceReading reading = *m_last;
    reading.time = QDateTime::currentDateTimeUtc();
    for (DeviceSample &sample : reading.samples) {
        const auto newer = std::find_if(samples.begin(), samples.end(), [&](const DeviceSample &other) {
            return other.ids.isSameChip(sample.ids);
        });
        if (newer != samples.end())
            renew(sample, *newer);
    }
    m_last = std::move(reading);
    Q_EMIT sampled(*m_last);
}

void DeviceSampler::scheduleNext()
{
    if (!m_clock.isValid()) {
        m_next.start(0);
        return;
    }
    std::chrono::milliseconds interval = intervalAfter(m_lastDuration);
    if (m_failures > 0) {
        const int doublings = std::min(m_failures - 1, 10);
        interval = std::max(interval, std::min(longestRest, m_settings.afterFailure * (1 << doublings)));
    }
    m_next.start(
        std::max(std::chrono::milliseconds(0), interval - std::chrono::milliseconds(m_clock.elapsed())));
}

} // namespace rankdeck

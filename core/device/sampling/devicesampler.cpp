#include "device/sampling/devicesampler.h"

#include "device/sampling/driveraccess.h"

namespace rankdeck
{

constexpr std::chrono::milliseconds longestRest{120000};
/// After a question for a card's details that hung or failed.
constexpr std::chrono::milliseconds detailsRest{60000};

/// Returns the first line with words.
static QString firstLine(const QByteArray &output)
{
    for (const QByteArray &line : output.split('\n')) {
        const QString words = QString::fromUtf8(line).simplified();
        if (!words.isEmpty())
            return words.left(200);
    }
    return {};
}

/// Reads "link status: UP", what `hccn_tool -i N -link -g` prints. Returns nothing for other text.
static std::optional<bool> linkStateFrom(const QByteArray &output)
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

/// Returns the arguments of npu-smi for one subject, of a card or of one of its chips.
static QStringList question(const char *subject, CardId card, std::optional<ChipId> chip)
{
    QStringList arguments{u"info"_s, u"-t"_s, QLatin1String(subject), u"-i"_s, QString::number(card.value)};
    if (chip)
        arguments << u"-c"_s << QString::number(chip->value);
    return arguments;
}

/// Returns what npu-smi reports of `chip`; with -c it does not name the chip itself.
static QList<DeviceSample> samplesOf(const DeviceIds &chip, const QByteArray &output)
{
    QList<DeviceSample> samples = parseNpuSmi(output).samples;
    for (DeviceSample &sample : samples) {
        const bool isNamed = sample.ids.card && (sample.ids.chip || sample.ids.card != chip.card);
        if (!isNamed)
            sample.ids = chip;
    }
    return samples;
}

/// Returns the chips of an `npu-smi info`, without their logical ids. Fails if it does not list all cards.
static Result<DeviceReading> readingOfNpuSmi(const QByteArray &output, int exitCode, const QString &npuSmi)
{
    const NpuSmiReport report = parseNpuSmi(output);
    if (report.failure && report.failure->code)
        return explainDcmi(*report.failure->code, lookAtDriver(), npuSmi);
    if (report.failure)
        return explainFailure(report.failure->line, lookAtDriver(), npuSmi);
    if (report.samples.isEmpty())
        return explainFailure(firstLine(output), lookAtDriver(), npuSmi);
    if (exitCode != 0) // The output before the failure covers only some of the cards.
        return explainFailure(tr("it failed with code %1").arg(exitCode), lookAtDriver(), npuSmi);
    return DeviceReading{DeviceSource::Kind::NpuSmi, {}, report.driverVersion, report.samples};
}

static void markInvented(DeviceReading &reading)
{
    reading.source = DeviceSource::Kind::Invented;
    for (DeviceSample &sample : reading.samples) {
        sample.isInvented = true;
        sample.name = tr("%1 (invented)").arg(sample.name);
    }
}

/// Returns the pause after this many failed rounds in a row.
static std::chrono::milliseconds restAfter(int failures, std::chrono::milliseconds first)
{
    const int doublings = std::min(failures - 1, 10);
    return std::min(longestRest, first * (1 << doublings));
}

/// Returns the time of rest after a question besides the readings that took this long.
static std::chrono::milliseconds restBesides(const DeviceSamplerSettings &settings, qint64 ms,
                                             bool isUnanswered)
{
    const std::chrono::milliseconds usual = settings.restFactor * std::chrono::milliseconds(ms);
    return isUnanswered ? settings.besidesRest : std::min(usual, settings.besidesRest);
}

void ChipAnswers::addTo(QList<DeviceSample> &samples) const
{
    for (DeviceSample &sample : samples) {
        const ErrorCodes *errors = errorCodes.answerOf(sample.ids);
        if (errors && !sample.errorCodes && errors->healthWord == sample.healthWord)
            sample.errorCodes = errors->codes;
        if (const auto *isLinkUp = links.answerOf(sample.ids))
            sample.isLinkUp = *isLinkUp;
        const BitErrors *counts = bitErrors.answerOf(sample.ids);
        if (counts && *counts != BitErrors())
            sample.bitErrors = *counts;
    }
}

const DeviceSample *ChipAnswers::dueForErrorCodes(const QList<DeviceSample> &samples, Age age) const
{
    return errorCodes.next(samples, [age](const DeviceSample &sample, const auto *last) {
        if (!sample.ids.card || !sample.health || *sample.health == DeviceHealth::Ok)
            return false;
        return !last || last->answer.healthWord != sample.healthWord || last->age.hasExpired(age.count());
    });
}

const DeviceSample *ChipAnswers::dueForLink(const QList<DeviceSample> &samples, Age age) const
{
    return links.next(samples, [age](const DeviceSample &sample, const auto *last) {
        return (sample.ids.physical || sample.ids.logical) && (!last || last->age.hasExpired(age.count()));
    });
}

const DeviceSample *ChipAnswers::dueForBitErrors(const QList<DeviceSample> &samples, Age age) const
{
    return bitErrors.next(samples, [age](const DeviceSample &sample, const auto *last) {
        return sample.ids.card && (!last || last->age.hasExpired(age.count()));
    });
}

DeviceSampler::DeviceSampler(DeviceSource source, DeviceSamplerSettings settings, QObject *parent)
    : QObject(parent)
    , m_source(std::move(source))
    , m_settings(std::move(settings))
    , m_stream(m_source.path, m_settings.limit, [this] { return streamInterval(); })
{
    connect(&m_stream, &StreamKeeper::sampled, this, &DeviceSampler::addStreamed);
    connect(&m_stream, &StreamKeeper::toolStarted, this, &DeviceSampler::toolStarted);
    connect(&m_stream, &StreamKeeper::toolEnded, this, &DeviceSampler::toolEnded);
    connect(&m_next, &QTimer::timeout, this, &DeviceSampler::beginRound);
}

DeviceSampler::~DeviceSampler()
{
    for (const QMetaObject::Connection &end : std::as_const(m_wanting))
        disconnect(end); // One of the keys may be this object itself.
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
    m_stream.update();
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
    m_stream.update();
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
    m_hasReading = false;
    m_pending.reset();
    if (m_source.isAskedAsNpuSmi() && !m_map)
        ask(Question::Map, {u"info"_s, u"-m"_s});
    else
        askAll();
}

void DeviceSampler::askAll()
{
    const bool isDcmi = m_source.kind == DeviceSource::Kind::Dcmi;
    m_askedAt = QDateTime::currentDateTimeUtc();
    ask(Question::All,
        isDcmi ? QStringList{u"devices"_s, QLatin1String(readDcmiOption)} : QStringList{u"info"_s});
}

bool DeviceSampler::askMore()
{
    if (!m_pending || !m_source.isAskedAsNpuSmi())
        return false;
    return m_lastMore == Question::Errors ? askForDetails() || askForErrors()
                                          : askForErrors() || askForDetails();
}

bool DeviceSampler::askForErrors()
{
    const DeviceSample *sample = m_answers.dueForErrorCodes(m_pending->samples, m_settings.errorCodesAge);
    if (!sample)
        return false;
    m_answers.errorCodes.begin(sample->ids);
    m_answers.errorCodes.current() = {sample->healthWord, std::nullopt};
    m_lastMore = Question::Errors;
    m_chip = sample->ids;
    ask(Question::Errors, question("health", *sample->ids.card, sample->ids.chip));
    return true;
}

bool DeviceSampler::askForDetails()
{
    const bool areToRest = m_detailsFailed.isValid() && !m_detailsFailed.hasExpired(detailsRest.count());
    if (!m_detailedCard || areToRest)
        return false;
    m_lastMore = Question::Details;
    ask(Question::Details, question("common", *m_detailedCard, std::nullopt));
    return true;
}

bool DeviceSampler::askBesides()
{
    // Handlers of sampled() may have called setWanted().
    if (!m_hasReading || !isWanted() || m_next.isActive())
        return false;
    return m_lastBesides == Question::Link ? askForBitErrors() || askForLink()
                                           : askForLink() || askForBitErrors();
}

bool DeviceSampler::askForLink()
{
    if (m_settings.hccnTool.isEmpty() || !m_linkRest.hasExpired())
        return false;
    const DeviceSample *sample = m_answers.dueForLink(m_last->samples, m_settings.linkAge);
    if (!sample)
        return false;
    const DeviceIds &ids = sample->ids;
    m_answers.links.begin(ids);
    m_lastBesides = Question::Link;
    m_chip = ids;
    const int number = ids.physical ? ids.physical->value : ids.logical->value;
    ask(Question::Link, {u"-i"_s, QString::number(number), u"-link"_s, u"-g"_s});
    return true;
}

bool DeviceSampler::askForBitErrors()
{
    if (!m_source.isAskedAsNpuSmi() || !m_bitErrorsRest.hasExpired())
        return false;
    const DeviceSample *sample = m_answers.dueForBitErrors(m_last->samples, m_settings.bitErrorsAge);
    if (!sample)
        return false;
    m_answers.bitErrors.begin(sample->ids);
    m_lastBesides = Question::BitErrors;
    m_chip = sample->ids;
    ask(Question::BitErrors, question("ecc", *sample->ids.card, sample->ids.chip));
    return true;
}

void DeviceSampler::ask(Question question, const QStringList &arguments)
{
    const QString driver = m_source.kind == DeviceSource::Kind::Dcmi ? m_settings.helper : m_source.path;
    const QString program = question == Question::Link ? m_settings.hccnTool : driver;
    m_question = question;
    m_isUnanswered = false;
    m_besidesClock.start();
    if (program.isEmpty()) {
        fail(noDeviceSource());
        return;
    }
    m_process.reset(new DeviceQuestion(program, arguments, m_settings.limit));
    connect(m_process.get(), &DeviceQuestion::answered, this, &DeviceSampler::read);
    connect(m_process.get(), &DeviceQuestion::failed, this, &DeviceSampler::failQuestion);
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
        // An npu-smi without -m reports an error; the chips are then counted.
        const NpuSmiReport report = parseNpuSmi(output);
        if (report.failure && report.failure->code)
            fail(explainDcmi(*report.failure->code, lookAtDriver(), m_source.path));
        else
            m_map = report.map;
    } else if (m_question == Question::Errors || m_question == Question::Details) {
        readMore(output);
    } else if (m_question == Question::Link) {
        m_answers.links.current() = linkStateFrom(output);
    } else if (m_question == Question::BitErrors) {
        readBitErrors(output);
    } else {
        readAll(output, exitCode);
    }
}

void DeviceSampler::readAll(const QByteArray &output, int exitCode)
{
    const bool isDcmi = m_source.kind == DeviceSource::Kind::Dcmi;
    const QString program = isDcmi ? m_settings.helper : m_source.path;
    if (output.trimmed().isEmpty())
        return fail({tr("printed nothing and ended with code %1").arg(exitCode), program, {}});
    auto reading = isDcmi ? readingFromJson(output) : readingOfNpuSmi(output, exitCode, program);
    if (!reading)
        return fail(reading.error());
    if (!isDcmi) {
        reading->time = m_askedAt;
        for (DeviceSample &sample : reading->samples)
            m_map->complete(sample.ids);
        countLogicalIds(reading->samples);
        if (m_source.kind == DeviceSource::Kind::Invented)
            markInvented(reading.value());
    }
    m_pending = std::move(reading.value());
}

void DeviceSampler::readMore(const QByteArray &output)
{
    const QList<DeviceSample> samples =
        m_question == Question::Details ? parseNpuSmi(output).samples : samplesOf(m_chip, output);
    for (const DeviceSample &more : samples) {
        if (m_question == Question::Errors && more.ids.isSameChip(m_chip)) {
            m_answers.errorCodes.current().codes = more.errorCodes;
            continue;
        }
        for (DeviceSample &sample : m_pending->samples) {
            if (sample.ids.isSameChip(more.ids))
                complete(sample, more);
        }
    }
}

void DeviceSampler::readBitErrors(const QByteArray &output)
{
    m_isUnanswered = true;
    for (const DeviceSample &more : samplesOf(m_chip, output)) {
        if (!more.ids.isSameChip(m_chip) || more.bitErrors == BitErrors())
            continue;
        m_answers.bitErrors.current() = more.bitErrors;
        m_isUnanswered = false;
    }
}

void DeviceSampler::publish()
{
    m_answers.addTo(m_pending->samples);
    if (m_last && !std::ranges::equal(m_last->samples, m_pending->samples, &DeviceIds::isSameChip,
                                      &DeviceSample::ids, &DeviceSample::ids))
        m_map.reset();
    m_failures = 0;
    m_hasReading = true;
    m_error.reset();
    m_last = std::exchange(m_pending, std::nullopt);
    Q_EMIT sampled(*m_last);
}

void DeviceSampler::failQuestion(const Error &error)
{
    if (m_question == Question::Details)
        m_detailsFailed.start();
    if (isBesides() && !m_isCancelled && !std::exchange(m_isUnanswered, true)) {
        // Some chips have no such port and report an error; the driver itself works.
        if (m_question == Question::Link)
            m_answers.links.current().reset();
        return;
    }
    // A side question that cannot be killed is a failure: no other is asked before it has exited.
    fail(error);
}

void DeviceSampler::fail(const Error &error)
{
    // The reading is useful without the answers that are missing.
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
    if (!isWanted() || (!wasCancelled && goOn()))
        return;
    if (isWanted())
        scheduleNext();
}

bool DeviceSampler::goOn()
{
    if (m_question == Question::Map && !m_hasFailed) {
        askAll();
        return true;
    }
    if (m_question == Question::All && askMore())
        return true;
    if (isBesides()) {
        // A side question delays the next one of its kind, not the readings.
        QDeadlineTimer &rest = m_question == Question::Link ? m_linkRest : m_bitErrorsRest;
        rest.setRemainingTime(restBesides(m_settings, m_besidesClock.elapsed(), m_isUnanswered));
        return false;
    }
    m_lastDuration = std::chrono::milliseconds(m_clock.elapsed());
    if (m_pending)
        publish();
    m_stream.update();
    return askBesides();
}

std::optional<std::chrono::seconds> DeviceSampler::streamInterval() const
{
    const bool isSlow =
        m_lastDuration >= m_settings.slowCall && m_settings.interval < intervalAfter(m_lastDuration);
    const bool isUseful = isWanted() && m_source.isAskedAsNpuSmi() && m_last && m_failures == 0 && isSlow;
    if (!isUseful)
        return std::nullopt;
    return std::clamp(std::chrono::ceil<std::chrono::seconds>(m_settings.interval),
                      DeviceStream::leastInterval, DeviceStream::longestInterval);
}

void DeviceSampler::addStreamed(const QList<DeviceSample> &samples)
{
    DeviceReading reading = *m_last;
    reading.time = QDateTime::currentDateTimeUtc();
    for (DeviceSample &sample : reading.samples) {
        if (const auto *newer = sampleOf(samples, sample.ids))
            renew(sample, *newer);
    }
    m_answers.addTo(reading.samples);
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
    if (m_failures > 0)
        interval = std::max(interval, restAfter(m_failures, m_settings.afterFailure));
    m_next.start(
        std::max(std::chrono::milliseconds(0), interval - std::chrono::milliseconds(m_clock.elapsed())));
}

} // namespace rankdeck

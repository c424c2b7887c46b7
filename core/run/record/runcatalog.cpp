#include "run/record/runcatalog.h"

#include "base/fields.h"
#include "base/listcomma.h"
#include "base/regularfile.h"
#include "run/record/journalwords.h"
#include "run/record/rundirectory.h"
#include "run/record/runreader.h"

#include <QDir>
#include <QSaveFile>

#include <filesystem>
#include <system_error>

namespace rankdeck
{

constexpr int catalogMs = 2000;

static QStringList runNames()
{
    QStringList names = QDir(runsDirectory()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    std::ranges::reverse(names);
    return names;
}

/// The newest of `names`, which are in runNames()'s order and not empty. A name has whole seconds only.
static QString newestRun(const QStringList &names)
{
    constexpr int stampLength = 15; // yyyyMMdd-HHmmss
    QString newest = names.first();
    QDateTime newestCreated;
    for (const QString &name : names) {
        if (name.left(stampLength) != names.first().left(stampLength))
            break;
        const auto record = readRunOutline(runsDirectory() + '/'_L1 + name);
        if (record && (newestCreated.isNull() || record->created > newestCreated)) {
            newest = name;
            newestCreated = record->created;
        }
    }
    return newest;
}

namespace
{

/// The first line of a verdict that was kept.
struct VerdictTitle {
    Sentence title;
};

void visitFields(Fields &fields, VerdictTitle &kept)
{
    fields.said("titleSaid", kept.title, journalWords, [&](QString &text) { fields("title", text); });
}

} // namespace

static QString keptTitle(const QString &directory)
{
    constexpr qint64 mostBytes = 4 * 1024 * 1024;
    RegularFile file(verdictPath(directory));
    if (!file.open(QIODevice::ReadOnly) || file.size() > mostBytes)
        return {};
    return fromJsonText<VerdictTitle>(file.readAll()).value_or(VerdictTitle()).title;
}

RunSummaries::Known RunSummaries::knownOf(const RunRecord &record, const QString &directory)
{
    Known known;
    known.record.created = record.created;
    known.record.supervisor = record.supervisor;
    known.record.guardian = record.guardian;
    known.record.phase = record.phase;
    known.record.ended = record.ended;
    known.summary.name = record.name;
    known.summary.title = record.plan.name;
    known.summary.launcher = record.plan.launcher;
    known.summary.directory = directory;
    known.summary.created = record.created;
    known.summary.ended = record.ended;
    known.summary.exitCode = record.exitCode;
    known.summary.worldSize = record.plan.worldSize();
    known.stall = record.stall;
    return known;
}

void RunSummaries::lookAgain(Known &known)
{
    RunSummary &summary = known.summary;
    summary.phase = currentPhase(known.record);
    known.isFinal = !isLive(summary.phase);
    summary.remark = known.isFinal ? QString() : known.stall;
    // On a full disk the supervisor may have been unable to write the record; the journal has room of its
    // own.
    const bool isUnwritten = !known.isFinal && !known.record.supervisor;
    if (summary.phase != RunPhase::Lost && !isUnwritten)
        return;
    if (!isLive(known.record.phase)) {
        summary.remark = lossText(known.record.ended, true);
        return;
    }
    RunReader reader(summary.directory);
    if (const auto state = reader.open()) {
        summary.phase = state->phase;
        summary.ended = state->ended;
        summary.exitCode = state->exitCode;
        known.isFinal = !isLive(summary.phase);
        if (summary.phase == RunPhase::Lost)
            summary.remark = lossText(summary.ended, false);
    }
}

std::optional<RunSummary> RunSummaries::summaryOf(const QString &directory)
{
    const QDateTime modified = QFileInfo(directory + u"/run.json"_s).lastModified();
    auto known = m_known.find(directory);
    if (known == m_known.end() || known->modified != modified) {
        const auto record = readRunOutline(directory);
        if (!record)
            return std::nullopt;
        known = m_known.insert(directory, knownOf(*record, directory));
        known->modified = modified;
    }
    if (!known->isFinal)
        lookAgain(*known);
    // A reader may have kept it long after the end.
    const RunPhase phase = known->summary.phase;
    if ((phase == RunPhase::Failed || phase == RunPhase::Stopped) && known->summary.verdict.isEmpty())
        known->summary.verdict = keptTitle(directory);
    RunSummary summary = known->summary;
    if (const QString given = givenTitle(directory); !given.isEmpty())
        summary.title = given;
    return summary;
}

static QString titlePath(const QString &directory)
{
    return directory + u"/title"_s;
}

QString givenTitle(const QString &directory)
{
    constexpr qint64 mostBytes = 1024;
    RegularFile file(titlePath(directory));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(mostBytes)).simplified() : QString();
}

std::optional<Error> giveTitle(const QString &directory, const QString &title)
{
    const QString text = title.simplified();
    if (text.isEmpty()) {
        QFile::remove(titlePath(directory));
        return std::nullopt;
    }
    QSaveFile file(titlePath(directory));
    if (file.open(QIODevice::WriteOnly) && file.write(text.toUtf8() + '\n') > 0 && file.commit())
        return std::nullopt;
    return Error{tr("the title cannot be written: %1").arg(problemOf(file)), directory, {}};
}

std::optional<Error> problemWithRuns()
{
    const QString path = runsDirectory();
    std::error_code code;
    for (std::filesystem::directory_iterator at(path.toStdString(), code), end; !code && at != end;)
        at.increment(code);
    if (!code || code == std::errc::no_such_file_or_directory)
        return std::nullopt;
    return Error{tr("the runs cannot be listed: %1").arg(errnoWords(code.value())), path, {}};
}

QList<RunSummary> RunSummaries::read()
{
    QList<RunSummary> runs;
    const QString root = runsDirectory() + '/'_L1;
    for (const QString &name : runNames()) {
        if (const auto summary = summaryOf(root + name))
            runs << *summary;
    }
    std::ranges::stable_sort(runs, [](const RunSummary &a, const RunSummary &b) {
        return std::pair(isLive(a.phase), a.created) > std::pair(isLive(b.phase), b.created);
    });
    return runs;
}

Result<QString> findRun(const QString &name)
{
    if (name.contains('/'_L1)) {
        const QString directory = QDir(name).absolutePath();
        const auto record = readRunRecord(directory);
        return record ? Result<QString>(directory) : Result<QString>(record.error());
    }
    const QStringList names = runNames();
    const QString root = runsDirectory() + '/'_L1;
    if (name == "last"_L1 && !names.isEmpty())
        return root + newestRun(names);
    if (names.contains(name))
        return root + name;
    QStringList matches;
    std::copy_if(names.begin(), names.end(), std::back_inserter(matches), [&](const QString &known) {
        return !name.isEmpty() && (known.startsWith(name) || known.endsWith(name));
    });
    if (matches.size() == 1)
        return root + matches.first();
    if (const auto error = names.isEmpty() ? problemWithRuns() : std::nullopt)
        return *error;
    if (matches.isEmpty())
        return Error{tr("unknown run"), name, tr("Run rankdeckctl list to see all runs.")};
    return Error{tr("several runs match: %1").arg(matches.mid(0, 8).join(nameComma())), name,
                 tr("Give more of the name.")};
}

RunCatalog::RunCatalog()
    : m_timer(this)
{
    m_timer.setInterval(catalogMs);
    connect(&m_timer, &QTimer::timeout, this, &RunCatalog::refresh);
}

void RunCatalog::start()
{
    m_timer.start();
    refresh();
}

void RunCatalog::refresh()
{
    QList<RunSummary> runs = m_summaries.read();
    if (m_reported == runs)
        return;
    m_reported = runs;
    Q_EMIT runsChanged(runs);
}

qint64 RunSummary::duration(const QDateTime &now) const
{
    return created.secsTo(isLive(phase) || !ended.isValid() ? now : ended);
}

} // namespace rankdeck

#include "base/listcomma.h"
#include "base/times.h"
#include "rankdeckctl/console/commands.h"
#include "run/record/runcatalog.h"
#include "run/record/rundeletion.h"

#include <QLocale>

#include <unistd.h>

namespace rankdeck
{

static QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes);
}

/// Lists the files of all runs, before any is deleted.
static Result<QList<RunFiles>> look(const QStringList &names)
{
    QList<RunFiles> runs;
    QStringList seen;
    for (const QString &name : names) {
        const auto directory = findRun(name);
        if (!directory)
            return directory.error();
        if (seen.contains(*directory))
            continue;
        seen << *directory;
        const auto files = runFiles(*directory);
        if (!files)
            return files.error();
        runs << *files;
    }
    return runs;
}

/// @param line print() for an answer, say() before a question.
static void describe(const RunFiles &run, bool withLogs, void (*line)(const QString &))
{
    line(u"%1  %2"_s.arg(visibleText(run.name), sizeText(run.bytes)));
    for (const QString &path : run.outsideLogs)
        line((withLogs ? u"  %1"_s : tr("  %1  stays")).arg(visibleText(path)));
    if (!run.outsideLogs.isEmpty() && !withLogs)
        line(tr("  Give --logs to delete these too, %1.").arg(sizeText(run.outsideBytes)));
    if (run.sharedLogs > 0)
        line(tr("  %1 of its logs are another run's as well and stay.").arg(run.sharedLogs));
}

static Result<KeepSetting> readSetting(const QString &word)
{
    if (word == "forever"_L1)
        return KeepSetting();
    bool isNumber = false;
    const int days = word.toInt(&isNumber);
    if (isNumber && days >= 1 && days <= KeepSetting::mostDays)
        return KeepSetting{days};
    return Error{tr("\"%1\" is not a number of days from 1 to %2").arg(word).arg(KeepSetting::mostDays),
                 {},
                 tr("Give a number of days, or forever.")};
}

static int apply()
{
    const auto deleted = deleteExpiredRuns();
    if (!deleted)
        return refuse(deleted.error());
    for (const QString &name : *deleted)
        print(visibleText(name));
    return 0;
}

static void printAsJson(const KeepSetting &setting, const QList<RunSummary> &expired)
{
    printJson({{"keep_days", setting.days},
               {"expired", JsonText::list(expired, [](const RunSummary &run) { return run.name; })}});
}

static void show(const KeepSetting &setting, const QList<RunSummary> &expired, bool isDryRun)
{
    const int days = setting.days.value_or(0);
    if (!setting.days)
        print(isDryRun ? tr("Runs would be kept forever.") : tr("Runs are kept forever."));
    else if (isDryRun && expired.isEmpty())
        print(tr("With a limit of %n days no run would be deleted.",
                 "With a limit of %n day no run would be deleted.", days));
    else if (isDryRun)
        print(tr("With a limit of %n days these runs would be deleted:",
                 "With a limit of %n day these runs would be deleted:", days));
    else
        print(tr("Runs are kept for %n days after their end.", "Runs are kept for %n day after their end.",
                 days));
    if (!isDryRun && !expired.isEmpty())
        print(tr("These will be deleted when the next run ends or the window opens, or with --apply:"));
    for (const RunSummary &run : expired)
        print(visibleText(run.name));
}

const QString liveWord = u"live"_s;
const QString endedWord = u"ended"_s;

/// Whether the run is in a state; "live" and "ended" stand for several states each.
static bool isInState(const RunSummary &run, const QString &word)
{
    if (word == liveWord || word == endedWord)
        return isLive(run.phase) == (word == liveWord);
    return word == phaseWord(run.phase);
}

static Result<QStringList> readStates(const QStringList &given)
{
    QStringList states;
    for (const QString &option : given) {
        for (const QString &word : option.split(','_L1)) {
            if (word != liveWord && word != endedWord && !phaseFromWord(word))
                return Error{tr("unknown state \"%1\"").arg(word), u"--state"_s,
                             tr("Give live, ended, starting, running, stopping, succeeded, failed, stopped, "
                                "lost or unknown.")};
            states << word;
        }
    }
    return states;
}

/// Returns "0:00:20": minutes alone could be taken for hours.
static QString durationText(qint64 seconds)
{
    const QString text = elapsedText(seconds);
    return text.count(':'_L1) == 1 ? "0:"_L1 + text.rightJustified(5, '0'_L1) : text;
}

/// Returns "20261126-120000-train (the good one)" for a run with a title of the user's.
static QString namedRun(const RunSummary &run)
{
    const QString given = givenTitle(run.directory);
    return given.isEmpty() ? visibleText(run.name) : inBrackets(visibleText(run.name), visibleText(given));
}

static void printTable(const QList<RunSummary> &runs)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QList<QStringList> rows{
        {tr("RUN"), tr("STATE"), tr("CODE"), tr("RANKS"), tr("DURATION"), tr("STARTED"), tr("REMARK")}};
    for (const RunSummary &run : runs)
        rows << QStringList{
            namedRun(run),
            shownWord(run.phase),
            isLive(run.phase) ? u"-"_s : QString::number(run.exitCode),
            QString::number(run.worldSize),
            durationText(run.duration(now)),
            run.created.isValid() ? run.created.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s) : QString(),
            run.verdict.isEmpty() ? run.remark : visibleText(run.verdict)};
    print(tableLines(rows, "llrrrll").join('\n'_L1));
}

static void printAsJson(const QList<RunSummary> &runs)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    printJson({{"runs", JsonText::list(runs, [&](const RunSummary &run) {
                    JsonText json{{"name", run.name},
                                  {"directory", run.directory},
                                  {"launcher", run.launcher},
                                  {"state", phaseWord(run.phase)},
                                  {"world_size", run.worldSize},
                                  {"created", run.created.toString(Qt::ISODateWithMs)},
                                  {"duration_s", run.duration(now)}};
                    if (!isLive(run.phase)) {
                        json.insert("exit_code", run.exitCode);
                        json.insert("ended", run.ended.toString(Qt::ISODateWithMs));
                    }
                    json.insertUnlessEmpty("title", givenTitle(run.directory));
                    json.insertUnlessEmpty("verdict", run.verdict);
                    json.insertUnlessEmpty("remark", run.remark);
                    return json;
                })}});
}

int deleteCommand(const Options &options)
{
    const bool withLogs = options.has("--logs");
    const auto runs = look(options.positional);
    if (!runs)
        return refuse(runs.error());
    const bool isDryRun = options.has("--dry-run");
    const bool isAsked = !options.has("--yes");
    if (isAsked || isDryRun) {
        for (const RunFiles &run : *runs)
            describe(run, withLogs, isDryRun ? print : say);
    }
    if (isDryRun)
        return 0;
    if (isAsked && isatty(STDIN_FILENO) == 0)
        return refuse({tr("this is not a terminal, so nothing was deleted"), {}, tr("Give --yes.")});
    const QString question = tr("Delete these %n runs?", "Delete this run?", int(runs->size()));
    if (isAsked && !isConfirmed(question + u" [y/N] "_s)) {
        say(tr("Nothing was deleted."));
        return 1;
    }
    const bool asJson = options.has("--json");
    QStringList deleted;
    QStringList problems;
    for (const RunFiles &run : *runs) {
        if (const auto error = deleteRun(run.directory, withLogs)) {
            complain(visibleText(error->sentence().simplified()));
            problems << error->sentence();
            continue;
        }
        deleted << run.name;
        if (!asJson)
            print(visibleText(run.name));
    }
    if (asJson)
        printJson({{"deleted", deleted}, {"problems", problems}});
    return problems.empty() ? 0 : 1;
}

int keepCommand(const Options &options)
{
    const bool isApplied = options.has("--apply");
    if (isApplied && options.positional.size() + options.switches.size() > 1)
        return refuse({tr("cannot be combined with anything else"), u"--apply"_s, {}});
    if (isApplied)
        return apply();
    const auto setting =
        options.positional.isEmpty() ? loadKeepSetting() : readSetting(options.positional.first());
    if (!setting)
        return refuse(setting.error());
    if (!options.positional.isEmpty() && !options.has("--dry-run")) {
        if (const auto error = saveKeepSetting(*setting))
            return refuse(*error);
    }
    const QList<RunSummary> expired =
        expiredRuns(RunSummaries().read(), *setting, QDateTime::currentDateTimeUtc());
    if (options.has("--json"))
        printAsJson(*setting, expired);
    else
        show(*setting, expired, options.has("--dry-run"));
    return 0;
}

int listCommand(const Options &options)
{
    const auto states = readStates(options.list("--state"));
    if (!states)
        return refuse(states.error());
    QList<RunSummary> runs = RunSummaries().read();
    const bool wereThereAny = !runs.isEmpty();
    if (const auto error = wereThereAny ? std::nullopt : problemWithRuns()) {
        complain(visibleText(error->sentence()));
        return 1;
    }
    if (!states->isEmpty())
        runs.removeIf([&](const RunSummary &run) {
            return std::none_of(states->begin(), states->end(),
                                [&](const QString &word) { return isInState(run, word); });
        });
    if (options.hasValue("--limit")) {
        const auto limit = options.number("--limit", 1);
        if (!limit)
            return refuse(limit.error());
        runs = runs.mid(0, *limit);
    }
    if (options.has("--json"))
        printAsJson(runs);
    else if (runs.isEmpty())
        say(wereThereAny ? tr("There are no such runs.") : tr("There are no runs yet."));
    else
        printTable(runs);
    return 0;
}

} // namespace rankdeck

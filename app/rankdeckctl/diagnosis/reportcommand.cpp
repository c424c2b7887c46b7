#include "base/times.h"
#include "bundle/writebundle.h"
#include "diagnosis/failure/runresults.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/rungiven.h"
#include "rankdeckctl/diagnosis/longwork.h"
#include "run/record/runreader.h"

namespace rankdeck
{

namespace
{

qint64 sizeOf(const ProcessPlan &process)
{
    return QFileInfo(process.logFile).size() +
           (process.stderrFile.isEmpty() ? 0 : QFileInfo(process.stderrFile).size());
}

QString nameOf(const ProcessPlan &process)
{
    if (process.device == ProcessPlan::noDevice || process.isRankOpen)
        return processName(process);
    return tr("rank %1, device %2").arg(process.rank.value).arg(process.device.value);
}

/// The times of evidence are as a log has them, which does not name its zone: local times of this machine.
JsonText verdictJson(Verdict verdict)
{
    for (Verdict::Evidence &evidence : verdict.evidence) {
        const auto time = QDateTime::fromString(evidence.time, u"yyyy-MM-dd HH:mm:ss"_s);
        evidence.time = time.isValid() ? jsonTime(time) : QString();
    }
    JsonText json = verdict;
    json.useSnakeCase();
    return json;
}

/// The logs that `open` lists.
struct OpenedLogs {
    RunState state;
    Verdict verdict;
    QString place;                             ///< The directory of the logs, or the bundle.
    QDateTime written;                         ///< When the last of them was; UTC.
    std::function<QString(QString)> shownPath; ///< Returns the path of a log as it is shown.
};

void printForReaders(const OpenedLogs &logs)
{
    const RunState &state = logs.state;
    print(tr("%1: %n logs in %2, last written %3", "%1: %n log in %2, last written %3",
             int(state.plan->processes.size()))
              .arg(state.plan->launcher, visibleText(logs.place),
                   logs.written.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s)));
    for (const QString &note : state.notes)
        print(visibleText(note));
    print({});
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const ProcessPlan &process = state.plan->processes[index];
        print(u"%1  %2  %3  %4"_s.arg(nameOf(process), -20)
                  .arg(phaseWord(state.ranks[index].phase), -7)
                  .arg(QLocale::c().formattedDataSize(sizeOf(process)), 10)
                  .arg(visibleText(QFileInfo(process.logFile).fileName()))
                  .trimmed());
    }
    if (!logs.verdict.hasFailure)
        return;
    print({});
    for (const QString &line : verdictText(logs.verdict, state).trimmed().split('\n'_L1))
        print(visibleText(line));
}

void printForPrograms(const OpenedLogs &logs)
{
    const RunState &state = logs.state;
    QList<JsonText> processes;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const ProcessPlan &process = state.plan->processes[index];
        JsonText json{{"role", roleWord(process.role)},
                      {"state", phaseWord(state.ranks[index].phase)},
                      {"bytes", sizeOf(process)},
                      {"log", logs.shownPath(process.logFile)}};
        if (process.role == Role::Worker)
            insertRank(json, process);
        if (process.device != ProcessPlan::noDevice)
            json.insert("device", process.device);
        if (!process.stderrFile.isEmpty())
            json.insert("stderr", logs.shownPath(process.stderrFile));
        processes << json;
    }
    printJson({{"directory", logs.place},
               {"launcher", state.plan->launcher},
               {"state", phaseWord(state.phase)},
               {"written", jsonTime(logs.written)},
               {"notes", state.notes},
               {"processes", processes},
               {"verdict", verdictJson(logs.verdict)}});
}

/// The subject of a report.
struct Subject {
    RunState state;
    Verdict verdict;
    std::shared_ptr<BundleDirectory> files; ///< Unpacked files of a bundle.
    QString report;                         ///< In a bundle, with the places as they were; else empty.
};

Result<Subject> openBundled(const QString &path)
{
    BundleSource source(path);
    if (const auto state = source.open(); !state)
        return state.error();
    const OpenedBundle &bundle = source.bundle();
    if (!bundle.verdict)
        return Error{tr("the bundle contains no verdict"), path, {}};
    return Subject{bundle.state, *bundle.verdict, bundle.directory, bundle.report};
}

/// Opens a run by its name or directory, a directory of logs that any launcher left, or a bundle.
Result<Subject> openSubject(const QString &name, const std::function<bool()> &isCancelled)
{
    const QFileInfo path(name);
    if (BundleSource::isBundle(name))
        return openBundled(name);
    Result<RunState> state = Error{};
    if (path.isFile() || (path.isDir() && !readRunRecord(name))) {
        state = LogDirectory(name).open();
    } else {
        const auto directory = runGiven(name);
        if (!directory)
            return directory.error();
        state = RunReader(*directory).open();
    }
    if (!state)
        return state.error();
    return Subject{*state, verdictOf(*state, isCancelled), {}, {}};
}

Result<qint64> bundleBytes(const Options &options)
{
    constexpr int megabyte = 1'000'000;
    if (!options.hasValue("--max-size"))
        return BundleOptions().maxBytes;
    const auto megabytes = options.number("--max-size", 1);
    if (!megabytes)
        return megabytes.error();
    if (*megabytes > BundleOptions::mostBytes / megabyte)
        return Error{tr("is more than %1").arg(BundleOptions::mostBytes / megabyte), u"--max-size"_s,
                     tr("Give megabytes.")};
    return qint64(*megabytes) * megabyte;
}

/// Returns the kind of file that is written, and its path; nothing: the report is printed.
std::optional<std::pair<ReportFile, QString>> fileOf(const Options &options)
{
    for (const auto &[kind, option] :
         {std::pair(ReportFile::Bundle, "--bundle"), std::pair(ReportFile::AscendFd, "--ascend-fd"),
          std::pair(ReportFile::Page, "--output")}) {
        if (options.hasValue(option))
            return std::pair(kind, options.value(option));
    }
    return std::nullopt;
}

} // namespace

int openCommand(const Options &options)
{
    const QString &path = options.positional.first();
    LogDirectory directory(path);
    BundleSource bundle(path);
    const bool isBundle = BundleSource::isBundle(path);
    const auto state = isBundle ? bundle.open() : directory.open();
    if (!state)
        return refuse(state.error());
    const OpenedLogs logs =
        isBundle
            ? OpenedLogs{*state, bundle.bundle().verdict.value_or(Verdict()), path, state->ended,
                         [&](const QString &file) {
                             return bundle.nameOf(file);
                         }}
            : OpenedLogs{*state, verdictOf(*state), state->directory, directory.written(), std::identity()};
    if (options.has("--json"))
        printForPrograms(logs);
    else
        printForReaders(logs);
    return 0;
}

int reportCommand(const Options &options)
{
    const auto file = fileOf(options);
    const auto forms = {options.has("--json"), options.has("--html"), options.hasValue("--bundle"),
                        options.hasValue("--ascend-fd")};
    if (std::ranges::count(forms, true) > 1)
        return refuse({tr("--json, --html, --bundle and --ascend-fd cannot be combined"), {}, {}});
    if (options.hasValue("--output") && !options.has("--html"))
        return refuse({tr("works only with --html"), u"--output"_s, {}});
    if (options.hasValue("--max-size") && (!file || file->first == ReportFile::Page))
        return refuse({tr("works only with --bundle or --ascend-fd"), u"--max-size"_s, {}});
    const auto maxBytes = bundleBytes(options);
    if (!maxBytes)
        return refuse(maxBytes.error());
    LongWork work;
    const LongReading reading = work.reading();
    const auto subject = openSubject(options.positional.value(0), reading.isCancelled);
    if (LongWork::isCancelled())
        return LongWork::exitCode();
    if (!subject) {
        work.wipe();
        return refuse(subject.error());
    }
    const auto &[state, verdict, files, report] = *subject;
    BundleOptions settings;
    settings.maxBytes = *maxBytes;
    settings.isCancelled = reading.isCancelled;
    settings.progress = reading.progress;
    if (file) {
        const auto written = writeReportFile(file->first, state, verdict, file->second, settings);
        work.wipe();
        if (!written && LongWork::isCancelled())
            return LongWork::exitCode();
        if (!written)
            return refuse(written.error());
        print(visibleText(written->summary(file->second)));
    } else if (options.has("--json")) {
        JsonText json = verdictJson(verdict);
        json.insert("results", runResults(state));
        work.wipe();
        printJson(json);
    } else if (options.has("--html")) {
        const MaskedPage page = maskedReportPage(state, verdict, settings);
        if (LongWork::isCancelled())
            return LongWork::exitCode();
        work.wipe();
        print(QString::fromUtf8(page.page).trimmed());
    } else {
        const QString text = report.isEmpty() ? verdictText(verdict, state) : report;
        work.wipe();
        for (const QString &line : text.trimmed().split('\n'_L1))
            print(visibleText(line));
        if (!state.notes.isEmpty())
            print('\n'_L1 + tr("Notes:"));
        for (const QString &note : state.notes)
            print(u"  "_s + visibleText(note));
    }
    return 0;
}

} // namespace rankdeck

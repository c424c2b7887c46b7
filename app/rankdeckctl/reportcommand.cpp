#include "bundle/openbundle.h"
#include "bundle/writebundle.h"
#include "commands.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdictjson.h"
#include "diagnosis/verdict/verdicttext.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "run/runcatalog.h"
#include "run/runreader.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("reportcommand", text);
}

/// What is reported on.
struct Subject {
    RunState state;
    Verdict verdict;
    std::shared_ptr<BundleDirectory> files; ///< Of a bundle.
    QString report;                         ///< In a bundle, with the places as they were; else empty.
};

Result<Subject> openBundled(const QString &path)
{
    const auto bundle = openBundle(path);
    if (!bundle)
        return bundle.error();
    if (!bundle->verdict)
        return Error{tr("there is no verdict in this bundle"), path, {}};
    return Subject{bundle->state, *bundle->verdict, bundle->directory, bundle->report};
}

/// A run by its name or directory, a directory of logs that any launcher left, or a bundle.
Result<Subject> openSubject(const QString &name)
{
    if (QFileInfo(name).isFile())
        return openBundled(name);
    Result<RunState> state = Error{};
    if (QFileInfo(name).isDir() && !readRunRecord(name)) {
        state = LogDirectory(name).open();
    } else {
        const auto directory = findRun(name);
        if (!directory)
            return directory.error();
        state = RunReader(*directory).open();
    }
    if (!state)
        return state.error();
    return Subject{*state, diagnose(*state), {}, {}};
}

Result<qint64> bundleBytes(const Options &options)
{
    constexpr int megabyte = 1'000'000;
    if (!options.hasValue("--max-size"))
        return BundleOptions().maxBytes;
    const auto megabytes = parseNumber(options.value("--max-size"), QStringLiteral("--max-size"), 1);
    if (!megabytes)
        return megabytes.error();
    if (*megabytes > BundleOptions::mostBytes / megabyte)
        return Error{tr("is more than %1").arg(BundleOptions::mostBytes / megabyte),
                     QStringLiteral("--max-size"), tr("Give megabytes.")};
    return qint64(*megabytes) * megabyte;
}

int writeBundleOf(const Subject &subject, const QString &path, qint64 maxBytes)
{
    BundleOptions options;
    options.maxBytes = maxBytes;
    const auto written = writeBundle(subject.state, subject.verdict, path, options);
    if (!written)
        return refuse(written.error());
    print(visibleText(written->summary(path)));
    return 0;
}

} // namespace

int reportCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {QStringLiteral("--json"), QStringLiteral("--html")},
                                      {QStringLiteral("--bundle"), QStringLiteral("--max-size")}, 1);
    if (!options)
        return refuse(options.error());
    if (int(options->has("--json")) + int(options->has("--html")) + int(options->hasValue("--bundle")) > 1)
        return refuse({tr("--json, --html and --bundle exclude each other"), {}, {}});
    if (options->hasValue("--max-size") && !options->hasValue("--bundle"))
        return refuse({tr("is for --bundle alone"), QStringLiteral("--max-size"), {}});
    const auto maxBytes = bundleBytes(*options);
    if (!maxBytes)
        return refuse(maxBytes.error());
    const auto subject = openSubject(options->positional.first());
    if (!subject)
        return refuse(subject.error());
    const auto &[state, verdict, files, report] = *subject;
    if (options->hasValue("--bundle"))
        return writeBundleOf(*subject, options->value("--bundle"), *maxBytes);
    if (options->has("--json")) {
        print(visibleJson(jsonText(toJson(verdict), 2)));
    } else if (options->has("--html")) {
        print(verdictHtml(verdict, state).trimmed());
    } else {
        const QString text = report.isEmpty() ? verdictText(verdict, state) : report;
        for (const QString &line : text.trimmed().split(QLatin1Char('\n')))
            print(visibleText(line));
    }
    return 0;
}

} // namespace rankdeck

#include "commands.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "options.h"
#include "output.h"
#include "progressprinter.h"
#include "run/runcatalog.h"
#include "run/runreader.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTimer>

#include <memory>
#include <optional>
#include <utility>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("progresscommand", text);
}

constexpr int lookMs = 500;

struct Wanted {
    ProgressFormat format = ProgressFormat::Table;
    bool follows = false;
    QString pattern; ///< In place of the launch's own.
};

Result<std::unique_ptr<ProgressLogs>> logsOf(const RunState &state, const Wanted &wanted)
{
    const QString own = state.spec ? state.spec->common.progressPattern : QString();
    auto reader = ProgressReader::create(wanted.pattern.isEmpty() ? own : wanted.pattern);
    if (!reader)
        return reader.error();
    return std::make_unique<ProgressLogs>(*state.plan, *reader);
}

/// Print a line whenever the progress has changed, until the run has ended.
/// @param source is asked for news: a RunReader or a LogDirectory.
template <typename Source>
std::optional<Error> follow(Source &source, std::unique_ptr<ProgressLogs> &logs, const Wanted &wanted)
{
    std::optional<Error> error;
    auto plan = source.state().plan;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &look, [&] {
        source.update();
        if (std::exchange(plan, source.state().plan) != plan) {
            // A new attempt has logs of its own.
            auto other = logsOf(source.state(), wanted);
            if (other)
                logs = std::move(other.value());
            else
                error = other.error();
        }
        const bool isMore = logs->readOn(true);
        look.setInterval(isMore ? 0 : lookMs);
        if (!isMore && !logs->takeChanged().empty())
            printProgressLine(source.state(), *logs, wanted.format);
        if (error || !mayGrow(source.state().phase))
            QCoreApplication::quit();
    });
    look.start(0);
    QCoreApplication::exec();
    return error;
}

template <typename Source>
int showProgress(Source &source, const Wanted &wanted)
{
    const auto state = source.open();
    if (!state)
        return refuse(state.error());
    auto made = logsOf(*state, wanted);
    if (!made)
        return refuse(made.error());
    std::unique_ptr<ProgressLogs> logs = std::move(made.value());
    if (wanted.follows && mayGrow(state->phase)) {
        if (const auto error = follow(source, logs, wanted))
            return refuse(*error);
    }
    logs->readRest();
    if (wanted.follows && wanted.format == ProgressFormat::Json)
        printProgressLine(source.state(), *logs, wanted.format);
    else
        printProgress(source.state(), *logs, wanted.format);
    return 0;
}

} // namespace

int progressCommand(const QStringList &arguments)
{
    const auto options = parseOptions(
        arguments, {QStringLiteral("--json"), QStringLiteral("--csv"), QStringLiteral("--follow")},
        {QStringLiteral("--progress-pattern")}, 1);
    if (!options)
        return refuse(options.error());
    if (options->has("--csv") && (options->has("--json") || options->has("--follow")))
        return refuse({tr("it goes neither with --json nor with --follow"), QStringLiteral("--csv"), {}});
    Wanted wanted;
    wanted.format = options->has("--json")  ? ProgressFormat::Json
                    : options->has("--csv") ? ProgressFormat::Csv
                                            : ProgressFormat::Table;
    wanted.follows = options->has("--follow");
    wanted.pattern = options->value("--progress-pattern");

    const QString &what = options->positional.first();
    const auto run = findRun(what);
    if (run) {
        RunReader reader(*run);
        return showProgress(reader, wanted);
    }
    if (!QFileInfo(what).isDir())
        return refuse(run.error());
    LogDirectory logs(what);
    return showProgress(logs, wanted);
}

} // namespace rankdeck

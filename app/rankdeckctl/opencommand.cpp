#include "commands.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdictjson.h"
#include "diagnosis/verdict/verdicttext.h"
#include "json.h"
#include "options.h"
#include "output.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("opencommand", text);
}

qint64 sizeOf(const ProcessPlan &process)
{
    return QFileInfo(process.logFile).size() +
           (process.stderrFile.isEmpty() ? 0 : QFileInfo(process.stderrFile).size());
}

QString nameOf(const ProcessPlan &process)
{
    if (process.role == Role::Scheduler)
        return tr("scheduler");
    if (process.device == ProcessPlan::noDevice)
        return tr("rank %1").arg(process.rank.value);
    return tr("rank %1, device %2").arg(process.rank.value).arg(process.device.value);
}

void printForReaders(const LogDirectory &directory)
{
    const RunState &state = directory.state();
    print(tr("%1: %2 logs in %3, last written %4")
              .arg(state.plan->launcher)
              .arg(state.plan->processes.size())
              .arg(visibleText(state.directory),
                   directory.written().toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"))));
    for (const QString &note : state.notes)
        print(visibleText(note));
    print({});
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const ProcessPlan &process = state.plan->processes[index];
        print(QStringLiteral("%1  %2  %3  %4")
                  .arg(nameOf(process), -20)
                  .arg(phaseWord(state.ranks[index].phase), -7)
                  .arg(QLocale::c().formattedDataSize(sizeOf(process)), 10)
                  .arg(visibleText(QFileInfo(process.logFile).fileName()))
                  .trimmed());
    }
    const Verdict verdict = diagnose(state);
    if (!verdict.hasFailure)
        return;
    print({});
    for (const QString &line : verdictText(verdict, state).trimmed().split(QLatin1Char('\n')))
        print(visibleText(line));
}

void printForPrograms(const LogDirectory &directory)
{
    const RunState &state = directory.state();
    nlohmann::json json{{"directory", state.directory},
                        {"launcher", state.plan->launcher},
                        {"state", phaseWord(state.phase)},
                        {"written", directory.written().toString(Qt::ISODateWithMs)},
                        {"notes", state.notes},
                        {"processes", nlohmann::json::array()},
                        {"verdict", toJson(diagnose(state))}};
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const ProcessPlan &process = state.plan->processes[index];
        nlohmann::json entry{{"role", roleWord(process.role)},
                             {"state", phaseWord(state.ranks[index].phase)},
                             {"bytes", sizeOf(process)},
                             {"log", process.logFile}};
        if (process.role == Role::Worker)
            entry["rank"] = process.rank.value;
        if (process.device != ProcessPlan::noDevice)
            entry["device"] = process.device.value;
        if (!process.stderrFile.isEmpty())
            entry["stderr"] = process.stderrFile;
        json["processes"].push_back(std::move(entry));
    }
    print(visibleJson(jsonText(json, 2)));
}

} // namespace

int openCommand(const QStringList &arguments)
{
    const auto options = parseOptions(arguments, {QStringLiteral("--json")}, {}, 1);
    if (!options)
        return refuse(options.error());
    LogDirectory directory(options->positional.first());
    if (const auto state = directory.open(); !state)
        return refuse(state.error());
    if (options->has("--json"))
        printForPrograms(directory);
    else
        printForReaders(directory);
    return 0;
}

} // namespace rankdeck

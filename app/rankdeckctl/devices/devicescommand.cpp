#include "base/program.h"
#include "device/dcmi/dcmilibrary.h"
#include "device/sampling/devicesampler.h"
#include "device/sampling/prometheustext.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/devices/devicetable.h"
#include "ranktable/changes/ranktablegeneration.h"
#include "run/record/runcatalog.h"
#include "run/samples/historytexts.h"

#include <QEvent>
#include <QFile>

#include <cstdio>
#include <numeric>

namespace rankdeck
{

namespace
{

constexpr int nothingSampled = 1;
constexpr int mostSeconds = 86400;

enum class Form { Table, Json, Prometheus, Csv };

struct Wanted {
    DeviceSource source;
    Form form = Form::Table;
    std::optional<int> seconds; ///< Interval between readings.
    QString run;                ///< Id of the run; empty: all NPUs of this machine.
};

Result<Wanted> wantedBy(const Options &options)
{
    Wanted wanted;
    wanted.run = options.positional.value(0);
    for (const char *option : {"--prometheus", "--source"}) {
        if (!wanted.run.isEmpty() && (options.has(option) || options.hasValue(option)))
            return Error{
                tr("it works for this machine's NPUs only, not with RUN"), QLatin1String(option), {}};
    }
    if (options.has("--csv") && wanted.run.isEmpty())
        return Error{tr("only a run has a history"), u"--csv"_s, tr("Name the run.")};
    if (options.has("--csv") && (options.has("--json") || options.hasValue("--watch")))
        return Error{tr("cannot be combined with --json or --watch"), u"--csv"_s, {}};
    if (options.has("--json") && options.has("--prometheus"))
        return Error{tr("only one output format is possible"), u"--json"_s,
                     tr("Give --json or --prometheus.")};
    wanted.form = options.has("--csv")          ? Form::Csv
                  : options.has("--json")       ? Form::Json
                  : options.has("--prometheus") ? Form::Prometheus
                                                : Form::Table;
    if (options.hasValue("--watch")) {
        const auto seconds = options.number("--watch", 1);
        if (!seconds)
            return seconds.error();
        wanted.seconds = std::min(*seconds, mostSeconds);
    }
    if (!wanted.run.isEmpty())
        return wanted;
    if (!options.hasValue("--source")) {
        wanted.source = findDeviceSource();
        return wanted;
    }
    const auto kind = sourceFromWord(options.value("--source"));
    if (!kind || *kind == DeviceSource::Kind::None || *kind == DeviceSource::Kind::Invented)
        return Error{tr("unknown source \"%1\"").arg(options.value("--source")), u"--source"_s,
                     tr("Give npu-smi or dcmi.")};
    wanted.source = findDeviceSource(*kind);
    return wanted;
}

void printTable(const DeviceReading &reading, bool isWatch)
{
    if (isWatch)
        print(reading.time.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s));
    for (const QString &line : deviceTable(reading))
        print(line);
    if (isWatch)
        print(QString());
}

void printReading(const DeviceReading &reading, const Wanted &wanted)
{
    if (wanted.form == Form::Json)
        printJson(reading, !wanted.seconds);
    else if (wanted.form == Form::Prometheus)
        print(QString::fromUtf8(prometheusText(reading)).trimmed());
    else
        printTable(reading, wanted.seconds.has_value());
}

int printHistory(const QString &directory)
{
    const auto state = RunReader(directory).open();
    if (!state)
        return refuse(state.error());
    QList<int> all(qsizetype(state->plan->processes.size()));
    std::iota(all.begin(), all.end(), 0);
    QFile out;
    if (!out.open(stdout, QIODevice::WriteOnly))
        return refuse({tr("standard output cannot be written"), {}, {}});
    const auto error = writeSampleCsv(out, directory, *state->plan, all);
    return error ? refuse(*error) : 0;
}

int devicesOfRun(const Wanted &wanted)
{
    if (wanted.form == Form::Csv) {
        const auto directory = findRun(wanted.run);
        return directory ? printHistory(*directory) : refuse(directory.error());
    }
    const auto run = chooseLiveRun(findRun(wanted.run), tr("Use --csv to print its recorded samples."));
    if (!run)
        return refuse(run.error());
    return RunDevices(run->directory, wanted.form == Form::Json, wanted.seconds).watch();
}

/// Prints a DCMI reading for a DeviceSampler in another process.
int readDcmiForOthers()
{
    const QString library = dcmiPath();
    const auto reading = library.isEmpty() ? Result<DeviceReading>(noDeviceSource()) : readDcmi(library);
    print(QString::fromUtf8(reading ? jsonTextOf(*reading) : keyedLine("error", reading.error())));
    return reading ? 0 : nothingSampled;
}

} // namespace

int devicesCommand(const Options &options)
{
    if (options.has(readDcmiOption))
        return readDcmiForOthers();
    const auto wanted = wantedBy(options);
    if (!wanted)
        return refuse(wanted.error());
    if (!wanted->run.isEmpty())
        return devicesOfRun(*wanted);
    if (wanted->source.kind == DeviceSource::Kind::None) {
        refuse(noDeviceSource());
        return nothingSampled;
    }
    DeviceSamplerSettings settings;
    settings.helper = programPath();
    if (wanted->seconds) // One chip a reading: of a single reading it would be the first one's alone.
        settings.hccnTool = hccnToolPath();
    if (wanted->seconds)
        settings.interval = std::chrono::seconds(*wanted->seconds);
    DeviceSampler sampler(wanted->source, settings);
    // Without --watch the first reading ends it, even if the questions that complete it have failed.
    bool isOver = false;
    QObject::connect(&sampler, &DeviceSampler::sampled, [&](const DeviceReading &reading) {
        if (isOver)
            return;
        printReading(reading, *wanted);
        if (wanted->seconds)
            return;
        isOver = true;
        sampler.setWanted(&sampler, false);
        QCoreApplication::exit(0);
    });
    QString said;
    QObject::connect(&sampler, &DeviceSampler::failed, [&](const Error &error) {
        if (isOver)
            return;
        if (error.sentence() != said)
            refuse(error);
        said = error.sentence();
        if (!wanted->seconds)
            QCoreApplication::exit(nothingSampled);
    });
    sampler.setWanted(&sampler, true);
    const int code = QCoreApplication::exec();
    // The sampler deletes its tools later, by an event.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return code;
}

} // namespace rankdeck

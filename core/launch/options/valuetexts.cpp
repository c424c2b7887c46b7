#include "launch/options/valuetexts.h"

#include "base/json.h"
#include "launch/planning/wrappers.h"
#include "launch/text/commandline.h"

#include <QFile>
#include <QRegularExpression>

#include <array>
#include <utility>

namespace rankdeck
{

namespace
{

// The text of a field by its type. A switch has an empty text.

OptionText textOf(const OptionRow &row, SpecField<int> field)
{
    return {[name = row.name(), field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto number = readWholeNumber(text, name);
                if (!number)
                    return number.error();
                field(spec) = *number;
                return std::nullopt;
            },
            [field](const LaunchSpec &spec) {
                return QStringList{QString::number(valueIn(spec, field))};
            }};
}

OptionText textOf(const OptionRow &row, SpecField<bool> field)
{
    const bool given = row.whenGiven;
    return {[field, given](LaunchSpec &spec, const QString &) -> std::optional<Error> {
                field(spec) = given;
                return std::nullopt;
            },
            [field, given](const LaunchSpec &spec) {
                return valueIn(spec, field) == given ? QStringList{QString()} : QStringList();
            }};
}

OptionText textOf(const OptionRow &, SpecField<QString> field)
{
    return {[field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                field(spec) = text;
                return std::nullopt;
            },
            [field](const LaunchSpec &spec) {
                return QStringList{valueIn(spec, field)};
            }};
}

OptionText textOf(const OptionRow &, SpecField<QStringList> field)
{
    return {[field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                field(spec) << text;
                return std::nullopt;
            },
            [field](const LaunchSpec &spec) {
                return valueIn(spec, field);
            }};
}

/// Commands, each quoted as splitCommandLine() reads it.
OptionText textOf(const OptionRow &row, SpecField<QList<QStringList>> field)
{
    return {[name = row.name(), field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto words = splitCommandLine(text);
                if (!words)
                    return Error{words.error().what, name, words.error().mend};
                if (words->isEmpty())
                    return Error{tr("missing command"), name, {}};
                field(spec) << *words;
                return std::nullopt;
            },
            [field](const LaunchSpec &spec) {
                QStringList texts;
                for (const QStringList &words : valueIn(spec, field))
                    texts << joinCommandLine(words);
                return texts;
            }};
}

std::optional<Error> readVariable(QMap<QString, QString> &variables, const QString &text,
                                  const QString &option)
{
    const auto equals = text.indexOf(QLatin1Char('='));
    if (equals < 1)
        return Error{tr("\"%1\" is not NAME=VALUE").arg(text), option, {}};
    variables.insert(text.left(equals), text.mid(equals + 1));
    return std::nullopt;
}

QStringList writtenVariables(const QMap<QString, QString> &variables)
{
    QStringList texts;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        texts << it.key() + QLatin1Char('=') + it.value();
    return texts;
}

OptionText textOf(const OptionRow &row, SpecField<QMap<QString, QString>> field)
{
    return {[name = row.name(), field](LaunchSpec &spec, const QString &text) {
                return readVariable(field(spec), text, name);
            },
            [field](const LaunchSpec &spec) {
                return writtenVariables(valueIn(spec, field));
            }};
}

OptionText textOf(const OptionRow &row, SpecField<QMap<int, QMap<QString, QString>>> field)
{
    return {[name = row.name(), field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                bool isNumber = false;
                const auto colon = text.indexOf(QLatin1Char(':'));
                const int rank = text.left(colon).toInt(&isNumber);
                if (colon < 1 || !isNumber || rank < 0)
                    return Error{tr("\"%1\" is not RANK:NAME=VALUE").arg(text), name, {}};
                return readVariable(field(spec)[rank], text.mid(colon + 1), name);
            },
            [field](const LaunchSpec &spec) {
                QStringList texts;
                const auto &ranks = valueIn(spec, field);
                for (auto rank = ranks.begin(); rank != ranks.end(); ++rank) {
                    for (const QString &variable : writtenVariables(*rank))
                        texts << QStringLiteral("%1:").arg(rank.key()) + variable;
                }
                return texts;
            }};
}

/// torch's own form: numbers with commas.
OptionText textOf(const OptionRow &row, SpecField<QList<int>> field)
{
    return {[name = row.name(), field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                field(spec).clear();
                for (const QString &word : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
                    const auto number = readWholeNumber(word, name);
                    if (!number)
                        return number.error();
                    field(spec) << *number;
                }
                return std::nullopt;
            },
            [field](const LaunchSpec &spec) {
                QStringList numbers;
                for (const int number : valueIn(spec, field))
                    numbers << QString::number(number);
                return numbers.isEmpty() ? QStringList() : QStringList{numbers.join(QLatin1Char(','))};
            }};
}

/// Other fields have no option, or their own text below.
template <typename T>
OptionText textOf(const OptionRow &, T)
{
    return {};
}

// The text of an option by its name.

/// Whole mebibytes, gibibytes or tebibytes.
OptionText memoryLimitText(const OptionRow &row)
{
    return {[name = row.name()](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                static const QRegularExpression size(QStringLiteral("^(\\d{1,7})([MGT])$"));
                const auto match = size.match(text);
                const qint64 unit = match.captured(2) == QLatin1String("T")   ? 1024 * 1024
                                    : match.captured(2) == QLatin1String("G") ? 1024
                                                                              : 1;
                const qint64 mebibytes = match.captured(1).toLongLong() * unit;
                if (!match.hasMatch() || mebibytes < 1 || mebibytes > std::numeric_limits<int>::max())
                    return Error{tr("\"%1\" is not a size").arg(text), name,
                                 tr("Write a number with M, G or T, e.g. 64G.")};
                spec.common.memoryLimitMiB = static_cast<int>(mebibytes);
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                const int mebibytes = spec.common.memoryLimitMiB;
                return mebibytes == 0 ? QStringList() : QStringList{QStringLiteral("%1M").arg(mebibytes)};
            }};
}

OptionText umaskText(const OptionRow &row)
{
    return {[name = row.name()](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                static const QRegularExpression octal(QStringLiteral("^[0-7]{1,4}$"));
                const int mask = text.toInt(nullptr, 8);
                if (!octal.match(text).hasMatch() || mask > 0777)
                    return Error{tr("\"%1\" is not a file mode mask").arg(text), name,
                                 tr("Write up to three octal digits, e.g. 027.")};
                spec.common.umask = mask;
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                const int mask = spec.common.umask;
                return mask < 0 ? QStringList()
                                : QStringList{QStringLiteral("%1").arg(mask, 3, 8, QLatin1Char('0'))};
            }};
}

/// Written as --transport.
OptionText slurmText(const OptionRow &)
{
    return {[](LaunchSpec &spec, const QString &) -> std::optional<Error> {
                spec.nodes.transport = QStringLiteral("slurm");
                return std::nullopt;
            },
            [](const LaunchSpec &) {
                return QStringList();
            }};
}

OptionText wrapText(const OptionRow &)
{
    return {[](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto wrapper = readWrapper(text);
                if (!wrapper)
                    return wrapper.error();
                spec.common.wrappers << text;
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                return spec.common.wrappers;
            }};
}

/// Returns `text` with the words True and False as Python writes them.
QString withPythonWords(const QString &text)
{
    for (const char *word : {"True", "False"}) {
        if (text.compare(QLatin1String(word), Qt::CaseInsensitive) == 0)
            return QLatin1String(word);
    }
    return text;
}

/// Planning checks the value.
OptionText bindCoreText(const OptionRow &)
{
    return {[](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                spec.common.bindCore = withPythonWords(text);
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                return QStringList{spec.common.bindCore};
            }};
}

/// Reads --join as ast.literal_eval does, with the choices True and False, which equal 1 and 0 in Python.
OptionText joinText(const OptionRow &row)
{
    return {[name = row.name()](LaunchSpec &spec, const QString &value) -> std::optional<Error> {
                const QString word = value.trimmed();
                const bool isTrue = word == QLatin1String("True") || word == QLatin1String("1");
                if (!isTrue && word != QLatin1String("False") && word != QLatin1String("0"))
                    return Error{tr("\"%1\" is neither True nor False").arg(value), name,
                                 tr("Write --join=True or --join=False, with a capital letter.")};
                spec.msrun.join = isTrue;
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                return QStringList{spec.msrun.join ? QStringLiteral("True") : QStringLiteral("False")};
            }};
}

/// Returns the JSON of a .json file that --bind_numa names, so that the launch does not depend on the file.
Result<QString> readBindNumaFile(const QString &path, const QString &option)
{
    constexpr qint64 mostBytes = 1024 * 1024; // A longer file is no list of cpus.
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("%1 cannot be read: %2").arg(path, problemOf(file)), option,
                     tr("Give a file that you can read.")};
    const auto json = parseJson(file.read(mostBytes));
    if (!json)
        return Error{tr("%1 is not a JSON file").arg(path), option, tr("Correct the file.")};
    return QString::fromUtf8(jsonText(*json));
}

/// --bind_numa of MindSpore 2.9.
OptionText bindNumaText(const OptionRow &row)
{
    return {[name = row.name()](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                spec.msrun.bindNuma = withPythonWords(text);
                if (!text.endsWith(QLatin1String(".json")))
                    return std::nullopt;
                const auto read = readBindNumaFile(text, name);
                if (!read)
                    return read.error();
                spec.msrun.bindNuma = *read;
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                return QStringList{spec.msrun.bindNuma};
            }};
}

/// A number, or a word for what is counted.
OptionText nprocText(const OptionRow &row)
{
    return {[name = row.name()](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                ProcessesOptions &own = spec.processes;
                for (const char *word : {"auto", "cpu", "gpu", "npu"}) {
                    if (text == QLatin1String(word)) {
                        own.nprocOf = text;
                        return std::nullopt;
                    }
                }
                const auto number = readWholeNumber(text, name);
                if (!number)
                    return Error{tr("\"%1\" is neither a number nor a kind of device").arg(text), name,
                                 tr("Give a number, auto, cpu, gpu or npu.")};
                own.nproc = *number;
                own.nprocOf.clear();
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                const ProcessesOptions &own = spec.processes;
                return QStringList{own.nprocOf.isEmpty() ? QString::number(own.nproc) : own.nprocOf};
            }};
}

/// Read as torchrun does, and not kept: a program is started in the same way with each.
OptionText startMethodText(const OptionRow &row)
{
    return {[name = row.name()](LaunchSpec &, const QString &text) -> std::optional<Error> {
                for (const char *method : {"spawn", "fork", "forkserver"}) {
                    if (text == QLatin1String(method))
                        return std::nullopt;
                }
                return Error{tr("\"%1\" is not a start method").arg(text), name,
                             tr("Give spawn, fork or forkserver.")};
            },
            [](const LaunchSpec &) {
                return QStringList();
            }};
}

/// The value of --redirects or --tee.
struct StreamsChoice {
    QMap<int, Streams> byRank;
    Streams otherwise = Streams::None;
};

Result<StreamsChoice> readStreams(const QString &name, const QString &value)
{
    const Error error{
        tr("\"%1\" does not name streams").arg(value), name,
        tr("Give 0 to 3, NONE, OUT, ERR or ALL, or one of these by local rank, e.g. 0:1,1:ALL.")};
    StreamsChoice choice;
    if (!value.contains(QLatin1Char(':'))) {
        const auto streams = streamsFrom(value);
        if (!streams)
            return error;
        choice.otherwise = *streams;
        return choice;
    }
    const QStringList entries = value.split(QLatin1Char(','));
    for (const QString &entry : entries) {
        const auto colon = entry.indexOf(QLatin1Char(':'));
        bool isNumber = false;
        const int localRank = entry.left(colon).toInt(&isNumber);
        const auto streams = streamsFrom(entry.mid(colon + 1));
        if (colon < 1 || !isNumber || localRank < 0 || !streams)
            return error;
        if (choice.byRank.contains(localRank))
            return Error{tr("local rank %1 is named twice").arg(localRank), name, {}};
        choice.byRank.insert(localRank, *streams);
    }
    return choice;
}

/// Returns text that readStreams() reads as these streams.
QString streamsText(const QMap<int, Streams> &byRank, Streams otherwise, int nproc)
{
    if (byRank.isEmpty())
        return streamsWord(otherwise);
    QMap<int, Streams> all = byRank;
    for (int localRank = 0; otherwise != Streams::None && localRank < nproc; ++localRank) {
        if (!all.contains(localRank))
            all.insert(localRank, otherwise);
    }
    QStringList entries;
    for (auto it = all.begin(); it != all.end(); ++it)
        entries << QStringLiteral("%1:%2").arg(it.key()).arg(streamsWord(it.value()));
    return entries.join(QLatin1Char(','));
}

/// Whether neither --redirects nor --tee was given.
bool streamsAreAsIs(const ProcessesOptions &options)
{
    const ProcessesOptions asIs;
    return options.redirects == asIs.redirects && options.tee == asIs.tee &&
           options.defaultRedirect == asIs.defaultRedirect && options.defaultTee == asIs.defaultTee;
}

template <QMap<int, Streams> ProcessesOptions::*byRank, Streams ProcessesOptions::*otherwise>
OptionText streamsOptionText(const OptionRow &row)
{
    return {[name = row.name()](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                const auto choice = readStreams(name, text);
                if (!choice)
                    return choice.error();
                if (streamsAreAsIs(spec.processes))
                    spec.processes.defaultRedirect = spec.processes.defaultTee = Streams::None;
                spec.processes.*byRank = choice->byRank;
                spec.processes.*otherwise = choice->otherwise;
                return std::nullopt;
            },
            [](const LaunchSpec &spec) {
                const ProcessesOptions &own = spec.processes;
                return streamsAreAsIs(own) ? QStringList()
                                           : QStringList{streamsText(own.*byRank, own.*otherwise, own.nproc)};
            }};
}

using Processes = ProcessesOptions;
constexpr std::array<std::pair<const char *, OptionText (*)(const OptionRow &)>, 12> ownTexts{{
    {"--memory-limit", memoryLimitText},
    {"--umask", umaskText},
    {"--slurm", slurmText},
    {"--wrap", wrapText},
    {"--bind-core", bindCoreText},
    {"--bind_core", bindCoreText},
    {"--join", joinText},
    {"--bind_numa", bindNumaText},
    {"--nproc", nprocText},
    {"--start-method", startMethodText},
    {"--redirects", streamsOptionText<&Processes::redirects, &Processes::defaultRedirect>},
    {"--tee", streamsOptionText<&Processes::tee, &Processes::defaultTee>},
}};

} // namespace

OptionText textOf(const OptionRow &row)
{
    const QString name = row.name();
    for (const auto &[option, text] : ownTexts) {
        if (name == QLatin1String(option))
            return text(row);
    }
    return std::visit([&row](auto field) { return textOf(row, field); }, row.field);
}

} // namespace rankdeck

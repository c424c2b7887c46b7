#include "launch/options/valuetexts.h"

#include "base/json.h"
#include "launch/options/launchcommandline.h"
#include "launch/planning/wrappers.h"
#include "launch/text/commandline.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

// The text of a field by its type.

std::optional<Error> readText(const QString &text, const QString &option, int &value)
{
    return setFrom(value, readWholeNumber(text, option));
}

QStringList textsOf(int value)
{
    return {QString::number(value)};
}

std::optional<Error> readText(const QString &text, const QString &, QString &value)
{
    value = text;
    return std::nullopt;
}

QStringList textsOf(const QString &value)
{
    return {value};
}

std::optional<Error> readText(const QString &text, const QString &, QStringList &value)
{
    value << text;
    return std::nullopt;
}

QStringList textsOf(const QStringList &value)
{
    return value;
}

/// Commands, each quoted as splitCommandLine() reads it.
std::optional<Error> readText(const QString &text, const QString &option, QList<QStringList> &commands)
{
    const auto words = splitCommandLine(text);
    if (!words)
        return Error{words.error().what, option, words.error().mend};
    if (words->isEmpty())
        return Error{tr("missing command"), option, {}};
    commands << *words;
    return std::nullopt;
}

QStringList textsOf(const QList<QStringList> &commands)
{
    return listOf(commands, [&](const QStringList &words) { return joinCommandLine(words); });
}

std::optional<Error> readText(const QString &text, const QString &option, QMap<QString, QString> &variables)
{
    const auto equals = text.indexOf('='_L1);
    if (equals < 1)
        return Error{tr("\"%1\" is not NAME=VALUE").arg(text), option, {}};
    variables.insert(text.left(equals), text.mid(equals + 1));
    return std::nullopt;
}

QStringList textsOf(const QMap<QString, QString> &variables)
{
    QStringList texts;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        texts << it.key() + '='_L1 + it.value();
    return texts;
}

std::optional<Error> readText(const QString &text, const QString &option,
                              QMap<int, QMap<QString, QString>> &variables)
{
    bool isNumber = false;
    const auto colon = text.indexOf(':'_L1);
    const int rank = text.left(colon).toInt(&isNumber);
    if (colon < 1 || !isNumber || rank < 0)
        return Error{tr("\"%1\" is not RANK:NAME=VALUE").arg(text), option, {}};
    return readText(text.mid(colon + 1), option, variables[rank]);
}

QStringList textsOf(const QMap<int, QMap<QString, QString>> &variables)
{
    QStringList texts;
    for (auto rank = variables.begin(); rank != variables.end(); ++rank) {
        for (const QString &variable : textsOf(*rank))
            texts << u"%1:"_s.arg(rank.key()) + variable;
    }
    return texts;
}

/// torch's own form: numbers with commas.
std::optional<Error> readText(const QString &text, const QString &option, QList<int> &numbers)
{
    numbers.clear();
    for (const QString &word : text.split(','_L1, Qt::SkipEmptyParts)) {
        const auto number = readWholeNumber(word, option);
        if (!number)
            return number.error();
        numbers << *number;
    }
    return std::nullopt;
}

QStringList textsOf(const QList<int> &numbers)
{
    const QStringList texts = listOf(numbers, [](int number) { return QString::number(number); });
    return texts.isEmpty() ? QStringList() : QStringList{texts.join(','_L1)};
}

// The text of an option by its name.

/// Whole mebibytes, gibibytes or tebibytes.
std::optional<Error> readMemoryLimit(LaunchSpec &spec, const QString &text, const QString &option)
{
    static const QRegularExpression size(u"^(\\d{1,7})([MGT])$"_s);
    const auto match = size.match(text);
    const qint64 unit = match.captured(2) == "T"_L1 ? 1024 * 1024 : match.captured(2) == "G"_L1 ? 1024 : 1;
    const qint64 mebibytes = match.captured(1).toLongLong() * unit;
    if (!match.hasMatch() || mebibytes < 1 || mebibytes > std::numeric_limits<int>::max())
        return Error{tr("\"%1\" is not a size").arg(text), option,
                     tr("Write a number with M, G or T, e.g. 64G.")};
    spec.common.memoryLimitMiB = static_cast<int>(mebibytes);
    return std::nullopt;
}

QStringList memoryLimitTexts(const LaunchSpec &spec)
{
    const int mebibytes = spec.common.memoryLimitMiB;
    return mebibytes == 0 ? QStringList() : QStringList{u"%1M"_s.arg(mebibytes)};
}

std::optional<Error> readUmask(LaunchSpec &spec, const QString &text, const QString &option)
{
    static const QRegularExpression octal(u"^[0-7]{1,4}$"_s);
    const int mask = text.toInt(nullptr, 8);
    if (!octal.match(text).hasMatch() || mask > 0777)
        return Error{tr("\"%1\" is not a file mode mask").arg(text), option,
                     tr("Write up to three octal digits, e.g. 027.")};
    spec.common.umask = mask;
    return std::nullopt;
}

QStringList umaskTexts(const LaunchSpec &spec)
{
    const int mask = spec.common.umask;
    return mask < 0 ? QStringList() : QStringList{u"%1"_s.arg(mask, 3, 8, '0'_L1)};
}

/// Written as --transport.
std::optional<Error> readSlurm(LaunchSpec &spec, const QString &, const QString &)
{
    spec.nodes.transport = u"slurm"_s;
    return std::nullopt;
}

std::optional<Error> readWrapperOption(LaunchSpec &spec, const QString &text, const QString &)
{
    const auto wrapper = readWrapper(text);
    if (!wrapper)
        return wrapper.error();
    spec.common.wrappers << text;
    return std::nullopt;
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
std::optional<Error> readBindCore(LaunchSpec &spec, const QString &text, const QString &)
{
    spec.common.bindCore = withPythonWords(text);
    return std::nullopt;
}

/// Reads --join as ast.literal_eval does, with the choices True and False, which equal 1 and 0 in Python.
std::optional<Error> readJoin(LaunchSpec &spec, const QString &text, const QString &option)
{
    const QString word = text.trimmed();
    spec.msrun.join = word == "True"_L1 || word == "1"_L1;
    if (spec.msrun.join || word == "False"_L1 || word == "0"_L1)
        return std::nullopt;
    return Error{tr("\"%1\" is neither True nor False").arg(text), option,
                 tr("Write --join=True or --join=False, with a capital letter.")};
}

QStringList joinTexts(const LaunchSpec &spec)
{
    return {spec.msrun.join ? u"True"_s : u"False"_s};
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
std::optional<Error> readBindNuma(LaunchSpec &spec, const QString &text, const QString &option)
{
    spec.msrun.bindNuma = withPythonWords(text);
    if (!text.endsWith(".json"_L1))
        return std::nullopt;
    return setFrom(spec.msrun.bindNuma, readBindNumaFile(text, option));
}

/// A number, or a word for what is counted.
std::optional<Error> readNproc(LaunchSpec &spec, const QString &text, const QString &option)
{
    ProcessesOptions &own = spec.processes;
    for (const char *word : {"auto", "cpu", "gpu", "npu"}) {
        if (text == QLatin1String(word)) {
            own.nprocOf = text;
            return std::nullopt;
        }
    }
    const auto number = readWholeNumber(text, option);
    if (!number)
        return Error{tr("\"%1\" is neither a number nor a kind of device").arg(text), option,
                     tr("Give a number, auto, cpu, gpu or npu.")};
    own.nproc = *number;
    own.nprocOf.clear();
    return std::nullopt;
}

QStringList nprocTexts(const LaunchSpec &spec)
{
    const ProcessesOptions &own = spec.processes;
    return {own.nprocOf.isEmpty() ? QString::number(own.nproc) : own.nprocOf};
}

/// Read as torchrun does, and not kept: a program is started in the same way with each.
std::optional<Error> readStartMethod(LaunchSpec &, const QString &text, const QString &option)
{
    for (const char *method : {"spawn", "fork", "forkserver"}) {
        if (text == QLatin1String(method))
            return std::nullopt;
    }
    return Error{tr("\"%1\" is not a start method").arg(text), option, tr("Give spawn, fork or forkserver.")};
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
    if (!value.contains(':'_L1)) {
        const auto streams = streamsFrom(value);
        if (!streams)
            return error;
        choice.otherwise = *streams;
        return choice;
    }
    const QStringList entries = value.split(','_L1);
    for (const QString &entry : entries) {
        const auto colon = entry.indexOf(':'_L1);
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
        entries << u"%1:%2"_s.arg(it.key()).arg(streamsWord(it.value()));
    return entries.join(','_L1);
}

/// Whether neither --redirects nor --tee was given.
bool streamsAreAsIs(const ProcessesOptions &options)
{
    const ProcessesOptions asIs;
    return options.redirects == asIs.redirects && options.tee == asIs.tee &&
           options.defaultRedirect == asIs.defaultRedirect && options.defaultTee == asIs.defaultTee;
}

template <QMap<int, Streams> ProcessesOptions::*byRank, Streams ProcessesOptions::*otherwise>
std::optional<Error> readStreamsOption(LaunchSpec &spec, const QString &text, const QString &option)
{
    const auto choice = readStreams(option, text);
    if (!choice)
        return choice.error();
    if (streamsAreAsIs(spec.processes))
        spec.processes.defaultRedirect = spec.processes.defaultTee = Streams::None;
    spec.processes.*byRank = choice->byRank;
    spec.processes.*otherwise = choice->otherwise;
    return std::nullopt;
}

template <QMap<int, Streams> ProcessesOptions::*byRank, Streams ProcessesOptions::*otherwise>
QStringList streamsTexts(const LaunchSpec &spec)
{
    const ProcessesOptions &own = spec.processes;
    return streamsAreAsIs(own) ? QStringList()
                               : QStringList{streamsText(own.*byRank, own.*otherwise, own.nproc)};
}

/// An option whose text is not that of its field's type.
struct OwnText {
    const char *option;
    std::optional<Error> (*read)(LaunchSpec &spec, const QString &text, const QString &option);
    QStringList (*write)(const LaunchSpec &spec) = nullptr; ///< Null: as its type.
};

using Own = ProcessesOptions;
constexpr OwnText ownTexts[] = {
    {"--memory-limit", readMemoryLimit, memoryLimitTexts},
    {"--umask", readUmask, umaskTexts},
    {"--slurm", readSlurm},
    {"--wrap", readWrapperOption},
    {"--bind-core", readBindCore},
    {"--bind_core", readBindCore},
    {"--join", readJoin, joinTexts},
    {"--bind_numa", readBindNuma},
    {"--nproc", readNproc, nprocTexts},
    {"--start-method", readStartMethod},
    {"--redirects", readStreamsOption<&Own::redirects, &Own::defaultRedirect>,
     streamsTexts<&Own::redirects, &Own::defaultRedirect>},
    {"--tee", readStreamsOption<&Own::tee, &Own::defaultTee>, streamsTexts<&Own::tee, &Own::defaultTee>},
};

const OwnText *ownText(const QString &option)
{
    const auto *const found = std::ranges::find_if(
        ownTexts, [&](const OwnText &text) { return option == QLatin1String(text.option); });
    return found == std::end(ownTexts) ? nullptr : found;
}

} // namespace

std::optional<Error> readOption(const OptionRow &row, LaunchSpec &spec, const QString &text)
{
    const QString option = row.name();
    if (const OwnText *own = ownText(option))
        return own->read(spec, text, option);
    return std::visit(
        [&](auto field) -> std::optional<Error> {
            if constexpr (std::same_as<decltype(field), SpecField<bool>>)
                field(spec) = row.whenGiven();
            else if constexpr (requires { readText(text, option, field(spec)); })
                return readText(text, option, field(spec));
            return std::nullopt;
        },
        row.member.field);
}

QStringList optionTexts(const OptionRow &row, const LaunchSpec &spec)
{
    if (const OwnText *own = ownText(row.name()); own && own->write)
        return own->write(spec);
    return std::visit(
        [&](auto field) {
            if constexpr (std::same_as<decltype(field), SpecField<bool>>)
                return valueIn(spec, field) == row.whenGiven() ? QStringList{QString()} : QStringList();
            else if constexpr (requires { textsOf(valueIn(spec, field)); })
                return textsOf(valueIn(spec, field));
            else
                return QStringList();
        },
        row.member.field);
}

} // namespace rankdeck

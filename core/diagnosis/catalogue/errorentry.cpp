#include "diagnosis/catalogue/errorentry.h"

#include "json.h"

#include <QCoreApplication>
#include <QSet>

#include <array>
#include <string_view>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr std::array knownKeys{"id",     "pattern", "title",    "meaning", "mend",
                               "weight", "blame",   "commands", "source",  "example"};

struct BlameWord {
    std::string_view word;
    ErrorEntry::Blame blame;
};
constexpr std::array blameWords{
    BlameWord{"self", ErrorEntry::Blame::Self}, BlameWord{"peer", ErrorEntry::Blame::Peer},
    BlameWord{"pair", ErrorEntry::Blame::Pair}, BlameWord{"nobody", ErrorEntry::Blame::Nobody}};

QString tr(const char *text)
{
    return QCoreApplication::translate("ErrorEntry", text);
}

/// What is wrong with an entry, without where; empty when nothing is.
using Complaint = QString;

Complaint wrong(const char *key, const QString &expected)
{
    return tr("\"%1\" is not %2").arg(QLatin1String(key), expected);
}

Complaint readText(const Json &entry, const char *key, bool isNeeded, QString &target)
{
    const auto found = entry.find(key);
    if (found == entry.end())
        return isNeeded ? tr("\"%1\" is missing").arg(QLatin1String(key)) : QString();
    if (!found->is_string() || (isNeeded && found->get_ref<const std::string &>().empty()))
        return wrong(key, tr("a text"));
    target = found->get<QString>();
    return {};
}

Complaint readBothLanguages(const Json &entry, const char *key, CatalogueText &target)
{
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_object()) {
        const Complaint complaint = readText(entry, key, true, target.english);
        target.chinese = target.english;
        return complaint;
    }
    const Complaint english = readText(*found, "en", true, target.english);
    const Complaint chinese = readText(*found, "zh_CN", true, target.chinese);
    return english.isEmpty() ? chinese : english;
}

Complaint readWeight(const Json &entry, int &target)
{
    const auto found = entry.find("weight");
    if (found == entry.end())
        return {};
    const bool isNumber = found->is_number_integer();
    if (!isNumber || *found < ErrorEntry::leastWeight || *found > ErrorEntry::mostWeight)
        return wrong(
            "weight",
            tr("a whole number from %1 to %2").arg(ErrorEntry::leastWeight).arg(ErrorEntry::mostWeight));
    target = found->get<int>();
    return {};
}

Complaint readBlame(const Json &entry, ErrorEntry::Blame &target)
{
    const auto found = entry.find("blame");
    if (found == entry.end())
        return {};
    for (const BlameWord &each : blameWords) {
        if (found->is_string() && found->get_ref<const std::string &>() == each.word) {
            target = each.blame;
            return {};
        }
    }
    return wrong("blame", tr("one of self, peer, pair and nobody"));
}

Complaint readCommands(const Json &entry, QStringList &target)
{
    const auto found = entry.find("commands");
    if (found == entry.end())
        return {};
    if (!found->is_array())
        return wrong("commands", tr("a list of texts"));
    for (const Json &command : *found) {
        if (!command.is_string())
            return wrong("commands", tr("a list of texts"));
        target << command.get<QString>();
    }
    return {};
}

Complaint unknownKey(const Json &entry)
{
    for (const auto &[key, value] : entry.items()) {
        const auto isThis = [&name = key](std::string_view known) {
            return known == name;
        };
        if (std::none_of(knownKeys.begin(), knownKeys.end(), isThis))
            return tr("there is no key \"%1\"").arg(QString::fromStdString(key));
    }
    return {};
}

Complaint readEntry(const Json &json, ErrorEntry &entry)
{
    if (!json.is_object())
        return tr("it is no object");
    QString pattern;
    for (const Complaint &complaint :
         {readText(json, "id", true, entry.id), readText(json, "pattern", true, pattern),
          readBothLanguages(json, "title", entry.title), readBothLanguages(json, "meaning", entry.meaning),
          readBothLanguages(json, "mend", entry.mend), readWeight(json, entry.weight),
          readBlame(json, entry.blame), readCommands(json, entry.commands),
          readText(json, "source", false, entry.source), readText(json, "example", false, entry.example),
          unknownKey(json)}) {
        if (!complaint.isEmpty())
            return complaint;
    }
    entry.pattern = pattern.toStdString();
    return {};
}

} // namespace

const QString &CatalogueText::in(const QLocale &locale) const
{
    return locale.language() == QLocale::Chinese ? chinese : english;
}

Result<std::vector<ErrorEntry>> readErrorEntries(const QByteArray &json, const QString &where)
{
    const auto document = parseJson(json);
    if (!document || !document->is_object() || !document->contains("entries") ||
        !document->at("entries").is_array())
        return Error{tr("this is no error catalogue"), where,
                     tr("It holds one JSON object with a list named \"entries\".")};
    std::vector<ErrorEntry> entries;
    QSet<QString> ids;
    for (const Json &item : document->at("entries")) {
        ErrorEntry entry;
        Complaint complaint = readEntry(item, entry);
        if (complaint.isEmpty() && ids.contains(entry.id))
            complaint = tr("the id is there twice");
        if (!complaint.isEmpty()) {
            QString place = tr("entry %1").arg(entries.size() + 1);
            if (!entry.id.isEmpty())
                place += QStringLiteral(" (%1)").arg(entry.id);
            return Error{complaint, QStringLiteral("%1: %2").arg(where, place), {}};
        }
        ids << entry.id;
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace rankdeck

#pragma once

#include "support/testpaths.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QXmlStreamReader>

namespace rankdeck
{

/// A text of ours that a user may read, or a part of one.
struct OwnSentence {
    QString text; ///< In English, with %1 or %n for what is filled in.
    QString file; ///< Where it stands, from the top of the project.
};

/// The parts of Rankdeck that print into a rank's log, to a launcher's console, or into a run's journal.
enum class Author { ProcessGroup, Agent, Supervisor, Launcher, Python };

inline Author authorOf(const OwnSentence &sentence)
{
    const auto isBelow = [&](std::initializer_list<const char *> folders) {
        return std::any_of(folders.begin(), folders.end(), [&](const char *folder) {
            return sentence.file.startsWith(QLatin1String(folder) + '/'_L1);
        });
    };
    if (isBelow({"core/collective"}))
        return Author::ProcessGroup;
    if (isBelow({"app/python"}))
        return Author::Python;
    if (isBelow({"core/agent/supervise", "core/run/record", "core/diagnosis"}))
        return Author::Supervisor;
    return isBelow({"core/agent", "core/run"}) ? Author::Agent : Author::Launcher;
}

inline QString readSource(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Returns the text of string literals that stand one after the other.
inline QString textOfLiterals(const QString &literals)
{
    static const QRegularExpression literal(u"\"((?:[^\"\\\\\\n]|\\\\.)*)\""_s);
    static const QRegularExpression escaped(u"\\\\(?:u([0-9a-fA-F]{4})|([^u]))"_s);
    QString text;
    for (const auto &part : literal.globalMatch(literals)) {
        const QString written = part.captured(1);
        qsizetype from = 0;
        for (const auto &each : escaped.globalMatch(written)) {
            text += QStringView(written).mid(from, each.capturedStart() - from);
            if (each.hasCaptured(2))
                text += each.captured(2) == 'n'_L1 || each.captured(2) == 't'_L1 ? u" "_s : each.captured(2);
            else
                text += QChar(char16_t(each.captured(1).toUShort(nullptr, 16)));
            from = each.capturedEnd();
        }
        text += QStringView(written).mid(from);
    }
    return text;
}

/// Finds all sentences in the sources of core, rankdeckctl and the Python package, each once for its author:
/// what is given to tr(), an error or a warning. So a new one is there without a word in a test.
inline QList<OwnSentence> ownSentences()
{
    static const QString literals = u"(?:\"(?:[^\"\\\\\\n]|\\\\.)*\"\\s*)+"_s;
    static const QRegularExpression given(
        u"\\b(?:tr|QT_TRANSLATE_NOOP|Sentence|Error|DistError|qWarning|fprintf|fputs)\\s*[({]\\s*"
        "(?:\"rankdeck\",\\s*|stderr,\\s*)?u?(%1)(?:_s)?(?:,\\s*(%1))?"_s.arg(literals));
    static const QRegularExpression raised(u"\\braise \\w+\\((%1)"_s.arg(literals));
    static const QRegularExpression braces(u"\\{[^}]*\\}"_s);
    QMap<std::pair<Author, QString>, OwnSentence> found;
    const QString top = sourcePath("");
    for (const char *const folder : {"core", "app/rankdeckctl", "app/python"}) {
        QDirIterator files(top + QLatin1String(folder), {u"*.cpp"_s, u"*.h"_s, u"*.py"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            const bool isPython = path.endsWith(".py"_L1);
            const auto &form = isPython ? raised : given;
            for (const auto &match : form.globalMatch(readSource(path))) {
                for (int group = 1; group <= match.lastCapturedIndex(); ++group) {
                    QString text = textOfLiterals(match.captured(group));
                    for (int number = 1; isPython && text.contains(braces); ++number)
                        text.replace(text.indexOf(braces), braces.match(text).capturedLength(),
                                     '%'_L1 + QString::number(number));
                    const OwnSentence sentence{text, path.mid(top.size())};
                    if (!text.trimmed().isEmpty())
                        found.insert({authorOf(sentence), text}, sentence);
                }
            }
        }
    }
    return found.values();
}

/// Returns the sentence with what may stand for its %1: numbers where the words say so; elsewhere a name, and
/// a process in the next text.
inline QStringList withValues(const QString &text)
{
    static const std::array<std::pair<QRegularExpression, QString>, 5> known{
        {{QRegularExpression(u"\\b[Rr]anks \\K%L?\\d"_s), u"1-2"_s},
         {QRegularExpression(u"\\b[Rr]ank \\K%L?\\d"_s), u"1"_s},
         {QRegularExpression(u"%L?\\d(?= (?:s|ms|us|MB|GB|GiB|MiB|bytes|times|ranks?|devices|%)(?:\\W|$))"_s),
          u"30"_s},
         {QRegularExpression(
              u"\\b(?:pid|code|signal|port|[Dd]evices?|step|line|[Pp]rocess|index) \\K%L?\\d"_s),
          u"7"_s},
         {QRegularExpression(u"%n"_s), u"3"_s}}};
    static const QRegularExpression rest(u"%L?\\d"_s);
    QString numbered = text;
    for (const auto &[form, value] : known)
        numbered.replace(form, value);
    QStringList made;
    for (const QString &word : {u"alpha"_s, u"rank 1"_s})
        made << QString(numbered).replace(rest, word);
    made.removeDuplicates();
    return made;
}

/// Returns the translations of each text.
inline QMultiMap<QString, QString> chineseSentences()
{
    QMultiMap<QString, QString> chinese;
    QFile file(sourcePath("resources/translations/rankdeck_zh_CN.ts"));
    if (!file.open(QIODevice::ReadOnly))
        return chinese;
    QXmlStreamReader reader(&file);
    QString source;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (reader.name() == "source"_L1) {
            source = reader.readElementText();
        } else if (reader.name() == "numerusform"_L1 || reader.name() == "translation"_L1) {
            // Around numerus forms there is nothing but blanks.
            const QString text =
                reader.attributes().hasAttribute("type"_L1)
                    ? QString()
                    : reader.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
            if (!text.isEmpty())
                chinese.insert(source, text);
        }
    }
    return chinese;
}

} // namespace rankdeck

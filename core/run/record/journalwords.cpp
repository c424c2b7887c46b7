// Only for records of 0.2.0 and earlier versions, which hold English texts alone. Nothing is added here: what
// is written today is a Sentence.
#include "run/record/journalwords.h"

#include "base/fields.h"
#include "base/listcomma.h"
#include "base/widespaces.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <vector>

/// Registers the resource; Q_INIT_RESOURCE must stand outside of namespaces.
static void initJournalTable()
{
    Q_INIT_RESOURCE(journal);
}

namespace rankdeck
{

namespace
{

/// A sentence that earlier versions wrote.
struct JournalSentence {
    QString text;
    QString singular; ///< For one; empty if there is no such form.
    QString words;    ///< In the user's language; %n is the number.
};

/// What resources/translations/journal_*.json holds.
struct JournalTable {
    QString language; ///< Its name in itself.
    QList<JournalSentence> sentences;
};

void visitFields(Fields &fields, JournalSentence &sentence)
{
    fields.at(0, sentence.text);
    fields.at(1, sentence.singular);
    fields.at(2, sentence.words);
}

void visitFields(Fields &fields, JournalTable &table)
{
    fields("language", table.language);
    fields("sentences", table.sentences);
}

/// A sentence as it is looked for: the text, or its singular.
class JournalPattern
{
public:
    JournalPattern(const QString &words, const QString &form, int number)
        : m_words(words)
        , m_number(number)
        , m_letters(form.size())
    {
        static const QRegularExpression placeholder(u"%(\\d|n)"_s);
        constexpr int fewLetters = 12;
        const bool isShort = form.size() < fewLetters && !form.endsWith(u'.') && !form.endsWith(u')');
        // Nothing in a sentence ends one, unless nothing else is found.
        const QString within = isShort ? u"\\S+"_s : u"(?:(?!\\. [A-Z]).)+?"_s;
        QString strict;
        QString loose;
        qsizetype end = 0;
        for (auto found = placeholder.globalMatch(form); found.hasNext();) {
            const QRegularExpressionMatch next = found.next();
            const QString before = QRegularExpression::escape(form.mid(end, next.capturedStart() - end));
            const QString name = 'p'_L1 + next.captured(1);
            const bool isKnown = m_names.contains(name);
            static const QRegularExpression beginning(u"^ [A-Z]"_s);
            const bool isSentence = beginning.match(form.mid(next.capturedEnd())).hasMatch();
            const QString what = name == "pn"_L1 ? u"\\d+"_s : isSentence ? within + u"\\."_s : within;
            const QString anything = isShort ? what : u".+?"_s;
            strict += before + (isKnown ? u"\\k<%1>"_s.arg(name) : u"(?<%1>%2)"_s.arg(name, what));
            loose += before + (isKnown ? u"\\k<%1>"_s.arg(name) : u"(?<%1>%2)"_s.arg(name, anything));
            if (!isKnown)
                m_names << name;
            m_letters -= next.capturedLength();
            end = next.capturedEnd();
        }
        const QString rest = QRegularExpression::escape(form.mid(end));
        m_whole.setPattern('^'_L1 + strict + rest + '$'_L1);
        m_loose.setPattern('^'_L1 + loose + rest + '$'_L1);
        if (form.endsWith(u'.'))
            m_first.setPattern('^'_L1 + strict + rest + u" (?<others>.+)$"_s);
    }

    /// How many letters of it are its own: what says more is looked for first.
    qsizetype letters() const { return m_letters; }
    const QRegularExpression &whole() const { return m_whole; }
    const QRegularExpression &loose() const { return m_loose; }
    const QRegularExpression &first() const { return m_first; }

    QString words(const QRegularExpressionMatch &found, int depth) const;

private:
    QString m_words;
    int m_number; ///< What decides the form if the text does not name it.
    qsizetype m_letters;
    QStringList m_names; ///< p1, p2, pn.
    QRegularExpression m_whole;
    QRegularExpression m_loose;
    QRegularExpression m_first; ///< It and other sentences behind it; empty if it ends in no full stop.
};

/// Returns none if the program speaks another language than that of the table.
const std::vector<JournalPattern> &journalPatterns()
{
    static const JournalTable table = [] {
        initJournalTable();
        QFile file(u":/rankdeck/journal/journal_zh_CN.json"_s);
        return file.open(QIODevice::ReadOnly)
                   ? fromJsonText<JournalTable>(file.readAll()).value_or(JournalTable())
                   : JournalTable();
    }();
    static const std::vector<JournalPattern> patterns = [] {
        std::vector<JournalPattern> all;
        for (const JournalSentence &sentence : table.sentences) {
            all.emplace_back(sentence.words, sentence.text, 2);
            if (!sentence.singular.isEmpty())
                all.emplace_back(sentence.words, sentence.singular, 1);
        }
        std::ranges::stable_sort(all, std::ranges::greater(), &JournalPattern::letters);
        return all;
    }();
    static const std::vector<JournalPattern> none;
    return tr("English", "language of the program") == table.language ? patterns : none;
}

std::optional<QString> knownWords(const QString &english, int depth);

/// Returns the words for a name or a headline, a colon, and something; one of them is known.
std::optional<QString> wordsWithColon(const QString &english, int depth)
{
    const QString colon = u": "_s;
    const qsizetype end = english.indexOf(colon);
    if (end < 1)
        return std::nullopt;
    const QString before = english.left(end);
    const QString after = english.mid(end + colon.size());
    const auto headline = knownWords(before, depth + 1);
    const auto words = knownWords(after, depth + 1);
    if (!headline && (!words || before.contains(u' ')))
        return std::nullopt;
    return withColon(headline.value_or(before), words.value_or(after));
}

/// Returns the words for what is known as a whole. Sentences may hold others, but not forever.
std::optional<QString> knownWords(const QString &english, int depth)
{
    constexpr int deepest = 4;
    if (depth > deepest)
        return std::nullopt;
    for (const JournalPattern &pattern : journalPatterns()) {
        if (const auto found = pattern.whole().match(english); found.hasMatch())
            return pattern.words(found, depth);
    }
    for (const JournalPattern &pattern : journalPatterns()) {
        if (pattern.first().pattern().isEmpty())
            continue;
        const auto found = pattern.first().match(english);
        if (!found.hasMatch())
            continue;
        if (const auto others = knownWords(found.captured(u"others"_s), depth + 1))
            return joinedBySpaces({pattern.words(found, depth), *others});
    }
    for (const JournalPattern &pattern : journalPatterns()) {
        if (const auto found = pattern.loose().match(english); found.hasMatch())
            return pattern.words(found, depth);
    }
    return wordsWithColon(english, depth);
}

/// Returns the words for a part of a sentence, or for the known entries of a list of words.
QString partWords(const QString &english, int depth)
{
    if (const auto known = knownWords(english, depth))
        return *known;
    QStringList parts = english.split(u", "_s);
    bool isKnown = false;
    for (QString &part : parts) {
        if (const auto known = knownWords(part, depth)) {
            isKnown = true;
            part = *known;
        } else if (part.contains(u' ')) {
            return english;
        }
    }
    return isKnown ? parts.join(nameComma()) : english;
}

QString JournalPattern::words(const QRegularExpressionMatch &found, int depth) const
{
    const QString count = m_names.contains("pn"_L1) ? found.captured(u"pn"_s) : QString();
    const QString text =
        QString(m_words).replace("%n"_L1, count.isEmpty() ? QString::number(m_number) : count);
    static const QRegularExpression placeholder(u"%(\\d)"_s);
    QString words;
    qsizetype end = 0;
    for (auto next = placeholder.globalMatch(text); next.hasNext();) {
        const QRegularExpressionMatch at = next.next();
        const QString name = 'p'_L1 + at.captured(1);
        words += text.mid(end, at.capturedStart() - end);
        words += m_names.contains(name) ? partWords(found.captured(name), depth + 1) : at.captured();
        end = at.capturedEnd();
    }
    return words + text.mid(end);
}

} // namespace

QString journalWords(const QString &english)
{
    if (english.isEmpty() || journalPatterns().empty())
        return english;
    return knownWords(english, 0).value_or(english);
}

} // namespace rankdeck

#include "launch/exchange/shellcutter.h"

#include "base/tr.h"

namespace rankdeck
{

namespace
{

/// See cutShellScript().
class ShellCutter
{
public:
    explicit ShellCutter(const QString &text)
        : m_text(text)
    {
    }

    Result<std::vector<ShellWords>> cut()
    {
        while (m_at < m_text.size()) {
            if (const auto error = takeOne())
                return *error;
        }
        endCommand();
        return std::move(m_commands);
    }

private:
    QChar here(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : QChar();
    }

    std::optional<Error> takeOne()
    {
        const QChar letter = here();
        if (letter == QLatin1Char('\\') && here(1) == QLatin1Char('\n')) {
            m_at += 2;
        } else if (letter == QLatin1Char('#') && m_word.isEmpty() && !m_hasWord) {
            while (m_at < m_text.size() && here() != QLatin1Char('\n'))
                ++m_at;
        } else if (letter == QLatin1Char('\n') || letter == QLatin1Char(';')) {
            endCommand();
            ++m_at;
        } else if (letter == QLatin1Char('&') && here(1) == QLatin1Char('&')) {
            endCommand();
            m_at += 2;
        } else if (letter == QLatin1Char('|') && here(1) == QLatin1Char('|')) {
            // Of what happens if a command fails nothing is read.
            endWord();
            m_words << QStringLiteral("||");
            m_at += 2;
        } else if (letter.isSpace()) {
            endWord();
            ++m_at;
        } else if (letter == QLatin1Char('\'') || letter == QLatin1Char('"')) {
            return takeQuoted(letter);
        } else if (letter == QLatin1Char('\\')) {
            m_word += m_text.mid(m_at, 2);
            m_at += 2;
        } else if (letter == QLatin1Char('(') ||
                   (letter == QLatin1Char('$') && here(1) == QLatin1Char('('))) {
            return takeBracket();
        } else {
            m_word += letter;
            ++m_at;
        }
        return std::nullopt;
    }

    std::optional<Error> takeQuoted(QChar quote)
    {
        const qsizetype begin = m_at++;
        while (m_at < m_text.size() && here() != quote) {
            if (quote == QLatin1Char('"') && here() == QLatin1Char('\\'))
                ++m_at;
            else if (quote == QLatin1Char('"') && here() == QLatin1Char('$') && here(1) == QLatin1Char('(')) {
                if (const auto error = skipBracket())
                    return error;
                continue;
            }
            ++m_at;
        }
        if (m_at >= m_text.size())
            return Error{tr("a quote is not closed"), m_text.mid(begin, 20).simplified(), {}};
        ++m_at;
        m_word += m_text.mid(begin, m_at - begin);
        m_hasWord = true;
        return std::nullopt;
    }

    /// "$(…)", "((…))" and "(…)" of an array: a part of a word.
    std::optional<Error> takeBracket()
    {
        const qsizetype begin = m_at;
        if (const auto error = skipBracket())
            return error;
        m_word += m_text.mid(begin, m_at - begin);
        m_hasWord = true;
        return std::nullopt;
    }

    std::optional<Error> skipBracket()
    {
        const qsizetype begin = m_at;
        int depth = 0;
        QChar quote;
        for (; m_at < m_text.size(); ++m_at) {
            const QChar letter = here();
            if (!quote.isNull()) {
                if (letter == quote)
                    quote = QChar();
            } else if (letter == QLatin1Char('\'') || letter == QLatin1Char('"')) {
                quote = letter;
            } else if (letter == QLatin1Char('(')) {
                ++depth;
            } else if (letter == QLatin1Char(')') && --depth == 0) {
                ++m_at;
                return std::nullopt;
            }
        }
        return Error{tr("a bracket is not closed"), m_text.mid(begin, 20).simplified(), {}};
    }

    void endWord()
    {
        if (!m_word.isEmpty() || m_hasWord)
            m_words << m_word;
        m_word.clear();
        m_hasWord = false;
    }

    void endCommand()
    {
        endWord();
        if (!m_words.isEmpty())
            m_commands.push_back(std::exchange(m_words, {}));
    }

    QString m_text;
    qsizetype m_at = 0;
    QString m_word;
    bool m_hasWord = false;
    ShellWords m_words;
    std::vector<ShellWords> m_commands;
};

} // namespace

Result<std::vector<ShellWords>> cutShellScript(const QString &text)
{
    return ShellCutter(text).cut();
}

} // namespace rankdeck

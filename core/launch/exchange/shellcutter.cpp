#include "launch/exchange/shellcutter.h"

#include "base/tr.h"

#include <QRegularExpression>

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

    Result<std::vector<ShellCommand>> cut()
    {
        while (m_at < m_text.size()) {
            if (const auto error = takeOne())
                return *error;
        }
        endCommand({});
        return std::move(m_commands);
    }

private:
    QChar here(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : QChar();
    }
    bool isAt(const char *words) const { return m_text.mid(m_at).startsWith(QLatin1String(words)); }
    bool isAtEndOfWord() const
    {
        return m_at >= m_text.size() || here().isSpace() || QStringLiteral(";&|<>").contains(here());
    }

    bool isAtRedirection() const
    {
        const bool isPipesName = isAt("<(") || isAt(">("); // A word.
        return !isPipesName && (isAt("<") || isAt(">") || isAt("&>"));
    }

    std::optional<Error> takeOne()
    {
        const QChar letter = here();
        if (isAt("\\\n")) {
            m_at += 2;
        } else if (letter == QLatin1Char('#') && !hasWord()) {
            while (m_at < m_text.size() && here() != QLatin1Char('\n'))
                ++m_at;
        } else if (letter == QLatin1Char('\n')) {
            endCommand({});
            ++m_at;
            skipHereDocuments();
        } else if (letter == QLatin1Char(';')) {
            endCommand({});
            ++m_at;
        } else if (isAt("&&") || isAt("||")) {
            endCommand(m_text.mid(m_at, 2));
            m_at += 2;
        } else if (letter == QLatin1Char('|')) {
            return takePipe();
        } else if (isAtRedirection()) {
            return takeRedirection();
        } else if (letter == QLatin1Char('&')) {
            endWord();
            m_command.isBackground = true;
            addForShell(letter);
            endCommand({});
            ++m_at;
        } else if (letter.isSpace()) {
            endWord();
            ++m_at;
        } else {
            return takePiece();
        }
        return std::nullopt;
    }

    /// Takes a letter, or what is quoted or in brackets, as a part of a word.
    std::optional<Error> takePiece()
    {
        const qsizetype begin = m_at;
        const QChar letter = here();
        m_hasWord = true;
        if (letter == QLatin1Char('\\')) {
            m_at += 2;
        } else if (letter == QLatin1Char('\'') || letter == QLatin1Char('"') || letter == QLatin1Char('`')) {
            if (const auto error = skipQuoted(letter))
                return error;
        } else if (letter == QLatin1Char('(') || isAt("$(") || isAt("<(") || isAt(">(")) {
            if (const auto error = skipBracket())
                return error;
        } else if (isAt("${")) {
            while (m_at < m_text.size() && here() != QLatin1Char('}'))
                ++m_at;
            ++m_at;
        } else {
            ++m_at;
        }
        m_at = qMin(m_at, m_text.size());
        m_word += m_text.mid(begin, m_at - begin);
        return std::nullopt;
    }

    /// Takes "2>&1", "> FILE", "<<WORD" and so on.
    std::optional<Error> takeRedirection()
    {
        static const QRegularExpression sign(
            QStringLiteral("\\G(&>>|&>|<<<|<<-|<<|<>|<&|<|>>|>&|>\\||>)[ \\t]*"));
        static const QRegularExpression digits(QStringLiteral("^[0-9]+$"));
        QString number;
        if (digits.match(m_word).hasMatch()) {
            number = std::exchange(m_word, {});
            m_hasWord = false;
        }
        endWord();
        const auto match = sign.match(m_text, m_at);
        m_at = match.capturedEnd();
        while (!isAtEndOfWord()) {
            if (const auto error = takePiece())
                return error;
        }
        const QString target = std::exchange(m_word, {});
        m_hasWord = false;
        addForShell(number + match.captured() + target);
        if (match.captured(1) == QLatin1String("<<") || match.captured(1) == QLatin1String("<<-"))
            m_hereEnds << QString(target).remove(QRegularExpression(QStringLiteral("['\"\\\\]")));
        return std::nullopt;
    }

    /// Takes all that the command is piped into.
    std::optional<Error> takePipe()
    {
        endWord();
        const qsizetype begin = m_at;
        bool isAfterSign = false;
        while (m_at < m_text.size() && !isAt("&&") && !isAt("||") && here() != QLatin1Char(';') &&
               (isAfterSign || here() != QLatin1Char('\n'))) {
            const bool isPipe = here() == QLatin1Char('|');
            // "2>&1", "|&"
            const bool joins = here() == QLatin1Char('&') && m_at > 0 &&
                               (m_text[m_at - 1] == QLatin1Char('>') || m_text[m_at - 1] == QLatin1Char('|'));
            if (here() == QLatin1Char('&') && !joins && !isAt("&>"))
                break;
            isAfterSign = isPipe || joins || (isAfterSign && here().isSpace());
            if (isPipe || joins || here().isSpace() || isAt("&>")) {
                ++m_at;
            } else if (isAt("\\\n")) {
                m_at += 2;
            } else if (const auto error = takePiece()) {
                return error;
            }
        }
        m_word.clear();
        m_hasWord = false;
        addForShell(m_text.mid(begin, m_at - begin).simplified());
        return std::nullopt;
    }

    std::optional<Error> skipQuoted(QChar quote)
    {
        const qsizetype begin = m_at++;
        while (m_at < m_text.size() && here() != quote) {
            if (quote != QLatin1Char('\'') && here() == QLatin1Char('\\'))
                ++m_at;
            else if (quote == QLatin1Char('"') && isAt("$(")) {
                if (const auto error = skipBracket())
                    return error;
                continue;
            }
            ++m_at;
        }
        if (m_at >= m_text.size())
            return Error{tr("a quote is not closed"), m_text.mid(begin, 20).simplified(), {}};
        ++m_at;
        return std::nullopt;
    }

    /// "$(…)", "((…))" and "(…)" of an array.
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

    /// Skips the lines that belong to "<<" of the line before.
    void skipHereDocuments()
    {
        for (const QString &end : std::exchange(m_hereEnds, {})) {
            while (m_at < m_text.size()) {
                const qsizetype close = m_text.indexOf(QLatin1Char('\n'), m_at);
                const QString line = m_text.mid(m_at, close < 0 ? -1 : close - m_at);
                m_at = close < 0 ? m_text.size() : close + 1;
                if (line.trimmed() == end)
                    break;
            }
        }
    }

    bool hasWord() const { return m_hasWord || !m_word.isEmpty(); }

    void addForShell(const QString &part)
    {
        m_command.forShell += (m_command.forShell.isEmpty() ? QString() : QStringLiteral(" ")) + part;
    }

    void endWord()
    {
        if (hasWord())
            m_command.words << m_word;
        m_word.clear();
        m_hasWord = false;
    }

    void endCommand(const QString &nextJoint)
    {
        endWord();
        if (!m_command.words.isEmpty() || !m_command.forShell.isEmpty())
            m_commands.push_back(std::exchange(m_command, {}));
        m_command.joint = nextJoint;
    }

    QString m_text;
    qsizetype m_at = 0;
    QString m_word;
    bool m_hasWord = false;
    ShellCommand m_command;
    QStringList m_hereEnds; ///< Of here-documents that begin on the next line.
    std::vector<ShellCommand> m_commands;
};

} // namespace

Result<std::vector<ShellCommand>> cutShellScript(const QString &text)
{
    return ShellCutter(QString(text).remove(QLatin1Char('\r'))).cut();
}

} // namespace rankdeck

#include "launch/exchange/shellscript.h"

#include "base/listcomma.h"
#include "base/tr.h"
#include "launch/text/commandline.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <ctime>

namespace rankdeck
{

namespace
{

// Marks around what is not known: characters that no script has, of Unicode's private use area.
constexpr QChar unsetMark(0xf8f0);
constexpr QChar unknownMark(0xf8f1);
constexpr QChar endMark(0xf8f2);

QString marked(QChar mark, const QString &text)
{
    return mark + text + endMark;
}

QString unmarked(QString text)
{
    return text.remove(unsetMark).remove(unknownMark).remove(endMark);
}

/// Returns a text as bash sees it: what nobody has set is empty.
QString withoutUnset(QString text)
{
    static const QRegularExpression unset(QStringLiteral("%1[^%2]*%2").arg(unsetMark).arg(endMark));
    return text.remove(unset);
}

/// Returns the first part of a text that has this mark.
QString markedPart(const QString &text, QChar mark)
{
    const qsizetype begin = text.indexOf(mark);
    return begin < 0 ? QString() : unmarked(text.mid(begin, text.indexOf(endMark, begin) - begin));
}

bool isKnown(const QString &text)
{
    return !text.contains(unsetMark) && !text.contains(unknownMark);
}

/// Returns a date as the shell's date prints it.
QString dateAs(const QString &format)
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 128> text{};
    const auto size = std::strftime(text.data(), text.size(), format.toUtf8().constData(), &local);
    return QString::fromUtf8(text.data(), qsizetype(size));
}

QStringList listOf(const char *names)
{
    return QString::fromLatin1(names).split(QLatin1Char(' '));
}

bool declares(const QString &program)
{
    return program == QLatin1String("export") || program == QLatin1String("declare");
}

/// See readShellScript(). Goes through the text once, and carries each command out before it reads the next.
class ShellReader
{
public:
    ShellReader(const QString &text, const QProcessEnvironment &environment,
                const std::function<bool(const QStringList &)> &isLaunch)
        : m_text(QString(text).remove(QLatin1Char('\r')))
        , m_environment(environment)
        , m_isLaunch(isLaunch)
    {
    }

    Result<ShellLaunch> read()
    {
        while (m_at < m_text.size() && goesOn())
            takeCommand();
        if (m_error)
            return *m_error;
        if (m_launch.words.isEmpty() || !m_counter.isEmpty())
            stop(tr("The script starts no launcher that Rankdeck reads."));
        if (!m_launch.unread.isEmpty()) {
            ShellLaunch unread;
            unread.unread = m_launch.unread;
            return unread;
        }
        if (!m_leftOut.isEmpty())
            m_launch.notes << tr("Left out of the script: %1.").arg(m_leftOut.join(nameComma()));
        m_launch.notes.removeDuplicates();
        return m_launch;
    }

private:
    struct Command {
        QStringList words;    ///< Expanded.
        QStringList assigned; ///< Names of variables.
        QString forShell;
        QString joint;              ///< "&&" or "||" in front of the command; empty: neither.
        QMap<QString, QString> own; ///< Variables for the command alone.
        bool isEmpty() const { return words.isEmpty() && assigned.isEmpty() && forShell.isEmpty(); }
        bool isBackground() const { return forShell.endsWith(QLatin1Char('&')); }
    };

    // Reading the text.

    bool goesOn() const { return m_launch.unread.isEmpty() && !m_error; }
    bool stop(const QString &reason)
    {
        if (goesOn())
            m_launch.unread = reason;
        return false;
    }
    bool stopAt(const QString &word) { return stop(tr("A script with \"%1\" is not read.").arg(word)); }

    QChar here(qsizetype ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : QChar();
    }
    bool isAt(const char *text) const
    {
        return QStringView(m_text).mid(m_at).startsWith(QLatin1String(text));
    }
    /// Matches a pattern that begins with \G, and steps behind it.
    QRegularExpressionMatch take(const QRegularExpression &pattern)
    {
        const auto match = pattern.match(m_text, m_at);
        if (match.hasMatch())
            m_at = match.capturedEnd();
        return match;
    }
    bool isAtEndOfWord() const
    {
        return m_at >= m_text.size() || here().isSpace() || QStringLiteral(";&|<>()").contains(here());
    }
    void skipBlanks(bool newlinesToo)
    {
        static const QRegularExpression blanks(QStringLiteral("\\G([ \\t]|\\\\\\n)+"));
        static const QRegularExpression all(QStringLiteral("\\G(\\s|\\\\\\n|#[^\\n]*)+"));
        take(newlinesToo ? all : blanks);
    }

    void takeCommand()
    {
        Command command;
        command.joint = std::exchange(m_joint, {});
        while (goesOn() && takePart(command)) {
        }
        if (goesOn())
            run(command);
    }

    /// Returns false at the end of the command.
    bool takePart(Command &command)
    {
        static const QRegularExpression redirection(QStringLiteral("\\G[0-9]*(&>|[<>])"));
        skipBlanks(command.isEmpty()); // A line may end after &&.
        if (m_at >= m_text.size())
            return false;
        if (command.isEmpty())
            m_before = m_values;
        const QChar letter = here();
        if (command.isEmpty() && (isAt("$ ") || (letter == QLatin1Char('!') && here(1).isLetter()))) {
            ++m_at; // A prompt, or a cell of a notebook.
            return true;
        }
        if (letter == QLatin1Char('#')) {
            m_at = m_text.indexOf(QLatin1Char('\n'), m_at);
            m_at = m_at < 0 ? m_text.size() : m_at;
            return true;
        }
        if (isAt("&&") || isAt("||")) {
            m_joint = m_text.mid(m_at, 2);
            m_at += 2;
            return false;
        }
        if (redirection.match(m_text, m_at).hasMatch())
            return takeRedirection(command.forShell);
        if (letter == QLatin1Char('|'))
            return takePipe(command.forShell);
        if (letter == QLatin1Char(';') || letter == QLatin1Char('\n') || letter == QLatin1Char('&')) {
            ++m_at;
            if (letter == QLatin1Char('&'))
                add(command.forShell, letter);
            return false;
        }
        return takeWord(command);
    }

    static void add(QString &forShell, const QString &part)
    {
        forShell += (forShell.isEmpty() ? QString() : QStringLiteral(" ")) + part;
    }

    bool takeRedirection(QString &forShell)
    {
        static const QRegularExpression sign(QStringLiteral("\\G[0-9]*(&>>|&>|>>|>\\||>&|>)(?!\\()[ \\t]*"));
        const qsizetype begin = m_at;
        if (!take(sign).hasMatch())
            return stopAt(QString(here()));
        QStringList target;
        if (!takeWordParts(target, false))
            return false;
        add(forShell, m_text.mid(begin, m_at - begin));
        return true;
    }

    bool takePipe(QString &forShell)
    {
        static const QRegularExpression tee(QStringLiteral("\\G\\|&?\\s*tee(?=\\s)"));
        const qsizetype begin = m_at;
        if (!take(tee).hasMatch())
            return stopAt(QStringLiteral("|"));
        QStringList words;
        for (skipBlanks(false); !isAtEndOfWord(); skipBlanks(false)) {
            if (!takeWordParts(words, true))
                return false;
        }
        add(forShell, m_text.mid(begin, m_at - begin).simplified());
        return true;
    }

    bool takeWord(Command &command)
    {
        static const QRegularExpression assignment(QStringLiteral("\\G([A-Za-z_][A-Za-z0-9_]*)(\\+?)="));
        static const QRegularExpression keyword(
            QStringLiteral("\\G(if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|coproc"
                           "|[{}!]|\\[\\[)(?=[\\s;&|()<>]|$)"));
        const bool isFirst = command.words.isEmpty();
        if (here() == QLatin1Char('(') || here() == QLatin1Char(')'))
            return stopAt(QString(here()));
        if (isFirst || declares(command.words.first())) {
            if (const auto match = take(assignment); match.hasMatch())
                return takeAssignment(command, match.captured(1), !match.captured(2).isEmpty());
        }
        if (const auto match = keyword.match(m_text, m_at); match.hasMatch() && command.isEmpty())
            return takeKeyword(match.captured());
        if (isFirst && !command.assigned.isEmpty()) {
            for (const QString &name : std::as_const(command.assigned))
                command.own.insert(name, m_values.value(name).join(QLatin1Char(' ')));
            command.assigned.clear();
            m_values = m_before;
        }
        const qsizetype begin = m_at;
        if (!takeWordParts(command.words, true))
            return false;
        // Nothing came of $A: the next word would be the program.
        return !command.words.isEmpty() || stopAt(m_text.mid(begin, m_at - begin));
    }

    bool takeAssignment(Command &command, const QString &name, bool adds)
    {
        static const QRegularExpression quote(QStringLiteral("[\"']"));
        QStringList values;
        const bool isArray = here() == QLatin1Char('(');
        if (isArray) {
            ++m_at;
            for (skipBlanks(true); here() != QLatin1Char(')'); skipBlanks(true)) {
                const qsizetype begin = m_at;
                if (isAtEndOfWord() || here() == QLatin1Char('['))
                    return stopAt(name + QStringLiteral("=("));
                if (!takeWordParts(values, true))
                    return false;
                // What nobody has set is no element.
                const bool isQuoted = m_text.mid(begin, m_at - begin).contains(quote);
                const bool isUnset = !values.isEmpty() && withoutUnset(values.last()).isEmpty();
                if (isUnset && !isQuoted && values.last().contains(QLatin1Char('$')))
                    values.removeLast();
            }
            ++m_at;
        } else if (!takeWordParts(values, false)) {
            return false;
        }
        const QStringList before = known(name).value_or(QStringList());
        if (!isArray && before.size() > 1) // The first element alone changes.
            return stopAt(name);
        if (!isArray)
            values = QStringList{(adds ? before.join(QString()) : QString()) + values.join(QString())};
        else if (adds)
            values = before + values;
        if (name == QLatin1String("IFS")) // Words end elsewhere then.
            return stopAt(name);
        m_values.insert(name, values);
        command.assigned << name;
        return true;
    }

    /// Takes the head and the end of a loop over ranks; no other keyword is read.
    bool takeKeyword(const QString &word)
    {
        static const QRegularExpression head(QStringLiteral(
            "\\Gfor\\s*(?:\\(\\(\\s*(\\w+)\\s*=\\s*0\\s*;[^;()]*;\\s*(?:\\w+\\+\\+|\\+\\+\\w+)\\s*\\)\\)"
            "|(\\w+)\\s+in\\s+(?:\\{0\\.\\.[0-9]+\\}|0\\s[0-9\\s]*|\\$\\(seq\\s+0\\s[^;\\n()]*\\)))"
            "\\s*;?\\s*do(?=\\s)"));
        const QString table = m_values.value(rankTableFile()).join(QString());
        const bool mayLoop = m_launch.words.isEmpty() && m_exported.contains(rankTableFile());
        if (word == QLatin1String("done") && !m_counter.isEmpty()) {
            m_at += word.size();
            m_counter.clear();
            return true;
        }
        const auto match = word == QLatin1String("for") && mayLoop && isKnown(table)
                               ? take(head)
                               : QRegularExpressionMatch();
        if (!match.hasMatch())
            return stopAt(word);
        m_counter = match.captured(1) + match.captured(2);
        m_values.insert(m_counter, {QStringLiteral("${local_rank}")});
        m_launch.rankTable = table;
        return true;
    }

    /// Whether a ~ stands where bash puts a directory: first in a word or a value, or behind a : in a value.
    bool isAtHome(qsizetype begin) const
    {
        static const QRegularExpression inWord(
            QStringLiteral("^([A-Za-z_][A-Za-z0-9_]*\\+?=(.*:)?)?(\\\\\\n)*$"),
            QRegularExpression::DotMatchesEverythingOption);
        static const QRegularExpression inValue(QStringLiteral("^(.*:)?(\\\\\\n)*$"),
                                                QRegularExpression::DotMatchesEverythingOption);
        return (m_mayCut ? inWord : inValue).match(m_text.mid(begin, m_at - begin)).hasMatch();
    }

    /// Takes one word without its quotes. What an unquoted variable holds may become several words.
    bool takeWordParts(QStringList &words, bool mayCut)
    {
        static const QRegularExpression wholeArray(QStringLiteral(
            "\\G\"\\$(\\{([A-Za-z_][A-Za-z0-9_]*)\\[@\\]\\}|@|\\{@\\})\"(?=[\\s;&|<>()]|\\\\\\n\\s|$)"));
        static const QRegularExpression spaces(QStringLiteral("\\s+"));
        if (const auto match = wholeArray.match(m_text, m_at); match.hasMatch() && mayCut) {
            // A script that is pasted has no arguments.
            const QString name = match.captured(2);
            const auto values = name.isEmpty() ? QStringList() : known(name);
            if (!values)
                return stop(tr("Only a shell knows the value of %1.").arg(match.captured(1)));
            m_at = match.capturedEnd();
            words << *values;
            return true;
        }
        const qsizetype begin = m_at;
        m_mayCut = mayCut;
        QString text;
        bool isWord = false; // "" is one.
        while (!isAtEndOfWord()) {
            const QChar letter = here();
            if (letter == QLatin1Char('$') || letter == QLatin1Char('`')) {
                QString value;
                if (!takeExpansion(value, false))
                    return false;
                const QStringList parts = value.split(spaces);
                if (!mayCut || parts.size() == 1 || value.contains(unknownMark)) {
                    text += value;
                    continue;
                }
                for (const QString &part : parts.mid(0, parts.size() - 1)) {
                    text += part;
                    if (isWord || !text.isEmpty())
                        words << text;
                    text.clear();
                    isWord = false;
                }
                text = parts.last();
            } else if (letter == QLatin1Char('{')) {
                return stopAt(letter);
            } else if (mayCut && (letter == QLatin1Char('*') || letter == QLatin1Char('?'))) {
                text += marked(unsetMark, letter); // Files that match are not looked up.
                ++m_at;
            } else if (letter == QLatin1Char('~') && isAtHome(begin)) {
                const QString home = m_environment.value(QStringLiteral("HOME"));
                ++m_at;
                const bool isHome =
                    isAtEndOfWord() || here() == QLatin1Char('/') || here() == QLatin1Char(':');
                text += isHome && !home.isEmpty() ? home : marked(unknownMark, letter);
            } else if (!takeQuoted(text, isWord)) {
                return false;
            }
        }
        if (isWord || !text.isEmpty())
            words << text;
        return true;
    }

    /// Takes "…", '…', \x or a plain character.
    bool takeQuoted(QString &text, bool &isQuoted)
    {
        const QChar letter = here();
        const qsizetype begin = m_at++;
        if (letter == QLatin1Char('\\')) {
            if (here() != QLatin1Char('\n'))
                text += here().isNull() ? letter : here();
            ++m_at;
        } else if (letter == QLatin1Char('\'')) {
            isQuoted = true;
            const qsizetype close = m_text.indexOf(letter, m_at);
            if (close < 0)
                return unclosed(begin);
            text += m_text.mid(m_at, close - m_at);
            m_at = close + 1;
        } else if (letter == QLatin1Char('"')) {
            isQuoted = true;
            while (here() != letter) {
                if (m_at >= m_text.size())
                    return unclosed(begin);
                if (here() == QLatin1Char('$') || here() == QLatin1Char('`')) {
                    if (!takeExpansion(text, true))
                        return false;
                    continue;
                }
                const bool isEscape =
                    here() == QLatin1Char('\\') && QStringLiteral("\\\"$`\n").contains(here(1));
                m_at += isEscape ? 1 : 0;
                if (!isEscape || here() != QLatin1Char('\n'))
                    text += here();
                ++m_at;
            }
            ++m_at;
        } else {
            text += letter;
        }
        return true;
    }

    bool unclosed(qsizetype begin)
    {
        m_error = Error{tr("a quote is not closed"), m_text.mid(begin, 20).simplified(), {}};
        return false;
    }

    /// Takes $NAME, ${…}, $(…), $((…)) or `…`, and adds its value to `text`.
    bool takeExpansion(QString &text, bool isQuoted)
    {
        static const QRegularExpression plain(QStringLiteral("\\G\\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*])"));
        static const QRegularExpression braced(
            QStringLiteral("\\G\\$\\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*])(\\[[@*]\\])?(\\}|:?[-=])"));
        static const QRegularExpression special(QStringLiteral("\\G\\$[#?$!-]"));
        static const QRegularExpression changes(QStringLiteral("=|\\+\\+|--"));
        static const QRegularExpression continued(
            QStringLiteral("\\G\\$([A-Za-z0-9_]*)\\\\\\n[A-Za-z0-9_({$]"));
        const qsizetype begin = m_at;
        if (continued.match(m_text, m_at).hasMatch())
            return stopAt(QStringLiteral("$"));
        if (const auto match = take(plain); match.hasMatch())
            return addVariable(text, match.captured(1), match.captured(), isQuoted);
        if (const auto match = take(braced); match.hasMatch()) {
            const QString name = match.captured(1) + match.captured(2);
            if (match.captured(3) == QLatin1String("}"))
                return addVariable(text, name, match.captured(), isQuoted);
            return takeDefault(text, name, match.captured(3), isQuoted);
        }
        if (const auto match = take(special); match.hasMatch()) {
            text += marked(unknownMark, match.captured());
            return true;
        }
        QString inner;
        if (here() == QLatin1Char('`')) {
            const qsizetype close = m_text.indexOf(here(), m_at + 1);
            inner = m_text.mid(m_at + 1, close - m_at - 1);
            m_at = close + 1;
            if (close < 0 || inner.contains(QLatin1Char('\\')))
                return stopAt(QStringLiteral("`"));
            addOutput(text, inner, m_text.mid(begin, m_at - begin));
            return true;
        }
        ++m_at;
        const bool isCommand = here() == QLatin1Char('(');
        if (isCommand || here() == QLatin1Char('{')) {
            if (!skipBrackets(inner, isQuoted))
                return stopAt(m_text.mid(begin, 20).simplified());
            if (isCommand && inner.startsWith(QLatin1Char('(')) && inner.contains(changes))
                return stopAt(m_text.mid(begin, m_at - begin));
            const QString written = m_text.mid(begin, m_at - begin);
            if (isCommand)
                addOutput(text, inner, written);
            else
                text += marked(unknownMark, written);
            return true;
        }
        // $'…', $"…", $[…]
        if (here() == QLatin1Char('[') || (!isQuoted && QStringLiteral("'\"").contains(here())))
            return m_at < m_text.size() ? stopAt(m_text.mid(begin, 2)) : true;
        text += QLatin1Char('$');
        return true;
    }

    /// Adds the output of a command if it is one of the few that are known without a shell.
    void addOutput(QString &text, const QString &command, const QString &written) const
    {
        static const QRegularExpression quotes(QStringLiteral("[\"']"));
        static const QRegularExpression date(QStringLiteral("^\\s*date\\s+\\+((?!.*%[0-9]*N)[^$`]*)$"));
        static const QRegularExpression above(QStringLiteral("^dirname\\$\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?$"));
        // The folder of the script is the current one: pasted, the script is not a file.
        static const QRegularExpression folder(QStringLiteral(
            "^(((cd|realpath|readlink-f)(--)?)?(\\$\\(|`)?dirname(--)?\\$\\{?(0|BASH_SOURCE(\\[0\\])?)"
            "\\}?[)`]?(&?>/dev/null(2>&1)?)?((&&|;)pwd(-P)?)?|pwd)$"));
        const QString plain = QString(command).remove(quotes);
        const QString joined = plain.simplified().remove(QLatin1Char(' '));
        const auto path = known(above.match(joined).captured(1)).value_or(QStringList()).join(QString());
        if (folder.match(joined).hasMatch())
            text += QLatin1Char('.');
        else if (const auto match = date.match(plain); match.hasMatch())
            text += dateAs(match.captured(1));
        else if (!path.isEmpty() && isKnown(path))
            text += path == QLatin1String(".") ? QStringLiteral("..") : QFileInfo(path).path();
        else
            text += marked(unknownMark, written);
    }

    bool addVariable(QString &text, const QString &name, const QString &written, bool isQuoted)
    {
        // Bash sets these itself.
        static const QRegularExpression bashs(QStringLiteral(
            "^(_|RANDOM|SRANDOM|SECONDS|EPOCH.*|LINENO|HOSTNAME|UID|EUID|PPID|OLDPWD|BASH.*|FUNCNAME|"
            "PIPESTATUS|OSTYPE|MACHTYPE|HOSTTYPE|SHELLOPTS)$"));
        const auto value = valueOf(name);
        const bool isAll = name.contains(QLatin1Char('@'));
        if (isAll && isQuoted && m_mayCut && known(arrayOf(name)).value_or(QStringList()).size() != 1)
            return stopAt(written); // It may become several words, or none.
        if (name == QLatin1String("@") || name == QLatin1String("*"))
            return true;
        const bool isMoved = name == QLatin1String("PWD") && !m_launch.workDir.isEmpty();
        const bool isBashs = !m_values.contains(name) && bashs.match(name).hasMatch();
        text +=
            isMoved || isBashs ? marked(unknownMark, written) : value.value_or(marked(unsetMark, written));
        return true;
    }

    /// Takes the value of "${NAME:-value}" up to its bracket.
    bool takeDefault(QString &text, const QString &name, const QString &sign, bool isQuoted)
    {
        static const QRegularExpression quote(QStringLiteral("[\"'\\\\]"));
        static const QRegularExpression space(QStringLiteral("\\s"));
        constexpr int deepest = 20;
        const qsizetype begin = m_at;
        QString value;
        bool isWord = false;
        if (++m_depth > deepest)
            return stopAt(QStringLiteral("${") + name);
        while (here() != QLatin1Char('}')) {
            const bool isPlain = isQuoted && here() != QLatin1Char('"') && here() != QLatin1Char('\\');
            const bool isUnclear =
                (here() == QLatin1Char('~') && value.isEmpty()) || (here() == QLatin1Char('\'') && isQuoted);
            if (m_at >= m_text.size() || isUnclear)
                return stopAt(QStringLiteral("${") + name);
            if (here() == QLatin1Char('$') || here() == QLatin1Char('`')) {
                if (!takeExpansion(value, isQuoted))
                    return false;
            } else if (isPlain) {
                value += here();
                ++m_at;
            } else if (!takeQuoted(value, isWord)) {
                return false;
            }
        }
        ++m_at;
        --m_depth;
        const auto given = valueOf(name);
        const bool isThere = given && (!sign.startsWith(QLatin1Char(':')) || !withoutUnset(*given).isEmpty());
        const QString used = isThere ? *given : value;
        const bool hasQuotes = m_text.mid(begin, m_at - begin).contains(quote);
        const bool isOneWord = !used.isEmpty() && !used.contains(space);
        if (hasQuotes && !isThere && !isQuoted && m_mayCut && !isOneWord)
            return stopAt(QStringLiteral("${") + name);
        if (!isThere && sign.endsWith(QLatin1Char('=')))
            m_values.insert(name, {used});
        text += used;
        return true;
    }

    /// Skips brackets and what is in them. Returns false if it is not certain where they end.
    bool skipBrackets(QString &inner, bool isQuoted)
    {
        static const QRegularExpression uncertain(QStringLiteral("<<|(^|[\\s;(])#|\\bcase\\b"));
        const qsizetype begin = m_at;
        QString open;
        do {
            const QChar letter = here();
            const QChar top = open.isEmpty() ? QChar() : open.back();
            const bool isText = top == QLatin1Char('"');
            const bool isName = top == QLatin1Char('{');
            if (m_at >= m_text.size())
                return false;
            if (letter == QLatin1Char('\\')) {
                ++m_at;
            } else if (letter == QLatin1Char('`')) {
                return false;
            } else if (letter == QLatin1Char('"') && !isText) {
                open += letter;
            } else if (letter == QLatin1Char('\'') && !isText) {
                if (isName && (isQuoted || open.contains(QLatin1Char('"'))))
                    return false;
                m_at = m_text.indexOf(letter, m_at + 1);
                if (m_at < 0) {
                    m_at = begin;
                    return false;
                }
            } else if (letter == QLatin1Char('(') || letter == QLatin1Char('{')) {
                const bool isExpansion = m_at > 0 && m_text[m_at - 1] == QLatin1Char('$');
                if (isExpansion || (letter == top && letter == QLatin1Char('(')))
                    open += letter;
            } else if (letter == QLatin1Char('"') ||
                       (letter == QLatin1Char(')') && top == QLatin1Char('(')) ||
                       (letter == QLatin1Char('}') && isName)) {
                open.chop(1);
            }
            ++m_at;
        } while (!open.isEmpty());
        inner = m_text.mid(begin + 1, m_at - begin - 2);
        return !inner.contains(uncertain);
    }

    std::optional<QStringList> known(const QString &name) const
    {
        if (const auto found = m_values.constFind(name); found != m_values.cend())
            return *found;
        if (m_environment.contains(name) && !m_launch.unset.contains(name))
            return QStringList{m_environment.value(name)};
        return std::nullopt;
    }

    /// Returns NAME of NAME[@] or NAME[*]; another name as it is, "@" too.
    static QString arrayOf(const QString &name)
    {
        return name.endsWith(QLatin1Char(']')) ? name.chopped(3) : name;
    }

    /// Returns the value of NAME, of NAME[@] or NAME[*].
    std::optional<QString> valueOf(const QString &name) const
    {
        const bool isAll = name.endsWith(QLatin1Char(']'));
        const auto values = known(arrayOf(name));
        if (!values)
            return std::nullopt;
        return isAll ? values->join(QLatin1Char(' ')) : values->value(0);
    }

    // Carrying a command out.

    void run(const Command &command)
    {
        static const QStringList setters = listOf("export declare cd unset source . conda");
        static const QStringList harmless = listOf("echo mkdir sleep ulimit wait true :");
        static const QStringList harmlessInLoop = listOf("cd rm cp ln env");
        if (command.isEmpty())
            return;
        const QString program = command.words.value(0);
        const bool isEnd = program == QLatin1String("exit") || program == QLatin1String("return");
        if (isEnd && command.joint == QLatin1String("||") && m_wasSetter)
            return; // That `cd` fails is not expected.
        if (!command.joint.isEmpty() && (command.joint != QLatin1String("&&") || !m_wasSetter))
            return void(stopAt(command.joint));
        const bool isSetter = command.words.isEmpty() || setters.contains(program);
        const bool isAfter = !m_launch.words.isEmpty();
        const bool isInLoop = !m_counter.isEmpty();
        m_wasSetter = isSetter && !isAfter;
        const bool launches =
            isInLoop ? command.isBackground() && runsPython(command.words) : m_isLaunch(command.words);
        if (launches && isAfter)
            stop(tr("A script that launches twice is not read."));
        else if (launches)
            launch(command);
        else if (isInLoop ? (harmless + harmlessInLoop).contains(program)
                          : harmless.contains(program) && command.forShell.isEmpty())
            leaveOut(program);
        else if (isAfter && (isEnd || program == QLatin1String("cd") || command.words.isEmpty()))
            return;
        else if (program == QLatin1String("set"))
            setOptions(command.words);
        else if (isAfter || !isSetter || command.isBackground() || !carryOut(command))
            stopAt(unmarked(program.isEmpty() ? command.forShell : program));
    }

    static bool runsPython(const QStringList &words)
    {
        const qsizetype first = words.value(0) == QLatin1String("nohup") ? 1 : 0;
        return QFileInfo(words.value(first)).fileName().startsWith(QLatin1String("python"));
    }

    void leaveOut(const QString &program)
    {
        static const QStringList untold = listOf("wait true :");
        if (program == QLatin1String("cd"))
            m_launch.notes << tr("Each rank has a folder of its own in the script; here all have the same.");
        else if (!untold.contains(program) && !m_leftOut.contains(program))
            m_leftOut << program;
    }

    void setOptions(const QStringList &words)
    {
        static const QRegularExpression harmless(
            QStringLiteral("^([-+][euxvo]+|pipefail|errexit|nounset|xtrace|verbose)$"));
        const bool isHarmless = std::ranges::all_of(
            words.mid(1), [](const QString &word) { return harmless.match(word).hasMatch(); });
        if (isHarmless)
            leaveOut(words.first());
        else
            stopAt(words.join(QLatin1Char(' ')));
    }

    /// Returns false if the command is not understood.
    bool carryOut(const Command &command)
    {
        const QStringList &words = command.words;
        const QString program = words.value(0);
        if (words.isEmpty() || declares(program))
            return assign(command);
        if (program == QLatin1String("cd"))
            return changeTo(words);
        if (std::ranges::any_of(words, [](const QString &word) { return !isKnown(word); }))
            return false;
        if (program == QLatin1String("unset")) {
            for (const QString &name : words.mid(1)) {
                m_values.remove(name);
                m_exported.removeAll(name);
            }
            m_launch.unset << words.mid(1);
            return std::ranges::none_of(
                words, [](const QString &word) { return word.startsWith(QLatin1Char('-')); });
        }
        if (words.size() == 3 && words[1] == QLatin1String("activate")) {
            m_launch.condaEnv = words[2];
            return program != QLatin1String(".");
        }
        if (words.size() < 2 || program == QLatin1String("conda"))
            return false;
        m_launch.sourced << joinCommandLine(QStringList{QStringLiteral(".")} + words.mid(1));
        return true;
    }

    bool assign(const Command &command)
    {
        const bool exports =
            command.words.value(0) == QLatin1String("export") || command.words.contains(QLatin1String("-x"));
        QStringList names = command.assigned;
        for (const QString &word : command.words.mid(1)) {
            if (word.startsWith(QLatin1Char('-')) && word != QLatin1String("-x"))
                return false;
            const qsizetype sign = word.indexOf(QLatin1Char('='));
            if (sign > 0) // "NAME=VALUE" in quotes.
                m_values.insert(word.left(sign), {word.mid(sign + 1)});
            names << word.left(sign);
        }
        for (const QString &name : std::as_const(names)) {
            m_launch.unset.removeAll(name);
            const bool isNew = m_values.contains(name) && !m_exported.contains(name);
            if (isNew && (exports || m_environment.contains(name)))
                m_exported << name;
        }
        return command.forShell.isEmpty();
    }

    bool changeTo(const QStringList &words)
    {
        const QString folder = words.value(1);
        const bool isRelative = std::ranges::any_of(m_launch.sourced, [](const QString &source) {
            return !source.startsWith(QLatin1String(". /")); // From the folder before.
        });
        if (words.size() != 2 || folder.startsWith(QLatin1Char('-')) || folder.isEmpty() || isRelative)
            return false;
        if (!isKnown(folder))
            m_launch.notes
                << tr("\"cd %1\" is left out: choose the working directory.").arg(unmarked(folder));
        else if (folder.startsWith(QLatin1Char('/')) || m_launch.workDir.isEmpty())
            m_launch.workDir = folder == QLatin1String(".") ? QString() : folder;
        else
            m_launch.workDir += QLatin1Char('/') + folder;
        return true;
    }

    void launch(const Command &command)
    {
        static const QRegularExpression argument(QStringLiteral("^\\$\\{?[0-9]"));
        // What the rank table decides.
        static const QStringList given =
            listOf("RANK LOCAL_RANK WORLD_SIZE DEVICE_ID RANK_ID RANK_SIZE RANK_TABLE_FILE");
        QMap<QString, QString> variables;
        for (const QString &name : std::as_const(m_exported))
            variables.insert(name, m_values.value(name).join(QLatin1Char(' ')));
        variables.insert(command.own);
        if (!m_counter.isEmpty())
            variables.removeIf([](const auto &variable) { return given.contains(variable.key()); });
        for (const QString &text : command.words + variables.values()) {
            const QString unset = markedPart(text, unsetMark);
            if (const QString unknown = markedPart(text, unknownMark); !unknown.isEmpty())
                stop(tr("Only a shell knows the value of %1.").arg(unknown));
            if (argument.match(unset).hasMatch())
                stop(tr("%1 is an argument of the script, which is not known here.").arg(unset));
        }
        for (const QString &word : command.words) {
            m_launch.hasLiterals = m_launch.hasLiterals || word.contains(unsetMark);
            m_launch.words << unmarked(word);
        }
        for (auto its = variables.begin(); its != variables.end(); ++its) {
            *its = withoutUnset(*its);
            if (!m_counter.isEmpty() && its->contains(QLatin1String("${local_rank}")))
                stopAt(its.key() + QStringLiteral("=$") + m_counter);
        }
        m_launch.variables = variables;
        m_launch.forShell = command.forShell;
        m_launch.needsSources = !command.joint.isEmpty();
    }

    static QString rankTableFile() { return QStringLiteral("RANK_TABLE_FILE"); }

    const QString m_text;
    qsizetype m_at = 0;
    const QProcessEnvironment &m_environment;
    const std::function<bool(const QStringList &)> &m_isLaunch;
    std::optional<Error> m_error;
    ShellLaunch m_launch;
    QMap<QString, QStringList> m_values; ///< Variables that the script has set.
    QMap<QString, QStringList> m_before; ///< The same before the command's own.
    QStringList m_exported;
    QStringList m_leftOut;
    QString m_joint;          ///< Of the next command.
    QString m_counter;        ///< Variable of the loop over ranks that is being read; empty: none.
    int m_depth = 0;          ///< Of values in values: ${A:-${B:-c}}.
    bool m_mayCut = false;    ///< What an unquoted variable holds in this word may become several.
    bool m_wasSetter = false; ///< The command before changes this shell alone: `cd x && …` may go on.
};

} // namespace

Result<ShellLaunch> readShellScript(const QString &text, const QProcessEnvironment &environment,
                                    const std::function<bool(const QStringList &)> &isLaunch)
{
    return ShellReader(text, environment, isLaunch).read();
}

} // namespace rankdeck

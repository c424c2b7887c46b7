#include "launch/exchange/shellscript.h"

#include "base/listcomma.h"
#include "base/tr.h"
#include "launch/exchange/shellarithmetic.h"
#include "launch/exchange/shellcutter.h"

#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>

#include <array>
#include <ctime>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostLoops = 4096;

QString unreadLoopText()
{
    return tr("this loop is not read");
}

Error unreadForm(const QString &word)
{
    return {tr("a script with \"%1\" is not read").arg(word), word,
            tr("Give the command that launches the ranks, with its values.")};
}

/// Carries out what a script says of variables and directories.
class ShellReader
{
public:
    ShellReader(const QProcessEnvironment &environment,
                const std::function<bool(const QStringList &)> &isLaunch)
        : m_environment(environment)
        , m_isLaunch(isLaunch)
    {
    }

    Result<std::optional<ShellLaunch>> read(const std::vector<ShellWords> &commands)
    {
        for (const ShellWords &command : commands) {
            if (const auto error = take(command))
                return *error;
        }
        if (m_isFound && !m_leftOut.isEmpty())
            m_launch.notes << tr("Left out of the script: %1.").arg(m_leftOut.join(nameComma()));
        m_launch.notes.removeDuplicates();
        return m_isFound ? std::optional(m_launch) : std::nullopt;
    }

private:
    std::optional<Error> take(ShellWords command)
    {
        static const QStringList unread{QStringLiteral("if"), QStringLiteral("while"),
                                        QStringLiteral("until"), QStringLiteral("case"),
                                        QStringLiteral("function")};
        // As copied from a terminal.
        while (command.value(0) == QLatin1String("$") || command.value(0) == QLatin1String("do"))
            command.removeFirst();
        if (command.isEmpty() || m_isFound)
            return std::nullopt;
        const QString word = command.first();
        if (unread.contains(word))
            return unreadForm(word);
        if (word == QLatin1String("done") || word == QLatin1String("fi")) {
            m_launch.loop.clear();
            return std::nullopt;
        }
        if (word == QLatin1String("for") || word.startsWith(QLatin1String("for(")))
            return takeLoop(command);
        if (word == QLatin1String("export") || word == QLatin1String("declare")) {
            for (const QString &each : command.mid(1))
                assign(each, true);
            return std::nullopt;
        }
        QMap<QString, QString> own;
        while (!command.isEmpty() && isAssignment(command.first())) {
            const QString each = command.takeFirst();
            const bool isLast = command.isEmpty();
            const QString name = each.section(QLatin1Char('='), 0, 0);
            if (isLast && own.isEmpty())
                assign(each, false);
            else
                own.insert(name, valueOf(each.section(QLatin1Char('='), 1)));
        }
        if (command.isEmpty()) {
            for (auto its = own.cbegin(); its != own.cend(); ++its)
                m_values.insert(its.key(), {its.value()});
            return std::nullopt;
        }
        m_usedLoop = false;
        run(expanded(command), own);
        return std::nullopt;
    }

    static bool runsPython(const QString &program)
    {
        return QFileInfo(program).fileName().startsWith(QLatin1String("python"));
    }

    void run(const QStringList &words, const QMap<QString, QString> &own)
    {
        const QString program = words.value(0);
        if (program == QLatin1String("cd")) {
            changeTo(words.value(1));
        } else if (program == QLatin1String("source") || program == QLatin1String(".")) {
            m_launch.notes
                << tr("\"%1\" is not read: run it before Rankdeck is started, or give its variables in an "
                      "environment file.")
                       .arg(words.join(QLatin1Char(' ')));
        } else if (m_isLaunch(words) || (!m_launch.loop.isEmpty() && runsPython(program))) {
            m_isFound = true;
            m_launch.words = words;
            m_launch.usesLoop = m_usedLoop;
            for (const QString &name : std::as_const(m_exported)) {
                const QString value = m_values.value(name).join(QLatin1Char(' '));
                // What only a shell knows would be wrong.
                if (value.contains(QLatin1String("$(")))
                    m_launch.notes << tr("%1 is left out: only a shell knows its value.").arg(name);
                else
                    m_launch.variables.insert(name, value);
            }
            m_launch.variables.insert(own);
        } else {
            m_leftOut << program;
            m_leftOut.removeDuplicates();
        }
    }

    void changeTo(const QString &folder)
    {
        if (folder.isEmpty() || folder.contains(QLatin1Char('$')))
            m_launch.notes << tr("\"cd %1\" is left out: choose the working directory.").arg(folder);
        else if (folder != QLatin1String(".") &&
                 m_launch.loop.isEmpty()) // A folder of its own for each rank.
            m_launch.workDir = folder.startsWith(QLatin1Char('/')) || m_launch.workDir.isEmpty()
                                   ? folder
                                   : m_launch.workDir + QLatin1Char('/') + folder;
    }

    /// "for i in 0 1 2", "for i in $(seq 0 7)", "for((i=0; i<8; i++))"
    std::optional<Error> takeLoop(const ShellWords &command)
    {
        static const QRegularExpression counted(QStringLiteral(
            "^for\\s*\\(\\(\\s*(\\w+)\\s*=\\s*([^;]+);\\s*\\w+\\s*(<=?)\\s*([^;]+);[^;]*\\)\\)$"));
        static const QRegularExpression sequence(QStringLiteral("^\\$\\(\\s*seq\\s+(.*)\\)$"));
        static const QRegularExpression braces(QStringLiteral("^\\{(\\d{1,6})\\.\\.(\\d{1,6})\\}$"));
        const QString line = command.join(QLatin1Char(' '));
        const Error unread{unreadLoopText(), line,
                           tr("Give the command of one rank, and say how many ranks there are.")};
        QString name = command.value(1);
        std::optional<qint64> first;
        std::optional<qint64> last;
        if (const auto match = counted.match(line); match.hasMatch()) {
            name = match.captured(1);
            first = calculated(match.captured(2));
            last = calculated(match.captured(4));
            if (last && match.captured(3) == QLatin1String("<"))
                --*last;
        } else if (command.value(2) == QLatin1String("in")) {
            const QString values = command.mid(3).join(QLatin1Char(' '));
            if (const auto found = sequence.match(values); found.hasMatch()) {
                const QStringList ends =
                    expandedText(found.captured(1)).split(QLatin1Char(' '), Qt::SkipEmptyParts);
                first = ends.size() > 1 ? calculated(ends[0]) : std::optional<qint64>(1);
                last = calculated(ends.value(ends.size() > 1 ? 1 : 0));
            } else if (const auto range = braces.match(values); range.hasMatch()) {
                first = range.captured(1).toLongLong();
                last = range.captured(2).toLongLong();
            } else {
                m_launch.loop = expanded(command.mid(3));
                m_ofLoop = QStringList{name};
                m_values.insert(name, m_launch.loop.mid(0, 1));
                return m_launch.loop.isEmpty() ? std::optional(unread) : std::nullopt;
            }
        }
        if (!first || !last || *last < *first || *last - *first >= mostLoops)
            return unread;
        for (qint64 value = *first; value <= *last; ++value)
            m_launch.loop << QString::number(value);
        m_ofLoop = QStringList{name};
        m_values.insert(name, m_launch.loop.mid(0, 1));
        return std::nullopt;
    }

    static bool isAssignment(const QString &word)
    {
        static const QRegularExpression assignment(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*\\+?=(?!=)"));
        return assignment.match(word).hasMatch();
    }

    void assign(const QString &text, bool isExported)
    {
        const QString name = text.section(QLatin1Char('='), 0, 0).remove(QLatin1Char('+'));
        m_usedLoop = false;
        if (text.contains(QLatin1Char('='))) {
            const QString value = text.section(QLatin1Char('='), 1);
            const bool isArray = value.startsWith(QLatin1Char('(')) && value.endsWith(QLatin1Char(')'));
            QStringList values{isArray ? QString() : valueOf(value)};
            if (isArray) {
                const auto parts = cutShellScript(value.mid(1, value.size() - 2));
                values.clear();
                for (const ShellWords &words : parts ? *parts : std::vector<ShellWords>())
                    values << expanded(words);
            }
            if (text.section(QLatin1Char('='), 0, 0).endsWith(QLatin1Char('+')))
                values = m_values.value(name) + values;
            m_values.insert(name, values);
            if (m_usedLoop)
                m_ofLoop << name;
        }
        if (isExported && !m_exported.contains(name))
            m_exported << name;
    }

    /// Returns a word without its quotes, as one text.
    QString valueOf(const QString &word)
    {
        const QString separator = QStringLiteral(" ");
        return fields(word, false).join(separator);
    }

    QStringList expanded(const ShellWords &words)
    {
        QStringList all;
        for (const QString &word : words)
            all << fields(word, true);
        return all;
    }

    /// Expands a word; what an unquoted variable holds may become several.
    QStringList fields(const QString &word, bool mayCut)
    {
        QStringList found;
        QString text;
        bool isWord = false;
        const auto end = [&] {
            if (isWord || !text.isEmpty())
                found << text;
            text.clear();
            isWord = false;
        };
        for (qsizetype at = 0; at < word.size();) {
            const QChar letter = word[at];
            if (letter == QLatin1Char('\\')) {
                text += word.mid(at + 1, 1);
                at += 2;
            } else if (letter == QLatin1Char('\'')) {
                const qsizetype close = word.indexOf(letter, at + 1);
                text += word.mid(at + 1, close - at - 1);
                isWord = true;
                at = close < 0 ? word.size() : close + 1;
            } else if (letter == QLatin1Char('"')) {
                const qsizetype close = closingQuote(word, at);
                text += expandedText(word.mid(at + 1, close - at - 1));
                isWord = true;
                at = close + 1;
            } else if (letter == QLatin1Char('$')) {
                const auto [value, next] = variableAt(word, at);
                const QStringList parts = value.split(QRegularExpression(QStringLiteral("\\s+")));
                if (mayCut && parts.size() > 1 && !value.contains(QLatin1String("$("))) {
                    text += parts.first();
                    for (const QString &part : parts.mid(1)) {
                        end();
                        text = part;
                    }
                } else {
                    text += value;
                }
                at = next;
            } else {
                text += letter;
                ++at;
            }
        }
        end();
        return found;
    }

    static qsizetype closingQuote(const QString &word, qsizetype at)
    {
        int depth = 0;
        for (qsizetype index = at + 1; index < word.size(); ++index) {
            if (word[index] == QLatin1Char('\\'))
                ++index;
            else if (word[index] == QLatin1Char('('))
                ++depth;
            else if (word[index] == QLatin1Char(')'))
                --depth;
            else if (word[index] == QLatin1Char('"') && depth <= 0)
                return index;
        }
        return word.size();
    }

    /// The text with values in place of variables.
    QString expandedText(const QString &text)
    {
        QString whole;
        for (qsizetype at = 0; at < text.size();) {
            if (text[at] == QLatin1Char('\\') && at + 1 < text.size() &&
                QStringLiteral("\\\"$`\n").contains(text[at + 1])) {
                if (text[at + 1] != QLatin1Char('\n'))
                    whole += text[at + 1];
                at += 2;
            } else if (text[at] == QLatin1Char('$')) {
                const auto [value, next] = variableAt(text, at);
                whole += value;
                at = next;
            } else {
                whole += text[at++];
            }
        }
        return whole;
    }

    struct Expansion {
        QString value;
        qsizetype next; ///< Behind it.
    };

    /// Expands what begins with the $ at `at`; what is not known stays as it is.
    Expansion variableAt(const QString &text, qsizetype at)
    {
        static const QRegularExpression plain(QStringLiteral("\\G\\$([A-Za-z_][A-Za-z0-9_]*)"));
        static const QRegularExpression braced(
            QStringLiteral("\\G\\$\\{([A-Za-z_][A-Za-z0-9_]*)(\\[[@*]\\]|:?[-=][^}]*)?\\}"));
        if (const auto match = plain.match(text, at); match.hasMatch())
            return {known(match.captured(1), match.captured(0)), match.capturedEnd()};
        if (const auto match = braced.match(text, at); match.hasMatch()) {
            const QString more = match.captured(2);
            const bool hasDefault = !more.isEmpty() && !more.startsWith(QLatin1Char('['));
            const QString otherwise = hasDefault
                                          ? expandedText(more.mid(more.startsWith(QLatin1Char(':')) ? 2 : 1))
                                          : match.captured(0);
            return {known(match.captured(1), otherwise), match.capturedEnd()};
        }
        if (text.mid(at, 3) == QLatin1String("$((")) {
            const qsizetype close = text.indexOf(QLatin1String("))"), at);
            const auto value = close < 0 ? std::nullopt : calculated(text.mid(at + 3, close - at - 3));
            if (value)
                return {QString::number(*value), close + 2};
        } else if (text.mid(at, 2) == QLatin1String("$(")) {
            const qsizetype close = closingBracket(text, at + 1);
            return {commandValue(text.mid(at, close - at)), close};
        }
        return {QStringLiteral("$"), at + 1};
    }

    static qsizetype closingBracket(const QString &text, qsizetype at)
    {
        int depth = 0;
        for (; at < text.size(); ++at) {
            if (text[at] == QLatin1Char('('))
                ++depth;
            else if (text[at] == QLatin1Char(')') && --depth == 0)
                return at + 1;
        }
        return text.size();
    }

    QString known(const QString &name, const QString &otherwise)
    {
        m_usedLoop = m_usedLoop || (!m_launch.loop.isEmpty() && m_ofLoop.contains(name));
        if (const auto found = m_values.constFind(name); found != m_values.cend())
            return found->join(QLatin1Char(' '));
        return m_environment.contains(name) ? m_environment.value(name) : otherwise;
    }

    std::optional<qint64> calculated(const QString &text)
    {
        static const QRegularExpression name(QStringLiteral("\\$?\\{?([A-Za-z_][A-Za-z0-9_]*)\\}?"));
        QString numbers;
        qsizetype last = 0;
        auto names = name.globalMatch(text);
        while (names.hasNext()) {
            const auto match = names.next();
            numbers += text.mid(last, match.capturedStart() - last) + known(match.captured(1), QString());
            last = match.capturedEnd();
        }
        return shellArithmetic(numbers + text.mid(last));
    }

    /// The few commands whose output is known without a shell; others stay as they are written.
    QString commandValue(const QString &text)
    {
        static const QRegularExpression date(QStringLiteral("^\\$\\(\\s*date\\s+\\+(.*)\\)$"));
        static const QRegularExpression nameOf(
            QStringLiteral("^\\$\\(\\s*(dirname|basename|realpath)\\s+(--\\s+)?(.*)\\)$"));
        // The folder of the script, however it is asked for: the current one, as the script is not a file
        // here.
        if (text.contains(QLatin1String("dirname")) &&
            (text.contains(QLatin1String("$0")) || text.contains(QLatin1String("BASH_SOURCE"))))
            return QStringLiteral(".");
        if (text == QLatin1String("$(pwd)"))
            return QStringLiteral(".");
        if (const auto match = date.match(text); match.hasMatch()) {
            const std::time_t now = std::time(nullptr);
            std::tm local{};
            localtime_r(&now, &local);
            std::array<char, 128> words{};
            const QByteArray format =
                QString(match.captured(1)).remove(QLatin1Char('"')).remove(QLatin1Char('\'')).toUtf8();
            const auto size = std::strftime(words.data(), words.size(), format.constData(), &local);
            return QString::fromUtf8(words.data(), qsizetype(size));
        }
        if (const auto match = nameOf.match(text); match.hasMatch()) {
            const QString path = valueOf(match.captured(3).trimmed());
            if (path.contains(QLatin1Char('$')))
                return text;
            if (match.captured(1) == QLatin1String("basename"))
                return QFileInfo(path).fileName();
            if (match.captured(1) == QLatin1String("realpath"))
                return path;
            return path == QLatin1String(".") ? QStringLiteral("..") : QFileInfo(path).path();
        }
        return text;
    }

    const QProcessEnvironment &m_environment;
    const std::function<bool(const QStringList &)> &m_isLaunch;
    QMap<QString, QStringList> m_values;
    QStringList m_exported;
    QStringList m_leftOut;
    ShellLaunch m_launch;
    bool m_isFound = false;
    QStringList m_ofLoop;    ///< Variables whose values differ from turn to turn.
    bool m_usedLoop = false; ///< The command that is read has one of them.
};

} // namespace

bool isUnreadForm(const Error &error)
{
    return error == unreadForm(error.where) || error.what == unreadLoopText();
}

Result<std::optional<ShellLaunch>> readShellScript(const QString &text,
                                                   const QProcessEnvironment &environment,
                                                   const std::function<bool(const QStringList &)> &isLaunch)
{
    const auto commands = cutShellScript(text);
    if (!commands)
        return commands.error();
    return ShellReader(environment, isLaunch).read(*commands);
}

} // namespace rankdeck

#include "launch/exchange/shellscript.h"

#include "base/listcomma.h"
#include "launch/exchange/shellwords.h"
#include "launch/text/commandline.h"

#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

QStringList listOf(const char *names)
{
    return QString::fromLatin1(names).split(QLatin1Char(' '));
}

bool declares(const QString &program)
{
    return program == QLatin1String("export") || program == QLatin1String("declare");
}

/// See readShellScript(). Goes through the text once, and carries each command out before it reads the next.
class ShellReader : public ShellWords
{
public:
    ShellReader(const QString &text, const QProcessEnvironment &environment,
                const std::function<bool(const QStringList &)> &isLaunch)
        : ShellWords(text, environment)
        , m_isLaunch(isLaunch)
    {
    }

    Result<ShellLaunch> read()
    {
        while (!isAtEnd() && goesOn())
            takeCommand();
        if (error())
            return *error();
        if (m_launch.words.isEmpty() || !m_counter.isEmpty())
            stop(tr("The script starts no launcher that Rankdeck reads."));
        if (!reason().isEmpty()) {
            m_launch = ShellLaunch();
            m_launch.unread = reason();
            return m_launch;
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
        if (isAtEnd())
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
        if (isAt(redirection))
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
        add(forShell, since(begin));
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
        add(forShell, since(begin).simplified());
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
        return !command.words.isEmpty() || stopAt(since(begin));
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
                const bool isQuoted = since(begin).contains(quote);
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
        const bool isFor = word == QLatin1String("for") && mayLoop && isKnown(table);
        const auto match = isFor ? take(head) : QRegularExpressionMatch();
        if (!match.hasMatch())
            return stopAt(word);
        m_counter = match.captured(1) + match.captured(2);
        m_values.insert(m_counter, {QStringLiteral("${local_rank}")});
        m_launch.rankTable = table;
        return true;
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

    const std::function<bool(const QStringList &)> &m_isLaunch;
    QMap<QString, QStringList> m_before; ///< m_values before the command's own.
    QStringList m_exported;
    QStringList m_leftOut;
    QString m_joint;          ///< Of the next command.
    QString m_counter;        ///< Variable of the loop over ranks that is being read; empty: none.
    bool m_wasSetter = false; ///< The command before changes this shell alone: `cd x && …` may go on.
};

} // namespace

Result<ShellLaunch> readShellScript(const QString &text, const QProcessEnvironment &environment,
                                    const std::function<bool(const QStringList &)> &isLaunch)
{
    return ShellReader(text, environment, isLaunch).read();
}

} // namespace rankdeck

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

bool declares(const QString &program)
{
    return program == "export"_L1 || program == "declare"_L1;
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
        bool isBackground() const { return forShell.endsWith('&'_L1); }
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
        static const QRegularExpression redirection(u"\\G[0-9]*(&>|[<>])"_s);
        skipBlanks(command.isEmpty()); // A line may end after &&.
        if (isAtEnd())
            return false;
        if (command.isEmpty())
            m_before = m_values;
        const QChar letter = here();
        if (command.isEmpty() && (isAt("$ ") || (letter == '!'_L1 && here(1).isLetter()))) {
            ++m_at; // A prompt, or a cell of a notebook.
            return true;
        }
        if (letter == '#'_L1) {
            m_at = m_text.indexOf('\n'_L1, m_at);
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
        if (letter == '|'_L1)
            return takePipe(command.forShell);
        if (letter == ';'_L1 || letter == '\n'_L1 || letter == '&'_L1) {
            ++m_at;
            if (letter == '&'_L1)
                add(command.forShell, letter);
            return false;
        }
        return takeWord(command);
    }

    static void add(QString &forShell, const QString &part)
    {
        forShell += (forShell.isEmpty() ? QString() : u" "_s) + part;
    }

    bool takeRedirection(QString &forShell)
    {
        static const QRegularExpression sign(u"\\G[0-9]*(&>>|&>|>>|>\\||>&|>)(?!\\()[ \\t]*"_s);
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
        static const QRegularExpression tee(u"\\G\\|&?\\s*tee(?=\\s)"_s);
        const qsizetype begin = m_at;
        if (!take(tee).hasMatch())
            return stopAt(u"|"_s);
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
        static const QRegularExpression assignment(u"\\G([A-Za-z_][A-Za-z0-9_]*)(\\+?)="_s);
        static const QRegularExpression keyword(
            u"\\G(if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|coproc"
            "|[{}!]|\\[\\[)(?=[\\s;&|()<>]|$)"_s);
        const bool isFirst = command.words.isEmpty();
        if (here() == '('_L1 || here() == ')'_L1)
            return stopAt(QString(here()));
        if (isFirst || declares(command.words.first())) {
            if (const auto match = take(assignment); match.hasMatch())
                return takeAssignment(command, match.captured(1), !match.captured(2).isEmpty());
        }
        if (const auto match = keyword.match(m_text, m_at); match.hasMatch() && command.isEmpty())
            return takeKeyword(match.captured());
        if (isFirst && !command.assigned.isEmpty()) {
            for (const QString &name : std::as_const(command.assigned))
                command.own.insert(name, m_values.value(name).join(' '_L1));
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
        static const QRegularExpression quote(u"[\"']"_s);
        QStringList values;
        const bool isArray = here() == '('_L1;
        if (isArray) {
            ++m_at;
            for (skipBlanks(true); here() != ')'_L1; skipBlanks(true)) {
                const qsizetype begin = m_at;
                if (isAtEndOfWord() || here() == '['_L1)
                    return stopAt(name + u"=("_s);
                if (!takeWordParts(values, true))
                    return false;
                // What nobody has set is no element.
                const bool isQuoted = since(begin).contains(quote);
                const bool isUnset = !values.isEmpty() && withoutUnset(values.last()).isEmpty();
                if (isUnset && !isQuoted && values.last().contains('$'_L1))
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
        if (name == "IFS"_L1) // Words end elsewhere then.
            return stopAt(name);
        m_values.insert(name, values);
        command.assigned << name;
        return true;
    }

    /// Takes the head and the end of a loop over ranks; no other keyword is read.
    bool takeKeyword(const QString &word)
    {
        static const QRegularExpression head(
            u"\\Gfor\\s*(?:\\(\\(\\s*(\\w+)\\s*=\\s*0\\s*;[^;()]*;\\s*(?:\\w+\\+\\+|\\+\\+\\w+)\\s*\\)\\)"
            "|(\\w+)\\s+in\\s+(?:\\{0\\.\\.[0-9]+\\}|0\\s[0-9\\s]*|\\$\\(seq\\s+0\\s[^;\\n()]*\\)))"
            "\\s*;?\\s*do(?=\\s)"_s);
        const QString table = m_values.value(rankTableFile()).join(QString());
        const bool mayLoop = m_launch.words.isEmpty() && m_exported.contains(rankTableFile());
        if (word == "done"_L1 && !m_counter.isEmpty()) {
            m_at += word.size();
            m_counter.clear();
            return true;
        }
        const bool isFor = word == "for"_L1 && mayLoop && isKnown(table);
        const auto match = isFor ? take(head) : QRegularExpressionMatch();
        if (!match.hasMatch())
            return stopAt(word);
        m_counter = match.captured(1) + match.captured(2);
        m_values.insert(m_counter, {u"${local_rank}"_s});
        m_launch.rankTable = table;
        return true;
    }

    // Carrying a command out.

    void run(const Command &command)
    {
        static const QStringList setters = namesIn("export declare cd unset source . conda");
        static const QStringList harmless = namesIn("echo mkdir sleep ulimit wait true :");
        static const QStringList harmlessInLoop = namesIn("cd rm cp ln env");
        if (command.isEmpty())
            return;
        const QString program = command.words.value(0);
        const bool isEnd = program == "exit"_L1 || program == "return"_L1;
        if (isEnd && command.joint == "||"_L1 && m_wasSetter)
            return; // That `cd` fails is not expected.
        if (!command.joint.isEmpty() && (command.joint != "&&"_L1 || !m_wasSetter))
            return void(stopAt(command.joint));
        const bool isSetter = command.words.isEmpty() || setters.contains(program);
        const bool isAfter = !m_launch.words.isEmpty();
        const bool isInLoop = !m_counter.isEmpty();
        m_wasSetter = isSetter && !isAfter;
        const QString first = command.words.value(command.words.value(0) == "nohup"_L1 ? 1 : 0);
        const bool runsPython = QFileInfo(first).fileName().startsWith("python"_L1);
        const bool launches = isInLoop ? command.isBackground() && runsPython : m_isLaunch(command.words);
        if (launches && isAfter)
            stop(tr("A script that launches twice is not read."));
        else if (launches)
            launch(command);
        else if (isInLoop ? (harmless + harmlessInLoop).contains(program)
                          : harmless.contains(program) && command.forShell.isEmpty())
            leaveOut(program);
        else if (isAfter && (isEnd || program == "cd"_L1 || command.words.isEmpty()))
            return;
        else if (program == "set"_L1)
            setOptions(command.words);
        else if (isAfter || !isSetter || command.isBackground() || !carryOut(command))
            stopAt(unmarked(program.isEmpty() ? command.forShell : program));
    }

    void leaveOut(const QString &program)
    {
        static const QStringList untold = namesIn("wait true :");
        if (program == "cd"_L1)
            m_launch.notes << tr("Each rank has a folder of its own in the script; here all have the same.");
        else if (!untold.contains(program) && !m_leftOut.contains(program))
            m_leftOut << program;
    }

    void setOptions(const QStringList &words)
    {
        static const QRegularExpression harmless(
            u"^([-+][euxvo]+|pipefail|errexit|nounset|xtrace|verbose)$"_s);
        const bool isHarmless = std::ranges::all_of(
            words.mid(1), [](const QString &word) { return harmless.match(word).hasMatch(); });
        if (isHarmless)
            leaveOut(words.first());
        else
            stopAt(words.join(' '_L1));
    }

    /// Returns false if the command is not understood.
    bool carryOut(const Command &command)
    {
        const QStringList &words = command.words;
        const QString program = words.value(0);
        if (words.isEmpty() || declares(program))
            return assign(command);
        if (program == "cd"_L1)
            return changeTo(words);
        if (std::ranges::any_of(words, [](const QString &word) { return !isKnown(word); }))
            return false;
        if (program == "unset"_L1) {
            for (const QString &name : words.mid(1)) {
                m_values.remove(name);
                m_exported.removeAll(name);
            }
            m_launch.unset << words.mid(1);
            return std::ranges::none_of(words, [](const QString &word) { return word.startsWith('-'_L1); });
        }
        if (words.size() == 3 && words[1] == "activate"_L1) {
            m_launch.condaEnv = words[2];
            return program != "."_L1;
        }
        if (words.size() < 2 || program == "conda"_L1)
            return false;
        m_launch.sourced << joinCommandLine(QStringList{u"."_s} + words.mid(1));
        return true;
    }

    bool assign(const Command &command)
    {
        const bool exports = command.words.value(0) == "export"_L1 || command.words.contains("-x"_L1);
        QStringList names = command.assigned;
        for (const QString &word : command.words.mid(1)) {
            if (word.startsWith('-'_L1) && word != "-x"_L1)
                return false;
            const qsizetype sign = word.indexOf('='_L1);
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
            return !source.startsWith(". /"_L1); // From the folder before.
        });
        if (words.size() != 2 || folder.startsWith('-'_L1) || folder.isEmpty() || isRelative)
            return false;
        if (!isKnown(folder))
            m_launch.notes
                << tr("\"cd %1\" is left out: choose the working directory.").arg(unmarked(folder));
        else if (folder.startsWith('/'_L1) || m_launch.workDir.isEmpty())
            m_launch.workDir = folder == "."_L1 ? QString() : folder;
        else
            m_launch.workDir += '/'_L1 + folder;
        return true;
    }

    void launch(const Command &command)
    {
        static const QRegularExpression argument(u"^\\$\\{?[0-9]"_s);
        // What the rank table decides.
        static const QStringList given =
            namesIn("RANK LOCAL_RANK WORLD_SIZE DEVICE_ID RANK_ID RANK_SIZE RANK_TABLE_FILE");
        QMap<QString, QString> variables;
        for (const QString &name : std::as_const(m_exported))
            variables.insert(name, m_values.value(name).join(' '_L1));
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
            if (!m_counter.isEmpty() && its->contains("${local_rank}"_L1))
                stopAt(its.key() + u"=$"_s + m_counter);
        }
        m_launch.variables = variables;
        m_launch.forShell = command.forShell;
        m_launch.needsSources = !command.joint.isEmpty();
    }

    static QString rankTableFile() { return u"RANK_TABLE_FILE"_s; }

    const std::function<bool(const QStringList &)> &m_isLaunch;
    QMap<QString, QStringList> m_before; ///< m_values before the command's own.
    QStringList m_exported;
    QStringList m_leftOut;
    QString m_joint;          ///< What joins the next command to those before: "&&".
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

#include "launch/exchange/shellscript.h"

#include "base/listcomma.h"
#include "base/tr.h"
#include "launch/exchange/shellcutter.h"
#include "launch/exchange/shellvariables.h"
#include "launch/text/commandline.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostTurns = 4096;
using Commands = std::vector<ShellCommand>;

QString unreadForm(const QString &word)
{
    return tr("A script with \"%1\" is not read.").arg(word);
}

bool runsPython(const QString &program)
{
    return QFileInfo(program).fileName().startsWith(QLatin1String("python"));
}

/// Returns true if the program is Python, started by nohup or not.
bool runsPython(const QStringList &words)
{
    return runsPython(words.value(words.value(0) == QLatin1String("nohup") ? 1 : 0));
}

/// Puts ${local_rank} in the place of the number of the turn. Returns nothing if the words differ otherwise.
std::optional<QString> countingWord(const QStringList &wordOfTurns)
{
    static const QRegularExpression number(QStringLiteral("(?<![0-9])0(?![0-9])"));
    const QString placeholder = QStringLiteral("${local_rank}");
    if (wordOfTurns.count(wordOfTurns.first()) == wordOfTurns.size())
        return wordOfTurns.first();
    const QString counting = QString(wordOfTurns.first()).replace(number, placeholder);
    for (qsizetype turn = 0; turn < wordOfTurns.size(); ++turn) {
        if (QString(counting).replace(placeholder, QString::number(turn)) != wordOfTurns[turn])
            return std::nullopt;
    }
    return counting;
}

/// Carries out what a script says of variables and directories.
class ShellReader
{
public:
    ShellReader(const QProcessEnvironment &environment,
                const std::function<bool(const QStringList &)> &isLaunch)
        : m_variables(environment)
        , m_isLaunch(isLaunch)
    {
    }

    Result<ShellLaunch> read(const Commands &commands)
    {
        m_isOneCommand = commands.size() == 1;
        take(commands);
        if (!m_argument.isEmpty())
            return Error{tr("%1 is an argument of the script, which is not known here").arg(m_argument),
                         m_argument, tr("Write its value in its place.")};
        if (!m_unread.isEmpty()) {
            ShellLaunch unread;
            unread.unread = m_unread;
            return unread;
        }
        if (!m_leftOut.isEmpty())
            m_launch.notes << tr("Left out of the script: %1.").arg(m_leftOut.join(nameComma()));
        m_launch.notes.removeDuplicates();
        return m_launch;
    }

private:
    void take(const Commands &commands)
    {
        for (auto at = commands.begin(); at != commands.end() && m_unread.isEmpty();) {
            const QString word = withoutKeywords(at->words).value(0);
            const auto end = endOfBlock(at, commands.end());
            if (end == at + 1)
                take(*at);
            else if (word.startsWith(QLatin1String("for")))
                takeLoop(*at, Commands(at + 1, end));
            else
                takeCondition(word, Commands(at, end));
            at = end;
        }
    }

    /// Returns the words without what only groups commands, and without a prompt.
    static QStringList withoutKeywords(QStringList words)
    {
        static const QStringList keywords{QStringLiteral("do"),   QStringLiteral("then"),
                                          QStringLiteral("else"), QStringLiteral("time"),
                                          QStringLiteral("!"),    QStringLiteral("$")};
        while (keywords.contains(words.value(0)))
            words.removeFirst();
        // A cell of a notebook.
        const QString first = words.value(0);
        if (first.size() > 1 && first.startsWith(QLatin1Char('!')))
            words.first().remove(0, 1);
        return words;
    }

    /// Returns the end of the loop or condition that begins here, or the next command.
    static Commands::const_iterator endOfBlock(Commands::const_iterator at, Commands::const_iterator end)
    {
        static const QStringList begins{QStringLiteral("if"),    QStringLiteral("for"),
                                        QStringLiteral("while"), QStringLiteral("until"),
                                        QStringLiteral("case"),  QStringLiteral("select")};
        static const QStringList ends{QStringLiteral("fi"), QStringLiteral("done"), QStringLiteral("esac")};
        static const QStringList tests{QStringLiteral("["), QStringLiteral("[["), QStringLiteral("test")};
        const auto first = at;
        int depth = 0;
        for (; at != end; ++at) {
            const QString word = withoutKeywords(at->words).value(0);
            if (begins.contains(word) || word.startsWith(QLatin1String("for(")))
                ++depth;
            else if (ends.contains(word))
                --depth;
            if (depth <= 0)
                break;
        }
        if (at == end)
            return end;
        ++at;
        // "[ … ] && …" is a condition too.
        if (tests.contains(withoutKeywords(first->words).value(0))) {
            while (at != end && !at->joint.isEmpty())
                ++at;
        }
        return at;
    }

    /// Leaves a condition out if the launch does not depend on it.
    void takeCondition(const QString &word, const Commands &block)
    {
        static const QStringList harmful{
            QStringLiteral("export"), QStringLiteral("declare"), QStringLiteral("cd"),
            QStringLiteral("source"), QStringLiteral("."),       QStringLiteral("eval"),
            QStringLiteral("read"),   QStringLiteral("set"),     QStringLiteral("unset"),
            QStringLiteral("let"),    QStringLiteral("for"),     QStringLiteral("conda")};
        // Its commands stand behind patterns.
        const bool isUnclear =
            m_launch.words.isEmpty() && (word == QLatin1String("case") || word == QLatin1String("select"));
        const bool matters = isUnclear || std::ranges::any_of(block, [&](const ShellCommand &command) {
                                 const QStringList words = withoutKeywords(command.words);
                                 const QString first = words.value(0);
                                 if (m_isLaunch(m_variables.expanded(words)))
                                     return true;
                                 return m_launch.words.isEmpty() &&
                                        (harmful.contains(first) || ShellVariables::isAssignment(first) ||
                                         first.startsWith(QLatin1String("((")) ||
                                         first.endsWith(QLatin1String("()")) || runsPython(first));
                             });
        if (matters)
            m_unread = unreadForm(word);
        else
            leaveOut(word);
    }

    void take(const ShellCommand &command)
    {
        static const QStringList unread{QStringLiteral("function"), QStringLiteral("eval"),
                                        QStringLiteral("let"), QStringLiteral("read"), QStringLiteral("{")};
        static const QStringList exports{QStringLiteral("export"), QStringLiteral("declare"),
                                         QStringLiteral("typeset"), QStringLiteral("readonly"),
                                         QStringLiteral("local")};
        QStringList words = withoutKeywords(command.words);
        const QString word = words.value(0);
        // "cd x || exit": that it fails is not expected.
        if (words.isEmpty() || command.joint == QLatin1String("||")) {
            if (!m_launch.words.isEmpty() && !words.isEmpty())
                addForShell(QStringLiteral("|| ") + words.join(QLatin1Char(' ')));
            return;
        }
        if (unread.contains(word) || word.endsWith(QLatin1String("()")) ||
            word.startsWith(QLatin1Char('('))) {
            if (m_launch.words.isEmpty() || m_isLaunch(words))
                m_unread = unreadForm(
                    word.startsWith(QLatin1String("((")) || word.size() < 10 ? word : QStringLiteral("("));
            else
                leaveOut(word);
            return;
        }
        if (exports.contains(word)) {
            for (const QString &each : words.mid(1))
                assign(each, word == QLatin1String("export") || words.contains(QLatin1String("-x")));
            return;
        }
        QMap<QString, QString> own;
        ShellVariables before = m_variables;
        while (!words.isEmpty() && ShellVariables::isAssignment(words.first())) {
            const QString name = words.first().section(QLatin1Char('='), 0, 0).remove(QLatin1Char('+'));
            before.assign(words.takeFirst());
            own.insert(name, before.value(name));
        }
        if (words.isEmpty()) {
            for (const QString &each : withoutKeywords(command.words))
                assign(each, false);
            return;
        }
        run(m_variables.expanded(words), own, command);
    }

    void assign(const QString &text, bool isExported)
    {
        const QString name = text.section(QLatin1Char('='), 0, 0).remove(QLatin1Char('+'));
        m_variables.assign(text);
        m_launch.unset.removeAll(name);
        const bool isNew = !m_exported.contains(name) && m_variables.isSet(name);
        if (isNew && (isExported || m_exportsAll || m_variables.isInherited(name)))
            m_exported << name;
    }

    void run(const QStringList &words, const QMap<QString, QString> &own, const ShellCommand &command)
    {
        const QString program = words.value(0);
        const bool launches = m_isLaunch(words) || (m_isInLoop && runsPython(words));
        if (!m_launch.words.isEmpty()) {
            if (launches)
                m_unread = tr("A script that launches twice is not read.");
            else if (program != QLatin1String("cd"))
                leaveOut(program);
        } else if (program == QLatin1String("cd")) {
            changeTo(words.value(1));
        } else if (program == QLatin1String("unset")) {
            for (const QString &name : words.mid(1)) {
                m_variables.unset(name);
                m_exported.removeAll(name);
                m_launch.unset << name;
            }
        } else if (words.size() == 3 && words[1] == QLatin1String("activate") &&
                   (program == QLatin1String("conda") || program == QLatin1String("source"))) {
            m_launch.condaEnv = ShellVariables::unmarked(words[2]);
        } else if (program == QLatin1String("source") || program == QLatin1String(".")) {
            sourceFile(words);
        } else if (launches || (m_isOneCommand && !needsShell(command.forShell))) {
            launch(words, own, command);
        } else if (program == QLatin1String("set")) {
            m_exportsAll = m_exportsAll || words.contains(QLatin1String("-a"));
            leaveOut(program);
        } else {
            leaveOut(program);
        }
    }

    void sourceFile(const QStringList &words)
    {
        const QString file = words.value(1);
        const bool isKnown = !file.isEmpty() && std::ranges::none_of(words, [](const QString &word) {
            return ShellVariables::hasUnset(word) || !ShellVariables::unknownIn(word).isEmpty();
        });
        if (isKnown)
            m_launch.sourced << joinCommandLine(QStringList{QStringLiteral(".")} + words.mid(1));
        else
            noteUnread(ShellVariables::unmarked(words.join(QLatin1Char(' '))));
    }

    void noteUnread(const QString &source)
    {
        m_launch.notes
            << tr("\"%1\" is not read: run it before Rankdeck is started, or give its variables in "
                  "an environment file.")
                   .arg(source);
    }

    void leaveOut(const QString &program)
    {
        static const QStringList ends{QStringLiteral("wait"), QStringLiteral("done"), QStringLiteral("fi"),
                                      QStringLiteral("esac"), QStringLiteral("exit")};
        const QString name = ShellVariables::unmarked(program);
        if (!ends.contains(name) && !m_leftOut.contains(name))
            m_leftOut << name;
    }

    /// Whether the command would do something else without this.
    static bool needsShell(const QString &forShell)
    {
        static const QRegularExpression reads(QStringLiteral("<|\\|&?\\s*(?!tee\\b)\\w"));
        return forShell.contains(reads);
    }

    void addForShell(const QString &part)
    {
        m_launch.forShell += (m_launch.forShell.isEmpty() ? QString() : QStringLiteral(" ")) + part;
    }

    void launch(const QStringList &words, const QMap<QString, QString> &own, const ShellCommand &command)
    {
        static const QRegularExpression argument(QStringLiteral("\\$\\{?[0-9]"));
        for (const QString &text : words + own.values()) {
            if (const QString unknown = ShellVariables::unknownIn(text); !unknown.isEmpty())
                m_unread = tr("Only a shell knows the value of %1.").arg(unknown);
            if (ShellVariables::hasUnset(text) && text.contains(argument))
                m_argument = argument.match(text).captured().remove(QLatin1Char('{'));
            m_launch.hasLiterals = m_launch.hasLiterals || ShellVariables::hasUnset(text);
        }
        if (m_isInLoop && !command.isBackground)
            m_unread = tr("A loop whose turns follow each other is not read.");
        if (m_isInLoop && m_isLaunch(words))
            m_unread = tr("A loop that starts a launcher in each turn is not read.");
        for (const QString &word : words)
            m_launch.words << ShellVariables::unmarked(word);
        m_launch.needsSources = command.joint == QLatin1String("&&");
        addForShell(command.forShell);
        m_launch.forShell = m_launch.forShell.trimmed();
        for (const QString &name : std::as_const(m_exported)) {
            const QString value = m_variables.value(name);
            // What only a shell knows would be wrong.
            if (!ShellVariables::unknownIn(value).isEmpty())
                m_launch.notes << tr("%1 is left out: only a shell knows its value.").arg(name);
            else
                m_launch.variables.insert(name, ShellVariables::withoutUnset(value));
        }
        for (auto its = own.cbegin(); its != own.cend(); ++its)
            m_launch.variables.insert(its.key(), ShellVariables::withoutUnset(its.value()));
    }

    void changeTo(const QString &folder)
    {
        if (m_isInLoop) {
            m_launch.notes << tr("Each rank has a folder of its own in the script; here all have the same.");
        } else if (folder.isEmpty() || ShellVariables::hasUnset(folder) ||
                   !ShellVariables::unknownIn(folder).isEmpty()) {
            m_launch.notes << tr("\"cd %1\" is left out: choose the working directory.")
                                  .arg(ShellVariables::unmarked(folder));
        } else if (folder != QLatin1String(".")) {
            m_launch.sourced.removeIf([&](const QString &sourced) {
                // Its path leads from the folder before.
                const bool isRelative = !sourced.startsWith(QLatin1String(". /"));
                if (isRelative)
                    noteUnread(sourced);
                return isRelative;
            });
            m_launch.workDir = folder.startsWith(QLatin1Char('/')) || m_launch.workDir.isEmpty()
                                   ? folder
                                   : m_launch.workDir + QLatin1Char('/') + folder;
        }
    }

    /// Returns the values of "for i in 0 1 2", "for i in $(seq 0 7)" or "for((i=0; i<8; i++))"; none: they
    /// are not read.
    QStringList valuesOfLoop(const QStringList &command, QString &name) const
    {
        static const QRegularExpression counted(
            QStringLiteral("^for\\s*\\(\\(\\s*(\\w+)\\s*=\\s*([^;]+);\\s*\\w+\\s*(<=?)\\s*([^;]+);\\s*(\\w+"
                           "\\+\\+|\\+\\+\\w+)"
                           "\\s*\\)\\)$"));
        static const QRegularExpression sequence(QStringLiteral("^(\\$\\(|`)\\s*seq\\s+(.*)(\\)|`)$"));
        static const QRegularExpression braces(QStringLiteral("^\\{(\\d{1,6})\\.\\.(\\d{1,6})\\}$"));
        const QString line = command.join(QLatin1Char(' '));
        name = command.value(1);
        std::optional<qint64> first;
        std::optional<qint64> last;
        if (const auto match = counted.match(line); match.hasMatch()) {
            name = match.captured(1);
            first = m_variables.calculated(match.captured(2));
            last = m_variables.calculated(match.captured(4));
            if (last && match.captured(3) == QLatin1String("<"))
                --*last;
        } else if (command.value(2) == QLatin1String("in")) {
            const QString values = command.mid(3).join(QLatin1Char(' '));
            if (const auto found = sequence.match(values); found.hasMatch()) {
                const QStringList ends =
                    m_variables.expanded(found.captured(2).split(QLatin1Char(' '), Qt::SkipEmptyParts));
                first = ends.size() > 1 ? m_variables.calculated(ends[0]) : std::optional<qint64>(1);
                last = m_variables.calculated(ends.value(ends.size() > 1 ? 1 : 0));
                if (ends.size() > 2)
                    return {};
            } else if (const auto range = braces.match(values); range.hasMatch()) {
                first = range.captured(1).toLongLong();
                last = range.captured(2).toLongLong();
            } else {
                return m_variables.expanded(command.mid(3));
            }
        }
        QStringList found;
        if (!first || !last || *last - *first >= mostTurns)
            return found;
        for (qint64 value = *first; value <= *last; ++value)
            found << QString::number(value);
        return found;
    }

    /// Carries out each turn of a loop, and puts their launches together.
    void takeLoop(const ShellCommand &head, const Commands &body)
    {
        QString name;
        const QStringList values = valuesOfLoop(withoutKeywords(head.words), name);
        if (values.isEmpty() || m_isInLoop) {
            m_unread =
                tr("\"%1\": this loop is not read.").arg(withoutKeywords(head.words).join(QLatin1Char(' ')));
            return;
        }
        const ShellLaunch before = m_launch;
        QList<ShellLaunch> turns;
        for (const QString &value : values) {
            m_launch = before;
            m_isInLoop = true;
            m_variables.set(name, {value});
            take(body);
            m_isInLoop = false;
            turns << m_launch;
            if (!m_unread.isEmpty())
                return;
        }
        if (m_launch.words == before.words)
            return;
        join(turns);
    }

    void join(const QList<ShellLaunch> &turns)
    {
        m_launch = turns.first();
        m_launch.turns = int(turns.size());
        m_launch.variablesOfTurns.fill({}, turns.size());
        for (qsizetype word = 0; word < m_launch.words.size(); ++word) {
            QStringList wordOfTurns;
            for (const ShellLaunch &turn : turns)
                wordOfTurns << turn.words.value(word);
            const auto counting = countingWord(wordOfTurns);
            if (!counting || m_launch.words.size() != turns.last().words.size()) {
                m_unread = tr("A loop whose turns differ by more than a count from 0 is not read: %1.")
                               .arg(wordOfTurns.join(nameComma()));
                return;
            }
            m_launch.words[word] = *counting;
        }
        for (const QString &name : m_launch.variables.keys()) {
            const QString first = m_launch.variables.value(name);
            const bool differs = std::ranges::any_of(
                turns, [&](const ShellLaunch &turn) { return turn.variables.value(name) != first; });
            if (!differs)
                continue;
            m_launch.variables.remove(name);
            for (qsizetype turn = 0; turn < turns.size(); ++turn)
                m_launch.variablesOfTurns[turn].insert(name, turns[turn].variables.value(name));
        }
    }

    ShellVariables m_variables;
    const std::function<bool(const QStringList &)> &m_isLaunch;
    QStringList m_exported;
    QStringList m_leftOut;
    ShellLaunch m_launch;
    QString m_unread;
    QString m_argument; ///< Of the script, which the command needs.
    bool m_isOneCommand = false;
    bool m_isInLoop = false;
    bool m_exportsAll = false; ///< set -a
};

} // namespace

Result<ShellLaunch> readShellScript(const QString &text, const QProcessEnvironment &environment,
                                    const std::function<bool(const QStringList &)> &isLaunch)
{
    const auto commands = cutShellScript(text);
    if (!commands)
        return commands.error();
    return ShellReader(environment, isLaunch).read(*commands);
}

} // namespace rankdeck

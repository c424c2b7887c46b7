#include "launch/text/streamcommand.h"

#include "launch/text/commandline.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

constexpr QLatin1String nodeMark("{node}");

/// A kind of container.
struct StreamProgram {
    const char *kind;
    const char *form;    ///< The part after "KIND:", as it is shown.
    const char *pattern; ///< The same as a regular expression; N is a name.
    /// $1 … are the parts of the pattern. One that is not given takes the option before it along.
    const char *words;
    int node; ///< The part that the node is called by.
};

constexpr std::array streamPrograms{
    StreamProgram{"docker", "NAME", "N", "docker exec -i $1", 1},
    StreamProgram{"podman", "NAME", "N", "podman exec -i $1", 1},
    StreamProgram{"kubectl", "[NAMESPACE/]POD[:CONTAINER]", "(?:N/)?N(?::N)?",
                  "kubectl exec -i -n $1 $2 -c $3 --", 2},
};

/// No name can be an option of the program.
constexpr char namePattern[] = "((?:[A-Za-z0-9_]|\\{node\\})(?:[A-Za-z0-9_.-]|\\{node\\})*)";
constexpr char hostPattern[] = "^ssh:((?:[A-Za-z0-9_:]|\\{node\\})(?:[A-Za-z0-9_.@:-]|\\{node\\})*)\\+";

QString formOf(const StreamProgram &program)
{
    return QLatin1String(program.kind) + ':'_L1 + QLatin1String(program.form);
}

const StreamProgram *programOf(const QString &text)
{
    const auto program = std::ranges::find_if(streamPrograms, [&](const StreamProgram &known) {
        return text.startsWith(QLatin1String(known.kind) + ':'_L1);
    });
    return program == streamPrograms.end() ? nullptr : &*program;
}

Error otherForm(const QString &transport, const QString &form)
{
    return {tr("\"%1\" is not of the form %2").arg(transport, form), u"--transport"_s,
            tr("A name has letters, digits, and _ . - after the first; {node} stands for each of --nodes.")};
}

} // namespace

bool StreamCommand::isIn(const NodeOptions &options)
{
    return !options.transportCommand.isEmpty() || options.transport.startsWith("ssh:"_L1) ||
           programOf(options.transport);
}

Result<StreamCommand> StreamCommand::from(const NodeOptions &options)
{
    StreamCommand command;
    if (!options.transportCommand.isEmpty()) {
        const QString option = u"--transport-command"_s;
        const auto words = splitCommandLine(options.transportCommand);
        if (!words)
            return Error{words.error().what, option, words.error().mend};
        if (words->isEmpty())
            return Error{tr("missing command"), option, {}};
        if (options.transport == "ssh"_L1)
            command.m_sshHost = nodeMark;
        else if (options.transport != "auto"_L1)
            return Error{tr("--transport %1 already says how nodes are reached").arg(options.transport),
                         option, tr("Leave one of the two out, or give --transport ssh.")};
        command.m_words = *words;
        return command;
    }
    static const QRegularExpression sshForm{QLatin1String(hostPattern)}; // "ssh:HOST+KIND:…"
    const auto ssh = sshForm.match(options.transport);
    command.m_sshHost = ssh.captured(1);
    const QString text = options.transport.mid(ssh.capturedLength());
    const StreamProgram *program = programOf(text);
    if (!program)
        return otherForm(options.transport, u"ssh:HOST+"_s + formOf(streamPrograms.front()));
    const QString pattern = QString::fromLatin1(program->pattern).replace('N'_L1, QLatin1String(namePattern));
    const auto parts = QRegularExpression(QRegularExpression::anchoredPattern(pattern))
                           .match(text.mid(text.indexOf(':'_L1) + 1));
    if (!parts.hasMatch())
        return otherForm(options.transport,
                         ssh.hasMatch() ? u"ssh:HOST+"_s + formOf(*program) : formOf(*program));
    for (const QString &word : QString::fromLatin1(program->words).split(' '_L1)) {
        if (!word.startsWith('$'_L1))
            command.m_words << word;
        else if (const QString part = parts.captured(word.mid(1).toInt()); !part.isEmpty())
            command.m_words << part;
        else
            command.m_words.removeLast();
    }
    if (!command.dependsOnNode())
        command.m_onlyNode = ssh.hasMatch() ? command.m_sshHost : parts.captured(program->node);
    return command;
}

QStringList StreamCommand::wordsFor(const QString &node) const
{
    return QStringList(m_words).replaceInStrings(nodeMark, node);
}

QString StreamCommand::sshHostFor(const QString &node) const
{
    return QString(m_sshHost).replace(nodeMark, node);
}

bool StreamCommand::dependsOnNode() const
{
    return (QStringList(m_words) << m_sshHost).filter(nodeMark).size() > 0;
}

QString streamCommandForms()
{
    const QStringList forms =
        listOf(streamPrograms, [&](const StreamProgram &program) { return formOf(program); });
    return forms.join(", "_L1);
}

} // namespace rankdeck

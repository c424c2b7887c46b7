#include "agent/transport/nodescript.h"

#include "agent/channel/agentprotocol.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankdeck
{

namespace
{

/// A version is not the user's text, but it is a file's name here.
QByteArray fileNameOf(const ProgramFile &program, const QString &version)
{
    QByteArray name = "rankdeckctl-";
    for (const QChar letter : version) {
        const char latin = letter.toLatin1();
        const bool isPlain = (latin >= '0' && latin <= '9') || (latin >= 'a' && latin <= 'z') || latin == '.';
        name += isPlain ? latin : '_';
    }
    return name + '-' + program.sha256.left(16);
}

constexpr char copyScript[] =
    // A relative path there is to be ignored, as the XDG specification says.
    "case ${XDG_CACHE_HOME-} in /*) d=$XDG_CACHE_HOME/rankdeck;; *) d=$HOME/.cache/rankdeck;; esac; "
    "p=$d/@NAME@; "
    "whole() { case $(sha256sum <\"$1\") in @HASH@*) ;; *) return 1;; esac; }; "
    "fail() { printf '\\nrankdeck-fails %s\\n' \"$1\"; exit 1; }; "
    "run() { touch -c \"$p\"; printf '\\nrankdeck-runs %s\\n' \"$p\"; exec \"$p\" agent --guarded; }; "
    "command -v sha256sum >/dev/null || fail checksum; "
    "[ -f \"$p\" ] && whole \"$p\" && run; "
    "printf '\\nrankdeck-needs %s\\n' \"$(uname -m)\"; "
    "read -r word && [ \"$word\" = copy ] || exit 1; "
    "( umask 077; mkdir -p \"$d\" && t=$(mktemp \"$d/copying.XXXXXX\") || fail folder; "
    "head -c @SIZE@ >\"$t\"; "
    "whole \"$t\" || { rm -f \"$t\"; fail damaged; }; "
    // Another launch may have been faster. Its copy stays where it is: over NFS a program that runs on
    // another node must not be replaced.
    "chmod 700 \"$t\"; ln \"$t\" \"$p\" 2>/dev/null || { [ -f \"$p\" ] && whole \"$p\"; } || "
    "mv -f \"$t\" \"$p\" || { rm -f \"$t\"; fail folder; }; rm -f \"$t\"; "
    "find \"$d\" -type f \\( -name 'rankdeckctl-*' -mtime +30 -o -name 'copying.*' -mtime +1 \\) "
    "-exec rm -f {} ';' "
    ") && run\n";

} // namespace

QByteArray findProgramScript(bool mayUseInstalled)
{
    QByteArray script;
    if (mayUseInstalled)
        script = "for p in \"$(command -v rankdeckctl)\" \"$1\"; do "
                 "[ -x \"$p\" ] && printf \"\\nrankdeck-runs %s\\n\" \"$p\" && exec \"$p\" agent --guarded; "
                 "done; ";
    return script + "printf \"\\nrankdeck-asks\\n\"; read -r script && eval \"$script\"";
}

QByteArray runProgramScript()
{
    return "printf \"\\nrankdeck-runs %s\\n\" \"$0\"; exec \"$0\" agent --guarded";
}

QByteArray rejoinScript()
{
    return "exec \"$0\" agent --rejoin \"$1\"";
}

QByteArray runCopyScript(const ProgramFile &program, const QString &version)
{
    QByteArray script = copyScript;
    script.replace("@NAME@", fileNameOf(program, version));
    script.replace("@HASH@", program.sha256);
    script.replace("@SIZE@", QByteArray::number(program.size));
    return script;
}

std::optional<NodeWord> NodeWord::fromLine(const QByteArray &line)
{
    using Kind = NodeWord::Kind;
    static const QByteArray magic = agentMagic;
    static const QByteArray magicWord = magic.left(magic.lastIndexOf(' ') + 1);
    static const std::array words{std::pair(Kind::Runs, QByteArray("rankdeck-runs ")),
                                  std::pair(Kind::Asks, QByteArray("rankdeck-asks")),
                                  std::pair(Kind::Needs, QByteArray("rankdeck-needs ")),
                                  std::pair(Kind::Fails, QByteArray("rankdeck-fails ")),
                                  std::pair(Kind::Protocol, magicWord)};
    const auto known = std::find_if(words.begin(), words.end(),
                                    [&](const auto &word) { return line.startsWith(word.second); });
    if (known == words.end())
        return std::nullopt;
    return NodeWord{known->first, QString::fromUtf8(line.mid(known->second.size()))};
}

} // namespace rankdeck

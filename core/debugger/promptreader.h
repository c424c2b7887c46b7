#pragma once

#include "run/record/rankprompt.h"

#include <memory>
#include <optional>

namespace re2
{
class RE2;
}

namespace rankdeck
{

/// The text on a terminal after the last part of a program's output: enough of a terminal to find prompts,
/// also those of programs that draw them with cursor movements, as IPython does. Lines do not wrap, every
/// code point takes one cell, and the earlier contents of the screen are not known.
struct ScreenTail {
    QList<QString> lines{QString()};
    int row = 0; ///< Index in `lines` of the cursor's row.
    int column = 0;

    /// Source of the sequences: ECMA-48 (CUU, CUD, CUF, CUB, CHA, ED, EL); all others are passed over, but a
    /// place on the whole screen (CUP) begins a new one.
    static ScreenTail of(QByteArrayView printed);
    /// The line with the cursor, when nothing stands below it; else empty.
    QString openLine() const;
};

/// Reads from a program's output whether it waits at a prompt, and where the program stands: the unfinished
/// last line is a prompt, with or without something typed after it. Known are (Pdb), (Pdb++), (ipdb), ipdb>,
/// In [1]: of IPython, (gdb), (lldb) and >>>. Keeps only the end of the output. Copies share the pattern.
///
/// Sources: Python's module pdb, "> file(line)function()"; gdb's manual, "Information About a Frame".
class PromptReader
{
public:
    /// @param pattern another prompt, searched for in the whole line; see promptPatternError(). Empty: none.
    explicit PromptReader(const QString &pattern = {});

    void take(QByteArrayView printed);
    std::optional<RankPrompt> prompt(); ///< Without `since`. Nothing: it waits at none.
    /// Whether it waits at a prompt and nothing is typed after it.
    bool isIdle() const;

private:
    QString wordIn(const QString &line) const;

    std::shared_ptr<const re2::RE2> m_pattern;
    QByteArray m_end;   ///< End of the output.
    RankPrompt m_place; ///< The last place that the debugger printed.
};

} // namespace rankdeck

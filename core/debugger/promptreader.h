#pragma once

#include "run/record/rankprompt.h"

#include <memory>
#include <optional>

namespace rankdeck
{

/// What the last part of a program's output leaves on a terminal, as plain text: enough of one to find
/// prompts, also those of programs that draw them with cursor movements, as IPython does. Lines do not wrap,
/// every code point takes one cell, and what was there before is not known.
struct ScreenTail {
    QList<QString> lines{QString()};
    int row = 0; ///< Of `lines`, where the cursor is …
    int column = 0;

    /// Source of the sequences: ECMA-48 (CUU, CUD, CUF, CUB, CHA, ED, EL); all others are passed over, but a
    /// place on the whole screen (CUP) begins a new one.
    static ScreenTail of(QByteArrayView printed);
    /// The line with the cursor, when nothing stands below it; else empty.
    QString openLine() const;
};

/// Tells from what a program prints on its terminal whether it waits at a prompt, and where the program
/// stands: the line that has not ended is a prompt, with or without something typed after it. Known are
/// (Pdb), (Pdb++), (ipdb), ipdb>, In [1]: of IPython, (gdb), (lldb) and >>>. Of all that is printed only the
/// end is kept, and looked at when asked. Copies share the pattern.
///
/// Sources of the forms: Python's module pdb, "> file(line)function()"; gdb's manual, "Information About a
/// Frame".
class PromptReader
{
public:
    /// @param pattern of another prompt, looked for in the whole line; see promptPatternError(). Empty: none.
    explicit PromptReader(const QString &pattern = {});

    void take(QByteArrayView printed);
    /// Without `since`. Nothing: it waits at none.
    std::optional<RankPrompt> prompt();
    /// Whether it waits at a prompt and nothing is typed after it.
    bool isIdle() const;

private:
    struct Pattern;

    QString wordIn(const QString &line) const;
    void findPlace(const QString &word, const QStringList &lines);

    std::shared_ptr<const Pattern> m_pattern;
    QByteArray m_end;   ///< Of what was printed.
    RankPrompt m_place; ///< Where it has last said that it stands.
};

} // namespace rankdeck

#pragma once

#include <QByteArrayView>
#include <QList>
#include <QString>

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

} // namespace rankdeck

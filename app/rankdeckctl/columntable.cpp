#include "columntable.h"

#include <algorithm>

namespace rankdeck
{

QStringList columnTable(const QList<TableColumn> &columns)
{
    QStringList lines;
    for (const TableColumn &column : columns) {
        if (column.texts.count(absentText) == column.texts.size())
            continue;
        qsizetype width = column.heading.size();
        for (const QString &text : column.texts)
            width = std::max(width, text.size());
        lines.resize(column.texts.size() + 1);
        for (qsizetype row = 0; row < lines.size(); ++row) {
            const QString &text = row == 0 ? column.heading : column.texts[row - 1];
            QString &line = lines[row];
            if (!line.isEmpty())
                line += QStringLiteral("  ");
            line += column.isNumber ? text.rightJustified(width) : text.leftJustified(width);
        }
    }
    for (QString &line : lines) {
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
    }
    return lines;
}

} // namespace rankdeck

#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// What stands in a table for what is not known.
inline const QString absentText = QStringLiteral("-");

/// A column of a table for a terminal, with a text for each row.
struct TableColumn {
    QString heading;
    bool isNumber = true; ///< Then it is set to the right.
    QStringList texts;
};

/// The heading, then the rows, with two blanks between columns; without the columns that have absentText
/// alone.
QStringList columnTable(const QList<TableColumn> &columns);

template <typename Number>
QString numberText(const std::optional<Number> &number)
{
    return number ? QString::number(*number) : absentText;
}

} // namespace rankdeck

#include "launch/spec/optionrows.h"

#include <algorithm>

namespace rankdeck
{

QString OptionRow::unit() const
{
    const char *text = ownUnit ? ownUnit : valueName() == "SECONDS"_L1 ? QT_TR_NOOP(" s") : nullptr;
    return text ? tr(text) : QString();
}

QString OptionRow::choices() const
{
    const QString words = ownChoices ? QString::fromUtf8(ownChoices) : valueName();
    return words.contains('|'_L1) && words == words.toLower() ? words : QString();
}

QString OptionRow::jsonKey() const
{
    if (member.key)
        return QString::fromLatin1(member.key);
    return name().mid(whenGiven() ? 2 : 5).replace('-'_L1, '_'_L1);
}

const OptionRow *optionRow(OptionRows rows, const QString &name)
{
    const auto found = std::ranges::find(rows, name, &OptionRow::name);
    return found == rows.end() ? nullptr : &*found;
}

bool haveFieldOf(OptionRows rows, const OptionRow &row)
{
    return row.member.field.index() > 0 && std::ranges::any_of(rows, [&](const OptionRow &each) {
               return each.member.field == row.member.field;
           });
}

QString idOf(const QString &option)
{
    QString id;
    bool startsWord = false;
    for (const QChar letter : option) {
        if (letter.isLetterOrNumber())
            id += startsWord && !id.isEmpty() ? letter.toUpper() : letter;
        startsWord = !letter.isLetterOrNumber();
    }
    return id;
}

std::optional<Error> outOfRange(const QString &option, int value, const OptionRange &range)
{
    if (value >= range.least && value <= range.most)
        return std::nullopt;
    const bool isOpen = range.most == OptionRange().most;
    return Error{tr("%1 is out of range").arg(value), option,
                 isOpen ? tr("Give %1 or more.").arg(range.least)
                        : tr("Give %1 to %2.").arg(range.least).arg(range.most)};
}

std::optional<Error> outOfRange(OptionRows rows, const LaunchSpec &spec)
{
    for (const OptionRow &row : rows) {
        const auto *number = std::get_if<SpecField<int>>(&row.member.field);
        if (const auto error =
                number ? outOfRange(row.name(), valueIn(spec, *number), row.range) : std::nullopt)
            return error;
    }
    return std::nullopt;
}

} // namespace rankdeck

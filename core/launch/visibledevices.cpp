#include "launch/visibledevices.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("visibleDevices", text);
}

Error wrong(const QString &what)
{
    return {what, QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"),
            tr("Write ids in ascending order with commas and no blanks, for example 0,1,2: the runtime "
               "drops the rest of the list without a word.")};
}

} // namespace

std::optional<Error> problemWithVisibleDevices(const QString &value, int npuCount)
{
    static const QRegularExpression number(QStringLiteral("^\\d{1,6}$"));
    if (value.isEmpty())
        return std::nullopt;
    int last = -1;
    for (const QString &entry : value.split(QLatin1Char(','))) {
        if (entry.trimmed() != entry)
            return wrong(tr("there is a blank in \"%1\"").arg(value));
        if (!number.match(entry).hasMatch())
            return wrong(tr("\"%1\" in \"%2\" is not a device's id").arg(entry, value));
        const int id = entry.toInt();
        if (npuCount > 0 && id >= npuCount)
            return wrong(
                tr("device %1 in \"%2\" is not there: this node has %3").arg(id).arg(value).arg(npuCount));
        if (id <= last)
            return wrong(tr("%1 follows %2 in \"%3\"").arg(id).arg(last).arg(value));
        last = id;
    }
    return std::nullopt;
}

} // namespace rankdeck

#include "logview/gapmarks.h"

#include "run/growthmarks.h"

#include <QCoreApplication>

namespace rankdeck
{

QList<LogMark> gapMarks(const QString &growthFolder, int process, bool isError)
{
    QList<LogMark> marks;
    for (const LogGap &gap : logGaps(growthFolder, process, isError)) {
        const QString time = gap.since.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
        const QString text =
            QCoreApplication::translate("GapMarks", "lines may be missing here: the disk was full at %1");
        marks.append({ByteOffset(gap.offset), text.arg(time), {}});
    }
    return marks;
}

} // namespace rankdeck

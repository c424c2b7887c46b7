#include "tablewarning.h"

#include "output.h"
#include "ranktable/findingtext.h"
#include "ranktable/ranktablecheck.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("tablewarning", text);
}

/// Errors that a warning spells out; the rest is counted.
constexpr int errorsShown = 5;

} // namespace

void warnAboutTable(const QString &path)
{
    const auto report = checkRankTableFile(path);
    if (!report || report->unusable)
        return;
    int shown = 0;
    for (const Finding &finding : report->findings) {
        if (finding.severity == Severity::Error && shown++ < errorsShown)
            say(tr("rankdeckctl: warning: %1").arg(findingLine(path, finding)));
    }
    if (shown > errorsShown)
        say(tr("rankdeckctl: warning: %1 more errors: rankdeckctl ranktable check %2")
                .arg(shown - errorsShown)
                .arg(visibleText(path)));
}

} // namespace rankdeck

#include "preflight/preflightwords.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace rankdeck
{

namespace
{

using Status = PreflightCheck::Status;

struct PreflightText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::PreflightPage)
};

} // namespace

Tone toneOf(Status status)
{
    switch (status) {
    case Status::Pass:
        return Tone::Good;
    case Status::Warn:
        return Tone::Caution;
    case Status::Fail:
        return Tone::Bad;
    case Status::Skipped:
        return Tone::Idle;
    }
    return Tone::Idle;
}

QString shownStatus(Status status)
{
    const QString word = preflightStatusName(status);
    switch (status) {
    case Status::Pass:
        return QStringLiteral("✓ ") + word;
    case Status::Warn:
        return QStringLiteral("! ") + word;
    case Status::Fail:
        return QStringLiteral("× ") + word;
    case Status::Skipped:
        return QStringLiteral("– ") + word;
    }
    return word;
}

int severityOrder(Status status)
{
    switch (status) {
    case Status::Fail:
        return 0;
    case Status::Warn:
        return 1;
    case Status::Skipped:
        return 2;
    case Status::Pass:
        return 3;
    }
    return 3;
}

bool isProblem(Status status)
{
    return status == Status::Fail || status == Status::Warn;
}

QString subjectOf(const PreflightCheck &check)
{
    if (check.subject.isEmpty())
        return check.name;
    return PreflightText::tr("%1, %2", "what was looked at, and on what").arg(check.name, check.subject);
}

QString checkText(const PreflightCheck &check)
{
    QString text = PreflightText::tr("%1: %2", "status; what was looked at")
                       .arg(shownStatus(check.status), subjectOf(check));
    for (const QString &part : {check.sentence, check.mend}) {
        if (!part.isEmpty())
            text += QLatin1Char('\n') + part;
    }
    return text;
}

QString reportText(const PreflightReport &report)
{
    QStringList lines{report.summary()};
    std::vector<PreflightCheck> checks = report.checks;
    std::stable_sort(
        checks.begin(), checks.end(), [](const PreflightCheck &one, const PreflightCheck &other) {
            return one.part != other.part ? one.part < other.part
                                          : severityOrder(one.status) < severityOrder(other.status);
        });
    std::optional<PreflightCheck::Part> part;
    for (const PreflightCheck &check : checks) {
        if (part != check.part)
            lines << QString() << preflightPartName(check.part);
        part = check.part;
        QString text = checkText(check);
        lines << QStringLiteral("  ") + text.replace(QLatin1Char('\n'), QLatin1String("\n    "));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace rankdeck

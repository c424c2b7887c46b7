#include "launch/progresspattern.h"

#include <re2/re2.h>

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("progressPattern", text);
}

} // namespace

QStringList progressPatternNames()
{
    return {QStringLiteral("epoch"),       QStringLiteral("epochs"),    QStringLiteral("step"),
            QStringLiteral("steps"),       QStringLiteral("loss"),      QStringLiteral("step_time_ms"),
            QStringLiteral("step_time_s"), QStringLiteral("throughput")};
}

std::string progressPatternText(const QString &pattern)
{
    std::string text = pattern.toStdString();
    for (std::size_t at = 0; (at = text.find("(?<", at)) != std::string::npos; at += 3) {
        const bool isEscaped = at > 0 && text[at - 1] == '\\';
        if (!isEscaped && at + 3 < text.size() && text[at + 3] != '=' && text[at + 3] != '!')
            text.insert(at + 2, "P");
    }
    return text;
}

std::optional<Error> progressPatternError(const QString &pattern)
{
    if (pattern.isEmpty())
        return {};
    const QString option = QStringLiteral("--progress-pattern");
    re2::RE2::Options options;
    options.set_log_errors(false);
    const re2::RE2 regex(progressPatternText(pattern), options);
    if (!regex.ok())
        return Error{
            tr("the pattern is no regular expression: %1").arg(QString::fromStdString(regex.error())), option,
            tr("See the syntax of RE2.")};
    const QStringList names = progressPatternNames();
    const QString mend =
        tr("Name groups as in \"step (?P<step>\\d+)\": %1.").arg(names.join(QStringLiteral(", ")));
    if (regex.NamedCapturingGroups().empty())
        return Error{tr("the pattern has no named group"), option, mend};
    for (const auto &[name, group] : regex.NamedCapturingGroups()) {
        if (!names.contains(QString::fromStdString(name)))
            return Error{tr("the pattern has a group \"%1\"").arg(QString::fromStdString(name)), option,
                         mend};
    }
    return {};
}

} // namespace rankdeck

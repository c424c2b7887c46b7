#include "launch/promptpattern.h"

#include <re2/re2.h>

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("promptPattern", text);
}

} // namespace

std::optional<Error> promptPatternError(const QString &pattern)
{
    if (pattern.isEmpty())
        return {};
    const QString option = QStringLiteral("--prompt-pattern");
    re2::RE2::Options options;
    options.set_log_errors(false);
    const re2::RE2 regex(pattern.toStdString(), options);
    if (!regex.ok())
        return Error{
            tr("the pattern is no regular expression: %1").arg(QString::fromStdString(regex.error())), option,
            tr("See the syntax of RE2.")};
    if (re2::RE2::PartialMatch("", regex))
        return Error{tr("the pattern matches an empty line"), option,
                     tr("Write what the prompt looks like, such as \"\\(mydbg\\) \".")};
    return {};
}

} // namespace rankdeck

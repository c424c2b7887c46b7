#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace rankdeck
{

/// One option of a launcher's command line, with both ways between its text and a spec.
struct LaunchOption {
    QString name;      ///< "--worker_num".
    QString valueName; ///< What --help calls its value; empty: a switch, which reads an empty text.
    QString help;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;
    /// Its values: one for each time that it is given; none: it is not given.
    std::function<QStringList(const LaunchSpec &)> write;
};

using LaunchOptions = std::vector<LaunchOption>;

// Options that are one field of the spec, which `field` reaches. `usage` is "--name VALUE", as --help shows
// it.

LaunchOption numberOption(const char *usage, int &(*field)(LaunchSpec &), const QString &help);
LaunchOption textOption(const char *usage, QString &(*field)(LaunchSpec &), const QString &help);
/// May be given several times.
LaunchOption listOption(const char *usage, QStringList &(*field)(LaunchSpec &), const QString &help);
/// Given, it makes the field `given`.
LaunchOption switchOption(const char *name, bool &(*field)(LaunchSpec &), bool given, const QString &help);

/// Error: the text is no whole number; it names `option`.
Result<int> readWholeNumber(const QString &text, const QString &option);

/// "NAME=VALUE" into `variables`; the error names `option`.
std::optional<Error> readVariable(QMap<QString, QString> &variables, const QString &text,
                                  const QString &option);
/// As readVariable() reads them, one text each.
QStringList writtenVariables(const QMap<QString, QString> &variables);

} // namespace rankdeck

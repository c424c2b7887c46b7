#pragma once

#include "base/tr.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// An option of the window's program, as its parser, its --help and completion read it.
struct WindowOption {
    QString name;  ///< "--open", or "-V, --version" with a short form.
    QString value; ///< What it takes: "PATH"; "[DEMO]" if that may be left out; empty: a switch.
    QString help;

    QStringList names() const { return name.split(QStringLiteral(", ")); }
};

/// The table of the window's options, in the order of --help.
QList<WindowOption> windowOptions();

/// Returns the option that has this name; null if there is none.
const WindowOption *findOption(const QList<WindowOption> &options, const QString &name);

} // namespace rankdeck

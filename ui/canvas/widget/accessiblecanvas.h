#pragma once

#include "base/tr.h"

#include <QAccessibleWidget>

namespace rankdeck
{

/// Has screen readers read each canvas of class T through an `Interface`, which is made when one asks. To be
/// called once or more, before the first canvas of this class is shown.
template <typename T, typename Interface>
void installAccessible()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory([](const QString &, QObject *object) -> QAccessibleInterface * {
            T *const canvas = qobject_cast<T *>(object);
            return canvas ? new Interface(canvas) : nullptr;
        });
        return true;
    }();
    Q_UNUSED(isInstalled);
}

} // namespace rankdeck

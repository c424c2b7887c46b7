#pragma once

#include "base/tr.h"

#include <QDialog>

namespace rankdeck
{

/// All actions of a window that have a shortcut, by menu, with a filter.
class ShortcutsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ShortcutsDialog(QWidget *window);
};

} // namespace rankdeck

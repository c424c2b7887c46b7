#pragma once

#include "base/tr.h"

#include <QString>

class QWidget;

namespace rankdeck
{

/// Shows a problem in a box over `parent`, without waiting for it. Plain text.
void showProblem(QWidget *parent, const QString &title, const QString &sentence);

} // namespace rankdeck

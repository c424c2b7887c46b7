#pragma once

#include <QString>

class QWidget;

namespace rankdeck
{

/// Tell in a box over `parent` what did not work, without waiting for it. Plain text.
void showProblem(QWidget *parent, const QString &title, const QString &sentence);

} // namespace rankdeck

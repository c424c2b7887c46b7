#pragma once

class QWidget;

namespace rankdeck
{

/// Say over `parent` what this program is.
void showAbout(QWidget *parent);

} // namespace rankdeck

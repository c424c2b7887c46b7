#pragma once

#include "widgets/widgetparts.h"

class QAction;

namespace rankdeck
{

/// Says in one sentence what is to be seen in a demo. The user can turn such captions off, for all demos.
class CaptionLine : public QFrame
{
    Q_OBJECT

public:
    explicit CaptionLine(QWidget *parent = nullptr);

    /// Empty hides the line.
    void setCaption(const QString &caption);
    /// Turns captions on and off; kept for the next window.
    QAction *action() const { return m_action; }

private:
    void showText();

    QLabel *m_text;
    QAction *m_action;
};

} // namespace rankdeck

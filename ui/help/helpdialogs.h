#pragma once

#include "background/inbackground.h"

#include <QMessageBox>

class QLineEdit;
class QPlainTextEdit;

namespace rankdeck
{

/// All actions of a window that have a shortcut, by menu, with a filter.
class ShortcutsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ShortcutsDialog(QWidget *window);
};

/// Explains an error code or a line of a log, with advice.
class ExplainDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ExplainDialog(QWidget *parent = nullptr);

private:
    QLineEdit *m_asked;
    QPlainTextEdit *m_answer;
    NewestWins<QString> m_search;
};

/// Describes Rankdeck. Copy includes the facts that a report of a bug needs: version, system, display.
class AboutBox : public QMessageBox
{
    Q_OBJECT

public:
    explicit AboutBox(QWidget *parent = nullptr);
};

} // namespace rankdeck

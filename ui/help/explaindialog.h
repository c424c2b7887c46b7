#pragma once

#include "background/inbackground.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;

namespace rankdeck
{

/// Says what an error code, or a line of a log, means, and what to do.
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

} // namespace rankdeck

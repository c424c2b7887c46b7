#pragma once

#include "diagnosis/failureexplanation.h"

#include <QFrame>

class QLabel;

namespace rankdeck
{

/// What is known of an error: its title with the catalogue's id, what it means, what to do, and the commands,
/// which can be selected with mouse or keyboard. Hidden while there is nothing to say.
class ExplanationBox : public QFrame
{
    Q_OBJECT

public:
    explicit ExplanationBox(QWidget *parent = nullptr);

    void setExplanation(const FailureExplanation &explanation);

private:
    QLabel *m_title;
    QLabel *m_meaning;
    QLabel *m_mend;
    QLabel *m_commands;
    QLabel *m_problem;
};

} // namespace rankdeck

#pragma once

#include "run/record/runstate.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

class ElidedLabel;

/// The line in a run's header that reports ranks which are stalled, held, or wait in a debugger: which, since
/// when, and what can be done. Continue hides it until there is something else to report.
class StallNotice : public QWidget
{
    Q_OBJECT

public:
    explicit StallNotice(QWidget *parent = nullptr);

    void setState(const RunState &state);

Q_SIGNALS:
    void dumpWanted();
    void stopWanted();

private:
    ElidedLabel *m_text;
    QPushButton *m_dump;
    QPushButton *m_goOn;
    QPushButton *m_stop;
    QString m_directory;
    QString m_sentence;
    QString m_putAway; ///< The sentence that the user has put away.
};

} // namespace rankdeck

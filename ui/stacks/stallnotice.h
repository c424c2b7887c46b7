#pragma once

#include "run/runstate.h"

#include <QString>
#include <QWidget>

class QPushButton;

namespace rankdeck
{

class ElidedLabel;

/// The line of a run's header that is there while ranks are stalled, wait in the debugger or are held: which,
/// since when, and what can be done. Put away it comes back when there is something else to say.
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
    void putAway();

    ElidedLabel *m_text;
    QPushButton *m_dump;
    QPushButton *m_goOn;
    QPushButton *m_stop;
    QString m_directory;
    QString m_sentence;
    QString m_putAway; ///< The sentence that the user has read.
};

} // namespace rankdeck

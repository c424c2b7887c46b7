#pragma once

#include "run/runevent.h"
#include "run/runstate.h"
#include "run/signalrequest.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// What a supervisor makes of a request for a signal.
struct SignalOrder {
    QList<int> asked;         ///< Whose agents are to send it; these answer with events SignalSent.
    QList<RunEvent> refusals; ///< The answers for those that do not run, or are not reached.
    QString note;             ///< For the journal; empty: there is nobody to send it to.
};

SignalOrder signalOrder(const SignalRequest &request, const RunState &state);

/// An event SignalSent that says why it was not.
RunEvent signalRefusal(int process, int number, const QString &why);

} // namespace rankdeck

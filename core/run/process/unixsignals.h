#pragma once

#include "base/tr.h"

#include <QSocketNotifier>

#include <memory>

namespace rankdeck
{

/// Turns Unix signals into Qt signals; SIGCHLD of stopped children too. One per process; its handlers stay.
class UnixSignals : public QObject
{
    Q_OBJECT

public:
    explicit UnixSignals(const QList<int> &signalNumbers);

Q_SIGNALS:
    void received(int signalNumber);

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

/// Returns the number of a signal that can be handled, by its name, "SIGUSR1" or "USR1"; 0 for other text.
int signalNumber(const QString &name);
/// Returns true if the process ignores the signal, as nohup has it ignore SIGHUP.
bool isIgnored(int number);

/// Gives SIGHUP, SIGINT, SIGQUIT and SIGTERM their default action back where a library handles them. Debian
/// 13's libgloo brings such libraries, and a lost terminal would not end the program. Call first in main().
void dropForeignHandlers();

} // namespace rankdeck

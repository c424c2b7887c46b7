#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <initializer_list>
#include <memory>

namespace rankdeck
{

/// Turns Unix signals into Qt signals; SIGCHLD comes for stopped children too. One object a process; the
/// handlers stay for the process's life.
class UnixSignals : public QObject
{
    Q_OBJECT

public:
    explicit UnixSignals(std::initializer_list<int> signalNumbers, QObject *parent = nullptr);

Q_SIGNALS:
    void received(int signalNumber);

private:
    void deliver();

    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace rankdeck

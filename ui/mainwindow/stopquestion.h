#pragma once

#include "run/runstate.h"

#include <QMessageBox>

namespace rankdeck
{

/// Asked before processes are stopped or killed; Cancel is the default.
class StopQuestion : public QMessageBox
{
    Q_OBJECT

public:
    enum class How { Stop, Kill };

    /// Of a whole run.
    StopQuestion(const RunState &run, How how, QWidget *parent);
    /// Of a part of it.
    /// @param part such as "rank 3", "3 ranks", "node 10.0.0.1".
    /// @param processes how many that is.
    StopQuestion(const RunState &run, const QString &part, int processes, How how, QWidget *parent);

Q_SIGNALS:
    /// The user said yes.
    void confirmed();

private:
    void ask(const QString &title, const QString &question, const QString &consequences, How how);
};

/// How many ranks, and whether they run or only some of them do: "All 8 ranks are running."
QString runningRanks(const RunState &run);

} // namespace rankdeck

#pragma once

#include "run/rundeletion.h"

#include <QList>
#include <QMessageBox>

class QCheckBox;

namespace rankdeck
{

/// Asked before runs are deleted; says what goes. Logs outside the run directories go only when chosen.
class DeleteQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// @param runs at least one.
    /// @param refused why others that were chosen stay, a sentence each.
    DeleteQuestion(const QList<RunFiles> &runs, const QStringList &refused, QWidget *parent = nullptr);

Q_SIGNALS:
    void confirmed(bool withOutsideLogs);

private:
    QCheckBox *m_outside;
};

} // namespace rankdeck

#pragma once

#include "ranktable/rules/ranktablecheck.h"

#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace rankdeck
{

/// The line under a rank table field: the result of the table's check, and a button that shows the table.
class TableCheckLine : public QWidget
{
    Q_OBJECT

public:
    TableCheckLine();

    /// Shows the result of a check; hides the line without one.
    void setCheck(const std::optional<TableCheck> &check);
    QString text() const { return m_text->text(); }
    QWidget *button() const { return m_show; }

Q_SIGNALS:
    void showRequested();

private:
    void refresh();

    QLabel *m_sign;
    QLabel *m_text;
    QPushButton *m_show;
    std::optional<TableCheck> m_check;
};

} // namespace rankdeck

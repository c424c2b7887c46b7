#pragma once

#include "ranktable/tablecheck.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace rankdeck
{

/// The line under a rank table field: what a check of the table found, and a button that shows it.
class TableCheckLine : public QWidget
{
    Q_OBJECT

public:
    explicit TableCheckLine(QWidget *parent = nullptr);

    /// Nothing: there is no table to check.
    void setCheck(const std::optional<TableCheck> &check);
    QString text() const;
    QWidget *button() const;

Q_SIGNALS:
    void showWanted();

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();

    QLabel *m_sign;
    QLabel *m_text;
    QPushButton *m_show;
    std::optional<TableCheck> m_check;
};

} // namespace rankdeck

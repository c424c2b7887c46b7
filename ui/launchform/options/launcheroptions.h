#pragma once

#include "launchform/fields/optiongroup.h"

namespace rankdeck
{

struct Launcher;

// Each function adds fields to the launch form, made from the rows of their options.

/// Adds the fields of a launcher.
void addLauncherOptions(OptionGroup &options, const Launcher &launcher);
/// Adds the choice of nodes, and how they are reached.
void addNodeOptions(OptionGroup &options);
/// Adds the other options of every launcher.
/// @param shown the fields of the launcher, which have some of them.
void addRareOptions(OptionGroup &options, const OptionGroup &shown);

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

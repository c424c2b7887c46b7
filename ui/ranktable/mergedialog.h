#pragma once

#include "ranktable/tabledialog.h"

class QListWidget;
class QPushButton;
class QRadioButton;

namespace rankdeck
{

/// One rank table from several.
class MergeDialog : public TableDialog
{
    Q_OBJECT

public:
    MergeDialog(const QString &path, SharedTable table, QWidget *parent);

    /// More tables, below those that are there.
    void addFiles(const QStringList &files);
    QStringList files() const;

protected:
    Maker maker() const override;

private:
    QLayout *makeFileButtons();
    QLayout *makeOrder();
    void browse();
    void move(int by);
    void removeCurrent();
    void enableButtons();

    SharedTable m_table;
    QListWidget *m_list;
    QPushButton *m_add;
    QPushButton *m_up;
    QPushButton *m_down;
    QPushButton *m_remove;
    QRadioButton *m_byServer;
    QRadioButton *m_asGiven;
};

} // namespace rankdeck

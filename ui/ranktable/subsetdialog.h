#pragma once

#include "ranktable/tabledialog.h"

class QLineEdit;
class QListWidget;

namespace rankdeck
{

/// Some devices of some servers of a rank table.
class SubsetDialog : public TableDialog
{
    Q_OBJECT

public:
    SubsetDialog(const QString &path, SharedTable table, QWidget *parent);

protected:
    Maker maker() const override;

private:
    QWidget *makeServers();
    void checkAll(bool checked);
    QStringList chosenServers() const;

    SharedTable m_table;
    QLineEdit *m_devices;
    QListWidget *m_servers;
    bool m_filling = false;
};

} // namespace rankdeck

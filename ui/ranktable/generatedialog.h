#pragma once

#include "ranktable/tabledialog.h"

class QCheckBox;
class QLineEdit;

namespace rankdeck
{

/// A rank table of this host, or of addresses that are given.
class GenerateDialog : public TableDialog
{
    Q_OBJECT

public:
    /// @param path of the table that is open, beside which a new one is saved; empty for none.
    GenerateDialog(const QString &path, QWidget *parent);

protected:
    Maker maker() const override;

private:
    QLineEdit *m_devices;
    QLineEdit *m_server;
    QLineEdit *m_ips;
    QCheckBox *m_hostNic;
};

} // namespace rankdeck

#pragma once

#include "ranktable/ranktableconversion.h"
#include "ranktable/tabledialog.h"

class QComboBox;

namespace rankdeck
{

class ValuesModel;

/// A rank table in another form.
class ConvertDialog : public TableDialog
{
    Q_OBJECT

public:
    ConvertDialog(const QString &path, SharedTable table, QWidget *parent);

protected:
    Maker maker() const override;

private:
    QWidget *makeSuperPodInputs();
    void fillSuperPods();
    SuperPodIds superPodIds() const;
    bool isToSuperPods() const;

    SharedTable m_table;
    QComboBox *m_target;
    ValuesModel *m_superPods;    ///< A row a server.
    ValuesModel *m_superDevices; ///< A row a device.
    QWidget *m_superPodsView = nullptr;
    QWidget *m_superDevicesView = nullptr;
};

} // namespace rankdeck

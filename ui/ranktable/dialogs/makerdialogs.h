#pragma once

#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/dialogs/tabledialog.h"

class QListWidget;
class QRadioButton;

namespace rankdeck
{

class ValuesModel;

/// Converts a rank table to another form.
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
    bool isToSuperPods() const { return m_target->currentIndex() == 1; }

    SharedTable m_table;
    QComboBox *m_target;
    ValuesModel *m_superPods;    ///< One row per server.
    ValuesModel *m_superDevices; ///< One row per device.
    QWidget *m_superPodsView = nullptr;
    QWidget *m_superDevicesView = nullptr;
};

/// Makes a rank table of this host, or of given addresses.
class GenerateDialog : public TableDialog
{
    Q_OBJECT

public:
    GenerateDialog(const QString &path, QWidget *parent);

protected:
    Maker maker() const override;

private:
    QLineEdit *m_devices;
    QLineEdit *m_server;
    QLineEdit *m_ips;
    QCheckBox *m_hostNic;
};

/// Merges several rank tables into one.
class MergeDialog : public TableDialog
{
    Q_OBJECT

public:
    MergeDialog(const QString &path, SharedTable table, QWidget *parent);

    /// Adds tables at the end of the list.
    void addFiles(const QStringList &files);
    QStringList files() const;

protected:
    Maker maker() const override;

private:
    QLayout *makeFileButtons();
    QLayout *makeOrder();
    void browse();
    void move(int by);
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

/// Makes a rank table from some servers and devices of another table.
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
};

} // namespace rankdeck

#pragma once

#include "devicedetails/devicetable.h"
#include "run/samples/nodehistory.h"

#include <memory>

class QTabWidget;
class QTreeWidget;

namespace rankdeck
{

/// The processes on the NPU of one rank: their owners, and the memory of the NPU that they use.
class DeviceProcesses : public QWidget
{
    Q_OBJECT

public:
    explicit DeviceProcesses(QWidget *parent = nullptr);

    /// @param process by index in the plan. @param sample null: not known. @param oldSince valid: the NPU has
    /// not been read since then, though it should have been.
    void setProcess(const LaunchPlan &plan, int process, const RunSamples::Sample *sample,
                    const QDateTime &oldSince);
    void clear();

private:
    struct Shown {
        int process = -1;
        QList<DeviceUser> users;
        QList<quint32> codes;
        QDateTime oldSince;              ///< Valid: the current state is unknown.
        bool isInvented = false;         ///< See DeviceSample.
        std::optional<qsizetype> untold; ///< See RunSamples::Sample.

        bool operator==(const Shown &) const = default;
    };

    void fill(const LaunchPlan &plan);

    QLabel *m_title;
    QTreeWidget *m_list;
    QLabel *m_note;
    Shown m_shown;
};

class DevicePlot;

/// NPUs and process trees of the chosen ranks: the current samples in a table, the processes on the NPU of
/// its current rank, and curves over the time of the run.
class DeviceDetails : public QWidget
{
    Q_OBJECT

public:
    explicit DeviceDetails(QWidget *parent = nullptr);

    DeviceTable *table() const { return m_table; }
    DevicePlot *plot() const { return m_plot; }
    /// Shows these, by index in the plan. @param runDirectory where their history is.
    void setProcesses(const QString &runDirectory, std::shared_ptr<const LaunchPlan> plan,
                      const QList<int> &processes);
    /// Sets the current samples, also of ranks that are not shown: their age counts from here. @param now
    /// UTC.
    void setSamples(const RunSamples &samples, const QDateTime &now);
    void setCurves(const SampleCurves &curves);
    /// Sets whether more samples may come.
    void setLive(bool isLive)
    {
        m_isLive = isLive;
        showWhy();
    }
    void clear();
    /// Returns the current process of the table; -1 if none.
    int currentProcess() const { return m_table->currentProcess(); }

    /// Writes the shown values to a file, whole or not at all; errors are shown in a box.
    void saveCsv(const QString &path);

Q_SIGNALS:
    void currentProcessChanged(int process);

private:
    QWidget *makeBar();
    void showCurrent();
    void showWhy();
    void offerQuantities();

    QLineEdit *m_filter;
    QLabel *m_count;
    QComboBox *m_quantity;
    QPushButton *m_csv;
    QPushButton *m_picture;
    QTabWidget *m_tabs; ///< Each of the two needs the whole room.
    QWidget *m_now;     ///< Table and processes.
    DeviceTable *m_table;
    DeviceProcesses *m_processes;
    DevicePlot *m_plot;

    QString m_directory;
    std::shared_ptr<const LaunchPlan> m_plan; ///< Null: nothing is shown.
    QList<int> m_shown;
    RunSamples m_samples;
    SampleAges m_ages;
    QDateTime m_sampledAt; ///< Time of m_samples.
    bool m_isLive = false;
};

} // namespace rankdeck

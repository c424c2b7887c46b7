#pragma once

#include "launch/launchplan.h"
#include "run/samples/runsamples.h"
#include "run/samples/sampleage.h"
#include "run/samples/samplecurves.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace rankdeck
{

class DevicePlot;
class DeviceProcesses;
class DeviceTable;

/// NPUs and process trees of the ranks that are chosen: what they are like now, in a table; the processes on
/// the NPU of its current rank; and what they were like over the time of the run, as curves.
class DeviceDetails : public QWidget
{
    Q_OBJECT

public:
    explicit DeviceDetails(QWidget *parent = nullptr);

    DeviceTable *table() const { return m_table; }
    DevicePlot *plot() const { return m_plot; }
    /// Show these, by index in the plan. @param runDirectory where their history is.
    void setProcesses(const QString &runDirectory, std::shared_ptr<const LaunchPlan> plan,
                      const QList<int> &processes);
    /// What is known of them now. Told of all that comes, also of ranks that are not shown: how old it is
    /// goes by when it came. @param now UTC.
    void setSamples(const RunSamples &samples, const QDateTime &now);
    void setCurves(const SampleCurves &curves);
    /// Whether more may come.
    void setLive(bool isLive);
    void clear();
    /// The table's; -1: none.
    int currentProcess() const;

    /// Write what is shown, whole or not at all; errors are told in a box.
    void saveCsv(const QString &path);
    void savePicture(const QString &path);

Q_SIGNALS:
    void currentProcessChanged(int process);

private:
    QWidget *makeBar();
    QWidget *makeParts();
    void showCurrent();
    void showWhy();
    void offerQuantities();

    QLineEdit *m_filter;
    QLabel *m_count;
    QComboBox *m_quantity;
    QPushButton *m_csv;
    QPushButton *m_picture;
    QWidget *m_now; ///< Table and processes.
    DeviceTable *m_table;
    DeviceProcesses *m_processes;
    DevicePlot *m_plot;

    QString m_directory;
    std::shared_ptr<const LaunchPlan> m_plan; ///< Null: nothing is shown.
    QList<int> m_shown;
    RunSamples m_samples;
    SampleAges m_ages;
    QDateTime m_sampledAt; ///< When that was known.
    bool m_isLive = false;
};

} // namespace rankdeck

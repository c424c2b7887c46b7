#pragma once

#include "launch/launchplan.h"
#include "run/samples/runsamples.h"

#include <QDateTime>
#include <QWidget>

#include <optional>

class QLabel;
class QTreeWidget;

namespace rankdeck
{

/// The processes on the NPU of one rank: whose they are, what they take of its memory.
class DeviceProcesses : public QWidget
{
    Q_OBJECT

public:
    explicit DeviceProcesses(QWidget *parent = nullptr);

    /// @param process by index in the plan. @param sample null: nothing is known of it. @param oldSince
    /// valid: the NPU has not been read since then, though it should have.
    void setProcess(const LaunchPlan &plan, int process, const RunSamples::Sample *sample,
                    const QDateTime &oldSince);
    void clear();

private:
    struct Shown {
        int process = -1;
        QList<DeviceUser> users;
        QList<quint32> codes;
        QDateTime oldSince;              ///< Valid: of now nothing is known.
        std::optional<qsizetype> untold; ///< See RunSamples::Sample.

        bool operator==(const Shown &) const = default;
    };

    void fill(const LaunchPlan &plan);

    QLabel *m_title;
    QTreeWidget *m_list;
    QLabel *m_note;
    Shown m_shown;
};

} // namespace rankdeck

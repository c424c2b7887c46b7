#pragma once

#include "base/valueseries.h"
#include "device/history/devicehistory.h"
#include "launch/plan/processplan.h"

#include <QHash>

#include <array>
#include <memory>

namespace rankdeck
{

struct LaunchPlan;

// Where the samples of a run are kept, in its directory: samples/devices-N, a DeviceHistory, and
// samples/processes-N, a LoadHistory, N being the place of the node in sampledNodes().

/// Returns the nodes of a plan in the order in which its processes first name them.
QStringList sampledNodes(const LaunchPlan &plan);

QString samplesFolder(const QString &runDirectory);
QString deviceHistoryPath(const QString &runDirectory, qsizetype node);
QString loadHistoryPath(const QString &runDirectory, qsizetype node);

/// A quantity of a process that is plotted over a run's time: values of its NPU, and of its process tree.
enum class SampleQuantity {
    AiCore,      ///< Percent.
    Npu,         ///< Percent: the chip as a whole, if its AI cores are unknown (a 950).
    Hbm,         ///< GB of 2^30 bytes.
    Ddr,         ///< GB of 2^30 bytes, if there is no HBM (a 310).
    Temperature, ///< °C
    Power,       ///< W
    Clock,       ///< MHz, of the AI cores.
    Cpu,         ///< Percent of one core.
    Resident,    ///< GB of 2^30 bytes.
    Read,        ///< MB of 2^20 bytes a second.
    Written,     ///< MB of 2^20 bytes a second.
};
inline constexpr std::size_t sampleQuantities = 11;

constexpr bool isOfDevice(SampleQuantity quantity)
{
    return quantity < SampleQuantity::Cpu;
}

/// Returns the quantity with its unit: "HBM (GB)".
QString quantityTitle(SampleQuantity quantity);

/// Quantities of some processes of a plan over time, in ms since 1970.
struct SampleCurves {
    struct Curve {
        int process = 0; ///< By index in LaunchPlan::processes.
        std::array<ValueSeries, sampleQuantities> values;

        const ValueSeries &of(SampleQuantity quantity) const
        {
            return values[static_cast<std::size_t>(quantity)];
        }
        bool operator==(const Curve &) const = default;
    };
    QList<Curve> curves;      ///< In the order in which they were asked for.
    qint64 gap = 0;           ///< Longer pauses between values, in ms, are gaps: nothing was sampled.
    bool areInvented = false; ///< The NPUs are a demo's invention; see DeviceSample::isInvented.

    /// Returns quantityTitle(), which says if the quantity is a demo's invention.
    QString title(SampleQuantity quantity) const;
    SampleCurves until(qint64 ms) const; ///< Returns the curves up to a time, in ms since 1970.
};

/// Reads a history's file piece by piece as it grows, a replaced file from its beginning. Each piece is a
/// history text: it begins with the heading, the subjects and the last moment of the piece before. Blocks.
class HistoryTail
{
public:
    static constexpr qint64 pieceBytes = 256 * 1024;

    explicit HistoryTail(QString path)
        : m_path(std::move(path))
    {
    }

    struct Piece {
        QByteArray text;
        bool isAnew = false;       ///< The piece replaces all earlier ones.
        bool repeatsFirst = false; ///< Its first moment is the last one of the piece before.
    };
    /// Returns new text, at most pieceBytes; nothing: no more for now, or there is no such file.
    std::optional<Piece> readOn();

private:
    void begin(quint64 file);
    void keepLast(const QByteArray &lines);
    QByteArray withoutRepeats(const QByteArray &moment) const;

    QString m_path;
    quint64 m_file = 0; ///< Its inode.
    qint64 m_offset = 0;
    QByteArray m_rest;     ///< The beginning of a line that has no end yet.
    QByteArray m_heading;  ///< A line with its end, as are the next two.
    QByteArray m_subjects; ///< The last ones.
    QByteArray m_last;     ///< The last moment, with all of its values.
};

/// Returns the chip that a process worked with, among a history's set of chips: the recorded one; if nothing
/// was recorded, the planned one, by its logical id, or by its position if the ids are unknown; else nothing.
std::optional<qsizetype> chipOf(int process, const ProcessPlan &plan, const DeviceHistory &history,
                                qsizetype chips);

/// Reads the history of a node as it grows, for some of its processes. Blocks for a read.
class NodeHistory
{
public:
    struct Value {
        int process = 0; ///< By index in LaunchPlan::processes.
        qint64 time = 0; ///< ms since 1970.
        SampleQuantity quantity = SampleQuantity::AiCore;
        double value = 0;
    };
    struct Piece {
        QList<Value> values;
        bool isOfDevices = false; ///< True for the quantities with isOfDevice(); false for the others.
        bool isAnew = false;      ///< The values replace all earlier ones of these quantities.
    };

    /// @param node its place in sampledNodes(). @param processes whose values are read.
    NodeHistory(const QString &runDirectory, int node, const LaunchPlan &plan, const QList<int> &processes);

    std::optional<Piece> readOn(); ///< Returns new values; nothing: no more for now.
    /// Returns the usual distance between moments, roughly, in ms; 0: there are too few.
    qint64 usualDistance() const;
    QList<int> processes() const { return m_processes.keys(); }
    /// Returns true if NPUs that were read are a demo's invention.
    bool areInvented() const { return m_areInvented; }

private:
    QList<Value> deviceValues(const HistoryTail::Piece &piece);
    QList<Value> loadValues(const HistoryTail::Piece &piece);
    void count(qint64 time, qint64 &last);

    QMap<int, ProcessPlan> m_processes;
    HistoryTail m_devices;
    HistoryTail m_loads;
    qint64 m_lastOfDevices = -1; ///< Time of the last moment; -1: there was none.
    qint64 m_lastOfLoads = -1;
    bool m_areInvented = false;
    std::array<int, 64> m_distances{}; ///< Number of distances from 2^index ms to below twice that.
};

using NodeHistories = std::vector<std::unique_ptr<NodeHistory>>;

/// Returns the histories of the nodes of these processes, by indexes of the plan.
NodeHistories nodeHistories(const QString &runDirectory, const LaunchPlan &plan, const QList<int> &processes);

/// Reads the curves of some processes from a run's history of samples, as it grows. Blocks for a read.
class SampleCurveReader
{
public:
    SampleCurveReader() = default;
    /// @param runDirectory of a run, live or not, or of an opened bundle.
    SampleCurveReader(const QString &runDirectory, const LaunchPlan &plan, const QList<int> &processes);

    /// Reads a piece of each node's history. Returns false if there was nothing new.
    bool readOn();
    SampleCurves curves() const;

private:
    void take(const NodeHistory &history, const NodeHistory::Piece &piece);

    QList<int> m_processes;
    NodeHistories m_histories;
    QHash<int, SampleCurves::Curve> m_curves; ///< By process.
};

} // namespace rankdeck

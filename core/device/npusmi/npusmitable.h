#pragma once

#include "device/npusmi/npusmireport.h"

#include <QByteArrayView>
#include <QList>

namespace rankdeck::npusmi
{

/// Reads the tables of `npu-smi info`, row by row. A chip has two rows: its NPU's, then its own.
class NpuSmiTable
{
public:
    explicit NpuSmiTable(NpuSmiReport &report)
        : m_report(report)
    {
    }

    /// A line that begins with "|".
    void addRow(QByteArrayView line);
    /// After the last row: a chip that a process table does not name has no processes.
    void finish();

private:
    void readHeading(const QList<QByteArray> &fields);
    void readNpu(const QList<QByteArray> &fields);
    void readChip(const QList<QByteArray> &fields);
    void readProcess(const QList<QByteArray> &fields);

    /// What the fields of a process row are, by the words above them.
    struct ProcessFields {
        qsizetype count = 0; ///< 0: no process table has begun.
        qsizetype memory = -1;
        qsizetype containerPid = -1;
    };

    NpuSmiReport &m_report;
    DeviceSample m_npu; ///< From an NPU's row, until its chip's comes.
    bool m_isChipNext = false;
    bool m_hasPhysicalIds = false;
    bool m_hasNpuRate = false;
    bool m_hadProcesses = false;
    ProcessFields m_process;
};

} // namespace rankdeck::npusmi

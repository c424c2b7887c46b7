#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

namespace rankdeck
{

/// A shell script that stands in for npu-smi. It notes each call in a file, one line of its arguments each,
/// and then does what it was told for it.
class NpuSmiStandIn
{
public:
    /// What `info -m` prints of two cards of a chip each.
    static QByteArray map()
    {
        return "\tNPU ID                         Chip ID                        Chip Logic ID                "
               "  "
               "Chip Name\n"
               "\t4                              0                              0                            "
               "  "
               "Ascend 910B3\n"
               "\t4                              1                              -                            "
               "  "
               "Mcu\n"
               "\t5                              0                              1                            "
               "  "
               "Ascend 910B3\n";
    }

    /// Of a process on the first one that lives everywhere and is none of a run's.
    static QByteArray stranger() { return "| 4       0   | 1     | python   | 300  |\n"; }

    /// What `info` prints of them; the first one's cores are this busy.
    static QByteArray table(int busy,
                            const QByteArray &process = "| 4       0   | 4711  | python   | 300  |\n")
    {
        return "| npu-smi 25.5.1         Version: 25.5.1      |\n"
               "| NPU   Name  | Health  | Power(W)    Temp(C)           Hugepages-Usage(page)|\n"
               "| Chip        | Bus-Id  | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |\n"
               "| 4     910B3 | OK      | 99.4        34                0    / 0             |\n"
               "| 0           | 0000:C1:00.0  | " +
               QByteArray::number(busy) +
               "   0    / 0          59189/ 65536         |\n"
               "| 5     910B3 | Alarm   | 91.1        32                0    / 0             |\n"
               "| 0           | 0000:C2:00.0  | 0           0    / 0          3000 / 65536         |\n"
               "| NPU     Chip  | Process id    | Process name      | Process memory(MB)      |\n" +
               process;
    }

    /// What `info -t ecc` prints of a card with a chip whose HBM had so many double bit errors.
    static QByteArray bitErrors(int hbmDouble)
    {
        return "\tNPU ID                         : 4\n\tChip Count                     : 1\n\n"
               "\tDDR Single Bit Error Count     : NA\n\tDDR Double Bit Error Count     : NA\n"
               "\tHBM Single Bit Error Count     : 12\n\tHBM Double Bit Error Count     : " +
               QByteArray::number(hbmDouble) +
               "\n\tHBM Double Bit Isolated Pages Count : 70\n\tChip ID                        : 0\n";
    }

    /// `script` is run after the call was noted; "$*" are its arguments, "$calls" is how many there were.
    void install(const QByteArray &script)
    {
        QFile file(path());
        file.remove(); // One that runs may not be written to.
        const QByteArray text = "#!/bin/sh\necho \"$LC_ALL $*\" >>'" + log().toLocal8Bit() +
                                "'\ncalls=$(wc -l <'" + log().toLocal8Bit() + "')\n" + script + '\n';
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            qFatal("the stand-in for npu-smi cannot be written");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    /// Prints these for `info -m`, for `info`, and for everything else.
    void replay(const QByteArray &map, const QByteArray &table, const QByteArray &other = "none\n")
    {
        install("case \"$*\" in 'info -m') cat '" + write("map", map) + "' ;; info) cat '" +
                write("table", table) + "' ;; *) cat '" + write("other", other) + "' ;; esac");
    }

    /// A file beside the script with this text; its path.
    QByteArray write(const char *name, const QByteArray &text) const
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            qFatal("what the stand-in for npu-smi prints cannot be written");
        return file.fileName().toLocal8Bit();
    }

    QByteArray read(const char *name) const
    {
        QFile file(m_folder.filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QString folder() const { return m_folder.path(); }
    QString path() const { return m_folder.filePath(u"npu-smi"_s); }
    /// "C info -m", "C info" …
    QList<QByteArray> calls() const
    {
        QList<QByteArray> lines = read("calls").split('\n');
        lines.removeLast();
        return lines;
    }

private:
    QString log() const { return m_folder.filePath(u"calls"_s); }

    QTemporaryDir m_folder;
};

} // namespace rankdeck

#include "diagnosis/stall/stackgroups.h"

#include "base/regularfile.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

constexpr qint64 mostBytes = 1 << 20;

/// Returns true for a heading, Rankdeck's own or that of the tool after it.
static bool isHeading(const QString &line)
{
    static const QRegularExpression ours(u"^(?:rank \\d+|the scheduler), process \\d+ \\("_s);
    static const QRegularExpression tools(
        u"^(?:Process \\d+:|PID \\d+ - |Python v|\\[New LWP |\\[Thread debugging|Using host |\\[Inferior )"_s);
    return ours.match(line).hasMatch() || tools.match(line).hasMatch();
}

/// Returns the line without what differs between processes at the same place.
static QString comparable(QString line)
{
    static const QRegularExpression address(u"0x[0-9a-fA-F]+"_s);
    static const QRegularExpression number(u"\\b(LWP|TID|PID|pid|Thread|thread|tid)([ =:]+)\\d+"_s);
    static const QRegularExpression activity(u" \\((?:active|idle)[^)]*\\)"_s);
    line.replace(address, u"0x"_s);
    line.replace(number, u"\\1\\2"_s);
    line.remove(activity);
    return line;
}

static QString comparableText(const QString &text)
{
    QString compared;
    for (const QString &line : text.split('\n'_L1)) {
        if (!isHeading(line))
            compared += comparable(line) + '\n'_L1;
    }
    return compared;
}

/// Returns the innermost frame of the thread that faulthandler calls current, else of the first that has one.
static QString topFrame(const QString &text)
{
    static const QRegularExpression python(u"^    (\\S.*\\(.*:\\d+\\))$"_s); // py-spy
    static const QRegularExpression faulthandler(u"^  File \"(?:.*/)?([^\"]+)\", line (\\d+) in (.+)$"_s);
    static const QRegularExpression native(u"^#0 +(?:0x[0-9a-f]+ +)?(?:in )?([^ ]+)"_s); // gdb, eu-stack
    const qsizetype current = text.indexOf("\nCurrent thread 0x"_L1);
    for (const QString &line : text.mid(std::max<qsizetype>(0, current)).split('\n'_L1)) {
        if (const auto found = python.match(line); found.hasMatch())
            return found.captured(1);
        if (const auto found = faulthandler.match(line); found.hasMatch())
            return u"%1 (%2:%3)"_s.arg(found.captured(3), found.captured(1), found.captured(2));
        if (const auto found = native.match(line); found.hasMatch())
            return found.captured(1);
    }
    return {};
}

std::vector<StackGroup> stackGroups(const std::vector<DumpedStacks> &dumps)
{
    QMap<QString, StackGroup> byText;
    for (const DumpedStacks &dump : dumps) {
        StackGroup &group = byText[comparableText(dump.text)];
        if (group.processes.isEmpty() || dump.process < group.processes.first()) {
            group.text = dump.text;
            group.top = topFrame(dump.text);
        }
        group.processes << dump.process;
        std::ranges::sort(group.processes);
    }
    std::vector<StackGroup> groups(byText.cbegin(), byText.cend());
    std::ranges::sort(groups, [](const StackGroup &one, const StackGroup &other) {
        return std::pair(one.processes.size(), one.processes.first()) <
               std::pair(other.processes.size(), other.processes.first());
    });
    return groups;
}

QList<StackDump> lastDumps(const QList<StackDump> &dumps)
{
    QMap<int, StackDump> last;
    for (const StackDump &dump : dumps) {
        if (!dump.file.isEmpty())
            last.insert(dump.process, dump);
    }
    return last.values();
}

std::vector<DumpedStacks> readStacks(const QString &runDirectory, const QList<StackDump> &dumps)
{
    std::vector<DumpedStacks> read;
    for (const StackDump &dump : dumps) {
        const QString name = dump.file.section('/'_L1, 1);
        const bool isOurs = dump.file.startsWith("stacks/"_L1) && !name.isEmpty() && !name.contains('/'_L1) &&
                            !name.startsWith('.'_L1);
        RegularFile file(runDirectory + '/'_L1 + dump.file);
        if (!isOurs || QFileInfo(file).isSymLink() || !file.open(QIODevice::ReadOnly))
            continue;
        const QString text = QString::fromUtf8(file.read(mostBytes));
        if (!text.isEmpty())
            read.push_back({dump.process, text});
    }
    return read;
}

} // namespace rankdeck

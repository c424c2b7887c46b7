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
    static const QRegularExpression ours(QStringLiteral("^(?:rank \\d+|the scheduler), process \\d+ \\("));
    static const QRegularExpression tools(QStringLiteral(
        "^(?:Process \\d+:|PID \\d+ - |Python v|\\[New LWP |\\[Thread debugging|Using host |\\[Inferior )"));
    return ours.match(line).hasMatch() || tools.match(line).hasMatch();
}

/// Returns the line without what differs between processes at the same place.
static QString comparable(QString line)
{
    static const QRegularExpression address(QStringLiteral("0x[0-9a-fA-F]+"));
    static const QRegularExpression number(
        QStringLiteral("\\b(LWP|TID|PID|pid|Thread|thread|tid)([ =:]+)\\d+"));
    static const QRegularExpression activity(QStringLiteral(" \\((?:active|idle)[^)]*\\)"));
    line.replace(address, QStringLiteral("0x"));
    line.replace(number, QStringLiteral("\\1\\2"));
    line.remove(activity);
    return line;
}

static QString comparableText(const QString &text)
{
    QString compared;
    for (const QString &line : text.split(QLatin1Char('\n'))) {
        if (!isHeading(line))
            compared += comparable(line) + QLatin1Char('\n');
    }
    return compared;
}

/// Returns the innermost frame of the thread that faulthandler calls current, else of the first that has one.
static QString topFrame(const QString &text)
{
    static const QRegularExpression python(QStringLiteral("^    (\\S.*\\(.*:\\d+\\))$")); // py-spy
    static const QRegularExpression faulthandler(
        QStringLiteral("^  File \"(?:.*/)?([^\"]+)\", line (\\d+) in (.+)$"));
    static const QRegularExpression native(
        QStringLiteral("^#0 +(?:0x[0-9a-f]+ +)?(?:in )?([^ ]+)")); // gdb, eu-stack
    const qsizetype current = text.indexOf(QLatin1String("\nCurrent thread 0x"));
    for (const QString &line : text.mid(std::max<qsizetype>(0, current)).split(QLatin1Char('\n'))) {
        if (const auto found = python.match(line); found.hasMatch())
            return found.captured(1);
        if (const auto found = faulthandler.match(line); found.hasMatch())
            return QStringLiteral("%1 (%2:%3)").arg(found.captured(3), found.captured(1), found.captured(2));
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
        const QString name = dump.file.section(QLatin1Char('/'), 1);
        const bool isOurs = dump.file.startsWith(QLatin1String("stacks/")) && !name.isEmpty() &&
                            !name.contains(QLatin1Char('/')) && !name.startsWith(QLatin1Char('.'));
        RegularFile file(runDirectory + QLatin1Char('/') + dump.file);
        if (!isOurs || QFileInfo(file).isSymLink() || !file.open(QIODevice::ReadOnly))
            continue;
        const QString text = QString::fromUtf8(file.read(mostBytes));
        if (!text.isEmpty())
            read.push_back({dump.process, text});
    }
    return read;
}

} // namespace rankdeck

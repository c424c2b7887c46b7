#include "ranktable/table/unifieddiff.h"

#include <QHash>

#include <dtl/dtl.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace rankdeck
{

namespace
{

/// Beyond this the search for the shortest difference takes long, and the result is too long to read.
constexpr qsizetype maxLines = 20000;
constexpr std::size_t contextLines = 3;

/// Texts as numbers, one for each different line, since numbers are compared faster.
class LineNumbers
{
public:
    /// Lines keep their line end: a last line without one is another line.
    std::vector<int> of(const QByteArray &text)
    {
        std::vector<int> numbers;
        for (qsizetype begin = 0; begin < text.size();) {
            const qsizetype found = text.indexOf('\n', begin);
            const qsizetype end = found < 0 ? text.size() : found + 1;
            numbers.push_back(numberOf(text.mid(begin, end - begin)));
            begin = end;
        }
        return numbers;
    }

    const QByteArray &line(int number) const { return m_lines[static_cast<std::size_t>(number)]; }

private:
    int numberOf(const QByteArray &line)
    {
        const auto known = m_numbers.constFind(line);
        if (known != m_numbers.constEnd())
            return *known;
        const int number = static_cast<int>(m_lines.size());
        m_numbers.insert(line, number);
        m_lines.push_back(line);
        return number;
    }

    QHash<QByteArray, int> m_numbers;
    std::vector<QByteArray> m_lines;
};

struct Step {
    char mark; ///< ' ' in both texts, '-' only in the first, '+' only in the second.
    int line;
};

/// From one text to the other, line by line; where lines change, those that go come first.
std::vector<Step> stepsBetween(const std::vector<int> &before, const std::vector<int> &after)
{
    dtl::Diff<int, std::vector<int>> diff(before, after);
    diff.compose();
    std::vector<Step> steps;
    for (const auto &[line, info] : diff.getSes().getSequence())
        steps.push_back({info.type == dtl::SES_ADD ? '+' : info.type == dtl::SES_DELETE ? '-' : ' ', line});
    const auto isCommon = [](const Step &step) {
        return step.mark == ' ';
    };
    for (auto begin = steps.begin(); begin != steps.end();) {
        begin = std::find_if_not(begin, steps.end(), isCommon);
        const auto end = std::find_if(begin, steps.end(), isCommon);
        std::stable_partition(begin, end, [](const Step &step) { return step.mark == '-'; });
        begin = end;
    }
    return steps;
}

/// Line numbers of a hunk: a range of no lines names the line before it.
QByteArray range(char sign, qsizetype linesBefore, qsizetype count)
{
    return sign + QByteArray::number(count == 0 ? linesBefore : linesBefore + 1) + ',' +
           QByteArray::number(count);
}

/// Writes hunks in their order and keeps count of the lines passed.
class HunkWriter
{
public:
    HunkWriter(const std::vector<Step> &steps, const LineNumbers &lines)
        : m_steps(steps)
        , m_lines(lines)
    {
    }

    /// The steps before `begin` are passed over, those up to `end` are the hunk.
    QByteArray write(std::size_t begin, std::size_t end)
    {
        for (; m_next < begin; ++m_next)
            pass(m_steps[m_next].mark);
        const qsizetype oldLine = m_oldLine;
        const qsizetype newLine = m_newLine;
        QByteArray body;
        for (; m_next < end; ++m_next) {
            pass(m_steps[m_next].mark);
            body += m_steps[m_next].mark + m_lines.line(m_steps[m_next].line);
            if (!body.endsWith('\n'))
                body += "\n\\ No newline at end of file\n";
        }
        return "@@ " + range('-', oldLine, m_oldLine - oldLine) + ' ' +
               range('+', newLine, m_newLine - newLine) + " @@\n" + body;
    }

private:
    void pass(char mark)
    {
        m_oldLine += mark == '+' ? 0 : 1;
        m_newLine += mark == '-' ? 0 : 1;
    }

    const std::vector<Step> &m_steps;
    const LineNumbers &m_lines;
    std::size_t m_next = 0;
    qsizetype m_oldLine = 0;
    qsizetype m_newLine = 0;
};

QByteArray hunksText(const std::vector<Step> &steps, const LineNumbers &lines)
{
    HunkWriter writer(steps, lines);
    QByteArray text;
    std::optional<std::size_t> begin; // of the hunk that is open
    std::size_t end = 0;
    for (std::size_t index = 0; index < steps.size(); ++index) {
        if (steps[index].mark == ' ')
            continue;
        const std::size_t from = index > contextLines ? index - contextLines : 0;
        if (begin && from > end) {
            text += writer.write(*begin, end);
            begin.reset();
        }
        begin = begin.value_or(from);
        end = std::min(index + 1 + contextLines, steps.size());
    }
    return begin ? text + writer.write(*begin, end) : text;
}

/// A name with a line end in it would end the header early.
QByteArray headerName(const QString &name)
{
    return name.simplified().toUtf8();
}

} // namespace

QByteArray unifiedDiff(const QByteArray &before, const QByteArray &after, const QString &beforeName,
                       const QString &afterName)
{
    if (before == after)
        return {};
    const qsizetype lineCounts[]{before.count('\n'), after.count('\n')};
    if (lineCounts[0] > maxLines || lineCounts[1] > maxLines)
        return tr("The texts differ; they are too long to compare line by line: "
                  "%1 and %2 lines.\n")
            .arg(lineCounts[0])
            .arg(lineCounts[1])
            .toUtf8();

    LineNumbers lines;
    const auto steps = stepsBetween(lines.of(before), lines.of(after));
    return "--- " + headerName(beforeName) + "\n+++ " + headerName(afterName) + '\n' +
           hunksText(steps, lines);
}

} // namespace rankdeck

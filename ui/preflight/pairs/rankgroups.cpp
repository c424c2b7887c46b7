#include "preflight/pairs/rankgroups.h"

#include "base/listcomma.h"
#include "base/numberranges.h"

namespace rankdeck
{

namespace
{

constexpr int letters = 26;

constexpr int stripeWidth = 4; // pixels
constexpr int groupPadding = 4;
constexpr int largeCharacters = 16;
constexpr int smallCharacters = 14; ///< "▸ collectives".

struct StageLook {
    Tone tone;
    struct {
        const char *text;
        const char *comment;
    } word;
};

/// In the order of SelfTestStage.
constexpr StageLook looks[] = {
    {Tone::Idle, QT_TRANSLATE_NOOP3("rankdeck", "○ missing", "a rank")},
    {Tone::Active, QT_TRANSLATE_NOOP3("rankdeck", "● arrived", "a rank")},
    {Tone::Active, QT_TRANSLATE_NOOP3("rankdeck", "↔ pairs", "a rank is at")},
    {Tone::Active, QT_TRANSLATE_NOOP3("rankdeck", "… connecting", "a rank is")},
    {Tone::Active, QT_TRANSLATE_NOOP3("rankdeck", "▸ collectives", "a rank is at")},
    {Tone::Good, QT_TRANSLATE_NOOP3("rankdeck", "✓ done", "a rank")},
    {Tone::Bad, QT_TRANSLATE_NOOP3("rankdeck", "× failed", "a rank")},
};

} // namespace

QString groupLetter(int group)
{
    QString word;
    for (int rest = group; rest >= 0; rest = rest / letters - 1)
        word.prepend(QChar(u'A' + rest % letters));
    return word;
}

QString shownStage(SelfTestStage stage)
{
    const StageLook &look = looks[size_t(stage)];
    return tr(look.word.text, look.word.comment);
}

RankGroups::RankGroups()
    : m_palette(palette())
{
    setObjectName(u"rankGroups"_s);
    setAccessibleName(tr("Ranks and groups"));
    setFocusPolicy(Qt::StrongFocus);
}

void RankGroups::setResults(const SelfTestResults &results, const RankNames &names)
{
    m_names = names;
    m_cells.clear();
    QList<Node> its;
    QHash<QString, int> nodeOf;
    for (int rank = 0; rank < results.ranks.size(); ++rank) {
        const SelfTestResults::RankState &state = results.ranks.at(rank);
        m_cells.append({rank, state.stage, state.text, -1, {}, false});
        const QString name = names.nodes.value(rank);
        const auto known = nodeOf.constFind(name);
        if (known == nodeOf.constEnd()) {
            nodeOf.insert(name, int(its.size()));
            its.append({name, {rank}});
        } else {
            its[*known].ranks.append(rank);
        }
    }
    for (int group = 0; group < results.groups.size(); ++group) {
        for (const int rank : results.groups.at(group)) {
            if (rank < 0 || rank >= m_cells.size())
                continue;
            m_cells[rank].group = group;
            m_cells[rank].members = names.ranksOf(results.groups.at(group));
            m_cells[rank].isWhole = results.groups.size() == 1;
        }
    }
    if (its != m_nodes) {
        m_nodes = its;
        m_isSmall = !largeCellsFit();
        setBlocks(blocks());
        putCurrent(itemOf(0));
    }
    describeCurrent();
    schedule();
}

GridItem RankGroups::itemOf(int rank) const
{
    for (int node = 0; node < m_nodes.size(); ++node) {
        const auto cell = m_nodes.at(node).ranks.indexOf(rank);
        if (cell >= 0)
            return {node, int(cell)};
    }
    return {};
}

QList<DeviceGridGeometry::Block> RankGroups::blocks() const
{
    QList<DeviceGridGeometry::Block> blocks;
    for (int node = 0; node < m_nodes.size(); ++node)
        blocks.append({node, DeviceGridGeometry::allCells(int(m_nodes.at(node).ranks.size())), false});
    return blocks;
}

DeviceGridGeometry::Metrics RankGroups::metricsOf(bool small) const
{
    const QSize character = canvas().cellSize();
    const int rows = small ? 2 : 3;
    DeviceGridGeometry::Metrics metrics;
    metrics.minimumCell = {(small ? smallCharacters : largeCharacters) * character.width() + stripeWidth +
                               2 * groupPadding,
                           rows * character.height() + 2 * groupPadding};
    metrics.maximumCellWidth = metrics.minimumCell.width() * 3 / 2;
    metrics.minimumHeading = {largeCharacters * character.width(), character.height() + groupPadding};
    metrics.gap = 4;
    metrics.margin = 6;
    return metrics;
}

QStringList RankGroups::cellLines(const RankGroupCell &cell) const
{
    const QString stage = shownStage(cell.stage);
    if (m_isSmall) {
        const QString group = cell.group < 0 || cell.isWhole ? QString() : groupLetter(cell.group);
        return {u"%1  %2"_s.arg(QString::number(m_names.rank(cell.rank)), group).trimmed(), stage};
    }
    QString group;
    if (cell.isWhole)
        group = tr("all ranks");
    else if (cell.group >= 0)
        group = tr("group %1 of %2", "letter; how many ranks")
                    .arg(groupLetter(cell.group))
                    .arg(cell.members.size());
    return {tr("rank %1").arg(m_names.rank(cell.rank)), stage, group};
}

QString RankGroups::wordsOf(int rank) const
{
    if (rank < 0 || rank >= count())
        return {};
    const RankGroupCell &its = m_cells.at(rank);
    const QString node = m_nodes.value(itemOf(rank).server).name;
    const QString name = node.isEmpty() ? tr("rank %1").arg(m_names.rank(rank))
                                        : tr("rank %1 on %2").arg(m_names.rank(rank)).arg(node);
    QStringList words{withColon(name, shownStage(its.stage))};
    if (!its.text.isEmpty())
        words << its.text;
    if (its.isWhole)
        words << tr("in one group with all ranks");
    else if (its.group >= 0)
        words << tr("in group %1: ranks %2").arg(groupLetter(its.group), numberRanges(its.members));
    return words.join(listComma());
}

QString RankGroups::headingText(int node) const
{
    const Node its = m_nodes.value(node);
    const auto failed = std::ranges::count_if(
        its.ranks, [this](int rank) { return m_cells.at(rank).stage == SelfTestStage::Failed; });
    const QString name = its.name.isEmpty() ? tr("Ranks") : its.name;
    const auto count = int(its.ranks.size());
    const QString text = tr("%1: %n ranks", "%1: %n rank", count).arg(name);
    return failed == 0 ? text : tr("%1, × %2 failed", "of a node").arg(text).arg(failed);
}

void RankGroups::drawCanvas(Canvas &canvas, bool everything)
{
    if (everything) {
        m_drawn.clear();
        canvas.fill(QRect(QPoint(), canvas.size()), palette().color(QPalette::Base));
    }
    for (int index = 0; index < geometry().itemCount(); ++index) {
        const GridItem item = geometry().item(index);
        const QRect place = placeOf(item);
        if (!place.intersects(rect()))
            continue;
        const int rank = rankOf(item);
        const Shown shown{rank < 0 ? RankGroupCell{-1, {}, {}, -1, {}, false} : m_cells.at(rank),
                          rank < 0 ? headingText(item.server) : QString(), hasFocus() && item == current()};
        const auto before = m_drawn.constFind(index);
        if (before != m_drawn.constEnd() && *before == shown)
            continue;
        drawItem(canvas, place, shown);
        m_drawn.insert(index, shown);
    }
}

void RankGroups::drawItem(Canvas &canvas, const QRect &area, const Shown &shown) const
{
    const QSize character = canvas.cellSize();
    const QColor text = palette().color(QPalette::Text);
    if (shown.cell.rank < 0) {
        const QColor base = palette().color(QPalette::Base);
        canvas.fill(area, shown.isCurrent ? text : base);
        canvas.fill(area.adjusted(1, 1, -1, -1), base);
        canvas.text(area.topLeft() + QPoint(2, (area.height() - character.height()) / 2),
                    elidedToCells(shown.heading, (area.width() - 4) / character.width()), {text, base, true},
                    area);
        return;
    }
    const Tone tone = looks[size_t(shown.cell.stage)].tone;
    const QColor background = toneBackground(tone, palette());
    canvas.fill(area, shown.isCurrent ? text : palette().color(QPalette::Mid));
    const int frame = shown.isCurrent ? 2 : 1;
    const QRect inner = area.adjusted(frame, frame, -frame, -frame);
    canvas.fill(inner, background);
    const bool isGrouped = shown.cell.group >= 0 && !shown.cell.isWhole;
    const QColor group = isGrouped ? m_palette.ofRank(shown.cell.group, background) : quietColor(palette());
    if (isGrouped)
        canvas.fill(QRect(inner.topLeft(), QSize(stripeWidth, inner.height())), group);
    const QStringList lines = cellLines(shown.cell);
    const int columns = (area.width() - stripeWidth - 2 * groupPadding) / character.width();
    QPoint at = area.topLeft() + QPoint(stripeWidth + groupPadding, groupPadding);
    for (int line = 0; line < lines.size(); ++line) {
        const bool isGroupLine = line == 2 || (line == 0 && m_isSmall && isGrouped);
        const QColor color = isGroupLine ? group : line == 1 ? toneColor(tone, palette()) : text;
        if (!lines.at(line).isEmpty())
            canvas.text(at, elidedToCells(lines.at(line), columns), {color, background, line != 1}, inner);
        at.ry() += character.height();
    }
}

void RankGroups::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        setCurrent(itemAt(event->position().toPoint()));
    else
        ScrolledGrid::mousePressEvent(event);
}

} // namespace rankdeck

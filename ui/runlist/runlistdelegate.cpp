#include "runlist/runlistdelegate.h"

#include "runlist/runlistmodel.h"
#include "state/statemark.h"
#include "state/tone.h"

#include <QApplication>
#include <QPainter>

namespace rankdeck
{

namespace
{
constexpr int margin = 8;
constexpr int gap = 6;
constexpr int markSize = 11;
} // namespace

void RunListDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    row.text.clear();
    // Nothing may repaint because the pointer passes over it.
    row.state.setFlag(QStyle::State_MouseOver, false);
    const QStyle *style = row.widget ? row.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);

    const bool selected = row.state.testFlag(QStyle::State_Selected);
    const QPalette::ColorGroup group =
        row.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    const QColor strong = row.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
    const QColor quiet = selected ? strong : quietColor(row.palette);
    const auto phase = RunPhase(index.data(RunListModel::PhaseRole).toInt());
    const QColor tone = selected ? strong : toneColor(toneOf(phase), row.palette);

    const QRect content = row.rect.adjusted(margin, gap, -margin, -gap);
    QFont bold = row.font;
    bold.setBold(true);
    const QFontMetrics metrics(row.font);
    const QFontMetrics boldMetrics(bold);
    const int line = metrics.height();

    painter->save();
    const QString age = index.data(RunListModel::AgeRole).toString();
    const int ageWidth = metrics.horizontalAdvance(age);
    painter->setFont(row.font);
    painter->setPen(quiet);
    painter->drawText(QRect(content.right() - ageWidth + 1, content.top(), ageWidth, line), Qt::AlignRight,
                      age);

    painter->setFont(bold);
    painter->setPen(strong);
    const int titleWidth = content.width() - ageWidth - gap;
    const QString title = index.data(RunListModel::TitleRole).toString();
    painter->drawText(QRect(content.left(), content.top(), titleWidth, line), Qt::AlignLeft,
                      boldMetrics.elidedText(title, Qt::ElideMiddle, titleWidth));

    const int top = content.bottom() - line + 1;
    drawStateMark(*painter, QRect(content.left(), top + (line - markSize) / 2, markSize, markSize), phase,
                  tone);
    painter->setFont(row.font);
    painter->setPen(tone);
    const QString word = index.data(RunListModel::StateRole).toString();
    const int wordLeft = content.left() + markSize + gap;
    const int wordWidth = metrics.horizontalAdvance(word);
    painter->drawText(QRect(wordLeft, top, wordWidth, line), Qt::AlignLeft, word);
    painter->setPen(quiet);
    const int detailLeft = wordLeft + wordWidth + 2 * gap;
    const int detailWidth = content.right() - detailLeft + 1;
    const QString detail = index.data(RunListModel::DetailRole).toString();
    painter->drawText(QRect(detailLeft, top, detailWidth, line), Qt::AlignRight,
                      metrics.elidedText(detail, Qt::ElideRight, detailWidth));
    painter->restore();
}

QSize RunListDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    const int line = QFontMetrics(option.font).height();
    return {14 * line, 2 * line + 3 * gap};
}

} // namespace rankdeck

#include "widgets/wrappingrow.h"

#include <QEvent>

#include <algorithm>
#include <array>

namespace rankdeck
{

constexpr int groupSpacing = 6;

void WrappingRow::setGroups(QHBoxLayout *first, int firstStretch, QHBoxLayout *second, int secondStretch)
{
    m_first = first;
    m_second = second;
    m_rows = withoutMargins(new QBoxLayout(QBoxLayout::LeftToRight, this));
    for (QBoxLayout *const each : std::array<QBoxLayout *, 3>{m_first, m_second, m_rows})
        each->setSpacing(groupSpacing);
    m_rows->addLayout(m_first, firstStretch);
    m_rows->addLayout(m_second, secondStretch);
}

QSize WrappingRow::minimumSizeHint() const
{
    const QMargins around = m_rows->contentsMargins();
    const int width = std::max(m_first->minimumSize().width(), m_second->minimumSize().width());
    return {width + around.left() + around.right(), QWidget::minimumSizeHint().height()};
}

bool WrappingRow::event(QEvent *event)
{
    if (m_rows && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        arrange();
    return QWidget::event(event);
}

void WrappingRow::arrange()
{
    const QMargins around = m_rows->contentsMargins();
    const int needed = m_first->minimumSize().width() + groupSpacing + m_second->minimumSize().width();
    const auto direction =
        width() < needed + around.left() + around.right() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_rows->direction() != direction)
        m_rows->setDirection(direction);
}

} // namespace rankdeck

#include "ranktable/findingbadge.h"

#include "ranktable/severityicon.h"
#include "ranktable/severitywords.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

namespace rankdeck
{

FindingBadge::FindingBadge(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
}

void FindingBadge::setFindings(const Findings &findings)
{
    m_counted = findings;
    m_words.clear();
    refresh();
}

void FindingBadge::setWords(const QString &words)
{
    m_counted.clear();
    m_words = words;
    refresh();
}

QString FindingBadge::text() const
{
    return m_words.isEmpty() ? countWords(m_counted) : m_words;
}

void FindingBadge::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void FindingBadge::refresh()
{
    while (QLayoutItem *item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    setAccessibleName(text());
    if (!m_words.isEmpty()) {
        add({}, m_words, palette().color(QPalette::WindowText));
        return;
    }
    const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
    bool any = false;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        const int count = countOf(m_counted, severity);
        if (count == 0)
            continue;
        any = true;
        add(severityIcon(severity, palette(), side, devicePixelRatioF()), countWords(severity, count),
            toneColor(toneOf(severity), palette()));
    }
    if (!any)
        add(noFindingIcon(palette(), side, devicePixelRatioF()), tr("No findings"),
            toneColor(Tone::Good, palette()));
}

void FindingBadge::add(const QIcon &icon, const QString &words, const QColor &color)
{
    if (!icon.isNull()) {
        const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
        auto *sign = new QLabel(this);
        sign->setPixmap(icon.pixmap(QSize(side, side), devicePixelRatioF()));
        layout()->addWidget(sign);
    }
    auto *label = new QLabel(words, this);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(0, 0, 8, 0);
    QPalette own = label->palette();
    own.setColor(QPalette::WindowText, color);
    label->setPalette(own);
    layout()->addWidget(label);
}

} // namespace rankdeck

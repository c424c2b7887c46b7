#include "state/elidedlabel.h"

#include "state/tone.h"

#include <QFontMetrics>
#include <QPainter>

namespace rankdeck
{

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget *parent)
    : QWidget(parent)
    , m_mode(mode)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setVoice(Voice voice)
{
    if (m_voice == voice)
        return;
    m_voice = voice;
    update();
}

QSize ElidedLabel::sizeHint() const
{
    const QFontMetrics metrics(font());
    return QSize(metrics.horizontalAdvance(m_text), metrics.height()).grownBy(contentsMargins());
}

QSize ElidedLabel::minimumSizeHint() const
{
    return QSize(0, QFontMetrics(font()).height()).grownBy(contentsMargins());
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    switch (m_voice) {
    case Voice::Normal:
        painter.setPen(palette().color(QPalette::WindowText));
        break;
    case Voice::Quiet:
        painter.setPen(quietColor(palette()));
        break;
    case Voice::Bad:
        painter.setPen(toneColor(Tone::Bad, palette()));
        break;
    }
    const QString shown = QFontMetrics(font()).elidedText(m_text, m_mode, contentsRect().width());
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

} // namespace rankdeck

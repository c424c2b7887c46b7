#include "widgets/labels.h"

#include "widgets/tone.h"
#include "widgets/widgetparts.h"

#include <QAccessible>
#include <QFontMetrics>
#include <QPainter>
#include <QStyle>

namespace rankdeck
{

QString withoutMnemonic(QString text)
{
    static const QRegularExpression behind(u"\\(&.\\)"_s);
    return text.remove(behind).remove('&'_L1).remove(QChar(0x2026));
}

QString upperFirst(QString text)
{
    static const QRegularExpression name(u"^\\w*_"_s);
    if (!text.isEmpty() && !name.match(text).hasMatch())
        text[0] = text.at(0).toUpper();
    return text;
}

NoteLabel::NoteLabel(const QString &textName, QWidget *parent)
    : QWidget(parent)
{
    m_text.setObjectName(textName);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    for (QLabel *label : {&m_sign, &m_text}) {
        label->setFont(small);
        label->setTextFormat(Qt::PlainText);
    }
    m_text.setWordWrap(true);
    m_text.setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text.setFocusPolicy(Qt::NoFocus);
    const int size = style()->pixelMetric(QStyle::PM_SmallIconSize) * 3 / 4;
    m_sign.setPixmap(style()->standardIcon(QStyle::SP_MessageBoxCritical).pixmap(size));

    addParts(withoutMargins(new QHBoxLayout(this), 4), {{&m_sign, 0, Qt::AlignTop}, {&m_text, 1}});
    m_sign.hide();
    adaptToPalette(this, [this] { colour(); });
}

void NoteLabel::refresh()
{
    m_text.setText(hasProblem() ? m_problem : m_help);
    m_sign.setVisible(hasProblem());
    setVisible(!m_text.text().isEmpty());
    colour();
}

void NoteLabel::colour()
{
    QPalette own = palette();
    own.setColor(QPalette::WindowText, hasProblem() ? toneColor(Tone::Bad, own) : quietColor(own));
    if (m_text.palette() != own)
        m_text.setPalette(own);
}

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget *parent)
    : QWidget(parent)
    , m_mode(mode)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString &text)
{
    if (std::exchange(m_text, text) == text)
        return;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setVoice(Voice voice)
{
    if (std::exchange(m_voice, voice) != voice)
        update();
}

QSize ElidedLabel::sizeHint() const
{
    const QFontMetrics metrics(font());
    return QSize(metrics.horizontalAdvance(m_text), metrics.height()).grownBy(contentsMargins());
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(m_voice == Voice::Bad     ? toneColor(Tone::Bad, palette())
                   : m_voice == Voice::Quiet ? quietColor(palette())
                                             : palette().color(QPalette::WindowText));
    const QString shown = QFontMetrics(font()).elidedText(m_text, m_mode, contentsRect().width());
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

void announce(QWidget *widget)
{
    QAccessibleEvent event(widget, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

} // namespace rankdeck

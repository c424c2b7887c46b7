#include "state/notelabel.h"

#include "state/tone.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QStyle>

namespace rankdeck
{

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

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(&m_sign, 0, Qt::AlignTop);
    layout->addWidget(&m_text, 1);
    m_sign.hide();
    colour();
}

void NoteLabel::setHelp(const QString &help)
{
    if (m_help == help)
        return;
    m_help = help;
    refresh();
}

void NoteLabel::setProblem(const QString &problem)
{
    if (m_problem == problem)
        return;
    m_problem = problem;
    refresh();
}

QString NoteLabel::text() const
{
    return m_text.text();
}

void NoteLabel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        colour();
    QWidget::changeEvent(event);
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

} // namespace rankdeck

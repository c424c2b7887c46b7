#include "mainwindow/runpage/captionline.h"

#include "widgets/labels.h"
#include "widgets/tone.h"

#include <QAction>
#include <QSettings>

namespace rankdeck
{

const QString captionsKey = QStringLiteral("window/captions");

CaptionLine::CaptionLine(QWidget *parent)
    : QFrame(parent)
    , m_text(plainLabel("captionText"))
    , m_action(named(new QAction(tr("&Captions of demos"), this), "captionsAction"))
{
    setObjectName(QStringLiteral("captionLine"));
    setAutoFillBackground(true);
    const auto tint = [this] {
        QPalette tinted = palette();
        const QColor color = toneBackground(Tone::Active, parentWidget()->palette());
        if (tinted.color(QPalette::Window) == color)
            return;
        tinted.setColor(QPalette::Window, color);
        setPalette(tinted);
    };
    tint();
    onPaletteChange(parent, tint);
    m_action->setCheckable(true);
    m_action->setChecked(QSettings().value(captionsKey, true).toBool());
    connect(m_action, &QAction::toggled, this, [this](bool isOn) {
        QSettings().setValue(captionsKey, isOn);
        showText();
    });
    auto *off = plainButton(tr("Turn off"), "captionsOffButton");
    off->setFlat(true);
    off->setToolTip(tr("Hide the captions of all demos; the menu View shows them again"));
    connect(off, &QPushButton::clicked, m_action, [this] { m_action->setChecked(false); });
    makeBold(m_text);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 4);
    layout->addWidget(m_text, 1);
    layout->addWidget(off);
    hide();
}

void CaptionLine::setCaption(const QString &caption)
{
    if (m_text->text() == caption)
        return;
    m_text->setText(caption);
    showText();
    if (isVisible())
        announce(m_text);
}

void CaptionLine::showText()
{
    setVisible(m_action->isChecked() && !m_text->text().isEmpty());
}

} // namespace rankdeck

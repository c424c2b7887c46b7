#include "stacks/stallnotice.h"

#include "widgets/labels.h"

namespace rankdeck
{

StallNotice::StallNotice(QWidget *parent)
    : QWidget(parent)
    , m_text(named(new ElidedLabel(Qt::ElideRight, this), "stallText"))
    , m_dump(named(new QPushButton(tr("&Dump stacks…"), this), "dumpStacksButton"))
    , m_goOn(named(new QPushButton(tr("C&ontinue"), this), "stallContinueButton"))
    , m_stop(named(new QPushButton(tr("S&top…"), this), "stallStopButton"))
{
    setObjectName(QStringLiteral("stallNotice"));
    m_dump->setToolTip(tr("Show where every rank is, and keep it with the run."));
    m_goOn->setToolTip(tr("Let the run go on, and say nothing until something changes."));
    connect(m_dump, &QPushButton::clicked, this, &StallNotice::dumpWanted);
    connect(m_goOn, &QPushButton::clicked, this, [this] {
        m_putAway = m_sentence;
        hide();
    });
    connect(m_stop, &QPushButton::clicked, this, &StallNotice::stopWanted);

    auto *layout = withoutMargins(new QHBoxLayout(this));
    layout->setSpacing(6);
    layout->addWidget(m_text, 1);
    for (QPushButton *button : {m_dump, m_goOn, m_stop})
        layout->addWidget(button);
    hide();
}

void StallNotice::setState(const RunState &state)
{
    if (state.directory != m_directory)
        m_putAway.clear();
    m_directory = state.directory;
    m_sentence = state.standstill();
    if (m_sentence.isEmpty())
        m_putAway.clear(); // The same stall later is shown again.
    // A held run is being debugged: that is no stall.
    const bool isStall = state.stall && !state.isAnyHeld();
    const QString warning = state.timeoutWarning();
    const QString text = warning.isEmpty() ? m_sentence : m_sentence + QLatin1Char(' ') + warning;
    // The mark is for users who do not see the colour.
    m_text->setText((isStall ? tr("⚠ Stalled: %1") : tr("‖ %1")).arg(text));
    m_text->setVoice(isStall ? ElidedLabel::Voice::Bad : ElidedLabel::Voice::Quiet);
    m_text->setToolTip(text.toHtmlEscaped());
    for (QPushButton *button : {m_dump, m_goOn, m_stop})
        button->setVisible(isStall);
    setVisible(!m_sentence.isEmpty() && m_sentence != m_putAway);
}

} // namespace rankdeck

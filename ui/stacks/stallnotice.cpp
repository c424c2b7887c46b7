#include "stacks/stallnotice.h"

#include "state/elidedlabel.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace rankdeck
{

StallNotice::StallNotice(QWidget *parent)
    : QWidget(parent)
    , m_text(new ElidedLabel(Qt::ElideRight, this))
    , m_dump(new QPushButton(tr("&Dump stacks…"), this))
    , m_goOn(new QPushButton(tr("C&ontinue"), this))
    , m_stop(new QPushButton(tr("S&top…"), this))
{
    setObjectName(QStringLiteral("stallNotice"));
    m_text->setObjectName(QStringLiteral("stallText"));
    m_dump->setObjectName(QStringLiteral("dumpStacksButton"));
    m_dump->setToolTip(tr("Show where every rank is, and keep it with the run."));
    m_goOn->setObjectName(QStringLiteral("stallContinueButton"));
    m_goOn->setToolTip(tr("Let the run go on, and say nothing until something changes."));
    m_stop->setObjectName(QStringLiteral("stallStopButton"));
    connect(m_dump, &QPushButton::clicked, this, &StallNotice::dumpWanted);
    connect(m_goOn, &QPushButton::clicked, this, &StallNotice::putAway);
    connect(m_stop, &QPushButton::clicked, this, &StallNotice::stopWanted);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
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
        m_putAway.clear(); // The same once more is news again.
    // Who debugs need not be told that it stands still.
    const bool isStall = state.stall && !state.isAnyHeld();
    const QString warning = state.timeoutWarning();
    const QString text = warning.isEmpty() ? m_sentence : m_sentence + QLatin1Char(' ') + warning;
    // The mark stands for those who do not see the colour.
    m_text->setText((isStall ? tr("⚠ Stalled: %1") : tr("‖ %1")).arg(text));
    m_text->setVoice(isStall ? ElidedLabel::Voice::Bad : ElidedLabel::Voice::Quiet);
    m_text->setToolTip(text.toHtmlEscaped());
    for (QPushButton *button : {m_dump, m_goOn, m_stop})
        button->setVisible(isStall);
    setVisible(!m_sentence.isEmpty() && m_sentence != m_putAway);
}

void StallNotice::putAway()
{
    m_putAway = m_sentence;
    hide();
}

} // namespace rankdeck

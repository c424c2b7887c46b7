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
{
    auto *goOn = new QPushButton(tr("C&ontinue"), this);
    auto *stop = new QPushButton(tr("S&top…"), this);
    setObjectName(QStringLiteral("stallNotice"));
    m_text->setObjectName(QStringLiteral("stallText"));
    m_text->setVoice(ElidedLabel::Voice::Bad);
    m_dump->setObjectName(QStringLiteral("dumpStacksButton"));
    m_dump->setToolTip(tr("Show where every rank is, and keep it with the run."));
    goOn->setObjectName(QStringLiteral("stallContinueButton"));
    goOn->setToolTip(tr("Let the run go on, and say nothing until something changes."));
    stop->setObjectName(QStringLiteral("stallStopButton"));
    connect(m_dump, &QPushButton::clicked, this, &StallNotice::dumpWanted);
    connect(goOn, &QPushButton::clicked, this, &StallNotice::putAway);
    connect(stop, &QPushButton::clicked, this, &StallNotice::stopWanted);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_text, 1);
    for (QPushButton *button : {m_dump, goOn, stop})
        layout->addWidget(button);
    hide();
}

void StallNotice::setState(const RunState &state)
{
    if (state.directory != m_directory)
        m_putAway.clear();
    m_directory = state.directory;
    m_sentence = state.stall ? state.stall->sentence : QString();
    if (m_sentence.isEmpty())
        m_putAway.clear(); // The same once more is news again.
    // The mark stands for those who do not see the colour.
    m_text->setText(tr("⚠ Stalled: %1").arg(m_sentence));
    m_text->setToolTip(m_sentence.toHtmlEscaped());
    setVisible(!m_sentence.isEmpty() && m_sentence != m_putAway);
}

void StallNotice::putAway()
{
    m_putAway = m_sentence;
    hide();
}

} // namespace rankdeck

#include "launchform/foldedoptions.h"

#include "launchform/optiongroup.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace rankdeck
{

FoldedOptions::FoldedOptions(OptionGroup *options, QWidget *parent)
    : QWidget(parent)
    , m_options(options)
    , m_button(new QToolButton)
{
    m_button->setObjectName(QStringLiteral("moreOptionsButton"));
    m_button->setCheckable(true);
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_button, &QToolButton::toggled, this, &FoldedOptions::setOpen);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_button, 0, Qt::AlignLeft);
    layout->addWidget(m_options);
    setOpen(false);
    refresh();
}

QWidget *FoldedOptions::button() const
{
    return m_button;
}

void FoldedOptions::setOpen(bool open)
{
    m_button->setChecked(open);
    m_button->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_options->setVisible(open);
}

void FoldedOptions::refresh()
{
    const int changed = m_options->changedFields();
    m_button->setText(changed == 0 ? tr("More &options") : tr("More &options (%1 set)").arg(changed));
}

} // namespace rankdeck

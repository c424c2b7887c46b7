#include "launchform/foldedoptions.h"

#include "launchform/optiongroup.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace rankdeck
{

FoldedOptions::FoldedOptions(const QString &title, OptionGroup *options, QWidget *below, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_options(options)
    , m_below(below)
    , m_button(new QToolButton)
{
    m_button->setCheckable(true);
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_button, &QToolButton::toggled, this, &FoldedOptions::setOpen);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_button, 0, Qt::AlignLeft);
    layout->addWidget(m_options);
    if (m_below)
        layout->addWidget(m_below);
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
    if (m_below)
        m_below->setVisible(open);
}

void FoldedOptions::refresh()
{
    const int changed = m_options->changedFields();
    m_button->setText(changed == 0 ? m_title
                                   : tr("%1 (%2 set)", "title of options").arg(m_title).arg(changed));
}

} // namespace rankdeck

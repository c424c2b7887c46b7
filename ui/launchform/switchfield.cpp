#include "launchform/switchfield.h"

#include <QCheckBox>

namespace rankdeck
{

SwitchField::SwitchField(const OptionWords &words, ValueIn<bool> value)
    : SwitchField(words, std::move(value), new QCheckBox(words.label))
{
}

SwitchField::SwitchField(const OptionWords &words, ValueIn<bool> value, QCheckBox *box)
    : OptionField(words, "Check", box)
    , m_value(std::move(value))
    , m_box(box)
{
    connect(box, &QCheckBox::toggled, this, &OptionField::edited);
}

void SwitchField::fill(const LaunchSpec &spec)
{
    LaunchSpec copy = spec;
    m_box->setChecked(m_value(copy));
}

std::optional<Error> SwitchField::read(LaunchSpec &spec) const
{
    m_value(spec) = m_box->isChecked();
    return std::nullopt;
}

QString SwitchField::shownValue() const
{
    return m_box->isChecked() ? tr("on") : tr("off");
}

} // namespace rankdeck

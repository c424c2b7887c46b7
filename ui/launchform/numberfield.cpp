#include "launchform/numberfield.h"

#include "launchform/numberedit.h"

namespace rankdeck
{

NumberField::NumberField(const OptionWords &words, ValueIn<int> value, const NumberRange &range)
    : NumberField(words, std::move(value), range, new NumberEdit)
{
}

NumberField::NumberField(const OptionWords &words, ValueIn<int> value, const NumberRange &range,
                         NumberEdit *edit)
    : OptionField(words, "Spin", edit, nullptr, words.label)
    , m_value(std::move(value))
    , m_edit(edit)
{
    edit->setRange(range.least, range.most);
    edit->setSuffix(range.unit);
    edit->setSpecialValueText(range.leastWord);
    connect(edit, &QSpinBox::valueChanged, this, &OptionField::edited);
}

void NumberField::fill(const LaunchSpec &spec)
{
    LaunchSpec copy = spec;
    m_edit->setAnyValue(m_value(copy));
}

std::optional<Error> NumberField::read(LaunchSpec &spec) const
{
    m_value(spec) = m_edit->value();
    return std::nullopt;
}

QString NumberField::shownValue() const
{
    return m_edit->text();
}

} // namespace rankdeck

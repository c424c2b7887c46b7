#include "launchform/choicefield.h"

#include <QComboBox>

namespace rankdeck
{

ChoiceField::ChoiceField(const OptionWords &words, ValueIn<QString> value, const QStringList &choices)
    : ChoiceField(words, std::move(value), new QComboBox)
{
    m_box->addItems(choices);
}

ChoiceField::ChoiceField(const OptionWords &words, ValueIn<QString> value, QComboBox *box)
    : OptionField(words, "Combo", box, nullptr, words.label)
    , m_value(std::move(value))
    , m_box(box)
{
    connect(box, &QComboBox::currentTextChanged, this, &OptionField::edited);
}

void ChoiceField::fill(const LaunchSpec &spec)
{
    LaunchSpec copy = spec;
    const QString &word = m_value(copy);
    if (m_box->findText(word) < 0)
        m_box->addItem(word);
    m_box->setCurrentText(word);
}

std::optional<Error> ChoiceField::read(LaunchSpec &spec) const
{
    m_value(spec) = m_box->currentText();
    return std::nullopt;
}

QString ChoiceField::shownValue() const
{
    return m_box->currentText();
}

} // namespace rankdeck

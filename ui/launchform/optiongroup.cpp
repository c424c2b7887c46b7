#include "launchform/optiongroup.h"

#include "launchform/choicefield.h"
#include "launchform/linesfield.h"
#include "launchform/switchfield.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int fieldSpacing = 8;

} // namespace

OptionGroup::OptionGroup(const LaunchSpec &defaults, QWidget *parent)
    : QWidget(parent)
    , m_defaults(defaults)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(fieldSpacing);
}

void OptionGroup::addTitle(const QString &title)
{
    auto *label = new QLabel(title);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    label->setContentsMargins(0, fieldSpacing, 0, 0);
    m_layout->addWidget(label);
}

OptionField *OptionGroup::addNumber(const OptionWords &words, ValueIn<int> value, const NumberRange &range)
{
    return add(new NumberField(words, std::move(value), range));
}

OptionField *OptionGroup::addSwitch(const OptionWords &words, ValueIn<bool> value)
{
    return add(new SwitchField(words, std::move(value)));
}

TextField *OptionGroup::addText(const OptionWords &words, const TextForm &form, const QString &placeholder)
{
    return add(new TextField(words, form, placeholder));
}

TextField *OptionGroup::addPath(const OptionWords &words, const ValueIn<QString> &value, PathEdit::Kind kind,
                                const QString &title, const QString &placeholder)
{
    return add(new TextField(words, TextForm::plain(value), placeholder, new PathEdit(kind, title)));
}

OptionField *OptionGroup::addChoice(const OptionWords &words, ValueIn<QString> value,
                                    const QStringList &choices)
{
    return add(new ChoiceField(words, std::move(value), choices));
}

OptionField *OptionGroup::addLines(const OptionWords &words, const TextForm &form, const QString &placeholder,
                                   const QList<LinePreset> &presets)
{
    return add(new LinesField(words, form, placeholder, presets));
}

int OptionGroup::changedFields() const
{
    return int(std::count_if(m_fields.begin(), m_fields.end(), [this](const OptionField *field) {
        LaunchSpec spec = m_defaults;
        return field->read(spec) || spec != m_defaults;
    }));
}

template <typename T>
T *OptionGroup::add(T *field)
{
    field->sayDefault(m_defaults);
    m_layout->addWidget(field);
    m_fields += field;
    return field;
}

} // namespace rankdeck

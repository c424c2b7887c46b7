#pragma once

#include "launchform/optionfield.h"

class QCheckBox;

namespace rankdeck
{

/// Yes or no, as a check box that carries the label.
class SwitchField : public OptionField
{
    Q_OBJECT

public:
    SwitchField(const OptionWords &words, ValueIn<bool> value);

    void fill(const LaunchSpec &spec) override;
    std::optional<Error> read(LaunchSpec &spec) const override;

protected:
    QString shownValue() const override;

private:
    SwitchField(const OptionWords &words, ValueIn<bool> value, QCheckBox *box);

    ValueIn<bool> m_value;
    QCheckBox *m_box;
};

} // namespace rankdeck

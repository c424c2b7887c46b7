#pragma once

#include "launchform/optionfield.h"

namespace rankdeck
{

class NumberEdit;

/// How a number is typed. Values outside are typed in vain, but shown when a spec has them.
struct NumberRange {
    int least = 0;
    int most = 0;
    QString unit = {};      ///< Stands after the number: " s".
    QString leastWord = {}; ///< Stands in the place of the least number when given: "none".
};

/// A whole number.
class NumberField : public OptionField
{
    Q_OBJECT

public:
    NumberField(const OptionWords &words, ValueIn<int> value, const NumberRange &range);

    void fill(const LaunchSpec &spec) override;
    std::optional<Error> read(LaunchSpec &spec) const override;

protected:
    QString shownValue() const override;

private:
    NumberField(const OptionWords &words, ValueIn<int> value, const NumberRange &range, NumberEdit *edit);

    ValueIn<int> m_value;
    NumberEdit *m_edit;
};

} // namespace rankdeck

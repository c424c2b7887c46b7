#pragma once

#include "launchform/optionfield.h"

class QComboBox;

namespace rankdeck
{

/// One of a few words.
class ChoiceField : public OptionField
{
    Q_OBJECT

public:
    /// @param choices the words; one that a spec has beside these is kept and shown.
    ChoiceField(const OptionWords &words, ValueIn<QString> value, const QStringList &choices);

    void fill(const LaunchSpec &spec) override;
    std::optional<Error> read(LaunchSpec &spec) const override;

protected:
    QString shownValue() const override;

private:
    ChoiceField(const OptionWords &words, ValueIn<QString> value, QComboBox *box);

    ValueIn<QString> m_value;
    QComboBox *m_box;
};

} // namespace rankdeck

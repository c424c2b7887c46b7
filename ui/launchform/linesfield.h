#pragma once

#include "launchform/optionfield.h"
#include "launchform/textform.h"

class QPlainTextEdit;

namespace rankdeck
{

/// A value with something on each line.
class LinesField : public OptionField
{
    Q_OBJECT

public:
    LinesField(const OptionWords &words, TextForm form, const QString &placeholder);

    void fill(const LaunchSpec &spec) override;
    std::optional<Error> read(LaunchSpec &spec) const override;

protected:
    QString shownValue() const override { return {}; }

private:
    LinesField(const OptionWords &words, TextForm form, QPlainTextEdit *edit);

    TextForm m_form;
    QPlainTextEdit *m_edit;
};

} // namespace rankdeck

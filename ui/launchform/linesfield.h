#pragma once

#include "launchform/optionfield.h"
#include "launchform/textform.h"

class QPlainTextEdit;
class QPushButton;

namespace rankdeck
{

/// A line that can be picked, and what is said of it.
struct LinePreset {
    QString line;
    QString words;
};

/// A value with something on each line.
class LinesField : public OptionField
{
    Q_OBJECT

public:
    /// @param presets offered in a menu, which adds them below what is there.
    LinesField(const OptionWords &words, TextForm form, const QString &placeholder,
               const QList<LinePreset> &presets = {});

    void fill(const LaunchSpec &spec) override;
    std::optional<Error> read(LaunchSpec &spec) const override;

protected:
    QString shownValue() const override { return {}; }

private:
    LinesField(const OptionWords &words, TextForm form, QPlainTextEdit *edit, QPushButton *button);
    void add(const QString &line);

    TextForm m_form;
    QPlainTextEdit *m_edit;
};

} // namespace rankdeck

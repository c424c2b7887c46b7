#pragma once

#include "launchform/optionfield.h"
#include "launchform/textform.h"

class QLineEdit;

namespace rankdeck
{

class PathEdit;

/// A value in one line, perhaps a path.
class TextField : public OptionField
{
    Q_OBJECT

public:
    TextField(const OptionWords &words, TextForm form, const QString &placeholder);
    TextField(const OptionWords &words, TextForm form, const QString &placeholder, PathEdit *edit);

    void fill(const LaunchSpec &spec) override;
    std::optional<Error> read(LaunchSpec &spec) const override;
    void setPlaceholder(const QString &placeholder);

protected:
    QString shownValue() const override;

private:
    TextField(const OptionWords &words, TextForm form, QLineEdit *edit, QWidget *button);

    TextForm m_form;
    QLineEdit *m_edit;
};

} // namespace rankdeck

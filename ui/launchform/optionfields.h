#pragma once

#include "launchform/optionfield.h"
#include "launchform/pathedit.h"

class QCheckBox;
class QPlainTextEdit;

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

/// How a value is written as text, and text read. Both ways lose nothing.
struct TextForm {
    std::function<QString(const LaunchSpec &)> write;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;

    /// Text is the value.
    static TextForm plain(const ValueIn<QString> &value);
};

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

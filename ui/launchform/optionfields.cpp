#include "launchform/optionfields.h"

#include "launchform/numberedit.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>

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

SwitchField::SwitchField(const OptionWords &words, ValueIn<bool> value)
    : SwitchField(words, std::move(value), new QCheckBox(words.label))
{
}

SwitchField::SwitchField(const OptionWords &words, ValueIn<bool> value, QCheckBox *box)
    : OptionField(words, "Check", box)
    , m_value(std::move(value))
    , m_box(box)
{
    connect(box, &QCheckBox::toggled, this, &OptionField::edited);
}

void SwitchField::fill(const LaunchSpec &spec)
{
    LaunchSpec copy = spec;
    m_box->setChecked(m_value(copy));
}

std::optional<Error> SwitchField::read(LaunchSpec &spec) const
{
    m_value(spec) = m_box->isChecked();
    return std::nullopt;
}

QString SwitchField::shownValue() const
{
    return m_box->isChecked() ? tr("on") : tr("off");
}

TextForm TextForm::plain(const ValueIn<QString> &value)
{
    return {[value](const LaunchSpec &spec) {
                LaunchSpec copy = spec;
                return value(copy);
            },
            [value](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                value(spec) = text;
                return std::nullopt;
            }};
}

TextField::TextField(const OptionWords &words, TextForm form, const QString &placeholder)
    : TextField(words, std::move(form), new QLineEdit, nullptr)
{
    setPlaceholder(placeholder);
}

TextField::TextField(const OptionWords &words, TextForm form, const QString &placeholder, PathEdit *edit)
    : TextField(words, std::move(form), edit, edit->browseButton())
{
    setPlaceholder(placeholder);
}

TextField::TextField(const OptionWords &words, TextForm form, QLineEdit *edit, QWidget *button)
    : OptionField(words, "Edit", edit, button, words.label)
    , m_form(std::move(form))
    , m_edit(edit)
{
    connect(edit, &QLineEdit::textChanged, this, &OptionField::edited);
}

void TextField::fill(const LaunchSpec &spec)
{
    m_edit->setText(m_form.write(spec));
    m_edit->setCursorPosition(0);
}

std::optional<Error> TextField::read(LaunchSpec &spec) const
{
    return m_form.read(spec, m_edit->text());
}

void TextField::setPlaceholder(const QString &placeholder)
{
    m_edit->setPlaceholderText(placeholder);
}

QString TextField::shownValue() const
{
    return m_edit->text();
}

LinesField::LinesField(const OptionWords &words, TextForm form, const QString &placeholder)
    : LinesField(words, std::move(form), new QPlainTextEdit)
{
    m_edit->setPlaceholderText(placeholder);
}

LinesField::LinesField(const OptionWords &words, TextForm form, QPlainTextEdit *edit)
    : OptionField(words, "Edit", edit, nullptr, words.label)
    , m_form(std::move(form))
    , m_edit(edit)
{
    edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setTabChangesFocus(true);
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * 3 + 14);
    connect(edit, &QPlainTextEdit::textChanged, this, &OptionField::edited);
}

void LinesField::fill(const LaunchSpec &spec)
{
    m_edit->setPlainText(m_form.write(spec));
}

std::optional<Error> LinesField::read(LaunchSpec &spec) const
{
    return m_form.read(spec, m_edit->toPlainText());
}

} // namespace rankdeck

#include "launchform/fields/optiongroup.h"

#include "base/listcomma.h"
#include "widgets/tone.h"

#include <QAbstractSpinBox>
#include <QGridLayout>
#include <QMenu>
#include <QSpinBox>
#include <QStyle>
#include <QWheelEvent>

namespace rankdeck
{

static QWidget *namedByOption(QWidget *editor, const OptionRow &row, const char *kind)
{
    editor->setObjectName(idOf(row.name()) + QLatin1String(kind));
    return editor;
}

/// Returns a text of a row in the user's language; none for null.
static QString shown(const char *text)
{
    return text ? tr(text) : QString();
}

Field::Field(const QString &label, QWidget *editor, const QString &help, QWidget *button, QWidget *parent)
    : QWidget(parent)
    , m_name(new QLabel(label, this))
    , m_option(lineLabel("optionLabel"))
    , m_editor(editor)
    , m_button(button)
    , m_note(new NoteLabel(editor->objectName() + u"Note"_s))
{
    auto *layout = withoutMargins(new QGridLayout(this));
    layout->setHorizontalSpacing(8);
    layout->setVerticalSpacing(2);
    layout->setColumnStretch(1, 1);
    if (!label.isEmpty()) {
        m_name->setBuddy(editor);
        editor->setAccessibleName(withoutMnemonic(label));
    }
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.8);
    m_option->setFont(small);
    m_option->hide();
    adaptToPalette(this, [this] { setTextColor(m_option, quietColor(palette())); });
    // The note of a check box belongs to its text, not to its box.
    if (qobject_cast<QCheckBox *>(editor))
        m_note->setContentsMargins(style()->pixelMetric(QStyle::PM_IndicatorWidth) +
                                       style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing),
                                   0, 0, 0);
    arrange();
    setHelp(help);
}

void Field::setOption(const QString &option)
{
    m_option->setText(option);
    m_option->show();
}

QString Field::name() const
{
    const auto *box = qobject_cast<const QCheckBox *>(m_editor);
    return withoutMnemonic(box ? box->text() : m_name->text());
}

void Field::setNameWidth(int width)
{
    m_isNarrow = width == 0;
    for (QLabel *label : {m_name, m_option}) {
        if (m_isNarrow) {
            label->setMinimumWidth(0);
            label->setMaximumWidth(QWIDGETSIZE_MAX);
        } else {
            label->setFixedWidth(width);
        }
    }
    arrange();
}

void Field::arrange()
{
    auto *grid = static_cast<QGridLayout *>(layout());
    while (grid->count() > 0)
        delete grid->takeAt(0);
    const bool hasName = !m_name->text().isEmpty();
    // Beside the first line of an editor of several.
    const int inset =
        m_isNarrow ? 0 : qMax(0, (QLineEdit().sizeHint().height() - m_name->sizeHint().height()) / 2);
    m_name->setContentsMargins(0, hasName ? inset : 0, 0, 0);
    m_name->setVisible(hasName);
    const int first = m_isNarrow ? 0 : 1; // Column of the editor.
    const int row = m_isNarrow ? 1 : 0;
    const Qt::Alignment alignment =
        qobject_cast<QAbstractSpinBox *>(m_editor) ? Qt::AlignLeft : Qt::Alignment();
    if (hasName)
        grid->addWidget(m_name, 0, 0, Qt::AlignTop);
    if (m_isNarrow)
        grid->addWidget(m_option, 0, 1, 1, 2, Qt::AlignRight | Qt::AlignBottom);
    else
        grid->addWidget(m_option, hasName ? 1 : 0, 0, Qt::AlignTop);
    if (m_button)
        grid->addWidget(m_button, row, 2);
    grid->addWidget(m_editor, row, first, 1, (m_button ? 2 : 3) - first, alignment);
    grid->addWidget(m_note, row + 1, first, 1, 3 - first);
    for (QWidget *widget : std::as_const(m_below))
        grid->addWidget(widget, grid->rowCount(), first, 1, 3 - first);
}

void Field::setHelp(const QString &help)
{
    m_note->setHelp(help);
    describe();
}

void Field::setProblem(const QString &problem)
{
    m_note->setProblem(problem);
    describe();
}

OptionField::OptionField(const OptionRow &row, const char *kind, QWidget *editor, QWidget *button,
                         FieldValue value)
    : Field(qobject_cast<QCheckBox *>(editor) ? QString() : shown(row.label),
            namedByOption(editor, row, kind), shown(row.formHelp), button)
    , m_value(std::move(value))
    , m_names{row.name()}
    , m_help(shown(row.formHelp))
    , m_focusOrder{editor}
{
    setOption(m_names.first());
    if (button)
        m_focusOrder += button;
}

void OptionField::sayDefault(const LaunchSpec &defaults)
{
    fill(defaults);
    if (const QString shown = m_value.shown(); !shown.isEmpty())
        setHelp(tr("%1 Default: %2.").arg(m_help, shown));
}

void OptionField::showContext(const PreviewResult &result) const
{
    if (m_showContext)
        m_showContext(result);
}

namespace
{

constexpr int fieldSpacing = 8;

/// A spin box or a combo box in a page that scrolls: without the focus it leaves the wheel to the page.
template <typename Editor>
class CalmEdit : public Editor
{
public:
    CalmEdit() { this->setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent *event) override
    {
        if (this->hasFocus())
            Editor::wheelEvent(event);
        else
            event->ignore();
    }
};

/// Returns the access to a value that every text of the editor is valid for.
/// @param show puts a value into the editor.
/// @param typed returns the editor's value.
template <typename T, typename Show, typename Typed>
FieldValue accessTo(SpecField<T> value, Show show, Typed typed, std::function<QString()> shown)
{
    return {[value, show](const LaunchSpec &spec) { show(valueIn(spec, value)); },
            [value, typed](LaunchSpec &spec) -> std::optional<Error> {
                value(spec) = typed();
                return std::nullopt;
            },
            std::move(shown)};
}

FieldValue accessTo(const TextForm &form, QLineEdit *edit)
{
    return {[form, edit](const LaunchSpec &spec) {
                edit->setText(form.write(spec));
                edit->setCursorPosition(0);
            },
            [form, edit](LaunchSpec &spec) { return form.read(spec, edit->text()); },
            [edit] {
                return edit->text();
            }};
}

QPushButton *browseButton(QLineEdit *edit, PathKind kind, const QString &title)
{
    auto *button = new QPushButton(OptionGroup::tr("Browse…"));
    button->setAutoDefault(false);
    button->setAccessibleName(title);
    QObject::connect(button, &QPushButton::clicked, edit, [edit, kind, title] {
        QFileDialog *dialog = openFileDialog(
            edit, title, {OptionGroup::tr("Rank tables (*.json)"), OptionGroup::tr("All files (*)")});
        if (kind == PathKind::Directory) {
            dialog->setFileMode(QFileDialog::Directory);
            dialog->setOption(QFileDialog::ShowDirsOnly);
        }
        QObject::connect(dialog, &QFileDialog::fileSelected, edit, &QLineEdit::setText);
        dialog->open();
    });
    return button;
}

QPushButton *presetsButton(QPlainTextEdit *edit, const QList<LinePreset> &presets)
{
    auto *button = new QPushButton(OptionGroup::tr("Add"));
    auto *menu = new QMenu(button);
    for (const LinePreset &preset : presets)
        menu->addAction(withColon(preset.line, preset.words), edit, [edit, line = preset.line] {
            const QString text = edit->toPlainText().trimmed();
            edit->setPlainText(text.isEmpty() ? line : text + '\n'_L1 + line);
            edit->moveCursor(QTextCursor::End);
            edit->setFocus();
        });
    button->setMenu(menu);
    return button;
}

} // namespace

TextForm TextForm::plain(SpecField<QString> value)
{
    return {[value](const LaunchSpec &spec) { return valueIn(spec, value); },
            [value](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
                value(spec) = text;
                return std::nullopt;
            }};
}

TextField::TextField(const OptionRow &row, const TextForm &form, QLineEdit *edit, QWidget *button)
    : OptionField(row, "Edit", edit, button, accessTo(form, edit))
    , m_edit(edit)
{
    setPlaceholder(shown(row.unset));
    connect(edit, &QLineEdit::textChanged, this, &OptionField::edited);
}

OptionGroup::OptionGroup(const LaunchSpec &defaults, QWidget *parent)
    : QWidget(parent)
    , m_defaults(defaults)
    , m_layout(withoutMargins(new QVBoxLayout(this)))
{
    m_layout->setSpacing(fieldSpacing);
}

void OptionGroup::addTitle(const QString &title)
{
    auto *label = new QLabel(title);
    makeBold(label);
    label->setContentsMargins(0, fieldSpacing, 0, 0);
    m_layout->addWidget(label);
}

OptionField *OptionGroup::addNumber(const OptionRow &row)
{
    auto *edit = new CalmEdit<QSpinBox>;
    edit->setRange(row.range.least == OptionRange().least ? -1 : row.range.least, row.range.most);
    edit->setSuffix(row.unit());
    edit->setSpecialValueText(shown(row.unset));
    const auto show = [edit](int number) {
        // A wrong value is shown as it is, so that its error makes sense.
        edit->setRange(qMin(edit->minimum(), number), qMax(edit->maximum(), number));
        edit->setValue(number);
    };
    const auto number = [edit] {
        return edit->value();
    };
    auto *field = new OptionField(row, "Spin", edit, nullptr,
                                  accessTo(row.field<int>(), show, number, [edit] { return edit->text(); }));
    connect(edit, &QSpinBox::valueChanged, field, &OptionField::edited);
    return add(field);
}

OptionField *OptionGroup::addSwitch(const OptionRow &row)
{
    auto *box = new QCheckBox(shown(row.label));
    const auto isOn = [box] {
        return box->isChecked();
    };
    const auto show = [box](bool on) {
        box->setChecked(on);
    };
    auto *field = new OptionField(row, "Check", box, nullptr, accessTo(row.field<bool>(), show, isOn, [isOn] {
                                      return isOn() ? tr("on") : tr("off");
                                  }));
    connect(box, &QCheckBox::toggled, field, &OptionField::edited);
    return add(field);
}

TextField *OptionGroup::addText(const OptionRow &row, const TextForm &form)
{
    return add(new TextField(row, form, new QLineEdit));
}

TextField *OptionGroup::addPath(const OptionRow &row, PathKind kind, const QString &title)
{
    auto *edit = new QLineEdit;
    return add(
        new TextField(row, TextForm::plain(row.field<QString>()), edit, browseButton(edit, kind, title)));
}

OptionField *OptionGroup::addChoice(const OptionRow &row)
{
    auto *box = new CalmEdit<QComboBox>;
    QStringList choices = row.choices().split(u'|');
    box->setEditable(choices.removeOne(u"…"_s));
    box->setInsertPolicy(QComboBox::NoInsert);
    box->addItems(choices);
    const auto show = [box](const QString &word) {
        if (box->findText(word) < 0)
            box->addItem(word);
        box->setCurrentText(word);
    };
    const auto chosen = [box] {
        return box->currentText();
    };
    auto *field =
        new OptionField(row, "Combo", box, nullptr, accessTo(row.field<QString>(), show, chosen, chosen));
    connect(box, &QComboBox::currentTextChanged, field, &OptionField::edited);
    return add(field);
}

OptionField *OptionGroup::addLines(const OptionRow &row, const TextForm &form,
                                   const QList<LinePreset> &presets)
{
    auto *edit = new QPlainTextEdit;
    useFixedFont(edit);
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit->setTabChangesFocus(true);
    showLines(edit, 3);
    edit->setPlaceholderText(shown(row.unset));
    QPushButton *button = presets.isEmpty() ? nullptr : presetsButton(edit, presets);
    auto *field =
        new OptionField(row, "Edit", edit, button,
                        {[form, edit](const LaunchSpec &spec) { edit->setPlainText(form.write(spec)); },
                         [form, edit](LaunchSpec &spec) { return form.read(spec, edit->toPlainText()); },
                         [] {
                             return QString();
                         }});
    if (button)
        button->setObjectName(edit->objectName() + u"AddButton"_s);
    connect(edit, &QPlainTextEdit::textChanged, field, &OptionField::edited);
    return add(field);
}

int OptionGroup::changedFields() const
{
    return int(std::ranges::count_if(m_fields, [this](const OptionField *field) {
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

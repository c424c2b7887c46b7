#pragma once

#include "launch/spec/optionrows.h"
#include "launchform/fields/previewresult.h"
#include "widgets/labels.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

/// A field of the form: its name, its editor, and a NoteLabel below the editor. The name stands at the left,
/// or above where there is little room.
class Field : public QWidget
{
    Q_OBJECT

public:
    /// @param label with its mnemonic; empty for an editor that carries its own name, as a check box does.
    /// @param editor takes the focus for the mnemonic; its object name with "Note" added names the note.
    /// @param button stands at the right of the editor; null for none.
    Field(const QString &label, QWidget *editor, const QString &help, QWidget *button,
          QWidget *parent = nullptr);

    /// Shows the name of the option, small, beside the name of the field.
    void setOption(const QString &option);
    /// Puts the name at the left with this width in pixels, so that the editors of a column line up; 0:
    /// above.
    void setNameWidth(int width);
    /// Returns the width that the name and the option need.
    int nameWidth() const { return qMax(m_name->sizeHint().width(), m_option->sizeHint().width()); }
    /// Returns the name as the user reads it.
    QString name() const;
    void setHelp(const QString &help);
    /// Shows a problem in place of the help; empty for none.
    void setProblem(const QString &problem);
    bool hasProblem() const { return m_note->hasProblem(); }
    /// Adds a widget below the note, and takes ownership of it.
    void addBelow(QWidget *widget)
    {
        m_below += widget;
        arrange();
    }
    QWidget *editor() const { return m_editor; }
    QWidget *button() const { return m_button; }

private:
    void describe() { m_editor->setAccessibleDescription(m_note->text()); }
    void arrange();

    QLabel *m_name;
    QLabel *m_option;
    QWidget *m_editor;
    QWidget *m_button;
    NoteLabel *m_note;
    QList<QWidget *> m_below;
    bool m_isNarrow = false;
};

/// How the value in an editor and the one in a spec become each other.
struct FieldValue {
    std::function<void(const LaunchSpec &)> fill;
    /// Puts the typed value into the spec. Fails if no launch could use it; the spec then stays as it was.
    std::function<std::optional<Error>(LaunchSpec &)> read;
    /// Returns the value as the help names a default; empty if the help names none.
    std::function<QString()> shown;
};

/// A field of the form that fills itself from a spec, and writes its value into one.
class OptionField : public Field
{
    Q_OBJECT

public:
    /// @param editor gets the option's name and `kind` for its object name: "logDirEdit" of "--log_dir". A
    /// check box carries the label itself.
    OptionField(const OptionRow &row, const char *kind, QWidget *editor, QWidget *button, FieldValue value);

    /// As on the command line and in errors: "--log_dir".
    const QStringList &names() const { return m_names; }
    /// Adds another name that errors use.
    void addName(const QString &name) { m_names += name; }
    void fill(const LaunchSpec &spec) { m_value.fill(spec); }
    /// See FieldValue::read.
    std::optional<Error> read(LaunchSpec &spec) const { return m_value.read(spec); }
    /// Fills the field from a new spec of the launcher, and adds that value to the help.
    void sayDefault(const LaunchSpec &defaults);

    /// Sets the function that shows in the field what a preview found out.
    void onContext(std::function<void(const PreviewResult &)> show) { m_showContext = std::move(show); }
    void showContext(const PreviewResult &result) const;
    /// In the order of the Tab key.
    QList<QWidget *> focusOrder() const { return m_focusOrder; }
    /// Adds a widget below the note; `focus` is its part that takes the focus.
    void addLine(QWidget *line, QWidget *focus)
    {
        addBelow(line);
        m_focusOrder += focus;
    }

Q_SIGNALS:
    void edited();

private:
    FieldValue m_value;
    QStringList m_names;
    QString m_help;
    QList<QWidget *> m_focusOrder;
    std::function<void(const PreviewResult &)> m_showContext;
};

/// Writes a value as text, and reads it from text. Both ways lose nothing.
struct TextForm {
    std::function<QString(const LaunchSpec &)> write;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;

    /// The text is the value.
    static TextForm plain(SpecField<QString> value);
};

/// A line that a menu offers, and its description there.
struct LinePreset {
    QString line;
    QString words;
};

enum class PathKind { File, Directory };

/// A field for a value in one line.
class TextField : public OptionField
{
    Q_OBJECT

public:
    /// @param button stands at the right of `edit`; null for none.
    TextField(const OptionRow &row, const TextForm &form, QLineEdit *edit, QWidget *button = nullptr);

    void setPlaceholder(const QString &placeholder) { m_edit->setPlaceholderText(placeholder); }
    QString text() const { return m_edit->text(); }

private:
    QLineEdit *m_edit;
};

/// A column of fields.
class OptionGroup : public QWidget
{
    Q_OBJECT

public:
    /// @param defaults a new spec of the launcher; the fields' help names its values.
    explicit OptionGroup(const LaunchSpec &defaults, QWidget *parent = nullptr);

    void addTitle(const QString &title);
    // Each adds the field of a row, with an editor for its value.

    /// Numbers out of the row's range cannot be typed, but one that a spec has is shown.
    OptionField *addNumber(const OptionRow &row);
    OptionField *addSwitch(const OptionRow &row);
    TextField *addText(const OptionRow &row, const TextForm &form);
    TextField *addText(const OptionRow &row) { return addText(row, TextForm::plain(row.field<QString>())); }
    /// @param title of the dialog that the button Browse… opens.
    TextField *addPath(const OptionRow &row, PathKind kind, const QString &title);
    /// A word that a spec has and the row does not name is kept and shown.
    OptionField *addChoice(const OptionRow &row);
    /// Adds an editor of several lines.
    /// @param presets offered in a menu, which adds them below the other lines.
    OptionField *addLines(const OptionRow &row, const TextForm &form, const QList<LinePreset> &presets = {});

    const QList<OptionField *> &fields() const { return m_fields; }
    /// Returns how many fields differ from the defaults.
    int changedFields() const;

private:
    template <typename T>
    T *add(T *field);

    LaunchSpec m_defaults;
    QVBoxLayout *m_layout;
    QList<OptionField *> m_fields;
};

} // namespace rankdeck

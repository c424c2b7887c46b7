#pragma once

#include "launchform/fields/optionfield.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

/// Writes a value as text, and reads it from text. Both ways lose nothing.
struct TextForm {
    std::function<QString(const LaunchSpec &)> write;
    std::function<std::optional<Error>(LaunchSpec &, const QString &)> read;

    /// The text is the value.
    static TextForm plain(const ValueIn<QString> &value);
};

/// The range of a number field. Other values cannot be typed, but one that a spec has is shown.
struct NumberRange {
    int least = 0;
    int most = 0;
    QString unit = {};      ///< Follows the number: " s".
    QString leastWord = {}; ///< Replaces the least number, if given: "none".
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
    TextField(const OptionWords &words, const TextForm &form, QLineEdit *edit, QWidget *button = nullptr);

    void setPlaceholder(const QString &placeholder) { m_edit->setPlaceholderText(placeholder); }

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
    OptionField *addNumber(const OptionWords &words, const ValueIn<int> &value, const NumberRange &range);
    /// Adds a check box that carries the label.
    OptionField *addSwitch(const OptionWords &words, const ValueIn<bool> &value);
    TextField *addText(const OptionWords &words, const TextForm &form, const QString &placeholder = {});
    TextField *addText(const OptionWords &words, const ValueIn<QString> &value,
                       const QString &placeholder = {});
    /// @param title of the dialog that the button Browse… opens.
    TextField *addPath(const OptionWords &words, const ValueIn<QString> &value, PathKind kind,
                       const QString &title, const QString &placeholder = {});
    /// @param choices the words to choose from; another one that a spec has is kept and shown.
    OptionField *addChoice(const OptionWords &words, const ValueIn<QString> &value,
                           const QStringList &choices);
    /// Adds an editor of several lines.
    /// @param presets offered in a menu, which adds them below the other lines.
    OptionField *addLines(const OptionWords &words, const TextForm &form, const QString &placeholder = {},
                          const QList<LinePreset> &presets = {});

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

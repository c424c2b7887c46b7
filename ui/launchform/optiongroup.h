#pragma once

#include "launchform/linesfield.h"
#include "launchform/numberfield.h"
#include "launchform/pathedit.h"
#include "launchform/textfield.h"

#include <QWidget>

class QVBoxLayout;

namespace rankdeck
{

/// Fields below each other.
class OptionGroup : public QWidget
{
    Q_OBJECT

public:
    /// @param defaults what a new spec of the launcher holds; the fields' help names it.
    explicit OptionGroup(const LaunchSpec &defaults, QWidget *parent = nullptr);

    void addTitle(const QString &title);
    OptionField *addNumber(const OptionWords &words, ValueIn<int> value, const NumberRange &range);
    OptionField *addSwitch(const OptionWords &words, ValueIn<bool> value);
    TextField *addText(const OptionWords &words, const TextForm &form, const QString &placeholder = {});
    /// @param title of the dialog that looks for it.
    TextField *addPath(const OptionWords &words, const ValueIn<QString> &value, PathEdit::Kind kind,
                       const QString &title, const QString &placeholder = {});
    OptionField *addChoice(const OptionWords &words, ValueIn<QString> value, const QStringList &choices);
    OptionField *addLines(const OptionWords &words, const TextForm &form, const QString &placeholder = {},
                          const QList<LinePreset> &presets = {});

    const QList<OptionField *> &fields() const { return m_fields; }
    /// How many of its fields hold something else than the defaults.
    int changedFields() const;

private:
    template <typename T>
    T *add(T *field);

    LaunchSpec m_defaults;
    QVBoxLayout *m_layout;
    QList<OptionField *> m_fields;
};

} // namespace rankdeck

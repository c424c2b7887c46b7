#pragma once

#include "widgets/preferences.h"
#include "widgets/widgetparts.h"

class QDoubleSpinBox;
class QFontComboBox;
class QSpinBox;

namespace rankdeck
{

/// Asks for the preferences, and saves them.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param languages codes of the languages that there are translations for, such as "zh_CN".
    explicit PreferencesDialog(const QStringList &launchers, const QStringList &languages,
                               QWidget *parent = nullptr);

    /// Returns what the fields say.
    Preferences preferences() const;

private:
    QWidget *makeLook(const QStringList &languages);
    QWidget *makeRuns(const QStringList &launchers);
    QWidget *makeNews();
    void save() { preferences().save(); }

    Preferences m_before; ///< Has the values that no field shows.
    QComboBox *m_theme;
    QSpinBox *m_zoom;
    QCheckBox *m_ownLogFont;
    QFontComboBox *m_logFont;
    QDoubleSpinBox *m_logSize;
    QComboBox *m_language;
    QLineEdit *m_editor;
    QComboBox *m_launcher;
    QList<std::pair<const OptionRow *, QSpinBox *>> m_launchNumbers; ///< See launchPreferences().
    QCheckBox *m_asksToStop;
    QCheckBox *m_asksToClose;
    QCheckBox *m_notifies;
    QLineEdit *m_endCommand;
};

} // namespace rankdeck

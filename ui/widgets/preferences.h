#pragma once

#include "base/tr.h"

#include <QMap>
#include <QObject>

namespace rankdeck
{

struct LaunchSpec;
struct OptionRow;

/// What the user has set in the preferences, and the zoom of the window. Kept in the settings.
struct Preferences {
    enum class Theme { System, Light, Dark };

    Theme theme = Theme::System;
    int zoom = 100;         ///< Percent, of all text of the window.
    QString logFont;        ///< Family of logs and terminals; empty: Rankdeck's choice.
    double logSize = 0;     ///< Points, of logs and terminals at a zoom of 100; 0: the window's size.
    QString language;       ///< "en", "zh_CN"; empty: the system's.
    QString editor;         ///< Command with {file} and {line}; empty: the system's choice.
    bool notifies = true;   ///< A notification of the desktop when a run ends or stalls.
    QString endCommand;     ///< RANKDECK_ON_END for new launch forms and Run again; empty: none.
    bool asksToStop = true; ///< Before stop and kill.
    bool asksToClose = true;
    QString launcher = u"davincirun"_s; ///< What a new launch form shows first.
    /// Numbers by option ("--stall-after") of a new launch form, unless default. See launchPreferences().
    QMap<QString, int> launchNumbers;

    static constexpr int leastZoom = 50;
    static constexpr int mostZoom = 300;

    static Preferences load();
    /// Puts the numbers of a new launch form into `spec`.
    void applyTo(LaunchSpec &spec) const;
    /// Keeps them, applies the look, and tells everybody who is connected to preferencesNews().
    void save() const;

    bool operator==(const Preferences &) const = default;
};

/// Tells that the preferences were saved.
class PreferencesNews : public QObject
{
    Q_OBJECT

Q_SIGNALS:
    void changed(const rankdeck::Preferences &preferences);
};

PreferencesNews &preferencesNews();

/// Returns the options whose number for a new launch form is a preference.
std::vector<const OptionRow *> launchPreferences();

/// Applies theme and zoom to the application, at once also to what is shown.
void applyLook(const Preferences &preferences);
/// Returns the zoom that is applied, as a factor.
double appliedZoom();
/// Returns the usual size of text in points, without the zoom.
double usualTextSize();

} // namespace rankdeck

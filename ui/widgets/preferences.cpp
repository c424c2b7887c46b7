#include "widgets/preferences.h"

#include "canvas/widget/canvaswidget.h"
#include "launch/spec/optionrows.h"

#include <QApplication>
#include <QFontInfo>
#include <QProxyStyle>
#include <QSettings>
#include <QStyleFactory>

#include <algorithm>

namespace rankdeck
{

static double zoomFactor = 1;

/// Calls visit(key, member) for every preference.
template <typename Its, typename Visit>
static void visitAll(Its &its, Visit visit)
{
    visit("look/zoom", its.zoom);
    visit("look/logFont", its.logFont);
    visit("window/logTextSize", its.logSize);
    visit("window/language", its.language);
    visit("editor/command", its.editor);
    visit("news/notifies", its.notifies);
    visit("news/command", its.endCommand);
    visit("confirm/stop", its.asksToStop);
    visit("confirm/close", its.asksToClose);
    visit("launch/launcher", its.launcher);
}

static QString keyOf(const OptionRow &row)
{
    return u"launch/"_s + idOf(row.name());
}

static int defaultOf(const OptionRow &row)
{
    return valueIn(LaunchSpec(), row.field<int>());
}

std::vector<const OptionRow *> launchPreferences()
{
    std::vector<const OptionRow *> rows;
    for (const OptionRow &row : commonRows()) {
        if (row.preference)
            rows.push_back(&row);
    }
    return rows;
}

static QString themeWord(Preferences::Theme theme)
{
    return theme == Preferences::Theme::Dark    ? u"dark"_s
           : theme == Preferences::Theme::Light ? u"light"_s
                                                : u"system"_s;
}

Preferences Preferences::load()
{
    const QSettings settings;
    Preferences loaded;
    visitAll(loaded, [&settings](const char *key, auto &member) {
        const QVariant value = settings.value(QLatin1String(key));
        if (value.isValid())
            member = value.value<std::decay_t<decltype(member)>>();
    });
    for (const OptionRow *row : launchPreferences()) {
        const int number = settings.value(keyOf(*row), defaultOf(*row)).toInt();
        if (number != defaultOf(*row))
            loaded.launchNumbers.insert(row->name(), number);
    }
    loaded.zoom = std::clamp(loaded.zoom, leastZoom, mostZoom);
    const QString word = settings.value(u"look/theme"_s).toString();
    for (const Theme known : {Theme::Light, Theme::Dark}) {
        if (word == themeWord(known))
            loaded.theme = known;
    }
    return loaded;
}

void Preferences::save() const
{
    applyLook(*this);
    QSettings settings;
    const Preferences usual;
    QVariantMap usualValues;
    visitAll(usual, [&usualValues](const char *key, const auto &member) {
        usualValues.insert(QLatin1String(key), QVariant::fromValue(member));
    });
    usualValues.insert(u"look/theme"_s, themeWord(usual.theme));
    // What is as usual is not kept, so that a better usual one counts later.
    const auto keep = [&](const QString &key, const QVariant &value) {
        if (value == usualValues.value(key))
            settings.remove(key);
        else
            settings.setValue(key, value);
    };
    visitAll(*this, [&keep](const char *key, const auto &member) {
        keep(QLatin1String(key), QVariant::fromValue(member));
    });
    keep(u"look/theme"_s, themeWord(theme));
    for (const OptionRow *row : launchPreferences()) {
        usualValues.insert(keyOf(*row), defaultOf(*row));
        keep(keyOf(*row), launchNumbers.value(row->name(), defaultOf(*row)));
    }
    Q_EMIT preferencesNews().changed(*this);
}

void Preferences::applyTo(LaunchSpec &spec) const
{
    for (const OptionRow *row : launchPreferences())
        row->field<int>()(spec) = launchNumbers.value(row->name(), defaultOf(*row));
}

PreferencesNews &preferencesNews()
{
    static PreferencesNews news;
    return news;
}

static QPalette lightPalette()
{
    QPalette light(QColor(0xef, 0xef, 0xef), QColor(0xf2, 0xf2, 0xf2));
    light.setColor(QPalette::Base, Qt::white);
    light.setColor(QPalette::AlternateBase, QColor(0xf6, 0xf6, 0xf6));
    light.setColor(QPalette::Highlight, QColor(0x30, 0x8c, 0xc6));
    light.setColor(QPalette::HighlightedText, Qt::white);
    light.setColor(QPalette::PlaceholderText, QColor(0x70, 0x70, 0x70));
    light.setColor(QPalette::ToolTipBase, QColor(0xff, 0xff, 0xdc));
    light.setColor(QPalette::ToolTipText, Qt::black);
    return light;
}

static QPalette darkPalette()
{
    const QColor text(0xe6, 0xe6, 0xe6);
    const QColor quiet(0x84, 0x84, 0x84);
    QPalette dark(QColor(0x3a, 0x3d, 0x40), QColor(0x2b, 0x2d, 0x30));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        dark.setColor(role, text);
        dark.setColor(QPalette::Disabled, role, quiet);
    }
    dark.setColor(QPalette::Base, QColor(0x1e, 0x1f, 0x22));
    dark.setColor(QPalette::AlternateBase, QColor(0x26, 0x28, 0x2b));
    dark.setColor(QPalette::ToolTipBase, QColor(0x3a, 0x3d, 0x40));
    dark.setColor(QPalette::PlaceholderText, QColor(0x96, 0x96, 0x96));
    dark.setColor(QPalette::Highlight, QColor(0x2f, 0x65, 0xca));
    dark.setColor(QPalette::HighlightedText, Qt::white);
    dark.setColor(QPalette::Link, QColor(0x6c, 0xb2, 0xff));
    dark.setColor(QPalette::LinkVisited, QColor(0xc8, 0xa0, 0xff));
    return dark;
}

static void applyTheme(Preferences::Theme theme)
{
    static Preferences::Theme applied = Preferences::Theme::System;
    if (std::exchange(applied, theme) == theme)
        return;
    auto *const proxy = qobject_cast<QProxyStyle *>(QApplication::style());
    // Only Fusion draws with any palette.
    if (proxy && theme != Preferences::Theme::System)
        proxy->setBaseStyle(QStyleFactory::create(u"Fusion"_s));
    QApplication::setPalette(theme == Preferences::Theme::Dark    ? darkPalette()
                             : theme == Preferences::Theme::Light ? lightPalette()
                                                                  : QPalette());
}

/// Returns the application's font without the zoom.
static const QFont &usualFont()
{
    static const QFont font = QApplication::font();
    return font;
}

static void applyZoom(double factor)
{
    const double change = factor / zoomFactor;
    if (change == 1)
        return;
    // Fonts with a size of their own do not follow the application's. All are read before one is changed: a
    // widget's font may come from that of its parent.
    QList<std::pair<QWidget *, QFont>> own;
    for (QWidget *const widget : QApplication::allWidgets()) {
        QFont font = widget->font();
        const bool hasOwnSize =
            widget->testAttribute(Qt::WA_SetFont) && (font.resolveMask() & QFont::SizeResolved) != 0;
        // Logs and terminals are set by LogActions.
        if (!hasOwnSize || qobject_cast<CanvasWidget *>(widget))
            continue;
        font.setPointSizeF(QFontInfo(font).pointSizeF() * change);
        own.append({widget, font});
    }
    QFont font = usualFont();
    font.setPointSizeF(usualTextSize() * factor);
    zoomFactor = factor;
    QApplication::setFont(font);
    for (const auto &[widget, its] : own)
        widget->setFont(its);
}

void applyLook(const Preferences &preferences)
{
    applyTheme(preferences.theme);
    applyZoom(preferences.zoom / 100.0);
}

double appliedZoom()
{
    return zoomFactor;
}

double usualTextSize()
{
    return QFontInfo(usualFont()).pointSizeF();
}

} // namespace rankdeck

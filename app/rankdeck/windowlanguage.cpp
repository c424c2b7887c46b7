#include "windowlanguage.h"

#include "base/language.h"
#include "mainwindow/window/mainwindow.h"
#include "widgets/preferences.h"

#include <QFontDatabase>

#include <cstdio>

namespace rankdeck
{

static constexpr char fontLanguage[] = "FC_LANG"; // See fontconfig's manual.

static QString wantedLanguage(const QString &asked, const QString &preferred)
{
    const auto language = languageFromWord(asked.isEmpty() ? preferred : asked);
    return language ? *language
                    : *languageFromWord({}); // The preferences may name a translation that is gone.
}

static bool isChinese(const QString &language)
{
    return language.startsWith("zh"_L1);
}

FontLanguage::FontLanguage(const QString &asked, const QString &preferred)
    : m_isSet(!qEnvironmentVariableIsSet(fontLanguage) && isChinese(wantedLanguage(asked, preferred)))
{
    if (m_isSet)
        qputenv(fontLanguage, "zh-cn");
}

FontLanguage::~FontLanguage()
{
    if (m_isSet)
        qunsetenv(fontLanguage);
}

QString windowLanguage(const QString &asked, const QString &preferred)
{
    const QString language = wantedLanguage(asked, preferred);
    if (!isChinese(language) || !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
        return language;
    std::fprintf(stderr,
                 "rankdeck: no font with Chinese characters is installed, so the window is in English. "
                 "Install one, e.g. fonts-noto-cjk or fonts-wqy-microhei.\n");
    return u"en"_s;
}

TranslatedWindow::TranslatedWindow()
    : m_window(std::make_unique<MainWindow>())
{
    connect(&preferencesNews(), &PreferencesNews::changed, this,
            [this, before = Preferences::load().language](const Preferences &preferences) mutable {
                // The dialog that has saved them is a child of the window.
                if (std::exchange(before, preferences.language) != preferences.language)
                    QTimer::singleShot(0, this,
                                       [this, language = preferences.language] { takeLanguage(language); });
            });
}

TranslatedWindow::~TranslatedWindow() = default;

void TranslatedWindow::takeLanguage(const QString &preferred)
{
    const QString language = windowLanguage({}, preferred);
    if (language == installedLanguage())
        return;
    if (m_window->isBusy()) {
        m_window->showMessage(tr("The language changes when the window is opened again."));
        return;
    }
    installTranslations(language);
    const auto before = std::exchange(m_window, std::make_unique<MainWindow>());
    m_window->takeOver(*before);
    m_window->show();
    before->hide();
}

} // namespace rankdeck

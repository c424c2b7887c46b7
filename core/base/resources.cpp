#include "translations.h"

#include "launch/demolaunch.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace rankdeck
{

void installTranslations(QCoreApplication &application, const QString &language)
{
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    if (!language.isEmpty())
        QLocale::setDefault(locale);
    const auto install = [&](const QString &name, const QString &directory) {
        auto *translator = new QTranslator(&application);
        if (translator->load(locale, name, QStringLiteral("_"), directory))
            QCoreApplication::installTranslator(translator);
        else
            delete translator;
    };
    install(QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    if (const auto resources = resourcesDirectory())
        install(QStringLiteral("rankdeck"), *resources + QStringLiteral("/translations"));
}

} // namespace rankdeck

#include "base/language.h"

#include "base/listcomma.h"
#include "base/program.h"

#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace rankdeck
{

static const QString english = u"en"_s;
static const QString prefix = u"rankdeck_"_s;
static QString installed = english;

/// Returns where translations are: among the data files, then those that are built in.
static QStringList translationFolders()
{
    QStringList folders{u":/translations"_s};
    if (const auto resources = resourcesDirectory())
        folders.prepend(*resources + u"/translations"_s);
    return folders;
}

QStringList translationLanguages()
{
    QStringList languages;
    for (const QString &folder : translationFolders()) {
        const QStringList files = QDir(folder).entryList({prefix + u"*.qm"_s}, QDir::Files);
        for (const QString &file : files)
            languages << file.mid(prefix.size()).chopped(3);
    }
    languages.removeDuplicates();
    return languages;
}

/// Returns the one of `known` that "zh_CN.UTF-8", "zh-Hans" or "zh" means; empty: none.
static QString knownLanguage(const QString &name, const QStringList &known)
{
    QString code = name.section('.'_L1, 0, 0).section('@'_L1, 0, 0);
    code.replace('-'_L1, '_'_L1);
    const QString language = code.section('_'_L1, 0, 0);
    if (known.contains(code))
        return code;
    for (const QString &each : known) {
        if (each.section('_'_L1, 0, 0) == language)
            return each;
    }
    return {};
}

QString languageOf(const QProcessEnvironment &environment, const QStringList &known)
{
    QString locale;
    for (const char *variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        if (locale.isEmpty())
            locale = environment.value(QLatin1String(variable));
    }
    const QString name = locale.section('.'_L1, 0, 0);
    // In the C locale gettext does not look at LANGUAGE either.
    if (name.isEmpty() || name == "C"_L1 || name == "POSIX"_L1)
        return english;
    const QStringList wanted = environment.value(u"LANGUAGE"_s).split(':'_L1, Qt::SkipEmptyParts);
    for (const QString &each : wanted.isEmpty() ? QStringList{locale} : wanted) {
        const QString found = knownLanguage(each, known + QStringList{english});
        if (!found.isEmpty())
            return found;
    }
    return english;
}

Result<QString> languageFromWord(const QString &word)
{
    const QStringList known = translationLanguages();
    if (word.isEmpty() || word == "auto"_L1)
        return languageOf(QProcessEnvironment::systemEnvironment(), known);
    const QString found = knownLanguage(word, known + QStringList{english});
    if (!found.isEmpty())
        return found;
    return Error{tr("there is no translation to \"%1\"").arg(word), u"--lang"_s,
                 tr("Give auto, %1.").arg((QStringList{english} + known).join(nameComma()))};
}

void installTranslations(const QString &language)
{
    QCoreApplication *const application = QCoreApplication::instance();
    const QString mark = u"translation"_s;
    const auto before = application->findChildren<QTranslator *>(mark);
    installed = language;
    // Numbers and dates stay as usual, unless they would come in another language.
    static const QLocale usual;
    const bool fits = language == english ? knownLanguage(usual.name(), translationLanguages()).isEmpty()
                                          : usual.language() == QLocale(language).language();
    QLocale::setDefault(fits ? usual : QLocale(language));
    const auto install = [&](const QString &name, const QStringList &folders) {
        auto translator = std::make_unique<QTranslator>(application);
        for (const QString &folder : folders) {
            if (!translator->load(name + language, folder))
                continue;
            translator->setObjectName(mark);
            QCoreApplication::installTranslator(translator.release());
            return;
        }
    };
    for (QTranslator *translator : before)
        delete translator;
    if (language == english)
        return;
    // Qt's own translation has more texts than the built-in one, but few systems have it.
    install(u"qtbase_"_s,
            QStringList{QLibraryInfo::path(QLibraryInfo::TranslationsPath)} + translationFolders());
    install(prefix, translationFolders());
}

QString installedLanguage()
{
    return installed;
}

} // namespace rankdeck

#pragma once

#include "base/result.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// Returns the languages other than English that there are translations to, such as "zh_CN".
QStringList translationLanguages();

/// Returns the language that an environment asks for: the first of `known` that LANGUAGE, LC_ALL, LC_MESSAGES
/// or LANG name, in this order of precedence as for gettext; else "en".
QString languageOf(const QProcessEnvironment &environment, const QStringList &known);

/// Returns the language that a user's word means: "auto" or nothing that of the environment, "en", or the
/// first translation that begins with the word: "zh" is "zh_CN". Fails if there is none.
Result<QString> languageFromWord(const QString &word);

/// Translates the program, Qt's own buttons and the error catalogue to `language`, one of
/// translationLanguages() or "en". The last call wins. Texts made before stay as they are.
void installTranslations(const QString &language);

/// Returns the language of the last installTranslations(); "en" before.
QString installedLanguage();

} // namespace rankdeck

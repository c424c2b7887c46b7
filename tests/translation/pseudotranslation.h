#pragma once

#include <QString>

namespace rankdeck
{

/// Makes a translation of all that lupdate finds in app, core and ui, in letters that no English word has,
/// and keeps it below a folder: `folder`/translations/rankdeck_zh_CN.qm.
/// @returns what went wrong, or what lupdate complains of; empty: nothing.
QString makePseudoTranslation(const QString &folder);

/// The English words in a text, without those that are data or typed: options, file names, variables,
/// placeholders in capitals.
QStringList englishWords(const QString &text);

} // namespace rankdeck

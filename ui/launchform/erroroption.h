#pragma once

#include "launchform/previewresult.h"

namespace rankdeck
{

/// The option that `error` is about, as normalOption() writes it. Error::where says it: an option's name as
/// on the command line ("--log-dir", "command"), or a file that one of the options names; else Error::mend
/// may name an option. Empty when neither does.
QString optionOf(const Error &error, const PreviewResult &context);

/// An option's name for comparing: launchers write "--log_dir" or "--log-dir".
QString normalOption(QString name);

/// `error` as a sentence for beside the field of `option`: without the names that the command line has for
/// it, and without the directory of the rank table, which the field shows. As it is when `option` is empty.
QString sentenceAt(const QString &option, const Error &error, const PreviewResult &context = {});

} // namespace rankdeck

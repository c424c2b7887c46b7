#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// A page of the manual that is compiled in.
struct ManualPage {
    QString name;  ///< Of its file: "logs.md", "launchers/msrun.md".
    QString title; ///< Its first heading.
    QString text;  ///< Markdown.
};

/// Returns where a page is in the language of the program, or in English if it has none in that language:
/// "qrc:/manual/en/logs.md" for "logs.md".
QString manualAddress(const QString &name);

/// Returns all pages, each in that language, in the order in which index.md links them, itself first; those
/// that it does not link come last.
QList<ManualPage> manualPages();

/// Returns what stands behind # in a link to a heading: "exit-codes" for "Exit codes".
QString headingAnchor(const QString &heading);

/// Returns how often a page holds all of `words`: how often the rarest of them stands in it, without regard
/// to case. 0 if one is missing, or there are none.
int hitsOf(const ManualPage &page, const QStringList &words);

} // namespace rankdeck

#pragma once

#include "result.h"

#include <QByteArray>
#include <QLocale>
#include <QStringList>

#include <string>
#include <vector>

namespace rankdeck
{

/// A text of the catalogue in each of its languages.
struct CatalogueText {
    QString english;
    QString chinese; ///< Simplified.

    /// Chinese where that is the locale's language, else English.
    const QString &in(const QLocale &locale) const;
};

/// One error that the catalogue knows: how a line that tells of it looks, and what a reader should know.
struct ErrorEntry {
    static constexpr int leastWeight = 1;
    static constexpr int mostWeight = 100;
    /// Up to this weight an entry stands for a kind of error, such as ValueError, and the line says more.
    static constexpr int generalWeight = 30;

    /// Whom a line that matches blames.
    enum class Blame {
        Self,   ///< The process that printed it.
        Peer,   ///< Another one, for which it waited in vain or which it has lost.
        Pair,   ///< It and another one, which do not agree.
        Nobody, ///< It says only that something has failed, or that others have.
    };

    QString id;          ///< Stable: the family, a hyphen, then the code or a name: "hccl-EI0006".
    std::string pattern; ///< RE2 syntax, UTF-8; found anywhere in a line.
    /// How much a line that matches explains, leastWeight to mostWeight: a cause that can be mended is near
    /// 90, what is usually a consequence near 50, what only passes another error on near 30.
    int weight = mostWeight;
    Blame blame = Blame::Self;
    CatalogueText title;   ///< One clause without a full stop.
    CatalogueText meaning; ///< What has happened.
    CatalogueText mend;    ///< What to do.
    QStringList commands;  ///< For a shell, to be copied; what a user must fill in stands in capitals.
    QString source;        ///< The document or repository that the fact is from.
    QString example;       ///< A line that the pattern matches.
};

/// Entries from JSON, `{"entries": [{"id", "pattern", "title", "meaning", "mend", "weight", "blame",
/// "commands", "source", "example"}]}`; the last five may be left out. "blame" is "self", "peer", "pair" or
/// "nobody". A text is an object with "en" and "zh_CN", or one
/// string for both.
/// Error: no such JSON, a key that is missing, unknown or of another kind, an id twice. `where` names the
/// file.
Result<std::vector<ErrorEntry>> readErrorEntries(const QByteArray &json, const QString &where);

} // namespace rankdeck

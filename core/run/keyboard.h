#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include <optional>

namespace rankdeck
{

// Several may watch a run's terminals; one at a time types into them. Who has the keyboard is the
// supervisor's to know: it is given to the first that asks, taken from who has it by whoever says so, and
// free again when its holder goes.

/// Who has the keyboard of a run, as one client sees it.
struct Keyboard {
    bool isOurs = false;
    QString holder; ///< Another client's name for itself; empty: ours, or nobody's.

    bool isFree() const { return !isOurs && holder.isEmpty(); }
    /// What a supervisor says: "keyboard ours", "keyboard free", "keyboard held BASE64".
    QByteArray toLine() const;
    /// Nothing for another line.
    static std::optional<Keyboard> fromLine(const QByteArray &line);

    bool operator==(const Keyboard &) const = default;
};

/// What a client asks: "keyboard ask BASE64", "keyboard take BASE64".
struct KeyboardRequest {
    QString name;            ///< Of the client, for others to read: "rankdeckctl attach (pid 12)".
    bool evenIfHeld = false; ///< Also when another has it.

    QByteArray toLine() const;
    /// Nothing for another line. The name is cut to one line that fits into a sentence.
    static std::optional<KeyboardRequest> fromLine(const QByteArray &line);

    bool operator==(const KeyboardRequest &) const = default;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::Keyboard)

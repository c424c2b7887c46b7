#pragma once

#include "base/tr.h"

#include <concepts>

namespace rankdeck
{

/// A text for users that remembers how it was made: from which English text, with which arguments. It can be
/// stored, and whoever reads it gets it in their own language. The English text is its id, as it is for
/// translators; an argument is a text that stays as it is, or another sentence.
class Sentence
{
public:
    Sentence() = default;
    /// A text that is the same in every language, such as a name or what a process has printed.
    explicit Sentence(const QString &plain)
        : m_plain(plain)
    {
    }
    /// As tr() of base/tr.h. lupdate knows it by this name.
    static Sentence tr(const char *text, const char *disambiguation = nullptr, int n = -1);

    /// As QString::arg(): with texts, sentences, or a number and its format.
    template <typename... Values>
    Sentence arg(const Values &...values) const
    {
        Sentence made = *this;
        if constexpr ((std::convertible_to<const Values &, QString> && ...))
            (made.m_arguments.append(argument(values)), ...);
        else
            made.m_arguments.append(argument(u"%1"_s.arg(values...)));
        return made;
    }

    /// Returns the parts with the separator between them; Chinese has no space between its letters.
    static Sentence joined(const QList<Sentence> &parts, const Sentence &separator);

    /// Returns the text in the language of this program.
    QString text() const { return made(false); }
    operator QString() const { return text(); }
    QString english() const { return made(true); }
    bool isEmpty() const { return isPlain() && m_plain.isEmpty(); }
    /// Whether it is the same in every language.
    bool isPlain() const { return m_source.isNull() && m_arguments.isEmpty(); }
    /// Returns the sentence with `change(text)` in place of each text that stays as it is, except a space.
    Sentence withPlain(const std::invocable<QString> auto &change) const
    {
        Sentence changed = *this;
        if (m_plain != " "_L1)
            changed.m_plain = change(m_plain);
        for (Sentence &each : changed.m_arguments)
            each = each.withPlain(change);
        return changed;
    }

    bool operator==(const Sentence &other) const;
    friend bool operator==(const Sentence &one, const QString &other) { return one.text() == other; }

private:
    static Sentence argument(const Sentence &sentence) { return sentence; }
    static Sentence argument(const QString &plain) { return Sentence(plain); }
    /// Returns the source, after tabs what tells it apart and its number: how it is stored.
    QString id() const;
    void setId(const QString &id);
    QString made(bool isEnglish) const;

    QString m_plain;
    QByteArray m_source; ///< Null: m_plain; or the arguments after the first, which stands between them.
    QByteArray m_comment;
    int m_number = -1;
    QList<Sentence> m_arguments;

    friend class Fields;
#ifdef RANKDECK_LUPDATE
    Q_DECLARE_TR_FUNCTIONS(rankdeck)
#endif
};

/// Returns the sentences, joined by spaces where their letters want one.
Sentence joinedBySpaces(const QList<Sentence> &sentences);
/// Returns the texts of sentences in the language of this program.
QStringList textsOf(const QList<Sentence> &sentences);

} // namespace rankdeck

#pragma once

#include "base/tr.h"

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

/// Replaces a secret.
inline constexpr char secretMask[] = "***";

/// Whether a variable or an option of this name is taken to hold a secret: TOKEN, SECRET, PASSWORD, PASSWD,
/// PASSPHRASE, KEY, CREDENTIAL, AUTH or COOKIE is in it, however written; not TOKENIZER, AUTHOR or KEYBOARD.
bool isSecretName(const QString &name);

/// Finds secrets by their names and keeps them out of all files. A value is not a secret if it is empty, a
/// yes or no, or, for plural names such as MAX_TOKENS and NUM_KEYS, a number.
class Secrets
{
public:
    /// Shorter ones are masked where they were found but not looked for elsewhere.
    static constexpr qsizetype leastLength = 6;

    /// Learn those of this program's own environment: ranks inherit it and may print it.
    void learnEnvironment();
    /// Mask, in place, the secrets of a document: values of keys with a secret name; in lists of words and in
    /// command lines what follows "--token", "--token=" and "TOKEN="; "Bearer" and its word; and who logs in
    /// in an address ("https://user:password@host"). They are learnt.
    void mask(nlohmann::json &json);
    /// Masks all learnt secrets, plain or as JSON and HTML write them, and users in addresses. Keeps lines.
    QByteArray masked(QByteArray text) const;
    /// Names whose values were masked, each once, sorted.
    const QStringList &names() const { return m_names; }

private:
    void learn(const QString &name, const QString &value);
    QString maskedValue(const QString &name, const QString &value);
    QString maskedWords(const QString &text);

    QList<QByteArray> m_values; ///< The longest first.
    QStringList m_names;
};

} // namespace rankdeck

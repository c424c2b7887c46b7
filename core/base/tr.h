#pragma once

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <type_traits>

namespace rankdeck
{

using namespace Qt::StringLiterals; // u"text"_s is a QString; "text"_L1 and 'x'_L1 are Latin-1.

#ifdef RANKDECK_LUPDATE
// Never compiled, but lupdate reads it: each tr() that is not a QObject's own is filed under "rankdeck".
Q_DECLARE_TR_FUNCTIONS(rankdeck)
#endif

/// Returns `text` in the user's language. As QObject::tr(): with `n`, in the plural form for n, which
/// replaces %n. `text` is then the English plural and `disambiguation` the English singular, here and in
/// QObject::tr(): tr("%n ranks", "%n rank", count).
QString tr(const char *text, const char *disambiguation = nullptr, int n = -1);

/// Returns the items in order, equal ones once.
template <typename List>
List sortedOnce(List items)
{
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
    return items;
}

/// Returns what `of` makes of each item, in their order. `of` may be a member of the items.
template <typename Items, typename Of>
auto listOf(const Items &items, const Of &of)
{
    QList<std::remove_cvref_t<std::invoke_result_t<const Of &, decltype(*std::begin(items))>>> list;
    for (const auto &item : items)
        list.append(std::invoke(of, item));
    return list;
}

} // namespace rankdeck

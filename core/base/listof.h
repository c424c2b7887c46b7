#pragma once

#include <QList>

#include <functional>
#include <type_traits>

namespace rankdeck
{

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

#include "ranktable/ranktablecheck.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

struct ChipName {
    const char *name;
    Chip chip;
};

constexpr std::array chipNames{
    ChipName{"910", Chip::A1},
    ChipName{"a1", Chip::A1},
    ChipName{"910a", Chip::A1},
    ChipName{"910b", Chip::A2},
    ChipName{"a2", Chip::A2},
    ChipName{"910_93", Chip::A3},
    ChipName{"910c", Chip::A3},
    ChipName{"a3", Chip::A3},
    ChipName{"950", Chip::A5},
    ChipName{"a5", Chip::A5},
    ChipName{"310p", Chip::Duo300I},
    ChipName{"300i", Chip::Duo300I},
    ChipName{"300i_duo", Chip::Duo300I},
};

} // namespace

Result<Chip> chipFromName(const QString &name)
{
    const QByteArray wanted = name.toLower().toUtf8();
    const auto *const found = std::find_if(chipNames.begin(), chipNames.end(),
                                           [&](const ChipName &known) { return wanted == known.name; });
    if (found != chipNames.end())
        return found->chip;
    return Error{QCoreApplication::translate("RankTableCheck", "there is no chip \"%1\"").arg(name),
                 {},
                 QCoreApplication::translate("RankTableCheck", "Use 910, 910b, 910_93, 950 or 310p.")};
}

} // namespace rankdeck

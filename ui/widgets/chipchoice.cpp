#include "widgets/chipchoice.h"

#include <QSettings>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

const QString chipKey = u"ranktable/chip"_s;

struct ChipName {
    Chip chip;
    const char *name; ///< The remembered name, as chipFromName() reads it.
    const char *shown;
};

constexpr std::array chipNames{
    ChipName{Chip::A1, "910", "910 (A1)"},       ChipName{Chip::A2, "910B", "910B (A2)"},
    ChipName{Chip::A3, "910_93", "910_93 (A3)"}, ChipName{Chip::A5, "950", "950"},
    ChipName{Chip::Duo300I, "310P", "300I Duo"},
};

} // namespace

ChipChoice::ChipChoice()
{
    setObjectName(u"chipChoice"_s);
    addItem(tr("unknown"), int(Chip::Unknown));
    for (const ChipName &chip : chipNames)
        addItem(QLatin1String(chip.shown), int(chip.chip));
    setToolTip(tr("Some rules depend on the chip. Rankdeck skips them while the chip is unknown."));
    setCurrentIndex(std::max(0, findData(int(remembered()))));
    connect(this, &QComboBox::activated, this, [this] {
        const auto named = std::ranges::find(chipNames, chip(), &ChipName::chip);
        QSettings().setValue(chipKey, named == chipNames.end() ? QString() : QLatin1String(named->name));
        Q_EMIT chosen(chip());
    });
}

Chip ChipChoice::remembered()
{
    const QString name = QSettings().value(chipKey).toString();
    const auto found = std::ranges::find_if(
        chipNames, [&name](const ChipName &candidate) { return name == QLatin1String(candidate.name); });
    return found == chipNames.end() ? Chip::Unknown : found->chip;
}

} // namespace rankdeck

#pragma once

#include "base/tr.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QString>

#include <optional>

// Words of npu-smi's output as values. Functions return nothing for words that are not numbers ("NA", "-"),
// and for numbers out of range.

namespace rankdeck::npusmi
{

/// A whole number from 0 up, as far as the first blank: "46 C" is 46.
std::optional<qint64> countFrom(QByteArrayView word);
/// The same, from 0 to two thousand million.
std::optional<int> numberFrom(QByteArrayView word);
/// 0 to 100.
std::optional<int> percentFrom(QByteArrayView word);
/// Degrees Celsius, -100 to 1000: DCMI's marks of a failed reading (0x7ffd, 0x7fff) are beyond.
std::optional<int> temperatureFrom(QByteArrayView word);
/// Watts above 0 and below a million: a chip without a sensor prints 0.0.
std::optional<double> powerFrom(QByteArrayView word);
/// The numbers of "0x80E18005,0x80E18008" or "80E18005"; empty for "NA". Nothing where there are other words.
std::optional<QList<quint32>> errorCodesFrom(QByteArrayView text);

/// The words between blanks.
QList<QByteArray> wordsOf(QByteArrayView text);
/// What stands between two blanks or more, so that "Ascend 910B3" stays one.
QList<QByteArray> cellsOf(QByteArrayView line);
/// A label without blanks and in lower case: "npureal-timepower(w)".
QByteArray labelOf(QByteArrayView text);
QString textOf(QByteArrayView text);

} // namespace rankdeck::npusmi

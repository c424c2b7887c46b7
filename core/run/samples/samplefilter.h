#pragma once

#include "run/samples/runsamples.h"

#include <functional>

namespace rankdeck
{

/// The value by which ranks are sorted and compared.
enum class RankValue {
    Place, ///< In the rank table.
    State, ///< Worst first.
    AiCore,
    Hbm, ///< Percent of HBM, or of DDR if there is no HBM.
    Temperature,
    Power,
    Health,
    Clock,
    Foreign, ///< Number of foreign users of its NPU.
    Cpu,
    Memory, ///< Resident, of its process tree.
    Read,
    Written,
};

/// A rank as sorting and filtering see it.
struct RankLook {
    int place = 0;                  ///< As in the rank table.
    std::optional<int> rank;        ///< Nothing: it is not a worker.
    QString text;                   ///< All words that are shown: title, address, node, state, last line.
    QStringList states;             ///< Words for its state: "running", "stalled".
    std::optional<int> severity;    ///< 0: worst. Nothing: nothing was started there.
    QString alarm;                  ///< The alarm of its NPU; empty: none known.
    RunSamples::Sample sample = {}; ///< Without parts that are too old.
};

/// Returns nothing if the value is unknown. Units: percent, °C, W, MHz, bytes, bytes a second.
std::optional<double> numberOf(RankValue value, const RankLook &look);

struct RankOrder {
    RankValue by = RankValue::Place;
    bool isDescending = false;

    bool operator==(const RankOrder &) const = default;
};

/// Returns true if `one` comes before `other`. Unknown numbers come last in both directions.
bool comesBefore(const std::optional<double> &one, const std::optional<double> &other, bool isDescending);
/// Returns the indexes of `looks` in that order; equal ones keep their order.
QList<int> inOrder(const QList<RankLook> &looks, const RankOrder &order);

/// Selects ranks. The text has terms with blanks between them, all of which must hold:
///   ai<10  hbm>90%  hbm>50GB  temp>=80  power>300  clock<1GHz  cpu>800  mem>10GB  read>5MB  written>0MB
///   foreign>1  rank<8  health!=ok  health>=warning  state=failed  state!=running
///   foreign   others use its NPU        throttled   its AI cores run slower than they could
///   alarm     its NPU is unhealthy, or was during the run
/// Any other word is searched in what is shown of the rank, ignoring case; "in quotes" also a word that would
/// be a term. Comparisons are < <= > >= = !=. No comparison holds for an unknown value.
class SampleFilter
{
public:
    SampleFilter() = default; ///< Selects all ranks.
    /// Fails with the first invalid term in `where`.
    static Result<SampleFilter> from(const QString &text);

    bool isEmpty() const { return m_terms.empty(); }
    bool wants(const RankLook &look) const;

private:
    using Term = std::function<bool(const RankLook &)>;

    std::vector<Term> m_terms;
};

} // namespace rankdeck

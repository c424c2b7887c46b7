#pragma once

#include "result.h"
#include "run/samples/ranklook.h"

#include <QString>

#include <functional>
#include <vector>

namespace rankdeck
{

/// Which ranks are wanted. Terms with blanks between them, all of which must hold:
///   ai<10  hbm>90%  hbm>50GB  temp>=80  power>300  clock<1GHz  cpu>800  mem>10GB  read>5MB  written>0MB
///   foreign>1  rank<8  health!=ok  health>=warning  state=failed  state!=running
///   foreign   others use its NPU        throttled   its AI cores run slower than they could
///   alarm     its NPU is not well, or has not been during the run
/// and any other word is looked for in what is shown of the rank, whatever its case; "in quotes" also what
/// would be a term. Comparisons are < <= > >= = !=. Of what is not known no comparison holds.
class SampleFilter
{
public:
    /// Wants all ranks.
    SampleFilter() = default;
    /// Error: the first term that means nothing, named in `where`.
    static Result<SampleFilter> from(const QString &text);

    bool isEmpty() const { return m_terms.empty(); }
    bool wants(const RankLook &look) const;

private:
    using Term = std::function<bool(const RankLook &)>;

    std::vector<Term> m_terms;
};

} // namespace rankdeck

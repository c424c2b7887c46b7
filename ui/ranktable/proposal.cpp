#include "ranktable/proposal.h"

#include "ranktable/ranktablewriter.h"
#include "ranktable/unifieddiff.h"

namespace rankdeck
{

Proposal makeProposal(const QByteArray &before, const QString &beforeName, const RankTable &after,
                      const QString &fileName, const QString &remark)
{
    const QByteArray text = toJson(after);
    return {text, unifiedDiff(before, text, beforeName, fileName), fileName, remark};
}

} // namespace rankdeck

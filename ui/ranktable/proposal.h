#pragma once

#include "ranktable/ranktable.h"

namespace rankdeck
{

/// A rank table that could be saved, beside the one it was made from.
struct Proposal {
    QByteArray text;
    QByteArray diff;  ///< From the table before to `text`; empty when they are equal.
    QString fileName; ///< As it could be called.
    QString remark;   ///< What the user should know of how it was made.
};

/// @param before the text that the diff begins with, called `beforeName`.
Proposal makeProposal(const QByteArray &before, const QString &beforeName, const RankTable &after,
                      const QString &fileName, const QString &remark = {});

} // namespace rankdeck

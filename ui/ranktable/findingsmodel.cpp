#include "ranktable/findingsmodel.h"

#include "ranktable/severitywords.h"
#include "ranktable/tablewords.h"

namespace rankdeck
{

FindingsModel::FindingsModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void FindingsModel::setTable(const SharedTable &table)
{
    beginResetModel();
    m_table = table;
    endResetModel();
}

void FindingsModel::setIcons(const SeverityIcons &icons)
{
    m_icons = icons;
}

int FindingsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_table ? 0 : int(m_table->report->findings.size());
}

int FindingsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Finding &finding = m_table->finding(index.row());
    if (role == Qt::DecorationRole && index.column() == SeverityColumn)
        return m_icons.of(finding.severity);
    if (role == Qt::ToolTipRole && index.column() >= WhatColumn)
        return plainToolTip(finding.what + QLatin1Char('\n') + finding.mend);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case SeverityColumn:
        return severityWord(finding.severity);
    case PlaceColumn:
        return placeText(finding);
    case WhatColumn:
        return finding.what;
    case MendColumn:
        return finding.mend;
    default:
        return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SeverityColumn:
        return tr("Severity");
    case PlaceColumn:
        return tr("Place");
    case WhatColumn:
        return tr("What");
    case MendColumn:
        return tr("How to mend it");
    default:
        return {};
    }
}

QString FindingsModel::placeText(const Finding &finding)
{
    if (finding.line <= 0)
        return tr("file");
    return finding.column > 0 ? QStringLiteral("%1:%2").arg(finding.line).arg(finding.column)
                              : QString::number(finding.line);
}

} // namespace rankdeck

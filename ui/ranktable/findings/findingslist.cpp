#include "ranktable/findings/findingslist.h"

#include <QTreeView>

namespace rankdeck
{

void FindingsModel::setTable(const SharedTable &table)
{
    beginResetModel();
    m_table = table;
    m_rows.clear();
    QHash<QString, qsizetype> rowOfWords;
    const int count = table ? int(table->report->findings.size()) : 0;
    for (int finding = 0; finding < count; ++finding) {
        const Finding &its = table->finding(finding);
        const auto known = rowOfWords.constFind(severityWord(its.severity) + its.what);
        if (known != rowOfWords.cend()) {
            m_rows[*known] << finding;
            continue;
        }
        rowOfWords.insert(severityWord(its.severity) + its.what, m_rows.size());
        m_rows << QList<int>{finding};
    }
    std::ranges::stable_sort(m_rows, std::ranges::greater(), [&table](const QList<int> &row) {
        return table->finding(row.constFirst()).severity;
    });
    endResetModel();
}

int FindingsModel::rowOf(int finding) const
{
    const auto row =
        std::ranges::find_if(m_rows, [finding](const QList<int> &its) { return its.contains(finding); });
    return row == m_rows.end() ? -1 : int(row - m_rows.begin());
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Finding &finding = m_table->finding(findingAt(index.row()));
    const qsizetype more = m_rows.at(index.row()).size() - 1;
    if (role == Qt::DecorationRole && index.column() == SeverityColumn)
        return m_icons.of(finding.severity);
    if (role == Qt::ToolTipRole && index.column() >= WhatColumn)
        return plainToolTip(finding.what + '\n'_L1 + finding.mend);
    if (role != Qt::DisplayRole)
        return {};
    const QString place =
        more == 0 ? placeText(finding) : tr("%1, %n more", "%1, %n more", int(more)).arg(placeText(finding));
    return QStringList{severityWord(finding.severity), place, finding.what, finding.mend}.value(
        index.column());
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr const char *headings[ColumnCount] = {QT_TR_NOOP("Severity"), QT_TR_NOOP("Place"),
                                                          QT_TR_NOOP("What"), QT_TR_NOOP("How to fix it")};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return tr(headings[section]);
}

QString FindingsModel::placeText(const Finding &finding)
{
    if (finding.line <= 0)
        return tr("file");
    return finding.column > 0 ? u"%1:%2"_s.arg(finding.line).arg(finding.column)
                              : QString::number(finding.line);
}

FindingsList::FindingsList()
    : m_model(new FindingsModel(this))
    , m_list(named(new QTreeView, "findingsList", tr("Findings")))
    , m_detail(readOnlyText("findingDetail", tr("Details of the finding")))
{
    m_list->setModel(m_model);
    m_list->setRootIsDecorated(false);
    m_list->viewport()->setAttribute(Qt::WA_Hover, false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &FindingsList::onCurrent);
    // Also for the selected row again: its line may have been scrolled away.
    connect(m_list, &QTreeView::activated, this, &FindingsList::onCurrent);
    connect(m_list, &QTreeView::clicked, this, &FindingsList::onCurrent);

    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    addParts(withoutMargins(new QVBoxLayout(this), 4), {{m_list, 1}, m_detail});
    showDetail(-1);
    fitHeight();
}

void FindingsList::setTable(const SharedTable &table)
{
    m_showing = true;
    m_table = table;
    m_model->setTable(table);
    m_showing = false;
    showDetail(-1);
    divideWidth();
    fitHeight();
}

void FindingsList::setIcons(const SeverityIcons &icons)
{
    m_model->setIcons(icons);
    m_list->viewport()->update();
}

void FindingsList::showFinding(int finding)
{
    m_showing = true;
    const QModelIndex index = m_model->index(m_model->rowOf(finding), 0);
    m_list->setCurrentIndex(index);
    if (index.isValid())
        m_list->scrollTo(index);
    else
        m_list->clearSelection();
    m_showing = false;
    showDetail(finding);
}

void FindingsList::chooseNext(Severity severity)
{
    const int count = m_model->rowCount();
    const int from = m_list->currentIndex().row() + 1; // 0 without a selected one.
    for (int step = 0; step < count; ++step) {
        const int row = (from + step) % count;
        if (m_model->severityAt(row) != severity)
            continue;
        const QModelIndex index = m_model->index(row, 0);
        m_list->setCurrentIndex(index);
        m_list->scrollTo(index);
        return;
    }
}

void FindingsList::onCurrent(const QModelIndex &current)
{
    if (m_showing || !current.isValid())
        return;
    const int finding = m_model->findingAt(current.row());
    showDetail(finding);
    Q_EMIT findingChosen(finding);
}

void FindingsList::showDetail(int finding)
{
    if (finding >= 0)
        m_detail->setPlainText(findingDetail(m_table->finding(finding)));
    else if (!m_table || m_model->rowCount() > 0)
        m_detail->setPlainText(
            tr("Select a finding to see its place in the text and where its rule comes from."));
    else
        m_detail->setPlainText(tr("No problems found in this rank table."));
}

/// Hides the list if it is empty, so that the table gets its room.
void FindingsList::fitHeight()
{
    const bool isEmpty = m_model->rowCount() == 0;
    const int lines = isEmpty ? 1 : 4;
    showLines(m_detail, lines);
    m_list->setVisible(!isEmpty);
    setSizePolicy(QSizePolicy::Preferred, isEmpty ? QSizePolicy::Fixed : QSizePolicy::Preferred);
}

/// Divides the width that the narrow columns leave between the two columns of sentences.
void FindingsList::divideWidth()
{
    m_list->resizeColumnToContents(FindingsModel::SeverityColumn);
    m_list->resizeColumnToContents(FindingsModel::PlaceColumn);
    const int rest = m_list->viewport()->width() - m_list->columnWidth(FindingsModel::SeverityColumn) -
                     m_list->columnWidth(FindingsModel::PlaceColumn);
    m_list->setColumnWidth(FindingsModel::WhatColumn, std::max(120, rest * 3 / 5));
}

} // namespace rankdeck

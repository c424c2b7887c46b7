#include "preflight/preflightlist.h"

#include "preflight/preflightmodel.h"
#include "preflight/preflightwords.h"

#include <QEvent>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

constexpr int detailLines = 5;
constexpr int statusCharacters = 18; ///< Also a part's name, behind its triangle.
constexpr int subjectCharacters = 28;

} // namespace

PreflightList::PreflightList(QWidget *parent)
    : QWidget(parent)
    , m_model(new PreflightModel(this))
    , m_filter(new QSortFilterProxyModel(this))
    , m_list(new QTreeView)
    , m_detail(new QPlainTextEdit)
{
    m_model->setPalette(palette());
    m_filter->setSourceModel(m_model);
    m_filter->setRecursiveFilteringEnabled(true);
    m_list->setObjectName(QStringLiteral("preflightList"));
    m_list->setAccessibleName(tr("Checks"));
    m_list->setModel(m_filter);
    m_list->viewport()->setAttribute(Qt::WA_Hover, false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->header()->setStretchLastSection(true);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &PreflightList::showDetail);
    // Again: a part has other counts by now.
    connect(m_list, &QTreeView::clicked, this, &PreflightList::showDetail);

    m_detail->setObjectName(QStringLiteral("checkDetail"));
    m_detail->setAccessibleName(tr("Details of the check"));
    m_detail->setReadOnly(true);
    m_detail->setTabChangesFocus(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_list);
    splitter->addWidget(m_detail);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({10'000, m_detail->fontMetrics().lineSpacing() * detailLines});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    showDetail({});
}

void PreflightList::clear()
{
    m_model->clear();
    showDetail({});
}

void PreflightList::add(const PreflightCheck &check)
{
    m_model->add(check);
    if (isProblem(check.status))
        openProblems();
}

void PreflightList::setOnlyProblems(bool only)
{
    m_filter->setFilterRole(PreflightModel::IsProblemRole);
    m_filter->setFilterFixedString(only ? QStringLiteral("true") : QString());
    openProblems();
}

void PreflightList::showFirstProblem()
{
    for (int row = 0; row < m_filter->rowCount() && !m_list->currentIndex().isValid(); ++row) {
        const QModelIndex part = m_filter->index(row, 0);
        if (part.data(PreflightModel::IsProblemRole).toBool())
            m_list->setCurrentIndex(m_filter->index(0, 0, part));
    }
}

/// Those that the user folds stay so until the next problem comes.
void PreflightList::openProblems()
{
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const QModelIndex part = m_filter->index(row, 0);
        if (part.data(PreflightModel::IsProblemRole).toBool())
            m_list->expand(part);
    }
}

void PreflightList::showDetail(const QModelIndex &shown)
{
    const QModelIndex index = m_filter->mapToSource(shown);
    if (const PreflightCheck *check = m_model->check(index))
        m_detail->setPlainText(checkText(*check));
    else if (index.isValid())
        m_detail->setPlainText(
            tr("%1: %2", "part; how many checks ended how")
                .arg(index.siblingAtColumn(PreflightModel::StatusColumn).data().toString(),
                     index.siblingAtColumn(PreflightModel::SentenceColumn).data().toString()));
    else
        m_detail->setPlainText(tr("Select a check to read all of it, and what to do."));
}

void PreflightList::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_model->setPalette(palette());
}

void PreflightList::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    divideWidth();
}

void PreflightList::divideWidth()
{
    const int character = m_list->fontMetrics().averageCharWidth();
    m_list->setColumnWidth(PreflightModel::StatusColumn,
                           statusCharacters * character + m_list->indentation());
    m_list->setColumnWidth(PreflightModel::SubjectColumn, subjectCharacters * character);
}

} // namespace rankdeck

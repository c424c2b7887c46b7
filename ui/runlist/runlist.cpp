#include "runlist/runlist.h"

#include "runlist/runlistdelegate.h"
#include "runlist/runlistmodel.h"
#include "runlist/steadylistview.h"

#include <QAction>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

RunList::RunList(QWidget *parent)
    : QWidget(parent)
    , m_model(new RunListModel(this))
    , m_filter(new QLineEdit(this))
    , m_view(new SteadyListView(this))
    , m_stack(new QStackedWidget(this))
{
    m_shown.setSourceModel(m_model);
    m_shown.setFilterRole(RunListModel::SearchRole);
    m_shown.setFilterCaseSensitivity(Qt::CaseInsensitive);

    m_filter->setObjectName(QStringLiteral("runFilter"));
    m_filter->setPlaceholderText(tr("Filter runs"));
    m_filter->setAccessibleName(tr("Filter runs"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, &m_shown, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &QLineEdit::textChanged, this, &RunList::selectWanted);

    m_view->setObjectName(QStringLiteral("runListView"));
    m_view->setAccessibleName(tr("Runs"));
    m_view->setModel(&m_shown);
    m_view->setItemDelegate(new RunListDelegate(m_view));
    m_view->setUniformItemSizes(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->viewport()->setAttribute(Qt::WA_Hover, false);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &current) {
                if (m_selecting || !current.isValid())
                    return;
                m_wanted = current.data(RunListModel::DirectoryRole).toString();
                Q_EMIT runChosen(m_wanted);
            });

    auto *empty = new QLabel(tr("No runs yet.\nPress Launch…"), this);
    empty->setObjectName(QStringLiteral("noRunsLabel"));
    empty->setTextFormat(Qt::PlainText);
    empty->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    empty->setMargin(24);
    empty->setWordWrap(true);
    m_stack->addWidget(empty);
    m_stack->addWidget(m_view);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_filter);
    layout->addWidget(m_stack, 1);
    m_filter->hide();

    // Ages change by the minute: looking this often keeps them true without repainting anything in between.
    m_ageTimer.setInterval(10'000);
    connect(&m_ageTimer, &QTimer::timeout, m_model,
            [this] { m_model->setNow(QDateTime::currentDateTimeUtc()); });
    m_ageTimer.start();
}

QString RunList::currentRun() const
{
    return m_view->currentIndex().data(RunListModel::DirectoryRole).toString();
}

QStringList RunList::selectedRuns() const
{
    QModelIndexList selected = m_view->selectionModel()->selectedIndexes();
    std::sort(selected.begin(), selected.end());
    QStringList directories;
    for (const QModelIndex &index : std::as_const(selected))
        directories << index.data(RunListModel::DirectoryRole).toString();
    return directories;
}

void RunList::offerActions(const QList<QAction *> &actions)
{
    m_view->addActions(actions);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void RunList::setRuns(const QList<RunSummary> &runs)
{
    {
        // A row that vanishes makes the view choose a neighbour; that is not the user's choice.
        const QScopedValueRollback guard(m_selecting, true);
        m_model->setRuns(runs, QDateTime::currentDateTimeUtc());
    }
    m_stack->setCurrentIndex(runs.isEmpty() ? 0 : 1);
    m_filter->setVisible(!runs.isEmpty());
    selectWanted();
}

void RunList::setCurrentRun(const QString &directory)
{
    m_wanted = directory;
    selectWanted();
}

void RunList::selectWanted()
{
    const QScopedValueRollback guard(m_selecting, true);
    const int row = m_model->rowOf(m_wanted);
    const QModelIndex wanted = row < 0 ? QModelIndex() : m_shown.mapFromSource(m_model->index(row));
    if (wanted.isValid() && wanted == m_view->currentIndex())
        return;
    if (wanted.isValid())
        m_view->setCurrentIndex(wanted);
    else
        m_view->selectionModel()->clear();
}

} // namespace rankdeck

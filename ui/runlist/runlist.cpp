#include "runlist/runlist.h"

#include "background/inbackground.h"
#include "base/listcomma.h"
#include "base/times.h"
#include "launch/text/commandline.h"
#include "run/record/runrecord.h"
#include "widgets/statelook.h"
#include "widgets/steadyviews.h"
#include "widgets/tone.h"

#include <QAction>
#include <QApplication>
#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSet>
#include <QStackedWidget>
#include <QToolTip>

namespace rankdeck
{

/// Puts the most important part first: a narrow list cuts the rest. A live run's duration is its age.
static QString detail(const RunSummary &run)
{
    QStringList parts;
    if (run.phase == RunPhase::Failed)
        parts << RunListModel::tr("code %1", "exit code").arg(run.exitCode);
    if (!isLive(run.phase))
        parts << elapsedText(run.duration(run.ended));
    const QDateTime started = run.created.toLocalTime();
    const bool isToday = started.date() == QDate::currentDate();
    parts << QLocale().toString(started, isToday ? u"HH:mm"_s : u"d MMM HH:mm"_s);
    return (parts << RunListModel::tr("%n ranks", "%n rank", run.worldSize) << run.launcher)
        .join(listComma());
}

static QString timeText(const QDateTime &time)
{
    return QLocale().toString(time.toLocalTime(), u"yyyy-MM-dd HH:mm:ss"_s);
}

/// Returns the command line of a run, cut if it is long; empty if it cannot be read.
static QString commandOf(const QString &directory)
{
    constexpr qsizetype mostLetters = 500;
    const auto record = readRunOutline(directory);
    const QString line = record ? joinCommandLine(record->spec.command) : QString();
    return line.size() <= mostLetters ? line : line.left(mostLetters) + u"…"_s;
}

/// Shows the name unchanged, even if it looks like markup.
static QString toolTip(const RunSummary &run, const QString &command)
{
    QStringList lines{run.name, command,
                      RunListModel::tr("%1, started %2").arg(run.launcher, timeText(run.created)),
                      run.verdict};
    lines.removeAll(QString());
    if (run.phase == RunPhase::Lost)
        lines << run.remark;
    else if (!isLive(run.phase))
        lines << RunListModel::tr("%1 at %2, exit code %3", "succeeded at")
                     .arg(shownWord(run.phase), timeText(run.ended))
                     .arg(run.exitCode);
    return u"<qt>%1</qt>"_s.arg(lines.join('\n'_L1).toHtmlEscaped().replace('\n'_L1, "<br>"_L1));
}

constexpr int margin = 8;
constexpr int gap = 6;
constexpr int markSize = 11;
constexpr int roomyLetters = 34; ///< Width of a list in which state and details share a line.

/// Returns true if state and details need a line each.
static bool isNarrow(const QStyleOptionViewItem &option)
{
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const QFontMetrics metrics(option.font);
    return view && view->viewport()->width() < roomyLetters * metrics.averageCharWidth();
}

void RunListModel::setRuns(const QList<RunSummary> &runs, const QDateTime &now)
{
    QSet<QString> wanted;
    for (const RunSummary &run : runs)
        wanted.insert(run.directory);
    for (int row = int(m_runs.size()) - 1; row >= 0; --row) {
        if (wanted.contains(m_runs.at(row).directory))
            continue;
        beginRemoveRows({}, row, row);
        m_runs.removeAt(row);
        m_ages.removeAt(row);
        endRemoveRows();
    }
    for (int row = 0; row < runs.size(); ++row) {
        const RunSummary &run = runs.at(row);
        const QString age = ageText(run.created, now);
        const int old = rowOf(run.directory);
        if (old < 0) {
            beginInsertRows({}, row, row);
            m_runs.insert(row, run);
            m_ages.insert(row, age);
            endInsertRows();
            continue;
        }
        if (old != row) {
            beginMoveRows({}, old, old, {}, row);
            m_runs.move(old, row);
            m_ages.move(old, row);
            endMoveRows();
        }
        update(row, run, age);
    }
}

void RunListModel::setNow(const QDateTime &now)
{
    for (int row = 0; row < m_runs.size(); ++row)
        update(row, m_runs.at(row), ageText(m_runs.at(row).created, now));
}

void RunListModel::update(int row, const RunSummary &run, const QString &age)
{
    if (m_runs.at(row) == run && m_ages.at(row) == age)
        return;
    m_runs[row] = run;
    m_ages[row] = age;
    Q_EMIT dataChanged(index(row), index(row));
}

int RunListModel::rowOf(const QString &directory) const
{
    const auto found = std::ranges::find(m_runs, directory, &RunSummary::directory);
    return found == m_runs.end() ? -1 : int(found - m_runs.begin());
}

QVariant RunListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunSummary &run = m_runs.at(index.row());
    const QString title = run.title.isEmpty() ? run.name : run.title;
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
        return title;
    case DetailRole:
        return detail(run);
    case StateRole:
        return shownWord(run.phase);
    case PhaseRole:
        return int(run.phase);
    case AgeRole:
        return m_ages.at(index.row());
    case DirectoryRole:
        return run.directory;
    case SearchRole:
        return QStringList{title, run.name, run.launcher, shownWord(run.phase)}.join('\n'_L1);
    case Qt::AccessibleTextRole:
        return tr("%1: %2, %3, started %4", "title: state, details, age")
                   .arg(title, shownWord(run.phase), detail(run), m_ages.at(index.row())) +
               (run.verdict.isEmpty() ? QString() : u". "_s + run.verdict);
    case Qt::ToolTipRole:
        return toolTip(run, m_commands.value(run.directory));
    default:
        return {};
    }
}

void RunListDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    row.text.clear();
    // Rows must not repaint when the pointer passes over them.
    row.state.setFlag(QStyle::State_MouseOver, false);
    const QStyle *style = row.widget ? row.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);

    const bool selected = row.state.testFlag(QStyle::State_Selected);
    const QPalette::ColorGroup group =
        row.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    const QColor strong = row.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
    const QColor quiet = selected ? strong : quietColor(row.palette);
    const auto phase = RunPhase(index.data(RunListModel::PhaseRole).toInt());
    const QColor tone = selected ? strong : toneColor(toneOf(phase), row.palette);

    const QRect content = row.rect.adjusted(margin, gap, -margin, -gap);
    QFont bold = row.font;
    bold.setBold(true);
    const QFontMetrics metrics(row.font);
    const QFontMetrics boldMetrics(bold);
    const int line = metrics.height();

    painter->save();
    const QString age = index.data(RunListModel::AgeRole).toString();
    const int ageWidth = metrics.horizontalAdvance(age);
    painter->setFont(row.font);
    painter->setPen(quiet);
    painter->drawText(QRect(content.right() - ageWidth + 1, content.top(), ageWidth, line), Qt::AlignRight,
                      age);

    painter->setFont(bold);
    painter->setPen(strong);
    const int titleWidth = content.width() - ageWidth - gap;
    const QString title = index.data(RunListModel::TitleRole).toString();
    painter->drawText(QRect(content.left(), content.top(), titleWidth, line), Qt::AlignLeft,
                      boldMetrics.elidedText(title, Qt::ElideMiddle, titleWidth));

    const bool hasThreeLines = isNarrow(row);
    const int bottom = content.bottom() - line + 1;
    const int top = hasThreeLines ? bottom - line - gap / 2 : bottom;
    drawStateMark(*painter, QRect(content.left(), top + (line - markSize) / 2, markSize, markSize), phase,
                  tone);
    painter->setFont(row.font);
    painter->setPen(tone);
    const QString word = index.data(RunListModel::StateRole).toString();
    const int wordLeft = content.left() + markSize + gap;
    const int wordWidth = metrics.horizontalAdvance(word);
    painter->drawText(QRect(wordLeft, top, wordWidth, line), Qt::AlignLeft, word);
    painter->setPen(quiet);
    const int detailLeft = hasThreeLines ? content.left() : wordLeft + wordWidth + 2 * gap;
    const int detailWidth = content.right() - detailLeft + 1;
    const QString detail = index.data(RunListModel::DetailRole).toString();
    painter->drawText(QRect(detailLeft, bottom, detailWidth, line),
                      hasThreeLines ? Qt::AlignLeft : Qt::AlignRight,
                      metrics.elidedText(detail, Qt::ElideRight, detailWidth));
    painter->restore();
}

QSize RunListDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    const int line = QFontMetrics(option.font).height();
    return {10 * line, isNarrow(option) ? 3 * line + 4 * gap : 2 * line + 3 * gap};
}

bool RunListDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view,
                                const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    Q_EMIT toolTipRequested(index, event->globalPos());
    return true;
}

RunList::RunList()
    : m_model(new RunListModel(this))
    , m_filter(filterEdit(this, "runFilter", tr("Filter runs")))
    , m_view(named(new SteadyListView(this), "runListView"))
    , m_stack(new QStackedWidget(this))
{
    setManualPage(this, "runs.md");
    m_shown.setSourceModel(m_model);
    m_shown.setFilterRole(RunListModel::SearchRole);
    m_shown.setFilterCaseSensitivity(Qt::CaseInsensitive);

    connect(m_filter, &QLineEdit::textChanged, &m_shown, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &QLineEdit::textChanged, this, &RunList::selectWanted);

    m_view->setAccessibleName(tr("Runs"));
    m_view->setModel(&m_shown);
    auto *delegate = new RunListDelegate(m_view);
    m_view->setItemDelegate(delegate);
    connect(delegate, &RunListDelegate::toolTipRequested, this,
            [this](const QModelIndex &index, const QPoint &place) {
                showToolTip(index.data(RunListModel::DirectoryRole).toString(), place);
            });
    m_view->setUniformItemSizes(true);
    m_view->setResizeMode(QListView::Adjust);
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

    auto *empty = plainLabel("noRunsLabel", tr("No runs yet.\nClick Launch… to start one."));
    empty->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    empty->setMargin(24);
    m_stack->addWidget(empty);
    m_stack->addWidget(m_view);

    addParts(withoutMargins(new QVBoxLayout(this)), {m_filter, {m_stack, 1}});
    m_filter->hide();

    // Ages change by the minute; rows repaint only then.
    m_ageTimer.setInterval(10'000);
    connect(&m_ageTimer, &QTimer::timeout, m_model,
            [this] { m_model->setNow(QDateTime::currentDateTimeUtc()); });
    m_ageTimer.start();
}

void RunList::showToolTip(const QString &directory, const QPoint &place)
{
    if (!m_model->hasCommand(directory)) {
        inBackground(
            this, [directory] { return commandOf(directory); },
            [this, directory, place](const QString &command) {
                m_model->setCommand(directory, command);
                const QModelIndex there = m_view->indexAt(m_view->viewport()->mapFromGlobal(QCursor::pos()));
                if (there.data(RunListModel::DirectoryRole).toString() == directory)
                    showToolTip(directory, place);
            });
        return;
    }
    const int row = m_model->rowOf(directory);
    if (row >= 0)
        QToolTip::showText(place, m_model->index(row).data(Qt::ToolTipRole).toString(), m_view);
}

QStringList RunList::selectedRuns() const
{
    QModelIndexList selected = m_view->selectionModel()->selectedIndexes();
    std::sort(selected.begin(), selected.end());
    return listOf(selected, [&](const QModelIndex &index) {
        return index.data(RunListModel::DirectoryRole).toString();
    });
}

void RunList::offerActions(const QList<QAction *> &actions)
{
    m_view->addActions(actions);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void RunList::setRuns(const QList<RunSummary> &runs)
{
    {
        // When a row is removed the view selects a neighbour; that is not the user's choice.
        const QScopedValueRollback guard(m_selecting, true);
        m_model->setRuns(runs, QDateTime::currentDateTimeUtc());
    }
    m_stack->setCurrentIndex(runs.isEmpty() ? 0 : 1);
    m_filter->setVisible(!runs.isEmpty());
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

#include "logview/panes/searchpanel.h"

#include "base/widespaces.h"
#include "widgets/texthistory.h"

#include <QHeaderView>
#include <QKeyEvent>

namespace rankdeck
{

namespace
{

enum Column { RankColumn, LineColumn, TextColumn };
constexpr int keyRole = Qt::UserRole;
constexpr int logRole = Qt::UserRole + 1;
constexpr int lineRole = Qt::UserRole + 2;
constexpr int editWidth = 220;

} // namespace

SearchPanel::SearchPanel(std::function<QList<SearchedLog>()> logs, QWidget *parent)
    : QWidget(parent)
    , m_logsNow(std::move(logs))
    , m_edit(filterEdit(this, "searchAllText", tr("Find in all ranks")))
    , m_regex(named(new QCheckBox(tr("Rege&x"), this), "searchAllRegex"))
    , m_case(named(new QCheckBox(tr("Match &case"), this), "searchAllCase"))
    , m_start(
          named(flatButton(this, tr("Find"), tr("Search the logs of all ranks (Enter)")), "searchAllStart"))
    , m_cancel(named(flatButton(this, tr("Cancel"), tr("End the search; what was found stays")),
                     "searchAllCancel"))
    , m_result(resultLabel("searchAllResult"))
    , m_tree(named(new QTreeWidget(this), "searchAllHits", tr("Matching lines by rank")))
{
    setObjectName(u"searchPanel"_s);
    setManualPage(this, "logs.md");
    m_edit->setMaximumWidth(editWidth);
    new TextHistory(m_edit, u"log/searches"_s);
    m_tree->setHeaderLabels({tr("Rank"), tr("Line"), tr("Text")});
    m_tree->header()->setSectionResizeMode(RankColumn, QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(LineColumn, QHeaderView::ResizeToContents);
    m_tree->setUniformRowHeights(true);
    m_cancel->hide();
    auto *const close = flatButton(this, tr("Close"), tr("Close the results (Esc)"));

    auto *const row = new QHBoxLayout;
    row->setContentsMargins(4, 2, 2, 2);
    addParts(row, {{m_edit, 3}, m_regex, m_case, m_start, m_cancel, {m_result, 2}, close});
    addParts(withoutMargins(new QVBoxLayout(this), 0), {row, {m_tree, 1}});

    connect(m_edit, &QLineEdit::returnPressed, this, &SearchPanel::search);
    connect(m_start, &QToolButton::clicked, this, &SearchPanel::search);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        m_wasCancelled = true;
        stop();
    });
    connect(close, &QToolButton::clicked, this, &SearchPanel::dismiss);
    connect(m_tree, &QTreeWidget::itemExpanded, this, &SearchPanel::addLines);
    connect(m_tree, &QTreeWidget::itemActivated, this, &SearchPanel::choose);
    connect(m_tree, &QTreeWidget::itemClicked, this, &SearchPanel::choose);
}

SearchPanel::~SearchPanel() = default;

void SearchPanel::open(const LogPattern &pattern)
{
    show();
    if (pattern.text.isEmpty()) {
        m_edit->setFocus(Qt::ShortcutFocusReason);
        m_edit->selectAll();
        return;
    }
    m_edit->setText(pattern.text);
    m_regex->setChecked(pattern.isRegex);
    m_case->setChecked(pattern.caseSensitive);
    search();
}

void SearchPanel::clear()
{
    stop();
    m_tree->clear();
    m_items.clear();
    m_hits.clear();
    m_logs.clear();
    m_count = 0;
    m_searched = 0;
    m_wasCancelled = false;
    m_result->clear();
}

void SearchPanel::search()
{
    clear();
    if (m_edit->text().isEmpty())
        return;
    const auto matcher = LogMatcher::create({m_edit->text(), m_regex->isChecked(), m_case->isChecked()});
    if (!matcher) {
        rankdeck::showResult(m_result, matcher.error().sentence());
        return;
    }
    m_logs = m_logsNow();
    QList<ManyLogsSearch::Log> logs;
    for (const SearchedLog &log : std::as_const(m_logs))
        logs.append({log.path, log.limit});
    m_search.reset(new ManyLogsSearch(logs, *matcher));
    ManyLogsSearch *const search = m_search.get();
    // Answers to a search that was replaced since do not count.
    connect(search, &ManyLogsSearch::progressed, this,
            [this, search](const QList<LogHits> &hits, int searched) {
                if (search == m_search.get())
                    take(hits, searched);
            });
    connect(search, &ManyLogsSearch::finished, this, [this, search] {
        if (search == m_search.get())
            stop();
    });
    m_thread.adopt(search);
    QMetaObject::invokeMethod(search, &ManyLogsSearch::start);
    m_start->hide();
    m_cancel->show();
    showResult();
}

void SearchPanel::stop()
{
    if (!m_search)
        return;
    m_search.reset();
    m_cancel->hide();
    m_start->show();
    showResult();
}

void SearchPanel::dismiss()
{
    stop();
    hide();
    Q_EMIT closed();
}

void SearchPanel::take(const QList<LogHits> &hits, int searched)
{
    m_searched = searched;
    for (const LogHits &each : hits) {
        const SearchedLog &log = m_logs[each.log];
        QList<LogHits> &its = m_hits[log.key];
        its.append(each);
        m_count += each.count;
        qint64 count = 0;
        for (const LogHits &one : std::as_const(its))
            count += one.count;
        QTreeWidgetItem *&item = m_items[log.key];
        if (!item) {
            item = new QTreeWidgetItem(m_tree, {log.title});
            item->setData(RankColumn, keyRole, log.key);
            item->setChildIndicatorPolicy(QTreeWidgetItem::ShowIndicator);
        } else if (item->isExpanded()) {
            qDeleteAll(item->takeChildren());
            addLines(item);
        }
        item->setText(TextColumn, tr("%Ln matching lines", "%Ln matching line", int(count)));
        if (m_items.size() == 1)
            item->setExpanded(true);
    }
    showResult();
}

/// Fills the lines of a rank in when they are first shown: there may be a million of all ranks.
void SearchPanel::addLines(QTreeWidgetItem *item)
{
    if (item->parent() || item->childCount() > 0)
        return;
    const QList<LogHits> &its = m_hits[item->data(RankColumn, keyRole).toInt()];
    QList<QTreeWidgetItem *> lines;
    qint64 left = 0;
    for (const LogHits &hits : its) {
        const bool isError = m_logs[hits.log].isError;
        for (const LogHits::Line &line : hits.lines) {
            const QString number = QString::number(line.line.value + 1);
            auto *const child = new QTreeWidgetItem(
                {QString(), isError ? tr("stderr %1").arg(number) : number, line.text.trimmed()});
            child->setData(RankColumn, logRole, hits.log);
            child->setData(RankColumn, lineRole, line.line.value);
            child->setTextAlignment(LineColumn, Qt::AlignRight);
            lines << child;
        }
        left += hits.count - hits.lines.size();
    }
    if (left > 0)
        lines << new QTreeWidgetItem(
            {QString(), QString(), tr("… and %Ln more lines", "… and %Ln more line", int(left))});
    item->addChildren(lines);
}

void SearchPanel::choose(QTreeWidgetItem *item)
{
    const QVariant log = item->data(RankColumn, logRole);
    if (!log.isValid())
        return;
    const SearchedLog &its = m_logs[log.toInt()];
    Q_EMIT lineRequested(its.key, its.path, item->data(RankColumn, lineRole).toLongLong());
}

void SearchPanel::showResult()
{
    const QString lines = tr("%Ln matching lines", "%Ln matching line", int(m_count));
    const QString ranks = tr("in %Ln ranks", "in %Ln rank", int(m_items.size()));
    QString result = m_count == 0 ? tr("No match") : joinedBySpaces({lines, ranks});
    if (m_search || m_wasCancelled)
        result = tr("%1; %L2 of %L3 logs searched")
                     .arg(m_count == 0 ? tr("No match yet") : result)
                     .arg(m_searched)
                     .arg(m_logs.size());
    rankdeck::showResult(m_result, result);
}

void SearchPanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QWidget::keyPressEvent(event);
}

} // namespace rankdeck

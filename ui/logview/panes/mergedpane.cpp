#include "logview/panes/mergedpane.h"

#include "logview/canvas/logstrips.h"

namespace rankdeck
{

MergedPane::MergedPane(QWidget *parent)
    : QWidget(parent)
    , m_strips(new LogStrips(this))
    , m_filterBar(new FilterBar(this))
    , m_fold(named(new QCheckBox(tr("C&ollapse identical lines"), this), "foldBox"))
    , m_view(new LogView(this))
    , m_stack(new FilterStack(m_view, this))
{
    setObjectName(u"mergedPane"_s);
    m_fold->setToolTip(
        tr("Shows a line that several ranks print once, with these ranks; lines of one rank stand out"));
    m_view->setTitle(tr("all ranks"));
    auto *const again =
        named(flatButton(this, tr("Filter these"), tr("Filter these lines again, in another view below")),
              "filterMerged");
    m_filterBar->append(m_fold, again);
    addParts(withoutMargins(new QVBoxLayout(this), 0), {m_strips, m_filterBar, {m_stack, 1}});
    setFocusProxy(m_view);

    m_view->offerAll();
    connect(again, &QToolButton::clicked, this, [this] {
        m_stack->closeAll();
        m_stack->open();
    });
    connect(m_stack, &FilterStack::lineRequested, this,
            [this](const LogPage::Origin &origin) { m_view->markOrigin(origin.log, origin.line.value); });
    connect(m_view, &LogView::filterRequested, m_filterBar, &FilterBar::add);
    connect(m_filterBar, &FilterBar::changed, this, &MergedPane::showLines);
    connect(m_fold, &QCheckBox::toggled, this, &MergedPane::showLines);
    connect(m_strips, &LogStrips::shownChanged, this, &MergedPane::showLines);
    connect(m_strips, &LogStrips::timeRequested, m_view->jumps(), &LogJumps::findTime);
    connect(m_view, &LogView::lineCountChanged, m_filterBar, &FilterBar::setLineCount);
    connect(m_view, &LogView::placeRequested, this, [this](const LogPage::Origin &origin) {
        if (origin.log < m_logs.size())
            Q_EMIT lineRequested(m_logs[origin.log].key, origin.line.value);
    });
}

void MergedPane::setLogs(const QList<MergedTile> &logs, const StartLines &start)
{
    const auto isSame = [](const MergedTile &one, const MergedTile &other) {
        return one.key == other.key && one.log.path == other.log.path && one.log.label == other.log.label;
    };
    m_start = start;
    if (std::ranges::equal(logs, m_logs, isSame))
        return;
    m_logs = logs;
    QStringList labels;
    std::vector<int> colors;
    m_rows.clear();
    for (const MergedTile &tile : logs) {
        if (labels.isEmpty() || labels.constLast() != tile.log.label) {
            labels << tile.log.label;
            colors.push_back(tile.log.color);
        }
        m_rows << static_cast<int>(labels.size()) - 1;
    }
    m_strips->setLogs(labels, colors);
    showLines();
}

/// Limits the strips to three rows or a quarter of the height: the lines are more important.
void MergedPane::resizeEvent(QResizeEvent * /*event*/)
{
    constexpr int fewestStrips = 3;
    constexpr int share = 4;
    m_strips->setMaximumHeight(std::max(m_strips->cells(1, fewestStrips).height(), height() / share));
}

void MergedPane::showLines()
{
    MergedSpec spec;
    const std::vector<bool> &shown = m_strips->shown();
    for (qsizetype log = 0; log < m_logs.size(); ++log) {
        spec.logs.push_back(m_logs[log].log);
        spec.logs.back().row = m_rows[log];
        spec.logs.back().isShown = shown[static_cast<std::size_t>(m_rows[log])];
    }
    const bool isAnyShown = std::ranges::find(shown, true) != shown.end();
    spec.filter = m_filterBar->filter();
    spec.context = m_filterBar->context();
    spec.isFolded = m_fold->isChecked();
    m_stack->setLogs(spec.logs, spec.logs.empty() ? StartLines() : m_start, true);
    m_stack->setWithin(spec.filter);
    m_view->setSource(nullptr);
    m_lines = spec.logs.empty() ? nullptr : m_start(spec);
    if (m_lines) {
        connect(m_lines.get(), &MergedLines::active, m_strips, &LogStrips::setActivity);
        // The lines may have been read already.
        QMetaObject::invokeMethod(m_lines.get(), &MergedLines::tellActivity);
    }
    m_view->setEmptyText(isAnyShown ? tr("No matching lines yet.") : tr("No rank is shown."));
    m_view->setSource(m_lines.get());
}

} // namespace rankdeck

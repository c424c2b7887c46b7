#include "preflight/pairs/selftestview.h"

#include "preflight/pairs/bandwidthplot.h"
#include "preflight/pairs/pairmatrix.h"
#include "preflight/pairs/rankgroups.h"

namespace rankdeck
{

/// The same large size for both parts of a splitter halves it.
constexpr int shareOfHalf = 10'000;

/// Returns a widget with the picture, and below it a line that describes the place of its cursor.
template <typename Picture>
static QWidget *described(Picture *picture, const char *labelName)
{
    auto *pane = new QWidget;
    auto *words = plainLabel(labelName, picture->words());
    words->setContentsMargins(8, 4, 8, 4);
    QObject::connect(picture, &Picture::described, words, &QLabel::setText);
    addParts(withoutMargins(new QVBoxLayout(pane), 0), {{picture, 1}, words});
    return pane;
}

PairPane::PairPane()
    : m_measure(named(new QComboBox(this), "measureChoice"))
    , m_odd(named(new QPushButton(this), "nextOddButton"))
    , m_matrix(new PairMatrix(this))
{
    setObjectName(u"pairPane"_s);
    m_measure->addItems({QString(), QString()});
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_odd->setToolTip(tr("Goes to the next pair that stands out (N)."));
    auto *copy = named(new QPushButton(tr("Copy &table"), this), "copyPairsButton");

    auto *measure = rowOf({labelOf(m_measure, tr("Measure&d:")), m_measure, Stretch{}});
    auto *buttons = rowOf({m_odd, Stretch{}, copy});
    auto *bar = new WrappingRow;
    bar->setGroups(measure, 0, buttons, 1);
    bar->layout()->setContentsMargins(8, 4, 8, 4);
    addParts(withoutMargins(new QVBoxLayout(this), 0), {bar, {described(m_matrix, "pairWords"), 1}});
    setFocusProxy(m_matrix);

    connect(m_measure, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_matrix->setMeasure(index == 0 ? PairMeasure::Latency : PairMeasure::Bandwidth);
        showOdd();
    });
    connect(m_odd, &QPushButton::clicked, m_matrix, &PairMatrix::goToNextOdd);
    connect(copy, &QPushButton::clicked, m_matrix, &PairMatrix::copy);
    showOdd();
}

void PairPane::setResults(const SelfTestResults &results, const RankNames &names)
{
    m_matrix->setTable({int(results.ranks.size()), results.pairs, names});
    showOdd();
}

void PairPane::showOdd()
{
    const PairTable &table = m_matrix->table();
    const auto withOdd = [&table](const QString &name, PairMeasure measure) {
        const int odd = table.oddCount(measure);
        return odd == 0 ? name
                        : tr("%1 (! %2)", "what is measured; how many pairs stand out").arg(name).arg(odd);
    };
    m_measure->setItemText(0, withOdd(tr("Latency, us"), PairMeasure::Latency));
    m_measure->setItemText(1, withOdd(tr("Bandwidth, MB/s"), PairMeasure::Bandwidth));
    const int odd = table.oddCount(m_matrix->measure());
    m_odd->setText(tr("! %n pairs stand o&ut", "! %n pair stands o&ut", odd));
    m_odd->setVisible(odd > 0);
}

SelfTestView::SelfTestView(QWidget *parent)
    : QWidget(parent)
    , m_groups(new RankGroups)
    , m_pairs(new PairPane)
    , m_plot(new BandwidthPlot)
{
    setObjectName(u"selfTestView"_s);
    auto *left =
        splitterOf(Qt::Vertical, {described(m_groups, "groupWords"), described(m_plot, "bandwidthWords")});
    left->setSizes({shareOfHalf, shareOfHalf});
    auto *layout = withoutMargins(new QVBoxLayout(this));
    auto *both = splitterOf(Qt::Horizontal, {left, m_pairs}, {4, 5});
    both->setSizes({4 * shareOfHalf, 5 * shareOfHalf}); // The matrix needs room for its numbers.
    layout->addWidget(both);
    setFocusProxy(m_groups);
}

void SelfTestView::setResults(const SelfTestResults &results, const RankNames &names)
{
    const bool isSame = results == m_results && names == m_names;
    // Finding the odd ones among many pairs takes a while.
    const bool arePairsSame = isSame || (results.pairs == m_results.pairs && names == m_names &&
                                         results.ranks.size() == m_results.ranks.size());
    const bool arePointsSame = results.collectives == m_results.collectives;
    m_results = results;
    m_names = names;
    if (!isSame)
        m_groups->setResults(results, names);
    if (!arePairsSame)
        m_pairs->setResults(results, names);
    if (!arePointsSame)
        m_plot->setCurves(bandwidthCurves(results.collectives));
}

} // namespace rankdeck

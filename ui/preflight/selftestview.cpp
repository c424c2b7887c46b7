#include "preflight/selftestview.h"

#include "preflight/bandwidthplot.h"
#include "preflight/pairmatrix.h"
#include "preflight/pairpane.h"
#include "preflight/rankgroups.h"

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

/// Of a splitter that shares by what its parts ask for.
constexpr int shareOfHalf = 10'000;

/// A picture with the line below it that says what its cursor is on.
template <typename Picture>
QWidget *described(Picture *picture, const QString &labelName)
{
    auto *pane = new QWidget;
    auto *words = new QLabel(picture->words(), pane);
    words->setObjectName(labelName);
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    words->setContentsMargins(8, 4, 8, 4);
    QObject::connect(picture, &Picture::described, words, &QLabel::setText);
    auto *layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(picture, 1);
    layout->addWidget(words);
    return pane;
}

} // namespace

SelfTestView::SelfTestView(QWidget *parent)
    : QWidget(parent)
    , m_groups(new RankGroups)
    , m_pairs(new PairPane)
    , m_plot(new BandwidthPlot)
{
    setObjectName(QStringLiteral("selfTestView"));
    auto *left = new QSplitter(Qt::Vertical);
    left->addWidget(described(m_groups, QStringLiteral("groupWords")));
    left->addWidget(described(m_plot, QStringLiteral("bandwidthWords")));
    left->setChildrenCollapsible(false);
    left->setSizes({shareOfHalf, shareOfHalf});
    auto *splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(left);
    splitter->addWidget(m_pairs);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 5);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    setFocusProxy(m_groups);
}

PairMatrix *SelfTestView::matrix() const
{
    return m_pairs->matrix();
}

void SelfTestView::setResults(const SelfTestResults &results, const RankNames &names)
{
    const bool isSame = results == m_results && names == m_names;
    // Which pairs stand out takes a while to tell where pairs are many.
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

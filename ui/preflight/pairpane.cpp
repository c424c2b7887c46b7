#include "preflight/pairpane.h"

#include "preflight/pairmatrix.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck
{

PairPane::PairPane(QWidget *parent)
    : QWidget(parent)
    , m_measure(new QComboBox(this))
    , m_odd(new QPushButton(this))
    , m_matrix(new PairMatrix(this))
    , m_words(new QLabel(this))
{
    setObjectName(QStringLiteral("pairPane"));
    m_measure->setObjectName(QStringLiteral("measureChoice"));
    m_measure->addItems({QString(), QString()});
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_odd->setObjectName(QStringLiteral("nextOddButton"));
    m_odd->setToolTip(tr("Goes to the next pair that stands out (N)."));
    auto *copy = new QPushButton(tr("Copy &table"), this);
    copy->setObjectName(QStringLiteral("copyPairsButton"));
    m_words->setObjectName(QStringLiteral("pairWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setContentsMargins(8, 4, 8, 4);
    auto *label = new QLabel(tr("Measure&d:"), this);
    label->setBuddy(m_measure);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->addWidget(label);
    bar->addWidget(m_measure);
    bar->addWidget(m_odd);
    bar->addStretch(1);
    bar->addWidget(copy);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_matrix, 1);
    layout->addWidget(m_words);
    setFocusProxy(m_matrix);

    connect(m_measure, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_matrix->setMeasure(index == 0 ? PairMeasure::Latency : PairMeasure::Bandwidth);
        tellOdd();
    });
    connect(m_odd, &QPushButton::clicked, m_matrix, &PairMatrix::goToNextOdd);
    connect(copy, &QPushButton::clicked, m_matrix, &PairMatrix::copy);
    connect(m_matrix, &PairMatrix::described, m_words, &QLabel::setText);
    m_words->setText(m_matrix->words());
    tellOdd();
}

void PairPane::setResults(const SelfTestResults &results, const RankNames &names)
{
    m_matrix->setTable({static_cast<int>(results.ranks.size()), results.pairs, names});
    tellOdd();
}

void PairPane::tellOdd()
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
    m_odd->setText(odd == 1 ? tr("! 1 pair stands o&ut") : tr("! %1 pairs stand o&ut").arg(odd));
    m_odd->setVisible(odd > 0);
}

} // namespace rankdeck

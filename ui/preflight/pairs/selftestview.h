#pragma once

#include "preflight/pairs/pairtable.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

class BandwidthPlot;
class PairMatrix;
class RankGroups;

/// The matrix of pairs with a choice of the value, and a line that describes the cursor's cell.
class PairPane : public QWidget
{
    Q_OBJECT

public:
    PairPane();

    void setResults(const SelfTestResults &results, const RankNames &names);
    PairMatrix *matrix() const { return m_matrix; }

private:
    void showOdd();

    QComboBox *m_measure;
    QPushButton *m_odd;
    PairMatrix *m_matrix;
};

/// The pictures of a collective self-test: ranks with their groups, the matrix of pairs, bandwidth against
/// size, each with a line that describes the place of its cursor.
class SelfTestView : public QWidget
{
    Q_OBJECT

public:
    explicit SelfTestView(QWidget *parent = nullptr);

    void setResults(const SelfTestResults &results, const RankNames &names);
    const SelfTestResults &results() const { return m_results; }

    RankGroups *groups() const { return m_groups; }
    PairMatrix *matrix() const { return m_pairs->matrix(); }
    BandwidthPlot *plot() const { return m_plot; }

private:
    RankGroups *m_groups;
    PairPane *m_pairs;
    BandwidthPlot *m_plot;
    SelfTestResults m_results;
    RankNames m_names;
};

} // namespace rankdeck

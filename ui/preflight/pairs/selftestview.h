#pragma once

#include "collective/selftest.h"
#include "preflight/ranknames.h"

#include <QWidget>

namespace rankdeck
{

class BandwidthPlot;
class PairMatrix;
class PairPane;
class RankGroups;

/// The pictures of a collective self-test: ranks with their groups, the matrix of pairs, bandwidth against
/// size, each with a line that says what its cursor is on.
class SelfTestView : public QWidget
{
    Q_OBJECT

public:
    explicit SelfTestView(QWidget *parent = nullptr);

    void setResults(const SelfTestResults &results, const RankNames &names);
    const SelfTestResults &results() const { return m_results; }

    RankGroups *groups() const { return m_groups; }
    PairMatrix *matrix() const;
    BandwidthPlot *plot() const { return m_plot; }

private:
    RankGroups *m_groups;
    PairPane *m_pairs;
    BandwidthPlot *m_plot;
    SelfTestResults m_results;
    RankNames m_names;
};

} // namespace rankdeck

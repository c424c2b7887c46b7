#pragma once

#include "collective/selftest.h"
#include "preflight/ranknames.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace rankdeck
{

class PairMatrix;

/// The matrix of ranks with the choice of what it shows, and below it what its cursor's cell says.
class PairPane : public QWidget
{
    Q_OBJECT

public:
    explicit PairPane(QWidget *parent = nullptr);

    void setResults(const SelfTestResults &results, const RankNames &names);
    PairMatrix *matrix() const { return m_matrix; }

private:
    void tellOdd();

    QComboBox *m_measure;
    QPushButton *m_odd;
    PairMatrix *m_matrix;
    QLabel *m_words;
};

} // namespace rankdeck

#pragma once

#include "run/samples/samplefilter.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace rankdeck
{

class NoteLabel;

/// By what the ranks of a grid are sorted, and which of them are shown. Speaks up a moment after the user has
/// written, and only with a filter that can be used; what is wrong with another it says below the field.
class OrderLine : public QWidget
{
    Q_OBJECT

public:
    explicit OrderLine(QWidget *parent = nullptr);

    /// Put the cursor into the filter.
    void focusFilter();
    /// As in the rank table, and all of them.
    void clear();
    /// How many ranks are shown.
    void setResult(const QString &result);

Q_SIGNALS:
    void orderChanged(const rankdeck::RankOrder &order);
    void filterChanged(const rankdeck::SampleFilter &filter);
    /// The user is done.
    void closed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void tellOrder();
    void tellFilter();

    QComboBox *m_by;
    QCheckBox *m_descending;
    QLineEdit *m_edit;
    QLabel *m_result;
    NoteLabel *m_problem;
    QTimer m_soon;
};

} // namespace rankdeck

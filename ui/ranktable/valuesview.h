#pragma once

#include <QTableView>

namespace rankdeck
{

class ValuesModel;

/// Shows a ValuesModel; several lines are pasted into as many rows.
class ValuesView : public QTableView
{
    Q_OBJECT

public:
    explicit ValuesView(ValuesModel *model, QWidget *parent = nullptr);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    ValuesModel *m_model;
};

} // namespace rankdeck

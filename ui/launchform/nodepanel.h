#pragma once

#include "launchform/nodetests.h"

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace rankdeck
{

class NodeRow;
class NoteLabel;

/// The nodes of the launch that is being put together, each to be tried, or all of them.
class NodePanel : public QWidget
{
    Q_OBJECT

public:
    explicit NodePanel(QWidget *parent = nullptr);

    void setOptions(const NodeOptions &options) { m_tests->setOptions(options); }
    /// In the order of the Tab key.
    QList<QWidget *> focusOrder() const;

private:
    void showNodes();
    void showNode(int index);
    void askAboutKey(const QString &node, const HostKey &key);

    NodeTests *m_tests;
    QPushButton *m_testAll;
    NoteLabel *m_note;
    QVBoxLayout *m_layout;
    QList<NodeRow *> m_rows;
};

} // namespace rankdeck

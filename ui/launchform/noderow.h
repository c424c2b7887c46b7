#pragma once

#include "launchform/nodetests.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace rankdeck
{

class NoteLabel;

/// A node of the launch: its name, what trying it found, and the button that tries it or, where its host key
/// is not known, shows that.
class NodeRow : public QWidget
{
    Q_OBJECT

public:
    explicit NodeRow(QWidget *parent = nullptr);

    void setNode(const TestedNode &node);
    QWidget *button() const;

Q_SIGNALS:
    void testWanted();
    void keyWanted();

private:
    QLabel *m_name;
    NoteLabel *m_found;
    QPushButton *m_button;
    bool m_isKeyUnknown = false;
};

/// "Rankdeck 0.1 on x86_64, 8 NPUs, clock +0.3 ms, 12 GiB free in /home/me": what a usable node said.
QString nodeFacts(const NodeTestResult &result);

} // namespace rankdeck

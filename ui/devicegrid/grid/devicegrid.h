#pragma once

#include "base/oneshottimer.h"
#include "devicegrid/grid/servergrid.h"

namespace rankdeck
{

/// The devices of a run, to choose ranks from.
///
/// Arrows move the cursor; Enter, Space or a click choose that rank, or all of a heading; Ctrl adds or
/// removes, Shift chooses the range from the last one. Plus and minus, a double click or a click on its
/// triangle fold and open a server; so do Left and Right on a heading with nothing beside it. The menu key or
/// a right click open a menu. Digits gather to the number of a rank, which is chosen after a moment or with
/// Enter. Ctrl and the wheel make the ranks larger or smaller.
class DeviceGrid : public ServerGrid
{
    Q_OBJECT

public:
    explicit DeviceGrid(QWidget *parent = nullptr);

Q_SIGNALS:
    /// The user, not setChosen(), chose these indexes in LaunchPlan::processes; ascending, never empty.
    void ranksChosen(const QList<int> &processes);
    /// The user asked for a menu for the chosen ranks; `place` on the screen.
    void menuRequested(const QPoint &place);
    /// Emitted for the status bar: the number being typed, or that there is no such rank.
    void message(const QString &text);

protected:
    void moveCurrent(Qt::Key key, Qt::KeyboardModifiers modifiers) override;
    void enterEvent(QEnterEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    enum class Choice { Only, Toggle, Range };
    static Choice choiceFor(Qt::KeyboardModifiers modifiers);

    void choose(const GridItem &item, Choice choice);
    QList<int> rangeTo(const GridItem &item) const;

    bool typeNumber(QKeyEvent *event);
    void goToTyped();

    QString m_typed;             ///< Digits of a rank.
    OneShotTimer m_typing{1200}; ///< Digits that follow sooner belong to the same number.
    GridItem m_anchor;           ///< Start of a range of chosen items.
};

} // namespace rankdeck

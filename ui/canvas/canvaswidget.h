#pragma once

#include "canvas/widgetcanvas.h"

#include <QWidget>

#include <memory>

namespace rankdeck
{

/// A widget that is drawn through a Canvas. Subclasses draw in drawCanvas() and call schedule() when
/// something changed; frames are paced (see FramePacer), and nothing is drawn while the widget is hidden,
/// minimised or, on an X server, covered by other windows. Subclasses must cover all of it when
/// everything is to be drawn: no background is painted beneath.
class CanvasWidget : public QWidget
{
    Q_OBJECT

public:
    explicit CanvasWidget(QWidget *parent = nullptr);
    ~CanvasWidget() override;

    Canvas &canvas() { return *m_canvas; }
    const Canvas &canvas() const { return *m_canvas; }

    /// Somebody may look at it: it is neither hidden nor minimised nor, as far as that is known, covered by
    /// other windows.
    bool isSeen() const;

Q_SIGNALS:
    /// It was covered by other windows and is so no more.
    void seenAgain();

protected:
    /// Draw what changed since the last call; `everything` when all of it must be drawn again (first show,
    /// resize, palette or font change). present() is called afterwards.
    virtual void drawCanvas(Canvas &canvas, bool everything) = 0;
    /// Something changed: draw at the next frame.
    void schedule();
    /// Draw all of it at the next frame.
    void scheduleEverything();
    /// More comes than anyone can read: frames become more seldom.
    void setFlooded(bool flooded);

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void wake();
    void frame();
    void drawNow();
    void present();

    struct Private;
    std::unique_ptr<Private> d;
    std::unique_ptr<WidgetCanvas> m_canvas;
};

} // namespace rankdeck

#pragma once

#include "mainwindow/session/runsession.h"

class QFileDialog;
class QMainWindow;

namespace rankdeck
{

/// Opens recorded runs: asks for a path or uses one that is dropped; finds its kind in the background.
class Opening : public QObject
{
    Q_OBJECT

public:
    /// @param window accepts drops from now on; must outlive this object.
    explicit Opening(QMainWindow *window);

    /// @param path a run of ours, a directory of logs that any launcher left, or a file: a log or a report
    /// bundle.
    void open(const QString &path);
    void chooseLogDirectory();
    void chooseLogOrBundle();

Q_SIGNALS:
    void runFound(const QString &directory);
    void logsFound(const QString &path, RunSession::Source source);
    void rankTableFound(const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// Opens a dialog, and then the directory or file chosen in it.
    void choose(QFileDialog *chooser);

    QMainWindow *m_window;
};

} // namespace rankdeck

#pragma once

#include "launch/launchimport.h"
#include "launch/launchplan.h"

#include <QMenu>

#include <optional>

namespace rankdeck
{

/// What the launch form does with command lines: takes one over, and gives the launch as one or as a shell
/// script.
class CommandLineMenu : public QMenu
{
    Q_OBJECT

public:
    explicit CommandLineMenu(QWidget *parent = nullptr);

    /// What copying and saving is about.
    /// @param plan of `spec`; absent while there is none, and then there is no script either.
    void setLaunch(const LaunchSpec &spec, const std::optional<LaunchPlan> &plan);

public Q_SLOTS:
    void paste();

Q_SIGNALS:
    void imported(const rankdeck::ImportedLaunch &launch);
    /// For a status line.
    void said(const QString &text);
    void failed(const rankdeck::Error &error);

private:
    void copyPeer();
    void copyOwn();
    void chooseScript();
    void saveScript(const QString &path);

    QAction *m_paste;
    QAction *m_copyPeer;
    QAction *m_copyOwn;
    QAction *m_saveScript;
    LaunchSpec m_spec;
    std::optional<LaunchPlan> m_plan;
};

} // namespace rankdeck

#pragma once

#include "launch/launchspec.h"
#include "launchform/previewresult.h"

#include <QMap>
#include <QWidget>

class QLineEdit;
class QVBoxLayout;

namespace rankdeck
{

class Field;
class FoldedOptions;
class NodePanel;
class OptionField;
class OptionGroup;
class TableCheckLine;

/// The editors of a LaunchSpec: those of its launcher, then what few need, each with its help and what is
/// wrong with it below. The command, which is long, is a widget apart, to be laid out over the full width.
class LaunchFields : public QWidget
{
    Q_OBJECT

public:
    explicit LaunchFields(QWidget *parent = nullptr);

    QWidget *commandField() const;
    /// All that takes the focus, in the order of the Tab key.
    QList<QWidget *> focusOrder() const;

    /// Makes the fields anew when the launcher is another one.
    void setSpec(const LaunchSpec &spec);
    /// What the editors hold. Where a field has a problem of its own (an unclosed quote, a line without "="),
    /// what setSpec() put there; of the command, nothing.
    LaunchSpec spec() const;
    /// The fields of another launcher with what both understand; the rest as it was left there, or new.
    void setLauncher(const QString &launcher);

    void setRankTable(const QString &path);
    /// As --tty.
    void setTerminals(const QString &ranks);
    /// Offered while a command is typed, newest first.
    void setCommandHistory(const QStringList &commands);
    /// Say in the fields what `result` found out: defaults, absolute paths, the table's status.
    void showContext(const PreviewResult &result);
    /// What the outside says is wrong, by option, beside the fields' own problems; replaces what it said
    /// before.
    void setProblems(const QMap<QString, QString> &problems);
    /// Whether there is a field of the option, as normalOption() writes it.
    bool hasField(const QString &option) const;
    /// Whether something is wrong that needs no look at the outside: an empty command, an unclosed quote.
    bool hasOwnProblem() const { return !m_ownProblems.isEmpty(); }
    /// Put the cursor where the first problem is.
    void focusProblem();

Q_SIGNALS:
    void changed();
    /// The fields are others, so focusOrder() is another.
    void launcherChanged(const QString &launcher);
    void showTableWanted();

private:
    Field *makeCommand();
    void makePage(const QString &launcher);
    void alignNames();
    void edited();
    void checkOwn();
    void checkCommand();
    void showProblems();
    void browseScript();
    QList<OptionField *> fields() const;
    OptionField *fieldOf(const QString &option) const;

    LaunchSpec m_base;                     ///< For what has no editor.
    QMap<QString, LaunchSpec> m_lastSpecs; ///< Of launchers that were left for another one.
    QLineEdit *m_command;
    Field *m_commandField;
    QVBoxLayout *m_layout;
    QWidget *m_page = nullptr; ///< Of the launcher; holds what follows.
    OptionGroup *m_options = nullptr;
    QList<FoldedOptions *> m_folded; ///< In their order.
    OptionGroup *m_nodeOptions = nullptr;
    NodePanel *m_nodes = nullptr;         ///< Below them.
    QMap<QString, QString> m_ownProblems; ///< By option.
    QMap<QString, QString> m_problems;
    bool m_filling = false;
};

} // namespace rankdeck

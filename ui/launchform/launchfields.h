#pragma once

#include "launch/launchspec.h"
#include "launchform/launchfield.h"

#include <QMap>
#include <QWidget>

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;
class QVBoxLayout;

namespace rankdeck
{

class Field;
class PathEdit;
class TableCheckLine;

/// The editors of a LaunchSpec, common options first, each with its help and what is wrong with it below.
/// The command, which is long, is a widget apart, to be laid out over the full width.
class LaunchFields : public QWidget
{
    Q_OBJECT

public:
    explicit LaunchFields(QWidget *parent = nullptr);

    QWidget *commandField() const;
    /// All that takes the focus, in the order of the Tab key.
    QList<QWidget *> focusOrder() const;

    void setSpec(const LaunchSpec &spec);
    /// What the editors hold. A field that has a problem of its own (an unclosed quote, a line without "=")
    /// counts as empty.
    LaunchSpec spec() const;

    void setRankTable(const QString &path);
    /// Offered while a command is typed, newest first.
    void setCommandHistory(const QStringList &commands);
    /// Say in the fields what `result` found out: defaults, absolute paths, the table's status.
    void showContext(const PreviewResult &result);
    /// What the outside says is wrong, beside the fields' own problems; replaces what it said before.
    void setProblems(const QMap<LaunchField, QString> &problems);
    /// Whether something is wrong that needs no look at the outside: an empty command, an unclosed quote.
    bool hasOwnProblem() const { return !m_ownProblems.isEmpty(); }
    /// Put the cursor where the first problem is.
    void focusProblem();

Q_SIGNALS:
    void changed();
    void showTableWanted();

private:
    void makeCommand();
    void makeCommonFields(QVBoxLayout *layout);
    void makeOptions(QVBoxLayout *layout);
    void add(LaunchField id, Field *field, QVBoxLayout *layout);
    void edited();
    void checkOwn();
    void showProblems();
    void browseScript();

    LaunchSpec m_base; ///< For what has no editor: the launcher.
    QLineEdit *m_command;
    PathEdit *m_rankTable;
    TableCheckLine *m_tableCheck;
    PathEdit *m_workDir;
    PathEdit *m_logDir;
    QLineEdit *m_name;
    QPlainTextEdit *m_environment;
    PathEdit *m_convertedTable;
    QSpinBox *m_wait;
    QSpinBox *m_grace;
    QCheckBox *m_randomCache;
    QCheckBox *m_destroy;
    QCheckBox *m_raise;
    QMap<LaunchField, Field *> m_fields; ///< In tab order.
    QMap<LaunchField, QString> m_ownProblems;
    QMap<LaunchField, QString> m_problems;
    bool m_filling = false;
};

} // namespace rankdeck

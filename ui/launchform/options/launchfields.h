#pragma once

#include "launchform/fields/optiongroup.h"

#include <QSet>

namespace rankdeck
{

class NodePanel;

/// Rarely used options, folded away behind a button that says how many of them are set.
class FoldedOptions : public QWidget
{
    Q_OBJECT

public:
    /// @param title of the button, with its mnemonic.
    /// @param below stands below the options; null for none.
    FoldedOptions(const QString &title, OptionGroup *options, QWidget *below = nullptr,
                  QWidget *parent = nullptr);

    OptionGroup *options() const { return m_options; }
    QWidget *button() const { return m_button; }
    void setOpen(bool open);
    /// Updates the count on the button.
    void refresh();

private:
    QString m_title;
    OptionGroup *m_options;
    QWidget *m_below;
    QToolButton *m_button;
};

/// Describes a launcher in one line.
QString launcherDescription(const QString &launcher);

/// Returns a new spec of `launcher`, or davincirun's if there is no such launcher.
LaunchSpec defaultsOf(const QString &launcher);

/// Copies the options that both launchers have from `spec` to `next`: the command, the directories, the name,
/// the environment, the number of ranks and the common options. Where `spec` has its launcher's default,
/// `next` keeps its own.
LaunchSpec withSharedOptions(LaunchSpec next, const LaunchSpec &spec);

/// Returns the spec with a relative log directory below the work directory, as the form shows it.
LaunchSpec withLogsBelow(LaunchSpec spec);

/// The field of the command that every rank runs.
class CommandField : public Field
{
    Q_OBJECT

public:
    explicit CommandField(QWidget *parent);

    QString text() const { return m_edit->text(); }
    void setText(const QString &text) { m_edit->setText(text); }
    /// Shows a command from its beginning.
    void setCommand(const QStringList &command);
    /// Returns the words of the command. Fails if there are none, or a quote is not closed.
    Result<QStringList> command() const;
    /// Sets the commands that are offered while one is typed, newest first.
    void setHistory(const QStringList &commands);
    /// Says how `launcher` runs the command.
    void showHelp(const QString &launcher);

Q_SIGNALS:
    void edited();

private:
    void browse();

    QLineEdit *m_edit;
};

/// The editors of a LaunchSpec: the launcher's options, then the rarely used ones, each with its help or
/// problem below. The command is a separate widget, because it needs the full width. A field shows no problem
/// before it is edited, unless showAllProblems() was called.
class LaunchFields : public QWidget
{
    Q_OBJECT

public:
    LaunchFields();

    CommandField *commandField() const { return m_command; }
    /// Small: with little width the names move above the fields.
    QSize minimumSizeHint() const override;
    /// Returns all widgets that take the focus, in the order of the Tab key.
    QList<QWidget *> focusOrder() const;

    /// Fills the fields; replaces them if the launcher changes. Counts as an edit of all of them.
    void setSpec(const LaunchSpec &spec);
    /// Fills the fields of a form that nobody has edited.
    void startWith(const LaunchSpec &spec);
    /// Returns the edited spec. A field with a problem of its own (an unclosed quote, a line without "=")
    /// keeps its value from setSpec(); such a command is empty.
    LaunchSpec spec() const;
    /// Switches the launcher and keeps the options that both have. The others are as they were last edited
    /// there.
    void setLauncher(const QString &launcher);

    void setRankTable(const QString &path);
    /// Sets --tty.
    void setTerminals(const QString &ranks);
    /// Shows in the fields what a preview found out: defaults, absolute paths, the table's status.
    void showContext(const PreviewResult &result);
    /// Shows the problems of a preview, by option, in addition to the fields' own ones.
    void setProblems(const QMap<QString, QString> &problems)
    {
        m_problems = problems;
        showProblems();
    }
    /// Returns true if the option, as normalOption() writes it, has a field.
    bool hasField(const QString &option) const;
    /// Returns true for a problem of the text alone: an empty command, an unclosed quote.
    bool hasOwnProblem() const { return !m_ownProblems.isEmpty(); }
    /// From now on fields that were never edited show their problems too.
    void showAllProblems()
    {
        m_showsAll = true;
        showProblems();
    }
    /// Returns true if the user or setSpec() has changed anything.
    bool isEdited() const { return m_showsAll || !m_edited.isEmpty(); }
    /// Returns the problems of all fields from top to bottom, shown or not, each with its field's name.
    QStringList steps() const;
    /// Returns `text` with the names of the fields in place of their options.
    QString inWindowWords(QString text) const;
    /// Moves the cursor to the first problem.
    void focusProblem();

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QWidget::resizeEvent(event);
        alignNames();
    }
    void changeEvent(QEvent *event) override;

Q_SIGNALS:
    void changed();
    /// The fields were replaced; focusOrder() has changed.
    void launcherChanged(const QString &launcher);
    void showTableRequested();

private:
    void makePage(const QString &name);
    void alignNames();
    void edited();
    void checkOwn();
    void showProblems();
    /// Returns the problem of a field, shown or not.
    QString problemOf(const Field *field) const;
    QList<OptionField *> fields() const;
    /// With the command.
    QList<Field *> allFields() const;
    OptionField *fieldOf(const QString &option) const;

    LaunchSpec m_base;                     ///< Has the values that no editor shows.
    QMap<QString, LaunchSpec> m_lastSpecs; ///< By launcher that was switched away from.
    CommandField *m_command;
    QVBoxLayout *m_layout;
    QWidget *m_page = nullptr; ///< Holds the following widgets; replaced with the launcher.
    OptionGroup *m_options = nullptr;
    bool m_isNarrow = false;
    QList<FoldedOptions *> m_folded; ///< From top to bottom.
    OptionGroup *m_nodeOptions = nullptr;
    NodePanel *m_nodes = nullptr;         ///< Below m_nodeOptions.
    QMap<QString, QString> m_ownProblems; ///< By option.
    QMap<QString, QString> m_problems;
    bool m_filling = false;
    QSet<const Field *> m_edited; ///< By the user.
    bool m_showsAll = false;
};

} // namespace rankdeck

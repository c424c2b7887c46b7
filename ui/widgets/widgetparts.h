#pragma once

#include "base/result.h"

// Headers that most pages and dialogs need; their sources do not include these again.
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>

#include <functional>

class QTableView;

namespace rankdeck
{

/// Gives `object` the name by which tests find it, and returns it.
template <typename T>
T *named(T *object, const char *name)
{
    object->setObjectName(QLatin1String(name));
    return object;
}

/// Gives `widget` also the name that screen readers say, and returns it.
template <typename T>
T *named(T *widget, const char *name, const QString &spoken)
{
    widget->setAccessibleName(spoken);
    return named(widget, name);
}

/// Takes the margins off `layout`, and returns it.
/// @param spacing in pixels; -1: the style's.
template <typename Layout>
Layout *withoutMargins(Layout *layout, int spacing = -1)
{
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    return layout;
}

/// Returns a label that never reads its text as markup.
QLabel *lineLabel(const char *name, const QString &text = {});
/// The same, which also wraps its text.
QLabel *plainLabel(const char *name, const QString &text = {});
/// Returns a label whose mnemonic gives the focus to `field`.
QLabel *labelOf(QWidget *field, const QString &text);
/// Returns the icon that the desktop's theme has under this freedesktop name, else our own of
/// resources/icons, in the colour of `palette`'s text.
QIcon toolIcon(const char *name, const QPalette &palette);
/// Returns Rankdeck's own icon, in all its sizes.
QIcon rankdeckIcon();
/// Returns a button that Enter does not press while another widget of its dialog has the focus.
QPushButton *plainButton(const QString &text, const char *name);
/// Returns a small button with a tool tip, flat until the pointer is on it, that Tab reaches.
QToolButton *flatButton(QWidget *parent, const QString &text, const QString &toolTip);
/// Returns a line of plain text that takes the room that is left, and never asks for more.
QLabel *resultLabel(const char *name);
/// Shows `result` in such a line, and in its tool tip, where all of it can be read.
void showResult(QLabel *line, const QString &result);
/// Returns a text to read and to select from. Tab leaves it.
QPlainTextEdit *readOnlyText(const char *name, const QString &spoken = {});
/// Gives `edit` the height of this many lines, also after its font has changed.
void showLines(QPlainTextEdit *edit, int lines);
/// Returns an edit for the words of a filter or a search, which shows `words` while it is empty.
QLineEdit *filterEdit(QWidget *parent, const char *name, const QString &words);
/// Returns a splitter with these widgets, none of which can be shrunk to nothing.
/// @param stretch of each widget.
QSplitter *splitterOf(Qt::Orientation orientation, std::initializer_list<QWidget *> widgets,
                      std::initializer_list<int> stretch = {});

/// Sets the page of the manual, such as "logs.md", that F1 opens while `widget` or a part has the focus.
void setManualPage(QWidget *widget, const char *page);
/// Returns the manual page of `widget` or of its nearest parent with one; index.md if none has one.
QString manualPageOf(const QWidget *widget);

/// Room in a row or a column that stays empty, by its share of what is left.
struct Stretch {
    int factor = 0;
};

/// Room in a row or a column that stays empty, in pixels.
struct Gap {
    int pixels = 0;
};

/// What stands in a row or a column: a widget or a layout, with its share of the room that is left, or room.
struct LayoutPart {
    LayoutPart(QWidget *part, int share = 0, Qt::Alignment at = {})
        : widget(part)
        , stretch(share)
        , alignment(at)
    {
    }
    LayoutPart(QLayout *part, int share = 0)
        : layout(part)
        , stretch(share)
    {
    }
    LayoutPart(Stretch room)
        : stretch(room.factor)
    {
    }
    LayoutPart(Gap room)
        : gap(room.pixels)
    {
    }

    QWidget *widget = nullptr;
    QLayout *layout = nullptr;
    int stretch = 0;
    int gap = 0;
    Qt::Alignment alignment;
};

void addParts(QBoxLayout *layout, std::initializer_list<LayoutPart> parts);
/// Returns a row of these, which is to be added to another layout.
QHBoxLayout *rowOf(std::initializer_list<LayoutPart> parts);
/// Makes the Tab key go from each widget to the next.
void chainTabOrder(const QList<QWidget *> &order);

/// Gives `widget` the font of terminals, in which all letters are equally wide.
void useFixedFont(QWidget *widget);
void setTextColor(QWidget *widget, const QColor &color);
/// Calls `changed` whenever the palette of `widget` has changed.
void onPaletteChange(QWidget *widget, std::function<void()> changed);
/// Calls `adapt` now, and whenever the palette of `widget` has changed.
void adaptToPalette(QWidget *widget, const std::function<void()> &adapt);
/// Calls `adapt` now, and whenever the font of `widget` has changed.
void adaptToFont(QWidget *widget, const std::function<void()> &adapt);
/// Resizes a window that is not shown yet to this many letters and lines, as far as the screen allows.
void resizeInText(QWidget *window, int letters, int lines);
/// Makes the rows of a table as high as its text, also when that becomes larger.
void fitRowsToText(QTableView *table);
/// Makes the font of `widget` bold, and `factor` times as large.
void makeBold(QWidget *widget, double factor = 1);

/// Returns the number of rows or columns for a model: `count` at the top, none below a cell.
inline int countBelow(const QModelIndex &parent, qsizetype count)
{
    return parent.isValid() ? 0 : int(count);
}

/// Returns a dialog over `parent` that chooses an existing file and deletes itself; the caller opens it.
QFileDialog *openFileDialog(QWidget *parent, const QString &title, const QStringList &filters);
/// Returns a dialog over `parent` that chooses where to save and deletes itself; the caller opens it.
/// @param path that it proposes.
/// @param suffix that a name without one gets, without its dot.
QFileDialog *saveFileDialog(QWidget *parent, const QString &title, const QString &path,
                            const QStringList &filters, const QString &suffix);

/// Sets up a question or a message: plain text, and not informative text, in which Qt would look for markup.
/// The box deletes itself when it is closed.
void setUpBox(QMessageBox *box, const char *name, QMessageBox::Icon icon, const QString &title,
              const QString &text);
/// Shows a problem in a box over `parent`, without waiting for it. Plain text.
void showProblem(QWidget *parent, const QString &title, const QString &sentence);

/// Writes `text` to `path` as UTF-8, whole or not at all. Blocks. Returns nothing on success.
std::optional<Error> saveText(const QString &text, const QString &path);

/// Asks where to save, then calls `then` with the path. Asks before an existing file is replaced.
/// @param fileName the offered name; its suffix is the usual one.
void askWhereToSave(QWidget *parent, const QString &title, const QString &fileName,
                    const std::function<void(const QString &path)> &then);

/// Writes a file in the background, whole or not at all; shows an error in a box.
/// @param write called in another thread; its error is shown as if the file could not be written.
void saveInBackground(QWidget *parent, const QString &title, const QString &path,
                      std::function<std::optional<Error>(QIODevice &file)> write);

/// Two groups of widgets in a row; where that is too long, the first group stands above the second.
class WrappingRow : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Sets the groups, once.
    /// @param firstStretch, secondStretch of the groups while they share a row.
    void setGroups(QHBoxLayout *first, int firstStretch, QHBoxLayout *second, int secondStretch);
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;

private:
    void arrange();

    QHBoxLayout *m_first = nullptr;
    QHBoxLayout *m_second = nullptr;
    QBoxLayout *m_rows = nullptr;
};

} // namespace rankdeck

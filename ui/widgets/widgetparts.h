#pragma once

#include "base/tr.h"

#include <QLatin1String>

#include <initializer_list>

class QWidget;
class QBoxLayout;
class QFileDialog;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace rankdeck
{

/// Gives `object` the name by which tests find it, and returns it.
template <typename T>
T *named(T *object, const char *name)
{
    object->setObjectName(QLatin1String(name));
    return object;
}

/// Takes the margins off `layout`, and returns it.
template <typename Layout>
Layout *withoutMargins(Layout *layout)
{
    layout->setContentsMargins(0, 0, 0, 0);
    return layout;
}

/// Returns a label that never reads its text as markup, and wraps it.
QLabel *plainLabel(const char *name, const QString &text = {});
/// Returns a button that Enter does not press while another widget of its dialog has the focus.
QPushButton *plainButton(const QString &text, const char *name);
/// Returns a text to read and to select from. Tab leaves it.
QPlainTextEdit *readOnlyText(const char *name);

/// Adds widgets to the end of `layout`.
void addWidgets(QBoxLayout *layout, std::initializer_list<QWidget *> widgets);
/// Makes the Tab key go from each widget to the next.
void chainTabOrder(const QList<QWidget *> &order);

/// Makes the font of `widget` bold, and `factor` times as large.
void makeBold(QWidget *widget, double factor = 1);

/// Returns a dialog over `parent` that chooses an existing file and deletes itself; the caller opens it.
QFileDialog *openFileDialog(QWidget *parent, const QString &title, const QStringList &filters);
/// Returns a dialog over `parent` that chooses where to save and deletes itself; the caller opens it.
/// @param path that it proposes.
/// @param suffix that a name without one gets, without its dot.
QFileDialog *saveFileDialog(QWidget *parent, const QString &title, const QString &path,
                            const QStringList &filters, const QString &suffix);

/// Shows a problem in a box over `parent`, without waiting for it. Plain text.
void showProblem(QWidget *parent, const QString &title, const QString &sentence);

} // namespace rankdeck

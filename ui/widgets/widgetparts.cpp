#include "widgets/widgetparts.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

namespace rankdeck
{

QLabel *plainLabel(const char *name, const QString &text)
{
    auto *label = named(new QLabel, name);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    label->setWordWrap(true);
    return label;
}

QPushButton *plainButton(const QString &text, const char *name)
{
    auto *button = named(new QPushButton(text), name);
    button->setAutoDefault(false);
    return button;
}

QPlainTextEdit *readOnlyText(const char *name)
{
    auto *text = named(new QPlainTextEdit, name);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    return text;
}

void addWidgets(QBoxLayout *layout, std::initializer_list<QWidget *> widgets)
{
    for (QWidget *widget : widgets)
        layout->addWidget(widget);
}

void chainTabOrder(const QList<QWidget *> &order)
{
    for (qsizetype i = 1; i < order.size(); ++i)
        QWidget::setTabOrder(order.at(i - 1), order.at(i));
}

void makeBold(QWidget *widget, double factor)
{
    QFont font = widget->font();
    if (factor != 1)
        font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(true);
    widget->setFont(font);
}

QFileDialog *openFileDialog(QWidget *parent, const QString &title, const QStringList &filters)
{
    auto *dialog = new QFileDialog(parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(filters);
    return dialog;
}

QFileDialog *saveFileDialog(QWidget *parent, const QString &title, const QString &path,
                            const QStringList &filters, const QString &suffix)
{
    auto *dialog = new QFileDialog(parent, title, path);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    return dialog;
}

void showProblem(QWidget *parent, const QString &title, const QString &sentence)
{
    auto *box =
        named(new QMessageBox(QMessageBox::Warning, title, {}, QMessageBox::Ok, parent), "problemBox");
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    // Qt would interpret markup in informative text.
    box->setText(title + QStringLiteral("\n\n") + sentence);
    box->open();
}

} // namespace rankdeck

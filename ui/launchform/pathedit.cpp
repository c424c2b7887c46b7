#include "launchform/pathedit.h"

#include <QFileDialog>
#include <QPushButton>

namespace rankdeck
{

PathEdit::PathEdit(Kind kind, const QString &title, QWidget *parent)
    : QLineEdit(parent)
    , m_kind(kind)
    , m_title(title)
    , m_browse(new QPushButton(tr("Browse…"), this))
{
    m_browse->setAutoDefault(false);
    m_browse->setAccessibleName(title);
    connect(m_browse, &QPushButton::clicked, this, &PathEdit::browse);
}

void PathEdit::browse()
{
    auto *dialog = new QFileDialog(this, m_title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(m_kind == Kind::File ? QFileDialog::ExistingFile : QFileDialog::Directory);
    if (m_kind == Kind::File)
        dialog->setNameFilters({tr("Rank tables (*.json)"), tr("All files (*)")});
    else
        dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &QLineEdit::setText);
    dialog->open();
}

} // namespace rankdeck

#include "widgets/filesaving.h"

#include "background/inbackground.h"
#include "widgets/widgetparts.h"

#include <QFileInfo>
#include <QImage>
#include <QSaveFile>

namespace rankdeck
{

static std::optional<Error> writeWhole(const QString &path,
                                       const std::function<std::optional<Error>(QIODevice &)> &write)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        if (auto error = write(file))
            return error;
        if (file.error() == QFileDevice::NoError && file.commit())
            return {};
    }
    return Error{tr("cannot be written: %1").arg(file.errorString()), path, tr("Choose another place.")};
}

std::optional<Error> saveText(const QString &text, const QString &path)
{
    return writeWhole(path, [&text](QIODevice &file) {
        file.write(text.toUtf8());
        return std::optional<Error>();
    });
}

void askWhereToSave(QWidget *parent, const QString &title, const QString &fileName,
                    const std::function<void(const QString &)> &then)
{
    const QString suffix = QFileInfo(fileName).suffix();
    auto *dialog = new QFileDialog(parent, title, {}, QStringLiteral("*.") + suffix);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(fileName);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, then);
    dialog->open();
}

void saveInBackground(QWidget *parent, const QString &title, const QString &path,
                      std::function<std::optional<Error>(QIODevice &)> write)
{
    inBackground(
        parent, [path, write = std::move(write)] { return writeWhole(path, write); },
        [parent, title](const std::optional<Error> &error) {
            if (!error)
                return;
            auto *box = new QMessageBox(QMessageBox::Warning, title, {}, QMessageBox::Close, parent);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->setTextFormat(Qt::PlainText);
            box->setText(error->sentence());
            box->open();
        });
}

void savePicture(QWidget *parent, const QString &title, const QString &path, const QImage &picture)
{
    saveInBackground(parent, title, path, [picture](QIODevice &file) {
        picture.save(&file, "PNG");
        return std::optional<Error>();
    });
}

} // namespace rankdeck

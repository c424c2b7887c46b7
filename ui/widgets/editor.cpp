#include "widgets/editor.h"

#include "base/result.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QMimeDatabase>
#include <QProcess>
#include <QSettings>
#include <QUrl>

namespace rankdeck
{

QStringList editorWords(const QString &command, const QString &path, int line)
{
    QStringList words = QProcess::splitCommand(command);
    const QString file = u"{file}"_s;
    const bool namesFile = words.join(' '_L1).contains(file);
    for (QString &word : words) {
        // The line first: a path may contain "{line}".
        word.replace(u"{line}"_s, QString::number(std::max(1, line)));
        word.replace(file, path);
    }
    if (!words.isEmpty() && !namesFile)
        words << path;
    return words;
}

QString graphicalEditor(const QString &variable)
{
    // Editors, and their arguments for a line. Source: the editors' manuals.
    static constexpr std::pair<const char *, const char *> arguments[] = {
        {"code codium cursor", "-g {file}:{line}"},
        {"subl zed", "{file}:{line}"},
        {"gvim gedit gnome-text-editor emacs xemacs pluma xed mousepad geany", "+{line} {file}"},
        {"kate kwrite", "-l {line} {file}"},
        {"qtcreator", "-client {file}:{line}"},
        {"pycharm", "--line {line} {file}"},
        {"nedit", "-line {line} {file}"}};
    const QStringList words = QProcess::splitCommand(variable);
    if (words.isEmpty() || words.contains(u"-nw"_s))
        return {};
    const QByteArray editor = words.constFirst().section('/'_L1, -1).toUtf8();
    for (const auto &[editors, known] : arguments) {
        if (QByteArray(editors).split(' ').contains(editor))
            return variable + ' '_L1 + QLatin1String(known);
    }
    return {};
}

static QString chosenCommand()
{
    const QString chosen = QSettings().value(QLatin1String(editorSetting)).toString().trimmed();
    if (!chosen.isEmpty())
        return chosen;
    for (const char *const name : {"VISUAL", "EDITOR"}) {
        const QString known = graphicalEditor(qEnvironmentVariable(name));
        if (!known.isEmpty())
            return known;
    }
    return {};
}

QString openInEditor(const QString &path, int line)
{
    const QFileInfo file(path);
    if (!file.exists())
        return Error{tr("The file does not exist"), path, {}}.sentence();
    if (!file.isFile())
        return Error{tr("This is not a regular file"), path, {}}.sentence();
    const QString command = chosenCommand();
    QStringList words = editorWords(command, file.absoluteFilePath(), line);
    if (!words.isEmpty()) {
        const QString program = words.takeFirst();
        if (QProcess::startDetached(program, words))
            return {};
        return Error{tr("The editor cannot be started"), program,
                     tr("Choose another one in the preferences.")}
            .sentence();
    }
    // The desktop may execute a file that is not plain text.
    const QMimeType type = QMimeDatabase().mimeTypeForFile(file);
    if (type.inherits(u"application/x-desktop"_s) || !type.inherits(u"text/plain"_s))
        return Error{tr("This is not a text file"), path, tr("Choose an editor in the preferences.")}
            .sentence();
    if (QDesktopServices::openUrl(QUrl::fromLocalFile(file.absoluteFilePath())))
        return {};
    return Error{tr("No editor opens this file"), path, tr("Choose an editor in the preferences.")}
        .sentence();
}

QString openFolder(const QString &path)
{
    if (!QFileInfo(path).isDir())
        return Error{tr("The folder does not exist"), path, {}}.sentence();
    if (QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
        return {};
    return Error{tr("No file manager opens this folder"), path, {}}.sentence();
}

} // namespace rankdeck

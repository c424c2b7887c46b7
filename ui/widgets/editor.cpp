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
    const QString file = QStringLiteral("{file}");
    const bool namesFile = words.join(QLatin1Char(' ')).contains(file);
    for (QString &word : words) {
        // The line first: a path may contain "{line}".
        word.replace(QStringLiteral("{line}"), QString::number(std::max(1, line)));
        word.replace(file, path);
    }
    if (!words.isEmpty() && !namesFile)
        words << path;
    return words;
}

QString graphicalEditor(const QString &variable)
{
    // The arguments for a line, by editor. Source: the editors' manuals.
    static const QMap<QString, QString> arguments{
        {QStringLiteral("code"), QStringLiteral("-g {file}:{line}")},
        {QStringLiteral("codium"), QStringLiteral("-g {file}:{line}")},
        {QStringLiteral("cursor"), QStringLiteral("-g {file}:{line}")},
        {QStringLiteral("subl"), QStringLiteral("{file}:{line}")},
        {QStringLiteral("zed"), QStringLiteral("{file}:{line}")},
        {QStringLiteral("gvim"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("gedit"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("gnome-text-editor"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("emacs"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("xemacs"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("pluma"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("xed"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("mousepad"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("kate"), QStringLiteral("-l {line} {file}")},
        {QStringLiteral("kwrite"), QStringLiteral("-l {line} {file}")},
        {QStringLiteral("geany"), QStringLiteral("+{line} {file}")},
        {QStringLiteral("qtcreator"), QStringLiteral("-client {file}:{line}")},
        {QStringLiteral("pycharm"), QStringLiteral("--line {line} {file}")},
        {QStringLiteral("nedit"), QStringLiteral("-line {line} {file}")}};
    const QStringList words = QProcess::splitCommand(variable);
    if (words.isEmpty() || words.contains(QStringLiteral("-nw")))
        return {};
    const QString known = arguments.value(words.constFirst().section(QLatin1Char('/'), -1));
    return known.isEmpty() ? QString() : variable + QLatin1Char(' ') + known;
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
    if (type.inherits(QStringLiteral("application/x-desktop")) ||
        !type.inherits(QStringLiteral("text/plain")))
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

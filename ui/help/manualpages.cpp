#include "help/manualpages.h"

#include "base/language.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

static ManualPage readPage(const QString &name, const QString &path)
{
    QFile file(path);
    ManualPage page{name, name, {}};
    if (!file.open(QIODevice::ReadOnly))
        return page;
    page.text = QString::fromUtf8(file.readAll());
    static const QRegularExpression heading(QStringLiteral("^# (.+)$"), QRegularExpression::MultilineOption);
    if (const auto found = heading.match(page.text); found.hasMatch())
        page.title = found.captured(1).trimmed();
    return page;
}

QString manualAddress(const QString &name)
{
    const QString path = QStringLiteral(":/manual/%1/%2").arg(installedLanguage(), name);
    return QStringLiteral("qrc") + (QFile::exists(path) ? path : QStringLiteral(":/manual/en/") + name);
}

QList<ManualPage> manualPages()
{
    const QDir folder(QStringLiteral(":/manual/en"));
    QList<ManualPage> pages;
    for (QDirIterator file(folder.path(), QDir::Files, QDirIterator::Subdirectories); file.hasNext();) {
        const QString name = folder.relativeFilePath(file.next());
        pages << readPage(name, manualAddress(name).mid(3));
    }
    std::ranges::sort(pages, {}, &ManualPage::name);
    const QString index = QStringLiteral("index.md");
    const auto place = std::ranges::find(pages, index, &ManualPage::name);
    const QString links = place == pages.end() ? QString() : place->text;
    const auto rank = [&](const ManualPage &page) {
        const qsizetype at = links.indexOf(QStringLiteral("(%1").arg(page.name));
        return page.name == index ? qsizetype(-1) : at < 0 ? links.size() : at;
    };
    std::ranges::stable_sort(pages, {}, rank);
    return pages;
}

QString headingAnchor(const QString &heading)
{
    QString anchor;
    for (const QChar letter : heading.toLower()) {
        if (letter.isLetterOrNumber() || letter == QLatin1Char('_') || letter == QLatin1Char('-'))
            anchor += letter;
        else if (letter == QLatin1Char(' '))
            anchor += QLatin1Char('-');
    }
    return anchor;
}

int hitsOf(const ManualPage &page, const QStringList &words)
{
    qsizetype rarest = words.isEmpty() ? 0 : page.text.size();
    for (const QString &word : words)
        rarest = std::min(rarest, page.text.count(word, Qt::CaseInsensitive));
    return int(rarest);
}

} // namespace rankdeck

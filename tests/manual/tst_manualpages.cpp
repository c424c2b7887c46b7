#include "support/testpaths.h"
#include "support/windowtest.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

using namespace Qt::StringLiterals;

namespace tst_manualpages
{

using namespace rankdeck;

/// The window has each page of the manual, and shows it as text and tables rather than as Markdown.
class ManualPagesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWindowHasEachPage_data();
    void theWindowHasEachPage();
    void aPageIsShownWithoutMarkup_data();
    void aPageIsShownWithoutMarkup();
};

QStringList pagesBelow(const QString &folder)
{
    QStringList pages;
    for (QDirIterator it(folder, {u"*.md"_s}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        pages.append(QDir(folder).relativeFilePath(it.next()));
    return pages;
}

QString textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

void addRows(const QString &folder)
{
    QTest::addColumn<QString>("page");
    const QStringList pages = pagesBelow(folder);
    for (const QString &page : pages)
        QTest::newRow(qPrintable(page)) << page;
}

const auto sourceFolder = sourcePath("resources/manual/en/");
const auto resourceFolder = u":/manual/en/"_s;

void ManualPagesTest::theWindowHasEachPage_data()
{
    addRows(sourceFolder);
}

void ManualPagesTest::theWindowHasEachPage()
{
    QFETCH(QString, page);
    const QString text = textOf(resourceFolder + page);
    QVERIFY(!text.isEmpty());
    QCOMPARE(text, textOf(sourceFolder + page));
}

void ManualPagesTest::aPageIsShownWithoutMarkup_data()
{
    addRows(resourceFolder);
}

void ManualPagesTest::aPageIsShownWithoutMarkup()
{
    QFETCH(QString, page);
    QTextDocument document;
    document.setMarkdown(textOf(resourceFolder + page));
    // The page for developers shows the comments that its tests read.
    const QStringList marks{u"]("_s, u"**"_s, u"```"_s, u"| --- |"_s};
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (const QString &mark : marks)
            QVERIFY2(!block.text().contains(mark), qPrintable(block.text()));
    }
}

} // namespace tst_manualpages

RANKDECK_WINDOW_TEST(tst_manualpages, ManualPagesTest)
#include "tst_manualpages.moc"

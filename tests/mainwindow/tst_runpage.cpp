#include "logview/logpane.h"
#include "logview/logtiles.h"
#include "logview/logview.h"
#include "mainwindow/mainwindow.h"
#include "run/growthmarks.h"
#include "support/recordedrun.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace rankdeck;

/// One run in the window.
class TestRunPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void whereAFullDiskLeftAGapTheLogSaysSo();

private:
    QString shownText() const
    {
        const LogPane *pane = m_window->findChild<LogTiles *>(QStringLiteral("logTiles"))->pane(0);
        return pane ? pane->view()->visibleText() : QString();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<MainWindow> m_window;
};

void TestRunPage::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_STATE_HOME", m_directory->filePath(QStringLiteral("state")).toUtf8());
    qputenv("XDG_RUNTIME_DIR", m_directory->path().toUtf8());
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory->path());
    QCoreApplication::setOrganizationName(QStringLiteral("rankdeck"));
    QCoreApplication::setApplicationName(QStringLiteral("test_runpage"));
    m_window = std::make_unique<MainWindow>();
    m_window->show();
}

void TestRunPage::cleanup()
{
    m_window.reset();
    m_directory.reset();
}

void TestRunPage::whereAFullDiskLeftAGapTheLogSaysSo()
{
    RecordedRun run;
    run.startAll();
    run.print(0, "one\ntwo\n");
    const QString log = run.plan().processes.front().logFile;
    GrowthMarks marks(growthFolder(run.directory(), run.plan(), 0), {log});
    m_window->openRun(run.directory());
    QTRY_COMPARE(shownText(), QStringLiteral("one\ntwo"));
    marks.markGaps(run.directory());
    marks.mark();
    run.note(QStringLiteral("There is room again."));
    run.print(0, "three\n");
    QTRY_COMPARE(shownText().count(QLatin1Char('\n')), 3);
    QVERIFY2(shownText().startsWith(QStringLiteral("one\ntwo\n──── lines may be missing here")),
             qPrintable(shownText()));
    QVERIFY(shownText().endsWith(QStringLiteral("\nthree")));

    // Whoever opens the run later sees it too.
    m_window = std::make_unique<MainWindow>();
    m_window->show();
    m_window->openRun(run.directory());
    QTRY_COMPARE(shownText().count(QLatin1Char('\n')), 3);
}

QTEST_MAIN(TestRunPage)
#include "tst_runpage.moc"

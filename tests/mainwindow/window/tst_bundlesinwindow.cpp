#include "bundle/openbundle.h"
#include "bundle/writebundle.h"
#include "devicegrid/grid/devicegrid.h"
#include "diagnosis/verdict/diagnose.h"
#include "failure/bundlesaving.h"
#include "failure/failuredialog.h"
#include "logview/panes/logtiles.h"
#include "mainwindow/runpage/runheader.h"
#include "mainwindow/window/mainwindow.h"
#include "run/record/runreader.h"
#include "support/recordedrun.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/labels.h"

#include <QAction>
#include <QApplication>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSysInfo>
#include <QTest>

namespace tst_bundlesinwindow
{

using namespace rankdeck;

namespace
{

QAction *action(const MainWindow &window, const char *name)
{
    return window.findChild<QAction *>(QLatin1String(name));
}

QString labelText(const QWidget &widget, const char *name)
{
    const auto *label = widget.findChild<QLabel *>(QLatin1String(name));
    return label ? label->text() : QString();
}

ElidedLabel *line(const MainWindow &window, const char *name)
{
    return window.findChild<ElidedLabel *>(QLatin1String(name));
}

void choose(const QWidget &over, const char *name, const QString &path)
{
    auto *chooser = over.findChild<QFileDialog *>(QLatin1String(name));
    QVERIFY(chooser);
    Q_EMIT chooser->fileSelected(path);
    chooser->close();
}

void drop(MainWindow &window, const QString &path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

} // namespace

/// Report bundles in the window: those of others are shown, and those of runs are saved.
class BundlesInWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aBundleIsShownLikeARun_data();
    void aBundleIsShownLikeARun();
    void theProgramOpensTheOneThatItIsGiven();
    void itsErrorIsTheOneThatWasRecorded();
    void withoutAVerdictWhatWasSeenIsShown();
    void itsFilesGoWithTheNextThatIsOpened();
    void whatIsNoBundleIsOneSentence_data();
    void whatIsNoBundleIsOneSentence();
    void unpackingIsShownAndCanBeCancelled();
    void aBundleOfTheRunShownIsSaved();
    void aRunThatDidNotFailCanBeSavedToo();
    void cancellingLeavesNothing_data();
    void cancellingLeavesNothing();
    void aPlaceThatCannotBeWrittenIsOneSentence();

private:
    static void failThird(RecordedRun &run);
    /// Of a run that is gone then.
    QString bundle(const std::function<void(Verdict &)> &change = {}) const;
    QStringList unpacked() const
    {
        return QDir(m_home->path("state/rankdeck/bundles"))
            .entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }

    std::unique_ptr<WindowHome> m_home;
};

void BundlesInWindowTest::init()
{
    m_home = std::make_unique<WindowHome>();
    qputenv("HOME", m_home->path("home").toLocal8Bit());
    QCoreApplication::setApplicationName(QStringLiteral("test_bundles"));
}

void BundlesInWindowTest::failThird(RecordedRun &run)
{
    run.startAll();
    for (int rank = 0; rank < 8; ++rank)
        run.print(rank, "rank " + QByteArray::number(rank) + " says hello\n");
    run.print(3, "RuntimeError: loss is not a number\n");
    run.fail(3, {ExitStatus::Kind::Exited, 7});
    for (int rank = 0; rank < 8; ++rank) {
        if (rank != 3)
            run.exit(rank, {ExitStatus::Kind::Signalled, SIGTERM});
    }
    run.finish(RunPhase::Failed, 7);
}

QString BundlesInWindowTest::bundle(const std::function<void(Verdict &)> &change) const
{
    RecordedRun run;
    failThird(run);
    const auto state = RunReader(run.directory()).open();
    Verdict verdict = diagnose(*state);
    if (change)
        change(verdict);
    QString path = m_home->path("theirs.tar.gz");
    const auto written = writeBundle(*state, verdict, path);
    if (!written)
        qFatal("%s", qPrintable(written.error().sentence()));
    QDir(run.directory()).removeRecursively();
    return path;
}

void BundlesInWindowTest::aBundleIsShownLikeARun_data()
{
    QTest::addColumn<QString>("way");
    for (const char *way : {"menu", "argument", "drop"})
        QTest::newRow(way) << QString::fromLatin1(way);
}

void BundlesInWindowTest::aBundleIsShownLikeARun()
{
    QFETCH(QString, way);
    const QString path = bundle();
    MainWindow window;
    window.show();
    if (way == QLatin1String("menu")) {
        action(window, "openBundleAction")->trigger();
        choose(window, "bundleDialog", path);
    } else if (way == QLatin1String("drop")) {
        drop(window, path);
    } else {
        window.openRecorded(path);
    }
    auto *grid = window.findChild<DeviceGrid *>();
    QTRY_COMPARE(grid->cellCount(), 8);
    QCOMPARE(grid->cell(3).lines[0].right, QStringLiteral("failed"));
    QVERIFY2(grid->cell(3).spoken().contains(QLatin1String("exit code 7")),
             qPrintable(grid->cell(3).spoken()));
    QTRY_COMPARE(grid->cell(5).lines[3].left, QStringLiteral("rank 5 says hello"));
    QCOMPARE(window.findChild<LogTiles *>(QStringLiteral("logTiles"))->keys(), QList<int>{3});
    QVERIFY(line(window, "bundleText")->isVisible());
    const QString origin = line(window, "bundleText")->text();
    QVERIFY2(origin.contains(QLatin1String("report bundle")) &&
                 origin.contains(QSysInfo::machineHostName()) && origin.contains(QLatin1String("failed")),
             qPrintable(origin));
    QVERIFY(!window.findChild<QPushButton *>(QStringLiteral("cancelUnpackingButton"))->isVisible());

    for (const char *name : {"stopButton", "killButton", "runAgainButton"})
        QVERIFY2(!window.findChild<QPushButton *>(QLatin1String(name))->isVisible(), name);
    for (const char *name : {"deleteAction", "saveBundleAction", "runAgainChangedAction", "stopRanksAction",
                             "killRanksAction", "stopNodeAction", "killNodeAction"})
        QVERIFY2(!action(window, name)->isEnabled(), name);
    QVERIFY(action(window, "showErrorAction")->isEnabled());
    QVERIFY(action(window, "notesAction")->isEnabled());
    QVERIFY(window.liveRuns().isEmpty());
}

void BundlesInWindowTest::theProgramOpensTheOneThatItIsGiven()
{
    const QString path = bundle();
    QProcess program;
    program.setWorkingDirectory(QFileInfo(path).path());
    program.start(buildPath("bin/rankdeck"), {QStringLiteral("--open"), QFileInfo(path).fileName()});
    QVERIFY(program.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(
        unpacked().size() == 1 &&
            QFile::exists(
                m_home->path("state/rankdeck/bundles/%1/MANIFEST.txt").arg(unpacked().constFirst())),
        30000);
    program.kill();
    QVERIFY(program.waitForFinished());
}

void BundlesInWindowTest::itsErrorIsTheOneThatWasRecorded()
{
    const QString path = bundle([](Verdict &verdict) {
        verdict.reason = Sentence(QStringLiteral("It was recorded so."));
        verdict.rank = Rank(6);
        verdict.process = 6;
    });
    MainWindow window;
    window.show();
    window.openRecorded(path);
    QTRY_VERIFY(action(window, "showErrorAction")->isEnabled());
    action(window, "showErrorAction")->trigger();
    auto *dialog = window.findChild<FailureDialog *>();
    QVERIFY(dialog && dialog->isDiagnosed());
    QVERIFY2(labelText(*dialog, "failureReason").contains(QLatin1String("It was recorded so.")),
             qPrintable(labelText(*dialog, "failureReason")));
    QVERIFY(labelText(*dialog, "failureHeadline").contains(QLatin1Char('6')));
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("saveBundleButton")));
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("failureRunAgainButton"))->isVisible());
    dialog->findChild<QPushButton *>(QStringLiteral("openLogButton"))->click();
    QCOMPARE(window.findChild<LogTiles *>(QStringLiteral("logTiles"))->keys(), QList<int>{6});
}

void BundlesInWindowTest::withoutAVerdictWhatWasSeenIsShown()
{
    const QString path = bundle([](Verdict &verdict) { verdict = {}; });
    MainWindow window;
    window.show();
    window.openRecorded(path);
    QTRY_VERIFY(action(window, "showErrorAction")->isEnabled());
    action(window, "showErrorAction")->trigger();
    auto *dialog = window.findChild<FailureDialog *>();
    QVERIFY(dialog && dialog->isDiagnosed());
    QVERIFY(labelText(*dialog, "failureHeadline").contains(QLatin1Char('3')));
    QVERIFY2(labelText(*dialog, "failureCause").contains(QLatin1String("exit code 7")),
             qPrintable(labelText(*dialog, "failureCause")));
}

void BundlesInWindowTest::itsFilesGoWithTheNextThatIsOpened()
{
    const QString path = bundle();
    RecordedRun run(1, 4);
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRecorded(path);
    QTRY_COMPARE(window.findChild<DeviceGrid *>()->cellCount(), 8);
    QCOMPARE(unpacked().size(), 1);
    window.openRun(run.directory());
    QTRY_COMPARE(window.findChild<DeviceGrid *>()->cellCount(), 4);
    QTRY_COMPARE(unpacked(), QStringList());
    QVERIFY(!line(window, "bundleText")->isVisible());
    QVERIFY(action(window, "saveBundleAction")->isEnabled());
}

void BundlesInWindowTest::whatIsNoBundleIsOneSentence_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("words");
    QTest::newRow("text") << QByteArray("hello") << QStringLiteral("it is not a .tar.gz file");
    QTest::newRow("torn") << QByteArray() << QStringLiteral("cannot open the bundle");
}

void BundlesInWindowTest::whatIsNoBundleIsOneSentence()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, words);
    const QString path = bundle();
    QFile file(path);
    if (content.isEmpty()) {
        QVERIFY(file.resize(file.size() / 2));
    } else {
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
        file.close();
    }
    MainWindow window;
    window.show();
    window.openRecorded(path);
    const auto *const nothing = window.findChild<QLabel *>(QStringLiteral("nothingShownText"));
    QTRY_VERIFY(nothing->isVisible());
    const QString sentence = nothing->text();
    QVERIFY2(sentence.contains(words) && sentence.contains(path), qPrintable(sentence));
    QVERIFY(!sentence.contains(QLatin1Char('\n')));
    QVERIFY(!line(window, "bundleText")->isVisible());
    // A page says so; no dead buttons, no empty grid.
    QVERIFY(!window.findChild<DeviceGrid *>()->isVisible());
    QVERIFY(!window.findChild<QPushButton *>(QStringLiteral("stopButton"))->isVisible());
    QTRY_COMPARE(unpacked(), QStringList());
    window.findChild<QPushButton *>(QStringLiteral("closeNothingButton"))->click();
    QVERIFY(!nothing->isVisible());
    QVERIFY(window.findChild<QWidget *>(QStringLiteral("emptyPage"))->isVisible());
}

void BundlesInWindowTest::unpackingIsShownAndCanBeCancelled()
{
    BundleLine shown;
    QSignalSpy wanted(&shown, &BundleLine::cancelWanted);
    shown.setUnpacking(QStringLiteral("/somewhere/b.tar.gz"));
    QVERIFY(!shown.isVisible());
    QTRY_VERIFY(shown.isVisible());
    QCOMPARE(shown.findChild<ElidedLabel *>()->text(), QStringLiteral("Unpacking b.tar.gz…"));
    shown.findChild<QPushButton *>()->click();
    QCOMPARE(wanted.count(), 1);

    // So many files that it is not done before it is cancelled.
    QVERIFY(QDir().mkpath(m_home->path("big/run/logs")));
    for (int file = 0; file < 20'000; ++file) {
        QFile made(m_home->path("big/run/logs/") + QString::number(file));
        QVERIFY(made.open(QIODevice::WriteOnly));
    }
    const QString path = m_home->path("big.tar.gz");
    QCOMPARE(QProcess::execute(QStringLiteral("tar"), {QStringLiteral("-czf"), path, QStringLiteral("-C"),
                                                       m_home->path("big"), QStringLiteral("run")}),
             0);
    RecordedRun run(1, 2);
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_VERIFY(window.windowTitle().contains(QLatin1String("train")));
    window.openRecorded(path);
    QTRY_COMPARE(unpacked().size(), 1);
    QCOMPARE(window.windowTitle(), QStringLiteral("Rankdeck"));
    window.findChild<QPushButton *>(QStringLiteral("cancelUnpackingButton"))->click();
    const auto *const nothing = window.findChild<QLabel *>(QStringLiteral("nothingShownText"));
    QTRY_VERIFY(nothing->isVisible());
    QVERIFY2(nothing->text().contains(QLatin1String("cancelled")), qPrintable(nothing->text()));
    QVERIFY(!line(window, "bundleText")->isVisible());
    QTRY_COMPARE(unpacked(), QStringList());
}

void BundlesInWindowTest::aBundleOfTheRunShownIsSaved()
{
    RecordedRun run;
    failThird(run);
    qputenv("THEIR_TOKEN", "a-long-s3cret");
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_VERIFY(action(window, "showErrorAction")->isEnabled());
    action(window, "showErrorAction")->trigger();
    auto *dialog = window.findChild<FailureDialog *>();
    QVERIFY(dialog);
    dialog->findChild<QPushButton *>(QStringLiteral("saveBundleButton"))->click();
    const QString path = m_home->path("mine.tar.gz");
    choose(window, "bundleFileDialog", path);
    delete dialog; // It is not needed for that.
    auto *saving = window.findChild<BundleSaving *>();
    QVERIFY(saving && saving->isVisible() && !saving->isModal());
    QTRY_VERIFY_WITH_TIMEOUT(
        labelText(*saving, "bundleSavingText").contains(QLatin1String("The bundle was saved.")), 30000);
    qunsetenv("THEIR_TOKEN");
    const QString text = labelText(*saving, "bundleSavingText");
    QVERIFY2(text.contains(path) && text.contains(QLatin1String("THEIR_TOKEN")), qPrintable(text));
    const auto saved = openBundle(path);
    QVERIFY(saved && saved->verdict);
    QCOMPARE(saved->verdict->rank, Rank(3));
    const QPointer<QWidget> closed = saving;
    saving->findChild<QPushButton *>(QStringLiteral("bundleSavingEndButton"))->click();
    QTRY_VERIFY(!closed);
    QVERIFY(QFile::exists(path));
}

void BundlesInWindowTest::aRunThatDidNotFailCanBeSavedToo()
{
    RecordedRun run(1, 2);
    run.startAll();
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    QVERIFY(!action(window, "saveBundleAction")->isEnabled());
    window.openRun(run.directory());
    QTRY_VERIFY(action(window, "saveBundleAction")->isEnabled());
    action(window, "saveBundleAction")->trigger();
    const QString path = m_home->path("mine.tar.gz");
    choose(window, "bundleFileDialog", path);
    auto *saving = window.findChild<BundleSaving *>();
    QVERIFY(saving);
    QTRY_VERIFY_WITH_TIMEOUT(
        labelText(*saving, "bundleSavingText").contains(QLatin1String("The bundle was saved.")), 30000);
    const auto saved = openBundle(path);
    QVERIFY(saved && !saved->state.failure);
}

void BundlesInWindowTest::cancellingLeavesNothing_data()
{
    QTest::addColumn<bool>("byKey");
    QTest::newRow("button") << false;
    QTest::newRow("escape") << true;
}

void BundlesInWindowTest::cancellingLeavesNothing()
{
    QFETCH(bool, byKey);
    // It is waited for, so that the bundle is not done before it is cancelled.
    QFile slow(m_home->path("npu-smi"));
    QVERIFY(slow.open(QIODevice::WriteOnly));
    slow.write("#!/bin/sh\nexec sleep 1000\n");
    slow.close();
    QVERIFY(slow.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", QFileInfo(slow).path().toLocal8Bit() + ':' + before);
    RecordedRun run;
    failThird(run);
    const auto state = RunReader(run.directory()).open();
    QVERIFY(state);
    const QDir folder(m_home->path("out"));
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    const auto files = [&folder] {
        return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    };
    QWidget window;
    const QPointer<BundleSaving> saving =
        new BundleSaving(*state, folder.filePath(QStringLiteral("b.tar.gz")), &window);
    saving->show();
    QTRY_COMPARE(files().size(), 1);
    if (byKey)
        QTest::keyClick(saving, Qt::Key_Escape);
    else
        saving->findChild<QPushButton *>(QStringLiteral("bundleSavingEndButton"))->click();
    QTRY_VERIFY(!saving);
    QTRY_COMPARE_WITH_TIMEOUT(files(), QStringList(), 9000);
    qputenv("PATH", before);
}

void BundlesInWindowTest::aPlaceThatCannotBeWrittenIsOneSentence()
{
    RecordedRun run;
    failThird(run);
    const auto state = RunReader(run.directory()).open();
    QVERIFY(state);
    QWidget window;
    BundleSaving saving(*state, m_home->path("no-such-folder/b.tar.gz"), &window);
    saving.setAttribute(Qt::WA_DeleteOnClose, false);
    saving.show();
    QTRY_VERIFY(labelText(saving, "bundleSavingText").contains(QLatin1String("The bundle was not saved.")));
    QVERIFY(labelText(saving, "bundleSavingText").contains(QLatin1String("no-such-folder")));
}

} // namespace tst_bundlesinwindow

RANKDECK_WINDOW_TEST(tst_bundlesinwindow, BundlesInWindowTest)
#include "tst_bundlesinwindow.moc"

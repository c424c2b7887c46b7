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
    QCoreApplication::setApplicationName(u"test_bundles"_s);
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
    if (way == "menu"_L1) {
        action(window, "openBundleAction")->trigger();
        choose(window, "bundleDialog", path);
    } else if (way == "drop"_L1) {
        drop(window, path);
    } else {
        window.openRecorded(path);
    }
    auto *grid = window.findChild<DeviceGrid *>();
    QTRY_COMPARE(grid->cellCount(), 8);
    QCOMPARE(grid->cell(3).lines[0].right, u"failed"_s);
    QVERIFY2(grid->cell(3).spoken().contains("exit code 7"_L1), qPrintable(grid->cell(3).spoken()));
    QTRY_COMPARE(grid->cell(5).lines[3].left, u"rank 5 says hello"_s);
    QCOMPARE(window.findChild<LogTiles *>(u"logTiles"_s)->keys(), QList<int>{3});
    QVERIFY(line(window, "bundleText")->isVisible());
    const QString origin = line(window, "bundleText")->text();
    QVERIFY2(origin.contains("report bundle"_L1) && origin.contains(QSysInfo::machineHostName()) &&
                 origin.contains("failed"_L1),
             qPrintable(origin));
    QVERIFY(!window.findChild<QPushButton *>(u"cancelUnpackingButton"_s)->isVisible());

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
    program.start(buildPath("bin/rankdeck"), {u"--open"_s, QFileInfo(path).fileName()});
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
        verdict.reason = Sentence(u"It was recorded so."_s);
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
    QVERIFY2(labelText(*dialog, "failureReason").contains("It was recorded so."_L1),
             qPrintable(labelText(*dialog, "failureReason")));
    QVERIFY(labelText(*dialog, "failureHeadline").contains('6'_L1));
    QVERIFY(!dialog->findChild<QPushButton *>(u"saveBundleButton"_s));
    QVERIFY(!dialog->findChild<QPushButton *>(u"failureRunAgainButton"_s)->isVisible());
    dialog->findChild<QPushButton *>(u"openLogButton"_s)->click();
    QCOMPARE(window.findChild<LogTiles *>(u"logTiles"_s)->keys(), QList<int>{6});
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
    QVERIFY(labelText(*dialog, "failureHeadline").contains('3'_L1));
    QVERIFY2(labelText(*dialog, "failureCause").contains("exit code 7"_L1),
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
    QTest::newRow("text") << QByteArray("hello") << u"it is not a .tar.gz file"_s;
    QTest::newRow("torn") << QByteArray() << u"cannot open the bundle"_s;
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
    const auto *const nothing = window.findChild<QLabel *>(u"nothingShownText"_s);
    QTRY_VERIFY(nothing->isVisible());
    const QString sentence = nothing->text();
    QVERIFY2(sentence.contains(words) && sentence.contains(path), qPrintable(sentence));
    QVERIFY(!sentence.contains('\n'_L1));
    QVERIFY(!line(window, "bundleText")->isVisible());
    // A page says so; no dead buttons, no empty grid.
    QVERIFY(!window.findChild<DeviceGrid *>()->isVisible());
    QVERIFY(!window.findChild<QPushButton *>(u"stopButton"_s)->isVisible());
    QTRY_COMPARE(unpacked(), QStringList());
    window.findChild<QPushButton *>(u"closeNothingButton"_s)->click();
    QVERIFY(!nothing->isVisible());
    QVERIFY(window.findChild<QWidget *>(u"emptyPage"_s)->isVisible());
}

void BundlesInWindowTest::unpackingIsShownAndCanBeCancelled()
{
    BundleLine shown;
    QSignalSpy wanted(&shown, &BundleLine::cancelRequested);
    shown.setUnpacking(u"/somewhere/b.tar.gz"_s);
    QVERIFY(!shown.isVisible());
    QTRY_VERIFY(shown.isVisible());
    QCOMPARE(shown.findChild<ElidedLabel *>()->text(), u"Unpacking b.tar.gz…"_s);
    shown.findChild<QPushButton *>()->click();
    QCOMPARE(wanted.count(), 1);

    // So many files that it is not done before it is cancelled.
    QVERIFY(QDir().mkpath(m_home->path("big/run/logs")));
    for (int file = 0; file < 20'000; ++file) {
        QFile made(m_home->path("big/run/logs/") + QString::number(file));
        QVERIFY(made.open(QIODevice::WriteOnly));
    }
    const QString path = m_home->path("big.tar.gz");
    QCOMPARE(QProcess::execute(u"tar"_s, {u"-czf"_s, path, u"-C"_s, m_home->path("big"), u"run"_s}), 0);
    RecordedRun run(1, 2);
    run.finish(RunPhase::Succeeded, 0);
    MainWindow window;
    window.show();
    window.openRun(run.directory());
    QTRY_VERIFY(window.windowTitle().contains("train"_L1));
    window.openRecorded(path);
    QTRY_COMPARE(unpacked().size(), 1);
    QCOMPARE(window.windowTitle(), u"Rankdeck"_s);
    window.findChild<QPushButton *>(u"cancelUnpackingButton"_s)->click();
    const auto *const nothing = window.findChild<QLabel *>(u"nothingShownText"_s);
    QTRY_VERIFY(nothing->isVisible());
    QVERIFY2(nothing->text().contains("cancelled"_L1), qPrintable(nothing->text()));
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
    dialog->findChild<QPushButton *>(u"saveBundleButton"_s)->click();
    const QString path = m_home->path("mine.tar.gz");
    choose(window, "bundleFileDialog", path);
    delete dialog; // It is not needed for that.
    auto *saving = window.findChild<BundleSaving *>();
    QVERIFY(saving && saving->isVisible() && !saving->isModal());
    QTRY_VERIFY_WITH_TIMEOUT(labelText(*saving, "bundleSavingText").contains("The bundle was saved."_L1),
                             30000);
    qunsetenv("THEIR_TOKEN");
    const QString text = labelText(*saving, "bundleSavingText");
    QVERIFY2(text.contains(path) && text.contains("THEIR_TOKEN"_L1), qPrintable(text));
    const auto saved = openBundle(path);
    QVERIFY(saved && saved->verdict);
    QCOMPARE(saved->verdict->rank, Rank(3));
    const QPointer<QWidget> closed = saving;
    saving->findChild<QPushButton *>(u"bundleSavingEndButton"_s)->click();
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
    QTRY_VERIFY_WITH_TIMEOUT(labelText(*saving, "bundleSavingText").contains("The bundle was saved."_L1),
                             30000);
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
    slow.write("#!/bin/sh\n: >\"$0.begun\"\nexec sleep 1000\n");
    slow.close();
    QVERIFY(slow.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QString begun = slow.fileName() + u".begun"_s;
    QFile::remove(begun);
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", QFileInfo(slow).path().toLocal8Bit() + ':' + before);
    RecordedRun run;
    failThird(run);
    const auto state = RunReader(run.directory()).open();
    QVERIFY(state);
    const QDir folder(m_home->path("out"));
    QVERIFY(folder.mkpath(u"."_s));
    const auto files = [&folder] {
        return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    };
    QWidget window;
    const QPointer<BundleSaving> saving = new BundleSaving(*state, folder.filePath(u"b.tar.gz"_s), &window);
    saving->show();
    QTRY_VERIFY(QFile::exists(begun));
    if (byKey)
        QTest::keyClick(saving, Qt::Key_Escape);
    else
        saving->findChild<QPushButton *>(u"bundleSavingEndButton"_s)->click();
    QTRY_VERIFY(!saving);
    QCOMPARE(files(), QStringList());
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
    QTRY_VERIFY(labelText(saving, "bundleSavingText").contains("The bundle was not saved."_L1));
    QVERIFY(labelText(saving, "bundleSavingText").contains("no-such-folder"_L1));
}

} // namespace tst_bundlesinwindow

RANKDECK_WINDOW_TEST(tst_bundlesinwindow, BundlesInWindowTest)
#include "tst_bundlesinwindow.moc"

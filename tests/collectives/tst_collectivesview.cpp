#include "collectives/collectivesview.h"
#include "support/testpaths.h"
#include "support/windowtest.h"

#include <QComboBox>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_collectivesview
{

using namespace rankdeck;

/// The page with what flight recorders have dumped.
class TestCollectivesView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutDumpsItSaysHowToGetThem();
    void whatKeepsTheOthersStandsFirst();
    void aRankIsChosenByTheKeyboard();

private:
    void dump(const char *hang)
    {
        QCOMPARE(QProcess::execute(QStringLiteral("python3"),
                                   {sourcePath("tests/diagnosis/recorder/recorderdumps.py"), m_folder.path(),
                                    QLatin1String(hang)}),
                 0);
    }
    static QString textOf(const QWidget &view, const char *name)
    {
        return view.findChild<QLabel *>(QLatin1String(name))->text();
    }

    QTemporaryDir m_folder;
};

void TestCollectivesView::withoutDumpsItSaysHowToGetThem()
{
    CollectivesView view;
    view.setFolder(m_folder.filePath(QStringLiteral("nothing")), 0);
    QTRY_VERIFY(textOf(view, "collectiveFindings").contains(QStringLiteral("--flight-recorder")));
    QCOMPARE(view.table()->model()->rowCount(), 0);
    // Only ranks that live can be asked.
    auto *ask = view.findChild<QPushButton *>(QStringLiteral("askRecordersButton"));
    QVERIFY(ask->isHidden());
    view.setLive(true);
    QVERIFY(!ask->isHidden());
    QSignalSpy wanted(&view, &CollectivesView::dumpsWanted);
    ask->click();
    QCOMPARE(wanted.count(), 1);
}

void TestCollectivesView::whatKeepsTheOthersStandsFirst()
{
    dump("loader");
    CollectivesView view;
    view.resize(800, 400);
    view.show();
    view.setFolder(m_folder.path(), 1);
    const QAbstractItemModel *model = view.table()->model();
    QTRY_COMPARE(model->rowCount(), 4);
    QVERIFY(textOf(view, "collectiveFindings")
                .contains(QStringLiteral("rank 3: is still at dataset.py:88 in read")));
    QCOMPARE(model->headerData(0, Qt::Vertical).toString(), QStringLiteral("! rank 3"));
    const int last = model->columnCount() - 1;
    QCOMPARE(model->headerData(last, Qt::Horizontal).toString(), QStringLiteral("#21"));
    QCOMPARE(model->index(0, last).data().toString(), QStringLiteral("✖"));
    QCOMPARE(model->index(1, last).data().toString(), QStringLiteral("…"));
    QCOMPARE(textOf(view, "collectiveWords"), QStringLiteral("Rank 3, #21: not called"));

    // New dumps take the place of the old ones.
    dump("order");
    view.setFolder(m_folder.path(), 1);
    view.setFolder(m_folder.path(), 2);
    QTRY_VERIFY(textOf(view, "collectiveFindings").contains(QStringLiteral("not all ranks call the same")));
    QVERIFY(
        model->index(0, model->columnCount() - 1).data().toString().contains(QStringLiteral("all_reduce")));
}

void TestCollectivesView::aRankIsChosenByTheKeyboard()
{
    dump("loader");
    CollectivesView view;
    view.show();
    view.setFolder(m_folder.path(), 1);
    QTRY_COMPARE(view.table()->model()->rowCount(), 4);
    QSignalSpy wanted(&view, &CollectivesView::rankWanted);
    view.table()->setFocus();
    QTest::keyClick(view.table(), Qt::Key_Down);
    QVERIFY(textOf(view, "collectiveWords").startsWith(QStringLiteral("Rank 0, #21: waits, all_reduce")));
    QTest::keyClick(view.table(), Qt::Key_Return);
    QCOMPARE(wanted.value(0).value(0).toInt(), 0);
}

} // namespace tst_collectivesview

RANKDECK_WINDOW_TEST(tst_collectivesview, TestCollectivesView)
#include "tst_collectivesview.moc"

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
        QCOMPARE(QProcess::execute(u"python3"_s, {sourcePath("tests/diagnosis/recorder/recorderdumps.py"),
                                                  m_folder.path(), QLatin1String(hang)}),
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
    view.setFolder(m_folder.filePath(u"nothing"_s), 0);
    QTRY_VERIFY(textOf(view, "collectiveFindings").contains(u"--flight-recorder"_s));
    QCOMPARE(view.table()->model()->rowCount(), 0);
    // Only ranks that live can be asked.
    auto *ask = view.findChild<QPushButton *>(u"askRecordersButton"_s);
    QVERIFY(ask->isHidden());
    view.setLive(true);
    QVERIFY(!ask->isHidden());
    QSignalSpy wanted(&view, &CollectivesView::dumpsRequested);
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
    QVERIFY(textOf(view, "collectiveFindings").contains(u"rank 3: is still at dataset.py:88 in read"_s));
    QCOMPARE(model->headerData(0, Qt::Vertical).toString(), u"! rank 3"_s);
    const int last = model->columnCount() - 1;
    QCOMPARE(model->headerData(last, Qt::Horizontal).toString(), u"#21"_s);
    QCOMPARE(model->index(0, last).data().toString(), u"✖"_s);
    QCOMPARE(model->index(1, last).data().toString(), u"…"_s);
    QCOMPARE(textOf(view, "collectiveWords"), u"Rank 3, #21: not called"_s);

    // New dumps take the place of the old ones.
    dump("order");
    view.setFolder(m_folder.path(), 1);
    view.setFolder(m_folder.path(), 2);
    QTRY_VERIFY(textOf(view, "collectiveFindings").contains(u"not all ranks call the same"_s));
    QVERIFY(model->index(0, model->columnCount() - 1).data().toString().contains(u"all_reduce"_s));
}

void TestCollectivesView::aRankIsChosenByTheKeyboard()
{
    dump("loader");
    CollectivesView view;
    view.show();
    view.setFolder(m_folder.path(), 1);
    QTRY_COMPARE(view.table()->model()->rowCount(), 4);
    QSignalSpy wanted(&view, &CollectivesView::rankRequested);
    view.table()->setFocus();
    QTest::keyClick(view.table(), Qt::Key_Down);
    QVERIFY(textOf(view, "collectiveWords").startsWith(u"Rank 0, #21: waits, all_reduce"_s));
    QTest::keyClick(view.table(), Qt::Key_Return);
    QCOMPARE(wanted.value(0).value(0).toInt(), 0);
}

} // namespace tst_collectivesview

RANKDECK_WINDOW_TEST(tst_collectivesview, TestCollectivesView)
#include "tst_collectivesview.moc"

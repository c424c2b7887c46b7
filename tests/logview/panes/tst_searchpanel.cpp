#include "log/growingfile.h"
#include "logview/panes/searchpanel.h"
#include "support/windowtest.h"

#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <deque>

namespace tst_searchpanel
{

using namespace rankdeck;
using namespace rankdeck::test;

/// A search in the logs of all ranks, and its results.
class TestSearchPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void resultsStandByRank();
    void manyLogsAreSearchedAndTheSearchCanBeCancelled();
    void aBadPatternIsTold();

private:
    static QString resultOf(const SearchPanel &panel)
    {
        return panel.findChild<QLabel *>(u"searchAllResult"_s)->text();
    }
    QTemporaryDir m_settings;
};

void TestSearchPanel::init()
{
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
    QCoreApplication::setOrganizationName(u"rankdeck-test"_s);
}

void TestSearchPanel::resultsStandByRank()
{
    std::deque<GrowingFile> files(4);
    files[0].append("needle\n");
    files[1].append("hay\n");
    files[2].append("hay\nneedle\nneedle\n");
    files[3].append("a needle\n");
    SearchPanel panel([&] {
        return QList<SearchedLog>{{0, u"rank 0"_s, files[0].path()},
                                  {1, u"rank 1"_s, files[1].path()},
                                  {2, u"rank 2"_s, files[2].path()},
                                  {2, u"rank 2"_s, files[3].path(), true}};
    });
    panel.resize(700, 400);
    panel.open({u"needle"_s, false, false});
    QVERIFY(QTest::qWaitForWindowExposed(&panel, 30000));
    auto *const tree = panel.findChild<QTreeWidget *>();
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), 30000);
    QCOMPARE(resultOf(panel), u"4 matching lines in 2 ranks"_s);
    QCOMPARE(tree->topLevelItemCount(), 2);
    QVERIFY(tree->topLevelItem(0)->isExpanded());
    QTreeWidgetItem *const second = tree->topLevelItem(1);
    QCOMPARE(second->text(0), u"rank 2"_s);
    QCOMPARE(second->text(2), u"3 matching lines"_s);
    QCOMPARE(second->childCount(), 0);
    second->setExpanded(true);
    QCOMPARE(second->childCount(), 3);
    QCOMPARE(second->child(2)->text(1), u"stderr 1"_s);
    QSignalSpy wanted(&panel, &SearchPanel::lineRequested);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::NoModifier,
                      tree->visualItemRect(second->child(1)).center());
    QCOMPARE(wanted, (QList<QList<QVariant>>{{2, files[2].path(), 2LL}}));
    tree->setCurrentItem(second->child(2));
    QTest::keyClick(tree, Qt::Key_Return);
    QCOMPARE(wanted.constLast(), (QList<QVariant>{2, files[3].path(), 0LL}));
    QSignalSpy closed(&panel, &SearchPanel::closed);
    QTest::keyClick(tree, Qt::Key_Escape);
    QCOMPARE(closed.size(), 1);
    QVERIFY(!panel.isVisible());
}

void TestSearchPanel::manyLogsAreSearchedAndTheSearchCanBeCancelled()
{
    GrowingFile file;
    file.append(numberedLines(0, 1000) + "needle\n");
    int count = 1024;
    SearchPanel panel([&] {
        QList<SearchedLog> logs;
        for (int rank = 0; rank < count; ++rank)
            logs.append({rank, u"rank %1"_s.arg(rank), file.path()});
        return logs;
    });
    panel.resize(700, 400);
    panel.open({u"needle"_s, false, false});
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), 30000);
    const QString all = u"%1 matching lines in %1 ranks"_s.arg(QLocale().toString(count));
    QCOMPARE(resultOf(panel), all);
    count = 200000;
    panel.open({u"needle"_s, false, false});
    QTRY_VERIFY_WITH_TIMEOUT(panel.findChild<QTreeWidget *>()->topLevelItemCount() > 0, 30000);
    QVERIFY(panel.isSearching());
    panel.findChild<QToolButton *>(u"searchAllCancel"_s)->click();
    QVERIFY(!panel.isSearching());
    QVERIFY2(resultOf(panel).contains(u"logs searched"_s), qPrintable(resultOf(panel)));
    panel.clear();
    QCOMPARE(panel.findChild<QTreeWidget *>()->topLevelItemCount(), 0);
}

void TestSearchPanel::aBadPatternIsTold()
{
    SearchPanel panel([] { return QList<SearchedLog>(); });
    panel.open({u"a(b"_s, true, false});
    QVERIFY(resultOf(panel).contains(u"regular expression"_s));
    QVERIFY(!panel.isSearching());
}

} // namespace tst_searchpanel

RANKDECK_WINDOW_TEST(tst_searchpanel, TestSearchPanel)
#include "tst_searchpanel.moc"

#include "ranktable/findings/checkedtable.h"
#include "support/windowtest.h"

#include <QTest>

namespace tst_findingplaces
{

using namespace rankdeck;

/// A finding is shown at the server or device that it speaks of, in tables of every form.
class TestFindingPlaces : public QObject
{
    Q_OBJECT

private:
    /// Two servers of group 0 and one of group 1, each with two devices.
    static CheckReport report(RankTableForm form, const QString &pointer, int line = 0)
    {
        CheckReport report;
        report.table.form = form;
        for (const int group : {0, 0, 1}) {
            report.table.servers.push_back(
                {u"10.0.0.1"_s, {}, group, {Device{DeviceId(0)}, Device{DeviceId(1)}}});
        }
        Finding finding;
        finding.severity = Severity::Error;
        finding.pointer = pointer;
        finding.line = line;
        report.findings.push_back(finding);
        return report;
    }

private Q_SLOTS:
    void thePlaceIsThatOfThePointer_data()
    {
        QTest::addColumn<RankTableForm>("form");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<int>("server");
        QTest::addColumn<int>("device");
        using Form = RankTableForm;
        const auto row = [](const char *name, Form form, const char *pointer, int server, int device) {
            QTest::newRow(name) << form << QString::fromLatin1(pointer) << server << device;
        };
        row("device", Form::ServerList, "/server_list/1/device/0/device_ip", 1, 0);
        row("server", Form::ServerList, "/server_list/1/server_id", 1, -1);
        row("file", Form::ServerList, "", -1, -1);
        row("count", Form::ServerList, "/server_count", -1, -1);
        row("super pod", Form::SuperPodList, "/super_pod_list/0/server_list/1", -1, -1);
        row("node", Form::NodeList, "/node_list/1/ranks/1/rank_id", 1, 1);
        row("instance", Form::GroupList, "/group_list/1/instance_list/0/devices/1", 2, 1);
        row("group", Form::GroupList, "/group_list/1/instance_count", -1, -1);
        row("lab", Form::LabGroupList, "/group_list/0/instance_list/1/rank_id", 1, 0);
        row("global", Form::ServerGroupList, "/server_group_list/0/server_list/1/device/1", 1, 1);
        row("beyond the table", Form::ServerList, "/server_list/7/device/0", -1, -1);
    }
    void thePlaceIsThatOfThePointer()
    {
        QFETCH(RankTableForm, form);
        QFETCH(QString, pointer);
        QFETCH(int, server);
        QFETCH(int, device);
        const FindingPlaces places(report(form, pointer));
        QCOMPARE(places.placeOf(0), (DevicePlace{server, device}));
    }

    void whereLinesAreKnownTheyDecide()
    {
        // The reader left out a server that was none, so that the indices of the text do not hold.
        CheckReport moved = report(RankTableForm::ServerList, u"/server_list/3/device/1/device_ip"_s, 21);
        moved.lines = {{2, {3, 4}}, {10, {11, 12}}, {19, {20, 21}}};
        QCOMPARE(FindingPlaces(moved).placeOf(0), (DevicePlace{2, 1}));
    }

    void inOneLongLineThePointerDecides()
    {
        CheckReport flat = report(RankTableForm::ServerList, u"/server_list/1/device/0/device_ip"_s, 1);
        flat.lines = {{1, {1, 1}}, {1, {1, 1}}, {1, {1, 1}}};
        QCOMPARE(FindingPlaces(flat).placeOf(0), (DevicePlace{1, 0}));
    }

    void aRankListIsKnownByItsLines()
    {
        CheckReport ranks = report(RankTableForm::RankList, u"/rank_list/3/device_id"_s, 12);
        ranks.lines = {{2, {2, 9}}, {5, {5, 12}}, {20, {20, 21}}};
        QCOMPARE(FindingPlaces(ranks).placeOf(0), (DevicePlace{1, 1}));
    }

    void theWorstOfAServerCountsItsDevices()
    {
        CheckReport both = report(RankTableForm::ServerList, u"/server_list/1/device/0"_s);
        Finding warning;
        warning.severity = Severity::Warning;
        warning.pointer = u"/server_list/1/server_id"_s;
        both.findings.push_back(warning);
        const FindingPlaces places(both);
        QCOMPARE(places.worstWithin(1), std::optional(Severity::Error));
        QCOMPARE(places.worstWithin(0), std::optional<Severity>());
        QCOMPARE(places.findingsAt({1, -1}), QList<int>{1});
        QCOMPARE(places.findingsAt({1, 0}), QList<int>{0});
        QVERIFY(places.findingsAt({1, 1}).isEmpty());
    }
};

} // namespace tst_findingplaces

RANKDECK_WINDOW_TEST(tst_findingplaces, TestFindingPlaces)
#include "tst_findingplaces.moc"

#include "ranktable/dialogs/makerdialogs.h"
#include "ranktable/dialogs/tabledialog.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/views/valuesview.h"
#include "ranktablepage/tablefiles.h"
#include "support/windowtest.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTableView>

namespace tst_tabledialogs
{

using namespace rankdeck;

namespace
{

SharedTable checked(const QString &path)
{
    auto report = checkRankTableFile(path);
    if (!report)
        qFatal("%s", qPrintable(report.error().sentence()));
    const auto shared = std::make_shared<const CheckReport>(std::move(*report));
    return std::make_shared<const CheckedTable>(CheckedTable{shared, FindingPlaces(*shared)});
}

QString preview(const TableDialog *dialog)
{
    return dialog->findChild<DiffView *>(u"tableDiff"_s)->toPlainText();
}

QString note(const TableDialog *dialog)
{
    return dialog->findChild<QLabel *>(u"tableDialogNote"_s)->text();
}

QPushButton *saveButton(const TableDialog *dialog)
{
    return dialog->findChild<QPushButton *>(u"saveTableButton"_s);
}

/// A version 1.0 table of one server with two devices.
QByteArray oneServer(int server)
{
    return QByteArray("{'version':'1.0','status':'completed','server_count':'1','server_list':["
                      "{'server_id':'10.0.0.N','device':["
                      "{'device_id':'0','device_ip':'192.168.N.10','rank_id':'0'},"
                      "{'device_id':'1','device_ip':'192.168.N.11','rank_id':'1'}]}]}")
        .replace('\'', '"')
        .replace('N', QByteArray::number(server));
}

} // namespace

/// The dialogs that make a rank table: a live preview or the reason why there is none, and Save as.
class TestTableDialogs : public QObject
{
    Q_OBJECT

private:
    TableFiles m_files;

private Q_SLOTS:
    void aCloudTableIsConvertedAndSaved()
    {
        const QString path = m_files.copy("template2_2servers.json");
        QPointer dialog(new ConvertDialog(path, checked(path), nullptr));
        dialog->open();
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY2(preview(dialog).contains(u"\n+  \"version\": \"1.0\""_s), qPrintable(preview(dialog)));
        QVERIFY(preview(dialog).contains(u"\n-"_s));

        QSignalSpy saved(dialog, &TableDialog::saved);
        saveButton(dialog)->click();
        auto *where = dialog->findChild<QFileDialog *>(u"saveTableDialog"_s);
        QVERIFY(where);
        const QString target = m_files.path("converted.json");
        Q_EMIT where->fileSelected(target);
        QTRY_COMPARE(saved.count(), 1);
        QCOMPARE(saved.constFirst().constFirst().toString(), target);
        const auto table = readRankTable(target);
        QVERIFY(table);
        QCOMPARE(table->form, RankTableForm::ServerList);
        QTRY_VERIFY(!dialog);
    }

    void aPlaceThatCannotBeWrittenIsToldInTheDialog()
    {
        const QString path = m_files.copy("template2_2servers.json");
        QPointer dialog(new ConvertDialog(path, checked(path), nullptr));
        dialog->open();
        QTRY_VERIFY(saveButton(dialog)->isEnabled());
        saveButton(dialog)->click();
        Q_EMIT dialog->findChild<QFileDialog *>(u"saveTableDialog"_s)
            ->fileSelected(path + u"/no directory/x.json"_s);
        QTRY_VERIFY2(note(dialog).contains(u"cannot be written"_s), qPrintable(note(dialog)));
        QVERIFY(!note(dialog).contains(u"--"_s));
        QVERIFY(dialog->isVisible());
        dialog->close();
    }

    void superPodsNeedTheirIdsAndTakeAPastedColumn()
    {
        const QString path = m_files.write("1.0.json", TableFiles::twoServers());
        QPointer dialog(new ConvertDialog(path, checked(path), nullptr));
        dialog->open();
        QCOMPARE(dialog->findChild<QComboBox *>(u"convertTarget"_s)->currentIndex(), 1);
        QTRY_VERIFY2(note(dialog).contains(u"super_device_id"_s), qPrintable(note(dialog)));
        QVERIFY(!saveButton(dialog)->isEnabled());

        auto *devices = dialog->findChild<QTableView *>(u"superDevicesView"_s);
        devices->setCurrentIndex(devices->model()->index(0, 2));
        QApplication::clipboard()->setText(u"0\n1\n2\n3\n"_s);
        QTest::keySequence(devices, QKeySequence::Paste);
        QCOMPARE(devices->model()->index(3, 2).data().toString(), u"3"_s);
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY(preview(dialog).contains(u"+  \"super_pod_list\""_s));
        QVERIFY(preview(dialog).contains(u"\"super_device_id\": \"3\""_s));

        auto *pods = dialog->findChild<QTableView *>(u"superPodsView"_s);
        pods->model()->setData(pods->model()->index(1, 1), u"7"_s, Qt::EditRole);
        QTRY_VERIFY(preview(dialog).contains(u"\"super_pod_id\": \"7\""_s));
        dialog->close();
    }

    void aMergeSaysWhichOrderWasUsedAndWhetherItMatters()
    {
        const QString second = m_files.write("b.json", oneServer(2));
        const QString first = m_files.write("a.json", oneServer(1));
        QPointer dialog(new MergeDialog(second, checked(second), nullptr));
        dialog->open();
        QTRY_VERIFY2(note(dialog).contains(u"two rank tables"_s), qPrintable(note(dialog)));
        dialog->addFiles({first});
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY2(note(dialog).contains(u"numbered by server_id"_s), qPrintable(note(dialog)));
        QVERIFY2(note(dialog).contains(u"depend on this order"_s), qPrintable(note(dialog)));

        dialog->findChild<QRadioButton *>(u"mergeAsGiven"_s)->click();
        QTRY_VERIFY2(note(dialog).contains(u"order of the list"_s), qPrintable(note(dialog)));
        dialog->findChild<QListWidget *>(u"mergeList"_s)->setCurrentRow(1);
        dialog->findChild<QPushButton *>(u"mergeUpButton"_s)->click();
        QCOMPARE(dialog->files(), (QStringList{first, second}));
        QTRY_VERIFY2(note(dialog).contains(u"same numbers"_s), qPrintable(note(dialog)));
        dialog->close();
    }

    void aMergeOfTheSameServerTwiceSaysSo()
    {
        const QString path = m_files.write("a.json", oneServer(1));
        QPointer dialog(new MergeDialog(path, checked(path), nullptr));
        dialog->open();
        dialog->addFiles({m_files.write("b.json", oneServer(1))});
        QTRY_VERIFY2(note(dialog).contains(u"10.0.0.1"_s), qPrintable(note(dialog)));
        QVERIFY(!saveButton(dialog)->isEnabled());
        dialog->close();
    }

    void aSubsetFollowsWhatIsTypedAndTicked()
    {
        const QString path = m_files.write("1.0.json", TableFiles::twoServers());
        QPointer dialog(new SubsetDialog(path, checked(path), nullptr));
        dialog->open();
        QTRY_VERIFY(saveButton(dialog)->isEnabled());
        QVERIFY(preview(dialog).isEmpty());
        auto *devices = dialog->findChild<QLineEdit *>(u"subsetDevices"_s);
        devices->setText(u"1"_s);
        QTRY_VERIFY2(note(dialog).startsWith(u"2 devices"_s), qPrintable(note(dialog)));
        dialog->findChild<QListWidget *>(u"subsetServers"_s)->item(0)->setCheckState(Qt::Unchecked);
        QTRY_VERIFY2(note(dialog).startsWith(u"1 device"_s), qPrintable(note(dialog)));
        QVERIFY(preview(dialog).contains(u"\n-"_s));
        dialog->findChild<QPushButton *>(u"subsetNoneButton"_s)->click();
        QTRY_VERIFY2(note(dialog).contains(u"No server"_s), qPrintable(note(dialog)));
        devices->setText(u"9-x"_s);
        QTRY_VERIFY(!saveButton(dialog)->isEnabled());
        dialog->close();
    }

    void aTableIsGeneratedFromGivenAddresses()
    {
        QPointer dialog(new GenerateDialog({}, nullptr));
        dialog->open();
        dialog->findChild<QLineEdit *>(u"generateDevices"_s)->setText(u"0-1"_s);
        dialog->findChild<QLineEdit *>(u"generateServer"_s)->setText(u"10.0.0.9"_s);
        auto *ips = dialog->findChild<QLineEdit *>(u"generateIps"_s);
        ips->setText(u"192.168.1.10"_s);
        QTRY_VERIFY2(!note(dialog).isEmpty() && !saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        ips->setText(u"192.168.1.10, 192.168.1.11"_s);
        QTRY_VERIFY2(saveButton(dialog)->isEnabled(), qPrintable(note(dialog)));
        QVERIFY2(preview(dialog).contains(u"192.168.1.11"_s), qPrintable(preview(dialog)));
        saveButton(dialog)->click();
        auto *where = dialog->findChild<QFileDialog *>(u"saveTableDialog"_s);
        QVERIFY2(where->selectedFiles().constFirst().contains(u"hccl_2p_"_s),
                 qPrintable(where->selectedFiles().constFirst()));
        where->reject();
        dialog->close();
    }

    void theFirstInputHasTheFocus()
    {
        const QString path = m_files.write("1.0.json", TableFiles::twoServers());
        QPointer dialog(new SubsetDialog(path, checked(path), nullptr));
        dialog->open();
        QCOMPARE(dialog->focusWidget()->objectName(), u"subsetDevices"_s);
        dialog->close();
    }
};

} // namespace tst_tabledialogs

RANKDECK_WINDOW_TEST(tst_tabledialogs, TestTableDialogs)
#include "tst_tabledialogs.moc"

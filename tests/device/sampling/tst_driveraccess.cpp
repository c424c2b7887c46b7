#include "device/sampling/driveraccess.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_driveraccess
{

using namespace rankdeck;

class DriverAccessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAContainerLacksIsNamedWithItsOptions();
    void nothingIsMissingWhereAllIsThere();
    void everyCodeHasASentence_data();
    void everyCodeHasASentence();
    void theWordsOfAProgramAreQuoted();

private:
    static void touch(const QTemporaryDir &root, const char *path)
    {
        const QString name = root.path() + QLatin1String(path);
        QDir().mkpath(QFileInfo(name).path());
        QFile file(name);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("a file cannot be made");
    }
};

void DriverAccessTest::whatAContainerLacksIsNamedWithItsOptions()
{
    const QTemporaryDir root;
    touch(root, "/.dockerenv");
    touch(root, "/dev/davinci_manager");
    touch(root, "/dev/davinci3");
    QDir(root.path()).mkpath(u"usr/local/Ascend/driver/lib64"_s);
    const DriverAccess access = lookAtDriver(root.path());
    QVERIFY(access.isContainer);
    QCOMPARE(access.missingDevices, (QStringList{u"/dev/devmm_svm"_s, u"/dev/hisi_hdc"_s}));
    QCOMPARE(access.missingFolders, QStringList{u"/usr/local/dcmi"_s});
    const Error error = explainDcmi(-8005, access, u"/usr/local/bin/npu-smi"_s);
    QCOMPARE(error.sentence(),
             u"/usr/local/bin/npu-smi: cannot reach the NPUs (-8005, an error inside the driver): this "
             "container lacks /dev/devmm_svm, /dev/hisi_hdc and /usr/local/dcmi. Start it with --device "
             "/dev/devmm_svm --device /dev/hisi_hdc -v /usr/local/dcmi:/usr/local/dcmi."_s);
}

void DriverAccessTest::nothingIsMissingWhereAllIsThere()
{
    const QTemporaryDir root;
    for (const char *path : {"/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc", "/dev/davinci0"})
        touch(root, path);
    QDir(root.path()).mkpath(u"usr/local/Ascend/driver/lib64"_s);
    QDir(root.path()).mkpath(u"usr/local/dcmi"_s);
    QCOMPARE(lookAtDriver(root.path()), DriverAccess());
    QFile::remove(root.filePath(u"dev/davinci0"_s));
    QCOMPARE(lookAtDriver(root.path()).missingDevices, QStringList{u"/dev/davinciN"_s});
}

void DriverAccessTest::everyCodeHasASentence_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<DriverAccess>("access");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("mend");
    const DriverAccess fine;
    const DriverAccess container{
        .isContainer = true, .missingDevices = {}, .missingFolders = {}, .closedDevices = {}, .group = {}};
    const DriverAccess host{.isContainer = false,
                            .missingDevices = {u"/dev/davinci_manager"_s},
                            .missingFolders = {},
                            .closedDevices = {},
                            .group = {}};
    const DriverAccess closed{.isContainer = false,
                              .missingDevices = {},
                              .missingFolders = {},
                              .closedDevices = {u"/dev/hisi_hdc"_s},
                              .group = u"HwHiAiUser"_s};
    QTest::newRow("used") << -8020 << container << "another container"
                          << "/dev/davinciN";
    QTest::newRow("all is there, in a container") << -8005 << container << "although"
                                                  << "dmesg";
    QTest::newRow("all is there") << -8005 << fine << "inside the driver"
                                  << "dmesg";
    QTest::newRow("no driver") << -8005 << host << "this machine lacks /dev/davinci_manager"
                               << "root";
    QTest::newRow("not permitted") << -8002 << closed << "may not open /dev/hisi_hdc"
                                   << "HwHiAiUser";
    QTest::newRow("unknown") << -8099 << fine << "error -8099"
                             << "dmesg";
}

void DriverAccessTest::everyCodeHasASentence()
{
    QFETCH(int, code);
    QFETCH(DriverAccess, access);
    QFETCH(QString, what);
    QFETCH(QString, mend);
    const Error error = explainDcmi(code, access, u"npu-smi"_s);
    QVERIFY2(error.what.contains(what) && error.what.contains(QString::number(code)),
             qPrintable(error.sentence()));
    QVERIFY2(error.mend.contains(mend), qPrintable(error.sentence()));
    QVERIFY(!error.sentence().contains('\n'_L1));
}

void DriverAccessTest::theWordsOfAProgramAreQuoted()
{
    DriverAccess access;
    access.isContainer = true;
    access.missingFolders = {u"/usr/local/dcmi"_s};
    const Error error = explainFailure(u"libdcmi.so: cannot open"_s, access, u"npu-smi"_s);
    QVERIFY2(error.what.contains(u"libdcmi.so: cannot open"_s) &&
                 error.mend.contains(u"-v /usr/local/dcmi"_s),
             qPrintable(error.sentence()));
}

} // namespace tst_driveraccess

RANKDECK_TEST(tst_driveraccess, DriverAccessTest)
#include "tst_driveraccess.moc"

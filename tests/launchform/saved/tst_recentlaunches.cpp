#include "launchform/saved/recentlaunches.h"
#include "support/testmain.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

namespace tst_recentlaunches
{

using namespace rankdeck;

class TestRecentLaunches : public QObject
{
    Q_OBJECT

private:
    static LaunchSpec specOf(const QString &argument)
    {
        LaunchSpec spec;
        spec.command = QStringList{u"python3"_s, argument};
        spec.environment.insert(u"A"_s, u"x\ny"_s);
        return spec;
    }

    static void add(RecentLaunches &recent, const LaunchSpec &spec)
    {
        QSignalSpy changed(&recent, &RecentLaunches::changed);
        recent.add(spec);
        QVERIFY(changed.wait());
    }

    static void load(RecentLaunches &recent)
    {
        QSignalSpy changed(&recent, &RecentLaunches::changed);
        recent.load();
        QVERIFY(changed.wait());
    }

    QTemporaryDir m_directory;
    QString m_file;

private Q_SLOTS:
    void init()
    {
        m_file = m_directory.filePath(u"config/%1.json"_s.arg(QLatin1String(QTest::currentTestFunction())));
    }

    void thereAreNoneAtFirst()
    {
        RecentLaunches recent(m_file);
        QSignalSpy failed(&recent, &RecentLaunches::failed);
        load(recent);
        QVERIFY(recent.launches().isEmpty());
        QVERIFY(failed.isEmpty());
    }

    void whatWasLaunchedIsThereInTheNextWindow()
    {
        {
            RecentLaunches recent(m_file);
            add(recent, specOf(u"first.py"_s));
            add(recent, specOf(u"second.py"_s));
        }
        RecentLaunches recent(m_file);
        load(recent);
        QCOMPARE(recent.launches().size(), 2);
        QCOMPARE(recent.launches().at(0).spec, specOf(u"second.py"_s));
        QCOMPARE(recent.launches().at(1).spec, specOf(u"first.py"_s));
        QVERIFY(recent.launches().at(0).launched.isValid());
    }

    void theSameLaunchIsKeptOnceAndMovesToTheTop()
    {
        RecentLaunches recent(m_file);
        for (const char *name : {"a", "b", "a"})
            add(recent, specOf(QLatin1String(name)));
        QCOMPARE(recent.launches().size(), 2);
        QCOMPARE(recent.launches().first().spec, specOf(u"a"_s));
    }

    void twentyAreKept()
    {
        RecentLaunches recent(m_file);
        for (int i = 0; i < 23; ++i)
            add(recent, specOf(QString::number(i)));
        QCOMPARE(recent.launches().size(), 20);
        QCOMPARE(recent.launches().first().spec, specOf(u"22"_s));
        QCOMPARE(recent.launches().last().spec, specOf(u"3"_s));
    }

    void twoWindowsShareTheList()
    {
        RecentLaunches one(m_file);
        RecentLaunches other(m_file);
        add(one, specOf(u"one.py"_s));
        add(other, specOf(u"other.py"_s));
        QCOMPARE(other.launches().size(), 2);
    }

    void theFileIsForItsUserOnly()
    {
        RecentLaunches recent(m_file);
        add(recent, specOf(u"secret"_s));
        const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QCOMPARE(QFile::permissions(m_file) & others, QFile::Permissions());
    }

    void aDamagedFileIsReportedAndCopiedBeforeItIsReplaced()
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_file).path()));
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[{\"spec\": ");
        file.close();

        RecentLaunches recent(m_file);
        QSignalSpy failed(&recent, &RecentLaunches::failed);
        add(recent, specOf(u"new.py"_s));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(recent.launches().size(), 1);
        QFile copy(m_file + u".unread"_s);
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(copy.readAll(), QByteArray("[{\"spec\": "));
    }

    void aFileThatCannotBeWrittenIsReportedAndTheLaunchRemembered()
    {
        RecentLaunches recent(u"/proc/no-such-place/recent.json"_s);
        QSignalSpy failed(&recent, &RecentLaunches::failed);
        add(recent, specOf(u"a.py"_s));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(recent.launches().size(), 1);
    }
};

} // namespace tst_recentlaunches

RANKDECK_TEST(tst_recentlaunches, TestRecentLaunches)
#include "tst_recentlaunches.moc"

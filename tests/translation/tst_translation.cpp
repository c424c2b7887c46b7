#include "base/json.h"
#include "devicegrid/grid/devicegrid.h"
#include "launch/options/launchers.h"
#include "launchform/form/launchform.h"
#include "mainwindow/window/mainwindow.h"
#include "ranktable/page/ranktablepage.h"
#include "support/programs.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "translation/pseudotranslation.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDirIterator>
#include <QFile>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QSysInfo>
#include <QTabBar>
#include <QTranslator>

#include <memory>

namespace tst_translation
{

using namespace rankdeck;

/// With a translation of everything that lupdate finds, no English word is left for the user to read.
class TranslationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyHeaderLeadsToTr();
    void lupdateFindsEverythingWithoutAComplaint();
    void oneIsSingular();
    void pluralsAreLeftToTr();
    void noHelpHasAnEnglishWord_data();
    void noHelpHasAnEnglishWord();
    void noPageHasAnEnglishWord();

private:
    /// Adds to m_left what the windows show now, but for data.
    void look(const QString &page);
    /// Triggers the actions of the menus that open something, looks, and closes what they opened.
    void lookBehindActions(const MainWindow &window, const QString &page);

    std::unique_ptr<WindowHome> m_home;
    QString m_complaint;
    QTranslator m_translator;
    QSet<QString> m_left; ///< "page: text (class of the widget)"
};

void TranslationTest::initTestCase()
{
    m_home = std::make_unique<WindowHome>();
    m_complaint = makePseudoTranslation(m_home->path("resources"));
    QVERIFY(QDir().mkpath(m_home->path("resources/demo")));
    for (const char *file : {"demo/train.py", "demo/debug.py", "demo/rank_table.json"})
        QFile::copy(sourcePath("resources/") + QLatin1String(file),
                    m_home->path("resources/") + QLatin1String(file));
    qputenv("RANKDECK_RESOURCES", m_home->path("resources").toLocal8Bit());
}

/// Whether lupdate complains of one that does not is up to chance: it reads files in the order of their
/// hashes.
void TranslationTest::everyHeaderLeadsToTr()
{
    for (const char *folder : {"core", "ui", "app"}) {
        QDirIterator headers(sourcePath("") + QLatin1String(folder), {u"*.h"_s}, QDir::Files,
                             QDirIterator::Subdirectories);
        while (headers.hasNext()) {
            QFile header(headers.next());
            QVERIFY(header.open(QIODevice::ReadOnly));
            const bool isItself = header.fileName().endsWith("/base/tr.h"_L1);
            QVERIFY2(isItself || header.readAll().contains("#include \""), qPrintable(header.fileName()));
        }
    }
}

void TranslationTest::lupdateFindsEverythingWithoutAComplaint()
{
    QCOMPARE(m_complaint, QString());
}

void TranslationTest::oneIsSingular()
{
    QCOMPARE(rankdeck::tr("%n ranks", "%n rank", 1), u"1 rank"_s);
    QCOMPARE(rankdeck::tr("%n ranks", "%n rank", 0), u"0 ranks"_s);
    QCOMPARE(TranslationTest::tr("Delete %n runs", "Delete this run", 1), u"Delete this run"_s);
    QCOMPARE(TranslationTest::tr("%1 (%2)", "error, its id"), u"%1 (%2)"_s);
}

/// Other languages have more plural forms than English, or none.
void TranslationTest::pluralsAreLeftToTr()
{
    QStringList wrong;
    const auto collect = [&wrong](const QString &path, const QRegularExpression &form) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            wrong << path;
        for (auto found = form.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();)
            wrong << path.section('/'_L1, -1) + ": "_L1 + found.next().captured();
    };
    static const QRegularExpression choice(u"== 1\\s*\\?(?:[^;:]|::)*\\btr\\([^;]*:[^;]*\\btr\\(.*"_s);
    for (const char *folder : {"core", "ui", "app"}) {
        QDirIterator sources(sourcePath("") + QLatin1String(folder), {u"*.cpp"_s}, QDir::Files,
                             QDirIterator::Subdirectories);
        while (sources.hasNext())
            collect(sources.next(), choice);
    }
    const QString extracted = m_home->path("resources/translations/extracted.ts");
    static const QRegularExpression brackets(u"<source>[^<]*\\w\\(e?s\\)[^<]*"_s);
    static const QRegularExpression withoutSingular(
        u"numerus=\"yes\">\\s*<source>[^<]*</source>\\s*<(?!comment>).*"_s);
    collect(extracted, brackets);
    collect(extracted, withoutSingular);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n'_L1)));
}

void TranslationTest::noHelpHasAnEnglishWord_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("rankdeck") << QStringList{u"rankdeck"_s};
    QTest::newRow("rankdeckctl") << QStringList{u"rankdeckctl"_s};
    QProcess program;
    program.start(buildPath("bin/rankdeckctl"), {u"__table"_s});
    QVERIFY(program.waitForFinished(30000));
    const auto table = parseJson(program.readAllStandardOutput());
    QVERIFY(table);
    for (const auto &group : table->at("groups")) {
        for (const auto &command : group.at("commands")) {
            const QString name = command.at("name").get<QString>();
            QTest::newRow(qPrintable(name)) << (u"rankdeckctl "_s + name).split(' '_L1);
        }
    }
    for (const char *family : {"profile", "nodes", "ranktable"})
        QTest::newRow(family) << QStringList{u"rankdeckctl"_s, QLatin1String(family)};
}

void TranslationTest::noHelpHasAnEnglishWord()
{
    QFETCH(QStringList, command);
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(u"LC_ALL"_s);
    environment.insert(u"LANG"_s, u"zh_CN.UTF-8"_s);
    environment.insert(u"LC_CTYPE"_s, u"C.UTF-8"_s);
    program.setProcessEnvironment(environment);
    program.start(buildPath("bin/") + command[0], command.mid(1) + QStringList{u"--help"_s});
    QVERIFY(program.waitForFinished(30000));
    QCOMPARE(program.exitCode(), 0);
    const QString help = QString::fromUtf8(program.readAllStandardOutput());
    QVERIFY(help.size() > 20);
    // Commands are typed: those that a list begins its lines with, the one that was asked about, those in
    // quotation marks and in examples.
    static const QRegularExpression listed(
        u"^ +[a-z]+( [a-z]+)?(?=  )|\"rankdeckctl [^\"]*\"|^  (rankdeckctl|srun|eval) .*$"_s,
        QRegularExpression::MultilineOption);
    // So are the launchers, with "run" behind the last of them.
    const QRegularExpression launchersAndRun(launcherWords().last() + u" \\S+ run\\b"_s);
    QStringList words = englishWords(QString(help).remove(listed).simplified().remove(launchersAndRun));
    for (const QString &typed : std::as_const(command))
        words.removeAll(typed);
    QVERIFY2(words.isEmpty(), qPrintable(words.join(' '_L1) + "\nin\n"_L1 + help));
}

/// What a widget says, with what its actions and its model say.
QStringList textsOf(QWidget *widget)
{
    QStringList texts{widget->toolTip(), widget->accessibleName()};
    if (widget->isWindow())
        texts << widget->windowTitle();
    if (const auto *label = qobject_cast<QLabel *>(widget))
        texts << label->text();
    if (const auto *button = qobject_cast<QAbstractButton *>(widget))
        texts << button->text();
    if (const auto *group = qobject_cast<QGroupBox *>(widget))
        texts << group->title();
    if (const auto *edit = qobject_cast<QLineEdit *>(widget))
        texts << edit->placeholderText();
    if (const auto *menu = qobject_cast<QMenu *>(widget))
        texts << menu->title();
    if (const auto *choice = qobject_cast<QComboBox *>(widget)) {
        for (int item = 0; item < choice->count(); ++item)
            texts << choice->itemText(item);
    }
    if (const auto *tabs = qobject_cast<QTabBar *>(widget)) {
        for (int tab = 0; tab < tabs->count(); ++tab)
            texts << tabs->tabText(tab) << tabs->tabToolTip(tab);
    }
    if (const auto *view = qobject_cast<QHeaderView *>(widget); view && view->model()) {
        for (int section = 0; section < view->count() && view->orientation() == Qt::Horizontal; ++section)
            texts << view->model()->headerData(section, Qt::Horizontal).toString()
                  << view->model()->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString();
    }
    for (const QAction *action : widget->actions())
        texts << action->text() << action->toolTip() << action->statusTip();
    return texts;
}

void TranslationTest::look(const QString &page)
{
    // Qt's own, which have a translation of Qt's.
    static const QSet<QString> ofQt{u"OK"_s, u"Cancel"_s, u"Close"_s, u"Save"_s, u"Yes"_s,
                                    u"No"_s, u"Apply"_s,  u"Open"_s,  u"Help"_s};
    // Values and examples, as they are typed, and this machine's name.
    static const QRegularExpression values(
        u"\\b(auto|local|slurm|npu|mydbg|http_proxy|step|loss|%1)\\b"_s.arg(
            QRegularExpression::escape(QSysInfo::machineHostName())));
    // What the rank that failed has printed, and where in its program it was.
    static const QRegularExpression printed(u"RuntimeError: [^\n]*|(?:/[\\w.-]+)+|\\ball_reduce\\b"_s);
    // Names of keys and sizes are Qt's, too; an example of a command is as it is typed.
    static const QRegularExpression keys(
        u"\\((?:(?:Ctrl|Shift|Alt)\\+)+\\w+\\)|\\d bytes|^enroot exec \\{node\\}$|^code --goto "
        "\\{file\\}:\\{line\\}$"_s);
    for (QWidget *top : QApplication::topLevelWidgets()) {
        if (!top->isVisible() || top->inherits("QFileDialog"))
            continue;
        QList<QWidget *> widgets = top->findChildren<QWidget *>();
        widgets << top;
        for (QWidget *widget : std::as_const(widgets)) {
            if ((!widget->isVisible() && !qobject_cast<QMenu *>(widget)) ||
                widget->window()->inherits("QFileDialog"))
                continue;
            // What a run has written down stays as it was written; fonts and languages have names of their
            // own.
            if (widget->inherits("QFontComboBox") || widget->objectName() == "languageCombo"_L1 ||
                widget->objectName() == "runNote"_L1 || widget->window()->objectName() == "notesBox"_L1)
                continue;
            // The catalogue of errors has its own languages, by the locale.
            if (widget->objectName().startsWith("explanation"_L1))
                continue;
            for (const QString &text : textsOf(widget)) {
                QString own = text;
                own.remove('&'_L1).remove(printed).remove(keys).replace(values, u" "_s);
                if (!ofQt.contains(own) && !englishWords(own).isEmpty())
                    m_left.insert(u"%1: %2 (%3 %4)"_s.arg(
                        page, text, QLatin1String(widget->metaObject()->className()), widget->objectName()));
            }
        }
    }
}

void TranslationTest::lookBehindActions(const MainWindow &window, const QString &page)
{
    look(page);
    QList<QAction *> actions;
    for (const QMenu *menu : window.findChildren<QMenu *>())
        actions += menu->actions();
    for (QAction *action : std::as_const(actions)) {
        // One that asks or shows something ends in an ellipsis; the others act.
        if (!action->isEnabled() || !action->text().endsWith(QChar(0x2026)))
            continue;
        action->trigger();
        QTest::qWait(0);
        look(page + ", "_L1 + action->text());
        for (QWidget *top : QApplication::topLevelWidgets()) {
            if (auto *dialog = qobject_cast<QDialog *>(top); dialog && dialog->isVisible())
                dialog->reject();
        }
        QTest::qWait(0);
    }
}

void TranslationTest::noPageHasAnEnglishWord()
{
    QVERIFY(m_translator.load(m_home->path("resources/translations/rankdeck_zh_CN.qm")));
    QCoreApplication::installTranslator(&m_translator);
    const Outcome outcome = ctl(QStringList{u"davincirun"_s, u"--name"_s, u"r1"_s, u"--rank-table"_s,
                                            demoTable(), u"--log-dir"_s, m_home->path("logs")} +
                                train({u"--fail-rank"_s, u"3"_s, u"--rate"_s, u"0"_s}));
    QVERIFY(outcome.code != 0);
    const auto directory = findRun(u"last"_s);
    QVERIFY(directory);
    MainWindow window;
    window.resize(1400, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window, 30000));
    lookBehindActions(window, u"nothing open"_s);

    window.showLaunchForm();
    QTRY_VERIFY(window.findChild<LaunchForm *>() && window.findChild<LaunchForm *>()->isVisible());
    auto *form = window.findChild<LaunchForm *>();
    for (auto *fold : form->findChildren<QAbstractButton *>()) {
        if (fold->isCheckable() && fold->isVisible())
            fold->setChecked(true);
    }
    for (auto *choice : form->findChildren<QAbstractButton *>()) {
        if (!choice->isCheckable() || !choice->isVisible())
            continue;
        choice->click();
        QTest::qWait(0);
        look(u"launch form, "_s + choice->objectName());
    }
    form->close();

    window.openRankTable(demoTable());
    QTRY_VERIFY(window.findChild<RankTablePage *>()->isVisible());
    lookBehindActions(window, u"rank table"_s);

    window.openRun(*directory);
    QTRY_VERIFY(window.findChild<DeviceGrid *>() && window.findChild<DeviceGrid *>()->cellCount() == 8);
    lookBehindActions(window, u"run"_s);
    for (const char *view : {"oneRankAction", "allRanksAction", "mergedRanksAction", "plotAction",
                             "devicesAction", "collectivesAction", "terminalsAction"}) {
        window.findChild<QAction *>(QLatin1String(view))->trigger();
        QTest::qWait(0);
        look(QLatin1String(view));
    }
    QCoreApplication::removeTranslator(&m_translator);
    QStringList left(m_left.begin(), m_left.end());
    left.sort();
    QVERIFY2(left.isEmpty(), qPrintable(left.mid(0, 20).join('\n'_L1)));
}

} // namespace tst_translation

RANKDECK_WINDOW_TEST(tst_translation, TranslationTest)

#include "tst_translation.moc"

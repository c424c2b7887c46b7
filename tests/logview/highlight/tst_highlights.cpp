#include "logview/canvas/logcanvas.h"
#include "logview/followedlog.h"
#include "logview/highlight/highlights.h"
#include "logview/view/logview.h"
#include "support/windowtest.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTest>

namespace tst_highlights
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

Highlight highlight(const char *text, bool isRegex, int color)
{
    return {{QString::fromUtf8(text), isRegex, true}, color};
}

QPushButton *button(const QDialog &dialog, const char *text)
{
    for (QPushButton *each : dialog.findChildren<QPushButton *>()) {
        if (each->text() == QLatin1String(text))
            return each;
    }
    return nullptr;
}

} // namespace

class TestHighlights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aReadySetIsThereAtFirst();
    void setsAreKept();
    void aSelectionIsAddedToTheSetInUse();
    void setsAreEdited();
    void aBadPatternIsNotAccepted();
    void matchesStandOut();

private:
    QTemporaryDir m_settings;
};

void TestHighlights::initTestCase()
{
    QCoreApplication::setOrganizationName(u"rankdeck-test"_s);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_settings.path());
}

void TestHighlights::aReadySetIsThereAtFirst()
{
    const HighlightSets sets = HighlightSets::load();
    QCOMPARE(sets.sets.size(), 1);
    QVERIFY(sets.current().isEmpty());
    const auto isHighlighted = [&](const char *line) {
        return std::ranges::any_of(sets.sets[0].highlights, [line](const Highlight &each) {
            return LogMatcher::create(each.pattern)->isIn(line);
        });
    };
    for (const char *const line :
         {"an ERROR: x", "Warning: y", "loss is nan", "NPU out of memory", "RuntimeError Exception"})
        QVERIFY2(isHighlighted(line), line);
    for (const char *const line : {"step 3, loss is 0.5", "bandana", "zoom info"})
        QVERIFY2(!isHighlighted(line), line);
    // Whoever deletes it has none.
    HighlightSets().save();
    QVERIFY(HighlightSets::load().sets.isEmpty());
}

void TestHighlights::aSelectionIsAddedToTheSetInUse()
{
    HighlightSets sets{{{u"mine"_s, {highlight("a", false, 0)}}}, {}};
    sets.add(u"b (c"_s);
    QCOMPARE(sets.inUse, u"Selections"_s);
    QCOMPARE(sets.current(), (QList<Highlight>{highlight("b (c", false, 0)}));
    sets.add(u"b (c"_s);
    QCOMPARE(sets.current().size(), 1);
    sets.inUse = u"mine"_s;
    sets.add(u"d"_s);
    QCOMPARE(sets.current(), (QList<Highlight>{highlight("a", false, 0), highlight("d", false, 1)}));
    QVERIFY(sets.sets.size() == 2);
}

void TestHighlights::setsAreKept()
{
    HighlightSets sets;
    sets.sets = {{u"losses"_s, {highlight("nan", false, 5), highlight("loss \\d+", true, 1)}},
                 {u"empty"_s, {}}};
    sets.inUse = u"losses"_s;
    sets.save();
    QVERIFY(HighlightSets::load() == sets);
    QCOMPARE(HighlightSets::load().current().size(), 2);
    // Fewer than before leave nothing behind.
    sets.sets.removeFirst();
    sets.save();
    QVERIFY(HighlightSets::load() == sets);
    QVERIFY(HighlightSets::load().current().isEmpty());
}

void TestHighlights::setsAreEdited()
{
    HighlightDialog dialog({{{u"old"_s, {highlight("a", false, 0)}}}, {}});
    dialog.show();
    auto *const table = dialog.findChild<QTableWidget *>();
    QCOMPARE(table->rowCount(), 0); // None is in use.
    button(dialog, "&New set")->click();
    button(dialog, "&Add")->click();
    table->item(0, 0)->setText(u"loss"_s);
    dialog.findChild<QComboBox *>()->setEditText(u"mine"_s);
    dialog.accept();
    const HighlightSets expected{
        {{u"old"_s, {highlight("a", false, 0)}}, {u"mine"_s, {highlight("loss", false, 0)}}}, u"mine"_s};
    QVERIFY(dialog.sets() == expected);

    HighlightDialog again(expected);
    QCOMPARE(again.findChild<QTableWidget *>()->rowCount(), 1);
    button(again, "&Delete set")->click();
    again.accept();
    QCOMPARE(again.sets().sets.size(), 1);
    QVERIFY(again.sets() == (HighlightSets{{{u"old"_s, {highlight("a", false, 0)}}}, u"old"_s}));
}

void TestHighlights::aBadPatternIsNotAccepted()
{
    HighlightDialog dialog({{{u"set"_s, {highlight("a(b", true, 0)}}}, u"set"_s});
    dialog.show();
    dialog.accept();
    QVERIFY(dialog.isVisible());
    bool isSaid = false;
    for (const QLabel *label : dialog.findChildren<QLabel *>())
        isSaid = isSaid || label->text().contains(u"regular expression"_s);
    QVERIFY(isSaid);
}

void TestHighlights::matchesStandOut()
{
    FollowedLog log("loss 12 done\n");
    LogView view;
    view.setSource(log.follower());
    view.setLook({.highlights = {highlight("\\d+", true, 3)}});
    view.resize(600, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, 30000));
    auto *const canvas = view.findChild<LogCanvas *>();
    const auto highlighted = [&] {
        const QRgb color = LogPalette(canvas->palette()).highlight(3).rgb();
        const QImage image = view.grab().toImage();
        QString cells;
        for (int cell = 0; cell < 10; ++cell) {
            const QPoint corner(6 + cell * canvas->canvas().cellSize().width() + 1, 0);
            cells += image.pixel(corner * image.devicePixelRatio()) == color ? 'x'_L1 : '.'_L1;
        }
        return cells;
    };
    QTRY_COMPARE_WITH_TIMEOUT(highlighted(), u".....xx..."_s, 30000);
    view.setLook({});
    QTRY_COMPARE_WITH_TIMEOUT(highlighted(), u".........."_s, 30000);
}

} // namespace tst_highlights

RANKDECK_WINDOW_TEST(tst_highlights, TestHighlights)
#include "tst_highlights.moc"

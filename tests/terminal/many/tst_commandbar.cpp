#include "support/windowtest.h"
#include "terminal/many/commandbar.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace tst_commandbar
{

using namespace rankdeck;

class CommandBarTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNarrowBarHasRoomForTheCommand();
};

void CommandBarTest::aNarrowBarHasRoomForTheCommand()
{
    QWidget page; // A window of its own would stay as wide as one row.
    CommandBar bar(&page);
    page.resize(1200, 200);
    bar.resize(1200, bar.sizeHint().height());
    page.show();
    const auto *command = bar.findChild<QLineEdit *>(u"command"_s);
    const auto *send = bar.findChild<QPushButton *>(u"sendButton"_s);
    const auto *interrupt = bar.findChild<QPushButton *>(u"interruptButton"_s);
    QTRY_COMPARE(interrupt->y(), send->y());
    bar.resize(bar.minimumSizeHint().width(), bar.height());
    QTRY_VERIFY(interrupt->y() > send->y());
    QVERIFY(command->width() >= 16 * command->fontMetrics().averageCharWidth());
    bar.resize(bar.width(), bar.sizeHint().height());
    QTRY_VERIFY(bar.rect().contains(interrupt->geometry()));
}

} // namespace tst_commandbar

RANKDECK_WINDOW_TEST(tst_commandbar, CommandBarTest)
#include "tst_commandbar.moc"

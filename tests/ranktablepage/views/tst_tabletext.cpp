#include "logview/view/logview.h"
#include "ranktable/views/tableviews.h"
#include "ranktablepage/tablefiles.h"
#include "support/windowtest.h"

#include <QImage>
#include <QScrollBar>

namespace tst_tabletext
{

using namespace rankdeck;

/// The text of a rank table file with a line marked.
class TestTableText : public QObject
{
    Q_OBJECT

private:
    static QByteArray numbered(int lines)
    {
        QByteArray text;
        for (int line = 1; line <= lines; ++line)
            text += "line " + QByteArray::number(line) + '\n';
        return text;
    }
    static bool shows(const TableText &text, const char *line)
    {
        return text.view()->visibleText().split('\n'_L1).contains(QLatin1String(line));
    }

private Q_SLOTS:
    void aFileIsShownFromItsBeginning()
    {
        const TableFiles files;
        TableText text;
        text.resize(400, 200);
        text.show();
        text.setFile(files.write("long.json", numbered(10'000)));
        QTRY_VERIFY(shows(text, "line 1"));
        QCOMPARE(text.view()->topLine(), 0);
        QVERIFY(!text.view()->isFollowing());
    }

    void aMarkedLineIsBroughtOntoTheScreenEvenBeforeTheFileIsRead()
    {
        const TableFiles files;
        TableText text;
        text.resize(400, 200);
        text.show();
        text.setFile(files.write("long.json", numbered(10'000)));
        text.markLine(7'000, 2);
        QCOMPARE(text.view()->markedLine(), std::optional<qint64>(6'999));
        QTRY_VERIFY(shows(text, "line 7000"));
        text.markLine(3);
        QTRY_VERIFY(shows(text, "line 3"));
        text.markLine(0);
        QVERIFY(!text.view()->markedLine());
    }

    void theMarkIsASignInTheGutterAndNotATintAlone()
    {
        const TableFiles files;
        TableText text;
        text.resize(400, 200);
        text.show();
        text.setFile(files.write("short.json", numbered(3)));
        QTRY_VERIFY(shows(text, "line 3"));
        // Left of the numbers there is nothing but the sign, on the marked line's background.
        const auto hasSign = [&text] {
            const QImage image = text.view()->grab().toImage();
            const int row = text.view()->fontMetrics().height() * 3 / 2;
            const int background = qGray(image.pixel(2, row));
            for (int y = row - 7; y < row + 7; ++y) {
                for (int x = 4; x < 18; ++x) {
                    if (qAbs(qGray(image.pixel(x, y)) - background) > 90)
                        return true;
                }
            }
            return false;
        };
        QVERIFY(!hasSign());
        text.markLine(2);
        QTRY_VERIFY(hasSign());
    }

    void linesThatLookAlikeKeepTheirOwnNumbersWhenScrolled()
    {
        const TableFiles files;
        const QString path = files.write("alike.json", QByteArray("}\n").repeated(500));
        TableText scrolled;
        TableText fresh;
        for (TableText *text : {&scrolled, &fresh}) {
            text->resize(400, 200);
            text->show();
            text->setFile(path);
            QTRY_VERIFY(shows(*text, "}"));
        }
        for (const qint64 top : {3, 4, 200}) {
            scrolled.view()->setTopLine(top);
            QTRY_COMPARE(scrolled.view()->topLine(), top);
            scrolled.view()->grab(); // Drawn.
        }
        fresh.view()->setTopLine(200);
        QTRY_COMPARE(fresh.view()->topLine(), 200);
        QTRY_COMPARE(scrolled.view()->grab().toImage(), fresh.view()->grab().toImage());
    }

    void aColumnFarToTheRightIsScrolledTo()
    {
        const TableFiles files;
        TableText text;
        text.resize(400, 200);
        text.show();
        text.setFile(files.write("wide.json", QByteArray(900, ' ') + "\"here\"\n"));
        text.markLine(1, 901);
        const auto bars = text.findChildren<QScrollBar *>();
        QTRY_VERIFY(std::any_of(bars.cbegin(), bars.cend(), [](const QScrollBar *candidate) {
            return candidate->orientation() == Qt::Horizontal && candidate->value() > 800;
        }));
    }

    void aFileThatWasWrittenAnewIsReadAnewAndTheMarkStays()
    {
        const TableFiles files;
        TableText text;
        text.resize(400, 200);
        text.show();
        text.setFile(files.write("long.json", numbered(500)));
        text.markLine(300);
        QTRY_VERIFY(shows(text, "line 300"));
        files.write("long.json", numbered(500).replace("line", "LINE"));
        text.reload();
        QTRY_VERIFY(shows(text, "LINE 300"));
        QCOMPARE(text.view()->markedLine(), std::optional<qint64>(299));
    }

    void whatIsReadAnewStaysWhereOneReadIt()
    {
        const TableFiles files;
        TableText text;
        text.resize(400, 200);
        text.show();
        text.setFile(files.write("long.json", numbered(500)));
        QTRY_VERIFY(shows(text, "line 1"));
        text.view()->setTopLine(250);
        QTRY_VERIFY(shows(text, "line 251"));
        files.write("long.json", numbered(500).replace("line", "LINE"));
        text.reload();
        QTRY_VERIFY(shows(text, "LINE 251"));
    }
};

} // namespace tst_tabletext

RANKDECK_WINDOW_TEST(tst_tabletext, TestTableText)
#include "tst_tabletext.moc"

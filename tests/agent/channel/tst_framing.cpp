#include "agent/channel/frames.h"
#include "support/testmain.h"

#include <QList>
#include <QTest>

namespace tst_framing
{

using namespace rankdeck;

class FramingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesAndFramesComeOutAsTheyWentIn_data();
    void linesAndFramesComeOutAsTheyWentIn();
    void whatIsNeitherMakesTheStreamUnusable_data();
    void whatIsNeitherMakesTheStreamUnusable();
    void theLargestFrameFits();

private:
    static constexpr qsizetype longestLine = 100;
};

void FramingTest::linesAndFramesComeOutAsTheyWentIn_data()
{
    QTest::addColumn<qsizetype>("piece");
    for (const qsizetype piece : {1, 2, 7, 8, 9, 100, 100000})
        QTest::addRow("%lld bytes at once", static_cast<long long>(piece)) << piece;
}

void FramingTest::linesAndFramesComeOutAsTheyWentIn()
{
    QFETCH(qsizetype, piece);
    const QList<FrameDecoder::Item> items{QByteArray("rankdeck-agent 1"),
                                          Frame{1, QByteArray("a line\nand \0 bytes", 18)},
                                          Frame{65535, {}},
                                          QByteArray(),
                                          QByteArray("{\"text\": \"\\u0000F\"}"),
                                          Frame{7, QByteArray(3000, '\n')},
                                          QByteArray(longestLine, 'x'),
                                          QByteArray("F")};
    QByteArray stream;
    for (const FrameDecoder::Item &item : items) {
        if (const auto *frame = std::get_if<Frame>(&item))
            stream += framed(frame->channel, frame->bytes);
        else
            stream += std::get<QByteArray>(item) + '\n';
    }
    FrameDecoder decoder(longestLine);
    QList<FrameDecoder::Item> taken;
    for (qsizetype at = 0; at < stream.size(); at += piece) {
        decoder.add(QByteArrayView(stream).sliced(at, std::min(piece, stream.size() - at)));
        while (auto item = decoder.take())
            taken << *item;
    }
    QVERIFY(taken == items);
    QVERIFY(!decoder.isUnusable());
}

void FramingTest::whatIsNeitherMakesTheStreamUnusable_data()
{
    QTest::addColumn<QByteArray>("garbage");
    QTest::newRow("a line without an end") << QByteArray(longestLine + 1, 'x');
    QTest::newRow("a line that is too long") << QByteArray(longestLine + 1, 'x') + '\n';
    QTest::newRow("no frame") << QByteArray("\0G", 2);
    QTest::newRow("zeros") << QByteArray(100, '\0');
    QTest::newRow("a frame that is too large") << QByteArray("\0F\1\0\1\0\x10\0", 8);
}

void FramingTest::whatIsNeitherMakesTheStreamUnusable()
{
    QFETCH(QByteArray, garbage);
    FrameDecoder decoder(longestLine);
    decoder.add("before\n" + garbage);
    QVERIFY(decoder.take() == FrameDecoder::Item(QByteArray("before")));
    QVERIFY(!decoder.take());
    QVERIFY(decoder.isUnusable());
    decoder.add("after\n");
    QVERIFY(!decoder.take());
}

void FramingTest::theLargestFrameFits()
{
    const QByteArray bytes(mostFrameBytes, 'x');
    FrameDecoder decoder(longestLine);
    decoder.add(framed(3, bytes));
    QVERIFY(decoder.take() == FrameDecoder::Item(Frame{3, bytes}));
}

} // namespace tst_framing

RANKDECK_TEST(tst_framing, FramingTest)
#include "tst_framing.moc"

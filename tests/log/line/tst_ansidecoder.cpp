#include "log/line/ansidecoder.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_ansidecoder
{

using namespace rankdeck;

namespace
{

LogColor indexed(int index)
{
    return {LogColor::Kind::Indexed, quint32(index)};
}

LogColor rgb(quint32 value)
{
    return {LogColor::Kind::Rgb, value};
}

} // namespace

class TestAnsiDecoder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anSgrSetsTheStyle_data();
    void anSgrSetsTheStyle();
    void textIsWhatATerminalWouldShow_data();
    void textIsWhatATerminalWouldShow();
    void runsChangeWithTheStyle();
    void tabsCountCells();
};

void TestAnsiDecoder::anSgrSetsTheStyle_data()
{
    QTest::addColumn<QByteArray>("parameters");
    QTest::addColumn<LogStyle>("style");
    const auto row = [](const char *parameters, const LogStyle &style) {
        QTest::newRow(*parameters ? parameters : "none") << QByteArray(parameters) << style;
    };
    row("", {});
    row("0", {});
    row("1", {{}, {}, true, false});
    row("1;22", {});
    row("4", {{}, {}, false, true});
    row("4;24", {});
    row("01;04", {{}, {}, true, true});
    row("1;4;0", {});
    row("1;", {});
    row("3", {});
    row("31", {indexed(1), {}});
    row("37", {indexed(7), {}});
    row("31;39", {});
    row("44", {{}, indexed(4)});
    row("44;49", {});
    row("90", {indexed(8), {}});
    row("97", {indexed(15), {}});
    row("100", {{}, indexed(8)});
    row("107", {{}, indexed(15)});
    row("1;31;42", {indexed(1), indexed(2), true, false});
    row("38;5;208", {indexed(208), {}});
    row("48;5;17", {{}, indexed(17)});
    row("38;5;999", {indexed(255), {}});
    row("38;2;1;2;3", {rgb(0x010203), {}});
    row("48;2;255;128;0", {{}, rgb(0xFF8000)});
    row("38;2;1;2;3;1", {rgb(0x010203), {}, true, false});
    row("38:5:208", {indexed(208), {}});
    row("38:2:1:2:3", {rgb(0x010203), {}});
    row("38:2::1:2:3;4", {rgb(0x010203), {}, false, true});
    row("4:3", {{}, {}, false, true});
    row("4;4:0", {});
    row("38;5", {});
    row("38;2;1;2", {});
    row("38", {});
    row("99999999999999999999", {});
    row(">4;1", {});
    row("?1", {});
}

void TestAnsiDecoder::anSgrSetsTheStyle()
{
    QFETCH(QByteArray, parameters);
    QFETCH(LogStyle, style);
    const QList<LogRun> expected{{u"x"_s, style}};
    QVERIFY(AnsiDecoder().decode("\x1B[" + parameters + "mx") == expected);
}

void TestAnsiDecoder::textIsWhatATerminalWouldShow_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *name, const QByteArray &bytes, const char16_t *text) {
        QTest::newRow(name) << bytes << QString::fromUtf16(text);
    };
    row("nothing", "", u"");
    row("plain", "epoch: 1", u"epoch: 1");
    row("Chinese", "训练 1", u"训练 1");
    row("beyond the BMP", "\xF0\x9F\x98\x80", u"\U0001F600");
    row("not UTF-8",
        "a\xFF"
        "b",
        u"a\uFFFDb");
    row("half a character", "a\xE8", u"a\uFFFD");
    row("Latin-1", "caf\xE9 x", u"caf\uFFFD x");
    row("NUL", QByteArray("a\0b", 3), u"a\u2400b");
    row("bell, delete", "a\a\x7F", u"a\u2407\u2421");
    row("C1 control",
        "a\xC2\x9B"
        "31mb",
        u"a\uFFFD31mb");
    row("tab", "a\tb\t\tc", u"a       b               c");
    row("tab at a stop", "12345678\tb", u"12345678        b");
    row("CR at the end", "line\r", u"line");
    row("CR twice at the end", "line\r\r", u"line");
    row("bar", "\r 1/3\r 2/3\r 3/3", u" 3/3");
    row("bar wiped at the end", "3/3\r     \r", u"3/3");
    row("bar wiped, then text", "3/3\r     \rdone", u"done");
    row("blank only", "   ", u"   ");
    row("bar over nothing", "\r\r\r", u"");
    row("tab after CR", "abc\ra\tb", u"a       b");
    row("cursor and erase", "\x1B[2K\x1B[1A\x1B[?25lx\x1B[K", u"x");
    row("window title", "\x1B]0;title\ax", u"x");
    row("hyperlink", "\x1B]8;;http://a\x1B\\link\x1B]8;;\x1B\\", u"link");
    row("device control", "\x1BPq#0\x1B\\x", u"x");
    row("a title without an end hides nothing", "\x1B]0;title", u"0;title");
    row("character set", "\x1B(Bx\x1B)0y", u"xy");
    row("save cursor",
        "\x1B"
        "7x\x1B"
        "8",
        u"x");
    row("escape at the end", "x\x1B", u"x");
    row("unfinished sequence", "x\x1B[31", u"x");
    row("sequence broken by text", "\x1B[3\xE8\xAE\xADx", u"训x");
    row("sequence broken by an escape", "\x1B[3\x1B[31mx", u"x");
    row("private parameters", "\x1B[>4;1mx", u"x");
    row("GBK", "loss \xD1\xB5\xC1\xB7\xCA\xA7\xB0\xDC", u"loss 训练失败");
    row("GBK with colours", "\xD1\xB5\x1B[31m\xC1\xB7\x1B[0m ok", u"训练 ok");
    row("no GBK for want of its second byte", "\xC1\xB7 \xC1 x", u"\uFFFD\uFFFD \uFFFD x");
    row("Latin-1, which would be rare characters",
        "caf\xE9s \xFC"
        "ber",
        u"caf\uFFFDs \uFFFDber");
    row("bytes of no encoding",
        "a\xFF\xFE"
        "b",
        u"a\uFFFD\uFFFDb");
    row("end of a cut line", "\x1B[3 … (1.0 MB line)", u"… (1.0 MB line)");
}

void TestAnsiDecoder::textIsWhatATerminalWouldShow()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QCOMPARE(AnsiDecoder::plainText(bytes), text);
    QString fromRuns;
    for (const LogRun &run : AnsiDecoder().decode(bytes))
        fromRuns += run.text;
    QCOMPARE(fromRuns, text);
}

void TestAnsiDecoder::runsChangeWithTheStyle()
{
    const QList<LogRun> runs = AnsiDecoder().decode("a\x1B[31mb\x1B[31mc\x1B[0m\x1B[1md\x1B[22me");
    const QList<LogRun> expected{
        {u"a"_s, {}}, {u"bc"_s, {indexed(1), {}}}, {u"d"_s, {{}, {}, true, false}}, {u"e"_s, {}}};
    QVERIFY(runs == expected);
}

void TestAnsiDecoder::tabsCountCells()
{
    const AnsiDecoder decoder([](char32_t codePoint) { return codePoint > 0x2E80 ? 2 : 1; });
    QCOMPARE(decoder.decode("训练\tx").front().text, u"训练    x"_s);
}

} // namespace tst_ansidecoder

RANKDECK_TEST(tst_ansidecoder, TestAnsiDecoder)
#include "tst_ansidecoder.moc"

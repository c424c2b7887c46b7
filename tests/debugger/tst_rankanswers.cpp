#include "debugger/rankanswers.h"
#include "support/testmain.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_rankanswers
{

using namespace rankdeck;

class RankAnswersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void sameAnswersAreOne();
    void whatWasThereBeforeIsNoAnswer();
    void aPromptThatIsStillBeingDrawnIsNoAnswer();
    void whoIsStillAtItIsToldOf();
    void whoHasEndedIsNotWaitedFor();
    void aLongAnswerIsCut();
    void theNextCommandForgetsTheLast();

private:
    void print(int rank, const QByteArray &text) const
    {
        QFile file(path(rank));
        QVERIFY(file.open(QIODevice::Append));
        file.write(text);
    }
    QString path(int rank) const { return m_folder.filePath(QString::number(rank)); }
    void ask(const QString &command, const QList<int> &ranks)
    {
        QList<RankAnswers::Source> sources;
        for (const int rank : ranks)
            sources << RankAnswers::Source{rank, path(rank)};
        m_answers->begin(command, sources);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<RankAnswers> m_answers;
};

void RankAnswersTest::init()
{
    for (int rank = 0; rank < 3; ++rank) {
        QFile::remove(path(rank));
        print(rank, "> /t.py(3)<module>()\r\n-> x\r\n(Pdb) ");
    }
    m_answers = std::make_unique<RankAnswers>(QString());
}

void RankAnswersTest::sameAnswersAreOne()
{
    QSignalSpy begun(m_answers.get(), &RankAnswers::begun);
    ask(u"p n"_s, {0, 1, 2});
    QCOMPARE(begun.size(), 1);
    QVERIFY(!m_answers->isDone());
    print(0, "p n\r\n128\r\n(Pdb) ");
    print(1, "p n\r\n127\r\n(Pdb) ");
    print(2, "p n\r\n\x1b[1m128\x1b[0m\r\n(Pdb) ");
    QTRY_VERIFY(m_answers->isDone());
    const QList<RankAnswer> expected{{{0, 2}, u"128"_s, true}, {{1}, u"127"_s, true}};
    QCOMPARE(m_answers->answers(), expected);
}

void RankAnswersTest::whatWasThereBeforeIsNoAnswer()
{
    ask(u"x = 1"_s, {0});
    print(0, "x = 1\r\n(Pdb) ");
    QTRY_VERIFY(m_answers->isDone());
    QCOMPARE(m_answers->answers(), (QList<RankAnswer>{{{0}, QString(), true}}));
}

/// As prompt_toolkit draws it: with room for a menu below.
void RankAnswersTest::aPromptThatIsStillBeingDrawnIsNoAnswer()
{
    ask(u"p n"_s, {0});
    print(0, "\r\n\r\n\x1b[2A\x1b[J(Pdb) ");
    QSignalSpy changed(m_answers.get(), &RankAnswers::changed);
    QTRY_VERIFY(!changed.isEmpty());
    QVERIFY(!m_answers->isDone());
    print(0, "p\x1b[1m n\x1b[0m\r\n128\r\n(Pdb) ");
    QTRY_VERIFY(m_answers->isDone());
    QCOMPARE(m_answers->answers(), (QList<RankAnswer>{{{0}, u"128"_s, true}}));
}

void RankAnswersTest::whoIsStillAtItIsToldOf()
{
    ask(u"c"_s, {0, 1});
    print(0, "c\r\nstep 1\r\n");
    print(1, "c\r\nstep 1\r\n(Pdb) ");
    const QList<RankAnswer> expected{{{0}, u"step 1"_s, false}, {{1}, u"step 1"_s, true}};
    QTRY_COMPARE(m_answers->answers(), expected);
    QCOMPARE(m_answers->awaited(), QList<int>{0});
    print(0, "step 2\r\n(Pdb) ");
    QTRY_VERIFY(m_answers->isDone());
    QCOMPARE(m_answers->answers().first().text, u"step 1\nstep 2"_s);
}

void RankAnswersTest::whoHasEndedIsNotWaitedFor()
{
    ask(u"q"_s, {0, 1});
    print(1, "q\r\n(Pdb) ");
    print(0, "q\r\nTraceback\r\n");
    m_answers->end(0);
    QTRY_VERIFY(m_answers->isDone());
    QCOMPARE(m_answers->answers().first(), (RankAnswer{{0}, u"Traceback"_s, false}));
    m_answers->end(7); // None of those that were asked.
}

void RankAnswersTest::aLongAnswerIsCut()
{
    ask(u"p x"_s, {0});
    print(0, "p x\r\n" + QByteArray(3 * mostAnswerBytes, 'x') + "\r\n(Pdb) ");
    QTRY_VERIFY(m_answers->isDone());
    const QString text = m_answers->answers().first().text;
    QVERIFY(text.size() <= mostAnswerBytes + 2);
    QVERIFY(text.endsWith(QChar(0x2026)));
}

void RankAnswersTest::theNextCommandForgetsTheLast()
{
    ask(u"c"_s, {0, 1});
    print(0, "c\r\n");
    ask(u"p 1"_s, {1});
    print(1, "p 1\r\n1\r\n(Pdb) ");
    QTRY_VERIFY(m_answers->isDone());
    QCOMPARE(m_answers->answers(), (QList<RankAnswer>{{{1}, u"1"_s, true}}));
    ask(u"p 1"_s, {});
    QVERIFY(m_answers->isDone());
    QVERIFY(m_answers->answers().isEmpty());
}

} // namespace tst_rankanswers

RANKDECK_TEST(tst_rankanswers, RankAnswersTest)
#include "tst_rankanswers.moc"

#include "diagnosis/verdict/verdictdetails.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_cardmemory
{

using namespace rankdeck;

class TestCardMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheSizesTellIsComputed_data();
    void whatTheSizesTellIsComputed();
};

void TestCardMemory::whatTheSizesTellIsComputed_data()
{
    QTest::addColumn<QString>("error");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const char *error, const char *sentence) {
        QTest::newRow(name) << QString::fromUtf8(error) << QString::fromUtf8(sentence);
    };
    row("torch_npu",
        "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.96 GiB total capacity; 4.24 "
        "GiB "
        "already allocated; 4.24 GiB current active; 7.00 MiB free; 4.50 GiB reserved in total by PyTorch) "
        "If "
        "reserved memory is >> allocated memory try setting max_split_size_mb",
        "Other processes use 56 of 61 GiB of this card.");
    row("torch_npu, the card is its own",
        "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.96 GiB total capacity; 58.20 "
        "GiB "
        "already allocated; 58.20 GiB current active; 700.00 MiB free; 59.10 GiB reserved in total by "
        "PyTorch)",
        "");
    row("torch",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity "
        "of "
        "79.15 GiB of which 7.00 MiB is free. Process 1 has 40.00 GiB memory in use. Including non-PyTorch "
        "memory, this process has 39.14 GiB memory in use.",
        "Other processes use 40 of 79 GiB of this card.");
    row("torch, as it was misspelt",
        "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacty of 24.00 GiB of which "
        "12.00 "
        "GiB is free. this process has 1024.00 KiB memory in use.",
        "Other processes use 12 of 24 GiB of this card.");
    row("more than any card has",
        "RuntimeError: NPU out of memory. Tried to allocate 5503.00 GiB (NPU 3; 60.97 GiB total capacity; "
        "2.00 "
        "GiB already allocated; 58.00 GiB free)",
        "It asked for 5503 GiB, more than the 61 GiB of a whole card: look for a wrong shape or size, a "
        "smaller "
        "batch does not help.");
    row("the sizes are not told", "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB", "");
    row("another error", "ValueError: 4 GiB free", "");
}

void TestCardMemory::whatTheSizesTellIsComputed()
{
    QFETCH(QString, error);
    QFETCH(QString, sentence);
    QCOMPARE(memoryOnCard(error), sentence);
}

} // namespace tst_cardmemory

RANKDECK_TEST(tst_cardmemory, TestCardMemory)
#include "tst_cardmemory.moc"

#include "diagnosis/catalogue/errorcatalogue.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_errorkinds
{

using namespace rankdeck;

/// Lines of each kind of error, as frameworks and libraries print them.
class TestErrorKinds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineIsExplainedByItsKind_data();
    void aLineIsExplainedByItsKind();
    void theSpecificWeighsMoreThanTheGeneral_data();
    void theSpecificWeighsMoreThanTheGeneral();
    void aKindBlamesTheRightSide_data();
    void aKindBlamesTheRightSide();

private:
    const ErrorCatalogue m_catalogue = ErrorCatalogue::load();
};

void TestErrorKinds::aLineIsExplainedByItsKind_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("id");
    const auto row = [](const char *id, const QByteArray &line) {
        QTest::newRow(line.left(60).constData()) << line << QString::fromLatin1(id);
    };
    row("python-ddp-unused", "since your module has parameters that were not used in producing loss");
    row("python-ddp-ready-twice", "Parameter at index 7 has been marked as ready twice.");
    row("python-inplace",
        "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.");
    row("torch_npu-not-contiguous", "ValueError: Tensors must be contiguous");
    row("torch_npu-tensor-device", "RuntimeError: No backend type associated with device type cpu");
    row("python-dtype-mismatch", "RuntimeError: \"addmm_impl_cpu_\" not implemented for 'Half'");
    row("python-shape-mismatch", "RuntimeError: shape '[2, 3]' is invalid for input of size 7");
    row("python-shape-mismatch",
        "RuntimeError: stack expects each tensor to be equal size, but got [3] and [4]");
    row("python-numpy2", "AttributeError: `np.float_` was removed in the NumPy 2.0 release.");
    row("python-protobuf", "TypeError: Descriptors cannot not be created directly.");
    row("python-tokenizer", "OSError: /data/model does not appear to have a file named config.json.");
    row("python-hub-unreachable", "huggingface_hub.errors.LocalEntryNotFoundError: An error happened");
    row("python-checkpoint-broken", "_pickle.UnpicklingError: invalid load key, 'v'.");
    row("python-checkpoint-write",
        "RuntimeError: [enforce fail at inline_container.cc:424] . unexpected pos 64 vs 0");
    row("system-shm-no-space",
        "Error while creating shared memory segment /dev/shm/nccl-x (size 9), error: No space "
        "left on device (28)");
    row("python-undefined-symbol", "ImportError: /x/flash_attn.so: undefined symbol: cudaFoo");
    row("python-arguments", "train.py: error: unrecognized arguments: --local-rank=1");
    row("torch_npu-backend-missing", "RuntimeError: Distributed package doesn't have NCCL built in");
    row("python-wandb", "wandb.errors.UsageError: api_key not configured (no-tty)");
    row("cann-operator-check",
        "RuntimeError: ({'errCode': 'E80012', 'op_name': 'reduce_sum_d'}, 'In op, ...')");
    row("cann-EB0000", "TVMError: [EB0000] Check failed: data_ub exceed bound of memory: local.UB");
    row("cann-device-range", "Got device count[8] and device id[9], please check if device id is valid.");
    row("cann-visible-devices", "set ASCEND_RT_VISIBLE_DEVICES:8 error, input data rang[0-8)");
    row("cann-op-binary", "        Op Cast does not has any binary.");
    row("cann-aclnn-inner", "       launch failed for FlashAttentionScore, errno:561103.");
    row("cann-tiling", "EZ9999: get unsupported atten_mask shape, the shape is [1, 6902].");
    row("cann-EC0010", "Import_Python_Module(EC0010): Failed to import Python module [te]");
    row("mindspore-branches-differ", "Shape Join Failed: shape1 = (2, 3, 4, 5), shape2 = ().");
    row("mindspore-call-depth", "RuntimeError: Exceed function call depth limit 1000");
    row("mindspore-dataset-size",
        "[ERROR] map operation: [Crop] failed. Crop: Crop height dimension: 8 exceeds");
    row("mindspore-dataset-python", "[ERROR] map operation: [PyFunc] failed. Error description:");
    row("mindspore-strategy",
        "[ERROR]The strategy is ((8, 1)), shape 4 can not be divisible by strategy value 8");
    row("python-parallel-size", "AssertionError: hidden size 4096 is not divisible by 3");
    row("python-process-group-args", "KeyError: 'LOCAL_RANK'");
    row("exit-SIGKILL", "['python3', 'train.py', '--local_rank=1'] exits with return code = -9");
    row("cann-E1-graph", "E10015: IR for Op [x:y] is not registered.");
    row("cann-EZ3-unsupported", "EZ3001: Optype [Foo] of Ops kernel [AIcoreEngine] is unsupported.");
    row("cann-other-code", "EF0001: an error that has no entry");
    row("torch_npu-out-of-memory",
        "torch.OutOfMemoryError: NPU out of memory. NPUWorkspaceAllocator tried to allocate 12.04 GiB");
    row("torch_npu-inner-error", "RuntimeError: The Inner error is reported as above.");
    row("system-open-files",
        "RuntimeError: unable to open shared memory object </torch_1> in read-write mode: Too "
        "many open files (24)");
    row("system-shell-killed", "Killed");
    row("python-heap-corrupted", "double free or corruption (!prev)");
    row("python-config-syntax", "yaml.parser.ParserError: while parsing a block mapping");
    row("python-path-missing", "ValueError: 'pretrained' /data/model not existed");
    row("python-not-supported", "ValueError: Unsupported model architecture");
    row("python-type-error", "TypeError: unsupported operand type(s) for +: 'int' and 'list'");
    row("python-bare-exception", "StopIteration");
    row("python-loader-error", "RuntimeError: Caught RuntimeError in DataLoader worker process 0.");
    row("python-gloo-address", "RuntimeError: Unable to find address for: eth9");
}

void TestErrorKinds::aLineIsExplainedByItsKind()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, id);
    const ErrorEntry *entry = m_catalogue.bestFor(line.toStdString());
    QVERIFY(entry);
    QCOMPARE(entry->id, id);
}

void TestErrorKinds::theSpecificWeighsMoreThanTheGeneral_data()
{
    QTest::addColumn<QString>("specific");
    QTest::addColumn<QString>("general");
    const auto row = [](const char *specific, const char *general) {
        QTest::addRow("%s beats %s", specific, general)
            << QString::fromLatin1(specific) << QString::fromLatin1(general);
    };
    for (const char *general :
         {"torch_npu-ERRxx001", "torch_npu-ERRxx002", "torch_npu-ERRxx005", "torch_npu-ERRxx100",
          "torch_npu-ERRxx200", "cann-EZ9999", "cann-EE9999", "cann-E19999", "runtime-507011",
          "runtime-507015", "runtime-507035", "cann-internal-5000", "cann-aicore-failed", "python-aborted",
          "python-terminate-called", "python-runtime-error"}) {
        row("cann-EC0010", general);
        row("cann-operator-check", general);
        row("cann-tiling", general);
        row("cann-op-binary", general);
        row("cann-aclnn-inner", general);
        row("hccl-EI0004", general);
        row("python-checkpoint-broken", general);
        row("mindspore-getnext-timeout", general);
    }
    row("cann-E30006", "runtime-507033");
    row("cann-E30006", "torch_npu-set-device");
    row("cann-E39999", "runtime-507018");
    row("cann-tiling", "cann-aclnn-inner");
    row("cann-visible-devices", "runtime-207004");
    row("torch_npu-tensor-device", "torch_npu-ERRxx002");
}

void TestErrorKinds::theSpecificWeighsMoreThanTheGeneral()
{
    QFETCH(QString, specific);
    QFETCH(QString, general);
    const ErrorEntry *one = m_catalogue.find(specific);
    const ErrorEntry *other = m_catalogue.find(general);
    QVERIFY(one && other);
    QVERIFY(one->weight > other->weight);
}

void TestErrorKinds::aKindBlamesTheRightSide_data()
{
    using Layer = ErrorEntry::Layer;
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("layer");
    const auto row = [](Layer layer, const QByteArray &line) {
        QTest::newRow(line.left(60).constData()) << line << int(layer);
    };
    row(Layer::Wait,
        "RuntimeError: [/x/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms "
        "for recv operation to complete");
    row(Layer::Wait, "RuntimeError: Socket Timeout");
    row(Layer::Wait,
        "RuntimeError: [/x/gloo/gloo/transport/tcp/pair.cc:799] connect [127.0.0.1]:3000 timed out");
    row(Layer::Wait, "Connect timeout [10.0.0.2]:40123");
    row(Layer::Wait, "[/x/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.2]:40123");
    row(Layer::Wait,
        "torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving "
        "ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: x");
    row(Layer::Wait,
        "torch.distributed.DistStoreError: wait timeout after 15000ms, keys: /default_pg/0//cpu//0/2");
    row(Layer::Wait, "Please check root rank: 0's log. Failed to fetch the unique id of the collective lib");
    row(Layer::Wait, "EI0009: Transport init error. Reason: [Create][DestLink]Create Dest error! createLink "
                     "para:rank[1]-localUserrank[1], dst_rank[0]-remoteUserrank[0]");
    row(Layer::Wait,
        "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d "
        "store has failed.");
    row(Layer::Disagreement,
        "what():  [enforce fail at pair.cc:446] op.preamble.length <= op.nbytes. 600 vs 500");
    row(Layer::Disagreement,
        "RuntimeError: Detected mismatch between collectives on ranks. Rank 0 is running collective");
    row(Layer::Disagreement,
        "EI0005: The arguments for collective communication are inconsistent between ranks");
    row(Layer::Own, "EZ9999: Inner Error!");
    row(Layer::Own, "Fatal Python error: init_fs_encoding: failed to get the Python codec");
    row(Layer::Own, "EI0009: Device 3 transport init error. Reason: The network port is down.");
    row(Layer::Wrapper,
        "[ERROR] 2025-08-06-16:15:27 (PID:1, Device:0, RankID:-1) ERR00100 PTA call acl api failed");
    row(Layer::Wrapper, "terminate called without an active exception");
    row(Layer::Wrapper, "RuntimeError: Engine core initialization failed. See root cause above.");
}

void TestErrorKinds::aKindBlamesTheRightSide()
{
    QFETCH(QByteArray, line);
    QFETCH(int, layer);
    const ErrorEntry *entry = m_catalogue.bestFor(line.toStdString());
    QVERIFY(entry);
    QVERIFY2(int(entry->layer) == layer, qPrintable(entry->id));
}

} // namespace tst_errorkinds

RANKDECK_TEST(tst_errorkinds, TestErrorKinds)
#include "tst_errorkinds.moc"

#include "diagnosis/progress/linescanner.h"
#include "diagnosis/progress/progressline.h"
#include "diagnosis/progress/progressreader.h"
#include "launch/text/optionvalues.h"
#include "support/testmain.h"

#include <QTest>

#include <cmath>
#include <limits>

namespace tst_progressreader
{

using namespace rankdeck;

namespace
{

/// Only what is set is there.
struct Wanted {
    std::optional<double> epoch{};
    std::optional<qint64> epochs{};
    std::optional<qint64> step{};
    std::optional<qint64> steps{};
    std::optional<double> loss{};
    std::optional<double> stepMs{};
    std::optional<double> throughput{};
    QByteArray unit{};
    std::optional<double> learningRate{};
    bool isBar = false;
};

QString words(const ProgressPoint &point)
{
    QStringList parts;
    const auto add = [&parts](const char *name, const auto &value) {
        if (value)
            parts << u"%1=%2"_s.arg(QLatin1String(name)).arg(double(*value), 0, 'g', 9);
    };
    add("epoch", point.epoch);
    add("epochs", point.epochs);
    add("step", point.step);
    add("steps", point.steps);
    add("loss", point.loss);
    add("ms", point.stepMs);
    add("throughput", point.throughput);
    add("lr", point.learningRate);
    parts << QString::fromUtf8(point.throughputUnit) << (point.isBar ? u"bar"_s : QString());
    return parts.join(' '_L1);
}

ProgressPoint pointOf(const Wanted &wanted)
{
    ProgressPoint point;
    point.epoch = wanted.epoch;
    point.epochs = wanted.epochs;
    point.step = wanted.step;
    point.steps = wanted.steps;
    point.loss = wanted.loss;
    point.stepMs = wanted.stepMs;
    point.throughput = wanted.throughput;
    point.throughputUnit = wanted.unit;
    point.learningRate = wanted.learningRate;
    point.isBar = wanted.isBar;
    return point;
}

const QByteArray longPercents = "\xE2\x96\x88\xE2\x96\x88\xE2\x96\x8F       "; // What tqdm draws.

} // namespace

class TestProgressReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineIsRead_data();
    void aLineIsRead();
    void otherLinesSayNothing_data();
    void otherLinesSayNothing();
    void otherLinesAreNotLookedThrough();
    void numbersAreRead_data();
    void numbersAreRead();
    void everyCutOfALineIsRead();
    void aPatternOfTheUserReadsItsGroups();
    void aPatternThatIsNoneIsRefused_data();
    void aPatternThatIsNoneIsRefused();
};

void TestProgressReader::aLineIsRead_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *source, const QByteArray &line, const Wanted &wanted) {
        QTest::newRow(source) << line << words(pointOf(wanted));
    };
    // MindSpore mindspore/python/mindspore/train/callback/_loss_monitor.py, _time_monitor.py
    row("LossMonitor", "epoch: 1 step: 1875, loss is 1.1544309",
        {.epoch = 1, .step = 1875, .loss = 1.1544309});
    row("LossMonitor with comma", "epoch: 0, step: 10, loss is 1.6682479",
        {.epoch = 0, .step = 10, .loss = 1.6682479});
    row("TimeMonitor", "Train epoch time: 55616.483 ms, per step time: 510.243 ms", {.stepMs = 510.243});
    row("TimeMonitor before 2.0", "epoch time: 55616.483 ms, per step time: 510.243 ms", {.stepMs = 510.243});
    // MindFormers mindformers/core/callback/callback.py
    row("MFLossMonitor",
        "2025-04-07 15:34:27,308 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  1/  2], "
        "step:[    1/   19], loss: 10.649, per_step_time: 103328ms, lr: 0.0, overflow cond: False, "
        "loss_scale: "
        "1.0, global_norm: [1 31049], train_throughput_per_npu: 2.896T",
        {.epoch = 1,
         .epochs = 2,
         .step = 1,
         .steps = 19,
         .loss = 10.649,
         .stepMs = 103328,
         .throughput = 2.896,
         .unit = "TFLOP/s/NPU",
         .learningRate = 0});
    row("MFLossMonitor without its stamp",
        "- INFO - { Epoch:[  1/  2], step:[    1/ 6500], loss: 0.000, per_step_time: 166756ms, lr: 0.0, "
        "overflow cond: False, loss_scale: 1.0, global_norm: [44.313248], train_throughput_per_npu: 2.849T",
        {.epoch = 1,
         .epochs = 2,
         .step = 1,
         .steps = 6500,
         .loss = 0,
         .stepMs = 166756,
         .throughput = 2.849,
         .unit = "TFLOP/s/NPU",
         .learningRate = 0});
    row("MFLossMonitor, its second line",
        "- INFO -    0.0% |                                                  | 0.00600 samples/s/p  25 days, "
        "2:07:47 }",
        {.throughput = 0.006, .unit = "samples/s/p"});
    row("MFLossMonitor of 2023",
        "[INFO] 2023-07-11 10:48:37,162 [/home/m/mindformers/core/callback/callback.py:269] "
        "print_output_info: Epoch:[  1/  1], step:[  116/  125], loss:[2.220/2.220], time:1951.612 ms, "
        "lr:[2.4499998e-06], overflow cond: False, loss_scale: 16384.0",
        {.epoch = 1,
         .epochs = 1,
         .step = 116,
         .steps = 125,
         .loss = 2.22,
         .stepMs = 1951.612,
         .learningRate = 2.4499998e-06});
    // Ascend/mind-cluster docs/en/scheduling/usage/resumable_training, Ascend/MindSpeed-LLM docs
    row("Megatron",
        " [2025-06-22 14:47:00] iteration       10/    5000 | consumed samples:          640 | elapsed time "
        "per "
        "iteration (ms): 1932.5 | learning rate: 2.500000E-07 | global batch size:    64 | lm loss: "
        "1.053084E+01 | loss scale: 1.0 | grad norm: 56.739 | num zeros: 0 | number of skipped iterations:   "
        "0 "
        "| number of nan iterations:   0 |",
        {.step = 10, .steps = 5000, .loss = 10.53084, .stepMs = 1932.5, .learningRate = 2.5e-07});
    row("MindSpeed fsdp2",
        "INFO [2026-06-22 19:25:37] >>  iteration        1/    2000 | consumed samples:          8 | "
        "consumed "
        "tokens:        564 | elapsed time per iteration (ms): 7827.39 | learning rate: 1.666667E-07 | "
        "global "
        "batch size:     8 | lm loss: 3.316887E+00 | grad norm: 70.959 | max_memory_allocated(GB): 19.07 |",
        {.step = 1, .steps = 2000, .loss = 3.316887, .stepMs = 7827.39, .learningRate = 1.666667e-07});
    row("ModelLink in Chinese docs", // Ascend/ModelLink README, samples per second at the end
        " iteration  11/50000 | consumed samples: 5632 | consumed tokens:  11534336 | elapsed time per "
        "iteration "
        "(ms):  52728.1 | learning rate:    1.499E-05 | gloabl batch size:  512 | lm loss:  1.376514E+01 | "
        "loss "
        "scale:  65536.0 | grad norm:    459.628 | number of nan iterations:   0 | samples per second: 9.710 "
        "| "
        "TFLOPs: 167.52 |",
        {.step = 11,
         .steps = 50000,
         .loss = 13.76514,
         .stepMs = 52728.1,
         .throughput = 9.71,
         .unit = "samples/s",
         .learningRate = 1.499e-05});
    row("Megatron with a throughput", // FlagOpen/OpenSeek
        "[default0]: [2025-05-27 15:23:07] iteration        1/    24000 | consumed samples:          1024 | "
        "elapsed time per iteration (ms): 271607.0 | throughput per GPU (TFLOP/s/GPU): 40.4 | learning rate: "
        "1.500000E-06 | global batch size:  1024 | lm loss: 1.192634E+01 | load_balancing_loss: 1.041994E+00 "
        "| "
        "loss scale: 1.0 |",
        {.step = 1,
         .steps = 24000,
         .loss = 11.92634,
         .stepMs = 271607,
         .throughput = 40.4,
         .unit = "TFLOP/s/GPU",
         .learningRate = 1.5e-06});
    row("Megatron-DeepSpeed", // deepspeedai/DeepSpeed#3742
        " samples/sec: 7.799 | iteration       34/   10000 | elapsed time per iteration (ms): 4103.1 | "
        "learning "
        "rate: 2.111E-06 | approx flops per GPU: 112.9TFLOPS | lm_loss: 1.118665E+01 | number of skipped "
        "iterations:   0 |",
        {.step = 34,
         .steps = 10000,
         .loss = 11.18665,
         .stepMs = 4103.1,
         .throughput = 7.799,
         .unit = "samples/sec",
         .learningRate = 2.111e-06});
    // deepspeedai/DeepSpeed#1825, #3742
    row("DeepSpeed step",
        "[2022-03-11 02:06:58,985] [INFO] [logging.py:69:log_dist] [Rank 0] step=40, skipped=2, lr=[5e-05], "
        "mom=[[0.9, 0.999]]",
        {.step = 40, .learningRate = 5e-05});
    row("DeepSpeed timer",
        "[2023-07-25 21:03:17,269] [INFO] [timer.py:215:stop] epoch=0/micro_step=34/global_step=34, "
        "RunningAvgSamplesPerSec=7.864669709950182, CurrSamplesPerSec=8.00912418308922, MemAllocated=59.65GB",
        {.epoch = 0, .step = 34, .throughput = 8.00912418, .unit = "samples/s"});
    row("DeepSpeed pipeline", // deepspeed/runtime/pipe/engine.py
        "steps: 10 loss: 1.2345 iter time (s): 0.512 samples/sec: 31.250",
        {.step = 10, .loss = 1.2345, .stepMs = 512, .throughput = 31.25, .unit = "samples/sec"});
    // modelscope/ms-swift#4146, #9261
    row("ms-swift",
        "{'loss': 0.21932983, 'grad_norm': 0.57172734, 'learning_rate': 6.8e-07, 'memory(GiB)': 63.16, "
        "'train_speed(iter/s)': 0.011239, 'rewards/chosen': 4.8125, 'nll_loss': 0.875, 'epoch': 0.89, "
        "'global_step/max_steps': '78/176', 'percentage': '44.32%', 'elapsed_time': '1h 54m 53s', "
        "'remaining_time': '2h 24m 21s'}",
        {.epoch = 0.89,
         .step = 78,
         .steps = 176,
         .loss = 0.21932983,
         .stepMs = 1000 / 0.011239,
         .learningRate = 6.8e-07});
    row("ms-swift of 2026",
        R"x({"loss": 0.0, "grad_norm": 0.0, "learning_rate": 1e-06, "entropy/mean": 0.55, "step_time": )x"
        R"x(1.57797493, "epoch": 0.0002, "global_step/max_steps": "2/10000", "elapsed_time": "39s", )x"
        R"x("remaining_time": "2d 6h 14m 20s", "memory(GiB)": 55.34, "train_speed(s/it)": 19.529944})x",
        {.epoch = 0.0002, .step = 2, .steps = 10000, .loss = 0, .stepMs = 1577.97493, .learningRate = 1e-06});
    row("Trainer", // huggingface/transformers#14531
        "{'loss': 6.2645, 'learning_rate': 0.001, 'epoch': 0.02}",
        {.epoch = 0.02, .loss = 6.2645, .learningRate = 0.001});
    row("Trainer, NaN", "{'loss': nan, 'grad_norm': nan, 'learning_rate': 0.001, 'epoch': 0.02}",
        {.epoch = 0.02, .loss = std::numeric_limits<double>::quiet_NaN(), .learningRate = 0.001});
    // mindspore-lab/mindyolo mindyolo/utils/trainer_factory.py
    row("mindyolo",
        "2024-12-25 09:58:42,787 [INFO] Epoch 1/200, Step 100/3995, imgsize (640, 640), loss: 11.6707, lbox: "
        "0.1234, lobj: 1.2, cur_lr: 0.0100",
        {.epoch = 1, .epochs = 200, .step = 100, .steps = 3995, .loss = 11.6707, .learningRate = 0.01});
    row("mindyolo, its second line",
        "2024-12-25 09:58:42,787 [INFO] Epoch 1/200, Step 100/3995, step time: 5736.71 ms",
        {.epoch = 1, .epochs = 200, .step = 100, .steps = 3995, .stepMs = 5736.71});
    // Ascend/mind-cluster, the ResNet-50 sample
    row("sample of epochs alone",
        "2023-06-09 22:18:45,025:INFO:epoch: [40/90] loss: 3.465011, epoch time: 71.582 s, per step time: "
        "1491.285 ms",
        {.epoch = 40, .epochs = 90, .loss = 3.465011, .stepMs = 1491.285});
    // Oneflow-Inc/libai#551
    row("libai",
        "[09/10 10:40:56 lb.utils.events]:  eta: 21:00:38  iteration: 19/10000  consumed_samples: 80  "
        "total_loss: 9.895  time: 7.5187 s/iter  data_time: 0.0021 s/iter total_throughput: 0.53 samples/s "
        "lr: "
        "1.50e-04",
        {.step = 19,
         .steps = 10000,
         .loss = 9.895,
         .stepMs = 7518.7,
         .throughput = 0.53,
         .unit = "samples/s",
         .learningRate = 1.5e-04});
    row("minimind", // jingyaogong/minimind#26
        "Epoch:[0/19](100/24681) loss:5.251 lr:0.00020000 epoch_Time:98.0min:",
        {.epoch = 0, .epochs = 19, .step = 100, .steps = 24681, .loss = 5.251, .learningRate = 0.0002});
    row("MMEngine", // open-mmlab/mmengine#155
        "04/21 21:03:53 - mmengine - INFO - Epoch(train) [1][10/90]  lr: 1.000e-02  eta: 0:00:25  time: "
        "0.010  "
        "data_time: 0.000  memory: 0  loss: 11.4723",
        {.epoch = 1, .step = 10, .steps = 90, .loss = 11.4723, .stepMs = 10, .learningRate = 0.01});
    row("MMDetection 2", // open-mmlab/mmdetection#2672
        "2020-05-08 18:44:23,494 - mmdet - INFO - Epoch [1][1200/7517]\tlr: 0.00125, eta: 4:44:04, time: "
        "0.593, "
        "data_time: 0.031, memory: 6836, loss_rpn_cls: 0.0927, loss_cls: 0.1861, acc: 94.0625, loss_bbox: "
        "0.1375, loss: 0.4606",
        {.epoch = 1, .step = 1200, .steps = 7517, .loss = 0.4606, .stepMs = 593, .learningRate = 0.00125});
    row("fairseq", // facebookresearch/fairseq#301
        "| epoch 010  2000 / 8223 loss=1.27 (1.50), wps=962, wpb=908, bsz=32, lr=0.001, clip=100%, "
        "gnorm=2.1427",
        {.epoch = 10, .step = 2000, .steps = 8223, .loss = 1.27, .learningRate = 0.001});
    row("torchtitan", // pytorch/torchtitan#2389
        "[rank0]:[titan] 2026-02-24 19:46:17,508 - root - INFO - step:  4  loss:  7.62585  grad_norm: "
        "26.6250  "
        "memory: 66.91GiB(37.51%)  tps: 10,050  tflops: 314.71  mfu: 13.99%",
        {.step = 4, .loss = 7.62585, .throughput = 10050, .unit = "tokens/s"});
    row("verl", // verl-project/verl#7412, shortened
        "(TaskRunner pid=222265) step:34 - global_seqlen/min:419336 - actor/entropy:0.22266578674316406 - "
        "actor/pg_loss:0.042396901 - actor/kl_loss:0.0013280365 - actor/loss:0.042398229 - actor/lr:2e-06 - "
        "training/global_step:34 - training/epoch:0 - val-core/openai/gsm8k/acc/mean@1:0.5 - "
        "timing_s/gen:74.020 - timing_s/step:96.551 - timing_per_token_ms/adv:0.001",
        {.epoch = 0, .step = 34, .loss = 0.042396901, .stepMs = 96551, .learningRate = 2e-06});
    row("PyTorch's example of ImageNet", // pytorch/examples imagenet/main.py
        "Epoch: [0][  10/5005]\tTime  0.333 ( 0.610)\tData  0.001 ( 0.225)\tLoss 6.9e+00 (7.0e+00)\tAcc@1   "
        "0.00 (  0.24)",
        {.epoch = 0, .step = 10, .steps = 5005, .loss = 6.9});
    row("nanoGPT", // karpathy/nanoGPT train.py
        "iter 100: loss 2.3456, time 123.45ms, mfu 12.34%", {.step = 100, .loss = 2.3456, .stepMs = 123.45});
    row("TensorFlow's estimator", // tensorflow basic_session_run_hooks.py
        "INFO:tensorflow:loss = 2.3025851, step = 100 (12.345 sec)", {.step = 100, .loss = 2.3025851});
    row("plain", "epoch [3/10] step [20/100] loss: 0.4321",
        {.epoch = 3, .epochs = 10, .step = 20, .steps = 100, .loss = 0.4321});
    row("plain, of", "Step 1,200 of 5,000: loss = 1e-7", {.step = 1200, .steps = 5000, .loss = 1e-7});
    row("tensor", "epoch 1 step 5 loss: tensor(0.3456, device='npu:0', grad_fn=<DivBackward0>)",
        {.epoch = 1, .step = 5, .loss = 0.3456});
    row("infinite", "step: 7, loss: -inf", {.step = 7, .loss = -std::numeric_limits<double>::infinity()});
    row("coloured", "\x1b[32mstep\x1b[0m: \x1b[1m7\x1b[0m, \x1b[33mloss\x1b[0m: 0.5",
        {.step = 7, .loss = 0.5});
    row("Chinese around", "第一阶段训练：step：12，loss：0.25，继续", {.step = 12, .loss = 0.25});
    row("GBK around",
        "\xD1\xB5\xC1\xB7step\xA3\xBA"
        "12\xA3\xAC\xCB\xF0\xCA\xA7loss\xA3\xBA"
        "0.25",
        {.step = 12, .loss = 0.25});
    row("train and validation", "Epoch 3/10, train loss: 0.5, valid loss: 0.6, val_loss: 0.6",
        {.epoch = 3, .epochs = 10, .loss = 0.5});
    // huggingface/transformers#14531, Lightning-AI/pytorch-lightning#4225, verl-project/verl#2566
    row("tqdm", "  8%|" + longPercents + "| 1999/24128 [1:52:09<20:27:23,  3.33s/it]",
        {.step = 1999, .steps = 24128, .stepMs = 3330, .isBar = true});
    row("tqdm, a log behind it",
        "  8%|" + longPercents +
            "| 1999/24128 [1:52:09<20:27:23,  3.33s/it][2021-11-26 03:07:16,494] [INFO] "
            "[logging.py:69:log_dist] [Rank 0] step=2000, skipped=1995, lr=[0.001, 0.001], mom=[0.0, 0.0]",
        {.step = 1999, .steps = 24128, .stepMs = 3330, .learningRate = 0.001, .isBar = true});
    row("tqdm, its first", "  0%|          | 0/29790 [00:00<?, ?it/s]",
        {.step = 0, .steps = 29790, .isBar = true});
    row("Lightning",
        "Epoch 0:  22%|" + longPercents + "| 4/18 [00:17<01:02,  4.47s/it, loss=10.072, v_num=193315]",
        {.epoch = 0, .step = 4, .steps = 18, .loss = 10.072, .stepMs = 4470, .isBar = true});
    row("Lightning, fast",
        "Epoch 12:   2%|" + longPercents + "| 3744/150000 [3:12:36<125:24:04,  0.32it/s, v_num=35a4, ...]",
        {.epoch = 12, .step = 3744, .steps = 150000, .stepMs = 1000 / 0.32, .isBar = true});
    row("verl's bar",
        "(TaskRunner pid=4035927) Training Progress:   0%|          | 2/624 [21:47<114:32:27, 662.94s/it]",
        {.step = 2, .steps = 624, .stepMs = 662940, .isBar = true});
}

void TestProgressReader::aLineIsRead()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, wanted);
    const auto point = ProgressReader().read(line);
    QVERIFY(point);
    QCOMPARE(words(*point), wanted);
}

void TestProgressReader::otherLinesSayNothing_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char *name, const QByteArray &line) {
        QTest::newRow(name) << line;
    };
    row("empty", "");
    row("checkpoint", "Saving model checkpoint to output/checkpoint-500 at step 500");
    row("profiler", "[titan] 2025-06-16 22:30:50,758 - root - INFO - Dumping profiler traces at step 200");
    row("settings", "max_steps: 5000, learning_rate: 0.001, loss_scale: 65536, epochs: 10, log_step: 100");
    row("Megatron's settings", "  train_iters ..................................... 5000");
    row("Megatron's validation",
        " validation loss at iteration 1000 | lm loss value: 2.345678E+00 | lm loss PPL: 1.044E+01 |");
    row("Trainer's evaluation",
        "{'eval_loss': 1.23, 'eval_runtime': 12.3, 'eval_steps_per_second': 1.2, 'epoch': 1.0}");
    row("Trainer's last line",
        "{'train_runtime': 123.4, 'train_samples_per_second': 12.3, 'train_loss': 0.53, 'epoch': 3.0}");
    row("fairseq's validation", "| epoch 010 | valid on 'valid' subset  1000 / 1311 loss=1.60");
    row("MMEngine's validation", "Epoch(val) [1][10/90]  time: 0.010  data_time: 0.000  loss: 11.4723");
    row("ImageNet's validation", "Test: [ 10/782]\tTime  0.333 ( 0.610)\tLoss 6.9e+00 (7.0e+00)");
    row("DeepSpeed's times",
        "rank=0 time (ms) | forward: 652.41 | backward: 2164.52 | backward_inner: 2001.89 | step: 1172.13");
    row("vLLM", "INFO 11-22 10:00:00 metrics.py:455] Avg prompt throughput: 10.0 tokens/s, Running: 0 reqs");
    row("loading", "Loading checkpoint shards:  50%|#####     | 1/2 [00:00<00:00,  5.83it/s]");
    row("mapping", "Map (num_proc=8):  50%|#####     | 1000/2000 [00:00<00:00, 5000.83 examples/s]");
    row("validating",
        "Validation DataLoader 0:  50%|#####     | 5/10 [00:10<00:10,  1.20s/it, val_loss=0.3]");
    row("sampling", "sampling loop time step:  10%|#         | 5/50 [00:01<00:09,  4.83it/s]");
    row("a loss in words", "step 5: the loss function is CrossEntropy");
    row("no number", "step: 5, loss: information");
    row("GLOG",
        "[INFO] DISTRIBUTED(60570,ffff8c5b1010,python):2024-01-01-00:00:00.000.000 [mindspore/ccsrc/a.cc:12] "
        "Start] step into the next state");
    row("traceback", "  File \"train.py\", line 10, in step");
    row("more than there are", "step: 9000000000000000, loss: 0.5");
    row("more than there are, a bar", "  8%|#  | 1e300/1e301 [1:52:09<20:27:23,  3.33s/it]");
    row("very long", QByteArray(1 << 20, 'x') + " step: 1, loss: 2");
}

void TestProgressReader::otherLinesSayNothing()
{
    QFETCH(QByteArray, line);
    const auto point = ProgressReader().read(line);
    QVERIFY2(!point, qPrintable(point ? words(*point) : QString()));
}

void TestProgressReader::otherLinesAreNotLookedThrough()
{
    for (const char *const line :
         {"[INFO] HCCL(60570,python):2024-01-01-00:00:00.000.000 [hccl_comm.cc:12]init finished",
          "/usr/lib/python3/dist-packages/a.py:12: UserWarning: deprecated", "", "abc", "los", "ste", "s/i",
          "Epoch 3 begins", "2024-01-01 00:00:00,000 - root - INFO - loaded 12 of 24 shards, 50%"})
        QVERIFY2(!mayTellProgress(line), line);
    // Wherever it stands, at the border of what is looked at at once too.
    for (int before = 0; before < 200; ++before) {
        const std::string line = std::string(std::size_t(before), 'x') + "lOsS";
        QVERIFY(mayTellProgress(line));
        QVERIFY(mayTellProgress(line + "and so on, for a while, until more than a block is there, yes"));
    }
}

void TestProgressReader::numbersAreRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isList");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<int>("end");
    QTest::newRow("whole") << QByteArray("12,") << false << "12" << 2;
    QTest::newRow("thousands") << QByteArray("1,234,567 x") << false << "1234567" << 9;
    QTest::newRow("thousands with a fraction") << QByteArray("10,050.5") << false << "10050.5" << 8;
    QTest::newRow("list") << QByteArray("1,234]") << true << "1" << 1;
    QTest::newRow("no thousands") << QByteArray("1234,567") << false << "1234" << 4;
    QTest::newRow("four digits behind") << QByteArray("1,2345") << false << "1" << 1;
    QTest::newRow("small") << QByteArray("1e-7") << false << "1e-07" << 4;
    QTest::newRow("exponent") << QByteArray("1.05E+01|") << false << "10.5" << 8;
    QTest::newRow("unit e") << QByteArray("3e") << false << "3" << 1;
    QTest::newRow("negative") << QByteArray("-.5") << false << "-0.5" << 3;
    QTest::newRow("nan") << QByteArray("NaN)") << false << "nan" << 3;
    QTest::newRow("infinity") << QByteArray("-Infinity") << false << "-inf" << 9;
    QTest::newRow("too large") << QByteArray("1e999") << false << "none" << 0;
    QTest::newRow("too long") << QByteArray(100, '9') << false << "none" << 0;
    QTest::newRow("word") << QByteArray("info") << false << "none" << 0;
    QTest::newRow("nothing") << QByteArray() << false << "none" << 0;
    QTest::newRow("sign alone") << QByteArray("-") << false << "none" << 0;
}

void TestProgressReader::numbersAreRead()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isList);
    QFETCH(QString, wanted);
    QFETCH(int, end);
    std::size_t at = 0;
    const auto number = readNumber({text.constData(), std::size_t(text.size())}, at, isList);
    QCOMPARE(number ? QString::number(*number, 'g', 9) : u"none"_s, wanted);
    QCOMPARE(int(at), end);
}

/// Wherever a line is cut, in an encoding or in an escape too, it is read without harm.
void TestProgressReader::everyCutOfALineIsRead()
{
    const QByteArray line =
        "\x1b[32m\xE8\xAE\xAD\xE7\xBB\x83 \xD1\xB5 Epoch:[  1/  2]\x1b[0m, step:[ 1/ 19], loss: "
        "tensor(1.5e-3), time (ms): 12 | 8%|# | 1/2 [0:1<0:2, 3.3s/it, lr='1,000']";
    for (qsizetype begin = 0; begin < line.size(); ++begin) {
        for (qsizetype end = begin; end <= line.size(); ++end) {
            const QByteArray piece = line.mid(begin, end - begin); // Its own memory, so that sanitizers see.
            const std::string_view text(piece.constData(), std::size_t(piece.size()));
            readProgressLine(text);
            readProgressBar(text);
        }
    }
    QVERIFY(ProgressReader().read(line));
}

void TestProgressReader::aPatternOfTheUserReadsItsGroups()
{
    const auto reader = ProgressReader::create(
        u"第(?P<epoch>\\d+)轮/(?P<epochs>\\d+) (?<step>[\\d,]+)/(?<steps>\\d+) 损失 (?P<loss>\\S+) 用时 "
        "(?P<step_time_s>[\\d.]+)( (?P<throughput>\\d+))?"_s);
    QVERIFY2(reader, reader ? "" : qPrintable(reader.error().sentence()));
    const auto point = reader->read(QByteArray("09:00 第2轮/9 1,200/5000 损失 nan 用时 1.5"));
    QVERIFY(point);
    QCOMPARE(words(*point), words(pointOf({.epoch = 2,
                                           .epochs = 9,
                                           .step = 1200,
                                           .steps = 5000,
                                           .loss = std::numeric_limits<double>::quiet_NaN(),
                                           .stepMs = 1500})));
    // It alone counts then.
    QVERIFY(!reader->read(QByteArray("step: 12, loss: 0.5")));
    // Of a line that matches without a number there is nothing to tell.
    const auto words = ProgressReader::create(u"step (?P<step>\\w+)"_s);
    QVERIFY(!words->read(QByteArray("step one")));
    QVERIFY(words->read(QByteArray("step 1")));
}

void TestProgressReader::aPatternThatIsNoneIsRefused_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("what");
    QTest::newRow("broken") << "step (?P<step>\\d+"
                            << "not a regular expression";
    QTest::newRow("no group") << "step \\d+"
                              << "no named group";
    QTest::newRow("other group") << "step (?P<steep>\\d+)"
                                 << "\"steep\"";
}

void TestProgressReader::aPatternThatIsNoneIsRefused()
{
    QFETCH(QString, pattern);
    QFETCH(QString, what);
    const auto reader = ProgressReader::create(pattern);
    QVERIFY(!reader);
    QVERIFY2(reader.error().what.contains(what), qPrintable(reader.error().what));
    QCOMPARE(reader.error().where, u"--progress-pattern"_s);
    QVERIFY(!progressPatternError({}));
}

} // namespace tst_progressreader

RANKDECK_TEST(tst_progressreader, TestProgressReader)
#include "tst_progressreader.moc"

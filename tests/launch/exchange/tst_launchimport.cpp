#include "launch/exchange/launchexport.h"
#include "launch/exchange/torchrunimport.h"
#include "launch/options/launchers.h"
#include "launch/options/launchprofile.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_launchimport
{

using namespace rankdeck;

/// A launch as other launchers' command lines and as files, and back.
class LaunchImportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCommandLineBecomesALaunch_data();
    void aCommandLineBecomesALaunch();
    void theScriptOfMindformersBecomesMsrun_data();
    void theScriptOfMindformersBecomesMsrun();
    void whatIsLeftOutIsNoted_data();
    void whatIsLeftOutIsNoted();
    void torchrunsVariablesAreItsOptions_data();
    void torchrunsVariablesAreItsOptions();
    void aWrongVariableIsNamed();
    void whatIsNotUnderstoodIsWrapped_data();
    void whatIsNotUnderstoodIsWrapped();
    void nodesWithoutARankAreNumberedFromZero();
    void wordsThatAShellHasSplitAreWrappedAsWords();
    void anEmptyLineAndAnOpenQuoteAreRefused();
    void otherLaunchersAndScriptsAreRead_data();
    void otherLaunchersAndScriptsAreRead();
    void whatAScriptDoesBesidesIsTold();
    void aPeersLineComesBack_data();
    void aPeersLineComesBack();
    void whatAPeerCannotDoIsNoted();
    void aProfileHoldsWhatIsNotDefault();
    void aProfileComesBack_data();
    void aProfileComesBack();
    void aWrongProfileNamesTheKey_data();
    void aWrongProfileNamesTheKey();
    void aSavedProfileIsNotReplacedUnasked();
    void anUnknownProfileListsTheOthers();
    void aProfilesNameIsNoPath();

private:
    static ImportedLaunch imported(const QString &line)
    {
        const auto launch = importCommandLine(line);
        if (!launch)
            qWarning("%s", qPrintable(launch.error().sentence()));
        return launch ? *launch : ImportedLaunch();
    }
};

void LaunchImportTest::aCommandLineBecomesALaunch_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("ours");
    const auto row = [](const char *line, const char *ours) {
        QTest::newRow(line) << QString::fromUtf8(line) << u"rankdeckctl "_s + QString::fromUtf8(ours);
    };
    row("msrun --worker_num=4 --local_worker_num 4 --join=True train.py --x 'a b'",
        "msrun --worker_num=4 --local_worker_num=4 --join=True train.py --x 'a b'");
    row("/opt/bin/msrun --bind_core=True \\\n  t.py", "msrun --bind_core=True t.py");
    row("python3 -m mindspore.parallel.cluster.run --worker_num 8 t.py", "msrun t.py");
    row("HCCL_CONNECT_TIMEOUT=600 B='x y' msrun t.py",
        "msrun --env=B=x y --env=HCCL_CONNECT_TIMEOUT=600 t.py");
    row("torchrun --nproc_per_node=8 train.py --lr 1", "processes --nproc=8 python3 -u train.py --lr 1");
    row("torchrun --nproc-per-node 8 --nnodes=2 --node_rank=1 --master_addr=a --master_port=1 t.py",
        "processes --nproc=8 --nnodes=2 --node-rank=1 --master-addr=a --master-port=1 python3 -u t.py");
    row("torchrun -r 3 -t 1 --log_dir l --max_restarts=2 --role r t.py",
        "processes --role=r --redirects=ALL --tee=OUT --log-dir=l --max-restarts=2 python3 -u t.py");
    row("torchrun --nproc_per_node 2 -m pkg.train -m x", "processes --nproc=2 python3 -u -m pkg.train -m x");
    row("torchrun --nproc_per_node 2 --no_python ./train --x", "processes --nproc=2 ./train --x");
    row("python -m torch.distributed.run --nproc_per_node=2 t.py", "processes --nproc=2 python3 -u t.py");
    row("python3.10 -m torch.distributed.launch --use_env --nproc_per_node=2 t.py",
        "processes --nproc=2 python3 -u t.py");
    row("torchrun --standalone --nproc-per-node=gpu t.py",
        "processes --nproc=gpu --standalone python3 -u t.py");
    row("env A=1 davincirun python train.py --a", "davincirun --env=A=1 python train.py --a");
    row("rankdeckctl processes --nproc 2 --nice 3 -- t", "processes --nproc=2 --nice=3 t");
    row("taskset -c 0-7 msrun t.py", "msrun --wrap=all:taskset -c 0-7 t.py");
    row("conda run -n x msrun t.py", "msrun --wrap=all:conda run -n x t.py");
    row("A=1 uv run --with x davincirun python t.py", "davincirun --env=A=1 uv run --with x python t.py");
    row("env -u B A=1 numactl -N 0 -l conda run -n x torchrun --nproc_per_node=2 t.py",
        "processes --nproc=2 --env=A=1 --unset-env=B --wrap=all:numactl -N 0 -l conda run -n x python3 -u "
        "t.py");
    row("taskset 0xff rankdeckctl wrap -- sh run.sh", "wrap taskset 0xff sh run.sh");
    row("FORCE_TORCHRUN=1 NNODES=2 NODE_RANK=1 NPROC_PER_NODE=8 MASTER_ADDR=a MASTER_PORT=29600 A=1 "
        "llamafactory-cli train x.yaml lr=1",
        "processes --nproc=8 --nnodes=2 --node-rank=1 --master-addr=a --master-port=29600 --env=A=1 python3 "
        "-u "
        "-m llamafactory.launcher x.yaml lr=1");
}

void LaunchImportTest::aCommandLineBecomesALaunch()
{
    QFETCH(QString, line);
    QFETCH(QString, ours);
    const ImportedLaunch launch = imported(line);
    // As words: quoting is the other test's.
    QCOMPARE(exportCommandLine(launch.spec).remove('\''_L1), ours.remove('\''_L1));
    QCOMPARE(launch.notes, QStringList());
    const auto again = importCommandLine(exportCommandLine(launch.spec));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(again->spec, launch.spec);
}

void LaunchImportTest::theScriptOfMindformersBecomesMsrun_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("ours");
    const auto row = [](const char *name, const char *arguments, const char *ours) {
        QTest::newRow(name) << QString::fromLatin1(arguments) << QString::fromLatin1(ours);
    };
    row("8 devices", "", "--cluster_time_out=7200 --bind_core=True");
    row("other devices", "4", "--worker_num=4 --local_worker_num=4 --cluster_time_out=7200 --bind_core=True");
    row("one node", "4 9000 logs True 300",
        "--worker_num=4 --local_worker_num=4 --master_port=9000 --log_dir=logs --join=True "
        "--cluster_time_out=300 --bind_core=True");
    row("several nodes", "16 8 192.168.1.1 8118 1 output/msrun_log False 300",
        "--worker_num=16 --master_addr=192.168.1.1 --node_rank=1 --cluster_time_out=300 --bind_core=True");
}

void LaunchImportTest::theScriptOfMindformersBecomesMsrun()
{
    QFETCH(QString, arguments);
    QFETCH(QString, ours);
    const ImportedLaunch launch =
        imported(u"bash scripts/msrun_launcher.sh \"run_mindformer.py --config 'c d'\" "_s + arguments);
    const QStringList command{u"run_mindformer.py"_s, u"--config"_s, u"c d"_s};
    QCOMPARE(launch.spec.command, command);
    LaunchSpec expected = launcherCommandLine(u"msrun"_s)->parse(ours.split(' '_L1) + command).value();
    if (!ours.contains("--log_dir"_L1))
        expected.logDir = u"output/msrun_log"_s;
    QCOMPARE(launch.spec, expected);
}

void LaunchImportTest::whatIsLeftOutIsNoted_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *line, const char *says) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(says);
    };
    row("msrun t.py > log.txt 2>&1 &", "> log.txt 2>&1 &");
    row("msrun t.py | tee log", "| tee log");
    row("msrun t.py 2>/dev/null", "2>/dev/null");
    row("nohup msrun t.py", "\"nohup\"");
    row("time nohup msrun t.py", "\"time nohup\"");
    row("msrun t.py $DATA", "no shell");
    row("torchrun --nnodes=1:4 t.py", "read as 4");
    row("torch_npu_run --rdzv_backend=parallel t.py", "--rdzv-backend");
    row("bash scripts/msrun_launcher.sh 'run_mindformer.py --config c.yaml' 4", "PYTHONPATH");
    row("torchrun --rdzv_backend=c10d t.py", "--rdzv-backend");
    row("torchrun --rdzv_endpoint=h:7 t.py", "h:7");
    row("torchrun --nnodes=2 --node_rank=0 --rdzv_endpoint=h:7 t.py", "h:7");
    row("torchrun --monitor_interval 5 t.py", "--monitor-interval");
    row("torchrun --duplicate-stdout-filters=loss,lr t.py", "loss|lr");
    row("srun --ntasks=1 torchrun t.py", "--transport slurm");
    row("python -m torch.distributed.launch t.py", "--local_rank");
}

void LaunchImportTest::whatIsLeftOutIsNoted()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    const QStringList notes = imported(line).notes;
    QCOMPARE(notes.size(), 1);
    QVERIFY2(notes.first().contains(says), qPrintable(notes.first()));
}

void LaunchImportTest::torchrunsVariablesAreItsOptions_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("variables"); ///< Of the environment.
    QTest::addColumn<QString>("ours");
    const auto row = [](const char *line, const QStringList &variables, const char *ours) {
        QTest::newRow(line) << QString::fromUtf8(line) << variables
                            << u"rankdeckctl "_s + QString::fromUtf8(ours);
    };
    row("PET_NNODES=1 PET_NPROC_PER_NODE=4 PET_NO_PYTHON=1 PET_START_METHOD=spawn torchrun ./train", {},
        "processes --nproc=4 ./train");
    row("PET_NPROC_PER_NODE=4 torchrun --nproc-per-node 2 t.py", {}, "processes --nproc=2 python3 -u t.py");
    row("torchrun -m pkg.train", {u"PET_NPROC_PER_NODE=3"_s, u"PET_STANDALONE=1"_s},
        "processes --nproc=3 --standalone python3 -u -m pkg.train");
    row("PET_NPROC_PER_NODE=4 torchrun t.py", {u"PET_NPROC_PER_NODE=3"_s},
        "processes --nproc=4 python3 -u t.py");
    row("torchrun --redirect=1 --tee=2 t.py", {u"PET_STANDALONE=0"_s, u"PET_OTHER=1"_s},
        "processes --redirects=OUT --tee=ERR python3 -u t.py");
    row("PET_NPROC_PER_NODE=4 msrun t.py", {}, "msrun --env=PET_NPROC_PER_NODE=4 t.py");
}

void LaunchImportTest::torchrunsVariablesAreItsOptions()
{
    QFETCH(QString, line);
    QFETCH(QStringList, variables);
    QFETCH(QString, ours);
    QProcessEnvironment environment;
    for (const QString &variable : variables)
        environment.insert(variable.section('='_L1, 0, 0), variable.section('='_L1, 1));
    const auto launch = importCommandLine(line, environment);
    QVERIFY2(launch, qPrintable(launch.error().sentence()));
    QCOMPARE(exportCommandLine(launch->spec), ours);
}

void LaunchImportTest::aWrongVariableIsNamed()
{
    QProcessEnvironment environment;
    environment.insert(u"PET_NNODES"_s, u"1:4"_s);
    environment.insert(u"PET_MODULE"_s, u"1"_s);
    const auto launch = processesFromVariables(environment);
    QVERIFY(launch);
    QCOMPARE(launch->spec.processes.nnodes, 4);
    QCOMPARE(launch->notes.last(), u"Taken from variables, as torchrun does: PET_NNODES."_s);
    environment.insert(u"PET_MASTER_PORT"_s, u"x"_s);
    const auto wrong = processesFromVariables(environment);
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().where, u"PET_MASTER_PORT"_s);
}

void LaunchImportTest::whatIsNotUnderstoodIsWrapped_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *line, const char *says) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(says);
    };
    row("python train.py", "\"python\"");
    row("msrun --nothing=1 t.py", "--nothing:");
    row("torchrun --nothing t.py", "--nothing:");
    row("A=1 accelerate launch t.py", "--num_processes:");
    row("accelerate launch --fsdp x t.py", "--fsdp:");
    row("deepspeed --hostfile h t.py", "--hostfile:");
    row("deepspeed --autotuning run t.py", "--autotuning:");
    row("mpirun python t.py", "-n:");
    row("mpirun -H a,b -n 2 python t.py", "-H:");
    row("if true; then torchrun t.py; fi", "\"if\"");
    row("for i in a; do echo $i; done", "\"for\"");
    row("echo a; mkdir b", "no launcher");
    row("llamafactory-cli webui", "\"llamafactory-cli\"");
    row("torchrun --function a:b t.py", "--function:");
    row("torchrun --one 1 --two --nproc_per_node 2 t.py", "--two:");
    row("A=1 bash run.sh > log 2>&1 &", "\"bash\"");
    row("srun -N 2 python t.py", "\"srun\"");
    row("export A=1\nmpirun python t.py", "-n:");
    row("deepspeed --num_gpus 2 --one --two=3 t.py", "--two:");
    row("torchrun a.py\ntorchrun b.py", "launches twice");
    row("torchrun a.py & torchrun b.py & wait", "launches twice");
    row("torchrun a.py && torchrun b.py", "\"&&\"");
    row("yes | torchrun t.py", "\"|\"");
    row("bash < run.sh", "\"<\"");
    row("[ -z \"$N\" ] && N=8\ntorchrun --nproc_per_node $N t.py", "\"[\"");
    row("run() { torchrun $1; }; run t.py", "\"(\"");
    row("torchrun --nproc_per_node $(ls | wc -l) t.py", "$(ls | wc -l)");
    row("torchrun --master_addr `hostname` t.py", "`hostname`");
    row("A=x/; torchrun t.py ${A%/}", "${A%/}");
    row("mpirun -n 1 a : -n 1 b", "\":\"");
    row("NPROC_PER_NODE=2 swift deploy --model m", "\"swift\"");
    row("USE_RAY=1 llamafactory-cli train x.yaml", "USE_RAY:");
    row("source env.sh && torchrun --nothing t.py", "--nothing:");
    row("rankdeckctl list", "rankdeckctl");
    row("msrun --worker_num=x t.py", "--worker_num:");
    row("msrun", "task_script:");
    row("torchrun", "training_script:");
    row("torchrun $DISTRIBUTED_ARGS pretrain_gpt.py", "$DISTRIBUTED_ARGS");
    row("msrun ${ARGS} t.py", "${ARGS}");
    row("accelerate launch --num_processes 3 --num_machines 2 t.py", "--num_processes:");
    row("deepspeed --num_gpus", "--num_gpus");
    row("bash scripts/msrun_launcher.sh run.py 8 8118", "msrun_launcher.sh");
    row("torchrun --nnodes=x t.py", "--nnodes:");
    row("torchrun --nnodes=2:20:30 t.py", "--nnodes:");
    row("torchrun --nnodes=4:2 t.py", "--nnodes:");
    row("torchrun --no-python --module pkg t.py", "--module:");
    row("torchrun --logs-specs NONE t.py", "--logs-specs:");
    row("torchrun --start-method thread t.py", "--start-method:");
    row("torchrun --rdzv_endpoint=h:x t.py", "--rdzv-endpoint:");
    row("torchrun --shutdown-timeout=soon t.py", "--shutdown-timeout:");
    row("torchrun --print-completion bash t.py", "Run: rankdeckctl completion bash");
    row("torchrun --nproc_per_node 2 t.py $1", "$1");
    row("N=${2}\ntorchrun --nproc_per_node $N t.py", "${2}");
    row("sbatch -N 2 job.sh", "adopt slurm:JOBID");
    row("torchrun --master_addr $HEAD t.py", "not set here");
    row("torchrun --node_rank $RANK t.py", "--node-rank:");
}

void LaunchImportTest::whatIsNotUnderstoodIsWrapped()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    const ImportedLaunch launch = imported(line);
    QVERIFY(launch.isWrapped);
    QCOMPARE(launch.spec.launcher, u"wrap"_s);
    const QString notes = launch.notes.join('\n'_L1);
    QVERIFY2(notes.contains(says) && notes.contains(u"wrapped"_s), qPrintable(notes));
    QCOMPARE(launch.spec.command, QStringList({u"bash"_s, u"-c"_s, line}));
    QVERIFY(importCommandLine(exportCommandLine(launch.spec)));
}

void LaunchImportTest::nodesWithoutARankAreNumberedFromZero()
{
    const QString line = u"torchrun --nnodes 2 --rdzv-backend c10d --rdzv-endpoint h:7 t.py"_s;
    const ImportedLaunch launch = imported(line);
    QCOMPARE(launch.spec.processes.nnodes, 2);
    QCOMPARE(launch.spec.processes.nodeRank, 0);
    QVERIFY2(launch.notes.join(' '_L1).contains("--node-rank 1"_L1), qPrintable(launch.notes.join(' '_L1)));
    QProcessEnvironment slurm;
    slurm.insert(u"SLURM_NODEID"_s, u"1"_s);
    const auto second = importCommandLine(u"srun -N 2 --ntasks-per-node=1 "_s + line, slurm);
    QVERIFY2(second, qPrintable(second.error().sentence()));
    QCOMPARE(second->spec.launcher, u"processes"_s);
    QCOMPARE(second->spec.processes.nodeRank, 1);
    QVERIFY(second->notes.join(' '_L1).contains("srun"_L1));
    // Started at once on each node, all would be node 0.
    const QStringList words = line.split(' '_L1).mid(1);
    QVERIFY(!readTorchrunLaunch(words, {}));
    QVERIFY(readTorchrunLaunch(words, slurm));
}

void LaunchImportTest::wordsThatAShellHasSplitAreWrappedAsWords()
{
    const QStringList words{u"A=1"_s, u"msrun"_s, u"--worker_num=x"_s, u"a b.py"_s};
    const auto launch = importCommandWords(words);
    QVERIFY(launch && launch->isWrapped);
    QCOMPARE(launch->spec.command, QStringList{u"env"_s} + words);
    QCOMPARE(importCommandWords(words.mid(1))->spec.command, words.mid(1));
}

void LaunchImportTest::anEmptyLineAndAnOpenQuoteAreRefused()
{
    QVERIFY(!importCommandLine({}));
    QVERIFY(!importCommandLine(u" \n"_s));
    QVERIFY(!importCommandWords({}));
    const auto open = importCommandLine(u"msrun 'unclosed"_s);
    QVERIFY(!open);
    QCOMPARE(open.error().where, u"'unclosed"_s);
}

void LaunchImportTest::otherLaunchersAndScriptsAreRead_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("ours");
    const auto row = [](const char *name, const char *line, const char *ours) {
        QTest::newRow(name) << QString::fromUtf8(line) << u"rankdeckctl "_s + QString::fromUtf8(ours);
    };
    row("deepspeed", "deepspeed --num_gpus=4 --master_port 29600 t.py --deepspeed c.json",
        "processes --nproc=4 --master-port=29600 python3 -u t.py --local_rank=${local_rank} --deepspeed "
        "c.json");
    row("deepspeed, some devices", "deepspeed --include localhost:2,3 --no_local_rank t.py",
        "processes --nproc=2 --env=ASCEND_RT_VISIBLE_DEVICES=2,3 python3 -u t.py");
    row("accelerate",
        "accelerate launch --num_processes 16 --num_machines 2 --machine_rank 1 --main_process_ip a "
        "--mixed_precision=bf16 -m pkg.train --lr 1",
        "processes --nproc=8 --nnodes=2 --node-rank=1 --master-addr=a --env=ACCELERATE_MIXED_PRECISION=bf16 "
        "python3 -u -m pkg.train --lr 1");
    row("mpirun", "mpirun --allow-run-as-root --mca btl tcp -x A=1 -np 8 python t.py",
        "processes --nproc=8 --env=A=1 python t.py");
    row("swift", "NPROC_PER_NODE=2 A=1 swift sft --model m",
        "processes --nproc=2 --env=A=1 swift sft --model m");
    row("another msrun", "msrun --nnodes 1 --nproc_per_node 4 --join True t.py",
        "msrun --worker_num=4 --local_worker_num=4 --join=True t.py");
    row("davincirun.py", "python /opt/davincirun.py python t.py --a", "davincirun python t.py --a");
    row("prompt", "$ msrun t.py", "msrun t.py");
    row("export before", "export A=1 B='x y'\nmsrun t.py", "msrun --env=A=1 --env=B=x y t.py");
    row("not exported", "A=1; N=4\ntorchrun --nproc_per_node=$N t.py", "processes --nproc=4 python3 -u t.py");
    row("folder", "cd /code && torchrun --nproc_per_node=2 t.py",
        "processes --nproc=2 --work-dir=/code python3 -u t.py");
    row("default", "torchrun --nproc_per_node=${N:-2} --master_addr ${ADDRESS:-a} t.py",
        "processes --nproc=2 --master-addr=a python3 -u t.py");
    row("words in a variable", "ARGS=\"--nproc_per_node 2 \\\n  --nnodes 1\"\ntorchrun $ARGS t.py \"$ARGS\"",
        "processes --nproc=2 python3 -u t.py --nproc_per_node 2   --nnodes 1");
    row("array", "ARGS=(\n  --nproc_per_node 2\n  --node_rank 0 # the first\n)\ntorchrun ${ARGS[@]} t.py",
        "processes --nproc=2 python3 -u t.py");
    row("the folder of the script", "D=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\nmsrun $D/t.py",
        "msrun ./t.py");
    row("a loop with a rank table",
        "export RANK_TABLE_FILE=./t.json RANK_SIZE=8\nfor((i=0;i<$RANK_SIZE;i++)); do\n"
        "export DEVICE_ID=$i\nmkdir d$i; cd d$i\npython ../t.py --x > log 2>&1 &\ncd ..\ndone",
        "davincirun --rank-table=./t.json python t.py --x");
    row("values that count with the ranks",
        "export RANK_TABLE_FILE=t.json\nfor i in {0..3}; do DEVICE_ID=$i python t.py --id=$i --of 10 & done",
        "davincirun --rank-table=t.json python t.py --id=${local_rank} --of 10");
    row("ranks behind nohup",
        "export RANK_TABLE_FILE=t.json\nfor ((RANK_ID=0; RANK_ID<2; RANK_ID++)); do\n  export RANK_ID\n"
        "  A=1 nohup python3 t.py > $RANK_ID.log &\ndone",
        "davincirun --rank-table=t.json --env=A=1 python3 t.py");
    row("quoted signs are no shell's",
        "torchrun --nproc_per_node 2 t.py --sep '|' --over '>0.5' \"a&b;c\" 2>e x",
        "processes --nproc=2 python3 -u t.py --sep | --over >0.5 a&b;c x");
    row("signs without blanks", "torchrun --nproc_per_node 2 t.py 1>log 2>&1|tee a&",
        "processes --nproc=2 python3 -u t.py");
    row("words of an array", "A=(--x 'a b')\nA+=(--y)\ntorchrun --nproc_per_node 3 t.py \"${A[@]}\"",
        "processes --nproc=3 python3 -u t.py --x a b --y");
    row("no arguments", "torchrun --nproc_per_node 2 t.py \"$@\"", "processes --nproc=2 python3 -u t.py");
    row("conda", "conda activate x && msrun t.py", "msrun --conda-env=x t.py");
    row("a file that is sourced", "source /x/set_env.sh && torchrun --nproc_per_node 2 t.py",
        "processes --nproc=2 --wrap=all:bash --norc -c \\. /x/set_env.sh && exec \"$@\"\\ bash python3 -u "
        "t.py");
    row("variables that go", "unset A\nenv -u B C=1 msrun t.py",
        "msrun --env=C=1 --unset-env=B --unset-env=A t.py");
    row("nothing is exported that is not set", "export A\ndeclare -x B=1\nexport C=$NOBODY:x\nmsrun t.py",
        "msrun --env=B=1 --env=C=:x t.py");
    row("a cell of a notebook", "!msrun t.py", "msrun t.py");
}

void LaunchImportTest::otherLaunchersAndScriptsAreRead()
{
    QFETCH(QString, line);
    QFETCH(QString, ours);
    const ImportedLaunch launch = imported(line);
    QCOMPARE(exportCommandLine(launch.spec).remove('\''_L1), ours);
}

void LaunchImportTest::whatAScriptDoesBesidesIsTold()
{
    const ImportedLaunch launch =
        imported(u"#!/bin/bash\nset -e\ncd $HOME_OF_NOBODY\nsource ./env.sh\nmkdir -p logs\n"
                 "taskset -c 0 torchrun --nproc_per_node=2 t.py --tag $UNKNOWN 2>&1 | tee logs/t.log"_s);
    const QString notes = launch.notes.join('\n'_L1);
    for (const char *words : {"\". ./env.sh\" is carried out", "Left out of the script: set, mkdir",
                              "\"cd $HOME_OF_NOBODY\" is left out", "2>&1 | tee logs/t.log",
                              "$, ~ and * are passed on literally"})
        QVERIFY2(notes.contains(QLatin1String(words)), qPrintable(notes));
    QCOMPARE(launch.spec.common.wrappers.size(), 1);
    QVERIFY(launch.spec.common.wrappers.first().endsWith(u" bash taskset -c 0"_s));

    QProcessEnvironment environment;
    environment.insert(u"NPUS"_s, u"3"_s);
    const auto known = importCommandLine(u"torchrun --nproc_per_node=$NPUS t.py"_s, environment);
    QVERIFY(known && known->spec.processes.nproc == 3);
}

void LaunchImportTest::aPeersLineComesBack_data()
{
    QTest::addColumn<QString>("line");
    for (const char *line :
         {"A='x y' msrun --worker_num=4 --local_worker_num=4 --bind_core=True train.py --x 'a b'",
          "torchrun --nproc_per_node=8 --nnodes=2 --node_rank=1 --master_addr=a train.py --lr 1",
          "torchrun --nproc_per_node=2 --redirects=ALL --tee=NONE -m pkg.train",
          "torchrun --nproc_per_node=2 --no_python ./train --x", "davincirun python train.py --a"})
        QTest::newRow(line) << QString::fromUtf8(line);
}

void LaunchImportTest::aPeersLineComesBack()
{
    QFETCH(QString, line);
    const PeerCommandLine peer = exportPeerCommandLine(imported(line).spec);
    QCOMPARE(peer.line, line);
    QCOMPARE(peer.notes, QStringList());
}

void LaunchImportTest::whatAPeerCannotDoIsNoted()
{
    LaunchSpec spec = imported(u"msrun t.py"_s).spec;
    spec.common.nice = 3;
    spec.name = u"n"_s;
    PeerCommandLine peer = exportPeerCommandLine(spec);
    QCOMPARE(peer.line, u"msrun t.py"_s);
    QCOMPARE(peer.notes.size(), 1);
    QVERIFY(peer.notes.first().contains(u"--name=n --nice=3"_s));

    spec = imported(u"rankdeckctl processes --log-line-prefix-template=x --function=a:b --standalone "
                    "python3 t.py"_s)
               .spec;
    peer = exportPeerCommandLine(spec);
    QCOMPARE(peer.line, u"TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE=x torchrun --standalone t.py"_s);
    QCOMPARE(peer.notes.size(), 1);

    spec = imported(u"davincirun python3 t.py"_s).spec;
    spec.rankTableFile = u"t.json"_s;
    peer = exportPeerCommandLine(spec);
    QCOMPARE(peer.line, u"davincirun python3 t.py"_s);
    QCOMPARE(peer.notes.size(), 1);
}

void LaunchImportTest::aProfileHoldsWhatIsNotDefault()
{
    const QByteArray text = profileText(imported(u"msrun --worker_num=4 t.py"_s).spec);
    QCOMPARE(QString::fromUtf8(text.simplified()),
             uR"({ "command": [ "t.py" ], "launcher": "msrun", "msrun": { "worker_num": 4 } })"_s);
}

void LaunchImportTest::aProfileComesBack_data()
{
    QTest::addColumn<QString>("line");
    for (const char *line :
         {"davincirun --rank-table=t --grace=3 --no-destroy --env=A=1 python3 t.py",
          "processes --nproc=2 --redirects=0:1 --tee=NONE --rank-env=1:A=2 --umask=027 --before='echo 1' -- "
          "t",
          "msrun --worker_num=4 --join=True --bind_core=True t.py", "processes --log-dir=l -- t"})
        QTest::newRow(line) << u"rankdeckctl "_s + QString::fromUtf8(line);
}

void LaunchImportTest::aProfileComesBack()
{
    QFETCH(QString, line);
    const LaunchSpec spec = imported(line).spec;
    const auto again = profileFromText(profileText(spec));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(*again, spec);
}

void LaunchImportTest::aWrongProfileNamesTheKey_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    QTest::newRow("no JSON") << QByteArray("x") << QString();
    QTest::newRow("a list") << QByteArray("[]") << QString();
    QTest::newRow("no such launcher") << QByteArray(R"({"launcher": "mpirun"})") << "launcher";
    QTest::newRow("a launcher that is no word") << QByteArray(R"({"launcher": 3})") << "launcher";
    QTest::newRow("unknown key") << QByteArray(R"({"msrun": {"workers": 1}})") << "msrun.workers";
    QTest::newRow("wrong type") << QByteArray(R"({"common": {"nice": "x"}})") << "common.nice";
    QTest::newRow("a list of lists") << QByteArray(R"({"common": {"before": ["x"]}})") << "common.before";
}

void LaunchImportTest::aWrongProfileNamesTheKey()
{
    QFETCH(QByteArray, text);
    const auto spec = profileFromText(text);
    QVERIFY(!spec);
    QTEST(spec.error().where, "where");
}

void LaunchImportTest::aSavedProfileIsNotReplacedUnasked()
{
    const QTemporaryDir directory;
    const QString path = directory.filePath(u"p.json"_s);
    LaunchSpec spec = imported(u"msrun t.py"_s).spec;
    QVERIFY(!saveProfile(path, spec, false));
    spec.msrun.workerNum = 2;
    QVERIFY(saveProfile(path, spec, false));
    QCOMPARE(loadProfile(path)->msrun.workerNum, 8);
    QVERIFY(!saveProfile(path, spec, true));
    QCOMPARE(loadProfile(path)->msrun.workerNum, 2);
    QVERIFY(!removeProfile(path));
    QVERIFY(!QFile::exists(path));
}

void LaunchImportTest::anUnknownProfileListsTheOthers()
{
    const QTemporaryDir directory;
    qputenv("XDG_CONFIG_HOME", directory.path().toLocal8Bit());
    const LaunchSpec spec = imported(u"msrun t.py"_s).spec;
    QVERIFY(!saveProfile(u"训练"_s, spec, false));
    QVERIFY(!saveProfile(u"bert"_s, spec, false));
    QCOMPARE(profileNames(), QStringList({u"bert"_s, u"训练"_s}));
    const auto missing = loadProfile(u"gpt"_s);
    QVERIFY(!missing);
    QVERIFY(missing.error().mend.contains(u"bert, 训练"_s));
}

void LaunchImportTest::aProfilesNameIsNoPath()
{
    const QTemporaryDir directory;
    qputenv("XDG_CONFIG_HOME", directory.path().toLocal8Bit());
    const LaunchSpec spec = imported(u"msrun t.py"_s).spec;
    for (const QString &name : {QString(), u".."_s, u".hidden"_s})
        QVERIFY2(saveProfile(name, spec, false), qPrintable(name));
    QVERIFY(QDir(directory.path()).isEmpty());
}

} // namespace tst_launchimport

RANKDECK_TEST(tst_launchimport, LaunchImportTest)
#include "tst_launchimport.moc"

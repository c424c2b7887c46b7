#include "launch/exchange/launchexport.h"
#include "launch/exchange/launchimport.h"
#include "launch/nodes/planlaunch.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_shellreading
{

using namespace rankdeck;

/// Scripts of all kinds: each becomes a launch or is wrapped as it stands, and none of them runs.
class ShellReadingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void publicScriptsAreRead_data();
    void publicScriptsAreRead();
    void validBashIsNeverRefused_data();
    void validBashIsNeverRefused();
    void whatIsRefusedBashRefusesToo();
    void whatOnlyBashUnderstandsIsWrapped_data();
    void whatOnlyBashUnderstandsIsWrapped();
    void wordsMeanWhatTheyMeanToBash_data();
    void wordsMeanWhatTheyMeanToBash();
    void nothingIsExecuted();

private:
    static bool isBash(const QString &text)
    {
        QProcess bash;
        bash.start(u"bash"_s, {u"-n"_s, u"-c"_s, text});
        if (!bash.waitForFinished())
            qFatal("bash does not end");
        return bash.exitStatus() == QProcess::NormalExit && bash.exitCode() == 0;
    }
};

/// Scripts of every construct, valid for bash; most start a launcher somewhere.
static const QStringList &validScripts()
{
    static const QStringList scripts{
        u"A=${A:-\"${PWD}\"}\ntorchrun t.py"_s,
        u"A=${A:-\"it's\"}; torchrun t.py --a \"$A\""_s,
        u"echo \"${A:-it's}\" 'x' \"${B:-y'}\"; torchrun t.py"_s,
        u"echo \"${A:+it's}\" 'x' \"${B:+y'}\"; torchrun t.py"_s,
        u"A=$(cat <<'X'\nit's \"open\nX\n)\ntorchrun t.py \"$A\""_s,
        u"A=$(case x in x) echo '1';; esac) torchrun t.py"_s,
        u"A=$(echo ok # it's a comment\n)\ntorchrun t.py"_s,
        u"A=\"$(echo \"it's $(echo \"in\")\")\"; torchrun t.py"_s,
        u"A=`echo \\`date\\``; torchrun t.py"_s,
        u"A=$'it\\'s'; torchrun t.py $A"_s,
        u"A=$\"text\"; torchrun t.py $A"_s,
        u"cat <<EOF > hosts\nit's $A \"b\nEOF\ntorchrun t.py"_s,
        u"cat <<-'EOF'\n\tdon't\n\tEOF\nmsrun t.py"_s,
        u"torchrun t.py <<< \"it's\""_s,
        u"if [ -z \"$A\" ]; then A=1; fi; torchrun t.py"_s,
        u"if true; then torchrun t.py; else echo \"don't\"; fi"_s,
        u"[[ $A =~ ^[a-z]+$ ]] && torchrun t.py"_s,
        u"[[ a == a || ( b == b ) ]] && torchrun t.py"_s,
        u"(( A = 3 + 4 )); torchrun --nproc_per_node $A t.py"_s,
        u"for ((i = 0; i < 3; i++)) { echo $i; }; torchrun t.py"_s,
        u"for i in a b; do torchrun t.py $i; done"_s,
        u"while read -r a; do echo \"$a\"; done < file; torchrun t.py"_s,
        u"until false; do break; done; torchrun t.py"_s,
        u"case $1 in a|b) N=1 ;; *) N=2 ;& c) N=3 ;;& d) : ;; esac\ntorchrun --nproc_per_node $N t.py"_s,
        u"select x in a b; do break; done; torchrun t.py"_s,
        u"f() { torchrun \"$@\"; }\nf t.py"_s,
        u"function f { torchrun \"$@\"; }; f t.py"_s,
        u"f() ( cd /x; torchrun t.py ); f"_s,
        u"(cd /x && torchrun t.py)"_s,
        u"{ cd /x; torchrun t.py; } 2>&1 | tee log"_s,
        u"coproc torchrun t.py"_s,
        u"! torchrun t.py"_s,
        u"time -p torchrun t.py"_s,
        u"A=(a 'b c' \"d\" # comment, it's\n e)\ntorchrun t.py \"${A[@]}\""_s,
        u"A=([2]=a [5]='b c'); torchrun t.py ${A[5]}"_s,
        u"declare -A M=([k]='v'); torchrun t.py ${M[k]}"_s,
        u"declare -i N=3+4; torchrun --nproc_per_node $N t.py"_s,
        u"A[0]=x; A[1+1]=y; torchrun t.py ${A[*]}"_s,
        u"torchrun t.py ${A%/} ${A##*/} ${A/x/y} ${A//\\'/x} ${A^^} ${#A} ${!A} ${A:1:2} ${A@Q}"_s,
        u"torchrun t.py {a,b}{0..3} *.py ~root ~ a?b [a-c]"_s,
        u"torchrun t.py $((1 + (2 * 3))) $(( A > 2 ? 3 : 4 )) $[1+2]"_s,
        u"torchrun t.py $((A++)) $((B = 3)) ${C:=4} ${D:?no} ${E?}"_s,
        u"torchrun t.py $# $? $$ $! $- $0 $1 ${2} ${10} ${3:-x} $* $@ \"$*\" \"$@\" \"${@:2}\" $"_s,
        u"torchrun t.py <(echo 'a') >(cat > b)"_s,
        u"diff <(echo \"it's\") <(echo b); torchrun t.py"_s,
        u"torchrun t.py 2>&1 >/dev/null 3<>f 4<&0 5>&- &> all &>> more >| forced"_s,
        u"exec {fd}> file; torchrun t.py"_s,
        u"exec > log 2>&1\ntorchrun t.py"_s,
        u"torchrun t.py |& tee -a log | grep loss"_s,
        u"yes | torchrun t.py"_s,
        u"torchrun a.py & torchrun b.py & wait -n; wait"_s,
        u"torchrun t.py || { echo \"failed\"; exit 1; }"_s,
        u"A && torchrun t.py"_s,
        u"torchrun t.py &&\n\n  # and then\n  echo done"_s,
        u"cd /x || exit 1\ncd y ||\nreturn\ntorchrun t.py"_s,
        u"trap 'kill $(jobs -p)' EXIT; torchrun t.py"_s,
        u"set -a; . ./.env; set +a; torchrun t.py"_s,
        u"set -- a b; torchrun t.py $1"_s,
        u"shopt -s extglob; torchrun t.py"_s,
        u"alias t=torchrun; t x.py"_s,
        u"IFS=,; A=1,2; torchrun t.py $A"_s,
        u"eval \"torchrun t.py\""_s,
        u"bash -c 'torchrun t.py'"_s,
        u"ssh host \"cd /x && torchrun t.py\""_s,
        u"read -r A <<< \"1 2\"; let N=A+1; torchrun t.py"_s,
        u"sbatch -N 2 job.sh"_s,
        u"srun bash -c 'torchrun --node_rank $SLURM_PROCID t.py'"_s,
        u"sudo -E torchrun t.py"_s,
        u"docker run --rm image torchrun t.py"_s,
        u"torchrun --nproc_per_node=x t.py"_s,
        u"torchrun"_s,
        u"msrun --worker_num=x"_s,
        u"rankdeckctl list"_s,
        u"rankdeckctl processes --no-such-option t"_s,
        u"deepspeed --num_gpus"_s,
        u"accelerate launch"_s,
        u"bash scripts/msrun_launcher.sh run.py 8 8118"_s,
        u"bash scripts/msrun_launcher.sh \"it's open\" 8"_s,
        u"torchrun t.py %1x%2"_s.arg(u"${A:-"_s.repeated(500), QString(500, u'}')),
        u"# only a comment"_s,
        u": ; : ; :"_s,
        u"A=1"_s,
        u"> file"_s,
        u"echo it\\'s"_s,
        u"echo a#b'c'#d # 'e"_s,
        u"\\torchrun t.py"_s,
        u"'torchrun' \"t.py\""_s,
        u"tor\"ch\"run t.p''y \"\" '' \\\n  \\ x"_s,
        u"export -n A; export -p; export A B=$C \"D=$(date)\"; torchrun t.py"_s,
        u"readonly A=1; local_x=2; unset -v A; torchrun t.py"_s,
        u"env -i A=1 torchrun t.py; env -C /x torchrun t.py"_s,
        u"nohup env A=1 time taskset -c 0-7 numactl -N 0 conda run -n x uv run torchrun t.py"_s,
        u"taskset -pc 0 $$; numactl -H; uv; conda run; env; nohup; time"_s,
        u"训练=1; echo '训练'; torchrun 训练.py"_s,
        u"torchrun t.py \\"_s,
        u"torchrun t.py; cat << 'A' << B\n'\nA\n\"\nB\n"_s,
        u"export RANK_TABLE_FILE=t.json\nfor i in {0..3}; do python t.py $((i++)) & done"_s,
        u"export RANK_TABLE_FILE=t.json\nfor ((i=0; i<8; i++)); do for j in 0 1; do python "
        "t.py & done; done"_s,
        u"export RANK_TABLE_FILE=t.json\nfor i in 0 1; do echo \"it's $i\"; done"_s,
    };
    return scripts;
}

void ShellReadingTest::publicScriptsAreRead_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("ours"); ///< Empty: it is wrapped.
    const auto row = [](const char *name, const char *script, const char *ours) {
        QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(ours);
    };
    // Chosen, with what each should become, before the reader was written.
    row("taskset",
        "OMP_NUM_THREADS=1 \\\nWANDB_MODE=offline \\\n"
        "taskset -c 0-31 torchrun --standalone --nproc_per_node=8 pretrain.py \\\n"
        "  arch/size@arch=XL \\\n  data.path=/data/stage1",
        "processes --nproc=8 --standalone --env=OMP_NUM_THREADS=1 --env=WANDB_MODE=offline "
        "'--wrap=all:taskset -c 0-31' python3 -u pretrain.py arch/size@arch=XL data.path=/data/stage1");
    row("numactl",
        "DMLC_ROLE=server  numactl -m 0 torchrun --master_port=29510 --nproc_per_node=2 ffn.py > "
        "logs/ffn.log "
        "2>&1 &",
        "processes --nproc=2 --master-port=29510 --env=DMLC_ROLE=server '--wrap=all:numactl -m 0' python3 -u "
        "ffn.py");
    row("uv run",
        "#!/usr/bin/env bash\n\nset -euo pipefail\n\nexport CUDA_VISIBLE_DEVICES=\"\"\n\n"
        "uv run torchrun --standalone --nproc_per_node=2 train_dist.py --config-name pilot_smoke \"$@\"",
        "processes --nproc=2 --standalone --env=CUDA_VISIBLE_DEVICES= uv run python3 -u train_dist.py "
        "--config-name pilot_smoke");
    row("conda run", "conda run -n terramind --no-capture-output torchrun --nproc_per_node=4 train.py \"$@\"",
        "processes --nproc=4 conda run -n terramind --no-capture-output python3 -u train.py");
    row("time",
        "#!/bin/bash\n\ntime torchrun --nproc_per_node=2 /home/me/run_clm.py \\\n--config_name "
        "\"gpt2-large\"",
        "processes --nproc=2 python3 -u /home/me/run_clm.py --config_name gpt2-large");
    row("nohup",
        "K=4\nwd=5e-5\nASCEND_RT_VISIBLE_DEVICES=0,1,2,3 nohup torchrun --master_port 10087 --nproc_per_node "
        "4 "
        "./main.py --dali_cpu \\\n-save imagenet_wd=${wd}_K=${K}  --wd ${wd} > sdp_${K}.log 2>&1 &",
        "processes --nproc=4 --master-port=10087 --env=ASCEND_RT_VISIBLE_DEVICES=0,1,2,3 python3 -u "
        "./main.py "
        "--dali_cpu -save imagenet_wd=5e-5_K=4 --wd 5e-5");
    row("MindSpeed",
        "export CUDA_DEVICE_MAX_CONNECTIONS=1\n\nGPUS_PER_NODE=8\n# several nodes: change these\n"
        "MASTER_ADDR=${MASTER_ADDR:-\"localhost\"}\nMASTER_PORT=${MASTER_PORT:-\"6030\"}\n"
        "NNODES=${NNODES:-\"1\"}\nNODE_RANK=${RANK:-\"0\"}\nWORLD_SIZE=$(($GPUS_PER_NODE*$NNODES))\n\n"
        "DISTRIBUTED_ARGS=(\n    --nproc_per_node $GPUS_PER_NODE\n    --nnodes $NNODES\n"
        "    --node_rank $NODE_RANK\n    --master_addr $MASTER_ADDR\n    --master_port $MASTER_PORT\n)\n\n"
        "MODEL_ARGS=(\n    --tensor-model-parallel-size 2\n    --sequence-parallel\n)\n\n"
        "torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \\\n    ${MODEL_ARGS[@]} \\\n"
        "    --distributed-backend nccl",
        "processes --nproc=8 --master-addr=localhost --master-port=6030 --env=CUDA_DEVICE_MAX_CONNECTIONS=1 "
        "python3 -u pretrain_gpt.py --tensor-model-parallel-size 2 --sequence-parallel --distributed-backend "
        "nccl");
    row("ModelLink",
        "export LD_LIBRARY_PATH=/usr/local/lib:$LD_LIBRARY_PATH\nsource /usr/local/Ascend/set_env.sh\n"
        "export COMBINED_ENABLE=1\n\nNNODES=1\nNPUS_PER_NODE=16\nWORLD_SIZE=$(($NPUS_PER_NODE*$NNODES))\n\n"
        "logfile=$(date +%Y%m%d)_$(date +%H%M%S)\necho logs/llama2_${logfile}.log\n\n"
        "DISTRIBUTED_ARGS=\"--nproc_per_node $NPUS_PER_NODE --nnodes $NNODES --master_port 6001\"\n\n"
        "python -m torch.distributed.launch $DISTRIBUTED_ARGS \\\n       pretrain_llama.py \\\n"
        "       --use-flash-attn | tee logs/llama2_${logfile}.log",
        "processes --nproc=16 --master-port=6001 --env=COMBINED_ENABLE=1 "
        "--env=LD_LIBRARY_PATH=/usr/local/lib: "
        "'--wrap=all:bash --norc -c '\\''. /usr/local/Ascend/set_env.sh; exec \"$@\"'\\'' bash' python3 -u "
        "pretrain_llama.py '--local_rank=${local_rank}' --use-flash-attn");
    row("mindone",
        "export ASCEND_RT_VISIBLE_DEVICES=0,1\nNPUS=2\nMASTER_PORT=9000\nLOG_DIR=outputs/lora\n"
        "msrun --bind_core=True --worker_num=${NPUS} --local_worker_num=${NPUS} "
        "--master_port=${MASTER_PORT} --log_dir=${LOG_DIR}/parallel_logs \\\npython finetune.py \\\n"
        "    --output_dir ${LOG_DIR}",
        "msrun --worker_num=2 --local_worker_num=2 --master_port=9000 --log_dir=outputs/lora/parallel_logs "
        "--bind_core=True --env=ASCEND_RT_VISIBLE_DEVICES=0,1 python finetune.py --output_dir outputs/lora");
    row("a range of nodes",
        "torchrun \\\n    --nnodes=1:3\\\n    --nproc_per_node=2\\\n    --rdzv_id=1\\\n"
        "    --rdzv_backend=c10d\\\n    --rdzv_endpoint=\"ib1:8880\"\\\n    train_ms.py",
        "processes --nproc=2 --nnodes=3 --master-addr=ib1 --master-port=8880 --env=TORCHELASTIC_RUN_ID=1 "
        "python3 -u train_ms.py");
    row("accelerate",
        "accelerate launch --num_processes 3 --main_process_port 29510 \\\n  train_lrpo.py --config c.yaml",
        "processes --nproc=3 --master-port=29510 python3 -u train_lrpo.py --config c.yaml");
    row("source && torchrun",
        "source /usr/local/Ascend/cann-9.0.0/set_env.sh && torchrun --nproc_per_node=6 fusion.py --max-steps "
        "20",
        "processes --nproc=6 '--wrap=all:bash --norc -c '\\''. /usr/local/Ascend/cann-9.0.0/set_env.sh && "
        "exec "
        "\"$@\"'\\'' bash' python3 -u fusion.py --max-steps 20");
    row("&>> and &",
        "CUDA_VISIBLE_DEVICES=\"2,3\" python -u -m torch.distributed.launch --master_port=1112 "
        "--nproc_per_node=2 --use_env \\\n main_pretrain.py --batch_size 2 \\\n &>> output.log &",
        "processes --nproc=2 --master-port=1112 --env=CUDA_VISIBLE_DEVICES=2,3 python3 -u main_pretrain.py "
        "--batch_size 2");
    row("rm",
        "rm -rf msrun_log\nmkdir msrun_log\nulimit -n 65535\nexport PYTHONPATH=$(pwd)/sharker:$PYTHONPATH\n"
        "msrun --worker_num=2 --local_worker_num=2 --log_dir=msrun_log --join=True train.py",
        "");
    row("accelerate with a configuration file",
        "set -e\nNP=4\naccelerate launch --num_processes $NP --config_file ./fp16.yaml \\\n    train.py\n"
        "echo \"done\"",
        "");
    row("an argument of the script",
        "source /usr/local/Ascend/set_env.sh\nscript_path=$1\n"
        "torchrun --nproc-per-node 8 --master-port 11111 $script_path",
        "");
    row("eval",
        "ARGS=\"--nproc_per_node 8\"\ncmd=\"torchrun $ARGS pretrain_gpt.py \\\n    --bf16\n    \"\necho "
        "$cmd\n"
        "eval $cmd",
        "");
    row("vLLM",
        "set +x\nexport HCCL_IF_IP=10.0.0.1\n\nvllm serve \"model_path\" \\\n  --tensor-parallel-size 2 \\\n"
        "  --kv-transfer-config  \\\n  '{\"kv_connector\": \"Mooncake\",\n  \"kv_rank\": 0\n  }'",
        "");
    row("another program after it",
        "cd training\ntime torchrun --nproc_per_node=8 --master_port=29502 launch.py\ncd ..\npython robot.py",
        "");
}

void ShellReadingTest::publicScriptsAreRead()
{
    QFETCH(QString, script);
    QFETCH(QString, ours);
    const auto launch = importCommandLine(script);
    QVERIFY2(launch, qPrintable(launch.error().sentence()));
    QCOMPARE(launch->isWrapped, ours.isEmpty());
    if (ours.isEmpty())
        QCOMPARE(launch->spec.command, QStringList({u"bash"_s, u"-c"_s, script}));
    else
        QCOMPARE(exportCommandLine(launch->spec), u"rankdeckctl "_s + ours);
}

void ShellReadingTest::validBashIsNeverRefused_data()
{
    QTest::addColumn<QString>("script");
    for (const QString &script : validScripts())
        QTest::newRow(qPrintable(script)) << script;
}

void ShellReadingTest::validBashIsNeverRefused()
{
    QFETCH(QString, script);
    QVERIFY2(isBash(script), "the test's own script");
    const auto launch = importCommandLine(script);
    QVERIFY2(launch, qPrintable(launch.error().sentence()));
    if (launch->isWrapped)
        QCOMPARE(launch->spec.command, QStringList({u"bash"_s, u"-c"_s, script.trimmed()}));
    // What is exported is read again.
    const auto again = importCommandLine(exportCommandLine(launch->spec));
    QVERIFY2(again, qPrintable(again.error().sentence()));
    QCOMPARE(again->spec, launch->spec);
}

void ShellReadingTest::whatIsRefusedBashRefusesToo()
{
    // Each beginning of each script, alone and behind another.
    int refused = 0;
    for (const QString &script : validScripts()) {
        bool wasRefused = false;
        for (qsizetype length = 1; length < script.size(); ++length) {
            const QString begin = u"A=1; "_s + script.left(length);
            const bool isRefused = !importCommandLine(begin);
            if (isRefused && !wasRefused) {
                ++refused;
                QVERIFY2(!isBash(begin), qPrintable(begin));
            }
            wasRefused = isRefused;
        }
    }
    QVERIFY2(refused > 20, qPrintable(QString::number(refused)));
}

void ShellReadingTest::whatOnlyBashUnderstandsIsWrapped_data()
{
    QTest::addColumn<QString>("script");
    // Read by halves, each of these would be another launch.
    for (const char *script : {"A && torchrun t.py",
                               "mkdir x && torchrun t.py",
                               "torchrun t.py && python b.py",
                               "torchrun t.py | grep loss",
                               "torchrun t.py < file",
                               "export A=$(hostname); torchrun t.py",
                               "set -a; . ./.env; torchrun t.py",
                               "set -- a; torchrun t.py",
                               "IFS=,; torchrun t.py",
                               "source env.sh; cd /x; torchrun t.py",
                               "cd -; torchrun t.py",
                               "echo a > hosts; torchrun t.py",
                               "torchrun t.py {a,b}",
                               "torchrun t.py $RANDOM",
                               "cd /x; torchrun t.py $PWD",
                               "A=(a 'b c'); torchrun t.py \"x${A[@]}\"",
                               "A=([1]=a); torchrun t.py",
                               "torchrun t.py $((i++))",
                               "torchrun t.py ${A:-\"a b\"}",
                               "exec > log; torchrun t.py",
                               "A=1 & torchrun t.py",
                               "torchrun() { echo; }; torchrun t.py",
                               "env -i torchrun t.py",
                               "taskset -c 0 python t.py torchrun",
                               "numactl -N 0 ./run.sh torchrun t.py",
                               "srun -N 2 python t.py torchrun x.py",
                               "srun python torchrun x.py",
                               "D=$(cd $(dirname $0)/.. && pwd); torchrun $D/t.py",
                               "trap 'echo' EXIT; torchrun t.py",
                               "export -n A; torchrun t.py",
                               "unset -f f; torchrun t.py",
                               "printf -v A x; torchrun t.py $A",
                               "for i in 0 1; do RANK=$i WORLD_SIZE=2 python t.py & done; wait",
                               "export RANK_TABLE_FILE=t; for i in 1 2; do python t.py & done",
                               "export RANK_TABLE_FILE=t; for i in 0 1; do python t.py; done",
                               "export RANK_TABLE_FILE=t; for i in 0 1; do A=$i python t.py & done",
                               "export RANK_TABLE_FILE=t; for i in 0 1; do python t.py $((i + 1)) & done",
                               "export RANK_TABLE_FILE=t; for i in 0 1; do torchrun t.py & done",
                               "export RANK_TABLE_FILE=t; for i in 0 1; do python a.py & python b.py & done"})
        QTest::newRow(script) << QString::fromUtf8(script);
}

void ShellReadingTest::whatOnlyBashUnderstandsIsWrapped()
{
    QFETCH(QString, script);
    const auto launch = importCommandLine(script);
    QVERIFY2(launch, qPrintable(launch.error().sentence()));
    QCOMPARE(launch->spec.launcher, u"wrap"_s);
    QCOMPARE(launch->spec.command, QStringList({u"bash"_s, u"-c"_s, script}));
}

void ShellReadingTest::wordsMeanWhatTheyMeanToBash_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *before, const char *words) {
        QTest::newRow(words) << QString::fromUtf8(before) << QString::fromUtf8(words);
    };
    row("", "a 'b c' \"d e\" f\\ g h\\\n  i \"\" '' \"j\\\nk\" \"\\$x \\a \\\\\"");
    row("A='x y'; B=z", "$A \"$A\" ${A}$B a${B}c '$A' \\$A \"${B}'$A'\"");
    row("A='  x  y '", "a$A b\"$A\"c $A");
    row("A=", "$A \"$A\" ${A:-d} ${A-e} \"${A:-f g}\" ${N:-h} ${N-i} ${N:=j} $N");
    row("B=b", "${A:-\"$B\"} ${A:-${B}c} \"${A:-\"$B\" d}\" ${A:-'x'} ${A:-${N:-n}} ${1:-one}");
    row("A=(1 '2 3' \"$HOME\" # no\n 4); A+=(5)", "${A[@]} \"${A[@]}\" ${A[*]} x${A[@]}y");
    row("A=1; A+=2; B=$A$A; C=3 D=$C", "$A $B $C $D");
    row("", "\"a\\\\\nb\" \"c\\\nd\" 'e\\\nf'");
    row("A=1; unset A HOME", "x${A-no} ${HOME-no}");
    row("A=~/x", "$A ~/y --z=~ a~");
    row("cd .", "$(pwd | tr -d -c .) a#b \"#c\" # d");
}

void ShellReadingTest::wordsMeanWhatTheyMeanToBash()
{
    QFETCH(QString, before);
    QFETCH(QString, words);
    if (words.startsWith("$(pwd"_L1))
        words = words.mid(words.indexOf(')'_L1) + 2);
    QProcess bash;
    bash.start(u"bash"_s, {u"-c"_s, before + u"\nprintf '%s\\0' "_s + words});
    QVERIFY(bash.waitForFinished());
    QStringList expected = QString::fromUtf8(bash.readAllStandardOutput()).split(QChar(u'\0'));
    expected.removeLast();
    const auto launch = importCommandLine(before + u"\ntorchrun --no-python prog "_s + words,
                                          QProcessEnvironment::systemEnvironment());
    QVERIFY2(launch && !launch->isWrapped, qPrintable(launch ? launch->notes.join(u'\n') : QString()));
    QCOMPARE(launch->spec.command.mid(1), expected);
}

void ShellReadingTest::nothingIsExecuted()
{
    const QTemporaryDir directory;
    auto touch = [&, made = 0]() mutable {
        return u"touch %1/made%2"_s.arg(directory.path()).arg(made++);
    };
    const QString sourced = directory.filePath(u"env.sh"_s);
    QFile file(sourced);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(touch().toUtf8() + '\n');
    file.close();
    QStringList scripts;
    for (const char *form : {"A=$(%1)",
                             "A=`%1`",
                             "A=\"$(%1)\"",
                             "A=\"`%1`\"",
                             "export A=$(%1)",
                             "A=(a $(%1))",
                             "A+=$(%1)",
                             "A=${B:-$(%1)}",
                             "A=${B:=$(%1)}",
                             "A=\"${B:-\"$(%1)\"}\"",
                             "A=$((a[$(%1)]))",
                             "A=$((a[`%1`] + 1))",
                             "((a[$(%1)]))",
                             "a[$(%1)]=1",
                             "let \"a[$(%1)]=1\"",
                             "declare -i N='a[$(%1)]'",
                             "A=$[a[$(%1)]]",
                             "cat <(%1)",
                             "echo x | tee >(%1)",
                             "echo $(%1)",
                             "echo a > \"$(%1)x\"",
                             "cat <<X\n$(%1)\nX",
                             "cat <<< $(%1)",
                             "[[ -v a[$(%1)] ]]",
                             "%1",
                             "%1 &",
                             "true && %1",
                             "{ %1; }",
                             "(%1)",
                             "f() { %1; }; f",
                             "eval '%1'",
                             "trap '%1' EXIT",
                             "PROMPT_COMMAND='%1'",
                             "PS4='$(%1)'; set -x; echo",
                             "BASH_ENV=$(%1)",
                             "if %1; then :; fi",
                             "while %1; do break; done",
                             "for i in $(%1); do :; done",
                             "case $(%1) in *) ;; esac",
                             "cd $(%1)",
                             "unset $(%1)",
                             "D=$(dirname $(%1))",
                             "D=$(date +$(%1))",
                             "A=$(cd $(dirname $0) && %1; pwd)",
                             "bash -c '%1'",
                             "env %1",
                             "time %1",
                             "nohup %1",
                             "exec %1",
                             "taskset 0xffffffff %1",
                             "conda run -n x %1",
                             "uv run %1",
                             "srun %1",
                             "source <(echo '%1')",
                             "coproc %1",
                             "mapfile -C '%1 #' -c 1 A <<< x",
                             "printf -v 'a[$(%1)]' x"})
        scripts << QString::fromUtf8(form).arg(touch()) + u"\ntorchrun --no-python prog \"$A\""_s;
    scripts << u"source %1\ntorchrun t.py"_s.arg(sourced) << u". %1 && torchrun t.py"_s.arg(sourced)
            << u"torchrun $(%1) t.py"_s.arg(touch())
            << u"torchrun t.py \"$(%1)\" > \"$(%1)\" | tee $(%1)"_s.arg(touch())
            << u"%1/env.sh torchrun t.py"_s.arg(directory.path());
    HostFacts facts;
    facts.hostName = u"box"_s;
    facts.currentDirectory = directory.path();
    facts.temporaryDirectory = directory.path();
    facts.environment = QProcessEnvironment::systemEnvironment();
    facts.addresses = {u"127.0.0.1"_s};
    for (const QString &script : std::as_const(scripts)) {
        const auto launch = importCommandLine(script, facts.environment);
        QVERIFY2(launch, qPrintable(script));
        const auto plan = planLaunch(launch->spec, {}, {}, facts);
        QVERIFY2(plan, qPrintable(script + u'\n' + plan.error().sentence()));
        QCOMPARE(QDir(directory.path()).entryList(QDir::Files), QStringList{u"env.sh"_s});
    }
    // Bash executes them, so the test can fail.
    QProcess bash;
    bash.start(u"bash"_s, {u"-c"_s, u"torchrun() { :; }\n"_s + scripts.mid(0, 12).join(u'\n')});
    QVERIFY(bash.waitForFinished());
    QVERIFY(QDir(directory.path()).entryList(QDir::Files).size() > 8);
}

} // namespace tst_shellreading

RANKDECK_TEST(tst_shellreading, ShellReadingTest)
#include "tst_shellreading.moc"

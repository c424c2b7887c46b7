<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>rankdeck</name>
    <message>
        <source>Reading logs</source>
        <translation>正在读取日志</translation>
    </message>
    <message>
        <source>Reading logs: %1 %, %2 of %3</source>
        <translation>正在读取日志：%1 %，%2 / %3</translation>
    </message>
    <message>
        <source>Log in with ssh -X, or use rankdeckctl, which needs no display.</source>
        <translation>请以 ssh -X 登录，或使用不需要显示服务的 rankdeckctl。</translation>
    </message>
    <message>
        <source>there is no display (DISPLAY is not set)</source>
        <translation>没有显示服务（DISPLAY 未设置）</translation>
    </message>
    <message>
        <source>the display does not answer</source>
        <translation>显示服务没有应答</translation>
    </message>
    <message>
        <source>See rankdeck --help.</source>
        <translation>请查看 rankdeck --help。</translation>
    </message>
    <message>
        <source>unknown demo</source>
        <translation>未知的演示</translation>
    </message>
    <message>
        <source>unknown canvas</source>
        <translation>未知的画布</translation>
    </message>
    <message>
        <source>Give raster, glyphs or bitmaps.</source>
        <translation>请指定 raster、glyphs 或 bitmaps。</translation>
    </message>
    <message>
        <source>unknown option, launcher or file</source>
        <translation>未知的选项、启动器或文件</translation>
    </message>
    <message>
        <source>Use one of them.</source>
        <translation>请只用其中之一。</translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation>%1 的选项</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Terminal and debugging</source>
        <translation>终端与调试</translation>
    </message>
    <message>
        <source>Watching</source>
        <translation>监控</translation>
    </message>
    <message>
        <source>Start and end</source>
        <translation>启动与结束</translation>
    </message>
    <message>
        <source>%1; also %2</source>
        <translation>%1；也可写 %2</translation>
    </message>
    <message>
        <source>success</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>wrong arguments or input</source>
        <translation>参数或输入有误</translation>
    </message>
    <message>
        <source>print JSON, errors too</source>
        <translation>以 JSON 输出，包括错误信息</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>print the run&apos;s name and return: at once, or when all nodes of --nodes have started it</source>
        <translation>打印任务名后返回：立即返回；带 --nodes 时在所有节点都已启动后返回</translation>
    </message>
    <message>
        <source>do not print the output of the ranks</source>
        <translation>不打印 rank 的输出</translation>
    </message>
    <message>
        <source>send all bytes of the ranks to the terminal, not only text and colours</source>
        <translation>将 rank 的全部字节发往终端，而不只是文本与颜色</translation>
    </message>
    <message>
        <source>first stop your runs that use the same devices or port</source>
        <translation>先停止占用相同设备或端口的本人任务</translation>
    </message>
    <message>
        <source>every rank succeeded; with --detach, the run has started</source>
        <translation>所有 rank 均成功；带 --detach 时表示任务已启动</translation>
    </message>
    <message>
        <source>wrong arguments or input, or a node cannot be reached or cannot start its ranks</source>
        <translation>参数或输入有误，或者有节点无法连接、无法启动其 rank</translation>
    </message>
    <message>
        <source>exit code of the rank that failed first; 128 + n for signal n</source>
        <translation>最先失败的 rank 的退出码；信号 n 为 128 + n</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>write to this file; to a folder under the usual name; default: print it</source>
        <translation>写入该文件；若为目录则使用默认文件名；默认打印</translation>
    </message>
    <message>
        <source>replace an existing file</source>
        <translation>替换已有文件</translation>
    </message>
    <message>
        <source>show the changes, write nothing</source>
        <translation>显示改动，不写入</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>launch one process for each device of this node</source>
        <translation>为本节点的每个设备启动一个进程</translation>
    </message>
    <message>
        <source>Waits for the rank table, converts it, starts COMMAND once for each device of this node, and waits. The environment&apos;s python runs a .py file. davincirun creates the work directory. It prints which server of the rank table this host is, and why. Ctrl-C stops the run.</source>
        <translation>等待 rank table 并转换，为本节点的每个设备启动一次 COMMAND，然后等待结束。.py 文件由环境中的 python 运行。工作目录由 davincirun 创建。同时打印本机对应 rank table 中的哪个服务器及原因。Ctrl-C 停止任务。</translation>
    </message>
    <message>
        <source>launch as msrun of MindSpore does</source>
        <translation>按 MindSpore 的 msrun 启动</translation>
    </message>
    <message>
        <source>Starts the workers of this node as msrun does, and on the master node the scheduler. SCRIPT is a .py file for the environment&apos;s python, or python, python3 or pytest with its arguments. Without --join=True it prints the run&apos;s name and returns, as with --detach; Rankdeck watches the run in the background. With --join=True it waits, and Ctrl-C stops the run.</source>
        <translation>与 msrun 一样启动本节点的 worker，并在主节点启动 scheduler。SCRIPT 为由环境中的 python 运行的 .py 文件，或 python、python3、pytest 及其参数。不带 --join=True 时，与 --detach 一样打印任务名后返回，由 Rankdeck 在后台监控任务。带 --join=True 时等待结束，Ctrl-C 停止任务。</translation>
    </message>
    <message>
        <source>launch a command line of torchrun</source>
        <translation>启动 torchrun 的命令行</translation>
    </message>
    <message>
        <source>Takes torchrun&apos;s options and prints what differs: there is no rendezvous, so each node needs --node-rank. It starts the ranks as &quot;rankdeckctl processes&quot; does, with torchrun&apos;s environment. Ctrl-C stops the run. torchrun&apos;s variables PET_NNODES, PET_NPROC_PER_NODE … count as its options.</source>
        <translation>接受 torchrun 的选项，并打印不同之处：没有 rendezvous，因此每个节点需要 --node-rank。与“rankdeckctl processes”一样启动 rank，使用 torchrun 的环境。Ctrl-C 停止任务。torchrun 的变量 PET_NNODES、PET_NPROC_PER_NODE … 等同于其选项。</translation>
    </message>
    <message>
        <source>launch any command as torchrun would</source>
        <translation>像 torchrun 一样启动任意命令</translation>
    </message>
    <message>
        <source>Starts COMMAND once for each local rank with torchrun&apos;s environment, and waits. ${local_rank} in an argument becomes the local rank.
SPEC.json holds what start_processes of torch takes: name, entrypoint (a program, or a function of Python as &quot;module:function&quot; or &quot;file.py:function&quot;), args and envs by local rank, log_dir …
The signals of --signals-to-handle, Ctrl-C, and the end of this command end the ranks. With --detach the ranks live on. torchrun&apos;s variables PET_NNODES, PET_NPROC_PER_NODE … count as its options. With --redirects 0 the ranks print to the console, as with torchrun; Rankdeck keeps a log too.</source>
        <translation>以 torchrun 的环境为每个 local rank 启动一次 COMMAND，并等待结束。参数中的 ${local_rank} 会替换为 local rank。
SPEC.json 的内容与 torch 的 start_processes 相同：name、entrypoint（程序，或 Python 函数，写作“module:function”或“file.py:function”）、按 local rank 的 args 与 envs、log_dir …
--signals-to-handle 中的信号、Ctrl-C 以及本命令的结束都会结束各 rank；带 --detach 时各 rank 继续运行。torchrun 的变量 PET_NNODES、PET_NPROC_PER_NODE … 等同于其选项。与 torchrun 一样，--redirects 0 使 rank 打印到控制台；Rankdeck 同时保留日志。</translation>
    </message>
    <message>
        <source>launch a profile, or a run again</source>
        <translation>启动一份启动配置，或再次启动一个任务</translation>
    </message>
    <message>
        <source>Launches a profile, or a run again, in its working directory and with the present environment. Options and a command that you add replace its own; &quot;rankdeckctl LAUNCHER --help&quot; lists the options of its launcher. PROFILE is a name from &quot;rankdeckctl profile list&quot;, or a file. RUN is a run from &quot;rankdeckctl list&quot;.</source>
        <translation>在原工作目录中以当前环境启动一份启动配置，或再次启动一个任务。追加的选项与命令会替换原有的；“rankdeckctl LAUNCHER --help”列出其启动器的选项。PROFILE 为“rankdeckctl profile list”中的名称，或文件。RUN 为“rankdeckctl list”中的任务。</translation>
    </message>
    <message>
        <source>show what a launch would start</source>
        <translation>显示将要启动的内容</translation>
    </message>
    <message>
        <source>Prints each process of the launch with its environment, directory, log and cpus, without starting it.
%1 The options below may also stand among the launcher&apos;s.</source>
        <translation>打印要启动的每个进程及其环境、目录、日志与 CPU，但不启动。
%1 下面的选项也可写在启动器的选项之中。</translation>
    </message>
    <message>
        <source>print a shell script that does the same</source>
        <translation>打印功能相同的 shell 脚本</translation>
    </message>
    <message>
        <source>check that a launch would work</source>
        <translation>检查能否启动</translation>
    </message>
    <message>
        <source>Checks a launch on all its nodes without starting it. Each node checks the plan and its rank table, variables, interpreter, script, disk space, limits, ports, and who uses its devices. Then the ranks test their connections, in pairs and in collective operations. Where hccn_tool is installed, it tests the network of the NPUs.
%1</source>
        <translation>在所有节点上检查能否启动，但不实际启动。每个节点检查计划及其 rank table、变量、解释器、脚本、磁盘空间、各项上限、端口以及设备的占用者。然后各 rank 测试彼此的连接，包括两两之间与集合通信。装有 hccn_tool 时还测试 NPU 的网络。
%1</translation>
    </message>
    <message>
        <source>check that Python imports this module on each node</source>
        <translation>检查每个节点的 Python 能否导入该模块</translation>
    </message>
    <message>
        <source>end all checks after this time</source>
        <translation>超过该时间即结束所有检查</translation>
    </message>
    <message>
        <source>print JSON, errors too; also among the launcher&apos;s options</source>
        <translation>以 JSON 输出，包括错误信息；也可写在启动器的选项之中</translation>
    </message>
    <message>
        <source>every check passed</source>
        <translation>所有检查均通过</translation>
    </message>
    <message>
        <source>a check failed</source>
        <translation>有检查失败</translation>
    </message>
    <message>
        <source>128 + n when signal n ended it</source>
        <translation>被信号 n 结束时为 128 + n</translation>
    </message>
    <message>
        <source>turn a command line of another launcher into Rankdeck&apos;s</source>
        <translation>将其他启动器的命令行转换为 Rankdeck 的</translation>
    </message>
    <message>
        <source>Takes a command line of any launcher, as words or as one quoted text, or a script as one text. Prints the rankdeckctl command line for the same launch, and what differs.</source>
        <translation>接受任何启动器的命令行，可分开写，也可作为一段带引号的文本；或把脚本作为一段文本。打印启动方式相同的 rankdeckctl 命令行，以及不同之处。</translation>
    </message>
    <message>
        <source>also save the launch as this profile</source>
        <translation>同时将启动参数保存为该启动配置</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>监控</translation>
    </message>
    <message>
        <source>list live and past runs</source>
        <translation>列出运行中与过去的任务</translation>
    </message>
    <message>
        <source>Lists runs, live ones first, then the newest.</source>
        <translation>列出任务，运行中的在前，其余按时间从新到旧。</translation>
    </message>
    <message>
        <source>show the first N runs</source>
        <translation>只显示前 N 个任务</translation>
    </message>
    <message>
        <source>print a run&apos;s new lines, type to its ranks</source>
        <translation>打印任务的新输出，并向其 rank 输入</translation>
    </message>
    <message>
        <source>Prints the lines of all ranks until the run ends. Ctrl-C ends this command, not the run. With --rank, your input goes to the terminals of these ranks.</source>
        <translation>打印所有 rank 的输出行，直到任务结束。Ctrl-C 结束的是本命令，而不是任务。带 --rank 时，输入会送到这些 rank 的终端。</translation>
    </message>
    <message>
        <source>start with the last N lines of each log</source>
        <translation>从每个日志的最后 N 行开始</translation>
    </message>
    <message>
        <source>type to these ranks: 3, 0,4-7 or all; one rank alone gets the whole terminal</source>
        <translation>向这些 rank 输入：3、0,4-7 或 all；只有一个 rank 时它独占整个终端</translation>
    </message>
    <message>
        <source>with --rank: print a line of several ranks once</source>
        <translation>与 --rank 同用：多个 rank 的相同行只打印一次</translation>
    </message>
    <message>
        <source>print a JSON object for each line, errors too; not with --rank</source>
        <translation>每行输出一个 JSON 对象，包括错误信息；不与 --rank 同用</translation>
    </message>
    <message>
        <source>the run&apos;s exit code</source>
        <translation>任务的退出码</translation>
    </message>
    <message>
        <source>watch runs full-screen in this terminal</source>
        <translation>在本终端全屏监控任务</translation>
    </message>
    <message>
        <source>Shows the ranks of a run, with state, step, NPU use and memory, and a log that is followed: the chosen rank&apos;s, or all merged and filtered. Without RUN, the list of runs; the run itself where one is live. The key h shows the keys, q and Ctrl-C end this command, not the run. Without colours where NO_COLOR is set.</source>
        <translation>显示任务的各 rank，包括状态、step、NPU 利用率与内存，以及持续跟踪的日志：所选 rank 的，或全部合并并过滤的。不指定 RUN 时为任务列表；有运行中的任务时直接显示该任务。按 h 显示按键说明，q 与 Ctrl-C 结束的是本命令，而不是任务。设置了 NO_COLOR 时不用颜色。</translation>
    </message>
    <message>
        <source>print logs of a run, of any launcher, or of a bundle</source>
        <translation>打印任务、任意启动器或报告包的日志</translation>
    </message>
    <message>
        <source>Prints the logs of a run, of any launcher at PATH (a directory or one log), or of a report bundle. Each line begins with its rank. A line without a time stamp or level takes those of the line before it.</source>
        <translation>打印任务的日志、PATH 处任意启动器的日志（目录或单个日志）或报告包中的日志。每行以其 rank 开头。没有时间戳或级别的行沿用上一行的。</translation>
    </message>
    <message>
        <source>Which logs</source>
        <translation>哪些日志</translation>
    </message>
    <message>
        <source>read PATH even if a run has this name</source>
        <translation>即使有同名任务也读取 PATH</translation>
    </message>
    <message>
        <source>print these ranks: 3, 0,4-7 or all; one rank alone is printed without its name</source>
        <translation>打印这些 rank：3、0,4-7 或 all；只有一个 rank 时不带其名称</translation>
    </message>
    <message>
        <source>print the scheduler&apos;s log</source>
        <translation>打印 scheduler 的日志</translation>
    </message>
    <message>
        <source>print standard error only, where it has its own file</source>
        <translation>只打印标准错误，前提是它有单独的文件</translation>
    </message>
    <message>
        <source>print the logs of attempt N, counted from 0, instead of the newest</source>
        <translation>打印第 N 次尝试的日志（从 0 计数），而不是最新一次</translation>
    </message>
    <message>
        <source>print only the last N lines of each log</source>
        <translation>只打印每个日志的最后 N 行</translation>
    </message>
    <message>
        <source>keep printing new lines until the run ends</source>
        <translation>持续打印新行，直到任务结束</translation>
    </message>
    <message>
        <source>In which order</source>
        <translation>排列顺序</translation>
    </message>
    <message>
        <source>merge all logs by time stamp</source>
        <translation>按时间戳合并所有日志</translation>
    </message>
    <message>
        <source>merge, and print a line of several ranks once, with their numbers</source>
        <translation>合并，多个 rank 的相同行只打印一次，并附其编号</translation>
    </message>
    <message>
        <source>Which lines</source>
        <translation>哪些行</translation>
    </message>
    <message>
        <source>print lines that match any of these</source>
        <translation>打印匹配其中任意一个的行</translation>
    </message>
    <message>
        <source>print lines that match all of them</source>
        <translation>打印匹配全部模式的行</translation>
    </message>
    <message>
        <source>leave out lines that match</source>
        <translation>去掉匹配的行</translation>
    </message>
    <message>
        <source>ignore upper and lower case</source>
        <translation>忽略大小写</translation>
    </message>
    <message>
        <source>take patterns as plain text, not as regular expressions (RE2)</source>
        <translation>将模式当作纯文本，而不是正则表达式（RE2）</translation>
    </message>
    <message>
        <source>print lines of this level or worse: debug, info, warning, error or critical</source>
        <translation>打印该级别及更严重的行：debug、info、warning、error 或 critical</translation>
    </message>
    <message>
        <source>print lines from this time on: 14:22, &quot;2024-12-26 14:22:26&quot;, or 10m (s, h, d) ago</source>
        <translation>打印该时间之后的行：14:22、“2024-12-26 14:22:26”，或 10m（s、h、d）之前</translation>
    </message>
    <message>
        <source>print a JSON object for each line, errors too</source>
        <translation>每行输出一个 JSON 对象，包括错误信息</translation>
    </message>
    <message>
        <source>auto (on a terminal, unless NO_COLOR is set), always or never</source>
        <translation>auto（在终端上且未设置 NO_COLOR 时）、always 或 never</translation>
    </message>
    <message>
        <source>show step, loss and remaining time of each rank</source>
        <translation>显示每个 rank 的 step、loss 与剩余时间</translation>
    </message>
    <message>
        <source>Reads the training progress of each rank from its log: logs of a run, of any launcher at PATH, or of a report bundle.</source>
        <translation>从日志中读取每个 rank 的训练进度：任务的日志、PATH 处任意启动器的日志或报告包中的日志。</translation>
    </message>
    <message>
        <source>print the curves of loss and step time</source>
        <translation>打印 loss 与每 step 耗时的曲线</translation>
    </message>
    <message>
        <source>print a line at each change until the run ends</source>
        <translation>每次变化打印一行，直到任务结束</translation>
    </message>
    <message>
        <source>find steps and losses with these named groups, e.g. (?P&lt;step&gt;\d+), instead of the launch&apos;s own pattern</source>
        <translation>用这些命名组提取 step 与 loss，例如 (?P&lt;step&gt;\d+)，代替启动时的模式</translation>
    </message>
    <message>
        <source>show how runs differ: end, times, progress, options</source>
        <translation>显示任务之间的差异：结束情况、时间、进度、选项</translation>
    </message>
    <message>
        <source>Prints state, exit code, times and progress of two or more runs side by side, and the options, commands and variables that differ.</source>
        <translation>并排打印两个或多个任务的状态、退出码、时间与进度，以及不同的选项、命令与变量。</translation>
    </message>
    <message>
        <source>wait for a run&apos;s end</source>
        <translation>等待任务结束</translation>
    </message>
    <message>
        <source>Waits until a run has ended and returns its exit code. Prints nothing on standard output without --json.</source>
        <translation>等待任务结束并返回其退出码。不带 --json 时不向标准输出打印任何内容。</translation>
    </message>
    <message>
        <source>give up after this time</source>
        <translation>超过该时间即放弃</translation>
    </message>
    <message>
        <source>print how each process ended, errors too</source>
        <translation>输出每个进程的结束方式，包括错误信息</translation>
    </message>
    <message>
        <source>the time of --timeout is up</source>
        <translation>--timeout 指定的时间已到</translation>
    </message>
    <message>
        <source>Diagnose</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>say which rank failed first, and why</source>
        <translation>指出哪个 rank 最先失败及原因</translation>
    </message>
    <message>
        <source>Reports the first failure of a run, of any launcher&apos;s logs at PATH, or of a report bundle: the rank, the cause and the evidence.</source>
        <translation>报告任务、PATH 处任意启动器的日志或报告包中的最先失败：rank、原因与证据。</translation>
    </message>
    <message>
        <source>write a report bundle for a colleague into FILE.tar.gz: logs, verdict and settings, with secrets masked</source>
        <translation>将报告包写入 FILE.tar.gz 供同事查看：日志、结论与设置，敏感信息已遮盖</translation>
    </message>
    <message>
        <source>explain an error code or a line, or find known errors in logs</source>
        <translation>解释错误码或一行日志，或在日志中查找已知错误</translation>
    </message>
    <message>
        <source>Explains error codes of HCCL, CANN, MindSpore and torch_npu, a line that you paste, or every known error in logs: a file, a directory of logs, a report bundle, or - for standard input. What exists as a file is read; anything else is a code or a line.</source>
        <translation>解释 HCCL、CANN、MindSpore 与 torch_npu 的错误码、粘贴的一行日志，或日志中的每个已知错误：文件、日志目录、报告包，或用 - 表示标准输入。存在的文件会被读取；其他内容视为错误码或一行日志。</translation>
    </message>
    <message>
        <source>say what else was known there, and why it was set aside</source>
        <translation>说明该处还匹配了哪些已知错误，以及为何未采用</translation>
    </message>
    <message>
        <source>no known error was found</source>
        <translation>没有找到已知错误</translation>
    </message>
    <message>
        <source>say which rank did not come to which collective</source>
        <translation>指出哪个 rank 没有参加哪次集合通信</translation>
    </message>
    <message>
        <source>show the call stacks of a live run</source>
        <translation>显示运行中任务的调用栈</translation>
    </message>
    <message>
        <source>Prints the call stacks of a live run&apos;s processes. Processes with the same stack are grouped.</source>
        <translation>打印运行中任务各进程的调用栈。调用栈相同的进程归为一组。</translation>
    </message>
    <message>
        <source>print the stacks of these ranks: 3, 0,4-7 or all; default: of all processes</source>
        <translation>打印这些 rank 的调用栈：3、0,4-7 或 all；默认为所有进程</translation>
    </message>
    <message>
        <source>a process gave no stack</source>
        <translation>有进程没有给出调用栈</translation>
    </message>
    <message>
        <source>attach a debugger to a rank, in this terminal</source>
        <translation>在本终端将调试器接入 rank</translation>
    </message>
    <message>
        <source>Attaches TOOL to a rank of a live run: gdb (the default), py-spy-dump, py-spy-top or strace. The rank continues when you quit the tool.</source>
        <translation>将 TOOL 接入运行中任务的一个 rank：gdb（默认）、py-spy-dump、py-spy-top 或 strace。退出该工具后 rank 继续运行。</translation>
    </message>
    <message>
        <source>attach to this rank; required</source>
        <translation>接入该 rank；必须给出</translation>
    </message>
    <message>
        <source>rankdeckctl cannot attach the tool</source>
        <translation>rankdeckctl 无法接入该工具</translation>
    </message>
    <message>
        <source>list the logs of any launcher or bundle, and the first failure</source>
        <translation>列出任意启动器或报告包的日志，以及最先失败</translation>
    </message>
    <message>
        <source>Lists the ranks that have logs at PATH (a directory, or one log of all ranks) or in a report bundle, and names the rank that failed first. &quot;rankdeckctl report PATH&quot; and &quot;rankdeckctl logs PATH&quot; show more.</source>
        <translation>列出 PATH（目录，或包含所有 rank 的单个日志）或报告包中有日志的 rank，并指出最先失败的 rank。“rankdeckctl report PATH”与“rankdeckctl logs PATH”显示更多。</translation>
    </message>
    <message>
        <source>Manage runs and profiles</source>
        <translation>管理任务与启动配置</translation>
    </message>
    <message>
        <source>stop a run or a part of it</source>
        <translation>停止任务或其一部分</translation>
    </message>
    <message>
        <source>Sends SIGTERM to a run, and SIGKILL after its grace period. With --rank, --node or --scheduler it stops only these processes; the others continue. Without RUN, exactly one run must be live.</source>
        <translation>向任务发送 SIGTERM，宽限期后发送 SIGKILL。带 --rank、--node 或 --scheduler 时只停止这些进程，其他进程继续运行。不指定 RUN 时必须恰有一个运行中的任务。</translation>
    </message>
    <message>
        <source>send SIGKILL immediately</source>
        <translation>立即发送 SIGKILL</translation>
    </message>
    <message>
        <source>stop only these ranks: 3, 0,4-7 or all</source>
        <translation>只停止这些 rank：3、0,4-7 或 all</translation>
    </message>
    <message>
        <source>stop only the processes of this node</source>
        <translation>只停止该节点的进程</translation>
    </message>
    <message>
        <source>stop only the scheduler</source>
        <translation>只停止 scheduler</translation>
    </message>
    <message>
        <source>the processes have ended, or had ended before</source>
        <translation>这些进程已结束，或此前已结束</translation>
    </message>
    <message>
        <source>a process is still alive</source>
        <translation>仍有进程存活</translation>
    </message>
    <message>
        <source>send a signal to ranks</source>
        <translation>向 rank 发送信号</translation>
    </message>
    <message>
        <source>Sends INT, TERM, KILL, USR1, USR2, STOP or CONT to the ranks of a live run. A rank that the signal ends counts as failed; to stop ranks without a failure, use &quot;rankdeckctl stop&quot;. Without RUN, exactly one run must be live.</source>
        <translation>向运行中任务的 rank 发送 INT、TERM、KILL、USR1、USR2、STOP 或 CONT。被信号结束的 rank 算作失败；要停止 rank 而不算失败，请用“rankdeckctl stop”。不指定 RUN 时必须恰有一个运行中的任务。</translation>
    </message>
    <message>
        <source>send it only to these ranks: 3, 0,4-7 or all</source>
        <translation>只发送给这些 rank：3、0,4-7 或 all</translation>
    </message>
    <message>
        <source>a rank did not get the signal</source>
        <translation>有 rank 没有收到信号</translation>
    </message>
    <message>
        <source>show or set how long ended runs are kept</source>
        <translation>显示或设置已结束任务的保留时间</translation>
    </message>
    <message>
        <source>Sets how many days Rankdeck keeps a run after its end, or keeps runs forever. Without arguments, shows the present setting and the runs that are older. Rankdeck deletes older runs when a run ends and when the window opens.</source>
        <translation>设置 Rankdeck 在任务结束后保留多少天，或永久保留。不带参数时显示当前设置以及更早的任务。Rankdeck 在任务结束时与打开窗口时删除更早的任务。</translation>
    </message>
    <message>
        <source>delete the older runs now</source>
        <translation>立即删除更早的任务</translation>
    </message>
    <message>
        <source>with DAYS: only list the runs that it would delete</source>
        <translation>与 DAYS 同用：只列出将要删除的任务</translation>
    </message>
    <message>
        <source>delete runs that have ended</source>
        <translation>删除已结束的任务</translation>
    </message>
    <message>
        <source>Deletes the directories of runs that have ended, after asking you.</source>
        <translation>询问之后，删除已结束任务的目录。</translation>
    </message>
    <message>
        <source>also delete their logs in other directories</source>
        <translation>同时删除其在其他目录中的日志</translation>
    </message>
    <message>
        <source>do not ask</source>
        <translation>不询问</translation>
    </message>
    <message>
        <source>list what it would delete, delete nothing</source>
        <translation>列出将要删除的内容，不删除</translation>
    </message>
    <message>
        <source>rankdeckctl could not delete a run, or you answered no</source>
        <translation>rankdeckctl 无法删除某个任务，或在询问时回答了否</translation>
    </message>
    <message>
        <source>list your profiles</source>
        <translation>列出启动配置</translation>
    </message>
    <message>
        <source>Lists the launches that you saved under a name.</source>
        <translation>列出以名称保存的启动配置。</translation>
    </message>
    <message>
        <source>print a profile</source>
        <translation>打印一份启动配置</translation>
    </message>
    <message>
        <source>Prints a profile&apos;s file and its command line. PROFILE is a name from &quot;rankdeckctl profile list&quot;, or a file if it has a / or ends in .json.</source>
        <translation>打印启动配置的文件及其命令行。PROFILE 为“rankdeckctl profile list”中的名称；含 / 或以 .json 结尾时为文件。</translation>
    </message>
    <message>
        <source>save a launch under a name</source>
        <translation>以名称保存启动参数</translation>
    </message>
    <message>
        <source>replace a profile of this name; may also follow PROFILE</source>
        <translation>替换同名的启动配置；也可写在 PROFILE 之后</translation>
    </message>
    <message>
        <source>delete a profile</source>
        <translation>删除一份启动配置</translation>
    </message>
    <message>
        <source>Deletes a profile&apos;s file.</source>
        <translation>删除启动配置的文件。</translation>
    </message>
    <message>
        <source>comma-separated host names, addresses or ssh aliases; in a Slurm allocation also Slurm&apos;s short forms, and by default all its nodes</source>
        <translation>以逗号分隔的主机名、地址或 ssh 别名；在 Slurm 资源分配中也可用 Slurm 的简写，默认为其全部节点</translation>
    </message>
    <message>
        <source>Nodes and devices</source>
        <translation>节点与设备</translation>
    </message>
    <message>
        <source>connect to each node as a launch would</source>
        <translation>像启动时那样连接每个节点</translation>
    </message>
    <message>
        <source>Connects to each node and prints its Rankdeck version, clock, NPUs and free disk space.</source>
        <translation>连接每个节点，打印其 Rankdeck 版本、时钟、NPU 与磁盘空闲空间。</translation>
    </message>
    <message>
        <source>all nodes are usable</source>
        <translation>所有节点均可用</translation>
    </message>
    <message>
        <source>a node is not usable</source>
        <translation>有节点不可用</translation>
    </message>
    <message>
        <source>show a node&apos;s ssh host key and trust it</source>
        <translation>显示节点的 ssh 主机密钥并信任它</translation>
    </message>
    <message>
        <source>Shows the fingerprint of a node&apos;s ssh host key, asks whether you trust it, and saves it for Rankdeck only.</source>
        <translation>显示节点的 ssh 主机密钥指纹，询问是否信任，并只为 Rankdeck 保存。</translation>
    </message>
    <message>
        <source>you did not trust the key</source>
        <translation>未信任该密钥</translation>
    </message>
    <message>
        <source>show the NPUs of this machine, or of a run</source>
        <translation>显示本机或某个任务的 NPU</translation>
    </message>
    <message>
        <source>Without RUN, shows the NPUs of this machine: numbers, health, load, memory, temperature, power, and the processes on them with their run.
With a live RUN, shows the NPU of each rank on all its nodes, the usage of the rank&apos;s process tree, and other processes on that NPU.</source>
        <translation>不指定 RUN 时显示本机的 NPU：编号、健康状态、负载、内存、温度、功耗，以及其上的进程与所属任务。
指定运行中的 RUN 时，显示其所有节点上每个 rank 的 NPU、该 rank 进程树的占用，以及该 NPU 上的其他进程。</translation>
    </message>
    <message>
        <source>repeat after this time, or later if a call takes longer</source>
        <translation>每隔该时间重复；一次调用耗时更长时则更晚</translation>
    </message>
    <message>
        <source>print JSON, errors too; with --watch one object per line</source>
        <translation>以 JSON 输出，包括错误信息；与 --watch 同用时每行一个对象</translation>
    </message>
    <message>
        <source>print metrics for Prometheus</source>
        <translation>输出 Prometheus 指标</translation>
    </message>
    <message>
        <source>with RUN, also an ended one: print the recorded samples</source>
        <translation>指定 RUN 时（也可为已结束的）：打印记录的采样</translation>
    </message>
    <message>
        <source>npu-smi (the program) or dcmi (the library libdcmi.so); default: the one installed, npu-smi first</source>
        <translation>npu-smi（程序）或 dcmi（库 libdcmi.so）；默认为已安装的，npu-smi 优先</translation>
    </message>
    <message>
        <source>rankdeckctl could not read any NPU</source>
        <translation>rankdeckctl 无法读取任何 NPU</translation>
    </message>
    <message>
        <source>one rank of a self-test of the network between ranks</source>
        <translation>作为其中一个 rank 参与 rank 间的网络自检</translation>
    </message>
    <message>
        <source>Tests the connections between hosts, and collective operations. Launch it with one process per rank. Rank and number of ranks come from RANK_ID and RANK_SIZE, RANK and WORLD_SIZE, or SLURM_PROCID and SLURM_NTASKS. The ranks meet at MASTER_ADDR and MASTER_PORT (127.0.0.1 and 29500; under Slurm the first host and a port of the step).
First each pair of ranks measures latency and bandwidth over TCP. With more than 32 ranks it measures pairs on different hosts, and on a host each rank with the next; with more than 128 ranks one rank per host. Then all ranks, halves of them and pairs run barrier, broadcast, and allreduce sum and max. Each rank checks each result, and prints each event as a line on standard output.</source>
        <translation>测试主机之间的连接与集合通信。请以每个 rank 一个进程启动。rank 与 rank 数取自 RANK_ID 与 RANK_SIZE、RANK 与 WORLD_SIZE，或 SLURM_PROCID 与 SLURM_NTASKS。各 rank 在 MASTER_ADDR 与 MASTER_PORT 处会合（127.0.0.1 与 29500；在 Slurm 下为第一台主机与该 step 的端口）。
首先，每对 rank 经 TCP 测量时延与带宽。超过 32 个 rank 时只测量跨主机的 rank 对，以及同一主机上相邻的 rank；超过 128 个 rank 时每台主机取一个 rank。然后全部 rank、一半 rank 与成对的 rank 依次执行 barrier、broadcast、allreduce sum 与 allreduce max。每个 rank 核对每个结果，并将每个事件作为一行打印到标准输出。</translation>
    </message>
    <message>
        <source>bytes of each rank&apos;s data, e.g. 4,64K,1M</source>
        <translation>每个 rank 的数据字节数，例如 4,64K,1M</translation>
    </message>
    <message>
        <source>ranks per group; default: all, half of up to 32, and two</source>
        <translation>每组的 rank 数；默认为全部、一半（最多 32 个）以及两个</translation>
    </message>
    <message>
        <source>do not measure pairs</source>
        <translation>不做 rank 两两测量</translation>
    </message>
    <message>
        <source>do not run collective operations</source>
        <translation>不执行集合通信</translation>
    </message>
    <message>
        <source>repeat the test this many times; 0: until you end it</source>
        <translation>重复测试的次数；0：直到手动结束</translation>
    </message>
    <message>
        <source>make each step last at least this long, so that you can watch it</source>
        <translation>每步至少持续该时间，以便观察</translation>
    </message>
    <message>
        <source>time limit of each step</source>
        <translation>每步的时限</translation>
    </message>
    <message>
        <source>test this address of this host from the other hosts</source>
        <translation>从其他主机测试本机的该地址</translation>
    </message>
    <message>
        <source>stdio: meet over standard input and output, for the program that started the ranks</source>
        <translation>stdio：经标准输入与输出会合，供启动各 rank 的程序使用</translation>
    </message>
    <message>
        <source>a test failed</source>
        <translation>有测试失败</translation>
    </message>
    <message>
        <source>Rank tables</source>
        <translation>rank table</translation>
    </message>
    <message>
        <source>check rank tables for errors</source>
        <translation>检查 rank table 的错误</translation>
    </message>
    <message>
        <source>Lists the errors of rank tables with their place and fix.</source>
        <translation>列出 rank table 的错误、位置与改法。</translation>
    </message>
    <message>
        <source>also check the rules for this chip: 910, 910b, 910_93, 950 or 310p</source>
        <translation>同时按该芯片的规则检查：910、910b、910_93、950 或 310p</translation>
    </message>
    <message>
        <source>no errors</source>
        <translation>没有错误</translation>
    </message>
    <message>
        <source>a table has errors</source>
        <translation>有 rank table 存在错误</translation>
    </message>
    <message>
        <source>list a rank table&apos;s servers and ranks</source>
        <translation>列出 rank table 的服务器与 rank</translation>
    </message>
    <message>
        <source>Lists the servers of a rank table, each with its ranks and devices.</source>
        <translation>列出 rank table 的服务器及其 rank 与设备。</translation>
    </message>
    <message>
        <source>turn template 2 into version 1.0, or add super pods</source>
        <translation>将 template 2 转换为版本 1.0，或添加超节点</translation>
    </message>
    <message>
        <source>Turns a rank table of template 2 into version 1.0, or adds super pods (1.2).</source>
        <translation>将 template 2 的 rank table 转换为版本 1.0，或添加超节点（1.2）。</translation>
    </message>
    <message>
        <source>1.0 or 1.2; default: 1.2 with --super-pod, otherwise 1.0</source>
        <translation>1.0 或 1.2；默认：带 --super-pod 时为 1.2，否则为 1.0</translation>
    </message>
    <message>
        <source>servers of a super pod by their server_id</source>
        <translation>超节点的服务器，按其 server_id</translation>
    </message>
    <message>
        <source>for a device whose entry has no super_device_id</source>
        <translation>用于条目中没有 super_device_id 的设备</translation>
    </message>
    <message>
        <source>merge the rank tables of several servers</source>
        <translation>合并多个服务器的 rank table</translation>
    </message>
    <message>
        <source>Merges the rank tables of several servers into one.</source>
        <translation>将多个服务器的 rank table 合并为一个。</translation>
    </message>
    <message>
        <source>number the ranks in the order of the arguments, as merge_hccl.py does; default: in the order of server_id, as MindSpore requires</source>
        <translation>与 merge_hccl.py 一样，按参数顺序为 rank 编号；默认按 server_id 的顺序，这是 MindSpore 的要求</translation>
    </message>
    <message>
        <source>keep some devices or servers of a rank table</source>
        <translation>保留 rank table 中的部分设备或服务器</translation>
    </message>
    <message>
        <source>Keeps some devices or servers of a rank table, and numbers the ranks again.</source>
        <translation>保留 rank table 中的部分设备或服务器，并为 rank 重新编号。</translation>
    </message>
    <message>
        <source>devices to keep, e.g. 0-3,6 or [0,8); default: all</source>
        <translation>要保留的设备，例如 0-3,6 或 [0,8)；默认为全部</translation>
    </message>
    <message>
        <source>server to keep; default: all</source>
        <translation>要保留的服务器；默认为全部</translation>
    </message>
    <message>
        <source>e.g. 0-7 or 0,2,4</source>
        <translation>例如 0-7 或 0,2,4</translation>
    </message>
    <message>
        <source>address of this host; default: its first IPv4 address</source>
        <translation>本机的地址；默认为其第一个 IPv4 地址</translation>
    </message>
    <message>
        <source>one address for each device; default: from hccn_tool or /etc/hccn.conf</source>
        <translation>每个设备一个地址；默认取自 hccn_tool 或 /etc/hccn.conf</translation>
    </message>
    <message>
        <source>add host_nic_ip, as hccl_tools.py does</source>
        <translation>与 hccl_tools.py 一样添加 host_nic_ip</translation>
    </message>
    <message>
        <source>write to this file; to a folder as hccl_&lt;n&gt;p_&lt;devices&gt;_&lt;server&gt;.json</source>
        <translation>写入该文件；若为目录则写为 hccl_&lt;n&gt;p_&lt;devices&gt;_&lt;server&gt;.json</translation>
    </message>
    <message>
        <source>convert the platform&apos;s rank table, print its variables</source>
        <translation>转换平台的 rank table，并打印其变量</translation>
    </message>
    <message>
        <source>Converts the platform&apos;s rank table and prints its variables, as lines for a shell. Prints on standard error which server this host is, and why.</source>
        <translation>转换平台的 rank table，并以 shell 语句的形式打印其变量。本机是哪个服务器及原因打印到标准错误。</translation>
    </message>
    <message>
        <source>server of the table that this host is, by server_id or pod_name; default: found by the platform&apos;s variables, the host&apos;s addresses and its name</source>
        <translation>本机对应的服务器，按 server_id 或 pod_name；默认按平台变量、本机地址与主机名查找</translation>
    </message>
    <message>
        <source>print an object of the variables; errors too</source>
        <translation>以 JSON 对象输出变量，包括错误信息</translation>
    </message>
    <message>
        <source>print NAME=VALUE, each followed by a zero byte</source>
        <translation>打印 NAME=VALUE，每项后跟一个零字节</translation>
    </message>
    <message>
        <source>there is no rank table</source>
        <translation>没有 rank table</translation>
    </message>
    <message>
        <source>wait until a rank table is completed</source>
        <translation>等待 rank table 完成</translation>
    </message>
    <message>
        <source>Waits until a rank table is completed, also while its file is missing or half written. Without FILE, waits for the table that davincirun would read.</source>
        <translation>等待 rank table 完成，文件尚缺失或写了一半时也等待。不指定 FILE 时，等待 davincirun 将要读取的表。</translation>
    </message>
    <message>
        <source>the table is completed</source>
        <translation>rank table 已完成</translation>
    </message>
    <message>
        <source>%1:</source>
        <translation>%1：</translation>
    </message>
    <message>
        <source>%1; may be repeated</source>
        <translation>%1；可重复</translation>
    </message>
    <message>
        <source>%1 (default: %2)</source>
        <translation>%1（默认：%2）</translation>
    </message>
    <message>
        <source>Usage: %1</source>
        <translation>用法：%1</translation>
    </message>
    <message>
        <source>Exit codes</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Usage: rankdeckctl [--lang LANGUAGE] COMMAND [OPTIONS]</source>
        <translation>用法：rankdeckctl [--lang LANGUAGE] COMMAND [OPTIONS]</translation>
    </message>
    <message>
        <source>Usage: rankdeckctl %1 ACTION [OPTIONS]</source>
        <translation>用法：rankdeckctl %1 ACTION [OPTIONS]</translation>
    </message>
    <message>
        <source>&quot;rankdeckctl %1 ACTION --help&quot; shows an action&apos;s options.</source>
        <translation>“rankdeckctl %1 ACTION --help”显示该操作的选项。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>unknown option</source>
        <translation>未知的选项</translation>
    </message>
    <message>
        <source>one argument too many</source>
        <translation>多了一个参数</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>this option takes no value</source>
        <translation>该选项不带值</translation>
    </message>
    <message>
        <source>option given twice</source>
        <translation>选项给出了两次</translation>
    </message>
    <message>
        <source>Give it once.</source>
        <translation>请只给出一次。</translation>
    </message>
    <message>
        <source>missing value</source>
        <translation>缺少值</translation>
    </message>
    <message>
        <source>Write %1.</source>
        <translation>请写 %1。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a whole number from %2 up</source>
        <translation>“%1”不是大于等于 %2 的整数</translation>
    </message>
    <message>
        <source>standard output cannot be written: %1</source>
        <translation>无法写入标准输出：%1</translation>
    </message>
    <message>
        <source>rankdeckctl: note: %1</source>
        <translation>rankdeckctl: 提示：%1</translation>
    </message>
    <message>
        <source>there are no runs yet</source>
        <translation>还没有任务</translation>
    </message>
    <message>
        <source>Launch one, see rankdeckctl --help.</source>
        <translation>请先启动一个，见 rankdeckctl --help。</translation>
    </message>
    <message>
        <source>Run %1.</source>
        <translation>任务 %1。</translation>
    </message>
    <message>
        <source>several runs are live: %1</source>
        <translation>有多个任务正在运行：%1</translation>
    </message>
    <message>
        <source>Name one of them.</source>
        <translation>请指定其中之一。</translation>
    </message>
    <message>
        <source>it works for this machine&apos;s NPUs only, not with RUN</source>
        <translation>它只用于本机的 NPU，不能与 RUN 同用</translation>
    </message>
    <message>
        <source>only a run has a history</source>
        <translation>只有任务才有历史</translation>
    </message>
    <message>
        <source>Name the run.</source>
        <translation>请指定任务。</translation>
    </message>
    <message>
        <source>cannot be combined with --json or --watch</source>
        <translation>不能与 --json 或 --watch 同用</translation>
    </message>
    <message>
        <source>only one output format is possible</source>
        <translation>只能选一种输出格式</translation>
    </message>
    <message>
        <source>Give --json or --prometheus.</source>
        <translation>请指定 --json 或 --prometheus。</translation>
    </message>
    <message>
        <source>unknown source &quot;%1&quot;</source>
        <translation>未知的数据源“%1”</translation>
    </message>
    <message>
        <source>Give npu-smi or dcmi.</source>
        <translation>请指定 npu-smi 或 dcmi。</translation>
    </message>
    <message>
        <source>standard output cannot be written</source>
        <translation>无法写入标准输出</translation>
    </message>
    <message>
        <source>Use --csv to print its recorded samples.</source>
        <translation>请用 --csv 打印其记录的采样。</translation>
    </message>
    <message>
        <source>%1 (pid %2)</source>
        <translation>%1（PID %2）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>DEVICE</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>PHYSICAL</source>
        <translation>物理编号</translation>
    </message>
    <message>
        <source>CARD</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>CHIP</source>
        <translation>芯片</translation>
    </message>
    <message>
        <source>BUS</source>
        <translation>总线</translation>
    </message>
    <message>
        <source>NAME</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>HEALTH</source>
        <translation>健康状态</translation>
    </message>
    <message>
        <source>AICORE %</source>
        <translation>AICORE %</translation>
    </message>
    <message>
        <source>NPU %</source>
        <translation>NPU %</translation>
    </message>
    <message>
        <source>HBM MB</source>
        <translation>HBM MB</translation>
    </message>
    <message>
        <source>DDR MB</source>
        <translation>DDR MB</translation>
    </message>
    <message>
        <source>TEMP C</source>
        <translation>温度 C</translation>
    </message>
    <message>
        <source>POWER W</source>
        <translation>功耗 W</translation>
    </message>
    <message>
        <source>CLOCK MHZ</source>
        <translation>频率 MHZ</translation>
    </message>
    <message>
        <source>LINK</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>up</source>
        <translation>up</translation>
    </message>
    <message>
        <source>down</source>
        <translation>down</translation>
    </message>
    <message>
        <source>ERRORS</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>USER</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>MEMORY MB</source>
        <translation>内存 MB</translation>
    </message>
    <message>
        <source>RUN</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>RANK</source>
        <translation>RANK</translation>
    </message>
    <message>
        <source>NODE</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>CPU %</source>
        <translation>CPU %</translation>
    </message>
    <message>
        <source>MEM MB</source>
        <translation>内存 MB</translation>
    </message>
    <message>
        <source>PROCS</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>READ MB/S</source>
        <translation>读 MB/S</translation>
    </message>
    <message>
        <source>WRITTEN MB/S</source>
        <translation>写 MB/S</translation>
    </message>
    <message>
        <source>OTHERS</source>
        <translation>其他进程</translation>
    </message>
    <message>
        <source>rankdeckctl: no process of the run is running any more</source>
        <translation>rankdeckctl: 任务已没有进程在运行</translation>
    </message>
    <message>
        <source>No rank waits for another, and all call the same collectives.</source>
        <translation>没有 rank 在等待其他 rank，所有 rank 调用的集合通信一致。</translation>
    </message>
    <message>
        <source>Group %1: all ranks have completed #%2</source>
        <translation>进程组 %1：所有 rank 均已完成 #%2</translation>
    </message>
    <message>
        <source>Group %1: no collective is known that all ranks have completed</source>
        <translation>进程组 %1：未发现所有 rank 都完成的集合通信</translation>
    </message>
    <message>
        <source>COMPLETED</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>REACHED</source>
        <translation>已到达</translation>
    </message>
    <message>
        <source>COLLECTIVE</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>PLACE</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>(waits)</source>
        <translation>（在等待）</translation>
    </message>
    <message>
        <source>no dump</source>
        <translation>没有转储</translation>
    </message>
    <message>
        <source>needs two or more runs</source>
        <translation>需要两个或更多任务</translation>
    </message>
    <message>
        <source>rankdeckctl list names them.</source>
        <translation>rankdeckctl list 可列出任务名。</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>%1: see above</source>
        <translation>%1：见上文</translation>
    </message>
    <message>
        <source>No known error.</source>
        <translation>没有已知错误。</translation>
    </message>
    <message>
        <source>advice given with any error</source>
        <translation>随任何错误给出的建议</translation>
    </message>
    <message>
        <source>consequence of another failure</source>
        <translation>其他失败的后果</translation>
    </message>
    <message>
        <source>passes another error on</source>
        <translation>转报其他错误</translation>
    </message>
    <message>
        <source>waited for another process</source>
        <translation>等待其他进程</translation>
    </message>
    <message>
        <source>two processes do not agree</source>
        <translation>两个进程不一致</translation>
    </message>
    <message>
        <source>own error</source>
        <translation>自身错误</translation>
    </message>
    <message>
        <source>setting that does not fit</source>
        <translation>不匹配的设置</translation>
    </message>
    <message>
        <source>device or link failed</source>
        <translation>设备或链路故障</translation>
    </message>
    <message>
        <source>Why %1: %2, line %3 of lines %4 to %5, which stand together.</source>
        <translation>依据 %1：%2，位于同处的第 %4 至 %5 行中的第 %3 行。</translation>
    </message>
    <message>
        <source>Set aside: %1</source>
        <translation>未采用：%1</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>standard input</source>
        <translation>标准输入</translation>
    </message>
    <message>
        <source>file not found</source>
        <translation>找不到文件</translation>
    </message>
    <message>
        <source>EPOCH</source>
        <translation>EPOCH</translation>
    </message>
    <message>
        <source>STEP</source>
        <translation>STEP</translation>
    </message>
    <message>
        <source>LOSS</source>
        <translation>LOSS</translation>
    </message>
    <message>
        <source>STEP TIME</source>
        <translation>每 STEP 耗时</translation>
    </message>
    <message>
        <source>THROUGHPUT</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>LEARNING RATE</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>LEFT</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>no progress lines</source>
        <translation>没有进度行</translation>
    </message>
    <message>
        <source>cannot be combined with --json or --follow</source>
        <translation>不能与 --json 或 --follow 同用</translation>
    </message>
    <message>
        <source>rank %1, device %2</source>
        <translation>rank %1，设备 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n logs in %2, last written %3</source>
        <comment>%1: %n log in %2, last written %3</comment>
        <translation>
            <numerusform>%1：%2 中有 %n 个日志，最后写入于 %3</numerusform>
        </translation>
    </message>
    <message>
        <source>the bundle contains no verdict</source>
        <translation>报告包中没有结论</translation>
    </message>
    <message>
        <source>is more than %1</source>
        <translation>超过 %1</translation>
    </message>
    <message>
        <source>Give megabytes.</source>
        <translation>请以 MB 为单位指定。</translation>
    </message>
    <message>
        <source>The nodes have not started the run within %1 s. &quot;rankdeckctl wait %2&quot; tells how it ends.</source>
        <translation>各节点在 %1 s 内没有启动任务。可用“rankdeckctl wait %2”查看其结果。</translation>
    </message>
    <message>
        <source>Run %1: %2.</source>
        <translation>任务 %1：%2。</translation>
    </message>
    <message>
        <source>Give another name, or replace it with --force.</source>
        <translation>请换一个名称，或用 --force 替换它。</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>the launch cannot be read: %1</source>
        <translation>无法读取启动参数：%1</translation>
    </message>
    <message>
        <source>larger than %1 MiB, too large for a launch</source>
        <translation>超过 %1 MiB，不可能是启动参数</translation>
    </message>
    <message>
        <source>RUN is missing</source>
        <translation>缺少 RUN</translation>
    </message>
    <message>
        <source>Run rankdeckctl list to see all runs.</source>
        <translation>请执行 rankdeckctl list 查看所有任务。</translation>
    </message>
    <message>
        <source>PROFILE is missing</source>
        <translation>缺少 PROFILE</translation>
    </message>
    <message>
        <source>Available: %1.</source>
        <translation>可用的有：%1。</translation>
    </message>
    <message>
        <source>Options come after PROFILE, see rankdeckctl run --help.</source>
        <translation>选项写在 PROFILE 之后，见 rankdeckctl run --help。</translation>
    </message>
    <message>
        <source>unknown launcher &quot;%1&quot;</source>
        <translation>未知的启动器“%1”</translation>
    </message>
    <message>
        <source>rankdeckctl: warning: %1</source>
        <translation>rankdeckctl: 警告：%1</translation>
    </message>
    <message>
        <source>%1 Stopping it.</source>
        <translation>%1正在停止它。</translation>
    </message>
    <message>
        <source>cpus %1</source>
        <translation>CPU %1</translation>
    </message>
    <message>
        <source>memory of NUMA nodes %1</source>
        <translation>NUMA 节点 %1 的内存</translation>
    </message>
    <message>
        <source>nice %1</source>
        <translation>nice %1</translation>
    </message>
    <message>
        <source>memory limit %1 MiB</source>
        <translation>内存上限 %1 MiB</translation>
    </message>
    <message>
        <source>open files %1</source>
        <translation>可打开文件数 %1</translation>
    </message>
    <message>
        <source>umask %1</source>
        <translation>umask %1</translation>
    </message>
    <message>
        <source>  in %1, log %2</source>
        <translation>  目录 %1，日志 %2</translation>
    </message>
    <message>
        <source>  on %1, in %2, log %3</source>
        <translation>  节点 %1，目录 %2，日志 %3</translation>
    </message>
    <message>
        <source>%1 To stop it: %2</source>
        <translation>%1停止方法：%2</translation>
    </message>
    <message>
        <source>%1 To stop it, on %2: %3</source>
        <translation>%1停止方法：在 %2 上执行 %3</translation>
    </message>
    <message>
        <source>%1 is not a signal that can be handled: it is ignored.</source>
        <translation>%1 不是可处理的信号：已忽略。</translation>
    </message>
    <message numerus="yes">
        <source>Run %1 (%n processes).</source>
        <comment>Run %1 (%n process).</comment>
        <translation>
            <numerusform>任务 %1（%n 个进程）。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n processes on %2, world size %3</source>
        <comment>%1: %n process on %2, world size %3</comment>
        <translation>
            <numerusform>%1：在 %2 上 %n 个进程，world size 为 %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>After a failure all processes are ended and started again, at most %n times; {attempt} is the number of the attempt, from 0.</source>
        <comment>After a failure all processes are ended and started again, at most once; {attempt} is the number of the attempt, from 0.</comment>
        <translation>
            <numerusform>失败后结束所有进程并重启，最多 %n 次；{attempt} 为尝试的序号，从 0 开始。</numerusform>
        </translation>
    </message>
    <message>
        <source>Before the launch:</source>
        <translation>启动之前：</translation>
    </message>
    <message>
        <source>  standard error %1</source>
        <translation>  标准错误 %1</translation>
    </message>
    <message>
        <source>  without %1</source>
        <translation>  不含 %1</translation>
    </message>
    <message>
        <source>After the launch:</source>
        <translation>结束之后：</translation>
    </message>
    <message>
        <source>%1 is too long</source>
        <translation>%1 过长</translation>
    </message>
    <message>
        <source>Give 1 to %1 seconds.</source>
        <translation>请指定 1 到 %1 秒。</translation>
    </message>
    <message>
        <source>%1: lines may be missing here, the disk was full at %2.</source>
        <translation>%1：此处可能缺少日志行，%2 时磁盘已满。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not name ranks</source>
        <translation>“%1”不是有效的 rank</translation>
    </message>
    <message>
        <source>Give for example 3, 0,4-7, or all.</source>
        <translation>请指定 rank，例如 3、0,4-7 或 all。</translation>
    </message>
    <message>
        <source>a rank and the scheduler cannot be combined</source>
        <translation>不能同时指定 rank 与 scheduler</translation>
    </message>
    <message>
        <source>unknown colour choice &quot;%1&quot;</source>
        <translation>未知的颜色选项“%1”</translation>
    </message>
    <message>
        <source>Give auto, always or never.</source>
        <translation>请指定 auto、always 或 never。</translation>
    </message>
    <message>
        <source>it goes neither with --raw nor with --color</source>
        <translation>不能与 --raw 或 --color 同用</translation>
    </message>
    <message>
        <source>this run started no rank %1 here</source>
        <translation>该任务没有在此启动 rank %1</translation>
    </message>
    <message>
        <source>this run started no scheduler here</source>
        <translation>该任务没有在此启动 scheduler</translation>
    </message>
    <message>
        <source>this run has had no attempt %1</source>
        <translation>该任务没有第 %1 次尝试</translation>
    </message>
    <message>
        <source>Its ranks have not been restarted.</source>
        <translation>其 rank 没有重启过。</translation>
    </message>
    <message>
        <source>Give 0 to %1.</source>
        <translation>请指定 0 到 %1。</translation>
    </message>
    <message>
        <source>a run and a directory of logs cannot be combined</source>
        <translation>不能同时指定任务与日志目录</translation>
    </message>
    <message>
        <source>Give one of them: RUN, or --open PATH.</source>
        <translation>请只给出其一：RUN 或 --open PATH。</translation>
    </message>
    <message>
        <source>unknown command &quot;%1&quot;</source>
        <translation>未知的命令“%1”</translation>
    </message>
    <message>
        <source>See rankdeckctl --help.</source>
        <translation>请查看 rankdeckctl --help。</translation>
    </message>
    <message>
        <source>Use %1. See rankdeckctl %2 --help.</source>
        <translation>请使用 %1。见 rankdeckctl %2 --help。</translation>
    </message>
    <message>
        <source>ACTION is missing</source>
        <translation>缺少 ACTION</translation>
    </message>
    <message>
        <source>unknown action &quot;%1 %2&quot;</source>
        <translation>未知的操作“%1 %2”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number of bytes from 4 to 1G that 4 divides</source>
        <translation>“%1”不是 4 到 1G 之间且能被 4 整除的字节数</translation>
    </message>
    <message>
        <source>Give sizes, e.g. 4,64K,1M.</source>
        <translation>请指定大小，例如 4,64K,1M。</translation>
    </message>
    <message>
        <source>%1 is more than %2</source>
        <translation>%1 大于 %2</translation>
    </message>
    <message>
        <source>unknown store &quot;%1&quot;</source>
        <translation>未知的 store“%1”</translation>
    </message>
    <message>
        <source>Give stdio, or leave it out.</source>
        <translation>请指定 stdio，或不指定它。</translation>
    </message>
    <message>
        <source>RANK and WORLD_SIZE are not set, so there are no ranks to test</source>
        <translation>RANK 与 WORLD_SIZE 未设置，没有可测试的 rank</translation>
    </message>
    <message>
        <source>Start it as a launch: rankdeckctl processes --nproc 2 -- rankdeckctl collective</source>
        <translation>请以启动的方式运行：rankdeckctl processes --nproc 2 -- rankdeckctl collective</translation>
    </message>
    <message>
        <source>no nodes given</source>
        <translation>没有给出节点</translation>
    </message>
    <message>
        <source>Name the nodes like a,b,c.</source>
        <translation>请将节点写成 a,b,c 的形式。</translation>
    </message>
    <message>
        <source>%1  cannot be used</source>
        <translation>%1  不可用</translation>
    </message>
    <message>
        <source>%1  ok, %2</source>
        <translation>%1  正常，%2</translation>
    </message>
    <message numerus="yes">
        <source>%1  ok, Rankdeck %2 (%8) on %3, %n NPUs, clock %4 ms (within %5 ms), %6 free in %7</source>
        <comment>%1  ok, Rankdeck %2 (%8) on %3, %n NPU, clock %4 ms (within %5 ms), %6 free in %7</comment>
        <translation>
            <numerusform>%1  正常，%3 上的 Rankdeck %2（%8），%n 张 NPU，时钟偏差 %4 ms（误差不超过 %5 ms），%7 中空闲 %6</numerusform>
        </translation>
    </message>
    <message>
        <source>The host key of %1 is %2.</source>
        <translation>%1 的主机密钥为 %2。</translation>
    </message>
    <message>
        <source>Trust it? Compare it with the key that the node&apos;s administrator gives you. [y/N] </source>
        <translation>是否信任？请与节点管理员提供的密钥核对。[y/N] </translation>
    </message>
    <message>
        <source>The key is not trusted.</source>
        <translation>未信任该密钥。</translation>
    </message>
    <message>
        <source>The key is trusted from now on (%1).</source>
        <translation>从现在起信任该密钥（%1）。</translation>
    </message>
    <message>
        <source>Run this on a host with NPUs, or give the addresses with --device-ip.</source>
        <translation>请在有 NPU 的主机上运行，或用 --device-ip 给出地址。</translation>
    </message>
    <message>
        <source>Give it with --server-id.</source>
        <translation>请用 --server-id 给出。</translation>
    </message>
    <message>
        <source>Ranks are numbered in the order of server_id, as MindSpore wants it.</source>
        <translation>rank 按 server_id 的顺序编号，与 MindSpore 的要求一致。</translation>
    </message>
    <message>
        <source>Ranks are numbered in the order of the arguments, as merge_hccl.py does.</source>
        <translation>rank 按参数的顺序编号，与 merge_hccl.py 一致。</translation>
    </message>
    <message>
        <source>rankdeckctl: warning: merge_hccl.py numbers ranks in the order of the arguments (--keep-order). Every host must use the same table.</source>
        <translation>rankdeckctl: 警告：merge_hccl.py 按参数的顺序为 rank 编号（--keep-order）。所有主机须使用同一份表。</translation>
    </message>
    <message>
        <source>rankdeckctl: warning: MindSpore needs the order of server_id (without --keep-order), which differs. Every host must use the same table.</source>
        <translation>rankdeckctl: 警告：MindSpore 要求按 server_id 的顺序（不带 --keep-order），两者不同。所有主机须使用同一份表。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not understood</source>
        <translation>无法理解“%1”</translation>
    </message>
    <message>
        <source>Write it as ID=SERVER,SERVER.</source>
        <translation>请写成 ID=SERVER,SERVER 的形式。</translation>
    </message>
    <message>
        <source>Write it as SERVER/DEVICE=ID.</source>
        <translation>请写成 SERVER/DEVICE=ID 的形式。</translation>
    </message>
    <message>
        <source>version 1.0 has no super pods</source>
        <translation>版本 1.0 没有超节点</translation>
    </message>
    <message>
        <source>Convert to 1.2, or leave --super-pod and --super-device-id out.</source>
        <translation>请转换为 1.2，或不指定 --super-pod 与 --super-device-id。</translation>
    </message>
    <message>
        <source>cannot convert to version &quot;%1&quot;</source>
        <translation>无法转换为版本“%1”</translation>
    </message>
    <message>
        <source>Use 1.0 or 1.2.</source>
        <translation>请使用 1.0 或 1.2。</translation>
    </message>
    <message>
        <source>%1 cannot become version 1.0</source>
        <translation>%1 无法转换为版本 1.0</translation>
    </message>
    <message>
        <source>its value contains a control character: %1</source>
        <translation>其值含有控制字符：%1</translation>
    </message>
    <message>
        <source>Correct the rank table, or read the variables with --null or --json.</source>
        <translation>请改正 rank table，或用 --null 或 --json 读取变量。</translation>
    </message>
    <message>
        <source>the devices or servers to keep are missing</source>
        <translation>没有指定要保留的设备或服务器</translation>
    </message>
    <message>
        <source>Give --devices, --server or both.</source>
        <translation>请指定 --devices、--server 或两者。</translation>
    </message>
    <message>
        <source>--json and --null cannot be combined</source>
        <translation>--json 与 --null 不能同用</translation>
    </message>
    <message>
        <source>rankdeckctl: no rank table, so nothing is set.</source>
        <translation>rankdeckctl: 没有 rank table，因此没有设置任何变量。</translation>
    </message>
    <message>
        <source>pod %1</source>
        <translation>Pod %1</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>组 %1</translation>
    </message>
    <message>
        <source>super pod %1</source>
        <translation>超节点 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n devices</source>
        <comment>%n device</comment>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>DEVICE IP</source>
        <translation>设备 IP</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>SUPER DEVICE</source>
        <translation>SUPER DEVICE</translation>
    </message>
    <message>
        <source>no status</source>
        <translation>没有状态</translation>
    </message>
    <message>
        <source>status %1</source>
        <translation>状态 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n servers</source>
        <comment>%n server</comment>
        <translation>
            <numerusform>%n 个服务器</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2; see rankdeckctl ranktable check</source>
        <translation>%1：%2；见 rankdeckctl ranktable check</translation>
    </message>
    <message>
        <source>the file exists already</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>Give --force to replace it, or name another place with -o.</source>
        <translation>请用 --force 替换它，或用 -o 指定其他位置。</translation>
    </message>
    <message>
        <source>Name another place with -o.</source>
        <translation>请用 -o 指定其他位置。</translation>
    </message>
    <message>
        <source>Wrote %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>没有任何改动。</translation>
    </message>
    <message numerus="yes">
        <source>rankdeckctl: warning: %n more errors: rankdeckctl ranktable check %1</source>
        <comment>rankdeckctl: warning: %n more error: rankdeckctl ranktable check %1</comment>
        <translation>
            <numerusform>rankdeckctl: 警告：还有 %n 个错误：rankdeckctl ranktable check %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Name a rank table.</source>
        <translation>请指定 rank table。</translation>
    </message>
    <message>
        <source>&quot;status&quot; is missing, so the table may be unfinished</source>
        <translation>缺少“status”，该表可能未完成</translation>
    </message>
    <message>
        <source>Add &quot;status&quot;: &quot;completed&quot; when it is whole.</source>
        <translation>完整之后请添加 &quot;status&quot;: &quot;completed&quot;。</translation>
    </message>
    <message>
        <source>the rank table&apos;s status is &quot;%1&quot;, not &quot;completed&quot;</source>
        <translation>rank table 的状态为“%1”，而不是“completed”</translation>
    </message>
    <message>
        <source>Wait for it with rankdeckctl ranktable wait.</source>
        <translation>请用 rankdeckctl ranktable wait 等待它。</translation>
    </message>
    <message>
        <source>rankdeckctl: warning: the new table has %1; see rankdeckctl ranktable check</source>
        <translation>rankdeckctl: 警告：新的表中有 %1；见 rankdeckctl ranktable check</translation>
    </message>
    <message>
        <source>Waiting for the rank table %1 (%2), %3 s of %4 s. Ctrl+C ends the wait.</source>
        <translation>正在等待 rank table %1（%2），已等 %3 s，共 %4 s。Ctrl+C 结束等待。</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1</source>
        <comment>rank %1</comment>
        <translation>
            <numerusform>rank %1</numerusform>
        </translation>
    </message>
    <message>
        <source>What was dumped while it ran is in the folder stacks of its run directory.</source>
        <translation>运行期间的转储在其任务目录的 stacks 目录中。</translation>
    </message>
    <message>
        <source>No process of the run is alive.</source>
        <translation>任务没有存活的进程。</translation>
    </message>
    <message>
        <source>  %1  stays</source>
        <translation>  %1  保留</translation>
    </message>
    <message>
        <source>  Give --logs to delete these too, %1.</source>
        <translation>  加上 --logs 可一并删除这些，共 %1。</translation>
    </message>
    <message>
        <source>  %1 of its logs are another run&apos;s as well and stay.</source>
        <translation>  其中 %1 也是另一任务的日志，予以保留。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number of days from 1 to %2</source>
        <translation>“%1”不是 1 到 %2 之间的天数</translation>
    </message>
    <message>
        <source>Give a number of days, or forever.</source>
        <translation>请指定天数，或 forever。</translation>
    </message>
    <message>
        <source>Runs would be kept forever.</source>
        <translation>这样设置后，任务将永久保留。</translation>
    </message>
    <message>
        <source>Runs are kept forever.</source>
        <translation>任务永久保留。</translation>
    </message>
    <message numerus="yes">
        <source>With a limit of %n days no run would be deleted.</source>
        <comment>With a limit of %n day no run would be deleted.</comment>
        <translation>
            <numerusform>期限为 %n 天时，不会删除任何任务。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>With a limit of %n days these runs would be deleted:</source>
        <comment>With a limit of %n day these runs would be deleted:</comment>
        <translation>
            <numerusform>期限为 %n 天时，将删除以下任务：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Runs are kept for %n days after their end.</source>
        <comment>Runs are kept for %n day after their end.</comment>
        <translation>
            <numerusform>任务结束后保留 %n 天。</numerusform>
        </translation>
    </message>
    <message>
        <source>These will be deleted when the next run ends or the window opens, or with --apply:</source>
        <translation>以下任务将在下一个任务结束时或打开窗口时删除，也可用 --apply 立即删除：</translation>
    </message>
    <message>
        <source>unknown state &quot;%1&quot;</source>
        <translation>未知的状态“%1”</translation>
    </message>
    <message>
        <source>STATE</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>CODE</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>RANKS</source>
        <translation>RANK</translation>
    </message>
    <message>
        <source>DURATION</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>STARTED</source>
        <translation>启动时间</translation>
    </message>
    <message>
        <source>REMARK</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>this is not a terminal, so nothing was deleted</source>
        <translation>这不是终端，因此没有删除任何内容</translation>
    </message>
    <message>
        <source>Give --yes.</source>
        <translation>请加上 --yes。</translation>
    </message>
    <message numerus="yes">
        <source>Delete these %n runs?</source>
        <comment>Delete this run?</comment>
        <translation>
            <numerusform>删除这 %n 个任务？</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was deleted.</source>
        <translation>没有删除任何内容。</translation>
    </message>
    <message>
        <source>cannot be combined with anything else</source>
        <translation>不能与其他任何选项同用</translation>
    </message>
    <message>
        <source>There are no such runs.</source>
        <translation>没有这样的任务。</translation>
    </message>
    <message>
        <source>There are no runs yet.</source>
        <translation>还没有任务。</translation>
    </message>
    <message>
        <source>%1 tools have been attached to this run; no more are possible.</source>
        <translation>该任务已接入 %1 个工具，不能再多。</translation>
    </message>
    <message>
        <source>this run started nothing on a node &quot;%1&quot;</source>
        <translation>该任务没有在节点“%1”上启动任何进程</translation>
    </message>
    <message>
        <source>Its nodes: %1.</source>
        <translation>其节点：%1。</translation>
    </message>
    <message>
        <source>ranks, a node and the scheduler cannot be combined</source>
        <translation>不能同时指定 rank、节点与 scheduler</translation>
    </message>
    <message>
        <source>this run lost its supervisor, so only all its remaining processes can be ended</source>
        <translation>该任务的监管进程已失联，只能结束其全部残留进程</translation>
    </message>
    <message>
        <source>Give the run&apos;s name alone.</source>
        <translation>请只给出任务名。</translation>
    </message>
    <message>
        <source>Ending %1, which remains of %2.</source>
        <translation>正在结束 %2 残留的 %1。</translation>
    </message>
    <message>
        <source>No process of %1 is alive on this machine.</source>
        <translation>%1 在本机没有存活的进程。</translation>
    </message>
    <message>
        <source>%1 had ended already: %2</source>
        <translation>%1 此前已结束：%2</translation>
    </message>
    <message>
        <source>%1 (pid: %2): %3</source>
        <translation>%1（PID：%2）：%3</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a signal that can be sent</source>
        <translation>“%1”不是可发送的信号</translation>
    </message>
    <message>
        <source>Give INT, TERM, KILL, USR1, USR2, STOP or CONT, or its number.</source>
        <translation>请指定 INT、TERM、KILL、USR1、USR2、STOP、CONT 或其编号。</translation>
    </message>
    <message>
        <source>Name a run that is live, see rankdeckctl list --state live.</source>
        <translation>请指定运行中的任务，见 rankdeckctl list --state live。</translation>
    </message>
    <message>
        <source>No rank of the run is alive.</source>
        <translation>任务没有存活的 rank。</translation>
    </message>
    <message>
        <source>unknown tool &quot;%1&quot;</source>
        <translation>未知的工具“%1”</translation>
    </message>
    <message>
        <source>Give one of %1.</source>
        <translation>请指定 %1 之一。</translation>
    </message>
    <message>
        <source>a tool attaches to one rank</source>
        <translation>一个工具只能接入一个 rank</translation>
    </message>
    <message>
        <source>Give its number, for example --rank 3.</source>
        <translation>请给出其编号，例如 --rank 3。</translation>
    </message>
    <message>
        <source>The run has ended.</source>
        <translation>任务已结束。</translation>
    </message>
    <message>
        <source>Run %1 had ended already: %2.</source>
        <translation>任务 %1 此前已结束：%2。</translation>
    </message>
    <message>
        <source>this run has ended: it has no processes</source>
        <translation>该任务已结束：没有进程</translation>
    </message>
    <message>
        <source>it goes neither with --rank nor with --raw</source>
        <translation>不能与 --rank 或 --raw 同用</translation>
    </message>
    <message>
        <source>the ranks to type to are missing</source>
        <translation>没有指定要输入到的 rank</translation>
    </message>
    <message>
        <source>Give --rank all, or e.g. --rank 0-3,7.</source>
        <translation>请指定 --rank，例如 --rank all 或 --rank 0-3,7。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a time in seconds</source>
        <translation>“%1”不是以秒为单位的时间</translation>
    </message>
    <message>
        <source>Give for example 30 or 0.5.</source>
        <translation>请指定例如 30 或 0.5。</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>at prompt</source>
        <translation>停在提示符</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>停滞</translation>
    </message>
    <message>
        <source>  (e: more)</source>
        <translation>  （e：更多）</translation>
    </message>
    <message>
        <source>NODE, REMARK</source>
        <translation>节点，说明</translation>
    </message>
    <message>
        <source>CPU%</source>
        <translation>CPU%</translation>
    </message>
    <message>
        <source>MEM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>NPU%</source>
        <translation>NPU%</translation>
    </message>
    <message>
        <source>HBM</source>
        <translation>HBM</translation>
    </message>
    <message>
        <source>TEMP</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>WATT</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>silent for %1</source>
        <translation>%1 无输出</translation>
    </message>
    <message>
        <source>%1, shared with pid %2</source>
        <translation>%1，与 PID %2 共用</translation>
    </message>
    <message>
        <source>NPU</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>bus</source>
        <translation>总线</translation>
    </message>
    <message>
        <source>health</source>
        <translation>健康状态</translation>
    </message>
    <message>
        <source>link</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>error code</source>
        <translation>错误码</translation>
    </message>
    <message>
        <source>used by another process</source>
        <translation>被其他进程占用</translation>
    </message>
    <message>
        <source>used by this run</source>
        <translation>被本任务占用</translation>
    </message>
    <message>
        <source>pid %1</source>
        <translation>PID %1</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>pid</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>NPU alarm</source>
        <translation>NPU 告警</translation>
    </message>
    <message>
        <source>progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>每 step 耗时</translation>
    </message>
    <message>
        <source>busy, last 5 minutes</source>
        <translation>最近 5 分钟忙碌占比</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>cpu</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>read per second</source>
        <translation>每秒读取</translation>
    </message>
    <message>
        <source>written per second</source>
        <translation>每秒写入</translation>
    </message>
    <message>
        <source>log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>standard error</source>
        <translation>标准错误</translation>
    </message>
    <message>
        <source>command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>show a run: its name, a unique part of its beginning or end, or &quot;last&quot;</source>
        <translation>显示任务：其名称、开头或结尾中唯一的一部分，或“last”</translation>
    </message>
    <message>
        <source>show logs of any launcher: a directory, or one log of all ranks; or a report bundle (FILE.tar.gz)</source>
        <translation>显示任意启动器的日志：目录，或包含所有 rank 的单个日志；或报告包（FILE.tar.gz）</translation>
    </message>
    <message>
        <source>show a rank table and its errors</source>
        <translation>显示 rank table 及其错误</translation>
    </message>
    <message>
        <source>language of the window: en, zh, or auto, the system&apos;s; default: as in the preferences</source>
        <translation>窗口的语言：en、zh 或 auto（系统语言）；默认取首选项中的设置</translation>
    </message>
    <message>
        <source>what draws logs and devices: raster (this program, sends pixels), glyphs (the X server) or bitmaps (this program without smoothing, sends bits); default: raster, but over a network glyphs, or bitmaps where the display has no glyphs</source>
        <translation>日志与设备的绘制方式：raster（本程序绘制，发送像素）、glyphs（X 服务器绘制）或 bitmaps（本程序绘制，不平滑，发送位图）；默认为 raster，经网络时为 glyphs，显示服务不支持 glyphs 时为 bitmaps</translation>
    </message>
    <message>
        <source>ask a display across a network 15 things less, which saves as many round trips; then several screens count as one, and the wheel scrolls in whole notches</source>
        <translation>经网络时少向显示服务询问 15 项，节省同样次数的往返；此时多个屏幕视为一个，滚轮按整格滚动</translation>
    </message>
    <message>
        <source>print the version, its commit and that of Qt</source>
        <translation>打印版本、其提交以及 Qt 的版本</translation>
    </message>
    <message>
        <source>print this help</source>
        <translation>打印本帮助</translation>
    </message>
    <message>
        <source>its agent names a file outside the folder it was given</source>
        <translation>其代理进程给出的文件在指定目录之外</translation>
    </message>
    <message>
        <source>Rankdeck is %1 there and %2 here.</source>
        <translation>该节点的 Rankdeck 为 %1，本机为 %2。</translation>
    </message>
    <message>
        <source>Its clock is %1 s ahead.</source>
        <translation>其时钟快 %1 s。</translation>
    </message>
    <message>
        <source>Its clock is %1 s behind.</source>
        <translation>其时钟慢 %1 s。</translation>
    </message>
    <message>
        <source>rankdeckctl is not installed there: a launch copies this machine&apos;s first (%1).</source>
        <translation>该节点未安装 rankdeckctl：启动时会先复制本机的（%1）。</translation>
    </message>
    <message>
        <source>%1 was not sent to %2: it has not been started yet.</source>
        <translation>未向 %2 发送 %1：它尚未启动。</translation>
    </message>
    <message>
        <source>%1 was not sent to %2: no connection to %3.</source>
        <translation>未向 %2 发送 %1：与 %3 没有连接。</translation>
    </message>
    <message>
        <source>%1 was not sent to %2: it has ended.</source>
        <translation>未向 %2 发送 %1：它已结束。</translation>
    </message>
    <message>
        <source>Cannot attach to %1: it has not been started yet.</source>
        <translation>无法接入 %1：它尚未启动。</translation>
    </message>
    <message>
        <source>Cannot attach to %1: no connection to %2.</source>
        <translation>无法接入 %1：与 %2 没有连接。</translation>
    </message>
    <message>
        <source>Cannot attach to %1: it has ended or is being ended.</source>
        <translation>无法接入 %1：它已结束或正在结束。</translation>
    </message>
    <message>
        <source>Cannot attach to %1 from here: %2 shares no folder with this machine. Run this there: gdb -p %3.</source>
        <translation>无法从本机接入 %1：%2 与本机没有共享目录。请在该节点执行：gdb -p %3。</translation>
    </message>
    <message numerus="yes">
        <source>%1 is sent to ranks %2 on request.</source>
        <comment>%1 is sent to rank %2 on request.</comment>
        <translation>
            <numerusform>按请求向 rank %2 发送 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is sent to the scheduler on request.</source>
        <translation>按请求向 scheduler 发送 %1。</translation>
    </message>
    <message>
        <source>%1 is not installed on %2: %3.</source>
        <translation>%2 上未安装 %1：%3。</translation>
    </message>
    <message>
        <source>%1 may not inspect processes on %2: kernel.yama.ptrace_scope is 3 there. Changing it needs a restart.</source>
        <translation>%1 无权查看 %2 上的进程：该节点的 kernel.yama.ptrace_scope 为 3，修改后需重启系统。</translation>
    </message>
    <message>
        <source>%1 may not inspect processes that it did not start on %2: kernel.yama.ptrace_scope is %3 there. As root, run: sysctl kernel.yama.ptrace_scope=0.</source>
        <translation>%1 无权查看 %2 上不由它启动的进程：该节点的 kernel.yama.ptrace_scope 为 %3。请以 root 执行：sysctl kernel.yama.ptrace_scope=0。</translation>
    </message>
    <message>
        <source>a process of %1</source>
        <translation>%1 的进程</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>not visible from here</source>
        <translation>从这里看不到</translation>
    </message>
    <message>
        <source>a process</source>
        <translation>某个进程</translation>
    </message>
    <message>
        <source>%1 uses %2.</source>
        <translation>%1占用 %2。</translation>
    </message>
    <message>
        <source>%1 listens on port %2.</source>
        <translation>%1监听端口 %2。</translation>
    </message>
    <message>
        <source>%1 uses %2 and listens on port %3.</source>
        <translation>%1占用 %2，并监听端口 %3。</translation>
    </message>
    <message numerus="yes">
        <source>%1 MB of HBM are needed, but on devices %2 only %3 MB are free (on the fullest).</source>
        <comment>%1 MB of HBM are needed, but on device %2 only %3 MB are free.</comment>
        <translation>
            <numerusform>需要 %1 MB HBM，但设备 %2 中空闲最多的也只有 %3 MB。</numerusform>
        </translation>
    </message>
    <message>
        <source>It</source>
        <translation>该进程</translation>
    </message>
    <message>
        <source>The run %1 lost its supervisor, but these processes remain: %2. %3</source>
        <translation>任务 %1 的监管进程已失联，但以下进程仍在：%2。%3</translation>
    </message>
    <message>
        <source>The run %1 is live. %2</source>
        <translation>任务 %1 正在运行。%2</translation>
    </message>
    <message>
        <source>The run %1, launched from %2, is live. %3</source>
        <translation>从 %2 启动的任务 %1 正在运行。%3</translation>
    </message>
    <message>
        <source>the free memory of the NPUs was not checked: npu-smi is not installed here</source>
        <translation>未检查 NPU 的空闲内存：此处未安装 npu-smi</translation>
    </message>
    <message>
        <source>Run npu-smi info -t health -i N for details of card N; a reset or a repair may be needed.</source>
        <translation>执行 npu-smi info -t health -i N 查看卡 N 的详情；可能需要复位或维修。</translation>
    </message>
    <message numerus="yes">
        <source>%n NPUs are healthy.</source>
        <comment>%n NPU is healthy.</comment>
        <translation>
            <numerusform>%n 张 NPU 健康状态正常。</numerusform>
        </translation>
    </message>
    <message>
        <source>The NPUs do not report their health.</source>
        <translation>NPU 未上报健康状态。</translation>
    </message>
    <message>
        <source>The NPUs do not report their free memory.</source>
        <translation>NPU 未上报空闲内存。</translation>
    </message>
    <message numerus="yes">
        <source>%1 MB are needed on each NPU, but devices %2 have less free: %3 MB on the fullest.</source>
        <comment>%1 MB are needed on each NPU, but device %2 has less free: %3 MB.</comment>
        <translation>
            <numerusform>每张 NPU 需要 %1 MB，但设备 %2 的空闲不足：最少的仅 %3 MB。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run rankdeckctl devices to see what uses the rest.</source>
        <translation>执行 rankdeckctl devices 查看其余内存被谁占用。</translation>
    </message>
    <message>
        <source>At least %1 MB are free on each NPU.</source>
        <translation>每张 NPU 至少空闲 %1 MB。</translation>
    </message>
    <message numerus="yes">
        <source>Memory is in use on devices %1; %2 MB are free on the fullest.</source>
        <comment>Memory is in use on device %1; %2 MB are free.</comment>
        <translation>
            <numerusform>设备 %1 的内存已被占用；占用最多的还空闲 %2 MB。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run rankdeckctl devices to see which processes use it.</source>
        <translation>执行 rankdeckctl devices 查看占用的进程。</translation>
    </message>
    <message>
        <source>Nothing of this node&apos;s share listens on a selected port.</source>
        <translation>本节点要启动的进程都不监听指定的端口。</translation>
    </message>
    <message>
        <source>Port %1 is free for %2.</source>
        <translation>端口 %1 空闲，可供 %2 使用。</translation>
    </message>
    <message>
        <source>the script cannot be read</source>
        <translation>脚本无法读取</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>请检查其权限。</translation>
    </message>
    <message>
        <source>%1 can be started.</source>
        <translation>%1 可以启动。</translation>
    </message>
    <message>
        <source>%1 can be started, and %2 can be read.</source>
        <translation>%1 可以启动，%2 可以读取。</translation>
    </message>
    <message>
        <source>%1 free for logs in %2.</source>
        <translation>%2 中可用于日志的空间：%1。</translation>
    </message>
    <message>
        <source>Free some space, or name another directory with --log-dir.</source>
        <translation>请清理空间，或用 --log-dir 指定其他目录。</translation>
    </message>
    <message>
        <source>/dev/shm is missing on this node.</source>
        <translation>本节点没有 /dev/shm。</translation>
    </message>
    <message>
        <source>Mount a tmpfs there: data loader workers pass their batches through it.</source>
        <translation>请在此挂载 tmpfs：数据加载进程经它传递数据。</translation>
    </message>
    <message>
        <source>%1 of %2 free in /dev/shm.</source>
        <translation>/dev/shm 空闲 %1，共 %2。</translation>
    </message>
    <message>
        <source>Remove leftover files there, or give the container more (docker run --shm-size 16g): data loader workers pass their batches through it.</source>
        <translation>请删除其中的残留文件，或增大容器的共享内存（docker run --shm-size 16g）：数据加载进程经它传递数据。</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Open files per process: %1.</source>
        <translation>每个进程可打开的文件数：%1。</translation>
    </message>
    <message>
        <source>Launch with --open-files 65536: ranks open sockets to each other and files for data loader workers.</source>
        <translation>请以 --open-files 65536 启动：各 rank 之间要打开套接字，数据加载进程要打开文件。</translation>
    </message>
    <message>
        <source>Processes and threads per user: %1.</source>
        <translation>每个用户的进程与线程数：%1。</translation>
    </message>
    <message>
        <source>Raise the limit (ulimit -u 65536): each rank starts about a hundred threads.</source>
        <translation>请提高上限（ulimit -u 65536）：每个 rank 约启动一百个线程。</translation>
    </message>
    <message>
        <source>The driver lists no NPU in /dev on this node.</source>
        <translation>本节点的驱动在 /dev 中未列出 NPU。</translation>
    </message>
    <message numerus="yes">
        <source>The driver lists %n NPUs in /dev, all that are needed.</source>
        <comment>The driver lists %n NPU in /dev, all that is needed.</comment>
        <translation>
            <numerusform>驱动在 /dev 中列出 %n 张 NPU，满足需要。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The driver lists %n NPUs in /dev; these needed devices are missing: %1.</source>
        <comment>The driver lists %n NPU in /dev; these needed devices are missing: %1.</comment>
        <translation>
            <numerusform>驱动在 /dev 中列出 %n 张 NPU；缺少所需设备：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Launch fewer ranks here, or mount the devices into the container.</source>
        <translation>请减少在本节点启动的 rank，或将设备挂载进容器。</translation>
    </message>
    <message>
        <source>Stop it (%1), or launch with --stop-holders.</source>
        <translation>请停止它（%1），或以 --stop-holders 启动。</translation>
    </message>
    <message>
        <source>Ask its owner to end it, or use other devices.</source>
        <translation>请让其所有者结束它，或使用其他设备。</translation>
    </message>
    <message>
        <source>Its devices and its port are free.</source>
        <translation>所需设备与端口均空闲。</translation>
    </message>
    <message>
        <source>Ports %1-%2 and %3, where HCCL listens, are free.</source>
        <translation>HCCL 监听的端口 %1-%2 与 %3 均空闲。</translation>
    </message>
    <message>
        <source>Ports that HCCL needs are in use: %1.</source>
        <translation>HCCL 需要的端口已被占用：%1。</translation>
    </message>
    <message>
        <source>End the process that listens there (see ss -ltnp), or set HCCL_NPU_SOCKET_PORT_RANGE=auto and another HCCL_IF_BASE_PORT on every node.</source>
        <translation>请结束监听该端口的进程（见 ss -ltnp），或在所有节点设置 HCCL_NPU_SOCKET_PORT_RANGE=auto 并更换 HCCL_IF_BASE_PORT。</translation>
    </message>
    <message>
        <source>End the process that listens there (see ss -ltnp), or set another HCCL_IF_BASE_PORT on every node.</source>
        <translation>请结束监听该端口的进程（见 ss -ltnp），或在所有节点更换 HCCL_IF_BASE_PORT。</translation>
    </message>
    <message>
        <source>Devices %1 are needed, but the driver does not list them.</source>
        <translation>需要设备 %1，但驱动未列出。</translation>
    </message>
    <message>
        <source>Launch fewer ranks here, or run rankdeckctl devices to list the devices.</source>
        <translation>请减少在本节点启动的 rank，或执行 rankdeckctl devices 列出设备。</translation>
    </message>
    <message>
        <source>a log there is a link, or a file of another user</source>
        <translation>其中的日志是链接，或是其他用户的文件</translation>
    </message>
    <message>
        <source>cannot write to the log directory: %1</source>
        <translation>无法写入日志目录：%1</translation>
    </message>
    <message>
        <source>cannot empty the log: %1</source>
        <translation>无法清空日志：%1</translation>
    </message>
    <message>
        <source>Name another with %1.</source>
        <translation>请用 %1 指定其他目录。</translation>
    </message>
    <message>
        <source>device %1: %2</source>
        <translation>设备 %1：%2</translation>
    </message>
    <message>
        <source>HCCL_IF_IP is %1, not an address of this node: it has %2.</source>
        <translation>HCCL_IF_IP 为 %1，不是本节点的地址：本节点有 %2。</translation>
    </message>
    <message>
        <source>Set it to each node&apos;s own address, or unset it.</source>
        <translation>请设为各节点自己的地址，或取消该变量。</translation>
    </message>
    <message>
        <source>HCCL_SOCKET_IFNAME is &quot;%1&quot;, not a network card of this node: it has %2.</source>
        <translation>HCCL_SOCKET_IFNAME 为“%1”，不是本节点的网卡：本节点有 %2。</translation>
    </message>
    <message>
        <source>Name one of them, or unset it.</source>
        <translation>请指定其中之一，或取消该变量。</translation>
    </message>
    <message>
        <source>No network card is up.</source>
        <translation>没有处于 up 状态的网卡。</translation>
    </message>
    <message>
        <source>HCCL&apos;s root communicates over %1.</source>
        <translation>HCCL 的 root 经 %1 通信。</translation>
    </message>
    <message>
        <source>Check the cable, the optical module and the switch: hccn_tool -i N -optical -g and -lldp -g.</source>
        <translation>请检查线缆、光模块与交换机：hccn_tool -i N -optical -g 与 -lldp -g。</translation>
    </message>
    <message>
        <source>The network port is down: %1.</source>
        <translation>网口处于 down 状态：%1。</translation>
    </message>
    <message>
        <source>hccn_tool does not report the state of the network port: %1.</source>
        <translation>hccn_tool 未报告网口状态：%1。</translation>
    </message>
    <message>
        <source>The network ports of %1 are up.</source>
        <translation>%1 的网口均为 up。</translation>
    </message>
    <message>
        <source>device %1 has %2, the rank table says %3</source>
        <translation>设备 %1 为 %2，rank table 中为 %3</translation>
    </message>
    <message>
        <source>Addresses of NPUs differ from the rank table (HCCL: EJ0004): %1.</source>
        <translation>NPU 地址与 rank table 不一致（HCCL：EJ0004）：%1。</translation>
    </message>
    <message>
        <source>Generate the table again on this node (rankdeckctl ranktable generate), or fix it.</source>
        <translation>请在本节点重新生成（rankdeckctl ranktable generate），或改正该文件。</translation>
    </message>
    <message>
        <source>The NPUs&apos; network has no address at %1.</source>
        <translation>%1 的 NPU 网络没有地址。</translation>
    </message>
    <message>
        <source>Set one (hccn_tool -i N -ip -s), unless the launch is for one node.</source>
        <translation>请设置地址（hccn_tool -i N -ip -s）；单节点启动时不需要。</translation>
    </message>
    <message>
        <source>Devices with an address in the NPUs&apos; network: %1.</source>
        <translation>在 NPU 网络中有地址的设备：%1。</translation>
    </message>
    <message>
        <source>Devices with the address of the rank table: %1.</source>
        <translation>地址与 rank table 一致的设备：%1。</translation>
    </message>
    <message>
        <source>TLS is on for %1 and off for %2.</source>
        <translation>%1 启用了 TLS，%2 未启用。</translation>
    </message>
    <message>
        <source>Use the same setting everywhere: hccn_tool -i N -tls -s enable 0.</source>
        <translation>请在各处使用相同设置：hccn_tool -i N -tls -s enable 0。</translation>
    </message>
    <message>
        <source>hccn_tool does not report whether TLS is on.</source>
        <translation>hccn_tool 未报告 TLS 是否启用。</translation>
    </message>
    <message>
        <source>TLS is off for %1.</source>
        <translation>%1 未启用 TLS。</translation>
    </message>
    <message>
        <source>TLS is on for %1.</source>
        <translation>%1 已启用 TLS。</translation>
    </message>
    <message>
        <source>The NPUs&apos; network has problems: %1.</source>
        <translation>NPU 网络存在问题：%1。</translation>
    </message>
    <message>
        <source>Check the detection address, gateway and VLAN: hccn_tool -i N -netdetect -g.</source>
        <translation>请检查侦测地址、网关与 VLAN：hccn_tool -i N -netdetect -g。</translation>
    </message>
    <message>
        <source>The NPUs&apos; network does not check its health: no detection address is set.</source>
        <translation>NPU 网络未做健康检测：没有设置侦测地址。</translation>
    </message>
    <message>
        <source>The NPUs&apos; network is healthy for %1.</source>
        <translation>%1 的 NPU 网络正常。</translation>
    </message>
    <message>
        <source>TLS is on for the NPUs of %1 and off for those of %2, so they cannot connect.</source>
        <translation>%1 的 NPU 启用了 TLS，%2 的未启用，两者无法建链。</translation>
    </message>
    <message>
        <source>No node reports whether TLS is on for its NPUs.</source>
        <translation>没有节点报告其 NPU 是否启用 TLS。</translation>
    </message>
    <message>
        <source>TLS is set the same for the NPUs of all nodes.</source>
        <translation>所有节点 NPU 的 TLS 设置一致。</translation>
    </message>
    <message>
        <source>the run has not ended yet</source>
        <translation>任务尚未结束</translation>
    </message>
    <message>
        <source>port %1</source>
        <translation>端口 %1</translation>
    </message>
    <message>
        <source>port %1 of %2</source>
        <translation>%2 的端口 %1</translation>
    </message>
    <message>
        <source>Stop the run %1, which listens there (rankdeckctl stop %1, or --stop-holders)</source>
        <translation>请停止监听该端口的任务 %1（rankdeckctl stop %1 或 --stop-holders）</translation>
    </message>
    <message>
        <source>End %1, which listens there</source>
        <translation>请结束监听该端口的 %1</translation>
    </message>
    <message>
        <source>A process of %1 listens there: ask its owner to end it</source>
        <translation>监听该端口的是 %1 的进程：请让其所有者结束</translation>
    </message>
    <message>
        <source>End the process that listens there (see ss -ltnp)</source>
        <translation>请结束监听该端口的进程（见 ss -ltnp）</translation>
    </message>
    <message>
        <source>Python has no module of this name</source>
        <translation>Python 中没有该名称的模块</translation>
    </message>
    <message>
        <source>Install it there, or check its name, the working directory and PYTHONPATH.</source>
        <translation>请在该处安装，或检查模块名、工作目录与 PYTHONPATH。</translation>
    </message>
    <message>
        <source>the Python of this environment is gone: there is no %1</source>
        <translation>此环境的 Python 已不存在：没有 %1</translation>
    </message>
    <message>
        <source>the Python environment that the launch was started in was not found</source>
        <translation>找不到启动时所用的 Python 环境</translation>
    </message>
    <message>
        <source>Create it there, or launch without it: --unset-env %1.</source>
        <translation>请在该处创建，或不使用它启动：--unset-env %1。</translation>
    </message>
    <message>
        <source>the rank table does not exist</source>
        <translation>rank table 不存在</translation>
    </message>
    <message>
        <source>Check --rank_table_file, or leave it out.</source>
        <translation>请检查 --rank_table_file，或不指定它。</translation>
    </message>
    <message>
        <source>the run %1 is live and writes this log</source>
        <translation>任务 %1 正在运行，并写入该日志</translation>
    </message>
    <message>
        <source>Stop it, or name another directory with --log_dir.</source>
        <translation>请停止它，或用 --log_dir 指定其他目录。</translation>
    </message>
    <message>
        <source>%1 is a file</source>
        <translation>%1 是文件</translation>
    </message>
    <message>
        <source>the working directory does not exist</source>
        <translation>工作目录不存在</translation>
    </message>
    <message>
        <source>Create it, or name another with --work-dir.</source>
        <translation>请创建它，或用 --work-dir 指定其他目录。</translation>
    </message>
    <message>
        <source>cannot create the working directory: %1</source>
        <translation>无法创建工作目录：%1</translation>
    </message>
    <message>
        <source>Name another with --work-dir.</source>
        <translation>请用 --work-dir 指定其他目录。</translation>
    </message>
    <message>
        <source>the log directory is not empty</source>
        <translation>日志目录不为空</translation>
    </message>
    <message>
        <source>Empty it, name another with --log-dir, or leave --log-dir out.</source>
        <translation>请清空它、用 --log-dir 指定其他目录，或不指定 --log-dir。</translation>
    </message>
    <message>
        <source>cannot run the command: %1: %2</source>
        <translation>无法运行命令：%1：%2</translation>
    </message>
    <message>
        <source>Check its name, PATH and permissions.</source>
        <translation>请检查命令名、PATH 与权限。</translation>
    </message>
    <message>
        <source>the scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>cannot run the wrapper of %1: %2: %3</source>
        <translation>无法运行 %1 的包装命令：%2：%3</translation>
    </message>
    <message>
        <source>Install it, or check its name and PATH.</source>
        <translation>请安装它，或检查其名称与 PATH。</translation>
    </message>
    <message>
        <source>cannot run the command of %1: %2: %3</source>
        <translation>无法运行 %1 的命令：%2：%3</translation>
    </message>
    <message>
        <source>rank 0</source>
        <translation>rank 0</translation>
    </message>
    <message>
        <source>%1 cannot listen on %2: %3</source>
        <translation>%1 无法监听 %2：%3</translation>
    </message>
    <message>
        <source>Check the address and the port.</source>
        <translation>请检查地址与端口。</translation>
    </message>
    <message>
        <source>%1 is in use, so %2 cannot listen there</source>
        <translation>%1 已被占用，%2 无法在此监听</translation>
    </message>
    <message>
        <source>%1, or choose another on every node, e.g. %2=%3.</source>
        <translation>%1，或在所有节点换一个，例如 %2=%3。</translation>
    </message>
    <message>
        <source>%1, or choose another on every node.</source>
        <translation>%1，或在所有节点换一个。</translation>
    </message>
    <message>
        <source>the script does not exist</source>
        <translation>脚本不存在</translation>
    </message>
    <message>
        <source>Check its name and the working directory.</source>
        <translation>请检查脚本名与工作目录。</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>NPU network</source>
        <translation>NPU 网络</translation>
    </message>
    <message>
        <source>Pairs of ranks</source>
        <translation>rank 两两互通</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>FAIL</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>跳过</translation>
    </message>
    <message numerus="yes">
        <source>devices %1</source>
        <comment>device %1</comment>
        <translation>
            <numerusform>设备 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; the limit is %2</source>
        <translation>%1；上限为 %2</translation>
    </message>
    <message>
        <source>Raise it in the shell that you launch from (ulimit -%1 %2), or ask your administrator.</source>
        <translation>请在启动所用的 shell 中提高上限（ulimit -%1 %2），或联系管理员。</translation>
    </message>
    <message numerus="yes">
        <source>%n processes need about %1 open files</source>
        <comment>%n process needs about %1 open files</comment>
        <translation>
            <numerusform>%n 个进程约需打开 %1 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n processes will be started; %1 are already running</source>
        <comment>%n process will be started; %1 are already running</comment>
        <translation>
            <numerusform>将启动 %n 个进程；已有 %1 个在运行</numerusform>
        </translation>
    </message>
    <message>
        <source>No stacks of %1: it has not been started yet.</source>
        <translation>没有 %1 的调用栈：它尚未启动。</translation>
    </message>
    <message>
        <source>No stacks of %1: no connection to %2. Run this there: py-spy dump --pid %3, or eu-stack -p %3.</source>
        <translation>没有 %1 的调用栈：与 %2 没有连接。请在该节点执行：py-spy dump --pid %3 或 eu-stack -p %3。</translation>
    </message>
    <message>
        <source>No stacks of %1: it has ended.</source>
        <translation>没有 %1 的调用栈：它已结束。</translation>
    </message>
    <message numerus="yes">
        <source>Stacks of ranks %1 requested.</source>
        <comment>Stacks of rank %1 requested.</comment>
        <translation>
            <numerusform>已请求 rank %1 的调用栈。</numerusform>
        </translation>
    </message>
    <message>
        <source>Cannot write the stacks of %1 to %2: %3. Free some space there, and try again.</source>
        <translation>无法将 %1 的调用栈写入 %2：%3。请清理该处空间后重试。</translation>
    </message>
    <message>
        <source>No stacks of %1: %2</source>
        <translation>没有 %1 的调用栈：%2</translation>
    </message>
    <message>
        <source>%1 (faulthandler)</source>
        <translation>%1（faulthandler）</translation>
    </message>
    <message>
        <source>No stacks of %1: neither py-spy nor gdb nor eu-stack is installed where it runs, and it listens to no --dump-signal. Install one of them there, e.g. elfutils for eu-stack.</source>
        <translation>没有 %1 的调用栈：其所在节点未安装 py-spy、gdb 或 eu-stack，它也没有监听 --dump-signal。请在该节点安装其中之一，例如用 elfutils 安装 eu-stack。</translation>
    </message>
    <message>
        <source>No stacks of %1: %2 failed%3. Try again, or run it there by hand.</source>
        <translation>没有 %1 的调用栈：%2 失败%3。请重试，或在该节点手动执行。</translation>
    </message>
    <message>
        <source>No stacks of %1: %2 may not inspect the process (%3).</source>
        <translation>没有 %1 的调用栈：%2 无权查看该进程（%3）。</translation>
    </message>
    <message>
        <source>kernel.yama.ptrace_scope is %1 there. As root, set it to 0 with sysctl. Or register faulthandler in the program and launch with --dump-signal.</source>
        <translation>该节点的 kernel.yama.ptrace_scope 为 %1。请以 root 执行 sysctl 将其设为 0；或在程序中注册 faulthandler，并以 --dump-signal 启动。</translation>
    </message>
    <message>
        <source>Give the container the capability SYS_PTRACE. Or register faulthandler in the program and launch with --dump-signal.</source>
        <translation>请为容器授予 SYS_PTRACE 能力；或在程序中注册 faulthandler，并以 --dump-signal 启动。</translation>
    </message>
    <message>
        <source>the supervisor cannot be started: %1</source>
        <translation>无法启动监管进程：%1</translation>
    </message>
    <message>
        <source>the plan has no process to start</source>
        <translation>计划中没有要启动的进程</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 Rank %2 runs on it.</source>
        <translation>%1其上运行 rank %2。</translation>
    </message>
    <message>
        <source>Device %1 of rank %2 is also used by %3, which is not part of this run.</source>
        <translation>rank %2 的设备 %1 还被不属于本任务的 %3 占用。</translation>
    </message>
    <message>
        <source>The history of samples has gaps: %1</source>
        <translation>采样历史有缺口：%1</translation>
    </message>
    <message>
        <source>All ranks have caught up.</source>
        <translation>所有 rank 均已跟上。</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 continue.</source>
        <comment>Rank %1 continues.</comment>
        <translation>
            <numerusform>rank %1 继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2 %)</source>
        <translation>%1（%2 %）</translation>
    </message>
    <message numerus="yes">
        <source>AICore of ranks %1 has been at 0 % for %2 s.</source>
        <comment>AICore of rank %1 has been at 0 % for %2 s.</comment>
        <translation>
            <numerusform>rank %1 的 AICore 利用率为 0 % 已持续 %2 s。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The NPUs of ranks %1 have been at 0 % for %2 s.</source>
        <comment>The NPU of rank %1 has been at 0 % for %2 s.</comment>
        <translation>
            <numerusform>rank %1 的 NPU 利用率为 0 % 已持续 %2 s。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The NPUs of ranks %1 are busy: they may be computing.</source>
        <comment>The NPU of rank %1 is busy: it may be computing.</comment>
        <translation>
            <numerusform>rank %1 的 NPU 正忙：可能在计算。</numerusform>
        </translation>
    </message>
    <message>
        <source>rankdeckctl is installed there but cannot run: the library %1 is missing</source>
        <translation>该节点装有 rankdeckctl 但无法运行：缺少库 %1</translation>
    </message>
    <message>
        <source>Install Qt 6.4 or later there (libqt6network6 on Debian and Ubuntu, qt6-qtbase on openEuler). Or name a rankdeckctl that runs there with --node-program.</source>
        <translation>请在该节点安装 Qt 6.4 或更高版本（Debian 与 Ubuntu 为 libqt6network6，openEuler 为 qt6-qtbase），或用 --node-program 指定可在该节点运行的 rankdeckctl。</translation>
    </message>
    <message>
        <source>Install the package of that library there, or name a rankdeckctl that runs there with --node-program.</source>
        <translation>请在该节点安装提供该库的软件包，或用 --node-program 指定可在该节点运行的 rankdeckctl。</translation>
    </message>
    <message>
        <source>rankdeckctl is installed there but cannot run: %1 is older than required (%2)</source>
        <translation>该节点装有 rankdeckctl 但无法运行：%1 低于所需版本（%2）</translation>
    </message>
    <message>
        <source>Build Rankdeck on such a node, and name that rankdeckctl with --node-program.</source>
        <translation>请在这样的节点上构建 Rankdeck，并用 --node-program 指定该 rankdeckctl。</translation>
    </message>
    <message>
        <source>cannot create a temporary folder: %1</source>
        <translation>无法创建临时目录：%1</translation>
    </message>
    <message>
        <source>the node did not show its host key: %1</source>
        <translation>节点未给出主机密钥：%1</translation>
    </message>
    <message>
        <source>ssh-keygen cannot show the key&apos;s fingerprint: %1</source>
        <translation>ssh-keygen 无法显示密钥指纹：%1</translation>
    </message>
    <message>
        <source>cannot save the host key: %1</source>
        <translation>无法保存主机密钥：%1</translation>
    </message>
    <message>
        <source>Its host key differs from the accepted one</source>
        <translation>其主机密钥与已接受的不同</translation>
    </message>
    <message>
        <source>Its host key differs from the accepted one: it is now %1</source>
        <translation>其主机密钥与已接受的不同：现为 %1</translation>
    </message>
    <message>
        <source>Ask its owner whether it was reinstalled, then remove the old key with ssh-keygen -R.</source>
        <translation>请向其所有者确认是否重装过系统，再用 ssh-keygen -R 删除旧密钥。</translation>
    </message>
    <message>
        <source>Run the same command by hand for details.</source>
        <translation>请手动执行同一命令查看详情。</translation>
    </message>
    <message>
        <source>Review its host key, and trust it with rankdeckctl nodes trust %1.</source>
        <translation>请核对其主机密钥，并用 rankdeckctl nodes trust %1 信任它。</translation>
    </message>
    <message>
        <source>Put your public key there (ssh-copy-id %1), or unlock the key with ssh-add.</source>
        <translation>请将公钥放到该节点（ssh-copy-id %1），或用 ssh-add 解锁密钥。</translation>
    </message>
    <message>
        <source>Install Rankdeck there, or name its rankdeckctl with --node-program.</source>
        <translation>请在该节点安装 Rankdeck，或用 --node-program 指定该节点的 rankdeckctl。</translation>
    </message>
    <message>
        <source>Check that programs may run there (no file system mounted with noexec), or name another with --node-program.</source>
        <translation>请确认该处可以运行程序（文件系统未以 noexec 挂载），或用 --node-program 指定其他路径。</translation>
    </message>
    <message>
        <source>cannot pack rankdeckctl to copy it: %1</source>
        <translation>无法打包要复制的 rankdeckctl：%1</translation>
    </message>
    <message>
        <source>the folder cannot be made</source>
        <translation>无法创建目录</translation>
    </message>
    <message>
        <source>rankdeckctl is not in PATH there, and this machine has none for %1</source>
        <translation>该节点的 PATH 中没有 rankdeckctl，本机也没有适用于 %1 的版本</translation>
    </message>
    <message>
        <source>Put %1 into %2 on this machine, install Rankdeck there, or name its rankdeckctl with --node-program.</source>
        <translation>请将 %1 放入本机的 %2、在该节点安装 Rankdeck，或用 --node-program 指定该节点的 rankdeckctl。</translation>
    </message>
    <message>
        <source>cannot read rankdeckctl to copy it: %1</source>
        <translation>无法读取要复制的 rankdeckctl：%1</translation>
    </message>
    <message>
        <source>there is no translation to &quot;%1&quot;</source>
        <translation>没有“%1”的翻译</translation>
    </message>
    <message>
        <source>Give auto, %1.</source>
        <translation>请指定 auto、%1。</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>是否想输入 %1？</translation>
    </message>
    <message>
        <source>rankdeckctl, which supervises runs, was not found</source>
        <translation>找不到监管任务所需的 rankdeckctl</translation>
    </message>
    <message>
        <source>Install it beside this program or in PATH, or set RANKDECK_CTL.</source>
        <translation>请将它安装到本程序旁或 PATH 中，或设置 RANKDECK_CTL。</translation>
    </message>
    <message>
        <source>the demo&apos;s files were not found</source>
        <translation>找不到演示所需的文件</translation>
    </message>
    <message>
        <source>Install Rankdeck completely, or set RANKDECK_RESOURCES.</source>
        <translation>请完整安装 Rankdeck，或设置 RANKDECK_RESOURCES。</translation>
    </message>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 天</translation>
    </message>
    <message>
        <source>%1 d %2</source>
        <translation>%1 天 %2</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>它不是文件</translation>
    </message>
    <message>
        <source>cannot open the bundle: %1</source>
        <translation>无法打开报告包：%1</translation>
    </message>
    <message>
        <source>it is not a .tar.gz file</source>
        <translation>它不是 .tar.gz 文件</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>它已损坏</translation>
    </message>
    <message>
        <source>it contains an invalid file name, &quot;%1&quot;</source>
        <translation>其中含有无效的文件名“%1”</translation>
    </message>
    <message>
        <source>it contains a link, &quot;%1&quot;</source>
        <translation>其中含有链接“%1”</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>it contains more than %1 files</source>
        <translation>其中的文件超过 %1 个</translation>
    </message>
    <message>
        <source>it contains &quot;%1&quot;, which is not a file</source>
        <translation>其中的“%1”不是文件</translation>
    </message>
    <message>
        <source>it contains &quot;%1&quot; outside its folder</source>
        <translation>其中的“%1”在其目录之外</translation>
    </message>
    <message>
        <source>cannot create a folder below %1</source>
        <translation>无法在 %1 下创建目录</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 无法写入：%2</translation>
    </message>
    <message>
        <source>it contains more than %1 MB</source>
        <translation>其内容超过 %1 MB</translation>
    </message>
    <message>
        <source>cannot be written: %1</source>
        <translation>无法写入：%1</translation>
    </message>
    <message>
        <source>Select another location.</source>
        <translation>请选择其他位置。</translation>
    </message>
    <message>
        <source>it is a symbolic link</source>
        <translation>它是符号链接</translation>
    </message>
    <message>
        <source>libarchive refuses it</source>
        <translation>libarchive 拒绝处理</translation>
    </message>
    <message>
        <source>no answer within %1 s</source>
        <translation>%1 s 内没有应答</translation>
    </message>
    <message>
        <source>it failed, exit code %1</source>
        <translation>执行失败，退出码 %1</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>unknown: %1</source>
        <translation>未知：%1</translation>
    </message>
    <message>
        <source>Not installed on this machine: npu-smi.
</source>
        <translation>本机未安装：npu-smi。
</translation>
    </message>
    <message>
        <source>%1 info, on %2 at %3
</source>
        <translation>%1 info，%2，%3
</translation>
    </message>
    <message>
        <source>npu-smi printed nothing useful: %1.
</source>
        <translation>npu-smi 没有输出有用的内容：%1。
</translation>
    </message>
    <message>
        <source># Set by the launch. Inherited variables are not recorded.
</source>
        <translation># 由启动设置。继承的变量不记录。
</translation>
    </message>
    <message>
        <source># All processes
</source>
        <translation># 所有进程
</translation>
    </message>
    <message>
        <source>this is not a report bundle that this version of Rankdeck can read</source>
        <translation>此版本的 Rankdeck 无法读取这个报告包</translation>
    </message>
    <message>
        <source>this bundle was made by a newer version of Rankdeck</source>
        <translation>该报告包由更新版本的 Rankdeck 生成</translation>
    </message>
    <message>
        <source>Update Rankdeck.</source>
        <translation>请升级 Rankdeck。</translation>
    </message>
    <message>
        <source>Opened from a report bundle that was made on %1 at %2 (run: %3); nothing runs here.</source>
        <translation>打开自 %2 在 %1 生成的报告包（任务：%3）；此处没有进程在运行。</translation>
    </message>
    <message>
        <source>[rankdeck: %1 bytes (%2 lines) omitted here]
</source>
        <translation>[rankdeck：此处省略 %1 字节（%2 行）]
</translation>
    </message>
    <message>
        <source>is not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>cannot create a directory for the bundle: %1</source>
        <translation>无法为报告包创建目录：%1</translation>
    </message>
    <message>
        <source>the bundle was cancelled</source>
        <translation>报告包已取消</translation>
    </message>
    <message>
        <source>%1: cannot be read: %2</source>
        <translation>%1：无法读取：%2</translation>
    </message>
    <message>
        <source>%1: %2 of its %3 bytes, from byte %4 on</source>
        <translation>%1：共 %3 字节，包含从第 %4 字节起的 %2 字节</translation>
    </message>
    <message>
        <source>Report bundle of %1</source>
        <translation>%1 的报告包</translation>
    </message>
    <message>
        <source>Made by Rankdeck %1 on %2 at %3</source>
        <translation>由 Rankdeck %1 在 %2 于 %3 生成</translation>
    </message>
    <message>
        <source>To read it: rankdeck --open FILE, or rankdeckctl report FILE. report.txt says what happened.</source>
        <translation>查看方法：rankdeck --open FILE 或 rankdeckctl report FILE。事件经过见 report.txt。</translation>
    </message>
    <message>
        <source>Masked, here and wherever the values appear in the files (as %1):</source>
        <translation>已遮盖，此处以及文件中出现这些值的地方（显示为 %1）：</translation>
    </message>
    <message>
        <source>  who logs in, in addresses, e.g. https://user:password@host</source>
        <translation>  地址中的登录信息，例如 https://user:password@host</translation>
    </message>
    <message>
        <source>Secrets are recognised by name; values under other names are not masked. Check the bundle before you share it.</source>
        <translation>敏感信息按名称识别；其他名称下的值不会遮盖。分享前请检查报告包。</translation>
    </message>
    <message>
        <source>Omitted:</source>
        <translation>已省略：</translation>
    </message>
    <message>
        <source>  and others: %1 in all</source>
        <translation>  及其他：共 %1 个</translation>
    </message>
    <message>
        <source>  nothing</source>
        <translation>  无</translation>
    </message>
    <message>
        <source>  the logs of earlier attempts: this is attempt %1</source>
        <translation>  更早各次尝试的日志：本次为第 %1 次尝试</translation>
    </message>
    <message>
        <source>All files are complete.</source>
        <translation>所有文件均完整。</translation>
    </message>
    <message numerus="yes">
        <source>The middle of %n files was omitted.</source>
        <comment>The middle of %n file was omitted.</comment>
        <translation>
            <numerusform>%n 个文件的中间部分已省略。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was masked: no name indicates a secret.</source>
        <translation>没有遮盖任何内容：没有名称表明是敏感信息。</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Values of %1 were masked.</source>
        <translation>%1 的值已遮盖。</translation>
    </message>
    <message numerus="yes">
        <source>%n floats</source>
        <comment>%n float</comment>
        <translation>
            <numerusform>%n 个 float</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n doubles</source>
        <comment>%n double</comment>
        <translation>
            <numerusform>%n 个 double</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 int32</source>
        <translation>%1 个 int32</translation>
    </message>
    <message>
        <source>%1 int64</source>
        <translation>%1 个 int64</translation>
    </message>
    <message numerus="yes">
        <source>%n bytes</source>
        <comment>%n byte</comment>
        <translation>
            <numerusform>%n 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>a broadcast of %1 from rank %2</source>
        <translation>从 rank %2 broadcast %1</translation>
    </message>
    <message>
        <source>an allreduce sum of %1</source>
        <translation>%1 的 allreduce sum</translation>
    </message>
    <message>
        <source>an allreduce max of %1</source>
        <translation>%1 的 allreduce max</translation>
    </message>
    <message>
        <source>a broadcast of an object from rank %1</source>
        <translation>从 rank %1 broadcast 一个对象</translation>
    </message>
    <message>
        <source>an allgather</source>
        <translation>allgather</translation>
    </message>
    <message>
        <source>a barrier</source>
        <translation>barrier</translation>
    </message>
    <message>
        <source>and others something else</source>
        <translation>其他 rank 调用了别的操作</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 call %2</source>
        <comment>rank %1 calls %2</comment>
        <translation>
            <numerusform>rank %1 调用 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>the ranks do not call the same operation: %1</source>
        <translation>各 rank 调用的操作不一致：%1</translation>
    </message>
    <message>
        <source>Rankdeck was built without Gloo, so each of the %1 ranks runs alone, as rank 0 of 1. Install libgloo-dev and rebuild Rankdeck.</source>
        <translation>Rankdeck 构建时未启用 Gloo，因此 %1 个 rank 各自以 rank 0（共 1 个）单独运行。请安装 libgloo-dev 并重新构建 Rankdeck。</translation>
    </message>
    <message>
        <source>distInit() has no method &quot;%1&quot;; its methods are &quot;slurm&quot; and &quot;single_node&quot;</source>
        <translation>distInit() 没有方法“%1”；可用方法为“slurm”和“single_node”</translation>
    </message>
    <message>
        <source>distInit() was called before; call distFinalize() first</source>
        <translation>distInit() 已调用过；请先调用 distFinalize()</translation>
    </message>
    <message>
        <source>distInit() has not been called</source>
        <translation>尚未调用 distInit()</translation>
    </message>
    <message>
        <source>an allreduce sum is divided by the number of ranks, which is not possible for integers; use allreduceSum() for them</source>
        <translation>allreduce sum 会除以 rank 数，整数无法这样计算；请改用 allreduceSum()</translation>
    </message>
    <message>
        <source>rank %1 is not in the group that it should broadcast to</source>
        <translation>rank %1 不在它要 broadcast 的组中</translation>
    </message>
    <message>
        <source>%2 ranks cannot be divided into groups of %1</source>
        <translation>%2 个 rank 无法按每组 %1 个分组</translation>
    </message>
    <message>
        <source>array split does not result in an equal division</source>
        <translation>数组无法等分</translation>
    </message>
    <message>
        <source>Gloo failed: %1</source>
        <translation>Gloo 失败：%1</translation>
    </message>
    <message>
        <source>Gloo failed in %1: %2</source>
        <translation>Gloo 在 %1 中失败：%2</translation>
    </message>
    <message>
        <source>the ranks do not agree on the size of a collective operation&apos;s data; here it was %1</source>
        <translation>各 rank 的集合通信数据大小不一致；本 rank 为 %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>of %1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>a group of %1 has no rank %2 to broadcast from</source>
        <translation>%1 个 rank 的组中没有用于 broadcast 的 rank %2</translation>
    </message>
    <message>
        <source>connecting ranks %1</source>
        <translation>连接 rank（%1）</translation>
    </message>
    <message numerus="yes">
        <source>%1 failed: ranks %2 have not joined it within %3 s</source>
        <comment>%1 failed: rank %2 has not joined it within %3 s</comment>
        <translation>
            <numerusform>%1失败：rank %2 在 %3 s 内没有加入</numerusform>
        </translation>
    </message>
    <message>
        <source>an allgather %1</source>
        <translation>allgather %1</translation>
    </message>
    <message>
        <source>a broadcast %1</source>
        <translation>broadcast %1</translation>
    </message>
    <message>
        <source>an allreduce %1</source>
        <translation>allreduce %1</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 失败：%2</translation>
    </message>
    <message>
        <source>cannot connect the ranks at %1: %2</source>
        <translation>无法在 %1 连接各 rank：%2</translation>
    </message>
    <message>
        <source>a broadcast needs other processes, but this one is alone</source>
        <translation>broadcast 需要其他进程，但只有本进程</translation>
    </message>
    <message>
        <source>a rank is listed twice in group %1</source>
        <translation>组 %1 中有 rank 重复</translation>
    </message>
    <message>
        <source>rank %1 is not in group %2, which it creates</source>
        <translation>rank %1 不在它创建的组 %2 中</translation>
    </message>
    <message>
        <source>group %1 contains ranks that are not among %2</source>
        <translation>组 %1 含有不属于 %2 的 rank</translation>
    </message>
    <message>
        <source>Rankdeck was built without Gloo, which connects ranks. Install libgloo-dev and rebuild Rankdeck.</source>
        <translation>Rankdeck 构建时未启用 Gloo，而各 rank 之间要靠它连接。请安装 libgloo-dev 并重新构建 Rankdeck。</translation>
    </message>
    <message>
        <source>%1 accepts connections, but does not answer as rank %2 within %3 s</source>
        <translation>%1 接受连接，但 %3 s 内没有以 rank %2 应答</translation>
    </message>
    <message>
        <source>no connection to %1 within %2 s</source>
        <translation>%2 s 内未能连接 %1</translation>
    </message>
    <message>
        <source>rank %1 has not reported its address</source>
        <translation>rank %1 没有上报地址</translation>
    </message>
    <message>
        <source>no connection to %1: %2</source>
        <translation>未能连接 %1：%2</translation>
    </message>
    <message>
        <source>rank %1 cannot reach it</source>
        <translation>rank %1 无法连接它</translation>
    </message>
    <message>
        <source>%1; it is unknown whether the other direction works</source>
        <translation>%1；反方向是否可达未知</translation>
    </message>
    <message>
        <source>%1; the other direction works: check the firewall there</source>
        <translation>%1；反方向可达：请检查该处的防火墙</translation>
    </message>
    <message>
        <source>%1; the other direction does not work either</source>
        <translation>%1；反方向同样不可达</translation>
    </message>
    <message>
        <source>%1 did not finish in time</source>
        <translation>%1未在时限内完成</translation>
    </message>
    <message>
        <source>the connection broke during %1: %2</source>
        <translation>%1时连接断开：%2</translation>
    </message>
    <message>
        <source>the first round trip</source>
        <translation>第一次往返</translation>
    </message>
    <message>
        <source>a round trip</source>
        <translation>往返</translation>
    </message>
    <message>
        <source>sending %1 bytes</source>
        <translation>发送 %1 字节</translation>
    </message>
    <message>
        <source>receiving %1 bytes</source>
        <translation>接收 %1 字节</translation>
    </message>
    <message>
        <source>the connection of rank %1 broke: %2</source>
        <translation>rank %1 的连接断开：%2</translation>
    </message>
    <message>
        <source>its latency is %1 times the usual (%2)</source>
        <translation>其时延是常见值的 %1 倍（%2）</translation>
    </message>
    <message>
        <source>the usual bandwidth is %1 times its own (%2)</source>
        <translation>常见带宽是它的 %1 倍（%2）</translation>
    </message>
    <message>
        <source>one way is %1 times as fast as the other (%2)</source>
        <translation>一个方向的速度是另一方向的 %1 倍（%2）</translation>
    </message>
    <message>
        <source>%1 to %2: %3 MB/s, back: %4 MB/s</source>
        <translation>%1 到 %2：%3 MB/s，反向：%4 MB/s</translation>
    </message>
    <message>
        <source>broadcast</source>
        <translation>broadcast</translation>
    </message>
    <message>
        <source>allreduce sum</source>
        <translation>allreduce sum</translation>
    </message>
    <message>
        <source>allreduce max</source>
        <translation>allreduce max</translation>
    </message>
    <message>
        <source>rank %1 has %2 at index %3, not %4</source>
        <translation>rank %1 在下标 %3 处为 %2，应为 %4</translation>
    </message>
    <message>
        <source>without collectives, as Rankdeck was built without Gloo</source>
        <translation>不含集合通信，因为 Rankdeck 构建时未启用 Gloo</translation>
    </message>
    <message>
        <source>the store did not return the addresses of all ranks</source>
        <translation>store 没有返回全部 rank 的地址</translation>
    </message>
    <message>
        <source>the connection to rank %1 does not work: %2</source>
        <translation>与 rank %1 的连接不可用：%2</translation>
    </message>
    <message>
        <source>without collectives, as ranks %1 cannot all reach each other</source>
        <translation>不含集合通信，因为 rank %1 无法全部互通</translation>
    </message>
    <message>
        <source>is not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>Start this process with a launcher that sets it.</source>
        <translation>请用会设置它的启动器启动本进程。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number from %2 to %3</source>
        <translation>“%1”不是 %2 到 %3 之间的数</translation>
    </message>
    <message>
        <source>%1 is not less than %2=%3</source>
        <translation>%1 不小于 %2=%3</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a port from 1 to 65535</source>
        <translation>“%1”不是 1 到 65535 之间的端口</translation>
    </message>
    <message>
        <source>rank 0 cannot open the store for the ranks: %1</source>
        <translation>rank 0 无法为各 rank 打开 store：%1</translation>
    </message>
    <message>
        <source>rank 0, which keeps the store at %1, has not arrived within %2 s: %3</source>
        <translation>在 %1 提供 store 的 rank 0 在 %2 s 内没有到达：%3</translation>
    </message>
    <message>
        <source>cannot accept connections there: %1</source>
        <translation>无法在该处接受连接：%1</translation>
    </message>
    <message>
        <source>Another program may use the port; choose another port.</source>
        <translation>端口可能被其他程序占用；请更换端口。</translation>
    </message>
    <message>
        <source>host address not found: %1</source>
        <translation>找不到主机地址：%1</translation>
    </message>
    <message>
        <source>no connection: %1</source>
        <translation>无法建立连接：%1</translation>
    </message>
    <message>
        <source>nothing was heard of %1 in time</source>
        <translation>未及时收到 %1 的消息</translation>
    </message>
    <message>
        <source>nothing was heard within %1 s of rank %2</source>
        <translation>%1 s 内没有收到 rank %2 的消息</translation>
    </message>
    <message>
        <source>the store sent an invalid answer</source>
        <translation>store 返回了无效的应答</translation>
    </message>
    <message>
        <source>the store has ended</source>
        <translation>store 已结束</translation>
    </message>
    <message>
        <source>rank %1 has not arrived within %2 s</source>
        <translation>rank %1 在 %2 s 内没有到达</translation>
    </message>
    <message>
        <source>ranks %1 have not arrived within %2 s</source>
        <translation>rank %1 在 %2 s 内没有到达</translation>
    </message>
    <message>
        <source>rank 0 is one of %1 ranks</source>
        <translation>rank 0 的总 rank 数为 %1</translation>
    </message>
    <message>
        <source>rank %1 was started as one of %2 ranks, but rank 0 as one of %3</source>
        <translation>rank %1 启动时的总 rank 数为 %2，而 rank 0 的为 %3</translation>
    </message>
    <message>
        <source>rank %1 already exists</source>
        <translation>rank %1 已存在</translation>
    </message>
    <message>
        <source>two processes were started as rank %1</source>
        <translation>有两个进程以 rank %1 启动</translation>
    </message>
    <message>
        <source>rank %1 has gone away</source>
        <translation>rank %1 已断开</translation>
    </message>
    <message>
        <source>rank 0, which keeps the store, has gone away</source>
        <translation>提供 store 的 rank 0 已断开</translation>
    </message>
    <message>
        <source>not an NPU library: dcmi_init and related functions are missing</source>
        <translation>不是 NPU 库：缺少 dcmi_init 及相关函数</translation>
    </message>
    <message>
        <source>Install the Ascend driver, or name its libdcmi.so in RANKDECK_DCMI.</source>
        <translation>请安装昇腾驱动，或在 RANKDECK_DCMI 中指定其 libdcmi.so。</translation>
    </message>
    <message>
        <source>DCMI finds no NPU</source>
        <translation>DCMI 没有找到 NPU</translation>
    </message>
    <message>
        <source>not a history of devices</source>
        <translation>不是设备历史</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>not a history of that kind</source>
        <translation>不是该类历史</translation>
    </message>
    <message>
        <source>card %1</source>
        <translation>卡 %1</translation>
    </message>
    <message>
        <source>chip %1</source>
        <translation>芯片 %1</translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>Device %1 (%2)</source>
        <translation>设备 %1（%2）</translation>
    </message>
    <message>
        <source>%1: its health is %2.</source>
        <translation>%1：健康状态为 %2。</translation>
    </message>
    <message>
        <source>%1: its health was %2 and is %3.</source>
        <translation>%1：健康状态由 %2 变为 %3。</translation>
    </message>
    <message>
        <source>%1: it reports the error 0x%2.</source>
        <translation>%1：上报错误 0x%2。</translation>
    </message>
    <message>
        <source>%1: %2 more uncorrected bit errors of its memory.</source>
        <translation>%1：内存新增 %2 个不可纠正的比特错误。</translation>
    </message>
    <message>
        <source>%1: the link of its network port is down.</source>
        <translation>%1：网口链路 down。</translation>
    </message>
    <message>
        <source>%1: the link of its network port is up again.</source>
        <translation>%1：网口链路恢复 up。</translation>
    </message>
    <message>
        <source>%1: the driver no longer lists it.</source>
        <translation>%1：驱动不再列出它。</translation>
    </message>
    <message>
        <source>%1: the driver lists it again.</source>
        <translation>%1：驱动又列出了它。</translation>
    </message>
    <message>
        <source>%1: no problems are known any more.</source>
        <translation>%1：已没有已知问题。</translation>
    </message>
    <message>
        <source>it failed with code %1</source>
        <translation>执行失败，返回 %1</translation>
    </message>
    <message>
        <source>no NPU driver on this machine: neither npu-smi nor libdcmi.so is installed</source>
        <translation>本机没有 NPU 驱动：既未安装 npu-smi，也没有 libdcmi.so</translation>
    </message>
    <message>
        <source>Install the Ascend driver; in a container, mount /usr/local/bin/npu-smi, /usr/local/dcmi and /usr/local/Ascend/driver.</source>
        <translation>请安装昇腾驱动；在容器中请挂载 /usr/local/bin/npu-smi、/usr/local/dcmi 与 /usr/local/Ascend/driver。</translation>
    </message>
    <message>
        <source>invalid device samples</source>
        <translation>设备采样无效</translation>
    </message>
    <message>
        <source>the users of the NPUs are unknown: %1</source>
        <translation>无法得知 NPU 被哪些进程占用：%1</translation>
    </message>
    <message>
        <source>invalid parameter</source>
        <translation>参数无效</translation>
    </message>
    <message>
        <source>not permitted</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>an error inside the driver</source>
        <translation>驱动内部错误</translation>
    </message>
    <message>
        <source>the driver did not answer in time</source>
        <translation>驱动未及时应答</translation>
    </message>
    <message>
        <source>unknown device</source>
        <translation>未知的设备</translation>
    </message>
    <message>
        <source>the device does not exist</source>
        <translation>设备不存在</translation>
    </message>
    <message>
        <source>the driver rejected a request</source>
        <translation>驱动拒绝了请求</translation>
    </message>
    <message>
        <source>the device is not ready</source>
        <translation>设备未就绪</translation>
    </message>
    <message>
        <source>not possible in a container</source>
        <translation>容器中不可用</translation>
    </message>
    <message>
        <source>the device is in use</source>
        <translation>设备被占用</translation>
    </message>
    <message>
        <source>not supported by this device</source>
        <translation>该设备不支持</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>this container lacks %1</source>
        <translation>本容器缺少 %1</translation>
    </message>
    <message>
        <source>Start it with %1.</source>
        <translation>请以 %1 启动容器。</translation>
    </message>
    <message>
        <source>this machine lacks %1</source>
        <translation>本机缺少 %1</translation>
    </message>
    <message>
        <source>Ask root to install and load the Ascend driver.</source>
        <translation>请让 root 安装并加载昇腾驱动。</translation>
    </message>
    <message>
        <source>the user %1 may not open %2</source>
        <translation>用户 %1 无权打开 %2</translation>
    </message>
    <message>
        <source>Ask root to add the user to the group %1, then log in again.</source>
        <translation>请让 root 将用户加入用户组 %1，然后重新登录。</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>错误 %1</translation>
    </message>
    <message>
        <source>cannot reach the NPUs (%1, %2)</source>
        <translation>无法访问 NPU（%1，%2）</translation>
    </message>
    <message>
        <source>%1: another container or virtual machine uses them</source>
        <translation>%1：被其他容器或虚拟机占用</translation>
    </message>
    <message>
        <source>End that one, or start this one with its own NPUs (--device /dev/davinciN).</source>
        <translation>请结束对方，或为本容器分配各自的 NPU（--device /dev/davinciN）。</translation>
    </message>
    <message>
        <source>%1, although this container has all that it needs</source>
        <translation>%1，但本容器所需均已具备</translation>
    </message>
    <message>
        <source>Another container may use the same NPUs, or the driver versions of container and host differ. See dmesg on the host.</source>
        <translation>可能有其他容器占用同样的 NPU，或容器与主机的驱动版本不同。请在主机上查看 dmesg。</translation>
    </message>
    <message>
        <source>See dmesg for messages of the driver.</source>
        <translation>请在 dmesg 中查看驱动的消息。</translation>
    </message>
    <message>
        <source>cannot query the NPUs: %1</source>
        <translation>无法查询 NPU：%1</translation>
    </message>
    <message>
        <source>cannot query the NPUs: %1; %2</source>
        <translation>无法查询 NPU：%1；%2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not %2</source>
        <translation>“%1”不是%2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is missing</source>
        <translation>缺少“%1”</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation> %1 到 %2 之间的整数</translation>
    </message>
    <message>
        <source>one of self, peer, pair and nobody</source>
        <translation> self、peer、pair、nobody 之一</translation>
    </message>
    <message>
        <source>one of device, setting, own, disagreement, wait, wrapper, consequence and hint</source>
        <translation>device、setting、own、disagreement、wait、wrapper、consequence、hint 之一</translation>
    </message>
    <message>
        <source>a list of strings</source>
        <translation>字符串列表</translation>
    </message>
    <message>
        <source>unknown key &quot;%1&quot;</source>
        <translation>未知的键“%1”</translation>
    </message>
    <message>
        <source>it is not an object</source>
        <translation>它不是对象</translation>
    </message>
    <message>
        <source>this is not an error catalogue</source>
        <translation>这不是错误码库</translation>
    </message>
    <message>
        <source>It holds one JSON object with a list named &quot;entries&quot;.</source>
        <translation>它应为一个 JSON 对象，其中有名为“entries”的列表。</translation>
    </message>
    <message>
        <source>the id is used twice</source>
        <translation>id 重复</translation>
    </message>
    <message>
        <source>entry %1</source>
        <translation>条目 %1</translation>
    </message>
    <message>
        <source>the pattern is not a regular expression: %1</source>
        <translation>模式不是正则表达式：%1</translation>
    </message>
    <message>
        <source>See the syntax of RE2.</source>
        <translation>请参阅 RE2 语法。</translation>
    </message>
    <message>
        <source>the patterns need more memory than allowed</source>
        <translation>这些模式所需内存超过上限</translation>
    </message>
    <message>
        <source>%1, line %2, in %3</source>
        <translation>%1 第 %2 行（%3）</translation>
    </message>
    <message>
        <source>the error file cannot be read</source>
        <translation>无法读取错误文件</translation>
    </message>
    <message>
        <source>the error file cannot be written: %1</source>
        <translation>无法写入错误文件：%1</translation>
    </message>
    <message>
        <source>Known error %1: %2</source>
        <translation>已知错误 %1：%2</translation>
    </message>
    <message>
        <source>killed from outside, often by the kernel when out of memory</source>
        <translation>被外部强制结束，常因内存不足由内核执行</translation>
    </message>
    <message>
        <source>invalid memory access (segmentation fault)</source>
        <translation>非法内存访问（段错误）</translation>
    </message>
    <message>
        <source>access to memory that does not exist (bus error), often a full /dev/shm</source>
        <translation>访问不存在的内存（总线错误），常因 /dev/shm 已满</translation>
    </message>
    <message>
        <source>it aborted, after an assertion or an error that it could not handle</source>
        <translation>断言失败或遇到无法处理的错误后主动中止</translation>
    </message>
    <message>
        <source>it ran an instruction that this processor does not support</source>
        <translation>执行了本处理器不支持的指令</translation>
    </message>
    <message>
        <source>an arithmetic error, often a division by zero</source>
        <translation>算术错误，常为除以零</translation>
    </message>
    <message>
        <source>it was asked to terminate</source>
        <translation>被要求结束</translation>
    </message>
    <message>
        <source>it was interrupted</source>
        <translation>被中断</translation>
    </message>
    <message>
        <source>broken pipe: the reader is gone</source>
        <translation>管道断开：读端已退出</translation>
    </message>
    <message>
        <source>ended by signal %1 (%2)</source>
        <translation>被信号 %1 结束（%2）</translation>
    </message>
    <message>
        <source>the process could not be started</source>
        <translation>进程无法启动</translation>
    </message>
    <message>
        <source>the process could not be started: %1</source>
        <translation>进程无法启动：%1</translation>
    </message>
    <message>
        <source>exit code unknown, the error comes from its log</source>
        <translation>退出码未知，错误来自日志</translation>
    </message>
    <message>
        <source>succeeded (exit code 0)</source>
        <translation>成功（退出码 0）</translation>
    </message>
    <message>
        <source>%1: a shell&apos;s exit code for a command that may not be executed</source>
        <translation>%1：shell 的退出码，表示命令没有执行权限</translation>
    </message>
    <message>
        <source>%1: a shell&apos;s exit code for a command that was not found</source>
        <translation>%1：shell 的退出码，表示找不到命令</translation>
    </message>
    <message>
        <source>%1: a shell&apos;s exit code for the end by %2</source>
        <translation>%1：shell 的退出码，表示被 %2 结束</translation>
    </message>
    <message>
        <source>%1, which was sent to it on request</source>
        <translation>%1，该信号按请求发送</translation>
    </message>
    <message>
        <source>%1, after %2 was sent to it on request</source>
        <translation>%1，此前按请求向其发送过 %2</translation>
    </message>
    <message>
        <source>The run failed: %1</source>
        <translation>任务失败：%1</translation>
    </message>
    <message>
        <source>The scheduler failed: %1</source>
        <translation>scheduler 失败：%1</translation>
    </message>
    <message>
        <source>Rank %1 failed: %2</source>
        <translation>rank %1 失败：%2</translation>
    </message>
    <message>
        <source>Fix the command and launch again; no process was started.</source>
        <translation>请修正命令后再次启动；没有启动任何进程。</translation>
    </message>
    <message>
        <source>Fix this and launch again. No process was started.</source>
        <translation>请修正后再次启动。没有启动任何进程。</translation>
    </message>
    <message>
        <source>See the run&apos;s journal for earlier events.</source>
        <translation>更早的事件见任务的 journal。</translation>
    </message>
    <message>
        <source>Fix the command and launch again; no training was done.</source>
        <translation>请修正命令后再次启动；训练尚未开始。</translation>
    </message>
    <message>
        <source>Read the scheduler&apos;s log first: without the scheduler the workers cannot find each other.</source>
        <translation>请先看 scheduler 的日志：没有 scheduler，worker 之间无法相互找到。</translation>
    </message>
    <message>
        <source>Read this rank&apos;s log first: what the other ranks print after that is mostly a consequence.</source>
        <translation>请先看该 rank 的日志：其他 rank 随后的输出大多是后果。</translation>
    </message>
    <message>
        <source>selected by the kernel&apos;s out-of-memory killer: %1</source>
        <translation>被内核 OOM killer 选中：%1</translation>
    </message>
    <message>
        <source>the kernel killed processes because memory ran out: oom_kill in %1 rose from %2 to %3</source>
        <translation>内核因内存耗尽结束了进程：%1 中的 oom_kill 由 %2 增至 %3</translation>
    </message>
    <message>
        <source>It is longer than %1 MiB: see the file.</source>
        <translation>超过 %1 MiB：请看该文件。</translation>
    </message>
    <message>
        <source>The file cannot be read.</source>
        <translation>无法读取该文件。</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 个</translation>
    </message>
    <message>
        <source>it lived for %1 s, and the cluster had %2 s to form (--cluster_time_out)</source>
        <translation>它存活了 %1 s，集群组网的时限为 %2 s（--cluster_time_out）</translation>
    </message>
    <message>
        <source>%1 of %2 workers registered with the scheduler</source>
        <translation>%2 个 worker 中有 %1 个已向 scheduler 注册</translation>
    </message>
    <message>
        <source>not registered, on this node: rank %1</source>
        <translation>本节点未注册：rank %1</translation>
    </message>
    <message>
        <source>not registered, on other nodes: rank %1</source>
        <translation>其他节点未注册：rank %1</translation>
    </message>
    <message>
        <source>the scheduler lost contact with rank %1</source>
        <translation>scheduler 与 rank %1 失联</translation>
    </message>
    <message>
        <source>the scheduler lost contact with node %1</source>
        <translation>scheduler 与节点 %1 失联</translation>
    </message>
    <message>
        <source>%1 of %2 workers were started on this node</source>
        <translation>本节点启动了 %2 个 worker 中的 %1 个</translation>
    </message>
    <message>
        <source>not started: rank %1</source>
        <translation>未启动：rank %1</translation>
    </message>
    <message>
        <source>ended before the scheduler: rank %1</source>
        <translation>先于 scheduler 结束：rank %1</translation>
    </message>
    <message>
        <source>cannot create a directory for the log of each rank: %1</source>
        <translation>无法为各 rank 的日志创建目录：%1</translation>
    </message>
    <message>
        <source>Shows job %1, the latest. The directory also holds logs of other jobs: %2.</source>
        <translation>显示最近的作业 %1。该目录中还有其他作业的日志：%2。</translation>
    </message>
    <message>
        <source>Shows attempt %1. There are logs of %2 attempts; open the folder of another one for its logs.</source>
        <translation>显示第 %1 次尝试。共有 %2 次尝试的日志；其他尝试的日志请打开其目录。</translation>
    </message>
    <message>
        <source>Attempt %1 failed: %2</source>
        <translation>第 %1 次尝试失败：%2</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>第 %1 次尝试</translation>
    </message>
    <message>
        <source>Attempt %1 failed in the same way.</source>
        <translation>第 %1 次尝试以同样方式失败。</translation>
    </message>
    <message>
        <source>The message itself says: “%1”</source>
        <translation>消息自身给出的提示：“%1”</translation>
    </message>
    <message>
        <source>Shows %1, the latest launch. The directory also holds other launches: %2.</source>
        <translation>显示最近一次启动 %1。该目录中还有其他启动：%2。</translation>
    </message>
    <message>
        <source>%1 holds the output of several ranks. The prefix of a line names its rank.</source>
        <translation>%1 含有多个 rank 的输出，由行首前缀区分。</translation>
    </message>
    <message>
        <source>%1 is not split: one log, unknown rank.</source>
        <translation>%1 未拆分：单个日志，rank 未知。</translation>
    </message>
    <message>
        <source>%1 is not split: one log, unknown rank. Its launcher&apos;s messages say how ranks ended.</source>
        <translation>%1 未拆分：单个日志，rank 未知。各 rank 如何结束见启动器的消息。</translation>
    </message>
    <message>
        <source>Shows the logs of %1, the latest. The directory also holds logs of %2.</source>
        <translation>显示最近的 %1 的日志。该目录中还有 %2 的日志。</translation>
    </message>
    <message>
        <source>Shows %1, the latest log. The directory also holds other logs: %2.</source>
        <translation>显示最近的日志 %1。该目录中还有其他日志：%2。</translation>
    </message>
    <message>
        <source>file or directory not found</source>
        <translation>找不到文件或目录</translation>
    </message>
    <message>
        <source>Give a log, or the directory that holds the logs.</source>
        <translation>请指定日志，或存放日志的目录。</translation>
    </message>
    <message>
        <source>the directory cannot be read</source>
        <translation>无法读取目录</translation>
    </message>
    <message>
        <source>the file cannot be read</source>
        <translation>无法读取文件</translation>
    </message>
    <message>
        <source>no logs found: no file ends with .log, .txt, .out or .err</source>
        <translation>没有找到日志：没有以 .log、.txt、.out 或 .err 结尾的文件</translation>
    </message>
    <message>
        <source>Give one log, or a directory with e.g. worker_0.log, rank_0/info.log or 0/stdout.log.</source>
        <translation>请指定一个日志，或含有例如 worker_0.log、rank_0/info.log 或 0/stdout.log 的目录。</translation>
    </message>
    <message>
        <source>this is a run directory, not a log directory</source>
        <translation>这是任务目录，不是日志目录</translation>
    </message>
    <message>
        <source>Open it as a run: rankdeck --attach, rankdeckctl attach or logs.</source>
        <translation>请作为任务打开：rankdeck --attach、rankdeckctl attach 或 logs。</translation>
    </message>
    <message>
        <source>Opened from logs only: failed ranks are found from their logs. Exit codes are known only if the launcher logged them.</source>
        <translation>仅由日志打开：失败的 rank 从其日志中查找。只有启动器记录过退出码时才能得知退出码。</translation>
    </message>
    <message>
        <source>From the scheduler&apos;s log: %1.</source>
        <translation>来自 scheduler 的日志：%1。</translation>
    </message>
    <message>
        <source>The launcher&apos;s log says which rank failed first.</source>
        <translation>启动器的日志指明了最先失败的 rank。</translation>
    </message>
    <message>
        <source>Several ranks failed. The times in their logs decide which was first.</source>
        <translation>有多个 rank 失败，按其日志中的时间判定先后。</translation>
    </message>
    <message>
        <source>Several ranks failed. The times in their logs decide which was first. For a log without times, its last change counts.</source>
        <translation>有多个 rank 失败，按其日志中的时间判定先后；没有时间的日志按最后修改时间。</translation>
    </message>
    <message>
        <source>The numbers in the names of the logs give their ranks.</source>
        <translation>rank 取自日志文件名中的编号。</translation>
    </message>
    <message>
        <source>The first lines of the logs give their ranks.</source>
        <translation>rank 取自日志的前几行。</translation>
    </message>
    <message>
        <source>These logs of CANN do not name their ranks: processes are named by pid.</source>
        <translation>这些 CANN 日志未写明 rank：进程以 PID 表示。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分钟</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>epoch %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>step %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>loss %1</translation>
    </message>
    <message>
        <source>epoch %1 of %2</source>
        <translation>epoch %1/%2</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>step %1/%2</translation>
    </message>
    <message>
        <source>%1/epoch</source>
        <translation>%1/epoch</translation>
    </message>
    <message>
        <source>%1/step</source>
        <translation>%1/step</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>退出码</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>启动时间</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后 step</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>最后 loss</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每 step 耗时</translation>
    </message>
    <message>
        <source>the default group</source>
        <translation>默认进程组</translation>
    </message>
    <message>
        <source>%1 of %2: all of its ranks have called it, and none has completed it. If dumps some seconds later show the same, the network or the device does not carry it out.</source>
        <translation>%2 的 %1：组内所有 rank 都已调用，但没有一个完成。如果几秒后的转储仍然如此，则是网络或设备没有执行它。</translation>
    </message>
    <message>
        <source>Rank %1 is slow: the others wait %2 ms for it in each collective of %3.</source>
        <translation>rank %1 较慢：在 %3 的每次集合通信中，其他 rank 都要等它 %2 ms。</translation>
    </message>
    <message numerus="yes">
        <source>%1 wait</source>
        <comment>%1 waits</comment>
        <translation>
            <numerusform>%1 在等待</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 wait at %2</source>
        <comment>%1 waits at %2</comment>
        <translation>
            <numerusform>%1 在 %2 等待</numerusform>
        </translation>
    </message>
    <message>
        <source>gave no dump: ended, stopped, or stuck outside of Python</source>
        <translation>没有给出转储：已结束、已暂停，或卡在 Python 之外</translation>
    </message>
    <message>
        <source>waits in %1 of %2</source>
        <translation>在 %2 的 %1 中等待</translation>
    </message>
    <message>
        <source>is still at %1</source>
        <translation>仍在 %1</translation>
    </message>
    <message>
        <source>has not called it since %1 #%2%3</source>
        <translation>自 %1 #%2%3 之后没有再调用</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>has called nothing yet</source>
        <translation>尚未调用任何操作</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>ranks: what they do</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 of %2: %3. Missing: %4.</source>
        <translation>%2 的 %1：%3。缺少：%4。</translation>
    </message>
    <message>
        <source>At #%1 of %2 not all ranks call the same collective: %3.</source>
        <translation>在 %2 的 #%1，各 rank 调用的集合通信不一致：%3。</translation>
    </message>
    <message>
        <source>At #%1 of %2 sizes or types differ: %3.</source>
        <translation>在 %2 的 #%1，大小或类型不一致：%3。</translation>
    </message>
    <message>
        <source>From #%1 of %2 on, ranks call from other lines; one may have left out a call: %3.</source>
        <translation>从 %2 的 #%1 起，各 rank 的调用行不同；可能有 rank 漏掉一次调用：%3。</translation>
    </message>
    <message>
        <source>Two groups wait for each other: %1 in %2 of %3, %4 in %5 of %6. Call them in the same order on all ranks.</source>
        <translation>两个组互相等待：%1 在 %3 的 %2 中，%4 在 %6 的 %5 中。请在所有 rank 上按相同顺序调用。</translation>
    </message>
    <message>
        <source>it is no dump of a flight recorder</source>
        <translation>它不是飞行记录器的转储</translation>
    </message>
    <message>
        <source>no dump of a flight recorder is there</source>
        <translation>其中没有飞行记录器的转储</translation>
    </message>
    <message>
        <source>Name a folder with files such as hccl_trace_rank_0.</source>
        <translation>请指定含有 hccl_trace_rank_0 等文件的目录。</translation>
    </message>
    <message>
        <source>it is no JSON, at byte %1</source>
        <translation>它不是 JSON，位于第 %1 字节</translation>
    </message>
    <message>
        <source>it has more values than a recorder writes</source>
        <translation>其中的值多于飞行记录器所写</translation>
    </message>
    <message>
        <source>%1, at byte %2</source>
        <translation>%1，位于第 %2 字节</translation>
    </message>
    <message>
        <source>it ends within a value</source>
        <translation>它在值的中间结束</translation>
    </message>
    <message>
        <source>a list or dictionary contains itself</source>
        <translation>有列表或字典包含自身</translation>
    </message>
    <message>
        <source>it is cut off</source>
        <translation>它被截断</translation>
    </message>
    <message>
        <source>a number is too large</source>
        <translation>数值过大</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>缺少值</translation>
    </message>
    <message>
        <source>a mark is missing</source>
        <translation>缺少标记</translation>
    </message>
    <message>
        <source>a key has no value</source>
        <translation>有键没有值</translation>
    </message>
    <message>
        <source>values are added to what is no list or dictionary</source>
        <translation>向不是列表或字典的对象添加值</translation>
    </message>
    <message>
        <source>a reference is out of range</source>
        <translation>引用超出范围</translation>
    </message>
    <message>
        <source>it refers to a value that is not there</source>
        <translation>引用了不存在的值</translation>
    </message>
    <message>
        <source>it wants to make an object of %1.%2, which is never done</source>
        <translation>它要创建 %1.%2 的对象，一律不执行</translation>
    </message>
    <message>
        <source>it wants to call a function, which is never done</source>
        <translation>它要调用函数，一律不执行</translation>
    </message>
    <message>
        <source>its protocol is unknown</source>
        <translation>协议未知</translation>
    </message>
    <message>
        <source>a text is too long</source>
        <translation>文本过长</translation>
    </message>
    <message>
        <source>the opcode 0x%1 is none of those that make plain values</source>
        <translation>操作码 0x%1 不属于生成普通值的操作码</translation>
    </message>
    <message numerus="yes">
        <source>Rank %1 is %n steps behind.</source>
        <comment>Rank %1 is one step behind.</comment>
        <translation>
            <numerusform>rank %1 落后 %n 个 step。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 are %n steps behind.</source>
        <comment>Ranks %1 are one step behind.</comment>
        <translation>
            <numerusform>rank %1 落后 %n 个 step。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No output from ranks %1 since %2; the others continue.</source>
        <comment>No output from rank %1 since %2; the others continue.</comment>
        <translation>
            <numerusform>rank %1 自 %2 起没有输出；其他 rank 仍在继续。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All ranks except %1 have been silent since %2: they may wait for these.</source>
        <comment>All ranks except rank %1 have been silent since %2: they may wait for it.</comment>
        <translation>
            <numerusform>除 rank %1 外，所有 rank 自 %2 起无输出：可能在等待它。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 have been paused (SIGSTOP or a debugger) since %2: the others wait for them, silent since %3.</source>
        <comment>Rank %1 has been paused (SIGSTOP or a debugger) since %2: the others wait for it, silent since %3.</comment>
        <translation>
            <numerusform>rank %1 自 %2 起被暂停（SIGSTOP 或调试器）：其他 rank 在等待它，自 %3 起无输出。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 have been silent the longest, since %2; the others have waited since %3.</source>
        <comment>Rank %1 has been silent the longest, since %2; the others have waited since %3.</comment>
        <translation>
            <numerusform>rank %1 无输出最久（自 %2 起）；其他 rank 自 %3 起一直在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>All ranks have been silent since %1.</source>
        <translation>所有 rank 自 %1 起无输出。</translation>
    </message>
    <message>
        <source>Rank %1 has been silent since %2.</source>
        <translation>rank %1 自 %2 起无输出。</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 have made the least progress.</source>
        <comment>Rank %1 has made the least progress.</comment>
        <translation>
            <numerusform>rank %1 进度最慢。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>When this was noticed, it was %n steps behind.</source>
        <comment>When this was noticed, it was one step behind.</comment>
        <translation>
            <numerusform>发现时它落后 %n 个 step。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>When this was noticed, they were %n steps behind.</source>
        <comment>When this was noticed, they were one step behind.</comment>
        <translation>
            <numerusform>发现时它们落后 %n 个 step。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It is %n steps behind.</source>
        <comment>It is one step behind.</comment>
        <translation>
            <numerusform>它落后 %n 个 step。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They are %n steps behind.</source>
        <comment>They are one step behind.</comment>
        <translation>
            <numerusform>它们落后 %n 个 step。</numerusform>
        </translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>silent since %1</source>
        <translation>自 %1 起无输出</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1 gave up waiting: %2</source>
        <comment>rank %1 gave up waiting: %2</comment>
        <translation>
            <numerusform>rank %1 放弃等待：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1 had been silent for %2 s by then.</source>
        <translation>rank %1 到那时已有 %2 s 无输出。</translation>
    </message>
    <message>
        <source>The sentence is from rank %1.</source>
        <translation>该句来自 rank %1。</translation>
    </message>
    <message>
        <source>No log tells an error. If the job has not ended, it hangs where its logs end.</source>
        <translation>日志中没有错误。若作业尚未结束，则它卡在日志末尾之处。</translation>
    </message>
    <message>
        <source>Ask its ranks where they stand, on the machine where they run: rankdeckctl adopt PID --detach with the pid of their launcher, then rankdeckctl dump last; or py-spy dump --pid PID for each rank. If all stand in a collective, count that all ranks have come, and try the network and P2P: NCCL_DEBUG=INFO, NCCL_P2P_DISABLE=1, HCCL_CONNECT_TIMEOUT.</source>
        <translation>在运行的机器上查看各 rank 停在哪里：以其启动器的 pid 执行 rankdeckctl adopt PID --detach，再执行 rankdeckctl dump last；或对每个 rank 执行 py-spy dump --pid PID。若都停在集合通信中，确认所有 rank 都已到齐，并排查网络和 P2P：NCCL_DEBUG=INFO、NCCL_P2P_DISABLE=1、HCCL_CONNECT_TIMEOUT。</translation>
    </message>
    <message>
        <source>The traceback is from rank %1.</source>
        <translation>异常调用栈来自 rank %1。</translation>
    </message>
    <message>
        <source>it died, as its launcher reports</source>
        <translation>其启动器报告它已异常结束</translation>
    </message>
    <message numerus="yes">
        <source>Other logs mention %n ranks whose logs are missing here.</source>
        <comment>Other logs mention %n rank whose log is missing here.</comment>
        <translation>
            <numerusform>其他日志提到了 %n 个 rank，其日志不在此处。</numerusform>
        </translation>
    </message>
    <message>
        <source>English</source>
        <comment>language of the program</comment>
        <translation>简体中文</translation>
    </message>
    <message>
        <source>Other processes use %1 of %2 GiB of this card.</source>
        <translation>其他进程占用了该卡 %2 GiB 中的 %1 GiB。</translation>
    </message>
    <message>
        <source>It asked for %1 GiB, more than the %2 GiB of a whole card: look for a wrong shape or size, a smaller batch does not help.</source>
        <translation>它申请了 %1 GiB，超过整张卡的 %2 GiB：请检查错误的形状或大小，减小 batch 无济于事。</translation>
    </message>
    <message>
        <source>The scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1 ended first, without an error in its log.</source>
        <translation>%1 最先结束，其日志中没有错误。</translation>
    </message>
    <message>
        <source>%1 shows its own error; the others show only that they waited for it.</source>
        <translation>%1 显示的是自身错误；其他 rank 只显示在等待它。</translation>
    </message>
    <message>
        <source>Only %1 shows an error.</source>
        <translation>只有 %1 显示错误。</translation>
    </message>
    <message>
        <source>All %1 ranks failed alike, each on its own; no rank is to blame for the others.</source>
        <translation>全部 %1 个 rank 各自以同样方式失败；没有哪个 rank 导致了其他 rank 失败。</translation>
    </message>
    <message>
        <source>%1 ranks failed at nearly the same time, each on its own; rank %2 failed first.</source>
        <translation>%1 个 rank 几乎同时各自失败；rank %2 最先失败。</translation>
    </message>
    <message>
        <source>%1 ranks ended without an error in their logs. Their times do not show which was first.</source>
        <translation>%1 个 rank 结束，日志中没有错误。从时间无法判断哪个在先。</translation>
    </message>
    <message>
        <source>%1 ranks show their own errors. Their times do not show which was first.</source>
        <translation>%1 个 rank 显示自身错误。从时间无法判断哪个在先。</translation>
    </message>
    <message>
        <source>%1 ranks show their own errors; the error of %2 was first.</source>
        <translation>%1 个 rank 显示自身错误；%2 的错误最先出现。</translation>
    </message>
    <message>
        <source>The log does not name the rank.</source>
        <translation>日志没有指明 rank。</translation>
    </message>
    <message>
        <source>The log is that of the only rank.</source>
        <translation>该日志属于唯一的 rank。</translation>
    </message>
    <message>
        <source>The log does not say which of the ranks failed.</source>
        <translation>日志没有说明是哪个 rank 失败。</translation>
    </message>
    <message>
        <source>Ranks failed alike, each on its own; no rank is to blame for the others.</source>
        <translation>各 rank 各自以同样方式失败；没有哪个 rank 导致了其他 rank 失败。</translation>
    </message>
    <message>
        <source>no error</source>
        <translation>没有错误</translation>
    </message>
    <message>
        <source>waiting for rank %1</source>
        <translation>在等待 rank %1</translation>
    </message>
    <message>
        <source>The run stands still</source>
        <translation>任务停滞不前</translation>
    </message>
    <message>
        <source>The others wait for rank %1</source>
        <translation>其他 rank 在等待 rank %1</translation>
    </message>
    <message>
        <source>Rank %1 stood in %2, the others elsewhere.</source>
        <translation>rank %1 停在 %2，其他 rank 停在别处。</translation>
    </message>
    <message>
        <source>stands in %1</source>
        <translation>停在 %1</translation>
    </message>
    <message>
        <source>A paused rank is continued where it runs: kill -CONT and its pid.</source>
        <translation>在暂停的 rank 所在的机器上让它继续：kill -CONT 加上它的 pid。</translation>
    </message>
    <message>
        <source>Take the stacks of all ranks while the run stands still: rankdeckctl dump last. They show who waits, and where.</source>
        <translation>请在任务停滞期间取得所有 rank 的调用栈：rankdeckctl dump last。调用栈会显示谁在等待、在哪里等待。</translation>
    </message>
    <message>
        <source>Rank %1 is in none of the collectives in which the others wait.</source>
        <translation>rank %1 不在其他 rank 等待的任何集合通信中。</translation>
    </message>
    <message>
        <source>Compare the stacks of the ranks: the one that is in none of the collectives, but in a data loader, a lock or a file, holds up the others. If all are in collectives, they call them in another order, or not all ranks of a group call them.</source>
        <translation>请比较各 rank 的调用栈：不在集合通信中，而停在数据加载、锁或文件上的那个 rank 拖住了其他 rank。如果都在集合通信中，则它们的调用顺序不同，或同一组中有的 rank 没有调用。</translation>
    </message>
    <message>
        <source>Rank %1 hung at step %2</source>
        <translation>rank %1 卡在 step %2</translation>
    </message>
    <message>
        <source>Rank %1 was paused (SIGSTOP)</source>
        <translation>rank %1 被暂停（SIGSTOP）</translation>
    </message>
    <message>
        <source>Rank %1 hung</source>
        <translation>rank %1 卡住</translation>
    </message>
    <message>
        <source>%1 (silent %2 s)</source>
        <translation>%1（%2 s 无输出）</translation>
    </message>
    <message>
        <source>Log: %1</source>
        <translation>日志：%1</translation>
    </message>
    <message>
        <source>Attempt %1 of %2, counted from 0; at most %3 restarts</source>
        <translation>第 %1 次尝试（共 %2 次，从 0 计），最多重启 %3 次</translation>
    </message>
    <message>
        <source>Logs %1 (%2), %3</source>
        <translation>日志 %1（%2），%3</translation>
    </message>
    <message>
        <source>Run %1 (%2), %3</source>
        <translation>任务 %1（%2），%3</translation>
    </message>
    <message>
        <source>Log directory: %1</source>
        <translation>日志目录：%1</translation>
    </message>
    <message>
        <source>Run directory: %1</source>
        <translation>任务目录：%1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks (%1): %2</source>
        <comment>%n rank (%1): %2</comment>
        <translation>
            <numerusform>%n 个 rank（%1）：%2</numerusform>
        </translation>
    </message>
    <message>
        <source>No failure found</source>
        <translation>没有发现失败</translation>
    </message>
    <message>
        <source>Rank %1 did not arrive</source>
        <translation>rank %1 没有到达</translation>
    </message>
    <message>
        <source>Rank %1 failed</source>
        <translation>rank %1 失败</translation>
    </message>
    <message>
        <source>The scheduler failed first</source>
        <translation>scheduler 最先失败</translation>
    </message>
    <message>
        <source>Rank %1 failed first</source>
        <translation>rank %1 最先失败</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>任务失败</translation>
    </message>
    <message>
        <source>All ranks failed alike</source>
        <translation>所有 rank 以同样方式失败</translation>
    </message>
    <message>
        <source>It is unclear which rank failed first</source>
        <translation>无法确定哪个 rank 最先失败</translation>
    </message>
    <message>
        <source>It is unclear which rank failed first (%1)</source>
        <translation>无法确定哪个 rank 最先失败（%1）</translation>
    </message>
    <message>
        <source>Stacks of rank %1 while it hung</source>
        <translation>rank %1 卡住时的调用栈</translation>
    </message>
    <message>
        <source>paused, ended</source>
        <translation>被暂停，已被结束</translation>
    </message>
    <message>
        <source>hung, ended</source>
        <translation>卡住，已被结束</translation>
    </message>
    <message>
        <source>%1
Confidence: certain.</source>
        <translation>%1
可信度：确定。</translation>
    </message>
    <message>
        <source>%1
Confidence: likely.</source>
        <translation>%1
可信度：很可能。</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>device %1 on %2</source>
        <translation>%2 的设备 %1</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>位于 %1</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>Exit status</source>
        <translation>退出状态</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Traceback</source>
        <translation>异常调用栈</translation>
    </message>
    <message>
        <source>Last lines of the log</source>
        <translation>日志的最后几行</translation>
    </message>
    <message>
        <source>The logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>The run</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Rank %1 does not agree with the others, which agree among themselves.</source>
        <translation>rank %1 与其他 rank 不一致，而其他 rank 之间一致。</translation>
    </message>
    <message>
        <source>Ranks do not agree. The evidence does not show which of them is wrong.</source>
        <translation>各 rank 不一致。从证据无法判断哪个有误。</translation>
    </message>
    <message>
        <source>Rank %1 never registered with the scheduler; the others waited for it.</source>
        <translation>rank %1 始终没有向 scheduler 注册；其他 rank 在等待它。</translation>
    </message>
    <message>
        <source>Ranks %1 never registered with the scheduler; the others waited for them.</source>
        <translation>rank %1 始终没有向 scheduler 注册；其他 rank 在等待它们。</translation>
    </message>
    <message>
        <source>Other ranks report that rank %1 is gone, and it shows no error of its own.</source>
        <translation>其他 rank 报告 rank %1 已断开，而它自身没有显示错误。</translation>
    </message>
    <message>
        <source>The other ranks wait for rank %1, directly or through each other, and it waits for none.</source>
        <translation>其他 rank 直接或间接地等待 rank %1，而它不等待任何 rank。</translation>
    </message>
    <message>
        <source>Ranks wait for %1; among these, rank %2 was silent first.</source>
        <translation>各 rank 在等待 %1；其中 rank %2 最先停止输出。</translation>
    </message>
    <message>
        <source>Ranks wait for %1, which show no error. The evidence does not tell them apart.</source>
        <translation>各 rank 在等待 %1，而它们没有显示错误。从证据无法进一步区分。</translation>
    </message>
    <message>
        <source>Rank %1 came late: the others had given up and closed the connection.</source>
        <translation>rank %1 来迟：其他 rank 已放弃并关闭了连接。</translation>
    </message>
    <message>
        <source>Rank %1 came late: it began to wait when the others were giving up.</source>
        <translation>rank %1 来迟：它开始等待时，其他 rank 正在放弃。</translation>
    </message>
    <message>
        <source>Rank %1 had begun collective operation %2 when others were at %3.</source>
        <translation>rank %1 已开始集合通信 %2，而其他 rank 在 %3。</translation>
    </message>
    <message>
        <source>Only rank %1 was in %2, the others were in %3.</source>
        <translation>只有 rank %1 在 %2 中，其他 rank 在 %3 中。</translation>
    </message>
    <message>
        <source>Only rank %1 shows no error; all others waited in vain.</source>
        <translation>只有 rank %1 没有显示错误；其他 rank 都没有等到。</translation>
    </message>
    <message>
        <source>Ranks %1 show no error while others waited; rank %2 fell silent first.</source>
        <translation>其他 rank 等待时，rank %1 没有显示错误；rank %2 最先停止输出。</translation>
    </message>
    <message>
        <source>Ranks %1 show no error while others waited. The evidence does not tell them apart.</source>
        <translation>其他 rank 等待时，rank %1 没有显示错误。从证据无法进一步区分。</translation>
    </message>
    <message>
        <source>Rank %1 was not in a collective operation when the run was interrupted; the others waited in one.</source>
        <translation>任务被中断时，rank %1 不在集合通信中；其他 rank 在其中等待。</translation>
    </message>
    <message>
        <source>The ranks wait for each other. The evidence does not show which rank caused it.</source>
        <translation>各 rank 互相等待。从证据无法判断由哪个 rank 引起。</translation>
    </message>
    <message>
        <source>davincirun has no %1.</source>
        <translation>davincirun 没有 %1。</translation>
    </message>
    <message>
        <source>torchrun calls no function: %1 is left out.</source>
        <translation>torchrun 不调用函数：已略去 %1。</translation>
    </message>
    <message>
        <source>torchrun has no arguments, variables or prefixes by local rank.</source>
        <translation>torchrun 没有按 local rank 区分的参数、变量或前缀。</translation>
    </message>
    <message>
        <source>Only Rankdeck has %1.</source>
        <translation>%1 为 Rankdeck 独有。</translation>
    </message>
    <message>
        <source>the script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>left out, with a note</source>
        <translation>略去，并给出提示</translation>
    </message>
    <message>
        <source>taken as TORCHELASTIC_RUN_ID</source>
        <translation>作为 TORCHELASTIC_RUN_ID</translation>
    </message>
    <message>
        <source>The log directory is in use: the logs of this launch are in %1.</source>
        <translation>日志目录已被使用：本次启动的日志在 %1 中。</translation>
    </message>
    <message numerus="yes">
        <source>%n earlier attempts failed; the ranks were started again.</source>
        <comment>An earlier attempt failed; the ranks were started again.</comment>
        <translation>
            <numerusform>之前有 %n 次尝试失败；各 rank 已重新启动。</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank %1 shows no error and was not ended by its launcher; others lost it.</source>
        <translation>rank %1 没有错误，也不是被启动器结束的；其他 rank 失去了它。</translation>
    </message>
    <message>
        <source>Only rank %1 was interrupted; the others lost it.</source>
        <translation>只有 rank %1 被中断；其他 rank 失去了它。</translation>
    </message>
    <message>
        <source>taken as --grace</source>
        <translation>作为 --grace</translation>
    </message>
    <message>
        <source>refused: rankdeckctl completion SHELL</source>
        <translation>拒绝：请用 rankdeckctl completion SHELL</translation>
    </message>
    <message>
        <source>torchrun&apos;s completion is not Rankdeck&apos;s</source>
        <translation>torchrun 的命令补全不是 Rankdeck 的</translation>
    </message>
    <message>
        <source>Run: rankdeckctl completion %1</source>
        <translation>请运行：rankdeckctl completion %1</translation>
    </message>
    <message>
        <source>nodes of the launch; of two the larger (1)</source>
        <translation>本次启动的节点数；给出两个时取较大者（1）</translation>
    </message>
    <message>
        <source>only &quot;default&quot;</source>
        <translation>仅支持“default”</translation>
    </message>
    <message>
        <source>taken as --master-addr and --master-port</source>
        <translation>用作 --master-addr 与 --master-port</translation>
    </message>
    <message>
        <source>the script is a Python module</source>
        <translation>脚本是 Python 模块</translation>
    </message>
    <message>
        <source>the script is a program, not a Python file</source>
        <translation>脚本是程序，不是 Python 文件</translation>
    </message>
    <message>
        <source>torch.distributed.launch: no --local_rank</source>
        <translation>torch.distributed.launch：不传 --local_rank</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number of nodes</source>
        <translation>“%1”不是节点数</translation>
    </message>
    <message>
        <source>Write a number from 1, or minimum and maximum, e.g. 1:4.</source>
        <translation>请写大于等于 1 的数字，或最小值与最大值，例如 1:4。</translation>
    </message>
    <message>
        <source>--nnodes %1 is read as %2: the number of nodes is fixed here.</source>
        <translation>--nnodes %1 按 %2 处理：此处节点数固定。</translation>
    </message>
    <message>
        <source>--rdzv-endpoint %1 sets MASTER_ADDR and MASTER_PORT: ranks connect there. There is no rendezvous to number them.</source>
        <translation>--rdzv-endpoint %1 设置 MASTER_ADDR 与 MASTER_PORT：各 rank 连接到该处。此处没有为它们编号的 rendezvous。</translation>
    </message>
    <message>
        <source>the script is a shell variable, which is not expanded here</source>
        <translation>脚本是 shell 变量，此处不展开</translation>
    </message>
    <message>
        <source>Replace it with its value: echo &quot;%1&quot; shows it.</source>
        <translation>请换成变量的值：echo &quot;%1&quot; 可显示它。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a plugin of torch, which Rankdeck does not load</source>
        <translation>“%1”是 torch 的插件，Rankdeck 不加载</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>请去掉它。</translation>
    </message>
    <message>
        <source>%1 is omitted: it has no counterpart here.</source>
        <translation>%1 已略去：此处没有对应项。</translation>
    </message>
    <message>
        <source>missing script</source>
        <translation>缺少脚本</translation>
    </message>
    <message>
        <source>Give it after the options.</source>
        <translation>请写在选项之后。</translation>
    </message>
    <message>
        <source>--module needs Python, but --no-python excludes it</source>
        <translation>--module 需要 Python，与 --no-python 冲突</translation>
    </message>
    <message>
        <source>Remove one of the two.</source>
        <translation>请去掉其中之一。</translation>
    </message>
    <message>
        <source>the command is for %1 nodes, but does not name this one; no rendezvous numbers them here</source>
        <translation>该命令用于 %1 个节点，但没有指明本节点的编号；此处没有为节点编号的 rendezvous</translation>
    </message>
    <message>
        <source>Add --node-rank 0 on the node of --rdzv-endpoint, 1 on the next, and so on.</source>
        <translation>请在 --rdzv-endpoint 所在节点加 --node-rank 0，下一个节点加 1，依此类推。</translation>
    </message>
    <message>
        <source>The script gets --local_rank, as torch.distributed.launch hands it over; newer ones spell it --local-rank.</source>
        <translation>脚本会收到 --local_rank，与 torch.distributed.launch 的传法相同；更新的版本写作 --local-rank。</translation>
    </message>
    <message>
        <source>not a command line of %1</source>
        <translation>不是 %1 的命令行</translation>
    </message>
    <message>
        <source>Begin with the launcher&apos;s name.</source>
        <translation>请以启动器的名称开头。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is omitted: it is for a shell.</source>
        <translation>“%1”已略去：它由 shell 处理。</translation>
    </message>
    <message>
        <source>$, ~ and * are passed on literally: no shell expands them.</source>
        <translation>$、~ 与 * 按原样传递：没有 shell 展开它们。</translation>
    </message>
    <message>
        <source>msrun_launcher.sh takes 1, 2, 6 or 9 arguments, not %1</source>
        <translation>msrun_launcher.sh 接受 1、2、6 或 9 个参数，而不是 %1 个</translation>
    </message>
    <message>
        <source>Put the command of a rank into quotes: it is the first argument.</source>
        <translation>请用引号括起 rank 的命令：它是第一个参数。</translation>
    </message>
    <message>
        <source>msrun_launcher.sh also puts its package in front of PYTHONPATH; where mindformers is not installed, do that with --env PYTHONPATH=DIRECTORY.</source>
        <translation>msrun_launcher.sh 还会把自己的包加到 PYTHONPATH 前面；未安装 mindformers 时请用 --env PYTHONPATH=DIRECTORY。</translation>
    </message>
    <message>
        <source>Taken from variables, as torchrun does: %1.</source>
        <translation>与 torchrun 一样取自变量：%1。</translation>
    </message>
    <message>
        <source>the host &quot;%1&quot; has no IPv4 address</source>
        <translation>主机“%1”没有 IPv4 地址</translation>
    </message>
    <message>
        <source>host &quot;%1&quot; not found: %2</source>
        <translation>找不到主机“%1”：%2</translation>
    </message>
    <message>
        <source>Check the name, or give an IPv4 address, the same on every node.</source>
        <translation>请检查主机名，或给出 IPv4 地址；所有节点须相同。</translation>
    </message>
    <message>
        <source>unknown conda environment &quot;%1&quot;</source>
        <translation>未知的 conda 环境“%1”</translation>
    </message>
    <message>
        <source>No environment found; set ANACONDA_DIR to conda&apos;s directory.</source>
        <translation>没有找到环境；请将 ANACONDA_DIR 设为 conda 的目录。</translation>
    </message>
    <message>
        <source>Fix it, or leave it out with --unset-env %1; a channel is %2.</source>
        <translation>请改正它，或用 --unset-env %1 去掉；通道应为 %2。</translation>
    </message>
    <message>
        <source>this is not a JSON object</source>
        <translation>这不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 has no directory or no address</source>
        <translation>%1 没有目录或地址</translation>
    </message>
    <message>
        <source>Fix it, or leave it out with --unset-env %1.</source>
        <translation>请改正它，或用 --unset-env %1 去掉。</translation>
    </message>
    <message>
        <source>%1 is &quot;%2&quot;, not a valid mode: it has no effect. The modes are %3.</source>
        <translation>%1 为“%2”，不是有效的模式：不起作用。可用的模式为 %3。</translation>
    </message>
    <message numerus="yes">
        <source>%n nodes are named, and %1</source>
        <comment>%n node is named, and %1</comment>
        <translation>
            <numerusform>指定了 %n 个节点，而%1</numerusform>
        </translation>
    </message>
    <message>
        <source>no node of this launch has the address %1</source>
        <translation>本次启动没有地址为 %1 的节点</translation>
    </message>
    <message>
        <source>Give an address of one of them, or leave it out.</source>
        <translation>请给出其中一个节点的地址，或不指定它。</translation>
    </message>
    <message>
        <source>the order of the nodes already determines their ranks</source>
        <translation>节点的顺序已决定其编号</translation>
    </message>
    <message>
        <source>%1 workers, %2 per node, need a different number of nodes</source>
        <translation> %1 个 worker、每节点 %2 个，与此节点数不符</translation>
    </message>
    <message>
        <source>Give --local_worker_num=%1.</source>
        <translation>请指定 --local_worker_num=%1。</translation>
    </message>
    <message>
        <source>Give a --worker_num that is divisible by the number of nodes.</source>
        <translation>请指定能被节点数整除的 --worker_num。</translation>
    </message>
    <message>
        <source>--nnodes says %1</source>
        <translation> --nnodes 为 %1</translation>
    </message>
    <message>
        <source>--nodes already names the node of each server</source>
        <translation> --nodes 已指明每个服务器对应的节点</translation>
    </message>
    <message numerus="yes">
        <source>the rank table has %n servers</source>
        <comment>the rank table has %n server</comment>
        <translation>
            <numerusform> rank table 中有 %n 个服务器</numerusform>
        </translation>
    </message>
    <message>
        <source>Name a node for each server with --nodes, in the table&apos;s order.</source>
        <translation>请用 --nodes 按表中顺序为每个服务器指定一个节点。</translation>
    </message>
    <message>
        <source>The conda environment %1 is not on this machine. Each node searches for its own.</source>
        <translation>本机没有 conda 环境 %1。各节点自行查找。</translation>
    </message>
    <message numerus="yes">
        <source>The launch requests %n nodes from Slurm. Their names are not known yet.</source>
        <comment>The launch requests a node from Slurm. Its name is not known yet.</comment>
        <translation>
            <numerusform>启动时向 Slurm 申请 %n 个节点，节点名尚未得知。</numerusform>
        </translation>
    </message>
    <message>
        <source>it is a directory</source>
        <translation>它是目录</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>它不是普通文件</translation>
    </message>
    <message>
        <source>cannot read the file of variables: %1</source>
        <translation>无法读取变量文件：%1</translation>
    </message>
    <message>
        <source>this is not a file of variables</source>
        <translation>这不是变量文件</translation>
    </message>
    <message>
        <source>Write one NAME=VALUE per line.</source>
        <translation>每行写一个 NAME=VALUE。</translation>
    </message>
    <message>
        <source>cannot read the rank table: %1</source>
        <translation>无法读取 rank table：%1</translation>
    </message>
    <message>
        <source>the rank table is larger than %1 MiB</source>
        <translation>rank table 超过 %1 MiB</translation>
    </message>
    <message>
        <source>Give the rank table of this launch only.</source>
        <translation>请只给出本次启动的 rank table。</translation>
    </message>
    <message>
        <source>salloc, which requests nodes from Slurm, is not installed here</source>
        <translation>此处未安装用于向 Slurm 申请节点的 salloc</translation>
    </message>
    <message>
        <source>Run this where Slurm is installed, or select ssh.</source>
        <translation>请在装有 Slurm 的机器上运行，或选择 ssh。</translation>
    </message>
    <message>
        <source>set a variable for one rank; may be repeated</source>
        <translation>为一个 rank 设置变量；可重复</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not RANK:NAME=VALUE</source>
        <translation>“%1”不是 RANK:NAME=VALUE 的形式</translation>
    </message>
    <message>
        <source>address space of each process, e.g. 512M or 64G</source>
        <translation>每个进程的地址空间，例如 512M 或 64G</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a size</source>
        <translation>“%1”不是大小</translation>
    </message>
    <message>
        <source>Write a number with M, G or T, e.g. 64G.</source>
        <translation>请写带单位 M、G 或 T 的数字，例如 64G。</translation>
    </message>
    <message>
        <source>file mode bits that are taken away, e.g. 027</source>
        <translation>要去掉的文件权限位，例如 027</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a file mode mask</source>
        <translation>“%1”不是文件权限掩码</translation>
    </message>
    <message>
        <source>Write up to three octal digits, e.g. 027.</source>
        <translation>请写最多三位八进制数，例如 027。</translation>
    </message>
    <message>
        <source>the same as --transport slurm</source>
        <translation>等同于 --transport slurm</translation>
    </message>
    <message>
        <source>missing command</source>
        <translation>缺少命令</translation>
    </message>
    <message>
        <source>start ranks by a program, e.g. 0:gdb; %1, or any command; may be repeated</source>
        <translation>用某个程序启动 rank，例如 0:gdb；%1，或任意命令；可重复</translation>
    </message>
    <message>
        <source>bind ranks to cpus: {&quot;device0&quot;:[&quot;0-10&quot;],…} (False)</source>
        <translation>将 rank 绑定到 CPU：{&quot;device0&quot;:[&quot;0-10&quot;],…}（False）</translation>
    </message>
    <message>
        <source>set a variable for every process; may be repeated</source>
        <translation>为每个进程设置变量；可重复</translation>
    </message>
    <message>
        <source>name of the run (the script&apos;s name)</source>
        <translation>任务名（脚本名）</translation>
    </message>
    <message>
        <source>run a command before the first process starts; may be repeated</source>
        <translation>在启动第一个进程前运行命令；可重复</translation>
    </message>
    <message>
        <source>run a command after the last process has ended; may be repeated</source>
        <translation>在最后一个进程结束后运行命令；可重复</translation>
    </message>
    <message>
        <source>HBM that must be free on each rank&apos;s NPU before the start</source>
        <translation>启动前每个 rank 的 NPU 上必须空闲的 HBM</translation>
    </message>
    <message>
        <source>time between SIGTERM and SIGKILL (%1)</source>
        <translation>SIGTERM 与 SIGKILL 之间的时间（%1）</translation>
    </message>
    <message>
        <source>working directory of every process (./)</source>
        <translation>每个进程的工作目录（./）</translation>
    </message>
    <message>
        <source>conda environment, by name or directory</source>
        <translation>conda 环境，名称或目录</translation>
    </message>
    <message>
        <source>read variables from a file, one NAME=VALUE per line; may be repeated</source>
        <translation>从文件读取变量，每行一个 NAME=VALUE；可重复</translation>
    </message>
    <message>
        <source>unset a variable in all processes; may be repeated</source>
        <translation>在所有进程中取消变量；可重复</translation>
    </message>
    <message>
        <source>added to the processes&apos; nice level, -20 to 19 (0)</source>
        <translation>加到进程 nice 值上的数，-20 到 19（0）</translation>
    </message>
    <message>
        <source>limit of open files per process</source>
        <translation>每个进程可打开文件数的上限</translation>
    </message>
    <message>
        <source>run on these nodes: a,b,c</source>
        <translation>在这些节点上运行：a,b,c</translation>
    </message>
    <message>
        <source>connect to nodes by auto, local, ssh or slurm, or to containers: docker:NAME, podman:NAME, kubectl:[NAMESPACE/]POD[:CONTAINER], ssh:HOST+docker:NAME; {node} stands for each of --nodes (auto)</source>
        <translation>连接节点的方式：auto、local、ssh 或 slurm；容器用 docker:NAME、podman:NAME、kubectl:[NAMESPACE/]POD[:CONTAINER]、ssh:HOST+docker:NAME；{node} 代表 --nodes 中的每一个（auto）</translation>
    </message>
    <message>
        <source>connect to nodes by a program that starts the words after its own there, e.g. &quot;enroot exec {node}&quot;</source>
        <translation>用该程序连接节点，由它在节点上执行其后所接的命令，例如“enroot exec {node}”</translation>
    </message>
    <message>
        <source>use this file as ssh&apos;s configuration</source>
        <translation>将该文件用作 ssh 的配置</translation>
    </message>
    <message>
        <source>path of rankdeckctl on the nodes (from their PATH, else a copy)</source>
        <translation>节点上 rankdeckctl 的路径（取自其 PATH，否则为副本）</translation>
    </message>
    <message>
        <source>of salloc, where the launch makes its own allocation, e.g. &quot;-p npu -t 60&quot;</source>
        <translation>salloc 的选项，用于启动时自行申请资源分配，例如“-p npu -t 60”</translation>
    </message>
    <message>
        <source>limit of the wait for Slurm&apos;s nodes (%1)</source>
        <translation>等待 Slurm 分配节点的时限（%1）</translation>
    </message>
    <message>
        <source>consider a node lost when it does not respond for this long (%1)</source>
        <translation>节点无应答超过该时间即视为失联（%1）</translation>
    </message>
    <message>
        <source>do not copy logs from nodes without a shared file system, unless they are opened</source>
        <translation>没有共享文件系统时，不从节点复制日志，除非打开它们</translation>
    </message>
    <message>
        <source>give ranks a terminal, for debuggers: all, none or 0-3,7 (%1)</source>
        <translation>为 rank 提供终端以便调试：all、none 或 0-3,7（%1）</translation>
    </message>
    <message>
        <source>pattern of your debugger&apos;s prompt; pdb, ipdb, gdb and python are built in</source>
        <translation>所用调试器提示符的模式；pdb、ipdb、gdb 与 python 已内置</translation>
    </message>
    <message>
        <source>the program writes its stacks at this signal (faulthandler.register), e.g. USR1</source>
        <translation>程序收到该信号时写出调用栈（faulthandler.register），例如 USR1</translation>
    </message>
    <message>
        <source>find steps and losses in the logs by named groups, (?P&lt;step&gt;\d+)</source>
        <translation>用命名组从日志中提取 step 与 loss，(?P&lt;step&gt;\d+)</translation>
    </message>
    <message>
        <source>report a rank as stalled when it is silent for longer than this, and than is usual for it; 0: never (%1)</source>
        <translation>rank 无输出超过该时间且超过其平常间隔时报告停滞；0：从不（%1）</translation>
    </message>
    <message>
        <source>sample NPUs and processes continuously; 0: only while shown (%1)</source>
        <translation>持续采样 NPU 与进程；0：仅在显示时（%1）</translation>
    </message>
    <message>
        <source>do not open the error dialog automatically</source>
        <translation>不自动打开错误对话框</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a whole number</source>
        <translation>“%1”不是整数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not NAME=VALUE</source>
        <translation>“%1”不是 NAME=VALUE 的形式</translation>
    </message>
    <message>
        <source>this may be any of %1</source>
        <translation>它可能是 %1 中的任何一个</translation>
    </message>
    <message>
        <source>Write the full name of the option.</source>
        <translation>请写出选项全名。</translation>
    </message>
    <message>
        <source>Run &quot;rankdeckctl %1 --help&quot;. %2 comes after the options.</source>
        <translation>请执行“rankdeckctl %1 --help”。%2 写在选项之后。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither True nor False</source>
        <translation>“%1”既不是 True 也不是 False</translation>
    </message>
    <message>
        <source>Write --join=True or --join=False, with a capital letter.</source>
        <translation>请写 --join=True 或 --join=False，首字母大写。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not name streams</source>
        <translation>“%1”不是输出流的名称</translation>
    </message>
    <message>
        <source>Give 0 to 3, NONE, OUT, ERR or ALL, or one of these by local rank, e.g. 0:1,1:ALL.</source>
        <translation>请指定 0 到 3、NONE、OUT、ERR 或 ALL，或按 local rank 指定，例如 0:1,1:ALL。</translation>
    </message>
    <message>
        <source>local rank %1 is named twice</source>
        <translation>local rank %1 指定了两次</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 无法读取：%2</translation>
    </message>
    <message>
        <source>Give a file that you can read.</source>
        <translation>请给出可读取的文件。</translation>
    </message>
    <message>
        <source>%1 is not a JSON file</source>
        <translation>%1 不是 JSON 文件</translation>
    </message>
    <message>
        <source>Correct the file.</source>
        <translation>请改正该文件。</translation>
    </message>
    <message>
        <source>bind memory and cpus of ranks to NUMA nodes: True for equal shares, JSON such as {&quot;device0&quot;:[&quot;0&quot;]}, or a .json file (False)</source>
        <translation>将 rank 的内存与 CPU 绑定到 NUMA 节点：True 为平均分配，或 JSON 如 {&quot;device0&quot;:[&quot;0&quot;]}，或 .json 文件（False）</translation>
    </message>
    <message>
        <source>ranks of this node (1); auto, cpu, gpu and npu count NPUs or cpus</source>
        <translation>本节点的 rank 数（1）；auto、cpu、gpu 与 npu 按 NPU 或 CPU 计数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither a number nor a kind of device</source>
        <translation>“%1”既不是数字也不是设备类型</translation>
    </message>
    <message>
        <source>Give a number, auto, cpu, gpu or npu.</source>
        <translation>请指定数字、auto、cpu、gpu 或 npu。</translation>
    </message>
    <message>
        <source>local ranks to print, comma-separated (all)</source>
        <translation>要打印的 local rank，以逗号分隔（全部）</translation>
    </message>
    <message>
        <source>spawn, fork or forkserver; no effect for programs</source>
        <translation>spawn、fork 或 forkserver；对程序不起作用</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a start method</source>
        <translation>“%1”不是启动方法</translation>
    </message>
    <message>
        <source>Give spawn, fork or forkserver.</source>
        <translation>请指定 spawn、fork 或 forkserver。</translation>
    </message>
    <message>
        <source>the command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>rank table, or the directory that holds jobstart_hccl.json</source>
        <translation>rank table，或存放 jobstart_hccl.json 的目录</translation>
    </message>
    <message>
        <source>server_id or pod_name of this host (found by variables, addresses, name)</source>
        <translation>本机的 server_id 或 pod_name（默认按变量、地址、主机名查找）</translation>
    </message>
    <message>
        <source>path for a v0.1 table converted to v1.0</source>
        <translation>v0.1 的 rank table 转换为 v1.0 后的路径</translation>
    </message>
    <message>
        <source>wait this long for a missing or unfinished rank table (1800)</source>
        <translation>rank table 缺失或未完成时的等待时间（1800）</translation>
    </message>
    <message>
        <source>log directory (./log); &quot;&quot; for the run directory</source>
        <translation>日志目录（./log）；&quot;&quot; 表示任务目录</translation>
    </message>
    <message>
        <source>keep MS_COMPILER_CACHE_PATH unchanged</source>
        <translation>保持 MS_COMPILER_CACHE_PATH 不变</translation>
    </message>
    <message>
        <source>keep the other ranks running when one fails</source>
        <translation>一个 rank 失败时保留其他 rank 运行</translation>
    </message>
    <message>
        <source>ranks of all nodes (8)</source>
        <translation>所有节点的 rank 数（8）</translation>
    </message>
    <message>
        <source>ranks of this node (8)</source>
        <translation>本节点的 rank 数（8）</translation>
    </message>
    <message>
        <source>host of the scheduler: a name or an IPv4 address (127.0.0.1)</source>
        <translation>scheduler 所在主机：主机名或 IPv4 地址（127.0.0.1）</translation>
    </message>
    <message>
        <source>the scheduler&apos;s port, 1024 to 65535 (8118)</source>
        <translation>scheduler 的端口，1024 到 65535（8118）</translation>
    </message>
    <message>
        <source>rank of this node, from 0 (-1: not given)</source>
        <translation>本节点的编号，从 0 开始（-1：未给出）</translation>
    </message>
    <message>
        <source>log directory, overwrites earlier logs (the current directory)</source>
        <translation>日志目录，会覆盖更早的日志（当前目录）</translation>
    </message>
    <message>
        <source>wait for the run&apos;s end and print its lines (False)</source>
        <translation>等待任务结束并打印其输出行（False）</translation>
    </message>
    <message>
        <source>seconds for the cluster to form, negative: no limit (600)</source>
        <translation>集群组网的秒数，负数：不限（600）</translation>
    </message>
    <message>
        <source>level of a dry run of one process, 0 to 3 (-1: none)</source>
        <translation>单进程模拟运行的级别，0 到 3（-1：无）</translation>
    </message>
    <message>
        <source>rank of a dry run, or -1 for all (0)</source>
        <translation>模拟运行的 rank，-1 为全部（0）</translation>
    </message>
    <message>
        <source>set RANK_TABLE_FILE of every process</source>
        <translation>设置每个进程的 RANK_TABLE_FILE</translation>
    </message>
    <message>
        <source>name logs NAME_&lt;rank&gt;.log; may contain {ip} and {hostname} (worker)</source>
        <translation>日志命名为 NAME_&lt;rank&gt;.log；可含 {ip} 与 {hostname}（worker）</translation>
    </message>
    <message>
        <source>ranks that --join=True prints, comma-separated (-1: all)</source>
        <translation>--join=True 时打印的 rank，以逗号分隔（-1：全部）</translation>
    </message>
    <message>
        <source>nodes of the launch (1)</source>
        <translation>本次启动的节点数（1）</translation>
    </message>
    <message>
        <source>rank of this node (0)</source>
        <translation>本节点的编号（0）</translation>
    </message>
    <message>
        <source>host of rank 0, for MASTER_ADDR (127.0.0.1)</source>
        <translation>rank 0 所在主机，用于 MASTER_ADDR（127.0.0.1）</translation>
    </message>
    <message>
        <source>port of rank 0, for MASTER_PORT (29500)</source>
        <translation>rank 0 的端口，用于 MASTER_PORT（29500）</translation>
    </message>
    <message>
        <source>role of the ranks, for ROLE_NAME (default)</source>
        <translation>rank 的角色，用于 ROLE_NAME（default）</translation>
    </message>
    <message>
        <source>write streams to files: 0-3, NONE, OUT, ERR, ALL, or 0:1,1:2 by rank</source>
        <translation>将输出流写入文件：0-3、NONE、OUT、ERR、ALL，或按 rank 写作 0:1,1:2</translation>
    </message>
    <message>
        <source>the same, and also print them after [NAME&lt;local rank&gt;]:</source>
        <translation>同上，并在 [NAME&lt;local rank&gt;]: 之后打印</translation>
    </message>
    <message>
        <source>empty directory for &lt;local rank&gt;/stdout.log … (the run directory)</source>
        <translation>用于 &lt;local rank&gt;/stdout.log … 的空目录（任务目录）</translation>
    </message>
    <message>
        <source>how often all ranks are started again after a failure (0)</source>
        <translation>失败后重启所有 rank 的次数（0）</translation>
    </message>
    <message>
        <source>use one node, and a free port as MASTER_PORT</source>
        <translation>使用一个节点，并以空闲端口为 MASTER_PORT</translation>
    </message>
    <message>
        <source>print this before each line: ${role_name}, ${local_rank}, ${rank}, ${hostname}</source>
        <translation>在每行前打印：${role_name}、${local_rank}、${rank}、${hostname}</translation>
    </message>
    <message>
        <source>set LOCAL_RANK to 0 in every rank, which sees only its own NPU</source>
        <translation>每个 rank 的 LOCAL_RANK 均设为 0，且只能看到自己的 NPU</translation>
    </message>
    <message>
        <source>bind each rank to cpus of a node, socket or core-complex, or exclusive</source>
        <translation>将每个 rank 绑定到 node、socket 或 core-complex 的 CPU，或 exclusive</translation>
    </message>
    <message>
        <source>signals that end the launch (SIGTERM,SIGINT,SIGHUP,SIGQUIT)</source>
        <translation>结束本次启动的信号（SIGTERM,SIGINT,SIGHUP,SIGQUIT）</translation>
    </message>
    <message>
        <source>call MODULE:FUNCTION or FILE.py:FUNCTION in each rank; COMMAND is the Python</source>
        <translation>在每个 rank 中调用 MODULE:FUNCTION 或 FILE.py:FUNCTION；COMMAND 为 Python</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot name a profile</source>
        <translation>“%1”不能用作启动配置的名称</translation>
    </message>
    <message>
        <source>Give a name, e.g. bert-8p, or a file that ends in .json.</source>
        <translation>请给出名称，例如 bert-8p，或以 .json 结尾的文件。</translation>
    </message>
    <message>
        <source>this is not a launch profile</source>
        <translation>这不是启动配置</translation>
    </message>
    <message>
        <source>It holds one JSON object.</source>
        <translation>它应为一个 JSON 对象。</translation>
    </message>
    <message>
        <source>unknown profile &quot;%1&quot;</source>
        <translation>未知的启动配置“%1”</translation>
    </message>
    <message>
        <source>No profile is saved yet.</source>
        <translation>尚未保存启动配置。</translation>
    </message>
    <message>
        <source>cannot read the profile: %1</source>
        <translation>无法读取启动配置：%1</translation>
    </message>
    <message>
        <source>a profile with this name already exists</source>
        <translation>已有同名的启动配置</translation>
    </message>
    <message>
        <source>Use another name, or replace the profile.</source>
        <translation>请换一个名称，或替换该启动配置。</translation>
    </message>
    <message>
        <source>cannot write the profile: %1</source>
        <translation>无法写入启动配置：%1</translation>
    </message>
    <message>
        <source>cannot remove the profile: %1</source>
        <translation>无法移除启动配置：%1</translation>
    </message>
    <message>
        <source>while they connect</source>
        <translation>建链时</translation>
    </message>
    <message>
        <source>in a collective</source>
        <translation>集合通信中</translation>
    </message>
    <message>
        <source>until the cluster is complete</source>
        <translation>直到集群组网完成</translation>
    </message>
    <message>
        <source>for a rank that is paused as a whole, e.g. in gdb</source>
        <translation>针对整体被暂停的 rank，例如在 gdb 中</translation>
    </message>
    <message>
        <source>%1 (%2 s) %3</source>
        <translation>%1（%2 s）%3</translation>
    </message>
    <message>
        <source>console</source>
        <translation>控制台</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message numerus="yes">
        <source>%n nodes over %1 (%2)</source>
        <comment>%n node over %1 (%2)</comment>
        <translation>
            <numerusform>%n 个节点，经 %1（%2）</numerusform>
        </translation>
    </message>
    <message>
        <source>cannot read the plan: %1</source>
        <translation>无法读取计划：%1</translation>
    </message>
    <message>
        <source>Write first and last cpu as a string, e.g. &quot;0-10&quot;.</source>
        <translation>请将首尾 CPU 写成字符串，例如“0-10”。</translation>
    </message>
    <message>
        <source>%1 of %2 is not a range of cpus</source>
        <translation>%2 的 %1 不是 CPU 范围</translation>
    </message>
    <message>
        <source>the range %1 of %2 is empty or too large</source>
        <translation>%2 的范围 %1 为空或过大</translation>
    </message>
    <message>
        <source>the value of %1 is not a list of ranges</source>
        <translation>%1 的值不是范围列表</translation>
    </message>
    <message>
        <source>Write e.g. &quot;%1&quot;:[&quot;0-10&quot;].</source>
        <translation>请写成 &quot;%1&quot;:[&quot;0-10&quot;] 的形式。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither True, nor False, nor a JSON object</source>
        <translation>“%1”不是 True、False 或 JSON 对象</translation>
    </message>
    <message>
        <source>Write e.g. {&quot;device0&quot;:[&quot;0-10&quot;]}.</source>
        <translation>请写成 {&quot;device0&quot;:[&quot;0-10&quot;]} 的形式。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not name a device</source>
        <translation>“%1”不是设备名</translation>
    </message>
    <message>
        <source>Write device0, device1 and so on.</source>
        <translation>请写 device0、device1 等。</translation>
    </message>
    <message>
        <source>no rank %1 among %2</source>
        <translation>%2 中没有 rank %1</translation>
    </message>
    <message>
        <source>the conda environment %1 has no %2</source>
        <translation>conda 环境 %1 没有 %2</translation>
    </message>
    <message>
        <source>See %1/bin.</source>
        <translation>请查看 %1/bin。</translation>
    </message>
    <message>
        <source>DEFAULT_CONDA_ENV_NAME selects the conda environment %1 (%2).</source>
        <translation>DEFAULT_CONDA_ENV_NAME 选定了 conda 环境 %1（%2）。</translation>
    </message>
    <message>
        <source>Write all, none, or ranks, e.g. 0-3,7.</source>
        <translation>请写 all、none，或 rank，例如 0-3,7。</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 get terminals, which their wrappers need.</source>
        <comment>Rank %1 gets a terminal, which its wrapper needs.</comment>
        <translation>
            <numerusform>rank %1 获得终端，因为其包装命令需要。</numerusform>
        </translation>
    </message>
    <message>
        <source>While you debug one rank, the others give up after %1.</source>
        <translation>调试一个 rank 期间，其他 rank 会放弃等待：%1。</translation>
    </message>
    <message>
        <source>To debug for longer, launch with --env %1.</source>
        <translation>要调试更久，请以 --env %1 启动。</translation>
    </message>
    <message numerus="yes">
        <source>The workers are not bound to cpus: %n cpus are not enough for %1 workers.</source>
        <comment>The workers are not bound to cpus: one cpu is not enough for %1 workers.</comment>
        <translation>
            <numerusform>worker 没有绑定到 CPU：%n 个 CPU 不够 %1 个 worker 使用。</numerusform>
        </translation>
    </message>
    <message>
        <source>this process may not run on cpu %1 of device%2</source>
        <translation>device%2 的进程不允许在 CPU %1 上运行</translation>
    </message>
    <message>
        <source>See taskset -cp $$.</source>
        <translation>请查看 taskset -cp $$。</translation>
    </message>
    <message>
        <source>%1 names no cpus for device %2: not bound.</source>
        <translation>%1 没有为设备 %2 指定 CPU：不绑定。</translation>
    </message>
    <message>
        <source>davincirun cannot use a rank table of %1: it does not say which ranks run on which host</source>
        <translation>davincirun 无法使用 %1 的 rank table：它没有说明哪台主机运行哪些 rank</translation>
    </message>
    <message>
        <source>Use template 2, version 1.0 or version 1.2.</source>
        <translation>请使用 template 2、版本 1.0 或 1.2。</translation>
    </message>
    <message>
        <source>rank_id %1 of device %2 on server %3 is used twice or is not below %4</source>
        <translation>服务器 %3 的设备 %2 的 rank_id %1 重复，或不小于 %4</translation>
    </message>
    <message>
        <source>Number the ranks of all servers from 0 without gaps.</source>
        <translation>请将所有服务器的 rank 从 0 起连续编号。</translation>
    </message>
    <message>
        <source>Already set, and kept: %1.</source>
        <translation>已设置，保持不变：%1。</translation>
    </message>
    <message>
        <source>server %1 has no device</source>
        <translation>服务器 %1 没有设备</translation>
    </message>
    <message>
        <source>Cannot write %1, so the converted rank table is in the run directory.</source>
        <translation>无法写入 %1，转换后的 rank table 放在任务目录中。</translation>
    </message>
    <message>
        <source>MA_ALGORITHM_OPERATOR names an archive of operators. This launch does not install it: use --before.</source>
        <translation>MA_ALGORITHM_OPERATOR 指定了算子压缩包。本次启动不会安装它：请使用 --before。</translation>
    </message>
    <message>
        <source>no command to run</source>
        <translation>没有要运行的命令</translation>
    </message>
    <message>
        <source>Give a program and its arguments, or omit the option.</source>
        <translation>请给出程序及其参数，或不指定该选项。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not the name of a variable</source>
        <translation>“%1”不是变量名</translation>
    </message>
    <message>
        <source>%1 is out of range</source>
        <translation>%1 超出范围</translation>
    </message>
    <message>
        <source>Give %1 or more.</source>
        <translation>请指定大于等于 %1 的值。</translation>
    </message>
    <message>
        <source>Give %1 to %2.</source>
        <translation>请指定 %1 到 %2。</translation>
    </message>
    <message>
        <source>Give the program and its arguments, e.g. python3 train.py.</source>
        <translation>请给出程序及其参数，例如 python3 train.py。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a file name</source>
        <translation>“%1”不是文件名</translation>
    </message>
    <message>
        <source>Remove slashes and control characters; --log_dir names the directory.</source>
        <translation>请去掉斜杠与控制字符；目录由 --log_dir 指定。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a list of ranks</source>
        <translation>“%1”不是 rank 列表</translation>
    </message>
    <message>
        <source>Write -1 for all, or comma-separated ranks, e.g. 0,7.</source>
        <translation>请写 -1 表示全部，或以逗号分隔的 rank，例如 0,7。</translation>
    </message>
    <message>
        <source>--sim_rank_id is ignored: without --sim_level this is no dry run.</source>
        <translation>--sim_rank_id 被忽略：没有 --sim_level，不是模拟运行。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a whole number, which a dry run needs</source>
        <translation>“%1”不是整数，而模拟运行需要整数</translation>
    </message>
    <message>
        <source>Unset it.</source>
        <translation>请取消该变量。</translation>
    </message>
    <message>
        <source>This dry run starts one process, rank 0 of %1. Select another rank with --sim_rank_id, or all ranks of this node with --sim_rank_id=-1.</source>
        <translation>本次模拟运行只启动一个进程，即 %1 个 rank 中的 rank 0。用 --sim_rank_id 选择其他 rank，或用 --sim_rank_id=-1 选择本节点的全部 rank。</translation>
    </message>
    <message>
        <source>MS_SIMULATION_LEVEL is set in this environment, so this is a dry run.</source>
        <translation>环境中设置了 MS_SIMULATION_LEVEL，因此这是模拟运行。</translation>
    </message>
    <message>
        <source>%1 ranks cannot be simulated</source>
        <translation>无法模拟 %1 个 rank</translation>
    </message>
    <message>
        <source>A dry run starts at most %1 workers per node. Only rank 0 is started.</source>
        <translation>模拟运行每节点最多启动 %1 个 worker。只启动 rank 0。</translation>
    </message>
    <message>
        <source>%1 workers of this node are more than the %2 of all nodes</source>
        <translation>本节点的 %1 个 worker 多于所有节点的 %2 个</translation>
    </message>
    <message>
        <source>Give --local_worker_num=%1 or less, or a larger --worker_num.</source>
        <translation>请指定 --local_worker_num=%1 或更小的值，或增大 --worker_num。</translation>
    </message>
    <message>
        <source>--node_rank %1 is ignored: all workers are on this node.</source>
        <translation>--node_rank %1 被忽略：所有 worker 都在本节点。</translation>
    </message>
    <message>
        <source>--node_rank is not given: MindSpore numbers the ranks when the cluster forms. Logs are numbered by device.</source>
        <translation>未给出 --node_rank：集群组网时由 MindSpore 为 rank 编号。日志按设备编号。</translation>
    </message>
    <message>
        <source>%1 is out of range: %2 workers, %3 per node, run on %4 nodes</source>
        <translation>%1 超出范围：%2 个 worker、每节点 %3 个，运行在 %4 个节点上</translation>
    </message>
    <message>
        <source>%1 workers cannot be divided into nodes with %2 workers. Ranks are numbered as if every node had %2.</source>
        <translation>%1 个 worker 无法按每节点 %2 个整分。rank 按每个节点都有 %2 个来编号。</translation>
    </message>
    <message>
        <source>the host &quot;%1&quot; has not been looked up</source>
        <translation>尚未解析主机“%1”</translation>
    </message>
    <message>
        <source>Give an IPv4 address.</source>
        <translation>请给出 IPv4 地址。</translation>
    </message>
    <message>
        <source>%1 means the local node everywhere, so the other nodes cannot reach the scheduler</source>
        <translation>%1 在任何节点都指本机，其他节点无法连接 scheduler</translation>
    </message>
    <message>
        <source>the host &quot;%1&quot; is %2 here, where the other nodes cannot reach the scheduler</source>
        <translation>主机“%1”在此解析为 %2，其他节点无法据此连接 scheduler</translation>
    </message>
    <message>
        <source>Give an address of node 0 that the other nodes can reach, the same on every node.</source>
        <translation>请给出其他节点可达的节点 0 的地址；所有节点须相同。</translation>
    </message>
    <message>
        <source>To run the scheduler here, give an address of this node, the same on every node: %1.</source>
        <translation>要在此处运行 scheduler，请给出本节点的地址，所有节点须相同：%1。</translation>
    </message>
    <message>
        <source>--bind_numa has no effect: this machine has only one NUMA node.</source>
        <translation>--bind_numa 不起作用：本机只有一个 NUMA 节点。</translation>
    </message>
    <message>
        <source>--bind_numa does not name device %1: not bound.</source>
        <translation>--bind_numa 没有指定设备 %1：不绑定。</translation>
    </message>
    <message>
        <source>this machine has no NUMA node %1, which %2 names</source>
        <translation>本机没有 %2 指定的 NUMA 节点 %1</translation>
    </message>
    <message>
        <source>See lscpu.</source>
        <translation>请查看 lscpu。</translation>
    </message>
    <message>
        <source>this process may run on none of the cpus of %1</source>
        <translation>本进程不允许在 %1 的任何 CPU 上运行</translation>
    </message>
    <message>
        <source>no script to run</source>
        <translation>没有要运行的脚本</translation>
    </message>
    <message>
        <source>Give it after the options, e.g. train.py.</source>
        <translation>请写在选项之后，例如 train.py。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither a host&apos;s name nor an IPv4 address</source>
        <translation>“%1”既不是主机名也不是 IPv4 地址</translation>
    </message>
    <message>
        <source>IPv6 is not supported here.</source>
        <translation>此处不支持 IPv6。</translation>
    </message>
    <message>
        <source>Already set in this environment: %1. This launch overrides or unsets them for its processes.</source>
        <translation>环境中已设置：%1。本次启动会为其进程覆盖或取消它们。</translation>
    </message>
    <message>
        <source>Set in this environment and passed on unchanged: %1. Unset those left by an earlier launch.</source>
        <translation>环境中已设置并原样传递：%1。若是上次启动遗留的，请取消。</translation>
    </message>
    <message>
        <source>No scheduler is started here: node 0 starts it, and this is node %1.</source>
        <translation>此处不启动 scheduler：它由节点 0 启动，本节点为 %1。</translation>
    </message>
    <message>
        <source>MS_ENABLE_TFT is set, so MS_ENABLE_RECOVERY is 1 in every process, as with msrun. The taskd plugin, which then manages msrun&apos;s workers, is not used: a failure ends the run.</source>
        <translation>设置了 MS_ENABLE_TFT，因此与 msrun 一样，每个进程的 MS_ENABLE_RECOVERY 为 1。不使用此时管理 msrun worker 的 taskd 插件：失败即结束任务。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not name a process</source>
        <translation>“%1”不是进程名</translation>
    </message>
    <message>
        <source>Write scheduler, device0, device1 and so on.</source>
        <translation>请写 scheduler、device0、device1 等。</translation>
    </message>
    <message>
        <source>%1 of %2 is neither a number nor a range</source>
        <translation>%2 的 %1 既不是数字也不是范围</translation>
    </message>
    <message>
        <source>Write e.g. &quot;0&quot;, &quot;1,2&quot; or &quot;3-4&quot;.</source>
        <translation>请写成“0”、“1,2”或“3-4”的形式。</translation>
    </message>
    <message>
        <source>%1 is not a JSON object</source>
        <translation>%1 不是 JSON 对象</translation>
    </message>
    <message>
        <source>bind_config has no valid %1</source>
        <translation>bind_config 没有有效的 %1</translation>
    </message>
    <message>
        <source>Write one of %1.</source>
        <translation>请写 %1 之一。</translation>
    </message>
    <message>
        <source>bind_cpu of %1 is not a JSON object</source>
        <translation>%1 的 bind_cpu 不是 JSON 对象</translation>
    </message>
    <message>
        <source>Write e.g. {&quot;main&quot;:&quot;0-9&quot;}.</source>
        <translation>请写成 {&quot;main&quot;:&quot;0-9&quot;} 的形式。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither True, nor False, nor a JSON object, nor a .json file</source>
        <translation>“%1”不是 True、False、JSON 对象或 .json 文件</translation>
    </message>
    <message>
        <source>Write e.g. {&quot;device0&quot;:[&quot;0&quot;]}.</source>
        <translation>请写成 {&quot;device0&quot;:[&quot;0&quot;]} 的形式。</translation>
    </message>
    <message>
        <source>the address of rank 0&apos;s node is empty</source>
        <translation>rank 0 所在节点的地址为空</translation>
    </message>
    <message>
        <source>Give a host name or an address.</source>
        <translation>请给出主机名或地址。</translation>
    </message>
    <message>
        <source>this is for one node, but --nnodes says %1</source>
        <translation>它只用于一个节点，而 --nnodes 为 %1</translation>
    </message>
    <message>
        <source>local rank %1 is missing</source>
        <translation>缺少 local rank %1</translation>
    </message>
    <message>
        <source>local rank %1 does not exist</source>
        <translation>local rank %1 不存在</translation>
    </message>
    <message numerus="yes">
        <source>%1, with %n ranks on this node</source>
        <comment>%1, with %n rank on this node</comment>
        <translation>
            <numerusform>%1，本节点有 %n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>Name each local rank from 0 to %1.</source>
        <translation>请指明从 0 到 %1 的每个 local rank。</translation>
    </message>
    <message>
        <source>OMP_NUM_THREADS is 1 in every rank, so that %1 ranks do not overload this node. To use more, set it yourself.</source>
        <translation>每个 rank 的 OMP_NUM_THREADS 为 1，以免 %1 个 rank 使本节点过载。要用更多线程请自行设置。</translation>
    </message>
    <message>
        <source>A failure here restarts only the ranks of this node. Other nodes restart their ranks when those fail too, if launched with --max-restarts.</source>
        <translation>此处失败只重启本节点的 rank。其他节点若以 --max-restarts 启动，则在其 rank 失败时重启。</translation>
    </message>
    <message>
        <source>Name this host&apos;s server with --server, or set MA_CURRENT_HOST_IP to it.</source>
        <translation>请用 --server 指定本机对应的服务器，或将 MA_CURRENT_HOST_IP 设为它。</translation>
    </message>
    <message>
        <source>%1, because %2</source>
        <translation>%1，因为%2</translation>
    </message>
    <message>
        <source>several servers of the rank table may be this host: %1</source>
        <translation>rank table 中有多个服务器可能是本机：%1</translation>
    </message>
    <message>
        <source>it is an address of this host</source>
        <translation>它是本机的地址</translation>
    </message>
    <message>
        <source>its %1 %2 is an address of this host</source>
        <translation>其 %1 %2 是本机的地址</translation>
    </message>
    <message>
        <source>it is the name of this host</source>
        <translation>它是本机的主机名</translation>
    </message>
    <message>
        <source>its pod_name %1 is the name of this host</source>
        <translation>其 pod_name %1 是本机的主机名</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 为 %2</translation>
    </message>
    <message>
        <source>no server of the rank table is this host: %1 is &quot;%2&quot;, and the table has %3</source>
        <translation>rank table 中没有服务器是本机：%1 为“%2”，而表中有 %3</translation>
    </message>
    <message>
        <source>Set %1 to one of them, or give the server with --server.</source>
        <translation>请将 %1 设为其中之一，或用 --server 指定服务器。</translation>
    </message>
    <message>
        <source>no address</source>
        <translation>没有地址</translation>
    </message>
    <message>
        <source>no server of the rank table is this host: the table has %1; this host is %2, with %3</source>
        <translation>rank table 中没有服务器是本机：表中有 %1；本机为 %2，地址为 %3</translation>
    </message>
    <message>
        <source>--server says so</source>
        <translation>由 --server 指定</translation>
    </message>
    <message>
        <source>the rank table has no server &quot;%1&quot;, only %2</source>
        <translation>rank table 中没有服务器“%1”，只有 %2</translation>
    </message>
    <message>
        <source>Give a server_id or pod_name of the table.</source>
        <translation>请指定表中的 server_id 或 pod_name。</translation>
    </message>
    <message>
        <source>the rank table has no other</source>
        <translation>rank table 中没有其他服务器</translation>
    </message>
    <message>
        <source>This host is server %1, because %2.</source>
        <translation>本机是服务器 %1，因为%2。</translation>
    </message>
    <message>
        <source>the rank table names no server</source>
        <translation>rank table 没有指明服务器</translation>
    </message>
    <message>
        <source>&quot;%1&quot; counts the devices of this machine, not of the given nodes</source>
        <translation>“%1”按本机的设备计数，而不是按给定节点的</translation>
    </message>
    <message>
        <source>Give the number of ranks per node.</source>
        <translation>请给出每节点的 rank 数。</translation>
    </message>
    <message>
        <source>this node has no NPU</source>
        <translation>本节点没有 NPU</translation>
    </message>
    <message>
        <source>Give a number, auto or cpu.</source>
        <translation>请指定数字、auto 或 cpu。</translation>
    </message>
    <message>
        <source>--nproc %1 means %2 here: one rank for each cpu.</source>
        <translation>--nproc %1 在此为 %2：每个 CPU 一个 rank。</translation>
    </message>
    <message>
        <source>--nproc %1 means %2 here: one rank for each NPU.</source>
        <translation>--nproc %1 在此为 %2：每张 NPU 一个 rank。</translation>
    </message>
    <message numerus="yes">
        <source>%1 names %n NPUs for %2 ranks</source>
        <comment>%1 names %n NPU for %2 ranks</comment>
        <translation>
            <numerusform>%1 列出 %n 张 NPU，而 rank 有 %2 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Name one for each rank.</source>
        <translation>请为每个 rank 指定一张。</translation>
    </message>
    <message>
        <source>unknown binding &quot;%1&quot;</source>
        <translation>未知的绑定方式“%1”</translation>
    </message>
    <message>
        <source>Give node, socket, exclusive or core-complex.</source>
        <translation>请指定 node、socket、exclusive 或 core-complex。</translation>
    </message>
    <message>
        <source>--bind-core already binds the ranks</source>
        <translation>--bind-core 已绑定各 rank</translation>
    </message>
    <message>
        <source>The ranks are not bound to cpus: this machine does not report its topology.</source>
        <translation>rank 没有绑定到 CPU：本机没有报告其拓扑。</translation>
    </message>
    <message>
        <source>Some ranks are not bound to cpus: a NUMA node has fewer cpus than ranks.</source>
        <translation>部分 rank 没有绑定到 CPU：有 NUMA 节点的 CPU 数少于 rank 数。</translation>
    </message>
    <message>
        <source>debugger, waits for commands</source>
        <translation>调试器，等待命令</translation>
    </message>
    <message>
        <source>debugger, starts the program at once</source>
        <translation>调试器，立即启动程序</translation>
    </message>
    <message>
        <source>memory errors</source>
        <translation>内存错误</translation>
    </message>
    <message>
        <source>system calls</source>
        <translation>系统调用</translation>
    </message>
    <message>
        <source>Python profile</source>
        <translation>Python 性能剖析</translation>
    </message>
    <message>
        <source>NPU profile by CANN</source>
        <translation>CANN 的 NPU 性能剖析</translation>
    </message>
    <message>
        <source>Write all or ranks, e.g. 0-3,7, a colon, and a command, for example 0:gdb.</source>
        <translation>请写 all 或 rank（例如 0-3,7），加冒号与命令，例如 0:gdb。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not RANKS:COMMAND</source>
        <translation>“%1”不是 RANKS:COMMAND 的形式</translation>
    </message>
    <message>
        <source>no command in &quot;%1&quot;</source>
        <translation>“%1”中没有命令</translation>
    </message>
    <message>
        <source>rank %1 has two wrappers</source>
        <translation>rank %1 有两个包装命令</translation>
    </message>
    <message>
        <source>Give each rank one wrapper, which may run two programs in a row.</source>
        <translation>请为每个 rank 指定一个包装命令，其中可依次运行两个程序。</translation>
    </message>
    <message>
        <source>no free port on 127.0.0.1: %1</source>
        <translation>127.0.0.1 上没有空闲端口：%1</translation>
    </message>
    <message>
        <source>a launch is a JSON object</source>
        <translation>启动参数应为 JSON 对象</translation>
    </message>
    <message>
        <source>this option has a value of the wrong type</source>
        <translation>该选项的值类型不对</translation>
    </message>
    <message>
        <source>this is not JSON</source>
        <translation>这不是 JSON</translation>
    </message>
    <message>
        <source>this launch is for the launcher &quot;%1&quot;</source>
        <translation>该启动参数用于启动器“%1”</translation>
    </message>
    <message>
        <source>Write &quot;processes&quot;, or omit it.</source>
        <translation>请写“processes”，或不写。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; means the same as &quot;%2&quot;</source>
        <translation>“%1”与“%2”含义相同</translation>
    </message>
    <message>
        <source>Use only one of them.</source>
        <translation>请只用其中之一。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is omitted: it has no meaning here.</source>
        <translation>“%1”已略去：此处没有意义。</translation>
    </message>
    <message>
        <source>this is not an object</source>
        <translation>这不是对象</translation>
    </message>
    <message>
        <source>Use the keys log_dir, redirects, tee and local_ranks_filter.</source>
        <translation>请使用键 log_dir、redirects、tee 与 local_ranks_filter。</translation>
    </message>
    <message>
        <source>unknown start method of torch</source>
        <translation>未知的 torch 启动方法</translation>
    </message>
    <message>
        <source>Write spawn, fork or forkserver.</source>
        <translation>请写 spawn、fork 或 forkserver。</translation>
    </message>
    <message>
        <source>the arguments are nested too deeply</source>
        <translation>参数嵌套过深</translation>
    </message>
    <message>
        <source>no local ranks given</source>
        <translation>没有给出 local rank</translation>
    </message>
    <message>
        <source>List each local rank, from 0, or omit it.</source>
        <translation>请从 0 起列出每个 local rank，或不写。</translation>
    </message>
    <message>
        <source>Write &quot;%1&quot;.</source>
        <translation>请写“%1”。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be used with &quot;entrypoint&quot;</source>
        <translation>“%1”不能与“entrypoint”同用</translation>
    </message>
    <message>
        <source>Use entrypoint, args, envs, redirects and tee, or command and processes.</source>
        <translation>请用 entrypoint、args、envs、redirects 与 tee，或用 command 与 processes。</translation>
    </message>
    <message>
        <source>The quote %1 is not closed</source>
        <translation>引号 %1 没有闭合</translation>
    </message>
    <message>
        <source>Add %1 where it ends.</source>
        <translation>请在结束处加 %1。</translation>
    </message>
    <message>
        <source>The command ends in a \</source>
        <translation>命令以 \ 结尾</translation>
    </message>
    <message>
        <source>Remove it, or write \\.</source>
        <translation>请去掉它，或写 \\。</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>it is &quot;%1&quot;, which is not %2</source>
        <translation>它为“%1”，应为：%2</translation>
    </message>
    <message>
        <source>Set %1 to %2, or unset it.</source>
        <translation>请将 %1 设为：%2，或取消它。</translation>
    </message>
    <message>
        <source>a whole number from %1 up</source>
        <translation>大于等于 %1 的整数</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>%1 之一</translation>
    </message>
    <message>
        <source>it is %1 s, not longer than HCCL_EXEC_TIMEOUT (%2 s), so torch_npu gives up before HCCL reports the cause</source>
        <translation>它为 %1 s，不大于 HCCL_EXEC_TIMEOUT（%2 s），因此 torch_npu 会在 HCCL 报告原因之前放弃</translation>
    </message>
    <message>
        <source>Set it higher than HCCL_EXEC_TIMEOUT.</source>
        <translation>请设为大于 HCCL_EXEC_TIMEOUT 的值。</translation>
    </message>
    <message>
        <source>it is %1, supported by the Ascend 910A only</source>
        <translation>它为 %1，仅昇腾 910A 支持</translation>
    </message>
    <message>
        <source>Set it to 5 to 20 for any other chip.</source>
        <translation>其他芯片请设为 5 到 20。</translation>
    </message>
    <message>
        <source>it is &quot;%1&quot;, not a single IP address</source>
        <translation>它为“%1”，不是单个 IP 地址</translation>
    </message>
    <message>
        <source>Set it to the address of this host&apos;s network card, a different one on each node.</source>
        <translation>请设为本机网卡的地址，各节点不同。</translation>
    </message>
    <message>
        <source>it is 0, but no HCCL_WHITELIST_FILE lists the allowed hosts</source>
        <translation>它为 0，但没有 HCCL_WHITELIST_FILE 列出允许的主机</translation>
    </message>
    <message>
        <source>Set HCCL_WHITELIST_FILE, or HCCL_WHITELIST_DISABLE=1.</source>
        <translation>请设置 HCCL_WHITELIST_FILE，或 HCCL_WHITELIST_DISABLE=1。</translation>
    </message>
    <message numerus="yes">
        <source>it is %1, but ASCEND_RT_VISIBLE_DEVICES shows %n devices, numbered from 0</source>
        <comment>it is %1, but ASCEND_RT_VISIBLE_DEVICES shows %n device, number 0</comment>
        <translation>
            <numerusform>它为 %1，但 ASCEND_RT_VISIBLE_DEVICES 只显示 %n 个设备，从 0 开始编号</numerusform>
        </translation>
    </message>
    <message>
        <source>Make more devices visible, or start fewer ranks on this node.</source>
        <translation>请让更多设备可见，或在本节点启动更少的 rank。</translation>
    </message>
    <message>
        <source>it is &quot;%1&quot;, not a list, e.g. 0,1,3 or 0-3</source>
        <translation>它为“%1”，不是列表，例如 0,1,3 或 0-3</translation>
    </message>
    <message>
        <source>Write comma-separated physical ids without spaces.</source>
        <translation>请写以逗号分隔的物理编号，不含空格。</translation>
    </message>
    <message>
        <source>it is set together with %1, and they exclude each other</source>
        <translation>它与 %1 同时设置，而两者互斥</translation>
    </message>
    <message>
        <source>Unset the variables CM_…, which are for launches without a rank table.</source>
        <translation>请取消用于无 rank table 启动的 CM_… 变量。</translation>
    </message>
    <message>
        <source>it is 1: every operator is synchronous, which is slow and turns TASK_QUEUE_ENABLE off</source>
        <translation>它为 1：所有算子同步执行，速度慢，并会关闭 TASK_QUEUE_ENABLE</translation>
    </message>
    <message>
        <source>Unset it unless you are looking for a failing operator.</source>
        <translation>除非在定位出错的算子，否则请取消它。</translation>
    </message>
    <message>
        <source>it is 1: CANN writes no log files, so the diagnosis lacks them</source>
        <translation>它为 1：CANN 不写日志文件，诊断时会缺少这些信息</translation>
    </message>
    <message>
        <source>Set it to 0, or read CANN&apos;s lines in the ranks&apos; logs.</source>
        <translation>请设为 0，或在 rank 的日志中查看 CANN 的输出。</translation>
    </message>
    <message>
        <source>it is 4: CANN logs nothing, not even errors</source>
        <translation>它为 4：CANN 不写任何日志，包括错误</translation>
    </message>
    <message>
        <source>Set it to 3.</source>
        <translation>请设为 3。</translation>
    </message>
    <message>
        <source>it is 0: a rank that waits for one that died never gives up</source>
        <translation>它为 0：等待已退出 rank 的 rank 永不放弃</translation>
    </message>
    <message>
        <source>Set it to the duration of your longest step, in seconds.</source>
        <translation>请设为最长 step 的时长，单位为秒。</translation>
    </message>
    <message>
        <source>it is the list &quot;%1&quot;, as set by a platform for a pod, not one number</source>
        <translation>它是平台为 Pod 设置的列表“%1”，而不是单个数字</translation>
    </message>
    <message>
        <source>Launch with a launcher that sets it for each process, e.g. processes.</source>
        <translation>请使用会为每个进程设置它的启动器，例如 processes。</translation>
    </message>
    <message>
        <source>Write comma-separated ids in ascending order without spaces, e.g. 0,1,2. The runtime silently drops the rest of the list.</source>
        <translation>请按升序写以逗号分隔的编号，不含空格，例如 0,1,2。运行时会不加提示地丢弃列表的其余部分。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has no =</source>
        <translation>“%1”中没有 =</translation>
    </message>
    <message>
        <source>Write NAME=value.</source>
        <translation>请写 NAME=value。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a valid variable name</source>
        <translation>“%1”不是有效的变量名</translation>
    </message>
    <message>
        <source>%1 is set twice</source>
        <translation>%1 设置了两次</translation>
    </message>
    <message>
        <source>Keep one of the lines.</source>
        <translation>请保留其中一行。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; contains a space</source>
        <translation>“%1”含有空格</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in &quot;%2&quot; is not a device id</source>
        <translation>“%2”中的“%1”不是设备编号</translation>
    </message>
    <message>
        <source>device %1 in &quot;%2&quot; does not exist: this node has %3</source>
        <translation>“%2”中的设备 %1 不存在：本节点有 %3</translation>
    </message>
    <message>
        <source>%1 follows %2 in &quot;%3&quot;</source>
        <translation>“%3”中 %1 排在 %2 之后</translation>
    </message>
    <message>
        <source>unknown transport &quot;%1&quot;</source>
        <translation>未知的连接方式“%1”</translation>
    </message>
    <message>
        <source>Use auto, local, ssh, slurm, %1, or ssh:HOST+ before one of the last three.</source>
        <translation>请使用 auto、local、ssh、slurm、%1，或在后三种之前加 ssh:HOST+。</translation>
    </message>
    <message>
        <source>not in a Slurm allocation: SLURM_JOB_ID is not set</source>
        <translation>不在 Slurm 资源分配中：SLURM_JOB_ID 未设置</translation>
    </message>
    <message>
        <source>A launch makes its own allocation. To test nodes first, run this inside salloc.</source>
        <translation>启动时会自行申请资源分配。要先测试节点，请在 salloc 中运行。</translation>
    </message>
    <message>
        <source>a node&apos;s name is empty</source>
        <translation>节点名为空</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a valid node name or address</source>
        <translation>“%1”不是有效的节点名或地址</translation>
    </message>
    <message>
        <source>%1 is named twice</source>
        <translation>%1 指定了两次</translation>
    </message>
    <message>
        <source>Name each node once.</source>
        <translation>每个节点请只写一次。</translation>
    </message>
    <message>
        <source>no list of nodes: SLURM_JOB_NODELIST is not set</source>
        <translation>没有节点列表：SLURM_JOB_NODELIST 未设置</translation>
    </message>
    <message>
        <source>scontrol, which expands the list of nodes, did not answer: %1</source>
        <translation>用于展开节点列表的 scontrol 没有应答：%1</translation>
    </message>
    <message>
        <source>scontrol cannot expand &quot;%1&quot;: %2</source>
        <translation>scontrol 无法展开“%1”：%2</translation>
    </message>
    <message>
        <source>%1 leads to one node, and %2 are named</source>
        <translation>%1 只通向一个节点，却指定了 %2 个</translation>
    </message>
    <message>
        <source>Write {node} where the name of each belongs.</source>
        <translation>请在各节点名的位置写 {node}。</translation>
    </message>
    <message>
        <source>the pattern matches an empty line</source>
        <translation>该模式会匹配空行</translation>
    </message>
    <message>
        <source>Write what the prompt looks like, e.g. &quot;\(mydbg\) &quot;.</source>
        <translation>请写出提示符的样子，例如“\(mydbg\) ”。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a signal for stacks</source>
        <translation>“%1”不是用于输出调用栈的信号</translation>
    </message>
    <message>
        <source>Give USR1, USR2, HUP or QUIT, as passed to faulthandler.register() by the program.</source>
        <translation>请指定 USR1、USR2、HUP 或 QUIT，与程序传给 faulthandler.register() 的一致。</translation>
    </message>
    <message>
        <source>Name groups, e.g. &quot;step (?P&lt;step&gt;\d+)&quot;: %1.</source>
        <translation>请使用命名组，例如“step (?P&lt;step&gt;\d+)”：%1。</translation>
    </message>
    <message>
        <source>the pattern has no named group</source>
        <translation>该模式没有命名组</translation>
    </message>
    <message>
        <source>the pattern has a group &quot;%1&quot;</source>
        <translation>该模式中有组“%1”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not of the form %2</source>
        <translation>“%1”不是 %2 的形式</translation>
    </message>
    <message>
        <source>A name has letters, digits, and _ . - after the first; {node} stands for each of --nodes.</source>
        <translation>名称由字母、数字组成，首字符之后还可用 _ . -；{node} 代表 --nodes 中的每一个。</translation>
    </message>
    <message>
        <source>--transport %1 already says how nodes are reached</source>
        <translation>--transport %1 已说明如何连接节点</translation>
    </message>
    <message>
        <source>Leave one of the two out, or give --transport ssh.</source>
        <translation>请去掉其中之一，或指定 --transport ssh。</translation>
    </message>
    <message>
        <source>The log cannot be read: %1.</source>
        <translation>无法读取日志：%1。</translation>
    </message>
    <message>
        <source>The log cannot be read: it is not a regular file.</source>
        <translation>无法读取日志：不是普通文件。</translation>
    </message>
    <message>
        <source> … (%1 line)</source>
        <translation> …（第 %1 行）</translation>
    </message>
    <message>
        <source>cannot be read further: %1</source>
        <translation>无法继续读取：%1</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a severity</source>
        <translation>“%1”不是级别</translation>
    </message>
    <message>
        <source>Give debug, info, warning, error or critical.</source>
        <translation>请指定 debug、info、warning、error 或 critical。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a time</source>
        <translation>“%1”不是时间</translation>
    </message>
    <message>
        <source>Give e.g. 14:22, &quot;2024-12-26 14:22:26&quot;, or 10m for ten minutes ago.</source>
        <translation>请指定时间，例如 14:22、“2024-12-26 14:22:26”，或用 10m 表示十分钟前。</translation>
    </message>
    <message>
        <source>the pattern is empty</source>
        <translation>模式为空</translation>
    </message>
    <message>
        <source>Give the text to search for.</source>
        <translation>请给出要搜索的文本。</translation>
    </message>
    <message>
        <source>See the syntax of RE2, or search for plain text.</source>
        <translation>请参阅 RE2 语法，或按纯文本搜索。</translation>
    </message>
    <message>
        <source>all except %1</source>
        <translation>除 %1 外的全部</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Synchronise it by NTP (chronyc makestep): Rankdeck compares times in logs of several nodes.</source>
        <translation>请用 NTP 同步（chronyc makestep）：Rankdeck 会比较多个节点日志中的时间。</translation>
    </message>
    <message>
        <source>The nodes&apos; clocks differ from this one by at most %1 ms.</source>
        <translation>各节点与本机的时钟相差最多 %1 ms。</translation>
    </message>
    <message>
        <source>The launch has no rank table.</source>
        <translation>本次启动没有 rank table。</translation>
    </message>
    <message numerus="yes">
        <source>The rank table has %n more findings.</source>
        <comment>The rank table has %n more finding.</comment>
        <translation>
            <numerusform>rank table 还有 %n 个问题。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run rankdeckctl ranktable check to list them all.</source>
        <translation>请执行 rankdeckctl ranktable check 列出全部。</translation>
    </message>
    <message>
        <source>The rank table is correct. Ranks: %1, nodes: %2.</source>
        <translation>rank table 正确。rank：%1，节点：%2。</translation>
    </message>
    <message>
        <source>No variable of CANN, HCCL, torch_npu or MindSpore is set.</source>
        <translation>没有设置 CANN、HCCL、torch_npu 或 MindSpore 的变量。</translation>
    </message>
    <message numerus="yes">
        <source>%n variables have valid values: %1.</source>
        <comment>%n variable has a valid value: %1.</comment>
        <translation>
            <numerusform>%n 个变量的值有效：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Of %1 ranks, %2 are tested: the first of each node, at most %3.</source>
        <translation>%1 个 rank 中测试 %2 个：每节点的第一个，最多 %3 个。</translation>
    </message>
    <message>
        <source>This plan starts %1 of %2 ranks; ranks of other nodes are not tested.</source>
        <translation>本计划启动 %2 个 rank 中的 %1 个；其他节点的 rank 不测试。</translation>
    </message>
    <message>
        <source>Name all nodes with --nodes to test all ranks.</source>
        <translation>请用 --nodes 指定所有节点，以测试全部 rank。</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>全部 rank</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <comment>%n rank</comment>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 starts %n processes on %2, world size %3.</source>
        <comment>%1 starts %n process on %2, world size %3.</comment>
        <translation>
            <numerusform>%1 在 %2 上启动 %n 个进程，world size 为 %3。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 checks failed</source>
        <translation>%2 项检查中有 %1 项失败</translation>
    </message>
    <message>
        <source>None of %1 checks failed</source>
        <translation>%1 项检查均未失败</translation>
    </message>
    <message numerus="yes">
        <source>%n warnings</source>
        <comment>%n warning</comment>
        <translation>
            <numerusform>%n 个警告</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 skipped</source>
        <translation>跳过 %1 项</translation>
    </message>
    <message>
        <source>%1 (%2 s).</source>
        <translation>%1（%2 s）。</translation>
    </message>
    <message>
        <source>device %1 of server %2 has no rank_id of its own</source>
        <translation>服务器 %2 的设备 %1 没有自己的 rank_id</translation>
    </message>
    <message>
        <source>Make each device of a lab table an instance with one rank_id.</source>
        <translation>请将 lab 表中的每个设备写成一个带 rank_id 的实例。</translation>
    </message>
    <message>
        <source>device %1 of server %2 has no super_device_id</source>
        <translation>服务器 %2 的设备 %1 没有 super_device_id</translation>
    </message>
    <message>
        <source>Give one for each device; npu-smi info -t spod-info shows it.</source>
        <translation>请为每个设备给出一个；可用 npu-smi info -t spod-info 查看。</translation>
    </message>
    <message>
        <source>the table has two servers &quot;%1&quot;</source>
        <translation>表中有两个服务器“%1”</translation>
    </message>
    <message>
        <source>List all devices of a server under one server_id.</source>
        <translation>请将一个服务器的所有设备列在同一 server_id 下。</translation>
    </message>
    <message>
        <source>a super pod without an id</source>
        <translation>超节点没有编号</translation>
    </message>
    <message>
        <source>super pod &quot;%1&quot; is given twice</source>
        <translation>超节点“%1”给出了两次</translation>
    </message>
    <message>
        <source>Give each super pod once, with all its servers.</source>
        <translation>每个超节点请只写一次，并包含其所有服务器。</translation>
    </message>
    <message>
        <source>super pod &quot;%1&quot; names server %2, which is not in the table</source>
        <translation>超节点“%1”指定的服务器 %2 不在表中</translation>
    </message>
    <message>
        <source>Write the server as its server_id in the table.</source>
        <translation>请按表中的 server_id 填写服务器。</translation>
    </message>
    <message>
        <source>server %1 belongs to two super pods, &quot;%2&quot; and &quot;%3&quot;</source>
        <translation>服务器 %1 属于两个超节点：“%2”和“%3”</translation>
    </message>
    <message>
        <source>Keep it in one of them.</source>
        <translation>请只保留在其中一个。</translation>
    </message>
    <message>
        <source>server %1 belongs to no super pod</source>
        <translation>服务器 %1 不属于任何超节点</translation>
    </message>
    <message>
        <source>Name the super pod of every server.</source>
        <translation>请为每个服务器指定超节点。</translation>
    </message>
    <message>
        <source>pod_name &quot;%1&quot; does not end in &apos;-&apos; and a number, so the order of instances is unknown</source>
        <translation>pod_name“%1”不以“-”加数字结尾，无法得知实例的顺序</translation>
    </message>
    <message>
        <source>Name the instances as the platform does, e.g. job-0 and job-1.</source>
        <translation>请按平台的方式为实例命名，例如 job-0 和 job-1。</translation>
    </message>
    <message>
        <source>the table already lists its super pods</source>
        <translation>表中已列出超节点</translation>
    </message>
    <message>
        <source>%1 cannot be converted to version 1.2</source>
        <translation>%1 无法转换为版本 1.2</translation>
    </message>
    <message>
        <source>Give a table of version 1.0 or template 2.</source>
        <translation>请给出版本 1.0 或 template 2 的表。</translation>
    </message>
    <message>
        <source>no device is selected</source>
        <translation>没有选择设备</translation>
    </message>
    <message>
        <source>Choose at least one, e.g. 0-7.</source>
        <translation>请至少选择一个，例如 0-7。</translation>
    </message>
    <message numerus="yes">
        <source>%n device addresses, but the number of devices is %1</source>
        <comment>%n device address, but the number of devices is %1</comment>
        <translation>
            <numerusform>有 %n 个设备地址，而设备数为 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Give one address for each device.</source>
        <translation>请为每个设备给出一个地址。</translation>
    </message>
    <message>
        <source>not an IP address</source>
        <translation>不是 IP 地址</translation>
    </message>
    <message>
        <source>Write it like 192.0.2.10.</source>
        <translation>请写成 192.0.2.10 的形式。</translation>
    </message>
    <message>
        <source>No hccn_tool found in PATH or %1.</source>
        <translation>在 PATH 或 %1 中没有找到 hccn_tool。</translation>
    </message>
    <message>
        <source>%1 did not answer within %2 s.</source>
        <translation>%1 在 %2 s 内没有应答。</translation>
    </message>
    <message>
        <source>%1 returned no address.</source>
        <translation>%1 没有返回地址。</translation>
    </message>
    <message>
        <source>%1 returned no address, but &quot;%2&quot;.</source>
        <translation>%1 没有返回地址，而是“%2”。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 无法读取：%2。</translation>
    </message>
    <message>
        <source>%1 has no address_%2.</source>
        <translation>%1 中没有 address_%2。</translation>
    </message>
    <message>
        <source>this host has no IPv4 address to use as server_id</source>
        <translation>本机没有可用作 server_id 的 IPv4 地址</translation>
    </message>
    <message>
        <source>Give an address.</source>
        <translation>请给出一个地址。</translation>
    </message>
    <message>
        <source>the search for device addresses was cancelled</source>
        <translation>已取消查找设备地址</translation>
    </message>
    <message>
        <source>no address found for device %1. %2</source>
        <translation>没有找到设备 %1 的地址。%2</translation>
    </message>
    <message>
        <source>Run this on a host with NPUs, or give the address of every device.</source>
        <translation>请在有 NPU 的主机上运行，或给出每个设备的地址。</translation>
    </message>
    <message>
        <source>%1 cannot be merged</source>
        <translation>%1 无法合并</translation>
    </message>
    <message>
        <source>Merge tables of version 1.0 or template 2.</source>
        <translation>请合并版本 1.0 或 template 2 的表。</translation>
    </message>
    <message>
        <source>the table lists no device, so there is nothing to merge</source>
        <translation>该表没有列出设备，没有可合并的内容</translation>
    </message>
    <message>
        <source>Leave it out, or wait until it is complete.</source>
        <translation>请去掉它，或等它完成。</translation>
    </message>
    <message>
        <source>server %1 is already in %2</source>
        <translation>服务器 %1 已在 %2 中</translation>
    </message>
    <message>
        <source>Merge tables of different servers.</source>
        <translation>请合并不同服务器的表。</translation>
    </message>
    <message>
        <source>device_ip %1 of server %2 is already in %3</source>
        <translation>服务器 %2 的 device_ip %1 已在 %3 中</translation>
    </message>
    <message>
        <source>Every NPU needs its own address: see hccn_tool -i N -ip -g.</source>
        <translation>每张 NPU 需要自己的地址：见 hccn_tool -i N -ip -g。</translation>
    </message>
    <message>
        <source>Write it as 0-3,6 or [0,8) or 0,2,4.</source>
        <translation>请写成 0-3,6、[0,8) 或 0,2,4 的形式。</translation>
    </message>
    <message>
        <source>server %1 is not in the table</source>
        <translation>服务器 %1 不在表中</translation>
    </message>
    <message>
        <source>server %1 has no device %2</source>
        <translation>服务器 %1 没有设备 %2</translation>
    </message>
    <message>
        <source>Choose among the devices that every selected server has.</source>
        <translation>请在所有选定服务器都有的设备中选择。</translation>
    </message>
    <message>
        <source>merging needs at least two rank tables</source>
        <translation>合并至少需要两个 rank table</translation>
    </message>
    <message>
        <source>Name one for each server.</source>
        <translation>请为每个服务器给出一个。</translation>
    </message>
    <message>
        <source>not a list of devices</source>
        <translation>不是设备列表</translation>
    </message>
    <message>
        <source>a range of devices ends before it begins</source>
        <translation>有设备范围的终点小于起点</translation>
    </message>
    <message>
        <source>device ids end at %1</source>
        <translation>设备编号最大为 %1</translation>
    </message>
    <message>
        <source>%1 (and %2 more like this)</source>
        <translation>%1（另有 %2 个同类问题）</translation>
    </message>
    <message>
        <source>no rank table found</source>
        <translation>没有找到 rank table</translation>
    </message>
    <message>
        <source>Name one with --rank-table, or set RANK_TABLE_FILE.</source>
        <translation>请用 --rank-table 指定，或设置 RANK_TABLE_FILE。</translation>
    </message>
    <message>
        <source>not a file</source>
        <translation>不是文件</translation>
    </message>
    <message>
        <source>Name the file that holds the rank table.</source>
        <translation>请指定存放 rank table 的文件。</translation>
    </message>
    <message>
        <source>the file is larger than 100 MB, too large for a rank table</source>
        <translation>文件超过 100 MB，不可能是 rank table</translation>
    </message>
    <message>
        <source>An object is expected here.</source>
        <translation>此处应为对象。</translation>
    </message>
    <message>
        <source>Write { … }.</source>
        <translation>请写 { … }。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a key of this form; it is kept, but not used.</source>
        <translation>“%1”不是该形式的键；予以保留，但不使用。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is missing.</source>
        <translation>缺少“%1”。</translation>
    </message>
    <message>
        <source>Add &quot;%1&quot;.</source>
        <translation>请添加“%1”。</translation>
    </message>
    <message>
        <source>Put it in double quotes.</source>
        <translation>请用双引号括起。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be %2.</source>
        <translation>“%1”必须是%2。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a whole number in a string.</source>
        <translation>“%1”必须是字符串中的整数。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a whole number.</source>
        <translation>“%1”必须是整数。</translation>
    </message>
    <message>
        <source>Write it like &quot;0&quot;.</source>
        <translation>请写成“0”的形式。</translation>
    </message>
    <message>
        <source>Write it like 0.</source>
        <translation>请写成 0 的形式。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a string, but it is a number.</source>
        <translation>“%1”必须是字符串，此处却是数字。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a number, but it is a string.</source>
        <translation>“%1”必须是数字，此处却是字符串。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is %2, less than %3.</source>
        <translation>“%1”为 %2，小于 %3。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is %2, not in the range %3 to %4.</source>
        <translation>“%1”为 %2，不在 %3 到 %4 之间。</translation>
    </message>
    <message>
        <source>Correct the number.</source>
        <translation>请改正该数值。</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Write [ … ].</source>
        <translation>请写 [ … ]。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is empty.</source>
        <translation>“%1”为空。</translation>
    </message>
    <message>
        <source>Fill it, or remove the entry that contains it.</source>
        <translation>请填写，或移除包含它的条目。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has %2 entries; at most %3 are allowed.</source>
        <translation>“%1”有 %2 个条目，最多允许 %3 个。</translation>
    </message>
    <message>
        <source>Remove the surplus entries.</source>
        <translation>请移除多余的条目。</translation>
    </message>
    <message>
        <source>The file begins with a byte order mark.</source>
        <translation>文件以字节序标记（BOM）开头。</translation>
    </message>
    <message>
        <source>Save it as UTF-8 without one.</source>
        <translation>请存为不带 BOM 的 UTF-8。</translation>
    </message>
    <message>
        <source>JSON has no comments; the communication library rejects them.</source>
        <translation>JSON 没有注释；通信库会拒绝。</translation>
    </message>
    <message>
        <source>Remove the comment.</source>
        <translation>请移除注释。</translation>
    </message>
    <message>
        <source>A comma with no entry after it.</source>
        <translation>逗号之后没有条目。</translation>
    </message>
    <message>
        <source>Remove the comma.</source>
        <translation>请移除逗号。</translation>
    </message>
    <message>
        <source>Part of the table was omitted here.</source>
        <translation>表的一部分在此被省略。</translation>
    </message>
    <message>
        <source>Replace the dots with the omitted part.</source>
        <translation>请将省略号换成被省略的内容。</translation>
    </message>
    <message>
        <source>The file is not valid JSON at this line and column.</source>
        <translation>文件在此行此列处不是有效的 JSON。</translation>
    </message>
    <message>
        <source>Check for a missing or surplus comma, colon or quote, here or just before.</source>
        <translation>请检查此处或其前是否缺少或多出逗号、冒号或引号。</translation>
    </message>
    <message>
        <source>The file is incomplete: it is not valid JSON.</source>
        <translation>文件不完整：不是有效的 JSON。</translation>
    </message>
    <message>
        <source>Wait until it is written, or complete it.</source>
        <translation>请等待写完，或补全它。</translation>
    </message>
    <message>
        <source>The number is too large for any reader.</source>
        <translation>数值过大，任何程序都无法读取。</translation>
    </message>
    <message>
        <source>The file is nested more than %1 levels deep, too deep for a rank table.</source>
        <translation>文件嵌套超过 %1 层，对 rank table 而言过深。</translation>
    </message>
    <message>
        <source>The file holds more than %L1 values, too many for a rank table.</source>
        <translation>文件含有超过 %L1 个值，对 rank table 而言过多。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; appears twice in this object; the last one counts.</source>
        <translation>“%1”在该对象中出现两次；以最后一个为准。</translation>
    </message>
    <message>
        <source>Remove one of them.</source>
        <translation>请移除其中之一。</translation>
    </message>
    <message>
        <source>The rank table lists no device.</source>
        <translation>rank table 没有列出设备。</translation>
    </message>
    <message>
        <source>Add its devices.</source>
        <translation>请添加其设备。</translation>
    </message>
    <message>
        <source>A rank table is a JSON object, but this file holds something else.</source>
        <translation>rank table 应为 JSON 对象，而该文件是别的内容。</translation>
    </message>
    <message>
        <source>See the rank table configuration of HCCL for its forms.</source>
        <translation>各种形式见 HCCL 的 rank table 配置说明。</translation>
    </message>
    <message>
        <source>Unknown rank table version &quot;%1&quot;.</source>
        <translation>未知的 rank table 版本“%1”。</translation>
    </message>
    <message>
        <source>Not a known form of rank table: &quot;server_list&quot;, &quot;group_list&quot;, &quot;node_list&quot;, &quot;rank_list&quot; and &quot;server_group_list&quot; are missing.</source>
        <translation>不是已知形式的 rank table：没有“server_list”、“group_list”、“node_list”、“rank_list”或“server_group_list”。</translation>
    </message>
    <message>
        <source>Use template 2 or version 1.0, 1.1, 1.2 or 2.0.</source>
        <translation>请使用 template 2，或版本 1.0、1.1、1.2、2.0。</translation>
    </message>
    <message>
        <source>Two instances have the name &quot;%1&quot;.</source>
        <translation>有两个实例名为“%1”。</translation>
    </message>
    <message>
        <source>Give each instance its own name.</source>
        <translation>请为每个实例取不同的名称。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not end in &apos;-&apos; and a number, by which davincirun orders the instances.</source>
        <translation>“%1”不以“-”加数字结尾，而 davincirun 据此为实例排序。</translation>
    </message>
    <message>
        <source>&quot;para_plane_nic_location&quot; is &quot;%1&quot;, but only &quot;device&quot; is supported.</source>
        <translation>“para_plane_nic_location”为“%1”，仅支持“device”。</translation>
    </message>
    <message>
        <source>Write &quot;device&quot;.</source>
        <translation>请写“device”。</translation>
    </message>
    <message>
        <source>%1 devices on %2 servers: each server must have 1, 2, 4, 8 or 16.</source>
        <translation>%2 个服务器共 %1 个设备：每个服务器须有 1、2、4、8 或 16 个。</translation>
    </message>
    <message>
        <source>Correct &quot;device_num&quot; or &quot;server_num&quot;.</source>
        <translation>请改正“device_num”或“server_num”。</translation>
    </message>
    <message>
        <source>A table with a version must have &quot;server_list&quot;; template 2 has no version.</source>
        <translation>带版本的表必须有“server_list”；template 2 没有版本。</translation>
    </message>
    <message>
        <source>Remove the version, or convert the table.</source>
        <translation>请移除版本，或转换该表。</translation>
    </message>
    <message>
        <source>Version &quot;%1&quot; does not fit this form, which is %2.</source>
        <translation>版本“%1”与该形式不符，该形式为 %2。</translation>
    </message>
    <message>
        <source>An Ascend 950 accepts version 2.0 only.</source>
        <translation>昇腾 950 只接受版本 2.0。</translation>
    </message>
    <message>
        <source>Version 2.0 is for the Ascend 950 only.</source>
        <translation>版本 2.0 仅用于昇腾 950。</translation>
    </message>
    <message>
        <source>Version 1.2 is for super pods of the Ascend 910_93 only.</source>
        <translation>版本 1.2 仅用于昇腾 910_93 的超节点。</translation>
    </message>
    <message>
        <source>Generate the table again for this chip, or correct the chip.</source>
        <translation>请为该芯片重新生成，或改正芯片。</translation>
    </message>
    <message>
        <source>The table is still being written; the communication library waits up to 30 minutes for it.</source>
        <translation>表仍在写入；通信库最多等待 30 分钟。</translation>
    </message>
    <message>
        <source>Wait until its status is &quot;completed&quot;.</source>
        <translation>请等到其状态为“completed”。</translation>
    </message>
    <message>
        <source>The status is &quot;%1&quot;: the communication library waits for &quot;completed&quot; until it gives up.</source>
        <translation>状态为“%1”：通信库会一直等待“completed”，直到放弃。</translation>
    </message>
    <message>
        <source>Write &quot;completed&quot;.</source>
        <translation>请写“completed”。</translation>
    </message>
    <message>
        <source>&quot;status&quot; is missing; version 2.0 assumes that the table is completed.</source>
        <translation>缺少“status”；版本 2.0 视为已完成。</translation>
    </message>
    <message>
        <source>Add &quot;status&quot;: &quot;completed&quot;.</source>
        <translation>请添加 &quot;status&quot;: &quot;completed&quot;。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is %2, but the number of %4 is %3.</source>
        <translation>“%1”为 %2，而%4数为 %3。</translation>
    </message>
    <message>
        <source>servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>instances</source>
        <translation>实例</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation> rank </translation>
    </message>
    <message>
        <source>Rank %1 in a table of %2 devices: ranks must be 0 to %3.</source>
        <translation>表中有 %2 个设备，却有 rank %1：rank 须为 0 到 %3。</translation>
    </message>
    <message>
        <source>Number the ranks from 0 without gaps.</source>
        <translation>请从 0 起连续编号 rank。</translation>
    </message>
    <message>
        <source>Rank %1 is used twice.</source>
        <translation>rank %1 重复。</translation>
    </message>
    <message>
        <source>Rank %1 follows rank %2 in the file.</source>
        <translation>文件中 rank %1 排在 rank %2 之后。</translation>
    </message>
    <message>
        <source>The ranks of server &quot;%1&quot; lie between those of another server.</source>
        <translation>服务器“%1”的 rank 夹在另一服务器的 rank 之间。</translation>
    </message>
    <message>
        <source>Number the ranks server after server.</source>
        <translation>请按服务器依次为 rank 编号。</translation>
    </message>
    <message>
        <source>Server &quot;%1&quot; has higher ranks than &quot;%2&quot;. MindSpore requires the dictionary order of server_id.</source>
        <translation>服务器“%1”的 rank 大于“%2”的。MindSpore 要求按 server_id 的字典序。</translation>
    </message>
    <message>
        <source>Merge the servers&apos; tables again, or leave it if nothing but HCCL reads the table.</source>
        <translation>请重新合并各服务器的表；若只有 HCCL 读取该表，可不处理。</translation>
    </message>
    <message>
        <source>The file&apos;s name does not end in &quot;.json&quot;.</source>
        <translation>文件名不以“.json”结尾。</translation>
    </message>
    <message>
        <source>Rename the file; HCCL accepts no other name.</source>
        <translation>请重命名；HCCL 不接受其他名称。</translation>
    </message>
    <message>
        <source>The file is a symbolic link, which torch_npu refuses.</source>
        <translation>该文件是符号链接，torch_npu 会拒绝。</translation>
    </message>
    <message>
        <source>Name the file that it points to.</source>
        <translation>请指定它所指向的文件。</translation>
    </message>
    <message>
        <source>unknown chip &quot;%1&quot;</source>
        <translation>未知的芯片“%1”</translation>
    </message>
    <message>
        <source>Use 910, 910b, 910_93, 950 or 310p.</source>
        <translation>请使用 910、910b、910_93、950 或 310p。</translation>
    </message>
    <message>
        <source>Port %1 is reserved by the system.</source>
        <translation>端口 %1 由系统保留。</translation>
    </message>
    <message>
        <source>Use port 1024 or higher; 16666 is usual.</source>
        <translation>请使用 1024 及以上的端口；通常为 16666。</translation>
    </message>
    <message>
        <source>The device has no &quot;device_ip&quot;. Ranks of other servers need it to reach the device.</source>
        <translation>该设备没有“device_ip”。其他服务器的 rank 需要它来连接该设备。</translation>
    </message>
    <message>
        <source>Write its address, as shown by &quot;hccn_tool -i N -ip -g&quot;.</source>
        <translation>请填写其地址，用“hccn_tool -i N -ip -g”查看。</translation>
    </message>
    <message>
        <source>The device has no &quot;device_ip&quot;. A single server needs none, unless the chip is an Ascend 910 or 310P, or HCCL_INTRA_ROCE_ENABLE is set.</source>
        <translation>该设备没有“device_ip”。单个服务器不需要，除非芯片是昇腾 910 或 310P，或设置了 HCCL_INTRA_ROCE_ENABLE。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a mask, not an address.</source>
        <translation>“%1”是掩码，不是地址。</translation>
    </message>
    <message>
        <source>Write the device&apos;s address, as shown by &quot;hccn_tool -i N -ip -g&quot;.</source>
        <translation>请填写设备的地址，用“hccn_tool -i N -ip -g”查看。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an IP address.</source>
        <translation>“%1”不是 IP 地址。</translation>
    </message>
    <message>
        <source>The address %1 is used by two devices.</source>
        <translation>地址 %1 被两个设备使用。</translation>
    </message>
    <message>
        <source>Give each device its own address, as shown by &quot;hccn_tool -i N -ip -g&quot;.</source>
        <translation>请为每个设备填写各自的地址，用“hccn_tool -i N -ip -g”查看。</translation>
    </message>
    <message>
        <source>This is an IPv6 address, but the first device has an IPv4 address.</source>
        <translation>这是 IPv6 地址，而第一个设备为 IPv4 地址。</translation>
    </message>
    <message>
        <source>This is an IPv4 address, but the first device has an IPv6 address.</source>
        <translation>这是 IPv4 地址，而第一个设备为 IPv6 地址。</translation>
    </message>
    <message>
        <source>Use one family for all devices.</source>
        <translation>请让所有设备使用同一类地址。</translation>
    </message>
    <message numerus="yes">
        <source>The device has %n addresses, but the first one has %1.</source>
        <comment>The device has %n address, but the first one has %1.</comment>
        <translation>
            <numerusform>该设备有 %n 个地址，而第一个设备有 %1 个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Give every device the same number of addresses.</source>
        <translation>请为每个设备填写同样数量的地址。</translation>
    </message>
    <message>
        <source>The server&apos;s id is empty.</source>
        <translation>服务器的编号为空。</translation>
    </message>
    <message>
        <source>Write the host&apos;s address.</source>
        <translation>请填写主机的地址。</translation>
    </message>
    <message>
        <source>The server&apos;s id is %1 characters long; at most %2 are allowed.</source>
        <translation>服务器的编号有 %1 个字符，最多允许 %2 个。</translation>
    </message>
    <message>
        <source>Use the host&apos;s address.</source>
        <translation>请使用主机的地址。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an IP address. This is allowed, but some tools use it to find the host.</source>
        <translation>“%1”不是 IP 地址。这是允许的，但有些工具用它查找主机。</translation>
    </message>
    <message>
        <source>Server &quot;%1&quot; is listed twice.</source>
        <translation>服务器“%1”列出了两次。</translation>
    </message>
    <message>
        <source>Put all devices of a server into one entry.</source>
        <translation>请将一个服务器的所有设备放在同一条目中。</translation>
    </message>
    <message>
        <source>Write the host&apos;s address, or remove &quot;host_ip&quot; from all servers.</source>
        <translation>请填写主机的地址，或从所有服务器中移除“host_ip”。</translation>
    </message>
    <message>
        <source>The communication library ignores &quot;host_nic_ip&quot;.</source>
        <translation>通信库忽略“host_nic_ip”。</translation>
    </message>
    <message>
        <source>&quot;host_ip&quot; is missing here, but other servers have it.</source>
        <translation>此处缺少“host_ip”，而其他服务器有。</translation>
    </message>
    <message>
        <source>Give it to all servers or to none.</source>
        <translation>请为所有服务器填写，或都不填写。</translation>
    </message>
    <message>
        <source>The server has %1 devices; an Ascend 910 needs 1, 2, 4 or 8.</source>
        <translation>该服务器有 %1 个设备；昇腾 910 须为 1、2、4 或 8 个。</translation>
    </message>
    <message>
        <source>Remove or add devices.</source>
        <translation>请移除或添加设备。</translation>
    </message>
    <message numerus="yes">
        <source>The server has %n devices, but the first one has %1. On an Ascend 910 all need the same number.</source>
        <comment>The server has %n device, but the first one has %1. On an Ascend 910 all need the same number.</comment>
        <translation>
            <numerusform>该服务器有 %n 个设备，而第一个服务器有 %1 个。昇腾 910 要求数量全部相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Use the same number of devices on each server.</source>
        <translation>请让每个服务器的设备数相同。</translation>
    </message>
    <message>
        <source>Device %1: the largest device id of any chip is %2.</source>
        <translation>设备 %1：任何芯片的设备编号最大为 %2。</translation>
    </message>
    <message>
        <source>Device %1: the largest device id of this chip is %2.</source>
        <translation>设备 %1：该芯片的设备编号最大为 %2。</translation>
    </message>
    <message>
        <source>Write the physical id, as shown by npu-smi.</source>
        <translation>请填写物理编号，用 npu-smi 查看。</translation>
    </message>
    <message>
        <source>Device %1 of server &quot;%2&quot; is used twice.</source>
        <translation>服务器“%2”的设备 %1 重复。</translation>
    </message>
    <message>
        <source>Give each device of a server to one rank.</source>
        <translation>请将服务器的每个设备只分给一个 rank。</translation>
    </message>
    <message>
        <source>The super pod&apos;s id is empty.</source>
        <translation>超节点的编号为空。</translation>
    </message>
    <message>
        <source>Write its number.</source>
        <translation>请填写其编号。</translation>
    </message>
    <message>
        <source>Super pod &quot;%1&quot; is listed twice.</source>
        <translation>超节点“%1”列出了两次。</translation>
    </message>
    <message>
        <source>Put all servers of a super pod into one entry.</source>
        <translation>请将一个超节点的所有服务器放在同一条目中。</translation>
    </message>
    <message>
        <source>Server &quot;%1&quot; of this super pod is not in &quot;server_list&quot;.</source>
        <translation>该超节点的服务器“%1”不在“server_list”中。</translation>
    </message>
    <message>
        <source>Write the server_id of one of its servers.</source>
        <translation>请填写其中某个服务器的 server_id。</translation>
    </message>
    <message>
        <source>Server &quot;%1&quot; belongs to two super pods.</source>
        <translation>服务器“%1”属于两个超节点。</translation>
    </message>
    <message>
        <source>Remove it from one of them.</source>
        <translation>请从其中一个移除。</translation>
    </message>
    <message>
        <source>Server &quot;%1&quot; belongs to no super pod.</source>
        <translation>服务器“%1”不属于任何超节点。</translation>
    </message>
    <message>
        <source>Add it to the &quot;server_list&quot; of its super pod.</source>
        <translation>请将它加入其超节点的“server_list”。</translation>
    </message>
    <message>
        <source>Server &quot;%1&quot; is listed apart from the others of its super pod.</source>
        <translation>服务器“%1”没有与同一超节点的其他服务器列在一起。</translation>
    </message>
    <message>
        <source>List the servers of a super pod one after the other.</source>
        <translation>请将一个超节点的服务器连续列出。</translation>
    </message>
    <message>
        <source>super_device_id %1 is used twice in this super pod.</source>
        <translation>super_device_id %1 在该超节点中重复。</translation>
    </message>
    <message>
        <source>Write the value shown by &quot;npu-smi info -t spod-info -i N -c C&quot;.</source>
        <translation>请填写“npu-smi info -t spod-info -i N -c C”显示的值。</translation>
    </message>
    <message>
        <source>&quot;super_device_id&quot; is missing or empty.</source>
        <translation>“super_device_id”缺失或为空。</translation>
    </message>
    <message>
        <source>super_device_id &quot;%1&quot; is not a decimal number.</source>
        <translation>super_device_id“%1”不是十进制数。</translation>
    </message>
    <message>
        <source>Write the value shown by &quot;npu-smi info -t spod-info -i N -c C&quot;, as a decimal number.</source>
        <translation>请以十进制数填写“npu-smi info -t spod-info -i N -c C”显示的值。</translation>
    </message>
    <message>
        <source>local_id 64 is a backup device, but &quot;replaced_local_id&quot; is missing.</source>
        <translation>local_id 64 是备用设备，但缺少“replaced_local_id”。</translation>
    </message>
    <message>
        <source>Add the local_id of the device that it replaces.</source>
        <translation>请添加被它替换的设备的 local_id。</translation>
    </message>
    <message>
        <source>Layer %1 follows layer %2; layers must ascend.</source>
        <translation>第 %1 层排在第 %2 层之后；层须递增。</translation>
    </message>
    <message>
        <source>List the layers in ascending order, each once.</source>
        <translation>请按升序列出各层，每层一次。</translation>
    </message>
    <message>
        <source>&quot;net_instance_id&quot; must have 1 to %1 characters.</source>
        <translation>“net_instance_id”须为 1 到 %1 个字符。</translation>
    </message>
    <message>
        <source>Correct it.</source>
        <translation>请改正它。</translation>
    </message>
    <message>
        <source>Layer 0 must have the type &quot;TOPO_FILE_DESC&quot;.</source>
        <translation>第 0 层的类型必须是“TOPO_FILE_DESC”。</translation>
    </message>
    <message>
        <source>Write &quot;TOPO_FILE_DESC&quot;.</source>
        <translation>请写“TOPO_FILE_DESC”。</translation>
    </message>
    <message>
        <source>Layers above 0 must have the type &quot;CLOS&quot;.</source>
        <translation>第 0 层以上的类型必须是“CLOS”。</translation>
    </message>
    <message>
        <source>Write &quot;CLOS&quot;.</source>
        <translation>请写“CLOS”。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a type of address.</source>
        <translation>“%1”不是地址类型。</translation>
    </message>
    <message>
        <source>Write &quot;EID&quot;, &quot;IPV4&quot; or &quot;IPV6&quot;.</source>
        <translation>请写“EID”、“IPV4”或“IPV6”。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an address of type %2.</source>
        <translation>“%1”不是 %2 类型的地址。</translation>
    </message>
    <message>
        <source>Correct the address or its type; an EID has 32 hexadecimal digits.</source>
        <translation>请改正地址或其类型；EID 为 32 位十六进制数。</translation>
    </message>
    <message>
        <source>Version 1.2 without &quot;super_pod_list&quot;: the servers are treated as plain ones.</source>
        <translation>版本 1.2 没有“super_pod_list”：服务器按普通服务器处理。</translation>
    </message>
    <message>
        <source>Add &quot;super_pod_list&quot;, or write version &quot;1.0&quot;.</source>
        <translation>请添加“super_pod_list”，或写版本“1.0”。</translation>
    </message>
    <message>
        <source>&quot;detour&quot; must be &quot;true&quot; or &quot;false&quot;.</source>
        <translation>“detour”必须是“true”或“false”。</translation>
    </message>
    <message>
        <source>Write one of them, as a string.</source>
        <translation>请写其中之一，以字符串形式。</translation>
    </message>
    <message>
        <source>&quot;collective_id&quot; is %1 characters long; at most %2 are allowed.</source>
        <translation>“collective_id”有 %1 个字符，最多允许 %2 个。</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>请缩短它。</translation>
    </message>
    <message>
        <source>&quot;mode&quot; must be &quot;tcp&quot; or &quot;rdma&quot;.</source>
        <translation>“mode”必须是“tcp”或“rdma”。</translation>
    </message>
    <message>
        <source>Write the rank&apos;s address.</source>
        <translation>请填写该 rank 的地址。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <comment>%n note</comment>
        <translation>
            <numerusform>%n 条提示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n errors</source>
        <comment>%n error</comment>
        <translation>
            <numerusform>%n 个错误</numerusform>
        </translation>
    </message>
    <message>
        <source>no findings</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>第 %1 行第 %2 列</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>shown by the library as %1</source>
        <translation>通信库显示为 %1</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>the rank table cannot be written: %1</source>
        <translation>无法写入 rank table：%1</translation>
    </message>
    <message>
        <source>Name another file with --converted-rank-table.</source>
        <translation>请用 --converted-rank-table 指定其他文件。</translation>
    </message>
    <message>
        <source>its folder cannot be created</source>
        <translation>无法创建其目录</translation>
    </message>
    <message>
        <source>The texts differ; they are too long to compare line by line: %1 and %2 lines.
</source>
        <translation>两份文本不同；过长而无法逐行比较：分别为 %1 行和 %2 行。
</translation>
    </message>
    <message>
        <source>cannot create a file here to check whether the folder is shared: %1</source>
        <translation>无法在此创建用于检查目录是否共享的文件：%1</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>exit code unknown</source>
        <translation>退出码未知</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>信号 %1</translation>
    </message>
    <message>
        <source>This run will be killed when you log out. To prevent that, run &quot;loginctl enable-linger&quot; now.</source>
        <translation>注销时本任务会被强制结束。如要避免，请现在执行“loginctl enable-linger”。</translation>
    </message>
    <message>
        <source>When you log out, logind kills this run with your session (KillUserProcesses=yes). Put &quot;systemd-run --user --scope&quot; before the command to keep a launch.</source>
        <translation>注销时 logind 会随会话强制结束本任务（KillUserProcesses=yes）。如要保留任务，请在命令前加“systemd-run --user --scope”。</translation>
    </message>
    <message>
        <source>When you log out, logind kills this run with your session (KillUserProcesses=yes). To keep a launch, run &quot;loginctl enable-linger&quot; once, and put &quot;systemd-run --user --scope&quot; before the command.</source>
        <translation>注销时 logind 会随会话强制结束本任务（KillUserProcesses=yes）。如要保留任务，请先执行一次“loginctl enable-linger”，并在命令前加“systemd-run --user --scope”。</translation>
    </message>
    <message>
        <source>the nice level %1 is not allowed here</source>
        <translation>此处不允许 nice 值 %1</translation>
    </message>
    <message>
        <source>%1 open files are not allowed here</source>
        <translation>此处不允许打开 %1 个文件</translation>
    </message>
    <message>
        <source>Give at most %1.</source>
        <translation>请指定不大于 %1 的值。</translation>
    </message>
    <message>
        <source>a memory limit of %1 MiB is above this user&apos;s own</source>
        <translation>内存上限 %1 MiB 超过了该用户自身的上限</translation>
    </message>
    <message>
        <source>Give at most %1M.</source>
        <translation>请指定不大于 %1M 的值。</translation>
    </message>
    <message>
        <source>cannot open a terminal: %1</source>
        <translation>无法打开终端：%1</translation>
    </message>
    <message>
        <source>Give fewer ranks a terminal (--tty), or check /proc/sys/kernel/pty/max.</source>
        <translation>请减少使用终端的 rank（--tty），或检查 /proc/sys/kernel/pty/max。</translation>
    </message>
    <message>
        <source>debugger; the rank is paused while it waits for commands</source>
        <translation>调试器；等待命令期间该 rank 被暂停</translation>
    </message>
    <message>
        <source>current stack of its Python threads</source>
        <translation>其 Python 线程当前的调用栈</translation>
    </message>
    <message>
        <source>time profile of its Python threads</source>
        <translation>其 Python 线程的耗时剖析</translation>
    </message>
    <message>
        <source>its system calls, live</source>
        <translation>其系统调用，实时</translation>
    </message>
    <message numerus="yes">
        <source>%n events could not be written here.</source>
        <comment>One event could not be written here.</comment>
        <translation>
            <numerusform>有 %n 个事件未能写入此处。</numerusform>
        </translation>
    </message>
    <message>
        <source>the title cannot be written: %1</source>
        <translation>无法写入标题：%1</translation>
    </message>
    <message>
        <source>unknown run</source>
        <translation>未知的任务</translation>
    </message>
    <message>
        <source>several runs match: %1</source>
        <translation>有多个任务匹配：%1</translation>
    </message>
    <message>
        <source>Give more of the name.</source>
        <translation>请写出名称的更多部分。</translation>
    </message>
    <message>
        <source>this run lies outside the directory of runs</source>
        <translation>该任务不在任务的总目录之内</translation>
    </message>
    <message>
        <source>Delete its directory yourself.</source>
        <translation>请自行删除其目录。</translation>
    </message>
    <message>
        <source>this is a symbolic link, not a run</source>
        <translation>这是符号链接，不是任务</translation>
    </message>
    <message>
        <source>Delete it yourself.</source>
        <translation>请自行删除。</translation>
    </message>
    <message>
        <source>the run is live</source>
        <translation>任务正在运行</translation>
    </message>
    <message>
        <source>Stop it first: rankdeckctl stop %1.</source>
        <translation>请先停止它：rankdeckctl stop %1。</translation>
    </message>
    <message>
        <source>could not delete everything: %1</source>
        <translation>未能全部删除：%1</translation>
    </message>
    <message>
        <source>The rest is no longer a run; delete it yourself.</source>
        <translation>剩余部分已不再是任务；请自行删除。</translation>
    </message>
    <message>
        <source>cannot read the setting: %1</source>
        <translation>无法读取设置：%1</translation>
    </message>
    <message>
        <source>this does not set how long runs are kept</source>
        <translation>这不是任务保留时间的设置</translation>
    </message>
    <message>
        <source>Write {&quot;keep_days&quot;: 30}, 1 to %1, or null for ever.</source>
        <translation>请写 {&quot;keep_days&quot;: 30}，取值 1 到 %1，null 表示永久保留。</translation>
    </message>
    <message>
        <source>cannot write the setting: %1</source>
        <translation>无法写入设置：%1</translation>
    </message>
    <message>
        <source>cannot delete the run: %1</source>
        <translation>无法删除任务：%1</translation>
    </message>
    <message>
        <source>cannot delete the log: %1</source>
        <translation>无法删除日志：%1</translation>
    </message>
    <message>
        <source>cannot create the directory: %1</source>
        <translation>无法创建目录：%1</translation>
    </message>
    <message>
        <source>this is not a directory that you own</source>
        <translation>该目录不属于当前用户</translation>
    </message>
    <message>
        <source>Move it away, or set XDG_RUNTIME_DIR.</source>
        <translation>请将它移走，或设置 XDG_RUNTIME_DIR。</translation>
    </message>
    <message>
        <source>other users can access the directory, and this cannot be changed</source>
        <translation>其他用户可访问该目录，且无法更改</translation>
    </message>
    <message>
        <source>cannot create the directory for runs: %1</source>
        <translation>无法创建存放任务的目录：%1</translation>
    </message>
    <message>
        <source>Set XDG_STATE_HOME to a writable directory.</source>
        <translation>请将 XDG_STATE_HOME 设为可写的目录。</translation>
    </message>
    <message>
        <source>cannot create the run directory: %1</source>
        <translation>无法创建任务目录：%1</translation>
    </message>
    <message>
        <source>cannot create the directory for bundles: %1</source>
        <translation>无法创建存放报告包的目录：%1</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>空闲 %1，共 %2</translation>
    </message>
    <message>
        <source>The disk is full: %1 on the file system of %2.</source>
        <translation>磁盘已满：%2 所在文件系统%1。</translation>
    </message>
    <message>
        <source>The file system of %1 has no inodes left: it contains too many files.</source>
        <translation>%1 所在文件系统的 inode 已用尽：文件过多。</translation>
    </message>
    <message>
        <source>Your quota is full on the file system of %1.</source>
        <translation>%1 所在文件系统上的配额已用尽。</translation>
    </message>
    <message>
        <source>%1 The run continues, but log lines that do not fit are lost.</source>
        <translation>%1任务继续运行，但写不下的日志行会丢失。</translation>
    </message>
    <message>
        <source>The file system of %1 has space again (%2). Logs may lack lines from %3 to %4.</source>
        <translation>%1 所在文件系统又有空间了（%2）。日志可能缺少 %3 到 %4 的行。</translation>
    </message>
    <message>
        <source>The run&apos;s journal had been removed; Rankdeck wrote it again.</source>
        <translation>任务的 journal 曾被移除；Rankdeck 已重新写入。</translation>
    </message>
    <message>
        <source>The run directory was removed while the run was live. Rankdeck made it again and the run goes on, but the logs in it are lost, and so is what is still written to them.</source>
        <translation>任务运行期间其目录被移除。Rankdeck 已重建目录，任务继续运行；但其中的日志已丢失，之后写入这些日志的内容也会丢失。</translation>
    </message>
    <message>
        <source>Other users had access to the run directory; Rankdeck has removed it.</source>
        <translation>其他用户曾可访问任务目录；Rankdeck 已取消其权限。</translation>
    </message>
    <message>
        <source>this is not a run record that this version can read</source>
        <translation>此版本无法读取这份任务记录</translation>
    </message>
    <message>
        <source>this run belongs to another user (%1)</source>
        <translation>该任务属于其他用户（%1）</translation>
    </message>
    <message>
        <source>Only the user who launched a run can watch or stop it.</source>
        <translation>只有启动任务的用户可以查看或停止它。</translation>
    </message>
    <message>
        <source>no run found here</source>
        <translation>此处没有任务</translation>
    </message>
    <message>
        <source>this run was created by a newer version of Rankdeck</source>
        <translation>该任务由更新版本的 Rankdeck 创建</translation>
    </message>
    <message>
        <source>cannot write the run record: %1</source>
        <translation>无法写入任务记录：%1</translation>
    </message>
    <message>
        <source>Lost its supervisor at %1</source>
        <translation>监管进程于 %1 失联</translation>
    </message>
    <message>
        <source>Lost its supervisor after %1</source>
        <translation>监管进程在 %1 之后失联</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>succeeded</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>失联</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>写入中</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are waiting at a prompt</source>
        <translation>%2 个 rank 中有 %1 个停在提示符处</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are at a debugger prompt</source>
        <translation>%2 个 rank 中有 %1 个停在调试器提示符处</translation>
    </message>
    <message>
        <source>%1: %2, rank %3 first.</source>
        <translation>%1：%2，rank %3 最先。</translation>
    </message>
    <message>
        <source>%1, in this order: %2; then others.</source>
        <translation>%1，依次为：%2；之后是其他 rank。</translation>
    </message>
    <message>
        <source>%1, in this order: %2.</source>
        <translation>%1，依次为：%2。</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 are paused (SIGSTOP).</source>
        <comment>Rank %1 is paused (SIGSTOP).</comment>
        <translation>
            <numerusform>rank %1 被暂停（SIGSTOP）。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 are paused by a debugger.</source>
        <comment>Rank %1 is paused by a debugger.</comment>
        <translation>
            <numerusform>rank %1 被调试器暂停。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2，%3）</translation>
    </message>
    <message>
        <source>Ranks that wait for them may give up at %1.</source>
        <translation>等待它们的 rank 可能在 %1 放弃。</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 seem to wait for it.</source>
        <comment>Rank %1 seems to wait for it.</comment>
        <translation>
            <numerusform>rank %1 似乎在等待它。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, device %2</source>
        <translation>%1，设备 %2</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>at most %1 MB resident</source>
        <translation>常驻内存最多 %1 MB</translation>
    </message>
    <message>
        <source>at most %1 of %2 MB of its memory</source>
        <translation>内存最多用 %1 MB，共 %2 MB</translation>
    </message>
    <message>
        <source>at most %1 MB of its memory</source>
        <translation>内存最多用 %1 MB</translation>
    </message>
    <message>
        <source>%1 % of a processor on average</source>
        <translation>平均占用 %1 % 的一个处理器</translation>
    </message>
    <message>
        <source>AICore %1 % on average</source>
        <translation>AICore 平均 %1 %</translation>
    </message>
    <message>
        <source>busy for %1 % on average</source>
        <translation>平均 %1 % 的时间处于忙碌状态</translation>
    </message>
    <message>
        <source>up to %1 °C</source>
        <translation>最高 %1 °C</translation>
    </message>
    <message>
        <source>Of %1, most memory was used by %2. On average, least busy was %3, busiest was %4.</source>
        <translation>%1 中，内存用得最多的是 %2。平均最闲的是 %3，最忙的是 %4。</translation>
    </message>
    <message>
        <source>no history of samples in this run</source>
        <translation>该任务没有采样历史</translation>
    </message>
    <message>
        <source>not a history of processes</source>
        <translation>不是进程历史</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number</source>
        <translation>“%1”不是数字</translation>
    </message>
    <message>
        <source>Write e.g. 12 or 1.5.</source>
        <translation>请写数字，例如 12 或 1.5。</translation>
    </message>
    <message>
        <source>States cannot be compared</source>
        <translation>状态无法比较大小</translation>
    </message>
    <message>
        <source>Write state=failed or state!=running.</source>
        <translation>请写 state=failed 或 state!=running。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a health value</source>
        <translation>“%1”不是健康状态的值</translation>
    </message>
    <message>
        <source>Give ok, warning, alarm, critical or unknown.</source>
        <translation>请指定 ok、warning、alarm、critical 或 unknown。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a rank</source>
        <translation>“%1”不是 rank</translation>
    </message>
    <message>
        <source>Write e.g. rank&lt;8.</source>
        <translation>请写成 rank&lt;8 的形式。</translation>
    </message>
    <message>
        <source>%1 is a number without a unit</source>
        <translation>%1 是没有单位的数值</translation>
    </message>
    <message>
        <source>Remove &quot;%1&quot;.</source>
        <translation>请移除“%1”。</translation>
    </message>
    <message>
        <source>Missing unit</source>
        <translation>缺少单位</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a unit of %2</source>
        <translation>“%1”不是 %2 的单位</translation>
    </message>
    <message>
        <source>Give %1.</source>
        <comment>units</comment>
        <translation>请指定 %1。</translation>
    </message>
    <message>
        <source>Unknown value &quot;%1&quot;</source>
        <translation>未知的值“%1”</translation>
    </message>
    <message>
        <source>Use ai, hbm, temp, power, clock, health, foreign, cpu, mem, read, written, rank or state. Quote text to search for it literally.</source>
        <translation>请使用 ai、hbm、temp、power、clock、health、foreign、cpu、mem、read、written、rank 或 state。按字面搜索时请给文本加引号。</translation>
    </message>
    <message>
        <source>could not be killed: %1</source>
        <translation>无法强制结束：%1</translation>
    </message>
    <message>
        <source>%1 was left over and got %2</source>
        <translation>%1 为残留进程，已收到 %2</translation>
    </message>
    <message>
        <source>%1 could not be killed: it runs as another user.</source>
        <translation>无法强制结束 %1：它以其他用户运行。</translation>
    </message>
    <message>
        <source>%1 could not be killed: it hangs in the kernel (state %2).</source>
        <translation>无法强制结束 %1：它卡在内核中（状态 %2）。</translation>
    </message>
    <message>
        <source>%1 could not be killed: it hangs in the kernel, in %3 (state %2).</source>
        <translation>无法强制结束 %1：它卡在内核的 %3 中（状态 %2）。</translation>
    </message>
    <message>
        <source>RANK_TABLE_FILE is not set</source>
        <translation>RANK_TABLE_FILE 未设置</translation>
    </message>
    <message>
        <source>Call initRankTable() first.</source>
        <translation>请先调用 initRankTable()。</translation>
    </message>
    <message>
        <source>not a completed rank table of version 1.0 or 1.2</source>
        <translation>不是版本 1.0 或 1.2 的已完成 rank table</translation>
    </message>
    <message>
        <source>⚠ throttled</source>
        <translation>⚠ 已降频</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Logical id of the NPU: the number that programs use.</source>
        <translation>NPU 的逻辑 ID，即程序使用的编号。</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康状态</translation>
    </message>
    <message>
        <source>Health of the NPU as the driver reports it.</source>
        <translation>驱动上报的 NPU 健康状态。</translation>
    </message>
    <message>
        <source>AICore %</source>
        <translation>AICore %</translation>
    </message>
    <message>
        <source>Load of the AI cores.</source>
        <translation>AI Core 的负载。</translation>
    </message>
    <message>
        <source>Load of the NPU as a whole.</source>
        <translation>NPU 的整体负载。</translation>
    </message>
    <message>
        <source>AI vector %</source>
        <translation>AI Vector %</translation>
    </message>
    <message>
        <source>Load of the vector cores.</source>
        <translation>AI Vector 核的负载。</translation>
    </message>
    <message>
        <source>AI CPU %</source>
        <translation>AI CPU %</translation>
    </message>
    <message>
        <source>Load of the NPU&apos;s own processors.</source>
        <translation>NPU 自带 CPU 的负载。</translation>
    </message>
    <message>
        <source>HBM GB</source>
        <translation>HBM GB</translation>
    </message>
    <message>
        <source>Used memory of the NPU; 1 GB is 1,024 MB.</source>
        <translation>已用的 NPU 内存；1 GB 为 1024 MB。</translation>
    </message>
    <message>
        <source>of GB</source>
        <translation>总量 GB</translation>
    </message>
    <message>
        <source>Total HBM of the NPU.</source>
        <translation>NPU 的 HBM 总量。</translation>
    </message>
    <message>
        <source>HBM %</source>
        <translation>HBM %</translation>
    </message>
    <message>
        <source>Used share of the HBM.</source>
        <translation>HBM 的已用比例。</translation>
    </message>
    <message>
        <source>DDR GB</source>
        <translation>DDR GB</translation>
    </message>
    <message>
        <source>Used DDR memory of the NPU.</source>
        <translation>NPU 已用的 DDR 内存。</translation>
    </message>
    <message>
        <source>of GB DDR</source>
        <translation>DDR 总量 GB</translation>
    </message>
    <message>
        <source>Total DDR memory of the NPU.</source>
        <translation>NPU 的 DDR 内存总量。</translation>
    </message>
    <message>
        <source>°C</source>
        <translation>°C</translation>
    </message>
    <message>
        <source>Temperature of the NPU.</source>
        <translation>NPU 的温度。</translation>
    </message>
    <message>
        <source>HBM °C</source>
        <translation>HBM °C</translation>
    </message>
    <message>
        <source>Temperature of the HBM.</source>
        <translation>HBM 的温度。</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>Power of the NPU. On a card with two chips, the first reports the whole card&apos;s.</source>
        <translation>NPU 的功耗。一张卡有两个芯片时，第一个芯片上报整张卡的功耗。</translation>
    </message>
    <message>
        <source>MHz</source>
        <translation>MHz</translation>
    </message>
    <message>
        <source>Clock of the AI cores; available for the selected NPU only.</source>
        <translation>AI Core 的频率；仅所选 NPU 可用。</translation>
    </message>
    <message>
        <source>of MHz</source>
        <translation>额定 MHz</translation>
    </message>
    <message>
        <source>Rated clock of the AI cores.</source>
        <translation>AI Core 的额定频率。</translation>
    </message>
    <message>
        <source>Throttled</source>
        <translation>降频</translation>
    </message>
    <message>
        <source>Whether the AI cores run below their rated clock: hot, capped or idle.</source>
        <translation>AI Core 是否低于额定频率运行：过热、受功耗限制或空闲。</translation>
    </message>
    <message>
        <source>Error codes</source>
        <translation>错误码</translation>
    </message>
    <message>
        <source>Error codes that the NPU reports, even if its health is OK.</source>
        <translation>NPU 上报的错误码，健康状态为 OK 时也可能有。</translation>
    </message>
    <message>
        <source>HBM corrected</source>
        <translation>HBM 已纠正</translation>
    </message>
    <message>
        <source>Corrected bit errors (ECC) of the HBM since the driver was loaded.</source>
        <translation>自驱动加载以来 HBM 已纠正的比特错误（ECC）数。</translation>
    </message>
    <message>
        <source>HBM uncorrected</source>
        <translation>HBM 不可纠正</translation>
    </message>
    <message>
        <source>Uncorrected bit errors of the HBM since the driver was loaded.</source>
        <translation>自驱动加载以来 HBM 不可纠正的比特错误数。</translation>
    </message>
    <message>
        <source>DDR corrected</source>
        <translation>DDR 已纠正</translation>
    </message>
    <message>
        <source>Corrected bit errors (ECC) of the DDR since the driver was loaded.</source>
        <translation>自驱动加载以来 DDR 已纠正的比特错误（ECC）数。</translation>
    </message>
    <message>
        <source>DDR uncorrected</source>
        <translation>DDR 不可纠正</translation>
    </message>
    <message>
        <source>Uncorrected bit errors of the DDR since the driver was loaded.</source>
        <translation>自驱动加载以来 DDR 不可纠正的比特错误数。</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>其他进程</translation>
    </message>
    <message>
        <source>Processes on this NPU from outside this run.</source>
        <translation>此 NPU 上不属于本任务的进程。</translation>
    </message>
    <message>
        <source>CPU use of the rank and the processes that it started, in percent of one core.</source>
        <translation>该 rank 及其启动的进程的 CPU 占用，以单核的百分比计。</translation>
    </message>
    <message>
        <source>Memory GB</source>
        <translation>内存 GB</translation>
    </message>
    <message>
        <source>Resident memory of the rank&apos;s processes; shared pages count in each of them.</source>
        <translation>该 rank 各进程的常驻内存；共享页在每个进程中分别计入。</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>进程数</translation>
    </message>
    <message>
        <source>Number of the rank&apos;s processes.</source>
        <translation>该 rank 的进程数。</translation>
    </message>
    <message>
        <source>Read MB/s</source>
        <translation>读 MB/s</translation>
    </message>
    <message>
        <source>What the rank&apos;s processes read from disks and network file systems.</source>
        <translation>该 rank 的进程从磁盘和网络文件系统读取的速率。</translation>
    </message>
    <message>
        <source>Written MB/s</source>
        <translation>写 MB/s</translation>
    </message>
    <message>
        <source>What the rank&apos;s processes write to disks and network file systems.</source>
        <translation>该 rank 的进程向磁盘和网络文件系统写入的速率。</translation>
    </message>
    <message>
        <source>Physical</source>
        <translation>物理编号</translation>
    </message>
    <message>
        <source>Number of the NPU on its host, as in /dev/davinciN.</source>
        <translation>NPU 在主机上的编号，即 /dev/davinciN 中的 N。</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>卡</translation>
    </message>
    <message>
        <source>Card of the NPU; npu-smi calls it NPU ID.</source>
        <translation>NPU 所在的卡；npu-smi 称之为 NPU ID。</translation>
    </message>
    <message>
        <source>Chip</source>
        <translation>芯片</translation>
    </message>
    <message>
        <source>Number of the chip on its card.</source>
        <translation>芯片在卡上的编号。</translation>
    </message>
    <message>
        <source>Bus</source>
        <translation>总线</translation>
    </message>
    <message>
        <source>Address of the card on the PCIe bus.</source>
        <translation>卡在 PCIe 总线上的地址。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Model of the NPU.</source>
        <translation>NPU 的型号。</translation>
    </message>
    <message>
        <source>npu-smi shows the host&apos;s pids, which mean nothing in a container.</source>
        <translation>npu-smi 显示的是主机的 PID，在容器中没有意义。</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>no sample since %1</source>
        <translation>自 %1 起无采样</translation>
    </message>
    <message>
        <source>AI %1%</source>
        <translation>AI %1%</translation>
    </message>
    <message>
        <source>NPU %1%</source>
        <comment>how busy it is</comment>
        <translation>NPU %1%</translation>
    </message>
    <message>
        <source>AI cores %1%</source>
        <translation>AI Core %1%</translation>
    </message>
    <message>
        <source>%1 %2/%3 GB</source>
        <comment>memory, used, total</comment>
        <translation>%1 %2/%3 GB</translation>
    </message>
    <message>
        <source>%1%</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>%1 %2 of %3 GB</source>
        <comment>memory, used, total</comment>
        <translation>%1 已用 %2 GB，共 %3 GB</translation>
    </message>
    <message>
        <source>%1 %2%</source>
        <comment>memory, how much of it is used</comment>
        <translation>%1 %2%</translation>
    </message>
    <message>
        <source>%1°C</source>
        <translation>%1°C</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>health %1</source>
        <translation>健康状态 %1</translation>
    </message>
    <message>
        <source>CPU %1%</source>
        <translation>CPU %1%</translation>
    </message>
    <message>
        <source>R%1 W%2 MB/s</source>
        <comment>read and written</comment>
        <translation>读%1 写%2 MB/s</translation>
    </message>
    <message>
        <source>read %1, written %2 MB/s</source>
        <translation>读 %1 MB/s，写 %2 MB/s</translation>
    </message>
    <message>
        <source>Mem %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>内存 %1</translation>
    </message>
    <message>
        <source>throttled %1/%2 MHz</source>
        <translation>降频 %1/%2 MHz</translation>
    </message>
    <message>
        <source>throttled: %1 of %2 MHz</source>
        <translation>降频：%1 MHz，额定 %2 MHz</translation>
    </message>
    <message numerus="yes">
        <source>+%n others: %1</source>
        <comment>+%n other: %1</comment>
        <translation>
            <numerusform>其他 %n 个：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>used by others: %1</source>
        <translation>被其他进程占用：%1</translation>
    </message>
    <message>
        <source>not part of this launch</source>
        <translation>不属于本次启动</translation>
    </message>
    <message>
        <source>by SIGSTOP</source>
        <translation>由 SIGSTOP 暂停</translation>
    </message>
    <message>
        <source>by a debugger</source>
        <translation>被调试器暂停</translation>
    </message>
    <message>
        <source>⚠ stalled</source>
        <translation>⚠ 停滞</translation>
    </message>
    <message>
        <source>… waiting</source>
        <translation>… 等待中</translation>
    </message>
    <message>
        <source>for %1 since %2</source>
        <translation>自 %2 起等待 %1</translation>
    </message>
    <message>
        <source>rank %1  device %2</source>
        <translation>rank %1  设备 %2</translation>
    </message>
    <message>
        <source>at a prompt</source>
        <translation>停在提示符</translation>
    </message>
    <message>
        <source>No device</source>
        <translation>无设备</translation>
    </message>
    <message>
        <source>(not part of this launch)</source>
        <translation>（不属于本次启动）</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>失联</translation>
    </message>
    <message numerus="yes">
        <source>%n NPU alarms</source>
        <comment>%n NPU alarm</comment>
        <translation>
            <numerusform>%n 个 NPU 告警</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待中</translation>
    </message>
    <message>
        <source>%1 stalled</source>
        <translation>%1 个停滞</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>number, state: 7 running</comment>
        <translation>%1 个%2</translation>
    </message>
    <message>
        <source>%1, open</source>
        <comment>a server</comment>
        <translation>%1，已展开</translation>
    </message>
    <message>
        <source>%1, folded</source>
        <comment>a server</comment>
        <translation>%1，已折叠</translation>
    </message>
    <message>
        <source>0 %</source>
        <translation>0 %</translation>
    </message>
    <message>
        <source>100 %</source>
        <translation>100 %</translation>
    </message>
    <message>
        <source>AI cores</source>
        <translation>AI Core</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>30 °C</source>
        <translation>30 °C</translation>
    </message>
    <message>
        <source>100 °C</source>
        <translation>100 °C</translation>
    </message>
    <message>
        <source>Steps behind</source>
        <translation>落后的 step</translation>
    </message>
    <message>
        <source>0</source>
        <comment>steps</comment>
        <translation>0</translation>
    </message>
    <message>
        <source>10 or more</source>
        <comment>steps</comment>
        <translation>10 及以上</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>0 GB</source>
        <translation>0 GB</translation>
    </message>
    <message>
        <source>never started</source>
        <translation>从未启动</translation>
    </message>
    <message>
        <source>still running</source>
        <translation>仍在运行</translation>
    </message>
    <message>
        <source>The scheduler could not be started</source>
        <translation>scheduler 无法启动</translation>
    </message>
    <message>
        <source>Rank %1 could not be started</source>
        <translation>rank %1 无法启动</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>number, state</comment>
        <translation>%1 个%2</translation>
    </message>
    <message>
        <source>%1 with unknown exit status</source>
        <translation>%1 个退出状态未知</translation>
    </message>
    <message>
        <source>Ended %1.</source>
        <translation>结束于 %1。</translation>
    </message>
    <message>
        <source>Processes: %1.</source>
        <translation>进程：%1。</translation>
    </message>
    <message>
        <source>If some are still alive, end them with &quot;rankdeckctl stop %1&quot;.</source>
        <translation>如仍有进程存活，请用“rankdeckctl stop %1”结束。</translation>
    </message>
    <message>
        <source>Unknown. Paste the code alone, e.g. EI0006 or 507035, or a whole line of a log.</source>
        <translation>未知。请只粘贴错误码，如 EI0006 或 507035，或粘贴完整的一行日志。</translation>
    </message>
    <message>
        <source>(run directory)</source>
        <translation>（任务目录）</translation>
    </message>
    <message>
        <source>as inherited</source>
        <translation>继承</translation>
    </message>
    <message>
        <source>Nice</source>
        <translation>nice 值</translation>
    </message>
    <message>
        <source>-20 to 19; a higher value means a lower priority.</source>
        <translation>-20 到 19；值越大，优先级越低。</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>Most address space for each process.</source>
        <translation>每个进程的地址空间上限。</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>打开文件数</translation>
    </message>
    <message>
        <source>Most file descriptors for each process.</source>
        <translation>每个进程的文件描述符数上限。</translation>
    </message>
    <message>
        <source>Umask</source>
        <translation>umask</translation>
    </message>
    <message>
        <source>Octal, 000 to 777.</source>
        <translation>八进制，000 到 777。</translation>
    </message>
    <message>
        <source>Completed: %1 on %2.</source>
        <comment>8 devices on 1 server</comment>
        <translation>已完成：%2，%1。</translation>
    </message>
    <message>
        <source>Not completed yet (%1): Launch waits for it.</source>
        <translation>尚未完成（%1）：启动时会等待。</translation>
    </message>
    <message>
        <source>A rank table, or the directory that contains jobstart_hccl.json.</source>
        <translation>rank table 文件，或包含 jobstart_hccl.json 的目录。</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>from %1: %2</source>
        <translation>来自 %1：%2</translation>
    </message>
    <message>
        <source>Ran&amp;ks</source>
        <translation>rank 数(&amp;K)</translation>
    </message>
    <message>
        <source>Number of ranks on all nodes.</source>
        <translation>所有节点上的 rank 总数。</translation>
    </message>
    <message>
        <source>&amp;Ranks on this node</source>
        <translation>本节点的 rank 数(&amp;R)</translation>
    </message>
    <message>
        <source>Number of ranks on this node.</source>
        <translation>本节点上的 rank 数。</translation>
    </message>
    <message>
        <source>&amp;Master address</source>
        <translation>主节点地址(&amp;M)</translation>
    </message>
    <message>
        <source>Name or IPv4 address of the scheduler&apos;s host. If that is this machine, the scheduler starts here.</source>
        <translation>scheduler 所在主机的名称或 IPv4 地址。如为本机，则 scheduler 在本机启动。</translation>
    </message>
    <message>
        <source>Master port</source>
        <translation>主节点端口</translation>
    </message>
    <message>
        <source>Port of the scheduler, 1024 to 65535.</source>
        <translation>scheduler 的端口，1024 到 65535。</translation>
    </message>
    <message>
        <source>Node rank</source>
        <translation>节点编号</translation>
    </message>
    <message>
        <source>Rank of this node, from 0.</source>
        <translation>本节点的编号，从 0 开始。</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>未指定</translation>
    </message>
    <message>
        <source>Rank table</source>
        <translation>rank table</translation>
    </message>
    <message>
        <source>RANK_TABLE_FILE of every process.</source>
        <translation>每个进程的 RANK_TABLE_FILE。</translation>
    </message>
    <message>
        <source>Choose a rank table</source>
        <translation>选择 rank table</translation>
    </message>
    <message>
        <source>Log name</source>
        <translation>日志名</translation>
    </message>
    <message>
        <source>First part of each log&apos;s name, before _&lt;rank&gt;.log; may contain {ip} and {hostname}.</source>
        <translation>每个日志文件名中 _&lt;rank&gt;.log 之前的部分；可包含 {ip} 和 {hostname}。</translation>
    </message>
    <message>
        <source>Printed ranks</source>
        <translation>打印的 rank</translation>
    </message>
    <message>
        <source>Ranks whose output rankdeckctl prints, separated by commas; -1: all.</source>
        <translation>由 rankdeckctl 打印输出的 rank，以逗号分隔；-1 表示全部。</translation>
    </message>
    <message>
        <source>Dry run level</source>
        <translation>模拟运行级别</translation>
    </message>
    <message>
        <source>Dry run, 0 to 3.</source>
        <translation>模拟运行，0 到 3。</translation>
    </message>
    <message>
        <source>Dry run rank</source>
        <translation>模拟运行的 rank</translation>
    </message>
    <message>
        <source>The rank that a dry run starts; -1: all.</source>
        <translation>模拟运行所启动的 rank；-1 表示全部。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Number of nodes.</source>
        <translation>节点数。</translation>
    </message>
    <message>
        <source>Node ran&amp;k</source>
        <translation>节点编号(&amp;K)</translation>
    </message>
    <message>
        <source>Rank of this node.</source>
        <translation>本节点的编号。</translation>
    </message>
    <message>
        <source>MASTER_ADDR, the host of rank 0.</source>
        <translation>MASTER_ADDR，即 rank 0 所在的主机。</translation>
    </message>
    <message>
        <source>MASTER_PORT, 1 to 65535.</source>
        <translation>MASTER_PORT，1 到 65535。</translation>
    </message>
    <message>
        <source>Streams to f&amp;iles</source>
        <translation>写入文件的流(&amp;I)</translation>
    </message>
    <message>
        <source>Streams redirected to files: NONE, OUT, ERR, ALL, or by local rank 0:OUT,1:ALL.</source>
        <translation>重定向到文件的流：NONE、OUT、ERR、ALL，或按 local rank 指定，如 0:OUT,1:ALL。</translation>
    </message>
    <message>
        <source>Files and terminal</source>
        <translation>文件与终端</translation>
    </message>
    <message>
        <source>Streams redirected to files and printed by rankdeckctl: NONE, OUT, ERR, ALL, or by local rank 0:OUT,1:ALL.</source>
        <translation>重定向到文件并由 rankdeckctl 打印的流：NONE、OUT、ERR、ALL，或按 local rank 指定，如 0:OUT,1:ALL。</translation>
    </message>
    <message>
        <source>Single node, free port</source>
        <translation>单节点，空闲端口</translation>
    </message>
    <message>
        <source>Uses a free port as MASTER_PORT.</source>
        <translation>用空闲端口作为 MASTER_PORT。</translation>
    </message>
    <message>
        <source>Only its own NPU</source>
        <translation>仅可见自己的 NPU</translation>
    </message>
    <message>
        <source>Every rank has LOCAL_RANK 0 and sees only its own NPU.</source>
        <translation>每个 rank 的 LOCAL_RANK 均为 0，且只能看到自己的 NPU。</translation>
    </message>
    <message>
        <source>Bind to NUMA nodes</source>
        <translation>绑定到 NUMA 节点</translation>
    </message>
    <message>
        <source>Binds each rank to the cpus of a node, socket or core-complex, or to cpus of its own (exclusive).</source>
        <translation>将每个 rank 绑定到 NUMA 节点（node）、CPU 插槽（socket）或 core-complex 的 CPU，或绑定到独占的 CPU（exclusive）。</translation>
    </message>
    <message>
        <source>Local ranks whose output rankdeckctl prints, separated by commas.</source>
        <translation>由 rankdeckctl 打印输出的 local rank，以逗号分隔。</translation>
    </message>
    <message>
        <source>Line prefix</source>
        <translation>行前缀</translation>
    </message>
    <message>
        <source>Start of each printed line; may contain ${role_name}, ${local_rank}, ${rank} and ${hostname}.</source>
        <translation>每行输出的前缀；可包含 ${role_name}、${local_rank}、${rank} 和 ${hostname}。</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Function that each rank calls instead of a program: module:function or file.py:function.</source>
        <translation>每个 rank 调用的函数，代替程序：module:function 或 file.py:function。</translation>
    </message>
    <message>
        <source>Arguments by rank</source>
        <translation>按 rank 指定参数</translation>
    </message>
    <message>
        <source>Arguments after the command, one line per local rank; all ranks or none.</source>
        <translation>命令之后的参数，每个 local rank 一行；要么全部指定，要么都不指定。</translation>
    </message>
    <message>
        <source>Variables by rank</source>
        <translation>按 rank 指定变量</translation>
    </message>
    <message>
        <source>Variables of a local rank, one per line; all ranks or none.</source>
        <translation>某个 local rank 的变量，每行一个；要么全部指定，要么都不指定。</translation>
    </message>
    <message>
        <source>&amp;Work directory</source>
        <translation>工作目录(&amp;W)</translation>
    </message>
    <message>
        <source>Directory in which every rank starts.</source>
        <translation>每个 rank 启动时所在的目录。</translation>
    </message>
    <message>
        <source>Choose the work directory</source>
        <translation>选择工作目录</translation>
    </message>
    <message>
        <source>the current directory</source>
        <translation>当前目录</translation>
    </message>
    <message>
        <source>Where every rank starts</source>
        <translation>每个 rank 启动时所在的目录</translation>
    </message>
    <message>
        <source>Choose the log directory</source>
        <translation>选择日志目录</translation>
    </message>
    <message>
        <source>Run &amp;name</source>
        <translation>任务名(&amp;N)</translation>
    </message>
    <message>
        <source>Name of the run in the run list.</source>
        <translation>任务列表中的任务名。</translation>
    </message>
    <message>
        <source>the script&apos;s name</source>
        <translation>脚本名</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>环境变量(&amp;E)</translation>
    </message>
    <message>
        <source>One NAME=value per line; overrides what the launcher sets.</source>
        <translation>每行一个 NAME=value；会覆盖启动器设置的值。</translation>
    </message>
    <message>
        <source>Conda en&amp;vironment</source>
        <translation>conda 环境(&amp;V)</translation>
    </message>
    <message>
        <source>Name or directory of the conda environment.</source>
        <translation>conda 环境的名称或目录。</translation>
    </message>
    <message>
        <source>Gr&amp;ace</source>
        <translation>宽限时间(&amp;A)</translation>
    </message>
    <message>
        <source>Time between SIGTERM and SIGKILL.</source>
        <translation>SIGTERM 与 SIGKILL 之间的时间。</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Stop other ranks on failure</source>
        <translation>失败时停止其他 rank</translation>
    </message>
    <message>
        <source>End the other ranks when one fails.</source>
        <translation>某个 rank 失败时结束其他 rank。</translation>
    </message>
    <message>
        <source>Show error dialog on fail&amp;ure</source>
        <translation>失败时显示错误对话框(&amp;U)</translation>
    </message>
    <message>
        <source>Open the error dialog automatically when a rank fails.</source>
        <translation>有 rank 失败时自动打开错误对话框。</translation>
    </message>
    <message>
        <source>Cpus of each rank: False, True for equal shares, or {&quot;device0&quot;:[&quot;0-10&quot;]} by local rank.</source>
        <translation>每个 rank 的 CPU：False；True 表示平均分配；或按 local rank 指定，如 {&quot;device0&quot;:[&quot;0-10&quot;]}。</translation>
    </message>
    <message>
        <source>No&amp;des</source>
        <translation>节点(&amp;D)</translation>
    </message>
    <message>
        <source>Hosts, addresses or ssh aliases, separated by commas; the first is node 0. In a Slurm allocation, ranges such as n[1-4] work too.</source>
        <translation>主机名、地址或 ssh 别名，以逗号分隔；第一个为节点 0。在 Slurm 资源分配内也可用 n[1-4] 这样的范围。</translation>
    </message>
    <message>
        <source>this node only</source>
        <translation>仅本节点</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>auto: Slurm inside an allocation, otherwise ssh. slurm: requests an allocation if there is none. Or type a container: docker:NAME, podman:NAME, kubectl:[NAMESPACE/]POD[:CONTAINER], ssh:HOST+docker:NAME. {node} stands for each node.</source>
        <translation>auto：在资源分配内用 Slurm，否则用 ssh。slurm：没有资源分配时申请一个。也可输入容器：docker:NAME、podman:NAME、kubectl:[NAMESPACE/]POD[:CONTAINER]、ssh:HOST+docker:NAME。{node} 代表各节点。</translation>
    </message>
    <message>
        <source>Transport command</source>
        <translation>连接方式命令</translation>
    </message>
    <message>
        <source>A program that starts the words after its own on a node, in place of a transport.</source>
        <translation>用于代替连接方式的程序，它在节点上执行其后所接的命令。</translation>
    </message>
    <message>
        <source>ssh config</source>
        <translation>ssh 配置</translation>
    </message>
    <message>
        <source>File to use instead of ssh&apos;s own configuration.</source>
        <translation>代替 ssh 自身配置的文件。</translation>
    </message>
    <message>
        <source>Choose an ssh configuration</source>
        <translation>选择 ssh 配置</translation>
    </message>
    <message>
        <source>ssh&apos;s own</source>
        <translation>ssh 自身的配置</translation>
    </message>
    <message>
        <source>Program there</source>
        <translation>节点上的程序</translation>
    </message>
    <message>
        <source>Path of rankdeckctl on the nodes.</source>
        <translation>节点上 rankdeckctl 的路径。</translation>
    </message>
    <message>
        <source>rankdeckctl in their PATH, else a copy</source>
        <translation>节点 PATH 中的 rankdeckctl，没有则复制</translation>
    </message>
    <message>
        <source>Slurm options</source>
        <translation>Slurm 选项</translation>
    </message>
    <message>
        <source>Options for salloc, if the launch requests its own allocation.</source>
        <translation>启动自行申请资源分配时传给 salloc 的选项。</translation>
    </message>
    <message>
        <source>Wait for Slurm</source>
        <translation>等待 Slurm</translation>
    </message>
    <message>
        <source>Time limit for Slurm to allocate the nodes.</source>
        <translation>等待 Slurm 分配节点的时限。</translation>
    </message>
    <message>
        <source>Node timeout</source>
        <translation>节点超时</translation>
    </message>
    <message>
        <source>A node that does not respond for this long is considered lost.</source>
        <translation>节点超过此时间没有响应，即视为失联。</translation>
    </message>
    <message>
        <source>Copy the nodes&apos; logs here</source>
        <translation>将节点的日志复制到本机</translation>
    </message>
    <message>
        <source>For nodes without a shared file system. Otherwise only logs that you open and logs of failed ranks are copied.</source>
        <translation>用于没有共享文件系统的节点。否则只复制打开过的日志和失败的 rank 的日志。</translation>
    </message>
    <message>
        <source>Environment files</source>
        <translation>环境变量文件</translation>
    </message>
    <message>
        <source>Files with NAME=VALUE lines, one file per line; later files win.</source>
        <translation>内容为 NAME=VALUE 行的文件，每行一个文件；后面的文件优先。</translation>
    </message>
    <message>
        <source>Unset</source>
        <translation>取消变量</translation>
    </message>
    <message>
        <source>Variables to unset, separated by spaces.</source>
        <translation>要取消的变量，以空格分隔。</translation>
    </message>
    <message>
        <source>Rank variables</source>
        <translation>rank 变量</translation>
    </message>
    <message>
        <source>One RANK:NAME=value per line; overrides the environment.</source>
        <translation>每行一个 RANK:NAME=value；会覆盖环境变量。</translation>
    </message>
    <message>
        <source>Terminals</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Ranks with a terminal to type into, e.g. for debuggers: all, none or 0-3,7.</source>
        <translation>配有可输入终端的 rank（如用于调试器）：all、none 或 0-3,7。</translation>
    </message>
    <message>
        <source>Wrappers</source>
        <translation>包装命令</translation>
    </message>
    <message>
        <source>Run ranks under another program: one RANKS:COMMAND per line, or pick one with Add.</source>
        <translation>用另一个程序包装 rank：每行一个 RANKS:COMMAND，也可用“添加”选择。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示符</translation>
    </message>
    <message>
        <source>Regular expression for the prompt of your own debugger. Rankdeck knows pdb, ipdb, gdb and python.</source>
        <translation>匹配自有调试器提示符的正则表达式。Rankdeck 已能识别 pdb、ipdb、gdb 和 python。</translation>
    </message>
    <message>
        <source>Progress pattern</source>
        <translation>进度模式</translation>
    </message>
    <message>
        <source>Regular expression for steps and losses that Rankdeck does not find itself. Its groups are named epoch, epochs, step, steps, loss, step_time_ms or step_time_s, throughput.</source>
        <translation>匹配 Rankdeck 未能自动识别的 step 和 loss 的正则表达式。组名为 epoch、epochs、step、steps、loss、step_time_ms 或 step_time_s、throughput。</translation>
    </message>
    <message>
        <source>Stalled after</source>
        <translation>停滞判定时间</translation>
    </message>
    <message>
        <source>Reports a rank as stalled when it prints nothing for this long, and for longer than is usual for it.</source>
        <translation>rank 在此时间内没有任何输出，且超过其平时的间隔，即报告为停滞。</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>HBM needed</source>
        <translation>所需 HBM</translation>
    </message>
    <message>
        <source>Memory that must be free on each rank&apos;s NPU before the start.</source>
        <translation>启动前每个 rank 的 NPU 上必须空闲的内存。</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>不检查</translation>
    </message>
    <message>
        <source>Sample every</source>
        <translation>采样间隔</translation>
    </message>
    <message>
        <source>Samples NPUs and processes continuously, for complete history and alarms. Otherwise only while a window shows them.</source>
        <translation>持续对 NPU 和进程采样，以获得完整的历史和告警。否则仅在窗口显示时采样。</translation>
    </message>
    <message>
        <source>while shown</source>
        <translation>显示时</translation>
    </message>
    <message>
        <source>Dump signal</source>
        <translation>转储信号</translation>
    </message>
    <message>
        <source>Signal that the program passed to faulthandler.register(): USR1, USR2, HUP or QUIT.</source>
        <translation>程序传给 faulthandler.register() 的信号：USR1、USR2、HUP 或 QUIT。</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>启动前</translation>
    </message>
    <message>
        <source>Commands to run on each node before the first rank, one per line.</source>
        <translation>在第一个 rank 启动前于每个节点执行的命令，每行一条。</translation>
    </message>
    <message>
        <source>After</source>
        <translation>结束后</translation>
    </message>
    <message>
        <source>Commands to run after the last rank has ended.</source>
        <translation>最后一个 rank 结束后执行的命令。</translation>
    </message>
    <message>
        <source>&amp;Rank table</source>
        <translation>rank table(&amp;R)</translation>
    </message>
    <message>
        <source>Lo&amp;g directory</source>
        <translation>日志目录(&amp;G)</translation>
    </message>
    <message>
        <source>Directory for the logs of the ranks</source>
        <translation>存放各 rank 日志的目录</translation>
    </message>
    <message>
        <source>in the run directory</source>
        <translation>在任务目录中</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>This host&apos;s server in the rank table: its server_id or pod_name.</source>
        <translation>本主机在 rank table 中对应的服务器：其 server_id 或 pod_name。</translation>
    </message>
    <message>
        <source>found by variables, addresses and name</source>
        <translation>按变量、地址和名称查找</translation>
    </message>
    <message>
        <source>Converted ta&amp;ble</source>
        <translation>转换后的 rank table(&amp;B)</translation>
    </message>
    <message>
        <source>File for a v0.1 table converted to v1.0; {run} is the run directory.</source>
        <translation>v0.1 转换为 v1.0 后的 rank table 的保存文件；{run} 为任务目录。</translation>
    </message>
    <message>
        <source>Choose a file for the converted table</source>
        <translation>选择转换后的 rank table 的保存文件</translation>
    </message>
    <message>
        <source>Wa&amp;it limit</source>
        <translation>等待时限(&amp;I)</translation>
    </message>
    <message>
        <source>Time to wait for a rank table that is missing or not completed.</source>
        <translation>rank table 缺失或尚未完成时的等待时间。</translation>
    </message>
    <message>
        <source>Rando&amp;m compiler cache</source>
        <translation>随机编译缓存(&amp;M)</translation>
    </message>
    <message>
        <source>Uses a fresh MS_COMPILER_CACHE_PATH and removes it at the end.</source>
        <translation>每次使用全新的 MS_COMPILER_CACHE_PATH，结束后移除。</translation>
    </message>
    <message>
        <source>Log directory (replaces earlier logs)</source>
        <translation>日志目录（会替换之前的日志）</translation>
    </message>
    <message>
        <source>Cluster t&amp;imeout</source>
        <translation>集群组网超时(&amp;I)</translation>
    </message>
    <message>
        <source>Time for the cluster to form.</source>
        <translation>集群组网的时限。</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>&amp;Bind to CPUs</source>
        <translation>绑核(&amp;B)</translation>
    </message>
    <message>
        <source>NUMA nodes of ranks: False, True for equal shares, or JSON such as {&quot;device0&quot;:[&quot;0&quot;]}.</source>
        <translation>各 rank 的 NUMA 节点：False；True 表示平均分配；或 JSON，如 {&quot;device0&quot;:[&quot;0&quot;]}。</translation>
    </message>
    <message>
        <source>An empty directory for &lt;local rank&gt;/stdout.log</source>
        <translation>存放 &lt;local rank&gt;/stdout.log 的空目录</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>ROLE_NAME of every rank.</source>
        <translation>每个 rank 的 ROLE_NAME。</translation>
    </message>
    <message>
        <source>Ma&amp;x. restarts</source>
        <translation>最多重启次数(&amp;X)</translation>
    </message>
    <message>
        <source>How often all ranks may be restarted when one fails.</source>
        <translation>有 rank 失败时，所有 rank 最多可重启的次数。</translation>
    </message>
    <message>
        <source>MindSpore&apos;s scheduler and this node&apos;s workers</source>
        <translation>MindSpore 的 scheduler 和本节点的 worker</translation>
    </message>
    <message>
        <source>as torchrun: ranks of this node, no rank table</source>
        <translation>与 torchrun 相同：本节点的各 rank，无需 rank table</translation>
    </message>
    <message>
        <source>one process for each device of this node</source>
        <translation>本节点每个设备一个进程</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not begin with a rank</source>
        <translation>“%1”不以 rank 开头</translation>
    </message>
    <message>
        <source>Write for example 0:NAME=value.</source>
        <translation>请写成如 0:NAME=value 的形式。</translation>
    </message>
    <message>
        <source>Write for example 0: --lead.</source>
        <translation>请写成如 0: --lead 的形式。</translation>
    </message>
    <message>
        <source>rank %1 is named twice</source>
        <translation>rank %1 出现了两次</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Selections</source>
        <translation>选中内容</translation>
    </message>
    <message>
        <source>Saving the log…</source>
        <translation>正在保存日志…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save log</source>
        <translation>保存日志</translation>
    </message>
    <message>
        <source>Plain text (*)</source>
        <translation>纯文本 (*)</translation>
    </message>
    <message>
        <source>With colours, as the log has them (*)</source>
        <translation>保留日志中的颜色 (*)</translation>
    </message>
    <message>
        <source>lines may be missing here: the disk was full at %1</source>
        <translation>此处可能缺少日志行：%1 时磁盘已满</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>what was looked at, and on what</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>status; what was looked at</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>× fail</source>
        <comment>a pair of ranks, 6 characters at most</comment>
        <translation>× 失败</translation>
    </message>
    <message>
        <source>from↓to→</source>
        <comment>ranks</comment>
        <translation>从↓到→</translation>
    </message>
    <message>
        <source>us; darker is slower.</source>
        <translation>us；颜色越深越慢。</translation>
    </message>
    <message>
        <source>MB/s from row to column; darker is slower.</source>
        <translation>MB/s，从行到列；颜色越深越慢。</translation>
    </message>
    <message>
        <source>! stands out, × no connection, · not measured</source>
        <translation>! 异常，× 无连接，· 未测量</translation>
    </message>
    <message>
        <source>No pair of ranks has been measured yet.</source>
        <translation>尚未测量任何 rank 对。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>rank 3 (node2)</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>two ranks</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1：未测量</translation>
    </message>
    <message>
        <source>%1: × %2</source>
        <comment>two ranks, and what is wrong</comment>
        <translation>%1：× %2</translation>
    </message>
    <message>
        <source>%1: %2 us, %3 MB/s there, %4 MB/s back</source>
        <translation>%1：%2 us，去程 %3 MB/s，回程 %4 MB/s</translation>
    </message>
    <message>
        <source>us</source>
        <translation>us</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>MB/s</translation>
    </message>
    <message>
        <source>○ missing</source>
        <comment>a rank</comment>
        <translation>○ 未到达</translation>
    </message>
    <message>
        <source>● arrived</source>
        <comment>a rank</comment>
        <translation>● 已到达</translation>
    </message>
    <message>
        <source>↔ pairs</source>
        <comment>a rank is at</comment>
        <translation>↔ 成对测量</translation>
    </message>
    <message>
        <source>… connecting</source>
        <comment>a rank is</comment>
        <translation>… 连接中</translation>
    </message>
    <message>
        <source>▸ collectives</source>
        <comment>a rank is at</comment>
        <translation>▸ 集合通信</translation>
    </message>
    <message>
        <source>✓ done</source>
        <comment>a rank</comment>
        <translation>✓ 完成</translation>
    </message>
    <message>
        <source>× failed</source>
        <comment>a rank</comment>
        <translation>× 失败</translation>
    </message>
    <message>
        <source>no rank</source>
        <translation>无 rank</translation>
    </message>
    <message numerus="yes">
        <source>%n instances</source>
        <comment>%n instance</comment>
        <translation>
            <numerusform>%n 个实例</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1，%3 的%2</translation>
    </message>
    <message>
        <source>Device IP %1</source>
        <translation>设备 IP %1</translation>
    </message>
    <message>
        <source>Super device ID %1</source>
        <translation>超节点设备 ID %1</translation>
    </message>
    <message>
        <source>this terminal</source>
        <translation>此终端</translation>
    </message>
    <message>
        <source>shown ranks</source>
        <translation>所示 rank</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>Choose from the list, or write ranks, e.g. 0-3,7.</source>
        <translation>请从列表中选择，或输入 rank，如 0-3,7。</translation>
    </message>
    <message>
        <source>no terminal for: %1</source>
        <translation>没有终端：%1</translation>
    </message>
    <message>
        <source>Choose others, or launch with Terminals: all (--tty all).</source>
        <translation>请选择其他 rank，或在启动时将“终端”设为 all（--tty all）。</translation>
    </message>
    <message>
        <source>The file does not exist</source>
        <translation>文件不存在</translation>
    </message>
    <message>
        <source>This is not a regular file</source>
        <translation>这不是普通文件</translation>
    </message>
    <message>
        <source>The editor cannot be started</source>
        <translation>编辑器无法启动</translation>
    </message>
    <message>
        <source>Choose another one in the preferences.</source>
        <translation>请在首选项中选择其他编辑器。</translation>
    </message>
    <message>
        <source>This is not a text file</source>
        <translation>这不是文本文件</translation>
    </message>
    <message>
        <source>Choose an editor in the preferences.</source>
        <translation>请在首选项中选择编辑器。</translation>
    </message>
    <message>
        <source>No editor opens this file</source>
        <translation>没有可打开此文件的编辑器</translation>
    </message>
    <message>
        <source>The folder does not exist</source>
        <translation>目录不存在</translation>
    </message>
    <message>
        <source>No file manager opens this folder</source>
        <translation>没有可打开此目录的文件管理器</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>仅有日志</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>‖ paused</source>
        <translation>‖ 已暂停</translation>
    </message>
    <message>
        <source>‖ traced</source>
        <translation>‖ 调试中</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>error with a full stop, advice</comment>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>error, advice</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between the entries of a list</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>Reads what the flight recorders of torch or torch_npu have dumped, one file for each rank: for each process group the last collective that all completed, who waits, who is missing, and where calls, sizes or types differ. PATH is a folder of such files, or a report bundle.</source>
        <translation>读取 torch 或 torch_npu 的飞行记录器的转储，每个 rank 一个文件，并对每个进程组给出：全部完成的最后一次集合通信、哪些 rank 在等待、哪些 rank 缺失，以及调用、大小或类型的不同之处。PATH 为此类文件所在的目录，或报告包。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n flight recorders have dumped their collectives.</source>
        <comment>%1 of %n flight recorder has dumped its collectives.</comment>
        <translation>
            <numerusform>%n 个飞行记录器中有 %1 个已转储集合通信。</numerusform>
        </translation>
    </message>
    <message>
        <source>CANN has kept the stacks of %1 when it crashed: %2</source>
        <translation>%1 崩溃时的调用栈已由 CANN 保存：%2</translation>
    </message>
    <message>
        <source>CANN has kept what %1 was doing when its wait timed out: %2</source>
        <translation>%1 等待超时时正在执行的内容已由 CANN 保存：%2</translation>
    </message>
    <message>
        <source>have torch and torch_npu record each rank&apos;s collectives; auto: where Python has one of them. An old torch_npu ignores it; torch&apos;s monitor may abort a rank that is silent for ten minutes and twice --stall-after (auto)</source>
        <translation>让 torch 和 torch_npu 记录每个 rank 的集合通信；auto 为 Python 中装有其一时启用。旧版 torch_npu 会忽略此项；rank 无输出超过十分钟且达到 --stall-after 的两倍时，torch 的监控可能将其中止（auto）</translation>
    </message>
    <message>
        <source>take neither stacks nor recorders&apos; dumps at a stall or before a failed run is ended</source>
        <translation>在停滞时以及结束失败的任务前，不收集调用栈和飞行记录器的转储</translation>
    </message>
    <message>
        <source>The flight recorder keeps variables that are already set: %1.</source>
        <translation>飞行记录器保留已设置的变量：%1。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither auto, nor on, nor off</source>
        <translation>“%1”不是 auto、on 或 off</translation>
    </message>
    <message>
        <source>Flight recorder</source>
        <translation>飞行记录器</translation>
    </message>
    <message>
        <source>Has torch and torch_npu record each rank&apos;s collectives: auto (where Python has one of them), on or off. An old torch_npu ignores it; torch&apos;s monitor may abort a rank that is silent for ten minutes and twice &quot;Stalled after&quot;.</source>
        <translation>让 torch 和 torch_npu 记录每个 rank 的集合通信：auto（Python 中装有其一时启用）、on 或 off。旧版 torch_npu 会忽略此项；rank 无输出超过十分钟且达到“停滞判定时间”的两倍时，torch 的监控可能将其中止。</translation>
    </message>
    <message>
        <source>Take evidence</source>
        <translation>收集证据</translation>
    </message>
    <message>
        <source>Takes stacks and dumps of flight recorders at a stall, and before a failed run is ended: five seconds at most.</source>
        <translation>在停滞时以及结束失败的任务前，收集调用栈和飞行记录器的转储：最多五秒。</translation>
    </message>
    <message>
        <source>launch another launcher or a script, and watch it</source>
        <translation>启动其他启动器或脚本，并监控它</translation>
    </message>
    <message>
        <source>The launch would fail here: %1</source>
        <translation>在此处启动会失败：%1</translation>
    </message>
    <message>
        <source>The command failed: %1</source>
        <translation>命令失败：%1</translation>
    </message>
    <message>
        <source>Read the log of the command: it also holds what its ranks printed.</source>
        <translation>请看该命令的日志：其 rank 的输出也在其中。</translation>
    </message>
    <message>
        <source>The command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>The loop is read as a launch by the rank table %1, which gives each rank its device.</source>
        <translation>该循环按 rank table %1 启动来读取，由它为每个 rank 指定设备。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; does not name devices of this node</source>
        <translation>“%1”未指明本节点的设备</translation>
    </message>
    <message>
        <source>Write e.g. localhost:0,1.</source>
        <translation>请写成例如 localhost:0,1。</translation>
    </message>
    <message>
        <source>deepspeed is read as torchrun: Rankdeck starts the ranks itself.</source>
        <translation>deepspeed 按 torchrun 读取：由 Rankdeck 自己启动各 rank。</translation>
    </message>
    <message>
        <source>the number of ranks is not said, or cannot be shared by the machines</source>
        <translation>未给出 rank 数，或 rank 数不能被机器数整除</translation>
    </message>
    <message>
        <source>Give it: accelerate&apos;s own configuration is not read.</source>
        <translation>请给出：不会读取 accelerate 自己的配置。</translation>
    </message>
    <message>
        <source>accelerate is read as torchrun: Rankdeck starts the ranks itself. Its configuration file is not read.</source>
        <translation>accelerate 按 torchrun 读取：由 Rankdeck 自己启动各 rank。不会读取其配置文件。</translation>
    </message>
    <message>
        <source>mpirun is read as torchrun: ranks get RANK, LOCAL_RANK and WORLD_SIZE, and no variables of MPI. A program that needs MPI: rankdeckctl wrap -- mpirun …</source>
        <translation>mpirun 按 torchrun 读取：各 rank 得到 RANK、LOCAL_RANK 和 WORLD_SIZE，没有 MPI 的变量。需要 MPI 的程序：rankdeckctl wrap -- mpirun …</translation>
    </message>
    <message>
        <source>swift is read as torchrun: Rankdeck starts the ranks itself.</source>
        <translation>swift 按 torchrun 读取：由 Rankdeck 自己启动各 rank。</translation>
    </message>
    <message>
        <source>a quote is not closed</source>
        <translation>引号未闭合</translation>
    </message>
    <message>
        <source>directory for console.log (the run directory)</source>
        <translation>存放 console.log 的目录（任务目录）</translation>
    </message>
    <message>
        <source>the wrapped command starts the ranks, so one rank cannot be changed</source>
        <translation>rank 由被包装的命令启动，因此无法单独更改某个 rank</translation>
    </message>
    <message>
        <source>A directory for console.log</source>
        <translation>存放 console.log 的目录</translation>
    </message>
    <message>
        <source>write the logs into FILE.tar.gz as &quot;ascend-fd parse&quot; takes them, with secrets masked</source>
        <translation>把日志按“ascend-fd parse”所需的目录结构写入 FILE.tar.gz，敏感信息已遮盖</translation>
    </message>
    <message>
        <source>with --bundle and --ascend-fd: size limit of the file</source>
        <translation>与 --bundle 和 --ascend-fd 同用：文件的大小上限</translation>
    </message>
    <message>
        <source>Notes:</source>
        <translation>提示：</translation>
    </message>
    <message>
        <source>--json, --html, --bundle and --ascend-fd cannot be combined</source>
        <translation>--json、--html、--bundle 与 --ascend-fd 不能同用</translation>
    </message>
    <message>
        <source>works only with --bundle or --ascend-fd</source>
        <translation>只能与 --bundle 或 --ascend-fd 同用</translation>
    </message>
    <message>
        <source>it took more than %1 s</source>
        <translation>耗时超过 %1 s</translation>
    </message>
    <message>
        <source>no rank has written a log</source>
        <translation>没有 rank 写过日志</translation>
    </message>
    <message>
        <source>%1: all of it, to keep the size limit</source>
        <translation>%1：全部省略，以免超过大小上限</translation>
    </message>
    <message>
        <source>when %1 grew, to keep the size limit</source>
        <translation>%1 的增长记录，以免超过大小上限</translation>
    </message>
    <message>
        <source>Unpack it, then run ascend-fd parse -i on each node&apos;s folder.</source>
        <translation>解包后，对每个节点的目录运行 ascend-fd parse -i。</translation>
    </message>
    <message>
        <source>Check its MANIFEST.txt before you share it.</source>
        <translation>分享前请检查其中的 MANIFEST.txt。</translation>
    </message>
    <message>
        <source>%1: %2 bytes. %3 %4 %5</source>
        <translation>%1：%2 字节。%3 %4 %5</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names in a sentence</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>; </source>
        <comment>between the entries of a list</comment>
        <translation>；</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>a thing and what tells it apart</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>make a rank table of this host&apos;s NPUs, or one for serving</source>
        <translation>用本机的 NPU 生成 rank table，或生成推理服务的 rank table</translation>
    </message>
    <message>
        <source>Makes a rank table of this host&apos;s NPUs. With --prefill and --decode, makes the global table (server_group_list) of a MindIE service: group 0 is the coordinator, group 1 the controller, then one group per instance. Its devices are those of the FILEs, in their order, else this host&apos;s.</source>
        <translation>用本机的 NPU 生成 rank table。带 --prefill 和 --decode 时，生成 MindIE 服务的全局 rank table（server_group_list）：组 0 是 coordinator，组 1 是 controller，之后每个实例一组。设备按顺序取自各 FILE，没有时取本机的。</translation>
    </message>
    <message>
        <source>instances for prefill</source>
        <translation>prefill 实例数</translation>
    </message>
    <message>
        <source>instances for decode</source>
        <translation>decode 实例数</translation>
    </message>
    <message>
        <source>NPUs of each prefill instance; default: all that are left, divided evenly</source>
        <translation>每个 prefill 实例的 NPU 数；默认：平均分配剩余的全部</translation>
    </message>
    <message>
        <source>NPUs of each decode instance; default: all that are left, divided evenly</source>
        <translation>每个 decode 实例的 NPU 数；默认：平均分配剩余的全部</translation>
    </message>
    <message>
        <source>MindIE&apos;s coordinator; default: the first server</source>
        <translation>MindIE 的 coordinator；默认：第一台服务器</translation>
    </message>
    <message>
        <source>MindIE&apos;s controller; default: the first server</source>
        <translation>MindIE 的 controller；默认：第一台服务器</translation>
    </message>
    <message>
        <source>For this launch alone: %1</source>
        <translation>仅用于本次启动：%1</translation>
    </message>
    <message>
        <source>%1 is for this host&apos;s NPUs, but a rank table is given</source>
        <translation>%1 用于本机的 NPU，但给出了 rank table</translation>
    </message>
    <message>
        <source>Leave one of them out.</source>
        <translation>请去掉其中一个。</translation>
    </message>
    <message>
        <source>a table for serving needs --prefill and --decode</source>
        <translation>推理服务的 rank table 需要 --prefill 和 --decode</translation>
    </message>
    <message>
        <source>Give the number of instances of each, e.g. --prefill 2 --decode 2.</source>
        <translation>请分别给出实例数，例如 --prefill 2 --decode 2。</translation>
    </message>
    <message>
        <source>rankdeckctl: warning: several instances share %1. MindIE expects a server_ip of its own for each instance, e.g. its container&apos;s.</source>
        <translation>rankdeckctl：警告：多个实例共用 %1。MindIE 要求每个实例有自己的 server_ip，例如其容器的地址。</translation>
    </message>
    <message>
        <source>a rank table is given, but not what to make of it</source>
        <translation>给出了 rank table，但没有说明要生成什么</translation>
    </message>
    <message>
        <source>Give --prefill and --decode for a table for serving, or use ranktable convert.</source>
        <translation>要生成推理服务的 rank table，请给出 --prefill 和 --decode；否则请用 ranktable convert。</translation>
    </message>
    <message>
        <source>the run %1</source>
        <translation>任务 %1</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>%1 has reserved %2, so %3 cannot listen there</source>
        <translation>%1 已保留 %2，因此 %3 无法在其上监听</translation>
    </message>
    <message>
        <source>Stop it, or choose another port on every node, e.g. %1=%2.</source>
        <translation>请停止它，或在每个节点上选择其他端口，例如 %1=%2。</translation>
    </message>
    <message>
        <source>left out, with a note: rankdeckctl logs --grep filters the whole logs</source>
        <translation>略去，并有提示：rankdeckctl logs --grep 可过滤完整的日志</translation>
    </message>
    <message>
        <source>--duplicate-stdout-filters and --duplicate-stderr-filters are omitted: no filtered copy of the logs is written. Filter the whole logs: rankdeckctl logs RUN --merge --grep &quot;%1&quot;.</source>
        <translation>已略去 --duplicate-stdout-filters 和 --duplicate-stderr-filters：不写过滤后的日志副本。请过滤完整的日志：rankdeckctl logs RUN --merge --grep &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>No rendezvous numbers the nodes here: this is node %1. Launch node 0 on the host of --rdzv-endpoint, and the others with --node-rank 1, 2 and so on.</source>
        <translation>这里没有 rendezvous 给节点编号：本节点为节点 %1。请在 --rdzv-endpoint 的主机上启动节点 0，其他节点用 --node-rank 1、2 等启动。</translation>
    </message>
    <message>
        <source>So the command is wrapped: its own launcher starts the ranks, and Rankdeck watches over them.</source>
        <translation>因此包装该命令：由它自己的启动器启动 rank，Rankdeck 负责监管。</translation>
    </message>
    <message>
        <source>%1: Rankdeck knows no such option of %2.</source>
        <translation>%1：Rankdeck 不认识 %2 的这个选项。</translation>
    </message>
    <message>
        <source>%1: this is no launcher that Rankdeck reads.</source>
        <translation>%1：这不是 Rankdeck 能读取的启动器。</translation>
    </message>
    <message>
        <source>srun is omitted: this starts the ranks of one node. For all nodes of the allocation give --transport slurm and no --nnodes.</source>
        <translation>已略去 srun：这里启动一个节点的 rank。要用资源分配中的所有节点，请给出 --transport slurm，不写 --nnodes。</translation>
    </message>
    <message>
        <source>The script starts no launcher that Rankdeck reads.</source>
        <translation>脚本没有启动 Rankdeck 能读取的启动器。</translation>
    </message>
    <message>
        <source>%1: this option of %2 is not read.</source>
        <translation>%1：%2 的这个选项无法读取。</translation>
    </message>
    <message>
        <source>%1: deepspeed for several nodes is not read; ranks of other nodes are not seen. To have Rankdeck start them, leave it out and name the nodes with --nodes.</source>
        <translation>%1：不读取多节点的 deepspeed；看不到其他节点的 rank。要由 Rankdeck 启动它们，请去掉该选项，并用 --nodes 指定节点。</translation>
    </message>
    <message>
        <source>--num_processes: it is not given, and accelerate&apos;s own configuration is not read.</source>
        <translation>--num_processes：没有给出，且不读取 accelerate 自己的配置。</translation>
    </message>
    <message>
        <source>-n: it is not given, so mpirun counts the ranks.</source>
        <translation>-n：没有给出，因此由 mpirun 确定 rank 数。</translation>
    </message>
    <message>
        <source>auto: where a port that the launcher would use by itself is taken, use a free one, reserved for the run; fixed: keep the launcher&apos;s own (auto)</source>
        <translation>auto：启动器默认使用的端口被占用时，改用空闲端口并为任务保留；fixed：保持启动器的默认端口（auto）</translation>
    </message>
    <message>
        <source>Port %1 is in use or reserved, so the ranks meet at port %2.</source>
        <translation>端口 %1 已被占用或保留，因此各 rank 在端口 %2 会合。</translation>
    </message>
    <message>
        <source>Several ranks share an NPU, so HCCL chooses ports for each of them (HCCL_HOST_SOCKET_PORT_RANGE=auto, HCCL_NPU_SOCKET_PORT_RANGE=auto).</source>
        <translation>多个 rank 共用一个 NPU，因此由 HCCL 为每个 rank 选择端口（HCCL_HOST_SOCKET_PORT_RANGE=auto、HCCL_NPU_SOCKET_PORT_RANGE=auto）。</translation>
    </message>
    <message>
        <source>HCCL&apos;s usual ports are in use or reserved, so HCCL_IF_BASE_PORT is %1.</source>
        <translation>HCCL 的默认端口已被占用或保留，因此 HCCL_IF_BASE_PORT 为 %1。</translation>
    </message>
    <message>
        <source>it is %1 s, but with HCCL_OP_EXPANSION_MODE=AIV at most %2 s are allowed</source>
        <translation>其值为 %1 s，但 HCCL_OP_EXPANSION_MODE=AIV 时最多允许 %2 s</translation>
    </message>
    <message>
        <source>Set it to %1 or less.</source>
        <translation>请设为不超过 %1。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither auto nor fixed</source>
        <translation>“%1”既不是 auto 也不是 fixed</translation>
    </message>
    <message>
        <source>%1 has bound the ranks to cpus, so torch_npu leaves their threads alone: it has no effect</source>
        <translation>%1 已把 rank 绑定到 CPU，torch_npu 不再处理其线程：该变量不起作用</translation>
    </message>
    <message>
        <source>Unset it, or launch without %1.</source>
        <translation>请取消该变量，或启动时不带 %1。</translation>
    </message>
    <message>
        <source>it is an old name, which newer versions do not read</source>
        <translation>这是旧名称，新版本不读取</translation>
    </message>
    <message>
        <source>Set %1 instead.</source>
        <translation>请改为设置 %1。</translation>
    </message>
    <message>
        <source>it has no effect while %1 is set</source>
        <translation>设置了 %1 时，该变量不起作用</translation>
    </message>
    <message>
        <source>Unset one of them.</source>
        <translation>请取消其中一个。</translation>
    </message>
    <message>
        <source>it is &quot;%1&quot;, which is not documented</source>
        <translation>其值为“%1”，文档中没有这个取值</translation>
    </message>
    <message>
        <source>&quot;%1&quot; contains a space, so all of it is ignored</source>
        <translation>“%1”含有空格，因此整个值被忽略</translation>
    </message>
    <message>
        <source>Write it without spaces: %1.</source>
        <translation>请去掉空格：%1。</translation>
    </message>
    <message>
        <source>written like %1</source>
        <translation>如 %1 的形式</translation>
    </message>
    <message>
        <source> or </source>
        <comment>between examples</comment>
        <translation> 或 </translation>
    </message>
    <message>
        <source>&quot;%1&quot; in it is not understood</source>
        <translation>其中的“%1”无法理解</translation>
    </message>
    <message>
        <source>%1 in it is &quot;%2&quot;, which is not %3</source>
        <translation>其中 %1 为“%2”，不是%3</translation>
    </message>
    <message>
        <source>it is %1, which may fail or be slow</source>
        <translation>其值为 %1，可能失败或变慢</translation>
    </message>
    <message>
        <source>it has no effect without %1</source>
        <translation>没有 %1 时不起作用</translation>
    </message>
    <message>
        <source>Set %1, or unset it.</source>
        <translation>请设置 %1，或取消该变量。</translation>
    </message>
    <message>
        <source>a fraction between 0 and 1</source>
        <translation>0 与 1 之间的小数</translation>
    </message>
    <message>
        <source>, a multiple of %1</source>
        <translation>，且为 %1 的倍数</translation>
    </message>
    <message>
        <source>a number from %1 up</source>
        <translation>不小于 %1 的数</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>%1 到 %2 的数</translation>
    </message>
    <message>
        <source>this is not a file of rules for variables</source>
        <translation>这不是变量规则文件</translation>
    </message>
    <message>
        <source>Change the number of instances, or give --prefill-devices and --decode-devices.</source>
        <translation>请更改实例数，或给出 --prefill-devices 和 --decode-devices。</translation>
    </message>
    <message>
        <source>%1 devices cannot be divided evenly among %2 instances</source>
        <translation>%1 个设备无法平均分给 %2 个实例</translation>
    </message>
    <message>
        <source>the instances need %1 devices, but the number of devices is %2</source>
        <translation>各实例需要 %1 个设备，但设备数为 %2</translation>
    </message>
    <message>
        <source>a table of %1 cannot become a table for serving</source>
        <translation>%1 的 rank table 无法转换为推理服务的 rank table</translation>
    </message>
    <message>
        <source>Convert it first with rankdeckctl ranktable convert.</source>
        <translation>请先用 rankdeckctl ranktable convert 转换。</translation>
    </message>
    <message>
        <source>a service needs at least one instance for prefill and one for decode</source>
        <translation>服务至少需要一个 prefill 实例和一个 decode 实例</translation>
    </message>
    <message>
        <source>Give --prefill and --decode, e.g. 2 and 2.</source>
        <translation>请给出 --prefill 和 --decode，例如 2 和 2。</translation>
    </message>
    <message>
        <source>Add it; only groups 0 and 1, MindIE&apos;s coordinator and controller, work without.</source>
        <translation>请补上；只有组 0 和组 1（MindIE 的 coordinator 和 controller）可以没有。</translation>
    </message>
    <message>
        <source>Ports</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>auto: where a port that the launcher would use by itself is taken, a free one is used, reserved for the run; fixed: the launcher&apos;s own.</source>
        <translation>auto：启动器默认使用的端口被占用时，改用空闲端口并为任务保留；fixed：启动器自己的端口。</translation>
    </message>
    <message>
        <source>Left out of the script: %1.</source>
        <translation>脚本中未采用的命令：%1。</translation>
    </message>
    <message>
        <source>&quot;cd %1&quot; is left out: choose the working directory.</source>
        <translation>“cd %1”未采用：请选择工作目录。</translation>
    </message>
    <message>
        <source>template 2 (group_list)</source>
        <translation>template 2（group_list）</translation>
    </message>
    <message>
        <source>template 2, lab (group_list with deploy_mode)</source>
        <translation>template 2，lab（带 deploy_mode 的 group_list）</translation>
    </message>
    <message>
        <source>version 1.0 (server_list)</source>
        <translation>版本 1.0（server_list）</translation>
    </message>
    <message>
        <source>version 1.1 (node_list)</source>
        <translation>版本 1.1（node_list）</translation>
    </message>
    <message>
        <source>version 1.2 (super_pod_list)</source>
        <translation>版本 1.2（super_pod_list）</translation>
    </message>
    <message>
        <source>version 2.0 (rank_list)</source>
        <translation>版本 2.0（rank_list）</translation>
    </message>
    <message>
        <source>global table (server_group_list)</source>
        <translation>全局 rank table（server_group_list）</translation>
    </message>
    <message>
        <source>%1 is attached to rank %2.</source>
        <translation>%1 已接入 rank %2。</translation>
    </message>
    <message>
        <source>&quot;rankdeck --list-demos&quot; lists them.</source>
        <translation>“rankdeck --list-demos”会列出它们。</translation>
    </message>
    <message>
        <source>launch a built-in demo, which needs no NPU</source>
        <translation>启动内置演示，不需要 NPU</translation>
    </message>
    <message>
        <source>list the demos, start nothing</source>
        <translation>列出演示，不启动任何东西</translation>
    </message>
    <message>
        <source>let the training script run N times as fast, 1 to 100</source>
        <translation>让训练脚本以 N 倍速运行，1 到 100</translation>
    </message>
    <message>
        <source>print the run&apos;s name and return</source>
        <translation>打印任务名称并返回</translation>
    </message>
    <message>
        <source>with --list: print JSON</source>
        <translation>与 --list 一起：打印 JSON</translation>
    </message>
    <message>
        <source>play a past run again, full-screen in this terminal</source>
        <translation>在本终端中全屏回放已结束的任务</translation>
    </message>
    <message>
        <source>Shows a run as &quot;rankdeckctl top&quot; does, but as it was at a time that passes: states, steps, NPUs and logs as far as they were known then. Space plays and pauses, &lt; and &gt; go to the next failure, stall or note, 0 to 9 to a tenth of the run, h shows all keys. Logs alone (PATH) are replayed by the time stamps of their lines. Nothing is started or written.</source>
        <translation>像“rankdeckctl top”一样显示任务，但按当时的样子随时间推进：状态、step、NPU 和日志都是当时已知的内容。Space 播放和暂停，&lt; 和 &gt; 转到下一个失败、停滞或记录，0 到 9 转到任务的十分之几处，h 显示所有按键。只有日志（PATH）时按各行的时间戳回放。不启动也不写入任何东西。</translation>
    </message>
    <message>
        <source>begin there and pause: seconds since its start (90, 1:30, 1:02:03), a part (50%), failure, stall, end, or a date and time (2026-01-31T14:03:59)</source>
        <translation>从那里开始并暂停：从任务开始算起的秒数（90、1:30、1:02:03）、比例（50%）、failure、stall、end，或日期和时间（2026-01-31T14:03:59）</translation>
    </message>
    <message>
        <source>play N times as fast, 1 to 1000</source>
        <translation>以 N 倍速播放，1 到 1000</translation>
    </message>
    <message>
        <source>print what was known there as JSON; without --at, at the end</source>
        <translation>以 JSON 打印当时已知的内容；没有 --at 时为结束时</translation>
    </message>
    <message>
        <source>&quot;rankdeckctl demo --list&quot; lists them.</source>
        <translation>“rankdeckctl demo --list”会列出它们。</translation>
    </message>
    <message>
        <source>the fastest demo is x%1</source>
        <translation>演示最快为 x%1</translation>
    </message>
    <message>
        <source>NPUs invented</source>
        <translation>NPU 为虚构</translation>
    </message>
    <message>
        <source>the fastest replay is x%1</source>
        <translation>回放最快为 x%1</translation>
    </message>
    <message>
        <source>Replay

Space               play or pause
- +                 slower or faster, x1 to x1000
&lt; &gt;                 to the mark before or the next one: F failure, ! stall, A alarm of
                    an NPU, N node, E end or stop, · note
, .                 10 seconds back or on
0 to 9              to this tenth of the run
$                   to its end
</source>
        <translation>回放

Space               播放或暂停
- +                 变慢或变快，x1 到 x1000
&lt; &gt;                 转到前一个或后一个标记：F 失败、! 停滞、A NPU 告警、
                    N 节点、E 结束或停止、· 记录
, .                 后退或前进 10 秒
0 到 9              转到任务的这个十分之一处
$                   转到结束
</translation>
    </message>
    <message>
        <source>start and show a built-in demo of eight ranks, which needs no NPU and invents eight; DEMO is a word of --list-demos, the first one if it is left out</source>
        <translation>启动并显示内置演示，共八个 rank，不需要 NPU，使用八张虚构的 NPU；DEMO 为 --list-demos 中的词，省略时为第一个</translation>
    </message>
    <message>
        <source>list the demos</source>
        <translation>列出演示</translation>
    </message>
    <message>
        <source>This is a demo: its NPUs and all their values are invented.</source>
        <translation>这是演示：其 NPU 及所有数值都是虚构的。</translation>
    </message>
    <message>
        <source>eight ranks of a small training script</source>
        <translation>一个小训练脚本的八个 rank</translation>
    </message>
    <message>
        <source>eight ranks that stop in Python&apos;s debugger; one differs from the others</source>
        <translation>八个 rank 停在 Python 调试器中；其中一个与其他不同</translation>
    </message>
    <message>
        <source>eight ranks that measure the network between them, and their collectives</source>
        <translation>八个 rank 测量彼此之间的网络和集合通信</translation>
    </message>
    <message>
        <source>nothing tells when these logs were written: no line has a time stamp</source>
        <translation>无从得知这些日志何时写入：没有一行带时间戳</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>rank 3: exit code 1</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: its log ends</source>
        <comment>rank 3</comment>
        <translation>%1：其日志到此结束</translation>
    </message>
    <message>
        <source>the run has no such mark</source>
        <translation>任务没有这样的标记</translation>
    </message>
    <message>
        <source>&quot;rankdeckctl replay --json&quot; lists them.</source>
        <translation>“rankdeckctl replay --json”会列出它们。</translation>
    </message>
    <message>
        <source>this is no time in a run</source>
        <translation>这不是任务中的时间</translation>
    </message>
    <message>
        <source>Write seconds since its start (90, 1:30, 1:02:03), a part of it (50%), failure, stall, end, or a date and time (2026-01-31T14:03:59).</source>
        <translation>请写从任务开始算起的秒数（90、1:30、1:02:03）、比例（50%）、failure、stall、end，或日期和时间（2026-01-31T14:03:59）。</translation>
    </message>
    <message>
        <source>%1, invented</source>
        <translation>%1，虚构</translation>
    </message>
    <message>
        <source>invented</source>
        <translation>虚构</translation>
    </message>
    <message>
        <source>this is no speed</source>
        <translation>这不是有效的速度</translation>
    </message>
    <message>
        <source>Give a number from 1 to 1000.</source>
        <translation>请给出 1 到 1000 的数。</translation>
    </message>
    <message>
        <source>more than one of --attach, --open, --replay, --demo, --rank-table and a launch was given</source>
        <translation>--attach、--open、--replay、--demo、--rank-table 与启动命令中给出了不止一个</translation>
    </message>
    <message>
        <source>replay a past run, a directory of logs or a report bundle, from its start</source>
        <translation>从头回放已结束的任务、日志目录或报告包</translation>
    </message>
    <message>
        <source>with --replay: how many seconds of the run pass in one, 1 to 1000; default: 1</source>
        <translation>与 --replay 一起用：每秒播放任务的多少秒，1 到 1000；默认为 1</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>A rank fails</source>
        <translation>一个 rank 失败</translation>
    </message>
    <message>
        <source>A slow card</source>
        <translation>一张慢卡</translation>
    </message>
    <message>
        <source>A hang</source>
        <translation>卡住</translation>
    </message>
    <message>
        <source>Debugging</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>All ranks ended with exit code 0: the run has succeeded, and is kept in the list of runs.</source>
        <translation>所有 rank 以退出码 0 结束：任务成功，并保留在任务列表中。</translation>
    </message>
    <message>
        <source>The bar over the grid says how many steps are done, and how long the rest will take.</source>
        <translation>网格上方的进度条显示已完成的 step 数和剩余时间。</translation>
    </message>
    <message>
        <source>The tab NPUs shows the cards: these are invented, and follow the work of their ranks.</source>
        <translation>“NPU”页显示各张卡：它们是虚构的，数值跟随各自 rank 的工作。</translation>
    </message>
    <message>
        <source>The tab Curves shows the loss and the time of each step, for the ranks that are chosen.</source>
        <translation>“曲线”页显示所选 rank 的 loss 和每个 step 的用时。</translation>
    </message>
    <message>
        <source>The ranks train: each cell shows the last step of its rank, and its log is below.</source>
        <translation>各 rank 正在训练：每个单元格显示其 rank 的最新 step，下方是日志。</translation>
    </message>
    <message>
        <source>Eight ranks start, one for each NPU of the rank table; each has a cell in the grid.</source>
        <translation>八个 rank 启动，rank table 中的每个 NPU 一个；各自在网格中有一个单元格。</translation>
    </message>
    <message>
        <source>Rank 5 failed first, and Rankdeck ended the others: the error says why, and what to do.</source>
        <translation>rank 5 最先失败，Rankdeck 结束了其余 rank：错误页说明原因和处理办法。</translation>
    </message>
    <message>
        <source>All ranks train; nobody knows yet that the memory of one card is broken.</source>
        <translation>所有 rank 都在训练；还没有人知道有一张卡的内存已损坏。</translation>
    </message>
    <message>
        <source>Eight ranks start; one of them will fail.</source>
        <translation>八个 rank 启动；其中一个将会失败。</translation>
    </message>
    <message>
        <source>From now on one card gets hot, and the steps of its rank take twice as long.</source>
        <translation>从现在起，一张卡开始发热，其 rank 的 step 用时加倍。</translation>
    </message>
    <message>
        <source>Eight ranks train; all are equally fast so far.</source>
        <translation>八个 rank 正在训练；目前速度都一样。</translation>
    </message>
    <message>
        <source>The others gave up at their time limit; the error names rank 6, which never came.</source>
        <translation>其余 rank 等到超时后放弃；错误页指出从未到达的 rank 6。</translation>
    </message>
    <message>
        <source>One rank does not come to a collective, and the others wait for it: nothing moves.</source>
        <translation>一个 rank 没有到达集合通信，其余都在等它：全部停住。</translation>
    </message>
    <message>
        <source>Eight ranks train; one of them will not come to a collective.</source>
        <translation>八个 rank 正在训练；其中一个将不会到达集合通信。</translation>
    </message>
    <message>
        <source>Eight ranks start, each in a terminal of its own.</source>
        <translation>八个 rank 启动，各有自己的终端。</translation>
    </message>
    <message>
        <source>Eight ranks measure the network between each two of them, and then their collectives.</source>
        <translation>八个 rank 先两两测量彼此之间的网络，再测量集合通信。</translation>
    </message>
    <message>
        <source>The run has succeeded; the rank on the slow card was the last to end.</source>
        <translation>任务成功；慢卡上的 rank 最后结束。</translation>
    </message>
    <message>
        <source>Launches ranks on this machine and watches them. Their NPUs are invented: a stand-in for npu-smi makes their values up, and they are marked wherever they are shown. Without DEMO, the first of the list.</source>
        <translation>在本机启动若干 rank 并查看它们。它们的 NPU 是虚构的：npu-smi 的替身编造其数值，凡显示之处都有标明。不指定 DEMO 时为列表中的第一个。</translation>
    </message>
    <message>
        <source>print an HTML page with curves, ranks and events, with secrets masked</source>
        <translation>输出 HTML 网页，含曲线、各 rank 和事件，敏感信息已遮盖</translation>
    </message>
    <message>
        <source>with --html: write the page into this file</source>
        <translation>与 --html 一起使用：把网页写入此文件</translation>
    </message>
    <message>
        <source>works only with --html</source>
        <translation>只能与 --html 一起使用</translation>
    </message>
    <message>
        <source>%1: %2 bytes. %3 Look at it before you share it.</source>
        <translation>%1：%2 字节。%3分享之前请先查看。</translation>
    </message>
    <message>
        <source>the page was cancelled</source>
        <translation>网页已取消</translation>
    </message>
    <message>
        <source>Ranks by message</source>
        <translation>按消息分组的 rank</translation>
    </message>
    <message>
        <source>This is a demo: its ranks are simulated. They only wait; one program writes what all of them print.</source>
        <translation>这是演示：其 rank 是模拟的。它们只等待；由一个程序写出所有 rank 打印的内容。</translation>
    </message>
    <message>
        <source>A first launch</source>
        <translation>第一次启动</translation>
    </message>
    <message>
        <source>Two nodes</source>
        <translation>两个节点</translation>
    </message>
    <message>
        <source>1,024 ranks</source>
        <translation>1,024 个 rank</translation>
    </message>
    <message>
        <source>en</source>
        <comment>language of a page, as BCP 47 has it</comment>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>Made by Rankdeck %1 at %2. Values of variables and options with a secret name are masked; look for other secrets before you share this page.</source>
        <translation>由 Rankdeck %1 于 %2 生成。名称像敏感信息的变量和选项，其值已遮盖；分享此网页之前，请检查是否还有其他敏感信息。</translation>
    </message>
    <message>
        <source>All ranks succeeded. The run took %1.</source>
        <translation>所有 rank 均成功。任务用时 %1。</translation>
    </message>
    <message>
        <source>The run failed after %1, with exit code %2.</source>
        <translation>任务运行 %1 后失败，退出码为 %2。</translation>
    </message>
    <message>
        <source>The run was stopped after %1.</source>
        <translation>任务运行 %1 后被停止。</translation>
    </message>
    <message>
        <source>The run was lost: Rankdeck&apos;s supervisor ended and could not record how the run ended.</source>
        <translation>任务失联：Rankdeck 的监管进程已结束，未能记录任务如何结束。</translation>
    </message>
    <message>
        <source>These are logs alone. They tell of a failure.</source>
        <translation>这里只有日志。日志中有失败。</translation>
    </message>
    <message>
        <source>These are logs alone. They tell of no failure, and not how the ranks ended.</source>
        <translation>这里只有日志。日志中没有失败，也没有说明各 rank 如何结束。</translation>
    </message>
    <message>
        <source>The run goes on. This page shows what was known when it was made.</source>
        <translation>任务仍在运行。此网页显示生成时已知的内容。</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>该怎么做</translation>
    </message>
    <message>
        <source>What the verdict rests on</source>
        <translation>结论的依据</translation>
    </message>
    <message>
        <source>%1 of at most %2</source>
        <comment>restarts</comment>
        <translation>%1 次，最多 %2 次</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Command of the first rank</source>
        <translation>第一个 rank 的命令</translation>
    </message>
    <message>
        <source>Working directory</source>
        <translation>工作目录</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>重启</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>结束时间</translation>
    </message>
    <message>
        <source>Log directory</source>
        <translation>日志目录</translation>
    </message>
    <message>
        <source>Run directory</source>
        <translation>任务目录</translation>
    </message>
    <message>
        <source>Log of the failed rank</source>
        <translation>失败的 rank 的日志</translation>
    </message>
    <message>
        <source>%1 of %2 ranks</source>
        <translation>%1 个，共 %2 个 rank</translation>
    </message>
    <message>
        <source>No rank printed a loss or a step time.</source>
        <translation>没有 rank 打印 loss 或每 step 耗时。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>loss</translation>
    </message>
    <message>
        <source>step time (s)</source>
        <translation>每 step 耗时（s）</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Along the charts: the step.</source>
        <translation>横轴：step。</translation>
    </message>
    <message>
        <source>%1, invented</source>
        <comment>a quantity of a demo&apos;s NPUs</comment>
        <translation>%1，虚构</translation>
    </message>
    <message>
        <source>NPUs and processes</source>
        <translation>NPU 与进程</translation>
    </message>
    <message>
        <source>The NPUs of this run are invented: a demo&apos;s stand-in for npu-smi made their values up.</source>
        <translation>此任务的 NPU 是虚构的：数值由演示用的 npu-smi 替身编造。</translation>
    </message>
    <message>
        <source>Along the charts: the local time.</source>
        <translation>横轴：本地时间。</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Exit</source>
        <translation>退出状态</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Last line</source>
        <translation>最后一行</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>The run ended: %1.</source>
        <translation>任务结束：%1。</translation>
    </message>
    <message>
        <source>The run has succeeded on both nodes, although the link was cut for a while.</source>
        <translation>任务在两个节点上都成功了，尽管连接曾断开一段时间。</translation>
    </message>
    <message>
        <source>The link to one node is cut: its ranks go on, and Rankdeck tries to reach it again.</source>
        <translation>到一个节点的连接已断开：其上的 rank 继续运行，Rankdeck 会不断重连。</translation>
    </message>
    <message>
        <source>The link is back: no rank was lost, and the logs have caught up.</source>
        <translation>连接已恢复：没有丢失任何 rank，日志也已补齐。</translation>
    </message>
    <message>
        <source>Eight ranks train on two nodes; the link to one of them will be cut.</source>
        <translation>八个 rank 在两个节点上训练；到其中一个节点的连接将会断开。</translation>
    </message>
    <message>
        <source>1,024 ranks, simulated, each a tile of the grid: type a number to go to a rank.</source>
        <translation>模拟的 1,024 个 rank，每个是网格中的一块：输入编号即可转到该 rank。</translation>
    </message>
    <message>
        <source>AICore (%)</source>
        <translation>AICore（%）</translation>
    </message>
    <message>
        <source>NPU (%)</source>
        <translation>NPU（%）</translation>
    </message>
    <message>
        <source>HBM (GB)</source>
        <translation>HBM（GB）</translation>
    </message>
    <message>
        <source>DDR (GB)</source>
        <translation>DDR（GB）</translation>
    </message>
    <message>
        <source>temperature (°C)</source>
        <translation>温度（°C）</translation>
    </message>
    <message>
        <source>power (W)</source>
        <translation>功耗（W）</translation>
    </message>
    <message>
        <source>clock (MHz)</source>
        <translation>频率（MHz）</translation>
    </message>
    <message>
        <source>CPU (% of a core)</source>
        <translation>CPU（单核的 %）</translation>
    </message>
    <message>
        <source>memory (GB)</source>
        <translation>内存（GB）</translation>
    </message>
    <message>
        <source>read (MB/s)</source>
        <translation>读（MB/s）</translation>
    </message>
    <message>
        <source>written (MB/s)</source>
        <translation>写（MB/s）</translation>
    </message>
    <message>
        <source>Save as picture</source>
        <translation>另存为图片</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>Page (*.pdf)</source>
        <translation>页面 (*.pdf)</translation>
    </message>
    <message>
        <source>The rank table is checked and converted before any rank starts; the ranks get the converted one.</source>
        <translation>rank table 在各 rank 启动之前先检查并转换；各 rank 得到的是转换后的。</translation>
    </message>
    <message>
        <source>Starts COMMAND once, such as deepspeed, accelerate, swift, mpirun or a script that starts ranks, and waits. One log holds the output of COMMAND and its ranks, which are watched as they are found. When COMMAND ends, Rankdeck ends everything that it left running, so a script must wait for its ranks. Ctrl-C stops the run.</source>
        <translation>启动一次 COMMAND，例如 deepspeed、accelerate、swift、mpirun 或会启动 rank 的脚本，并等待结束。COMMAND 及其 rank 的输出在同一个日志中；rank 一经找到即受监控。COMMAND 结束时，Rankdeck 会结束它遗留的所有进程，因此脚本须等待其 rank。Ctrl-C 停止任务。</translation>
    </message>
    <message>
        <source>show only these states: live, ended, starting, running, stopping, succeeded, failed, stopped, lost, unknown</source>
        <translation>只显示这些状态：live、ended、starting、running、stopping、succeeded、failed、stopped、lost、unknown</translation>
    </message>
    <message>
        <source>watch ranks that were started outside Rankdeck</source>
        <translation>监控不是由 Rankdeck 启动的 rank</translation>
    </message>
    <message>
        <source>find it by the name of its program or script, or by a piece of its command line</source>
        <translation>按程序名、脚本名或命令行的一部分查找</translation>
    </message>
    <message>
        <source>everything has ended, and nothing tells how</source>
        <translation>全部已结束，但无从得知如何结束</translation>
    </message>
    <message>
        <source>exit code of the rank that failed first or of the Slurm job, if it is told</source>
        <translation>最先失败的 rank 或 Slurm 作业的退出码（如果能得知）</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a pid</source>
        <translation>“%1”不是 pid</translation>
    </message>
    <message>
        <source>Give a number, or the name of a program with --name.</source>
        <translation>请给出编号，或用 --name 给出程序名。</translation>
    </message>
    <message>
        <source>no process of yours is called &quot;%1&quot; or has it in its command line</source>
        <translation>您的进程中没有名为“%1”或命令行含有它的进程</translation>
    </message>
    <message>
        <source>List your processes with &quot;ps -u $USER&quot;.</source>
        <translation>可用“ps -u $USER”列出您的进程。</translation>
    </message>
    <message>
        <source>%1 processes match</source>
        <translation>有 %1 个进程匹配</translation>
    </message>
    <message>
        <source>Give the pid of one of them instead.</source>
        <translation>请改为给出其中一个的 pid。</translation>
    </message>
    <message>
        <source>Give the pid of one of them, or of the process that started them all: %1, %2.</source>
        <translation>请给出其中一个的 pid，或者启动它们的进程的 pid：%1，%2。</translation>
    </message>
    <message>
        <source>either a pid or --name says what to watch</source>
        <translation>要监控的进程由 pid 或 --name 二者之一给出</translation>
    </message>
    <message>
        <source>Give one of them.</source>
        <translation>请给出其中之一。</translation>
    </message>
    <message>
        <source>Give live, ended, starting, running, stopping, succeeded, failed, stopped, lost or unknown.</source>
        <translation>请使用 live、ended、starting、running、stopping、succeeded、failed、stopped、lost 或 unknown。</translation>
    </message>
    <message>
        <source>Rankdeck did not start these ranks, so it does not stop them</source>
        <translation>这些 rank 不是由 Rankdeck 启动的，因此不会停止它们</translation>
    </message>
    <message>
        <source>Send them a signal with &quot;rankdeckctl signal&quot;, or use --kill.</source>
        <translation>请用“rankdeckctl signal”向它们发送信号，或使用 --kill。</translation>
    </message>
    <message>
        <source>there is no such process any more</source>
        <translation>该进程已不存在</translation>
    </message>
    <message>
        <source>the process belongs to %1</source>
        <translation>该进程属于 %1</translation>
    </message>
    <message>
        <source>Only your own processes can be watched; run this as that user.</source>
        <translation>只能监控自己的进程；请以该用户的身份运行本命令。</translation>
    </message>
    <message>
        <source>the run %1 watches this process already</source>
        <translation>任务 %1 已在监控该进程</translation>
    </message>
    <message>
        <source>Open it with &quot;rankdeckctl attach %1&quot;.</source>
        <translation>可用“rankdeckctl attach %1”打开它。</translation>
    </message>
    <message>
        <source>the process belongs to the run %1 of Rankdeck</source>
        <translation>该进程属于 Rankdeck 的任务 %1</translation>
    </message>
    <message>
        <source>The output of process %1 goes to no file, so it is not shown.</source>
        <translation>进程 %1 的输出没有写入文件，因此无法显示。</translation>
    </message>
    <message>
        <source>Process %1 is rank %2. To watch all ranks, adopt their launcher: process %3.</source>
        <translation>进程 %1 是 rank %2。如要监控所有 rank，请接管它们的启动器：进程 %3。</translation>
    </message>
    <message>
        <source>Rankdeck watches process %1, which it did not start: %2. Stopping the run ends the watching, not the process.</source>
        <translation>Rankdeck 正在监控进程 %1，它不是由 Rankdeck 启动的：%2。停止任务只结束监控，不结束该进程。</translation>
    </message>
    <message>
        <source>the job belongs to %1</source>
        <translation>该作业属于 %1</translation>
    </message>
    <message>
        <source>Only your own jobs can be followed; run this as that user.</source>
        <translation>只能跟踪自己的作业；请以该用户的身份运行本命令。</translation>
    </message>
    <message>
        <source>the job has ended already: %1</source>
        <translation>该作业已结束：%1</translation>
    </message>
    <message>
        <source>Read its log with &quot;rankdeckctl open %1&quot;.</source>
        <translation>可用“rankdeckctl open %1”阅读它的日志。</translation>
    </message>
    <message>
        <source>the run %1 follows this job already</source>
        <translation>任务 %1 已在跟踪该作业</translation>
    </message>
    <message>
        <source>Rankdeck follows the Slurm job %1, which it did not start. Stopping the run ends the watching, not the job.</source>
        <translation>Rankdeck 正在跟踪 Slurm 作业 %1，它不是由 Rankdeck 启动的。停止任务只结束监控，不结束该作业。</translation>
    </message>
    <message>
        <source>cannot create the log: %1</source>
        <translation>无法创建日志：%1</translation>
    </message>
    <message>
        <source>this is an array of jobs</source>
        <translation>这是一个作业数组</translation>
    </message>
    <message>
        <source>Give one of them, e.g. slurm:%1_1.</source>
        <translation>请给出其中一个，例如 slurm:%1_1。</translation>
    </message>
    <message>
        <source>this job of the array still waits</source>
        <translation>数组中的这个作业仍在排队</translation>
    </message>
    <message>
        <source>Try again when it runs.</source>
        <translation>请在它开始运行后重试。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not the id of a Slurm job</source>
        <translation>“%1”不是 Slurm 作业号</translation>
    </message>
    <message>
        <source>Give the number that sbatch has printed.</source>
        <translation>请给出 sbatch 打印的编号。</translation>
    </message>
    <message>
        <source>scontrol, which tells of jobs, is not installed here</source>
        <translation>此处未安装用于查询作业的 scontrol</translation>
    </message>
    <message>
        <source>Run this where Slurm is installed.</source>
        <translation>请在安装了 Slurm 的机器上运行。</translation>
    </message>
    <message>
        <source>Slurm did not answer within %1 s</source>
        <translation>Slurm 在 %1 s 内没有应答</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Slurm does not know this job, or has forgotten it</source>
        <translation>Slurm 不知道或已不记得该作业</translation>
    </message>
    <message>
        <source>List your jobs with &quot;squeue --me&quot;. To read the logs of an old one: &quot;rankdeckctl open FILE&quot;.</source>
        <translation>可用“squeue --me”列出您的作业。如要阅读旧作业的日志：“rankdeckctl open FILE”。</translation>
    </message>
    <message>
        <source>Slurm does not tell of the job: %1</source>
        <translation>Slurm 没有给出该作业的信息：%1</translation>
    </message>
    <message>
        <source>Makes a run of a launcher, a rank or a Slurm job of yours that runs already, and prints its new lines. PID is the launcher, whose ranks are found below it, or a rank; JOB is a Slurm job, e.g. slurm:42. Nothing is started, and nothing is signalled unless you ask for it with &quot;rankdeckctl signal&quot; or &quot;rankdeckctl stop --kill&quot;. &quot;rankdeckctl stop&quot; ends the watching, not the ranks. Ctrl-C ends this command, the watching goes on.</source>
        <translation>为您已在运行的启动器、rank 或 Slurm 作业建立一个任务，并打印其新的日志行。PID 是启动器（其下的 rank 会自动找到）或某个 rank；JOB 是 Slurm 作业，例如 slurm:42。不启动任何进程；除非用“rankdeckctl signal”或“rankdeckctl stop --kill”明确要求，也不发送任何信号。“rankdeckctl stop”只结束监控，不结束 rank。Ctrl-C 结束本命令，监控继续。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>a rank table is checked and converted, then eight ranks train</source>
        <translation>检查并转换 rank table，然后八个 rank 训练</translation>
    </message>
    <message>
        <source>the memory of a card is broken, and its rank fails</source>
        <translation>一张卡的内存损坏，其 rank 失败</translation>
    </message>
    <message>
        <source>a card gets hot, and the steps of its rank take longer</source>
        <translation>一张卡发热，其 rank 的 step 变慢</translation>
    </message>
    <message>
        <source>a rank does not come to a collective; the others wait, and give up</source>
        <translation>一个 rank 没有到达集合通信；其余等待，然后放弃</translation>
    </message>
    <message>
        <source>the link to one of two nodes is cut, and is back</source>
        <translation>到两个节点之一的连接断开，随后恢复</translation>
    </message>
    <message>
        <source>of 1,024 ranks, simulated, one fails and is found</source>
        <translation>模拟的 1,024 个 rank 中有一个失败，并被找出</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>不允许的操作</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或目录</translation>
    </message>
    <message>
        <source>No such process</source>
        <translation>没有该进程</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>可执行文件格式错误</translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation>资源暂时不可用</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>无法分配内存</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>设备或资源忙</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是目录</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个目录</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>无效的参数</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>文件过大</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统只读</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>管道已断开</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>符号链接层数过多</translation>
    </message>
    <message>
        <source>Address already in use</source>
        <translation>地址已被占用</translation>
    </message>
    <message>
        <source>Network is unreachable</source>
        <translation>网络不可达</translation>
    </message>
    <message>
        <source>Connection reset by peer</source>
        <translation>连接被对端重置</translation>
    </message>
    <message>
        <source>Connection timed out</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>No route to host</source>
        <translation>没有到主机的路由</translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation>文件句柄已失效</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>超出磁盘配额</translation>
    </message>
    <message>
        <source>Stop the run? y: yes, r: only %1, other keys: no</source>
        <translation>停止任务？y：是，r：仅 %1，其他键：否</translation>
    </message>
    <message>
        <source>Kill the run at once? y: yes, r: only %1, other keys: no</source>
        <translation>立即强制结束任务？y：是，r：仅 %1，其他键：否</translation>
    </message>
    <message>
        <source>Only lines with (regular expression): </source>
        <translation>只看这些行（正则表达式）：</translation>
    </message>
    <message>
        <source>Only ranks with (state=failed ai&lt;10 …): </source>
        <translation>只看这些 rank（state=failed ai&lt;10 …）：</translation>
    </message>
    <message>
        <source>Go to rank: </source>
        <translation>转到 rank：</translation>
    </message>
    <message>
        <source>%1 (invented)</source>
        <translation>%1（虚构）</translation>
    </message>
    <message>
        <source>start ranks of a live run again</source>
        <translation>再次启动运行中任务的 rank</translation>
    </message>
    <message>
        <source>Starts ranks of a live run again, with the same command, variables and log, while the others continue. A rank that still runs is ended first: SIGTERM, and SIGKILL after the grace period. Only the process is started. The process groups of HCCL and gloo do not take a rank back: the script must form them again.
It needs a run that goes on without the rank: it ended with 0, was stopped by &quot;rankdeckctl stop --rank&quot;, or failed in a launch with --no-destroy. Ranks that another launcher started (wrap, adopt) cannot be started again. Without RUN, exactly one run must be live.</source>
        <translation>以相同的命令、变量和日志再次启动运行中任务的 rank，其他 rank 继续运行。仍在运行的 rank 先被结束：发送 SIGTERM，宽限时间后发送 SIGKILL。只启动进程本身。HCCL 和 gloo 的进程组不会重新接纳 rank：须由脚本重新建立进程组。
任务必须能在缺少该 rank 时继续：它以 0 结束，被“rankdeckctl stop --rank”停止，或在使用 --no-destroy 启动的任务中失败。由其他启动器启动的 rank（wrap、adopt）不能再次启动。不指定 RUN 时，必须恰好有一个任务在运行。</translation>
    </message>
    <message>
        <source>start these ranks again: 3, 0,4-7 or all; required</source>
        <translation>再次启动这些 rank：3、0,4-7 或 all；必须指定</translation>
    </message>
    <message>
        <source>a rank was not started</source>
        <translation>有 rank 没有启动</translation>
    </message>
    <message>
        <source>%1 ended; the request may not have reached it.</source>
        <translation>%1 已结束；请求可能没有送达。</translation>
    </message>
    <message>
        <source>%1: its node cannot be reached; the request may not have arrived.</source>
        <translation>%1：无法连接其节点；请求可能没有送达。</translation>
    </message>
    <message>
        <source>Only ranks of a live run can be started again.</source>
        <translation>只能再次启动运行中任务的 rank。</translation>
    </message>
    <message>
        <source>it is not said which ranks to start again</source>
        <translation>没有指定要再次启动哪些 rank</translation>
    </message>
    <message>
        <source>Give their numbers, for example --rank 3.</source>
        <translation>请给出其编号，例如 --rank 3。</translation>
    </message>
    <message>
        <source>%1 (pid: %2): started again</source>
        <translation>%1（pid：%2）：已再次启动</translation>
    </message>
    <message>
        <source>Only ranks can be started again.</source>
        <translation>只能再次启动 rank。</translation>
    </message>
    <message>
        <source>%1 cannot be started again: its own launcher started it, not Rankdeck.</source>
        <translation>%1 不能再次启动：它由自己的启动器启动，而不是 Rankdeck。</translation>
    </message>
    <message>
        <source>%1 cannot be started again: the run is not running or is about to end.</source>
        <translation>%1 不能再次启动：任务没有在运行，或即将结束。</translation>
    </message>
    <message>
        <source>%1 cannot be started again: it has not been started yet.</source>
        <translation>%1 不能再次启动：它尚未启动。</translation>
    </message>
    <message>
        <source>%1 cannot be started again: no connection to %2.</source>
        <translation>%1 不能再次启动：与 %2 没有连接。</translation>
    </message>
    <message>
        <source>%1 cannot be started again: no process of the run is left on %2. Launch the run again.</source>
        <translation>%1 不能再次启动：任务在 %2 上已没有进程。请再次启动任务。</translation>
    </message>
    <message numerus="yes">
        <source>Ranks %1 are started again on request.</source>
        <comment>Rank %1 is started again on request.</comment>
        <translation>
            <numerusform>按请求再次启动 rank %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Only the process is started. A process group of HCCL or gloo does not take a rank back: unless the script forms it again, the ranks wait for each other.</source>
        <translation>只启动进程本身。HCCL 或 gloo 的进程组不会重新接纳 rank：除非脚本重新建立进程组，否则各 rank 互相等待。</translation>
    </message>
    <message>
        <source>Runs of Rankdeck wrote here, the newest first: %1. Open one by its name to see its logs alone. %2 lists which logs are whose.</source>
        <translation>Rankdeck 的任务曾写入此处，最新的在前：%1。按名称打开任务，可只看它的日志。%2 列出日志属于哪个任务。</translation>
    </message>
    <message>
        <source>any other launcher or script, watched as it is</source>
        <translation>任何其他启动器或脚本，按原样监视</translation>
    </message>
    <message>
        <source>h help q quit r runs e error i info m merge / filter s stop K kill d dump</source>
        <translation>h 帮助 q 退出 r 任务 e 错误 i 详情 m 合并 / 过滤 s 停止 K 强制结束 d 调用栈</translation>
    </message>
    <message>
        <source>h help q quit  Space: play or pause  &lt; &gt; marks  - + speed  , . 10 s  0-9 tenths</source>
        <translation>h 帮助 q 退出  Space：播放或暂停  &lt; &gt; 标记  - + 速度  , . 10 秒  0-9 十分之几</translation>
    </message>
    <message>
        <source>A rank failed. The cause is told when all ranks have ended.</source>
        <translation>有 rank 失败。所有 rank 结束后给出原因。</translation>
    </message>
    <message>
        <source>Reading the logs for the cause.</source>
        <translation>正在读取日志查找原因。</translation>
    </message>
    <message>
        <source>No rank has failed.</source>
        <translation>没有 rank 失败。</translation>
    </message>
    <message>
        <source>sbatch only hands the job over to Slurm</source>
        <translation>sbatch 只是把作业交给 Slurm</translation>
    </message>
    <message>
        <source>Run it, then watch the job with its number: rankdeckctl adopt slurm:JOBID.</source>
        <translation>请先运行它，再用作业号监控：rankdeckctl adopt slurm:JOBID。</translation>
    </message>
    <message>
        <source>%1: ray starts the ranks then.</source>
        <translation>%1：此时由 ray 启动 rank。</translation>
    </message>
    <message>
        <source>&quot;:&quot;: several programs of one mpirun are not read.</source>
        <translation>“:”：不读取一个 mpirun 中的多个程序。</translation>
    </message>
    <message>
        <source>A script with &quot;%1&quot; is not read.</source>
        <translation>不读取含“%1”的脚本。</translation>
    </message>
    <message>
        <source>an option has a variable that is not set here</source>
        <translation>某个选项含有此处未设置的变量</translation>
    </message>
    <message>
        <source>Write its value in its place, or set it before Rankdeck is started.</source>
        <translation>请写成它的值，或在启动 Rankdeck 之前设置它。</translation>
    </message>
    <message>
        <source>A script that launches twice is not read.</source>
        <translation>不读取启动两次的脚本。</translation>
    </message>
    <message>
        <source>Only a shell knows the value of %1.</source>
        <translation>只有 shell 知道 %1 的值。</translation>
    </message>
    <message>
        <source>Each rank has a folder of its own in the script; here all have the same.</source>
        <translation>脚本中每个 rank 有自己的文件夹；在此所有 rank 使用同一个文件夹。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is carried out before each rank, by --wrap. A variable that it sets wins over Rankdeck&apos;s.</source>
        <translation>“%1”由 --wrap 在每个 rank 之前执行。它设置的变量优先于 Rankdeck 的变量。</translation>
    </message>
    <message>
        <source>The ranks that were ahead have ended.</source>
        <translation>领先的 rank 已经结束。</translation>
    </message>
    <message>
        <source>One of 1,024 ranks failed: the error names it, and its tile in the grid has a cross.</source>
        <translation>1,024 个 rank 中有一个失败：错误页指出是哪一个，它在网格中的色块有一个叉。</translation>
    </message>
    <message>
        <source>The cards, which are invented, are busy and healthy: such a fault comes without a sign.</source>
        <translation>各卡为虚构，繁忙而健康：这种故障事先没有迹象。</translation>
    </message>
    <message>
        <source>The loss falls on all ranks, and their steps take equally long.</source>
        <translation>各 rank 的 loss 都在下降，每个 step 用时相同。</translation>
    </message>
    <message>
        <source>Seven ranks are done; in a real training, each step of theirs would have waited for rank 3.</source>
        <translation>七个 rank 已经结束；真实训练中，它们的每个 step 都得等 rank 3。</translation>
    </message>
    <message>
        <source>Rank 3 falls behind, and Rankdeck says so over the grid: nobody had to look for it.</source>
        <translation>rank 3 落后了，Rankdeck 在网格上方指出：不用谁去找。</translation>
    </message>
    <message>
        <source>NPUs shows why: the card of rank 3 is hot, and its health is a warning.</source>
        <translation>“NPU”显示原因：rank 3 的卡过热，健康状态为警告。</translation>
    </message>
    <message>
        <source>Curves shows it: the steps of rank 3 take twice as long as those of the others.</source>
        <translation>“曲线”显示出来：rank 3 的 step 用时是其他 rank 的两倍。</translation>
    </message>
    <message>
        <source>Rankdeck noticed the silence, asked all ranks where they stand, and names rank 6: it did not come.</source>
        <translation>Rankdeck 发现停滞，询问各 rank 停在哪里，并指出 rank 6：它没有来。</translation>
    </message>
    <message>
        <source>The ranks stop in Python&apos;s debugger: type &quot;p len(batch)&quot; below, once for all, and one answer differs.</source>
        <translation>各 rank 停在 Python 调试器中：在下方输入一次“p len(batch)”，发给所有 rank，有一个回答不同。</translation>
    </message>
    <message>
        <source>Start %1 again, after its end if it runs? y: yes, other keys: no</source>
        <translation>再次启动 %1？仍在运行则先结束它。y：是，其他键：否</translation>
    </message>
    <message>
        <source>Keys

Up Down, j k        choose a rank; its log is shown
[ ]                 a page of ranks up or down
g                   go to a rank by its number
n                   the next rank that failed or is stalled
o                   sort ranks by state, NPU use, HBM, temperature, cpu, memory
\                   only ranks with: state=failed ai&lt;10 hbm&gt;90% mem&gt;10GB …
v                   many ranks as letters: R runs, ! stalled or held, F failed,
                    E ended, S stopped, - waits, . succeeded
i, Enter            all about the rank and its NPU

PgUp PgDn Home End  move in the log; End follows it
Left Right          move long lines
m                   the logs of all ranks, merged by time; again: of the rank
f                   the same, what several ranks print alike once
/                   only lines that match a regular expression; empty: all
l                   only warnings and errors, only errors, all lines
Tab                 ranks and log, log alone, ranks alone

e                   which rank failed first, and why
d, D                call stacks of the rank, of all ranks; t shows them again
s, K                stop or kill the run or the rank; asks first
R                   start the rank again; asks first
r                   the list of runs
N                   the NPUs of this machine, and what runs on them
q, Ctrl-C           quit; the run goes on</source>
        <translation>按键

Up Down、j k        选择 rank；显示其日志
[ ]                 rank 向上或向下翻页
g                   按编号转到 rank
n                   下一个失败或停滞的 rank
o                   按状态、NPU 利用率、HBM、温度、CPU、内存排序 rank
\                   只看这些 rank：state=failed ai&lt;10 hbm&gt;90% mem&gt;10GB …
v                   rank 很多时显示为字母：R 运行，! 停滞或被暂停，F 失败，
                    E 已结束，S 已停止，- 等待，. 成功
i、Enter            该 rank 及其 NPU 的全部信息

PgUp PgDn Home End  在日志中移动；End 跟踪末尾
Left Right          左右移动长行
m                   所有 rank 的日志，按时间合并；再按：该 rank 的日志
f                   同上，多个 rank 的相同行只显示一次
/                   只看匹配正则表达式的行；为空：全部
l                   只看警告与错误、只看错误、全部行
Tab                 rank 与日志、只有日志、只有 rank

e                   哪个 rank 最先失败及原因
d、D                该 rank、所有 rank 的调用栈；t 再次显示
s、K                停止或强制结束任务或该 rank；会先询问
R                   再次启动该 rank；先询问
r                   任务列表
N                   本机的 NPU 及其上运行的进程
q、Ctrl-C           退出；任务继续运行</translation>
    </message>
    <message>
        <source>The command failed</source>
        <translation>命令失败</translation>
    </message>
    <message>
        <source>Process %1 failed</source>
        <translation>进程 %1 失败</translation>
    </message>
    <message>
        <source>%1 It is one of HCCL&apos;s ports: without HCCL_IF_BASE_PORT, free ones are chosen.</source>
        <translation>%1 这是 HCCL 的端口之一：不设 HCCL_IF_BASE_PORT 时会选择空闲的端口。</translation>
    </message>
    <message>
        <source>%1 is an argument of the script, which is not known here.</source>
        <translation>%1 是脚本的参数，其值在此未知。</translation>
    </message>
    <message>
        <source>do not ask before processes are killed that Rankdeck did not start</source>
        <translation>强制结束不是由 Rankdeck 启动的进程之前不询问</translation>
    </message>
    <message>
        <source>%1 (pid: %2) has ended, and was started again.</source>
        <translation>%1（pid：%2）已结束，并已重新启动。</translation>
    </message>
    <message numerus="yes">
        <source>This kills %n processes that Rankdeck did not start:</source>
        <comment>This kills one process that Rankdeck did not start:</comment>
        <translation>
            <numerusform>将强制结束 %n 个不是由 Rankdeck 启动的进程：</numerusform>
        </translation>
    </message>
    <message>
        <source>This cancels job %1 of Slurm, which Rankdeck did not start.</source>
        <translation>将取消 Slurm 作业 %1，它不是由 Rankdeck 启动的。</translation>
    </message>
    <message>
        <source>this is not a terminal, so nothing was killed</source>
        <translation>这里不是终端，因此没有强制结束任何进程</translation>
    </message>
    <message>
        <source>Kill them?</source>
        <translation>要强制结束它们吗？</translation>
    </message>
    <message>
        <source>Nothing was killed.</source>
        <translation>没有强制结束任何进程。</translation>
    </message>
    <message>
        <source>Give the launcher, or a rank; &quot;ps -u $USER f&quot; shows which it is.</source>
        <translation>请给出启动器或某个 rank；&quot;ps -u $USER f&quot; 可以查看是哪一个。</translation>
    </message>
    <message>
        <source>process 1 is above all processes of this machine or container</source>
        <translation>1 号进程是本机或容器中所有进程的上级</translation>
    </message>
    <message>
        <source>the process is one of Rankdeck&apos;s own</source>
        <translation>该进程是 Rankdeck 自己的进程</translation>
    </message>
    <message>
        <source>the process is above this command</source>
        <translation>该进程是本命令的上级进程</translation>
    </message>
    <message>
        <source>Rankdeck runs below the process, as process %1</source>
        <translation>该进程之下有 Rankdeck 在运行（进程 %1）</translation>
    </message>
    <message>
        <source>a run of another user</source>
        <translation>另一个用户的任务</translation>
    </message>
    <message>
        <source>no thread can be started: a limit of processes (pids.max, ulimit -u) is reached</source>
        <translation>无法启动线程：已达到进程数上限（pids.max、ulimit -u）</translation>
    </message>
    <message>
        <source>the runs cannot be listed: %1</source>
        <translation>无法列出任务：%1</translation>
    </message>
    <message>
        <source>See %1 --help.</source>
        <translation>请查看 %1 --help。</translation>
    </message>
    <message>
        <source>Usage: rankdeck [OPTIONS] [PATH | LAUNCHER…]

Opens the window. With a launch, starts it and shows it.
PATH is a rank table (FILE.json), a directory of logs, a log, or a report
bundle.
LAUNCHER is %1 with its options
and command; &quot;rankdeckctl LAUNCHER --help&quot; lists them.

Options:
</source>
        <translation>用法：rankdeck [OPTIONS] [PATH | LAUNCHER…]

打开窗口。带启动命令时，启动并显示它。
PATH 为 rank table（FILE.json）、日志目录、单个日志或
报告包。
LAUNCHER 为 %1，后跟其选项与
命令；“rankdeckctl LAUNCHER --help”列出这些选项。

选项：
</translation>
    </message>
    <message>
        <source>LAUNCHER is %1, with its own options and command: see &quot;rankdeckctl LAUNCHER --help&quot;.</source>
        <translation>LAUNCHER 为 %1，后跟其选项与命令：见“rankdeckctl LAUNCHER --help”。</translation>
    </message>
    <message>
        <source>Saves a launch as a profile; &quot;rankdeckctl run PROFILE&quot; launches it. LAUNCHER is %1, with its own options and command: see &quot;rankdeckctl LAUNCHER --help&quot;.</source>
        <translation>将启动参数保存为启动配置，用“rankdeckctl run PROFILE”启动。LAUNCHER 为 %1，后跟其选项与命令：见“rankdeckctl LAUNCHER --help”。</translation>
    </message>
    <message>
        <source>RUN is a run&apos;s name, a unique part of its beginning or end, its directory, or &quot;last&quot;. Without RUN a command takes the newest live run, otherwise the newest run. PATH is a directory of logs, or one log; BUNDLE is a file of &quot;rankdeckctl report --bundle&quot;.
LAUNCHER is %1 with a profile. &quot;-&quot; and &quot;_&quot; mean the same in option names.
&quot;rankdeckctl COMMAND --help&quot; shows the options, exit codes and examples of a command, &quot;rankdeckctl --version&quot; the version. LANGUAGE is en, zh or auto, the environment&apos;s.</source>
        <translation>RUN 为任务名、其开头或结尾中唯一的一部分、任务目录，或“last”。不指定 RUN 时取最新的运行中任务，没有则取最新的任务。PATH 为日志目录或单个日志；BUNDLE 为“rankdeckctl report --bundle”生成的文件。
LAUNCHER 为 %1 加启动配置。选项名中“-”与“_”等同。
“rankdeckctl COMMAND --help”显示命令的选项、退出码与示例，“rankdeckctl --version”显示版本。LANGUAGE 为 en、zh 或 auto（按环境变量）。</translation>
    </message>
    <message>
        <source>Use %1.</source>
        <translation>请使用 %1。</translation>
    </message>
    <message>
        <source>The program every rank runs. Quotes group words, as in a shell.</source>
        <translation>每个 rank 运行的程序。与 shell 一样，用引号将多个词合为一个。</translation>
    </message>
    <message>
        <source>A .py script, or python, python3 or pytest with arguments.</source>
        <translation>.py 脚本，或带参数的 python、python3 或 pytest。</translation>
    </message>
    <message>
        <source>The launcher or script that starts the ranks.</source>
        <translation>启动各 rank 的启动器或脚本。</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>Bind to CPUs</source>
        <translation>绑核</translation>
    </message>
    <message>
        <source>A rank is s&amp;talled after:</source>
        <translation>rank 停滞判定时间(&amp;T)：</translation>
    </message>
    <message>
        <source>&amp;Sample NPUs every:</source>
        <translation>NPU 采样间隔(&amp;S)：</translation>
    </message>
    <message>
        <source>no answer for %1 s</source>
        <translation>%1 s 没有应答</translation>
    </message>
    <message>
        <source>The processes on %1 have ended; %2 of their logs are still being copied.</source>
        <translation>%1 上的进程已结束；其中 %2 个日志仍在复制。</translation>
    </message>
    <message>
        <source>The logs on %1 cannot be fetched: %2</source>
        <translation>无法取得 %1 上的日志：%2</translation>
    </message>
    <message>
        <source>%1 is not started again: its end was requested.</source>
        <translation>%1 不再重新启动：已请求停止它。</translation>
    </message>
    <message>
        <source>Nothing was stopped: Rankdeck did not start these ranks. Send them a signal, or kill them.</source>
        <translation>没有停止任何 rank：它们不是由 Rankdeck 启动的。请向它们发送信号，或强制结束它们。</translation>
    </message>
    <message>
        <source>Kill was requested for %1.</source>
        <translation>已请求强制结束 %1。</translation>
    </message>
    <message>
        <source>Stop was requested for %1.</source>
        <translation>已请求停止 %1。</translation>
    </message>
    <message>
        <source>no message from the supervisor for %1 s</source>
        <translation>%1 s 没有收到监管进程的消息</translation>
    </message>
    <message>
        <source>%1 was not sent: the process has ended.</source>
        <translation>未发送 %1：进程已结束。</translation>
    </message>
    <message>
        <source>Another run has reserved ports that this one uses: %1.</source>
        <translation>另一个任务已保留本任务使用的端口：%1。</translation>
    </message>
    <message>
        <source>It cannot be started again: no process of the run is left on its node.</source>
        <translation>它不能再次启动：任务在其节点上已没有进程。</translation>
    </message>
    <message>
        <source>Cannot attach to rank %1: it has ended.</source>
        <translation>无法接入 rank %1：它已结束。</translation>
    </message>
    <message>
        <source>No stacks: the process is not running.</source>
        <translation>没有调用栈：进程未在运行。</translation>
    </message>
    <message>
        <source>it wrote no stacks to its log</source>
        <translation>它没有向日志写入调用栈</translation>
    </message>
    <message>
        <source>These are frames of C. For those of Python, run this where the rank runs: pip install py-spy</source>
        <translation>这些是 C 的帧。要看 Python 的，请在该 rank 所在处执行：pip install py-spy</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>More ranks were found, but they are not shown: a tool was attached to a rank before.</source>
        <translation>又找到了一些 rank，但不显示：此前已有工具连接到某个 rank。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Rank %1 failed before rank %2, by the time in its error.json.</source>
        <translation>按 error.json 中的时间，rank %1 先于 rank %2 失败。</translation>
    </message>
    <message>
        <source>%1 is connected again.</source>
        <translation>%1 已重新连接。</translation>
    </message>
    <message>
        <source>%1: connection lost, trying again since %2: %3.</source>
        <translation>%1：连接断开，自 %2 起在重试：%3。</translation>
    </message>
    <message>
        <source>All workers have ended, but %1 s later the scheduler has not. It is ended now.</source>
        <translation>所有 worker 已结束，但 %1 s 后 scheduler 仍未结束。现在将其结束。</translation>
    </message>
    <message>
        <source>The command that launched the run has ended.</source>
        <translation>启动该任务的命令已结束。</translation>
    </message>
    <message>
        <source>%1 cannot start its processes: %2</source>
        <translation>%1 无法启动其进程：%2</translation>
    </message>
    <message>
        <source>No process is started on any node.</source>
        <translation>没有在任何节点启动进程。</translation>
    </message>
    <message>
        <source>Kill was requested.</source>
        <translation>已请求强制结束。</translation>
    </message>
    <message>
        <source>Rankdeck watches no more, as requested. The ranks go on: Rankdeck did not start them.</source>
        <translation>已按要求结束监控。各 rank 继续运行：它们不是由 Rankdeck 启动的。</translation>
    </message>
    <message>
        <source>Stop was requested.</source>
        <translation>已请求停止。</translation>
    </message>
    <message>
        <source>Lost node %1 since %2: %3.</source>
        <translation>节点 %1 自 %2 起失联：%3。</translation>
    </message>
    <message>
        <source>Lost the agent of %1: %2.</source>
        <translation>%1 的代理进程失联：%2。</translation>
    </message>
    <message>
        <source>The processes of %1 are no longer supervised.</source>
        <translation>%1 的进程已无人监管。</translation>
    </message>
    <message>
        <source>The supervisor was paused (SIGSTOP) and now continues.</source>
        <translation>监管进程曾被暂停（SIGSTOP），现已继续。</translation>
    </message>
    <message>
        <source>The supervisor got %1.</source>
        <translation>监管进程收到 %1。</translation>
    </message>
    <message>
        <source>The agent of %1 was paused (SIGSTOP) and now continues.</source>
        <translation>%1 的代理进程曾被暂停（SIGSTOP），现已继续。</translation>
    </message>
    <message>
        <source>The supervisor has lost its guardian. The run continues.</source>
        <translation>监管进程的看护进程已退出。任务继续运行。</translation>
    </message>
    <message>
        <source>The agent of %1 was asked to end (%2).</source>
        <translation>已要求 %1 的代理进程结束（%2）。</translation>
    </message>
    <message>
        <source>%1 ended its processes: %2.</source>
        <translation>%1 结束了其进程：%2。</translation>
    </message>
    <message>
        <source>%1 failed (%2): all processes are ended and started again.</source>
        <translation>%1 失败（%2）：结束所有进程并重启。</translation>
    </message>
    <message>
        <source>%1 failed (%2): the other processes are ended.</source>
        <translation>%1 失败（%2）：结束其他进程。</translation>
    </message>
    <message>
        <source>The workers of this node have ended. The scheduler continues: workers of other nodes may need it.</source>
        <translation>本节点的 worker 已结束。scheduler 继续运行：其他节点的 worker 可能需要它。</translation>
    </message>
    <message>
        <source>Restart %1 of %2. %3.</source>
        <translation>第 %1 次重启，共 %2 次。%3。</translation>
    </message>
    <message>
        <source>the agent ended with %1</source>
        <translation>代理进程已结束：%1</translation>
    </message>
    <message>
        <source>the agent could not be started: %1</source>
        <translation>无法启动代理进程：%1</translation>
    </message>
    <message>
        <source>%1 ended with %2</source>
        <translation>%1 已结束：%2</translation>
    </message>
    <message>
        <source>%1 and said &quot;%2&quot;</source>
        <translation>%1，其输出为“%2”</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 无法启动：%2</translation>
    </message>
    <message>
        <source>Waiting for Slurm: job %1 is %2.</source>
        <translation>等待 Slurm：作业 %1 为 %2。</translation>
    </message>
    <message numerus="yes">
        <source>Requesting %n nodes from Slurm.</source>
        <comment>Requesting a node from Slurm.</comment>
        <translation>
            <numerusform>正在向 Slurm 申请 %n 个节点。</numerusform>
        </translation>
    </message>
    <message>
        <source>Slurm allocated %1 to this run: job %2.</source>
        <translation>Slurm 已将 %1 分配给本任务：作业 %2。</translation>
    </message>
    <message>
        <source>salloc was killed. Job %1 is released when the run ends.</source>
        <translation>salloc 已被强制结束。作业 %1 在任务结束时释放。</translation>
    </message>
    <message>
        <source>Slurm has ended job %1: %2</source>
        <translation>Slurm 已结束作业 %1：%2</translation>
    </message>
    <message>
        <source>%1: %2. A copy of this machine&apos;s rankdeckctl is used instead.</source>
        <translation>%1：%2。改用本机 rankdeckctl 的副本。</translation>
    </message>
    <message>
        <source>Copying rankdeckctl to %1 (%2).</source>
        <translation>正在将 rankdeckctl 复制到 %1（%2）。</translation>
    </message>
    <message>
        <source>%1 runs on one node only</source>
        <translation>%1 只在一个节点上运行</translation>
    </message>
    <message>
        <source>Run %1 on each node, or use another launcher.</source>
        <translation>请在每个节点上运行 %1，或使用其他启动器。</translation>
    </message>
    <message>
        <source>Leave it out, or use another launcher.</source>
        <translation>请去掉它，或使用其他启动器。</translation>
    </message>
    <message>
        <source>Before the launch: %1. Its output is in %2.</source>
        <translation>启动之前：%1。其输出在 %2 中。</translation>
    </message>
    <message>
        <source>After the launch: %1. Its output is in %2.</source>
        <translation>结束之后：%1。其输出在 %2 中。</translation>
    </message>
    <message>
        <source>A command before the launch failed (%1): %2.</source>
        <translation>启动之前的命令失败（%1）：%2。</translation>
    </message>
    <message>
        <source>A command after the launch failed (%1): %2.</source>
        <translation>结束之后的命令失败（%1）：%2。</translation>
    </message>
    <message>
        <source>A command was ended (%1): %2.</source>
        <translation>命令已被结束（%1）：%2。</translation>
    </message>
    <message>
        <source>The command has ended; the ranks that it started go on.</source>
        <translation>命令已结束；它启动的 rank 继续运行。</translation>
    </message>
    <message>
        <source>Commands after the launch are skipped: there is no time for them.</source>
        <translation>跳过结束之后的命令：没有时间执行。</translation>
    </message>
    <message>
        <source>The Slurm job %1 was not cancelled: %2</source>
        <translation>未能取消 Slurm 作业 %1：%2</translation>
    </message>
    <message>
        <source>The Slurm job %1 is %2.</source>
        <translation>Slurm 作业 %1 的状态：%2。</translation>
    </message>
    <message>
        <source>The Slurm job %1 goes on.</source>
        <translation>Slurm 作业 %1 继续运行。</translation>
    </message>
    <message>
        <source>Slurm has forgotten job %1.</source>
        <translation>Slurm 已不记得作业 %1。</translation>
    </message>
    <message>
        <source>%1 is left unchanged: none of %2 is writable.</source>
        <translation>%1 保持不变：%2 均不可写。</translation>
    </message>
    <message>
        <source>%1 is %2; it is removed at the end.</source>
        <translation>%1 为 %2；结束时移除。</translation>
    </message>
    <message>
        <source>%1 does not read its input; anything typed until it does is lost.</source>
        <translation>%1 没有读取输入；在它读取之前输入的内容会丢失。</translation>
    </message>
    <message>
        <source>%1 cannot be started again: it could not be ended.</source>
        <translation>%1 不能再次启动：无法结束它。</translation>
    </message>
    <message>
        <source>%1 continues: this launch does not stop remaining processes.</source>
        <translation>%1 继续运行：本次启动不停止残留进程。</translation>
    </message>
    <message>
        <source>%1 could not be removed completely.</source>
        <translation>%1 未能完全移除。</translation>
    </message>
    <message>
        <source>Run %1 had not begun, and will not begin now.</source>
        <translation>任务 %1 尚未开始，也不会再开始。</translation>
    </message>
    <message>
        <source>%1 It keeps %2.</source>
        <translation>%1它占着 %2。</translation>
    </message>
    <message>
        <source>the process of device %1</source>
        <translation>设备 %1 的进程</translation>
    </message>
    <message>
        <source>The process of device %1 failed first</source>
        <translation>设备 %1 的进程最先失败</translation>
    </message>
    <message>
        <source>MindSpore has not told all processes their ranks: the rank of such a process is the number of its device here.</source>
        <translation>MindSpore 尚未告知所有进程各自的 rank：这里以设备号作为这些进程的 rank。</translation>
    </message>
    <message>
        <source>the rank table has %1 devices, and --worker_num is %2</source>
        <translation>rank table 中有 %1 个设备，而 --worker_num 是 %2</translation>
    </message>
    <message>
        <source>MindSpore does not take the ranks from it, and HCCL refuses it.</source>
        <translation>MindSpore 不会从中读取 rank，HCCL 也会拒绝它。</translation>
    </message>
    <message>
        <source>no server of the rank table has the pod_ip %1, the address of this host</source>
        <translation>rank table 中没有服务器的 pod_ip 是本机地址 %1</translation>
    </message>
    <message>
        <source>MindSpore finds its hosts by pod_ip; without it, it numbers the ranks itself.</source>
        <translation>MindSpore 按 pod_ip 查找主机；没有它时，由 MindSpore 自行为 rank 编号。</translation>
    </message>
    <message>
        <source>the rank table has %1 devices for this host, and --local_worker_num is %2</source>
        <translation>rank table 中本机有 %1 个设备，而 --local_worker_num 是 %2</translation>
    </message>
    <message>
        <source>MindSpore does not take the ranks from it.</source>
        <translation>MindSpore 不会从中读取 rank。</translation>
    </message>
    <message>
        <source>report a rank as stalled when it is silent for longer than this, and than is usual for it; 0: never</source>
        <translation>rank 无输出超过此时长且超过其平常时长时，报告为停滞；0：从不</translation>
    </message>
</context>
<context>
    <name>rankdeck::AboutBox</name>
    <message>
        <source>About Rankdeck</source>
        <translation>关于 Rankdeck</translation>
    </message>
    <message>
        <source>Rankdeck %1</source>
        <translation>Rankdeck %1</translation>
    </message>
    <message>
        <source>Launches and monitors distributed training on Ascend NPUs.

Apache License 2.0</source>
        <translation>在昇腾 NPU 上启动并监控分布式训练。

Apache License 2.0</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copies version, system and display, for a report of a bug</source>
        <translation>复制版本、系统和显示信息，用于报告缺陷</translation>
    </message>
</context>
<context>
    <name>rankdeck::Allocation</name>
    <message>
        <source>Slurm did not allocate the nodes within %1 s</source>
        <translation>Slurm 在 %1 s 内没有分配节点</translation>
    </message>
    <message>
        <source>Wait longer, or request less.</source>
        <translation>请延长等待，或减少申请。</translation>
    </message>
    <message>
        <source>salloc cannot be started: %1</source>
        <translation>无法启动 salloc：%1</translation>
    </message>
    <message>
        <source>Slurm allocates no nodes: %1</source>
        <translation>Slurm 没有分配节点：%1</translation>
    </message>
    <message>
        <source>Check --slurm-options, and the output of sinfo.</source>
        <translation>请检查 --slurm-options 与 sinfo 的输出。</translation>
    </message>
</context>
<context>
    <name>rankdeck::AnswersView</name>
    <message>
        <source>Answers</source>
        <translation>应答</translation>
    </message>
    <message>
        <source>(no output)</source>
        <translation>（无输出）</translation>
    </message>
    <message>
        <source>(no answer yet)</source>
        <translation>（暂无应答）</translation>
    </message>
    <message>
        <source>(still running)</source>
        <translation>（仍在运行）</translation>
    </message>
    <message>
        <source>&amp;Copy all</source>
        <translation>全部复制(&amp;C)</translation>
    </message>
</context>
<context>
    <name>rankdeck::BandwidthPlot</name>
    <message numerus="yes">
        <source>%n ranks</source>
        <comment>%n rank</comment>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>Bandwidth of an allreduce by data size</source>
        <translation>allreduce 带宽随数据量的变化</translation>
    </message>
    <message>
        <source>allreduce (sum): MB/s by data size</source>
        <translation>allreduce（sum）：各数据量的 MB/s</translation>
    </message>
    <message>
        <source>No allreduce has ended yet.</source>
        <translation>尚无 allreduce 完成。</translation>
    </message>
    <message>
        <source>%1 %2 MB/s</source>
        <comment>8 ranks; 812</comment>
        <translation>%1 %2 MB/s</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>size; what each number of ranks had</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks, MB/s</source>
        <comment>%n rank, MB/s</comment>
        <translation>
            <numerusform>%n 个 rank，MB/s</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::BundleLine</name>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>取消(&amp;N)</translation>
    </message>
    <message>
        <source>Unpacking %1…</source>
        <translation>正在解包 %1…</translation>
    </message>
</context>
<context>
    <name>rankdeck::BundleSaving</name>
    <message>
        <source>Progress of the bundle</source>
        <translation>报告包的进度</translation>
    </message>
    <message>
        <source>Save bundle - %1</source>
        <comment>run</comment>
        <translation>保存报告包 - %1</translation>
    </message>
    <message>
        <source>Save a bundle for a colleague</source>
        <translation>保存报告包供同事查看</translation>
    </message>
    <message>
        <source>Report bundles (*.tar.gz)</source>
        <translation>报告包 (*.tar.gz)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Analysing the logs of all ranks…</source>
        <translation>正在分析所有 rank 的日志…</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写入 %1…</translation>
    </message>
    <message>
        <source>The bundle was saved. %1</source>
        <translation>报告包已保存。%1</translation>
    </message>
    <message>
        <source>The bundle was not saved. %1</source>
        <translation>报告包未保存。%1</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Logs for ascend-fd (*.tar.gz)</source>
        <translation>供 ascend-fd 使用的日志 (*.tar.gz)</translation>
    </message>
    <message>
        <source>Report as a web page (*.html)</source>
        <translation>网页形式的报告 (*.html)</translation>
    </message>
    <message>
        <source>The page was saved. %1</source>
        <translation>网页已保存。%1</translation>
    </message>
    <message>
        <source>The page was not saved. %1</source>
        <translation>网页未保存。%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::CaptionLine</name>
    <message>
        <source>&amp;Captions of demos</source>
        <translation>演示的说明(&amp;B)</translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Hide the captions of all demos; the menu View shows them again</source>
        <translation>隐藏所有演示的说明；可从“视图”菜单重新显示</translation>
    </message>
</context>
<context>
    <name>rankdeck::ChipChoice</name>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Some rules depend on the chip. Rankdeck skips them while the chip is unknown.</source>
        <translation>部分规则取决于芯片。芯片未知时，Rankdeck 会跳过这些规则。</translation>
    </message>
</context>
<context>
    <name>rankdeck::CloseQuestion</name>
    <message numerus="yes">
        <source>Runs are live</source>
        <comment>A run is live</comment>
        <translation>
            <numerusform>有任务正在运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs are still running.</source>
        <comment>%n run is still running.</comment>
        <translation>
            <numerusform>%n 个任务仍在运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is still running.</source>
        <translation>%1 仍在运行。</translation>
    </message>
    <message numerus="yes">
        <source>They keep running after you close this window. Open them again from the run list.</source>
        <comment>It keeps running after you close this window. Open it again from the run list.</comment>
        <translation>
            <numerusform>关闭此窗口后任务会继续运行。可从任务列表中再次打开。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Leave running</source>
        <translation>保持运行(&amp;L)</translation>
    </message>
    <message numerus="yes">
        <source>Stop all %n</source>
        <comment>Stop</comment>
        <translation>
            <numerusform>全部停止（%n 个）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::CollectivesModel</name>
    <message>
        <source>nothing is known</source>
        <translation>状态未知</translation>
    </message>
    <message>
        <source>not called</source>
        <translation>未调用</translation>
    </message>
    <message>
        <source>scheduled</source>
        <translation>已下发</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Rank %1, #%2: %3</source>
        <translation>rank %1，#%2：%3</translation>
    </message>
    <message>
        <source>! rank %1</source>
        <translation>! rank %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::CollectivesView</name>
    <message>
        <source>Ask all ranks &amp;now</source>
        <translation>立即查询所有 rank(&amp;N)</translation>
    </message>
    <message>
        <source>Collectives by rank</source>
        <translation>各 rank 的集合通信</translation>
    </message>
    <message>
        <source>Has the flight recorder of each rank dump its collectives, and takes stacks.</source>
        <translation>让每个 rank 的飞行记录器转储其集合通信，并收集调用栈。</translation>
    </message>
    <message>
        <source>&amp;Group:</source>
        <translation>组(&amp;G)：</translation>
    </message>
    <message>
        <source>No rank&apos;s collectives are known yet. Ranks with torch or torch_npu are asked for them when the run stalls or fails; see --flight-recorder.</source>
        <translation>尚无任何 rank 的集合通信信息。任务停滞或失败时，会向使用 torch 或 torch_npu 的 rank 查询；参见 --flight-recorder。</translation>
    </message>
    <message>
        <source>No rank waits for another, and all call the same collectives.</source>
        <translation>没有 rank 在等待其他 rank，所有 rank 调用的集合通信一致。</translation>
    </message>
</context>
<context>
    <name>rankdeck::CommandBar</name>
    <message>
        <source>Ranks to send the command to</source>
        <translation>接收命令的 rank</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Ranks to send the command to: choose from the list, or write e.g. 0-3,7.</source>
        <translation>接收命令的 rank：从列表中选择，或输入如 0-3,7。</translation>
    </message>
    <message>
        <source>Enter sends it; ↑ and ↓ bring back earlier commands.</source>
        <translation>按 Enter 发送；按 ↑ 和 ↓ 可找回之前的命令。</translation>
    </message>
    <message>
        <source>&amp;Send to</source>
        <translation>发送到(&amp;S)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send the command (Enter)</source>
        <translation>发送命令（Enter）</translation>
    </message>
    <message>
        <source>Show call stack (where)</source>
        <translation>显示调用栈（where）</translation>
    </message>
    <message>
        <source>Next line, stepping over calls (next)</source>
        <translation>执行下一行，不进入调用（next）</translation>
    </message>
    <message>
        <source>Next line, stepping into calls (step)</source>
        <translation>执行下一行，进入调用（step）</translation>
    </message>
    <message>
        <source>Continue to the next breakpoint (continue)</source>
        <translation>继续运行到下一个断点（continue）</translation>
    </message>
    <message>
        <source>Write an expression to print (p …)</source>
        <translation>输入要打印的表达式（p …）</translation>
    </message>
    <message>
        <source>Interrupt the running command (Ctrl+C)</source>
        <translation>中断正在运行的命令（Ctrl+C）</translation>
    </message>
    <message>
        <source>Interrupt</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>a command for these ranks, e.g. p loss</source>
        <translation>发给这些 rank 的命令，如 p loss</translation>
    </message>
    <message>
        <source>%1 has the keyboard</source>
        <translation>键盘由 %1 占用</translation>
    </message>
</context>
<context>
    <name>rankdeck::CommandField</name>
    <message>
        <source>&amp;Command</source>
        <translation>命令(&amp;C)</translation>
    </message>
    <message>
        <source>Choose a Python script</source>
        <translation>选择 Python 脚本</translation>
    </message>
    <message>
        <source>Python scripts (*.py)</source>
        <translation>Python 脚本 (*.py)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>There is no command</source>
        <translation>没有命令</translation>
    </message>
    <message>
        <source>Type the program and its arguments.</source>
        <translation>请输入程序及其参数。</translation>
    </message>
</context>
<context>
    <name>rankdeck::CommandLineMenu</name>
    <message>
        <source>the script cannot be written: %1</source>
        <translation>无法写入脚本：%1</translation>
    </message>
    <message>
        <source>Select another location.</source>
        <translation>请选择其他位置。</translation>
    </message>
    <message>
        <source>&amp;Paste a command line…</source>
        <translation>粘贴命令行(&amp;P)…</translation>
    </message>
    <message>
        <source>Copy as &amp;rankdeckctl command line</source>
        <translation>复制为 rankdeckctl 命令行(&amp;R)</translation>
    </message>
    <message>
        <source>The rankdeckctl command line is on the clipboard.</source>
        <translation>rankdeckctl 命令行已复制到剪贴板。</translation>
    </message>
    <message>
        <source>&amp;Save as shell script…</source>
        <translation>保存为 shell 脚本(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Copy as %1 command line</source>
        <translation>复制为 %1 命令行(&amp;C)</translation>
    </message>
    <message>
        <source>The %1 command line is on the clipboard.</source>
        <translation>%1 命令行已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Save as shell script</source>
        <translation>保存为 shell 脚本</translation>
    </message>
    <message>
        <source>Shell scripts (*.sh)</source>
        <translation>shell 脚本 (*.sh)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>The script was saved as %1.</source>
        <translation>脚本已保存为 %1。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ComparisonDialog</name>
    <message numerus="yes">
        <source>Reading the logs of %n runs…</source>
        <comment>Reading the log of %n run…</comment>
        <translation>
            <numerusform>正在读取 %n 个任务的日志…</numerusform>
        </translation>
    </message>
    <message>
        <source>How the runs differ</source>
        <translation>任务之间的差异</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>比较任务</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>All options are the same.</source>
        <translation>所有选项都相同。</translation>
    </message>
    <message numerus="yes">
        <source>%n options differ.</source>
        <comment>%n option differs.</comment>
        <translation>
            <numerusform>%n 个选项不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 A run&apos;s curve is that of its rank that came farthest.</source>
        <comment>which options differ</comment>
        <translation>%1每个任务的曲线取自其进度最快的 rank。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ConvertDialog</name>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Super pod ID</source>
        <translation>超节点 ID</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Super device ID</source>
        <translation>超节点设备 ID</translation>
    </message>
    <message>
        <source>Convert %1</source>
        <translation>转换 %1</translation>
    </message>
    <message>
        <source>From</source>
        <translation>原版本</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>目标版本(&amp;T)</translation>
    </message>
    <message>
        <source>Super pod of each server</source>
        <translation>各服务器所属的超节点</translation>
    </message>
    <message>
        <source>Super device ID of each device</source>
        <translation>各设备的超节点设备 ID</translation>
    </message>
    <message>
        <source>Version 1.2 needs the super pod of each server and the super device ID (SDID) of each device. You can paste a whole column.</source>
        <translation>1.2 版本需要每个服务器所属的超节点，以及每个设备的超节点设备 ID（SDID）。可粘贴整列。</translation>
    </message>
</context>
<context>
    <name>rankdeck::CurvePlot</name>
    <message>
        <source>Drag over a range to zoom in; 0 shows all.</source>
        <translation>拖选一个范围可放大；按 0 显示全部。</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeleteQuestion</name>
    <message numerus="yes">
        <source>Delete %n runs?</source>
        <comment>Delete %n run?</comment>
        <translation>
            <numerusform>删除 %n 个任务？</numerusform>
        </translation>
    </message>
    <message>
        <source>Delete %1?</source>
        <translation>删除 %1？</translation>
    </message>
    <message numerus="yes">
        <source>This deletes the run directories and the logs in them (%1). It cannot be undone.</source>
        <comment>This deletes the run directory and the logs in it (%1). It cannot be undone.</comment>
        <translation>
            <numerusform>将删除任务目录及其中的日志（%1），且无法撤销。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete runs</source>
        <comment>Delete the run</comment>
        <translation>
            <numerusform>删除任务</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Also delete &amp;the %n logs in %1 (%2)</source>
        <comment>Also delete &amp;the log in %1 (%2)</comment>
        <translation>
            <numerusform>同时删除 %1 中的 %n 个日志（%2）(&amp;T)</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceDetails</name>
    <message>
        <source>Filter ranks</source>
        <translation>过滤 rank</translation>
    </message>
    <message>
        <source>Plotted quantity</source>
        <translation>绘制的指标</translation>
    </message>
    <message>
        <source>Save as &amp;CSV…</source>
        <translation>保存为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Save &amp;picture…</source>
        <translation>保存图片(&amp;P)…</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
    <message>
        <source>Shows only ranks whose row contains these words.</source>
        <translation>只显示所在行包含这些文字的 rank。</translation>
    </message>
    <message>
        <source>Saves the history of these ranks&apos; nodes as comma-separated values.</source>
        <translation>将这些 rank 所在节点的历史保存为 CSV 文件。</translation>
    </message>
    <message>
        <source>%1 of %2 ranks</source>
        <translation>显示 %1 个，共 %2 个 rank</translation>
    </message>
    <message>
        <source>Save history</source>
        <translation>保存历史</translation>
    </message>
    <message>
        <source>NPUs and processes of the selected ranks</source>
        <translation>所选 rank 的 NPU 与进程</translation>
    </message>
    <message>
        <source>No rank is selected.</source>
        <translation>未选择 rank。</translation>
    </message>
    <message>
        <source>No samples yet. Rankdeck takes samples while a window shows them.</source>
        <translation>暂无采样。仅在窗口显示时，Rankdeck 才会采样。</translation>
    </message>
    <message>
        <source>No history: nothing was sampled while these ranks ran.</source>
        <translation>没有历史：这些 rank 运行期间没有采样。</translation>
    </message>
    <message>
        <source>All curves</source>
        <translation>所有曲线</translation>
    </message>
    <message>
        <source>NPUs and processes</source>
        <translation>NPU 与进程</translation>
    </message>
    <message>
        <source>&amp;Now</source>
        <translation>当前(&amp;N)</translation>
    </message>
    <message>
        <source>C&amp;harts</source>
        <translation>图表(&amp;H)</translation>
    </message>
    <message>
        <source>Saves the plot as PNG, SVG or PDF.</source>
        <translation>将曲线图保存为 PNG、SVG 或 PDF。</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceGrid</name>
    <message>
        <source>Go to rank %1_</source>
        <translation>转到 rank %1_</translation>
    </message>
    <message>
        <source>There is no rank %1.</source>
        <translation>没有 rank %1。</translation>
    </message>
    <message>
        <source>The filter hides rank %1.</source>
        <translation>rank %1 已被过滤条件隐藏。</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::DevicePanel</name>
    <message>
        <source>%1 of %2 shown</source>
        <translation>显示 %1 个，共 %2 个</translation>
    </message>
</context>
<context>
    <name>rankdeck::DevicePlot</name>
    <message>
        <source>AI %1%</source>
        <translation>AI %1%</translation>
    </message>
    <message>
        <source>NPU %1%</source>
        <translation>NPU %1%</translation>
    </message>
    <message>
        <source>HBM %1 GB</source>
        <translation>HBM %1 GB</translation>
    </message>
    <message>
        <source>DDR %1 GB</source>
        <translation>DDR %1 GB</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>CPU %1%</source>
        <translation>CPU %1%</translation>
    </message>
    <message>
        <source>memory %1 GB</source>
        <translation>内存 %1 GB</translation>
    </message>
    <message>
        <source>read %1 MB/s</source>
        <translation>读 %1 MB/s</translation>
    </message>
    <message>
        <source>written %1 MB/s</source>
        <translation>写 %1 MB/s</translation>
    </message>
    <message>
        <source>NPUs and processes over time</source>
        <translation>NPU 与进程随时间的变化</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>sch.</source>
        <translation>sch.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>rank 3: its values</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>last: %1</source>
        <translation>最新：%1</translation>
    </message>
    <message>
        <source>%1: not sampled</source>
        <translation>%1：未采样</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time: what ranks had</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceProcesses</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>Processes on the NPU</source>
        <translation>NPU 上的进程</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>所属</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Pid</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Processes on the NPU of %1</source>
        <translation>%1 的 NPU 上的进程</translation>
    </message>
    <message>
        <source>⚠ not part of this run</source>
        <translation>⚠ 不属于本任务</translation>
    </message>
    <message>
        <source>The NPU has not been read since %1.</source>
        <translation>自 %1 起未读到该 NPU 的数据。</translation>
    </message>
    <message>
        <source>The processes on this NPU are unknown.</source>
        <translation>此 NPU 上的进程未知。</translation>
    </message>
    <message>
        <source>The owners of its processes are unknown.</source>
        <translation>其进程的所属用户未知。</translation>
    </message>
    <message>
        <source>The owners of the other processes are unknown.</source>
        <translation>其他进程的所属用户未知。</translation>
    </message>
    <message>
        <source>No process uses this NPU.</source>
        <translation>没有进程使用此 NPU。</translation>
    </message>
    <message>
        <source>The NPU reports %1.</source>
        <translation>NPU 上报 %1。</translation>
    </message>
    <message>
        <source>This NPU is invented for the demo: none of its values was measured.</source>
        <translation>此 NPU 是为演示虚构的：其数值都不是测得的。</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceQuestion</name>
    <message>
        <source>cannot be started: %1</source>
        <translation>无法启动：%1</translation>
    </message>
    <message>
        <source>prints endlessly</source>
        <translation>一直输出，不会结束</translation>
    </message>
    <message>
        <source>did not answer within %1 s and was killed</source>
        <translation>%1 s 内没有应答，已被强制结束</translation>
    </message>
    <message>
        <source>cannot be killed: it hangs in the kernel (pid %1)</source>
        <translation>无法强制结束：卡在内核中（PID %1）</translation>
    </message>
    <message>
        <source>It is queried again after that process has ended; see dmesg for messages of the driver.</source>
        <translation>该进程结束后再次查询；驱动的消息见 dmesg。</translation>
    </message>
    <message>
        <source>was ended by signal %1</source>
        <translation>被信号 %1 结束</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceSampler</name>
    <message>
        <source>printed nothing and ended with code %1</source>
        <translation>没有输出，结束时退出码为 %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceTable</name>
    <message>
        <source>NPUs and processes of the ranks</source>
        <translation>各 rank 的 NPU 与进程</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceTableModel</name>
    <message>
        <source>processes not seen since %1</source>
        <translation>自 %1 起未见到进程</translation>
    </message>
    <message>
        <source>NPU not read since %1</source>
        <translation>自 %1 起未读到 NPU</translation>
    </message>
    <message>
        <source>no output since %1</source>
        <translation>自 %1 起没有输出</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Last known</source>
        <translation>最后数据</translation>
    </message>
    <message>
        <source>Time of the last sample, if the rank&apos;s NPU or node no longer answers.</source>
        <translation>该 rank 的 NPU 或节点不再响应时，最后一次采样的时间。</translation>
    </message>
</context>
<context>
    <name>rankdeck::DeviceWatcher</name>
    <message>
        <source>a process</source>
        <translation>某个进程</translation>
    </message>
    <message>
        <source>pid %1</source>
        <translation>PID %1</translation>
    </message>
    <message>
        <source>%1, %2 MB</source>
        <translation>%1，%2 MB</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 (%2) of %3</source>
        <translation>%1（%2），用户 %3</translation>
    </message>
</context>
<context>
    <name>rankdeck::DiffView</name>
    <message>
        <source>Preview of the changes</source>
        <translation>预览改动</translation>
    </message>
</context>
<context>
    <name>rankdeck::EmptyPage</name>
    <message>
        <source>Rankdeck</source>
        <translation>Rankdeck</translation>
    </message>
    <message>
        <source>Launch distributed training on Ascend NPUs, watch every rank, and see which one failed first and why.</source>
        <translation>在昇腾 NPU 上启动分布式训练，监控每个 rank，查明最先失败的 rank 及原因。</translation>
    </message>
    <message>
        <source>&amp;Launch…</source>
        <translation>启动(&amp;L)…</translation>
    </message>
    <message>
        <source>A script, its ranks and options</source>
        <translation>脚本、rank 和选项</translation>
    </message>
    <message>
        <source>&amp;Paste a command line…</source>
        <translation>粘贴命令行(&amp;P)…</translation>
    </message>
    <message>
        <source>Of torchrun, msrun or davincirun</source>
        <translation>torchrun、msrun 或 davincirun 的命令行</translation>
    </message>
    <message>
        <source>Open l&amp;ogs…</source>
        <translation>打开日志(&amp;O)…</translation>
    </message>
    <message>
        <source>A directory that any launcher left</source>
        <translation>任何启动器留下的日志目录</translation>
    </message>
    <message>
        <source>Open &amp;report…</source>
        <translation>打开报告(&amp;R)…</translation>
    </message>
    <message>
        <source>A bundle from a colleague, or a log file</source>
        <translation>同事发来的报告包，或日志文件</translation>
    </message>
    <message>
        <source>Rank &amp;table…</source>
        <translation>rank table(&amp;T)…</translation>
    </message>
    <message>
        <source>Check it without a launch</source>
        <translation>只检查，不启动</translation>
    </message>
    <message>
        <source>Or select a run on the left, or drop a rank table, logs or a report here.</source>
        <translation>也可在左侧选择任务，或将 rank table、日志或报告拖放到此处。</translation>
    </message>
    <message>
        <source>Opened last</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Demos, on NPUs that are invented</source>
        <translation>演示（NPU 为虚构）</translation>
    </message>
</context>
<context>
    <name>rankdeck::ExplainDialog</name>
    <message>
        <source>Error code or line of a log, e.g. EI0006</source>
        <translation>错误码或一行日志，如 EI0006</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Explain an error code</source>
        <translation>查询错误码</translation>
    </message>
</context>
<context>
    <name>rankdeck::ExplanationBox</name>
    <message>
        <source>Commands that may help</source>
        <translation>可能有用的命令</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>error, its id</comment>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>rankdeck::FailureView</name>
    <message>
        <source>run</source>
        <translation>run</translation>
    </message>
    <message>
        <source>&amp;Open log</source>
        <translation>打开日志(&amp;O)</translation>
    </message>
    <message>
        <source>Run a&amp;gain</source>
        <translation>再次启动(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save report…</source>
        <translation>保存报告(&amp;S)…</translation>
    </message>
    <message>
        <source>Save &amp;bundle…</source>
        <translation>保存报告包(&amp;B)…</translation>
    </message>
    <message>
        <source>Analysing the logs of all ranks…</source>
        <translation>正在分析所有 rank 的日志…</translation>
    </message>
    <message>
        <source>Journal: %1</source>
        <translation>journal：%1</translation>
    </message>
    <message>
        <source>Log: %1</source>
        <translation>日志：%1</translation>
    </message>
    <message>
        <source>%1 - %2</source>
        <comment>headline - run</comment>
        <translation>%1 - %2</translation>
    </message>
    <message>
        <source>The report is on the clipboard.</source>
        <translation>报告已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Text files (*.txt)</source>
        <translation>文本文件 (*.txt)</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>The report was saved as %1.</source>
        <translation>报告已保存为 %1。</translation>
    </message>
</context>
<context>
    <name>rankdeck::FilterBar</name>
    <message>
        <source>Filter lines</source>
        <translation>过滤行</translation>
    </message>
    <message>
        <source>Rege&amp;x</source>
        <translation>正则(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Case</source>
        <translation>大小写(&amp;C)</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Lines of context</source>
        <translation>上下文行数</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Filters with a name: choose, save, delete</source>
        <translation>已命名的过滤条件：选择、保存、删除</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Join patterns by &quot; &amp;&amp; &quot; (all match) or &quot; || &quot; (one matches); &quot;!&quot; before a pattern excludes its lines. For example: loss || error &amp;&amp; !warmup</source>
        <translation>用 &amp;&amp;（全部匹配）或 ||（任一匹配）连接多个模式，两侧各留一个空格；模式前加 ! 可排除其匹配的行。例如：loss || error &amp;&amp; !warmup</translation>
    </message>
    <message>
        <source>Each pattern is a regular expression (RE2)</source>
        <translation>每个模式都是正则表达式（RE2）</translation>
    </message>
    <message>
        <source>Any severity</source>
        <translation>所有级别</translation>
    </message>
    <message>
        <source>Info and worse</source>
        <translation>信息及以上</translation>
    </message>
    <message>
        <source>Warnings and worse</source>
        <translation>警告及以上</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>± </source>
        <translation>± </translation>
    </message>
    <message numerus="yes">
        <source> lines</source>
        <comment> line</comment>
        <translation>
            <numerusform> 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <comment>%Ln line</comment>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Save this filter…</source>
        <translation>保存此过滤条件(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>保存过滤条件</translation>
    </message>
    <message>
        <source>Name of the filter:</source>
        <translation>过滤条件的名称：</translation>
    </message>
</context>
<context>
    <name>rankdeck::FilterView</name>
    <message>
        <source>Filter these</source>
        <translation>继续过滤</translation>
    </message>
    <message>
        <source>Filter these lines again, in another view below</source>
        <translation>在下方的另一个视图中对这些行继续过滤</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the filtered view (Esc)</source>
        <translation>关闭过滤视图（Esc）</translation>
    </message>
    <message>
        <source>filtered lines</source>
        <translation>过滤出的行</translation>
    </message>
    <message>
        <source>No matching lines yet.</source>
        <translation>暂无匹配的行。</translation>
    </message>
</context>
<context>
    <name>rankdeck::FindBar</name>
    <message>
        <source>Find in this log</source>
        <translation>在此日志中查找</translation>
    </message>
    <message>
        <source>Rege&amp;x</source>
        <translation>正则(&amp;X)</translation>
    </message>
    <message>
        <source>Search for a regular expression (RE2 syntax)</source>
        <translation>用正则表达式搜索（RE2 语法）</translation>
    </message>
    <message>
        <source>&amp;Case</source>
        <translation>大小写(&amp;C)</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一个匹配（Shift+F3）</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>下一个匹配（F3）</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>Search the logs of all ranks (Ctrl+Alt+F)</source>
        <translation>搜索所有 rank 的日志（Ctrl+Alt+F）</translation>
    </message>
    <message>
        <source>Search result</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the find bar (Esc)</source>
        <translation>关闭查找栏（Esc）</translation>
    </message>
</context>
<context>
    <name>rankdeck::FindingBadge</name>
    <message>
        <source>No findings</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>Show the next of these findings</source>
        <translation>显示下一个此类问题</translation>
    </message>
</context>
<context>
    <name>rankdeck::FindingsList</name>
    <message>
        <source>Findings</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Details of the finding</source>
        <translation>问题详情</translation>
    </message>
    <message>
        <source>Select a finding to see its place in the text and where its rule comes from.</source>
        <translation>选择一个问题，查看其在文本中的位置以及规则的出处。</translation>
    </message>
    <message>
        <source>No problems found in this rank table.</source>
        <translation>此 rank table 中没有问题。</translation>
    </message>
</context>
<context>
    <name>rankdeck::FindingsModel</name>
    <message numerus="yes">
        <source>%1, %n more</source>
        <comment>%1, %n more</comment>
        <translation>
            <numerusform>%1，另有 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>How to fix it</source>
        <translation>处理方法</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>rankdeck::FoldedConsole</name>
    <message>
        <source>Waiting for the answer of %1.</source>
        <translation>正在等待 %1 应答。</translation>
    </message>
    <message>
        <source>no terminal for these ranks</source>
        <translation>这些 rank 没有终端</translation>
    </message>
    <message>
        <source>Launch with --tty all, or --tty 0-3,7.</source>
        <translation>请以 --tty all 或 --tty 0-3,7 启动。</translation>
    </message>
    <message>
        <source>a line is longer than %1 bytes</source>
        <translation>有一行超过 %1 字节</translation>
    </message>
</context>
<context>
    <name>rankdeck::FoldedOptions</name>
    <message>
        <source>%1 (%2 set)</source>
        <comment>title of options</comment>
        <translation>%1（已设置 %2 项）</translation>
    </message>
</context>
<context>
    <name>rankdeck::FreeDevices</name>
    <message>
        <source>Device %1: %2</source>
        <translation>设备 %1：%2</translation>
    </message>
    <message>
        <source>Device %1: its health is %2</source>
        <translation>设备 %1：健康状态为 %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Less than the required %1 MB of HBM is free on %2.</source>
        <translation>%2 的空闲 HBM 不足所需的 %1 MB。</translation>
    </message>
    <message>
        <source>NPUs of this machine: %1, none is free.</source>
        <translation>本机 NPU：共 %1 张，无空闲。</translation>
    </message>
    <message>
        <source>NPUs of this machine: %1, free: %2.</source>
        <translation>本机 NPU：共 %1 张，空闲：%2。</translation>
    </message>
    <message>
        <source>This launch uses %1, which is already in use.</source>
        <translation>此次启动使用的%1 已被占用。</translation>
    </message>
    <message>
        <source>&amp;Use free devices</source>
        <translation>使用空闲设备(&amp;U)</translation>
    </message>
    <message>
        <source>The NPUs of this machine cannot be read: %1</source>
        <translation>无法读取本机的 NPU：%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::FullScreen</name>
    <message>
        <source>standard input and output are not a terminal</source>
        <translation>标准输入与输出不是终端</translation>
    </message>
    <message>
        <source>Use rankdeckctl progress or rankdeckctl devices.</source>
        <translation>请使用 rankdeckctl progress 或 rankdeckctl devices。</translation>
    </message>
    <message>
        <source>this terminal cannot show a full screen</source>
        <translation>该终端无法全屏显示</translation>
    </message>
    <message>
        <source>the terminal &quot;%1&quot; is not known here</source>
        <translation>此处不认识终端“%1”</translation>
    </message>
    <message>
        <source>Set TERM, for example to xterm.</source>
        <translation>请设置 TERM，例如设为 xterm。</translation>
    </message>
</context>
<context>
    <name>rankdeck::GenerateDialog</name>
    <message>
        <source>Add &amp;host_nic_ip, as hccl_tools.py does</source>
        <translation>添加 host_nic_ip，与 hccl_tools.py 一致(&amp;H)</translation>
    </message>
    <message>
        <source>Generate a rank table</source>
        <translation>生成 rank table</translation>
    </message>
    <message>
        <source>e.g. 0-7 or 0,2,4</source>
        <translation>例如 0-7 或 0,2,4</translation>
    </message>
    <message>
        <source>this host&apos;s address</source>
        <translation>本主机的地址</translation>
    </message>
    <message>
        <source>from hccn_tool or /etc/hccn.conf; or one for each device</source>
        <translation>取自 hccn_tool 或 /etc/hccn.conf；也可为每个设备指定一个</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>Server &amp;ID</source>
        <translation>服务器 ID(&amp;I)</translation>
    </message>
    <message>
        <source>Device I&amp;Ps</source>
        <translation>设备 IP(&amp;A)</translation>
    </message>
</context>
<context>
    <name>rankdeck::GridActions</name>
    <message>
        <source>NPU &amp;usage</source>
        <translation>NPU 使用情况(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;CPU and memory</source>
        <translation>CPU 与内存(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Both</source>
        <translation>两者(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Nothing</source>
        <translation>不显示(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Automatic</source>
        <translation>自动(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Tiles</source>
        <translation>色块(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Lines</source>
        <translation>单行(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Cells</source>
        <translation>单元格(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;State</source>
        <translation>状态(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;AI cores</source>
        <translation>AI Core(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;HBM</source>
        <translation>HBM(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Temperature</source>
        <translation>温度(&amp;T)</translation>
    </message>
    <message>
        <source>Steps &amp;behind</source>
        <translation>落后的 step(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;CPU</source>
        <translation>CPU(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>内存(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Worst servers first</source>
        <translation>问题最严重的服务器优先(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Fold all servers</source>
        <translation>折叠所有服务器(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Unfold all servers</source>
        <translation>展开所有服务器(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Sort and filter ranks…</source>
        <translation>排序和过滤 rank(&amp;S)…</translation>
    </message>
    <message>
        <source>Failed, stalled and selected ranks first</source>
        <translation>失败、停滞和所选的 rank 优先</translation>
    </message>
    <message>
        <source>Gr&amp;id shows</source>
        <translation>网格内容(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>网格(&amp;G)</translation>
    </message>
    <message>
        <source>C&amp;olour tiles by</source>
        <translation>色块颜色依据(&amp;O)</translation>
    </message>
</context>
<context>
    <name>rankdeck::GridLegend</name>
    <message>
        <source>Colours of the ranks: %1</source>
        <translation>rank 的颜色：%1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>停滞</translation>
    </message>
    <message>
        <source>paused or waiting</source>
        <translation>已暂停或等待中</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>value: least</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>rankdeck::HighlightDialog</name>
    <message>
        <source>Highlights</source>
        <translation>高亮</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>&amp;New set</source>
        <translation>新建集合(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Delete set</source>
        <translation>删除集合(&amp;D)</translation>
    </message>
    <message>
        <source>Highlights of the set</source>
        <translation>该集合的高亮</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Regex</source>
        <translation>正则</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>大小写</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>&amp;Set in use:</source>
        <translation>使用的集合(&amp;S)：</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>集合 %1</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>黄色</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Cyan</source>
        <translation>青色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Purple</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红色</translation>
    </message>
    <message>
        <source>Each set needs a unique name.</source>
        <translation>每个集合的名称不能重复。</translation>
    </message>
</context>
<context>
    <name>rankdeck::HoldersQuestion</name>
    <message>
        <source>Devices or ports of this launch are already in use.</source>
        <translation>此次启动的设备或端口已被占用。</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Devices in use</source>
        <translation>设备被占用</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Stop %n runs and launch</source>
        <comment>&amp;Stop it and launch</comment>
        <translation>
            <numerusform>停止 %n 个任务并启动(&amp;S)</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Launch anyway</source>
        <translation>仍然启动(&amp;L)</translation>
    </message>
</context>
<context>
    <name>rankdeck::KeepDialog</name>
    <message>
        <source>Keep runs for &amp;ever</source>
        <translation>永久保留任务(&amp;E)</translation>
    </message>
    <message>
        <source>Delete runs this long after their end:</source>
        <translation>任务结束后保留多久再删除：</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>天数</translation>
    </message>
    <message>
        <source>Keep runs</source>
        <translation>任务保留时间</translation>
    </message>
    <message numerus="yes">
        <source> days</source>
        <comment> day</comment>
        <translation>
            <numerusform> 天</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs are kept until you delete them.</source>
        <translation>任务一直保留，直到被手动删除。</translation>
    </message>
    <message>
        <source>No run is that old yet.</source>
        <translation>暂无达到此时间的任务。</translation>
    </message>
    <message numerus="yes">
        <source>%n older runs will be deleted now.</source>
        <comment>One older run will be deleted now.</comment>
        <translation>
            <numerusform>现在将删除 %n 个较早的任务。</numerusform>
        </translation>
    </message>
    <message>
        <source>Old runs are then deleted whenever a run ends or Rankdeck starts. Logs in your own log directories are kept.</source>
        <translation>此后每当有任务结束或 Rankdeck 启动时，都会删除旧任务。自选日志目录中的日志会保留。</translation>
    </message>
</context>
<context>
    <name>rankdeck::LaunchFields</name>
    <message>
        <source>Not run through a shell: $, ~, *, | and &gt; are passed on literally.</source>
        <translation>不经过 shell：$、~、*、| 和 &gt; 按原样传递。</translation>
    </message>
    <message>
        <source>${local_rank} is each rank&apos;s number on this node.</source>
        <translation>${local_rank} 为各 rank 在本节点的编号。</translation>
    </message>
    <message>
        <source>Script…</source>
        <translation>脚本…</translation>
    </message>
    <message>
        <source>Choose a Python script</source>
        <translation>选择 Python 脚本</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>More &amp;options</source>
        <translation>更多选项(&amp;O)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>field: what to do</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>&quot;%1&quot;</source>
        <comment>name of a field</comment>
        <translation>“%1”</translation>
    </message>
</context>
<context>
    <name>rankdeck::LaunchForm</name>
    <message>
        <source>Preflight…</source>
        <translation>启动前检查…</translation>
    </message>
    <message>
        <source>&amp;Launch</source>
        <translation>启动(&amp;L)</translation>
    </message>
    <message>
        <source>Stop waitin&amp;g</source>
        <translation>停止等待(&amp;G)</translation>
    </message>
    <message>
        <source>Clo&amp;se</source>
        <translation>关闭(&amp;S)</translation>
    </message>
    <message>
        <source>Pro&amp;file</source>
        <translation>启动配置(&amp;F)</translation>
    </message>
    <message>
        <source>Comman&amp;d line</source>
        <translation>命令行(&amp;D)</translation>
    </message>
    <message>
        <source>New launch</source>
        <translation>新建启动</translation>
    </message>
    <message>
        <source>Checks that the launch would work, without starting it (Ctrl+Shift+Enter).</source>
        <translation>检查能否成功启动，但不实际启动（Ctrl+Shift+Enter）。</translation>
    </message>
    <message>
        <source>Starts the launch (Ctrl+Enter).</source>
        <translation>启动（Ctrl+Enter）。</translation>
    </message>
    <message>
        <source>Loaded the profile %1.</source>
        <translation>已加载启动配置 %1。</translation>
    </message>
</context>
<context>
    <name>rankdeck::LaunchHeading</name>
    <message>
        <source>%1%2 (%3, %4)</source>
        <translation>%1%2（%3，%4）</translation>
    </message>
    <message>
        <source>Paste a command line…</source>
        <translation>粘贴命令行…</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>启动器</translation>
    </message>
    <message>
        <source>Recent launches</source>
        <translation>最近的启动</translation>
    </message>
    <message>
        <source>Fills the form from a line of torchrun, msrun or davincirun (Ctrl+Shift+V).</source>
        <translation>用一行 torchrun、msrun 或 davincirun 命令填写表单（Ctrl+Shift+V）。</translation>
    </message>
    <message>
        <source>or recen&amp;t:</source>
        <translation>或最近的启动(&amp;T)：</translation>
    </message>
    <message>
        <source>Launc&amp;her</source>
        <translation>启动器(&amp;H)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Select one to fill the form</source>
        <translation>选择一项以填写表单</translation>
    </message>
</context>
<context>
    <name>rankdeck::LaunchPreparation</name>
    <message>
        <source>its agent prepared other processes than requested</source>
        <translation>其代理进程准备的进程与请求的不同</translation>
    </message>
</context>
<context>
    <name>rankdeck::LaunchQuestion</name>
    <message>
        <source>The rank table has %1. Launch with it anyway?</source>
        <translation>rank table 有 %1。仍要用它启动吗？</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>Ranks usually fail to connect with a table like this, sometimes only after a 30-minute time-out.</source>
        <translation>使用这样的 rank table 时，各 rank 通常无法建立连接，有时要等 30 分钟超时后才会发现。</translation>
    </message>
    <message>
        <source>The rank table has errors</source>
        <translation>rank table 有错误</translation>
    </message>
    <message>
        <source>&amp;Launch anyway</source>
        <translation>仍然启动(&amp;L)</translation>
    </message>
</context>
<context>
    <name>rankdeck::LaunchWorker</name>
    <message>
        <source>Reading the rank table %1</source>
        <translation>正在读取 rank table %1</translation>
    </message>
    <message>
        <source>Waiting for the rank table (%1), %2 s</source>
        <translation>正在等待 rank table（%1），%2 s</translation>
    </message>
    <message>
        <source>Asking the nodes which devices are in use</source>
        <translation>正在向各节点查询已被占用的设备</translation>
    </message>
    <message>
        <source>Stopping the runs that use the nodes&apos; devices</source>
        <translation>正在停止占用节点设备的任务</translation>
    </message>
    <message>
        <source>Stopping %1</source>
        <translation>正在停止 %1</translation>
    </message>
    <message>
        <source>Starting the run</source>
        <translation>正在启动任务</translation>
    </message>
    <message>
        <source>Waiting until what the run uses is free, at most %1 s more: %2</source>
        <translation>正在等待任务所用的资源空闲，最多再等 %1 s：%2</translation>
    </message>
</context>
<context>
    <name>rankdeck::Launching</name>
    <message>
        <source>Cancel launch</source>
        <translation>取消启动</translation>
    </message>
    <message>
        <source>The demo cannot be started</source>
        <translation>演示无法启动</translation>
    </message>
    <message>
        <source>Another launch is starting. Cancel it first.</source>
        <translation>已有一次启动正在进行。请先取消它。</translation>
    </message>
    <message>
        <source>Launched.</source>
        <translation>已启动。</translation>
    </message>
    <message>
        <source>Nothing was launched</source>
        <translation>未启动任何任务</translation>
    </message>
    <message>
        <source>The launch was cancelled.</source>
        <translation>启动已取消。</translation>
    </message>
    <message>
        <source>Launching…</source>
        <translation>正在启动…</translation>
    </message>
</context>
<context>
    <name>rankdeck::LineHistoryDialog</name>
    <message>
        <source>History of the line</source>
        <translation>该行的历史</translation>
    </message>
    <message>
        <source>Earlier contents of the line, in order: %L1</source>
        <translation>该行此前的内容，按先后顺序：%L1</translation>
    </message>
    <message>
        <source>Last contents of the line, in order: %L1</source>
        <translation>该行最近的内容，按先后顺序：%L1</translation>
    </message>
</context>
<context>
    <name>rankdeck::LinkAdvice</name>
    <message>
        <source>The connection to the display is slow. Try ssh -C, which compresses it.</source>
        <translation>与显示服务的连接较慢。可尝试 ssh -C，它会压缩数据。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Do not show this again</source>
        <translation>不再显示</translation>
    </message>
</context>
<context>
    <name>rankdeck::LinkStatus</name>
    <message>
        <source>Latency of the display, and how much is sent to it</source>
        <translation>显示服务的时延，以及向其发送的数据量</translation>
    </message>
    <message>
        <source>%1 ms  %2 kB/s</source>
        <translation>%1 ms  %2 kB/s</translation>
    </message>
    <message>
        <source>Display latency %1 ms, sending %2 kB/s</source>
        <translation>显示服务时延 %1 ms，发送 %2 kB/s</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogActions</name>
    <message>
        <source>&amp;Line numbers</source>
        <translation>行号(&amp;L)</translation>
    </message>
    <message>
        <source>Wrap long line&amp;s</source>
        <translation>长行自动换行(&amp;K)</translation>
    </message>
    <message>
        <source>Scroll toget&amp;her in time</source>
        <translation>按时间同步滚动(&amp;H)</translation>
    </message>
    <message>
        <source>Standard error a&amp;part</source>
        <translation>标准错误单独显示(&amp;B)</translation>
    </message>
    <message>
        <source>Lar&amp;ger text</source>
        <translation>放大文字(&amp;J)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Reset text size</source>
        <translation>重置文字大小(&amp;R)</translation>
    </message>
    <message>
        <source>H&amp;ighlights…</source>
        <translation>高亮(&amp;Y)…</translation>
    </message>
    <message>
        <source>&amp;Find in the log…</source>
        <translation>在日志中查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>查找上一个(&amp;V)</translation>
    </message>
    <message>
        <source>F&amp;ilter the log…</source>
        <translation>过滤日志(&amp;I)…</translation>
    </message>
    <message>
        <source>Find in all r&amp;anks…</source>
        <translation>在所有 rank 中查找(&amp;A)…</translation>
    </message>
    <message>
        <source>Next &amp;error</source>
        <translation>下一个错误(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Previous error</source>
        <translation>上一个错误(&amp;P)</translation>
    </message>
    <message>
        <source>Go to line or &amp;time…</source>
        <translation>转到行或时间(&amp;T)…</translation>
    </message>
    <message>
        <source>Toggle boo&amp;kmark</source>
        <translation>设置或清除书签(&amp;K)</translation>
    </message>
    <message>
        <source>Ne&amp;xt bookmark</source>
        <translation>下一个书签(&amp;X)</translation>
    </message>
    <message>
        <source>Previous book&amp;mark</source>
        <translation>上一个书签(&amp;M)</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogChoice</name>
    <message>
        <source>%1 of %2 logs are shown: chosen, failed and stalled ranks first.</source>
        <translation>显示 %1 个日志，共 %2 个：所选、失败和停滞的 rank 优先。</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogFind</name>
    <message>
        <source>Searching, %1 %</source>
        <translation>正在搜索，%1 %</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>正在搜索</translation>
    </message>
    <message>
        <source>from the end again</source>
        <translation>已从末尾重新开始</translation>
    </message>
    <message>
        <source>from the top again</source>
        <translation>已从开头重新开始</translation>
    </message>
    <message>
        <source>%L1 of many</source>
        <translation>%L1/多个</translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation>%L1/%L2</translation>
    </message>
    <message>
        <source>%L1 of more than %L2</source>
        <translation>%L1/%L2 以上</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between parts of a result</comment>
        <translation>，</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogFollower</name>
    <message>
        <source>Log not found.</source>
        <translation>找不到日志。</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogJumps</name>
    <message>
        <source>Searching for an error, %1 %</source>
        <translation>正在搜索错误，%1 %</translation>
    </message>
    <message>
        <source>No bookmarks. Ctrl+F2 sets one.</source>
        <translation>没有书签。按 Ctrl+F2 可设置书签。</translation>
    </message>
    <message>
        <source>No error before this.</source>
        <translation>此前没有错误。</translation>
    </message>
    <message>
        <source>No error after this.</source>
        <translation>此后没有错误。</translation>
    </message>
    <message>
        <source>The log has no line at or after that time.</source>
        <translation>日志中没有该时间或之后的行。</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogMirror</name>
    <message>
        <source>cannot mirror the log of another node: %1</source>
        <translation>无法复制其他节点的日志：%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogPane</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find in this log (Ctrl+F)</source>
        <translation>在此日志中查找（Ctrl+F）</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
    <message>
        <source>Show matching lines below the log (Ctrl+Shift+F)</source>
        <translation>在日志下方显示匹配的行（Ctrl+Shift+F）</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Keep the last line in view (End)</source>
        <translation>始终显示最后一行（End）</translation>
    </message>
    <message>
        <source>Double-click to show this log alone, or the others again</source>
        <translation>双击可只显示此日志，或重新显示其他日志</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Log of %1</source>
        <translation>%1 的日志</translation>
    </message>
    <message numerus="yes">
        <source>%Ln new lines</source>
        <comment>%Ln new line</comment>
        <translation>
            <numerusform>%Ln 行新日志</numerusform>
        </translation>
    </message>
    <message>
        <source>all ranks, folded</source>
        <translation>全部 rank，折叠</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>全部 rank</translation>
    </message>
    <message>
        <source>only &quot;%1&quot;</source>
        <translation>仅“%1”</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warnings and errors</source>
        <translation>警告与错误</translation>
    </message>
    <message>
        <source>%1 lines, following</source>
        <translation>%1 行，跟踪中</translation>
    </message>
    <message>
        <source>line %1 of %2</source>
        <translation>第 %1 行，共 %2 行</translation>
    </message>
    <message>
        <source>from column %1</source>
        <translation>从第 %1 列起</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogSave</name>
    <message>
        <source>Nothing was saved: the log was replaced meanwhile.</source>
        <translation>未保存：其间日志已被替换。</translation>
    </message>
    <message>
        <source>Nothing was saved: the log is not shown any more.</source>
        <translation>未保存：该日志已不再显示。</translation>
    </message>
    <message>
        <source>Nothing was saved: this is the log itself</source>
        <translation>未保存：目标就是该日志本身</translation>
    </message>
    <message>
        <source>Nothing was saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Nothing was saved: cancelled.</source>
        <translation>未保存：已取消。</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogStrips</name>
    <message>
        <source>Output of each log over time</source>
        <translation>各日志的输出随时间的变化</translation>
    </message>
    <message>
        <source>Output of each log over time: warnings are taller, errors tallest. Click a strip to go to that time. Click a label to show or hide its log; Ctrl+click shows only that log.</source>
        <translation>各日志的输出随时间的变化：警告较高，错误最高。单击条带可转到该时间。单击标签可显示或隐藏其日志；Ctrl+单击只显示该日志。</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>已显示</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>no output</source>
        <translation>无输出</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogTaking</name>
    <message>
        <source>Only the beginning of the selection was copied: %1 characters.</source>
        <translation>只复制了所选内容的开头部分：%1 个字符。</translation>
    </message>
    <message>
        <source>This line is empty.</source>
        <translation>该行为空。</translation>
    </message>
</context>
<context>
    <name>rankdeck::LogView</name>
    <message>
        <source>No output yet.</source>
        <translation>暂无输出。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copy with co&amp;lours</source>
        <translation>连同颜色复制(&amp;L)</translation>
    </message>
    <message>
        <source>Copy pat&amp;h</source>
        <translation>复制路径(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>F&amp;ilter by selection</source>
        <translation>按所选内容过滤(&amp;I)</translation>
    </message>
    <message>
        <source>E&amp;xclude selection</source>
        <translation>排除所选内容(&amp;X)</translation>
    </message>
    <message>
        <source>Highligh&amp;t selection</source>
        <translation>高亮所选内容(&amp;T)</translation>
    </message>
    <message>
        <source>Find in all ran&amp;ks…</source>
        <translation>在所有 rank 中查找(&amp;K)…</translation>
    </message>
    <message>
        <source>Open the log in an e&amp;ditor</source>
        <translation>在编辑器中打开日志(&amp;J)</translation>
    </message>
    <message>
        <source>Open its fol&amp;der</source>
        <translation>打开所在目录(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find &amp;previous</source>
        <translation>查找上一个(&amp;P)</translation>
    </message>
    <message>
        <source>Next &amp;error</source>
        <translation>下一个错误(&amp;E)</translation>
    </message>
    <message>
        <source>Previous e&amp;rror</source>
        <translation>上一个错误(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Go to line or time…</source>
        <translation>转到行或时间(&amp;G)…</translation>
    </message>
    <message>
        <source>Toggle book&amp;mark</source>
        <translation>设置或清除书签(&amp;M)</translation>
    </message>
    <message>
        <source>Next bookmark</source>
        <translation>下一个书签</translation>
    </message>
    <message>
        <source>Pre&amp;vious bookmark</source>
        <translation>上一个书签(&amp;V)</translation>
    </message>
    <message>
        <source>Show the line&apos;s histor&amp;y</source>
        <translation>显示该行的历史(&amp;Y)</translation>
    </message>
    <message>
        <source>Sh&amp;ow in its log</source>
        <translation>在其日志中显示(&amp;O)</translation>
    </message>
    <message>
        <source>Open %1, line %2</source>
        <translation>打开 %1，第 %2 行</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Log of %1</source>
        <translation>%1 的日志</translation>
    </message>
    <message>
        <source>Scroll through the log</source>
        <translation>滚动日志</translation>
    </message>
    <message>
        <source>Scroll sideways</source>
        <translation>横向滚动</translation>
    </message>
</context>
<context>
    <name>rankdeck::MachineNpus</name>
    <message>
        <source>Reading the NPUs of this machine.</source>
        <translation>正在读取本机的 NPU。</translation>
    </message>
</context>
<context>
    <name>rankdeck::MainMenu</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Launch…</source>
        <translation>启动(&amp;L)…</translation>
    </message>
    <message>
        <source>Run &amp;demo</source>
        <translation>运行演示(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Open rank table…</source>
        <translation>打开 rank table(&amp;O)…</translation>
    </message>
    <message>
        <source>Open l&amp;og directory…</source>
        <translation>打开日志目录(&amp;F)…</translation>
    </message>
    <message>
        <source>Open log or report &amp;bundle…</source>
        <translation>打开日志或报告包(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Generate rank table…</source>
        <translation>生成 rank table(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Prefere&amp;nces…</source>
        <translation>首选项(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>任务(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop…</source>
        <translation>停止(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Kill…</source>
        <translation>强制结束(&amp;K)…</translation>
    </message>
    <message>
        <source>Run &amp;again</source>
        <translation>再次启动(&amp;A)</translation>
    </message>
    <message>
        <source>Run again with &amp;changes…</source>
        <translation>修改后再次启动(&amp;C)…</translation>
    </message>
    <message>
        <source>Show &amp;error…</source>
        <translation>显示错误(&amp;E)…</translation>
    </message>
    <message>
        <source>Save &amp;bundle…</source>
        <translation>保存报告包(&amp;B)…</translation>
    </message>
    <message>
        <source>Rena&amp;me…</source>
        <translation>重命名(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Open directory</source>
        <translation>打开目录(&amp;O)</translation>
    </message>
    <message>
        <source>Copy pat&amp;h</source>
        <translation>复制路径(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Delete…</source>
        <translation>删除(&amp;D)…</translation>
    </message>
    <message>
        <source>Compare ru&amp;ns…</source>
        <translation>比较任务(&amp;N)…</translation>
    </message>
    <message>
        <source>Keep &amp;runs…</source>
        <translation>任务保留时间(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Notes…</source>
        <translation>提示(&amp;N)…</translation>
    </message>
    <message>
        <source>D&amp;evice grid</source>
        <translation>设备网格(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Preflight</source>
        <translation>启动前检查(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Zoom in</source>
        <translation>放大(&amp;Z)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;X)</translation>
    </message>
    <message>
        <source>Us&amp;ual size</source>
        <translation>默认大小(&amp;0)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Explain an error code…</source>
        <translation>查询错误码(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;About Rankdeck</source>
        <translation>关于 Rankdeck(&amp;A)</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>action, key</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Rep&amp;lay</source>
        <translation>回放(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Replay this run</source>
        <translation>回放此任务(&amp;R)</translation>
    </message>
    <message>
        <source>Te&amp;xt of logs</source>
        <translation>日志文字(&amp;X)</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>大小(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>rankdeck::MainWindow</name>
    <message>
        <source>Rankdeck</source>
        <translation>Rankdeck</translation>
    </message>
    <message>
        <source>&amp;Launch…</source>
        <translation>启动(&amp;L)…</translation>
    </message>
    <message>
        <source>%1 has ended.</source>
        <translation>%1 已结束。</translation>
    </message>
    <message>
        <source>Preflight</source>
        <translation>启动前检查</translation>
    </message>
    <message>
        <source>%1 - Rankdeck</source>
        <translation>%1 - Rankdeck</translation>
    </message>
    <message>
        <source>Replay of %1</source>
        <translation>回放 %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ManualWindow</name>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>后退（Alt+Left）</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>前进（Alt+Right）</translation>
    </message>
    <message>
        <source>Rankdeck manual</source>
        <translation>Rankdeck 手册</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>No page has all of these words.</source>
        <translation>没有页面包含所有这些词。</translation>
    </message>
</context>
<context>
    <name>rankdeck::MarkStrip</name>
    <message>
        <source>Matches, highlights and bookmarks</source>
        <translation>匹配、高亮和书签</translation>
    </message>
    <message>
        <source>Where matches (narrow), highlights (left) and bookmarks (wide) are in the log. Click to go there.</source>
        <translation>匹配（窄）、高亮（左侧）和书签（宽）在日志中的位置。单击可跳转。</translation>
    </message>
</context>
<context>
    <name>rankdeck::MarkedSlider</name>
    <message>
        <source>step %1</source>
        <translation>step %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::MergeDialog</name>
    <message>
        <source>Ranks are numbered by server_id.</source>
        <translation>rank 按 server_id 编号。</translation>
    </message>
    <message>
        <source>Ranks are numbered in the order of the list.</source>
        <translation>rank 按列表顺序编号。</translation>
    </message>
    <message>
        <source>Rank numbers depend on this order: every program of the job must use the same table.</source>
        <translation>rank 的编号取决于此顺序：同一作业的所有程序必须使用同一个 rank table。</translation>
    </message>
    <message>
        <source>Both orders give the same numbers.</source>
        <translation>两种顺序得到的编号相同。</translation>
    </message>
    <message>
        <source>Rank tables to merge</source>
        <translation>要合并的 rank table</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>添加(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>by server_&amp;id</source>
        <translation>按 server_id(&amp;I)</translation>
    </message>
    <message>
        <source>in the order of the &amp;list</source>
        <translation>按列表顺序(&amp;L)</translation>
    </message>
    <message>
        <source>Merge %1 with others</source>
        <translation>将 %1 与其他 rank table 合并</translation>
    </message>
    <message>
        <source>Number the ranks</source>
        <translation>rank 的编号方式</translation>
    </message>
    <message>
        <source>Choose rank tables to merge</source>
        <translation>选择要合并的 rank table</translation>
    </message>
    <message>
        <source>Rank tables (*.json)</source>
        <translation>rank table (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>A merge needs two rank tables or more</source>
        <translation>合并至少需要两个 rank table</translation>
    </message>
    <message>
        <source>Add another.</source>
        <translation>请再添加一个。</translation>
    </message>
</context>
<context>
    <name>rankdeck::MergedLines</name>
    <message>
        <source>Log not found.</source>
        <translation>找不到日志。</translation>
    </message>
</context>
<context>
    <name>rankdeck::MergedPane</name>
    <message>
        <source>C&amp;ollapse identical lines</source>
        <translation>折叠相同行(&amp;O)</translation>
    </message>
    <message>
        <source>Shows a line that several ranks print once, with these ranks; lines of one rank stand out</source>
        <translation>多个 rank 各输出一次的相同行只显示一次，并列出这些 rank；单个 rank 独有的行因此更醒目</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>全部 rank</translation>
    </message>
    <message>
        <source>Filter these</source>
        <translation>继续过滤</translation>
    </message>
    <message>
        <source>Filter these lines again, in another view below</source>
        <translation>在下方的另一个视图中对这些行继续过滤</translation>
    </message>
    <message>
        <source>No matching lines yet.</source>
        <translation>暂无匹配的行。</translation>
    </message>
    <message>
        <source>No rank is shown.</source>
        <translation>没有显示任何 rank。</translation>
    </message>
</context>
<context>
    <name>rankdeck::NodeCheck</name>
    <message>
        <source>the NPUs did not answer in time</source>
        <translation>NPU 没有及时应答</translation>
    </message>
    <message>
        <source>This is not the name of a Python module.</source>
        <translation>这不是 Python 模块名。</translation>
    </message>
    <message>
        <source>Write a name, e.g. torch_npu.</source>
        <translation>请写模块名，例如 torch_npu。</translation>
    </message>
    <message>
        <source>Run %1 -c &quot;import %2&quot; there for the full output.</source>
        <translation>请在该节点执行 %1 -c &quot;import %2&quot; 查看完整输出。</translation>
    </message>
    <message>
        <source>%1 imports %2.</source>
        <translation>%1 可以导入 %2。</translation>
    </message>
    <message>
        <source>%1 did not import %2 in time.</source>
        <translation>%1 没有及时导入 %2。</translation>
    </message>
    <message>
        <source>%1 cannot import %2: %3</source>
        <translation>%1 无法导入 %2：%3</translation>
    </message>
    <message>
        <source>No hccn_tool found on this node.</source>
        <translation>本节点没有找到 hccn_tool。</translation>
    </message>
</context>
<context>
    <name>rankdeck::NodeHolders</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>the node was lost before its runs ended</source>
        <translation>节点在其任务结束之前失联</translation>
    </message>
</context>
<context>
    <name>rankdeck::NodePanel</name>
    <message>
        <source>&amp;Test all nodes</source>
        <translation>测试所有节点(&amp;T)</translation>
    </message>
    <message>
        <source>The launch requests its nodes from Slurm. To test them, start Rankdeck inside an allocation (salloc).</source>
        <translation>此次启动向 Slurm 申请节点。如需测试这些节点，请在资源分配（salloc）内启动 Rankdeck。</translation>
    </message>
    <message>
        <source>Connects to the node as the launch would, and reads its version, clock, NPUs and disk space.</source>
        <translation>按启动时的方式连接节点，读取其版本、时钟、NPU 和磁盘空间。</translation>
    </message>
    <message>
        <source>Rankdeck asks Slurm for the names of the nodes.</source>
        <translation>Rankdeck 向 Slurm 查询节点名称。</translation>
    </message>
    <message>
        <source>No node is named.</source>
        <translation>没有指定节点。</translation>
    </message>
    <message>
        <source>Trust this key?</source>
        <translation>信任此密钥？</translation>
    </message>
    <message>
        <source>The host key of %1 is
%2

Trust this key? Compare it with the key that the node&apos;s administrator gives you. Only Rankdeck uses it; it is stored in %3.</source>
        <translation>%1 的主机密钥为
%2

信任此密钥？请与节点管理员提供的密钥核对。该密钥仅供 Rankdeck 使用，保存在 %3 中。</translation>
    </message>
    <message>
        <source>&amp;Trust it</source>
        <translation>信任(&amp;T)</translation>
    </message>
</context>
<context>
    <name>rankdeck::NodeProgramTransport</name>
    <message>
        <source>rankdeckctl is not in PATH there, and a copy cannot be verified without sha256sum</source>
        <translation>该节点的 PATH 中没有 rankdeckctl，而没有 sha256sum 无法校验副本</translation>
    </message>
    <message>
        <source>Install Rankdeck there, or name its rankdeckctl with --node-program.</source>
        <translation>请在该节点安装 Rankdeck，或用 --node-program 指定该节点的 rankdeckctl。</translation>
    </message>
    <message>
        <source>rankdeckctl is not in PATH there, and the folder for copies, .cache/rankdeck in your home, is not writable</source>
        <translation>该节点的 PATH 中没有 rankdeckctl，而存放副本的目录（主目录下的 .cache/rankdeck）不可写</translation>
    </message>
    <message>
        <source>Make it writable, or name a rankdeckctl there with --node-program.</source>
        <translation>请使其可写，或用 --node-program 指定该节点的 rankdeckctl。</translation>
    </message>
    <message>
        <source>the copy of rankdeckctl cannot be unpacked there</source>
        <translation>rankdeckctl 的副本无法在该节点解包</translation>
    </message>
    <message>
        <source>Install tar and gzip there, and check for free space in .cache/rankdeck.</source>
        <translation>请在该节点安装 tar 与 gzip，并检查 .cache/rankdeck 的空闲空间。</translation>
    </message>
    <message>
        <source>the copy of rankdeckctl on the node is corrupt</source>
        <translation>节点上的 rankdeckctl 副本已损坏</translation>
    </message>
    <message>
        <source>Check for free space in .cache/rankdeck in your home there.</source>
        <translation>请检查该节点主目录下 .cache/rankdeck 的空闲空间。</translation>
    </message>
    <message>
        <source>%1 on the node is an incompatible version of Rankdeck</source>
        <translation>节点上的 %1 是不兼容的 Rankdeck 版本</translation>
    </message>
    <message>
        <source>Install the version of this machine there: %1.</source>
        <translation>请在该节点安装与本机相同的版本：%1。</translation>
    </message>
    <message>
        <source>cannot read rankdeckctl to copy it: %1</source>
        <translation>无法读取要复制的 rankdeckctl：%1</translation>
    </message>
    <message>
        <source>rankdeckctl is not in PATH there, and the folder for copies, .cache/rankdeck in your home, is a link, or others can write there</source>
        <translation>那里的 PATH 中没有 rankdeckctl，而存放副本的目录（主目录下的 .cache/rankdeck）是链接，或其他用户可以写入</translation>
    </message>
    <message>
        <source>Delete it, or &quot;chmod go-w&quot; it, or name a rankdeckctl there with --node-program.</source>
        <translation>请删除它，或对它执行 &quot;chmod go-w&quot;，或用 --node-program 指定那里的 rankdeckctl。</translation>
    </message>
</context>
<context>
    <name>rankdeck::NodeRow</name>
    <message>
        <source>Usable: %1</source>
        <translation>可用：%1</translation>
    </message>
    <message numerus="yes">
        <source>Usable: Rankdeck %1 (%7) on %2, %n NPUs, clock %3 ms (within %4 ms), %5 free in %6.</source>
        <comment>Usable: Rankdeck %1 (%7) on %2, %n NPU, clock %3 ms (within %4 ms), %5 free in %6.</comment>
        <translation>
            <numerusform>可用：Rankdeck %1（%7），%2，%n 张 NPU，时钟偏差 %3 ms（误差不超过 %4 ms），%6 中空闲 %5。</numerusform>
        </translation>
    </message>
    <message>
        <source>Host key…</source>
        <translation>主机密钥…</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Show the host key of %1</source>
        <translation>显示 %1 的主机密钥</translation>
    </message>
    <message>
        <source>Test %1</source>
        <translation>测试 %1</translation>
    </message>
    <message>
        <source>Unknown host key. Review it before you trust it.</source>
        <translation>未知的主机密钥。请先核对再信任。</translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation>正在测试…</translation>
    </message>
    <message>
        <source>Not tested.</source>
        <translation>未测试。</translation>
    </message>
</context>
<context>
    <name>rankdeck::NodeTest</name>
    <message>
        <source>No answer within %1 s.</source>
        <translation>%1 s 内没有应答。</translation>
    </message>
</context>
<context>
    <name>rankdeck::NothingShown</name>
    <message>
        <source>&amp;Open another…</source>
        <translation>打开其他(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>%1 is not shown</source>
        <translation>未显示 %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::Opening</name>
    <message>
        <source>Open a directory of logs</source>
        <translation>打开日志目录</translation>
    </message>
    <message>
        <source>Open a log or a report bundle</source>
        <translation>打开日志或报告包</translation>
    </message>
    <message>
        <source>Logs and report bundles (*.log *.txt *.out *.err *.tar.gz *.tgz)</source>
        <translation>日志与报告包 (*.log *.txt *.out *.err *.tar.gz *.tgz)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>rankdeck::OptionField</name>
    <message>
        <source>%1 Default: %2.</source>
        <translation>%1默认：%2。</translation>
    </message>
</context>
<context>
    <name>rankdeck::OptionGroup</name>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Rank tables (*.json)</source>
        <translation>rank table (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
</context>
<context>
    <name>rankdeck::OrderLine</name>
    <message>
        <source>Sort ranks by</source>
        <translation>rank 的排序依据</translation>
    </message>
    <message>
        <source>&amp;Descending</source>
        <translation>降序(&amp;D)</translation>
    </message>
    <message>
        <source>Filter ranks</source>
        <translation>过滤 rank</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>AICore</source>
        <translation>AICore</translation>
    </message>
    <message>
        <source>HBM</source>
        <translation>HBM</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>health</source>
        <translation>健康状态</translation>
    </message>
    <message>
        <source>clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>other processes</source>
        <translation>其他进程</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读</translation>
    </message>
    <message>
        <source>written</source>
        <translation>写</translation>
    </message>
    <message>
        <source>Filter ranks, e.g. ai&lt;10</source>
        <translation>过滤 rank，如 ai&lt;10</translation>
    </message>
    <message>
        <source>Shows ranks that match all of these words and conditions: ai&lt;10 hbm&gt;90% hbm&gt;50GB temp&gt;=80 power&gt;300 clock&lt;1500 health!=ok foreign throttled alarm cpu&gt;800 mem&gt;10GB read&gt;5MB written&gt;5MB rank&lt;8 state=failed. Quote text to search for it literally.</source>
        <translation>只显示满足以下所有文字和条件的 rank：ai&lt;10 hbm&gt;90% hbm&gt;50GB temp&gt;=80 power&gt;300 clock&lt;1500 health!=ok foreign throttled alarm cpu&gt;800 mem&gt;10GB read&gt;5MB written&gt;5MB rank&lt;8 state=failed。加引号的文字按字面搜索。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Clear filter and sorting (Esc)</source>
        <translation>清除过滤和排序（Esc）</translation>
    </message>
    <message>
        <source>S&amp;ort:</source>
        <translation>排序(&amp;O)：</translation>
    </message>
</context>
<context>
    <name>rankdeck::PairMatrix</name>
    <message>
        <source>Pairs of ranks</source>
        <translation>rank 两两互通</translation>
    </message>
</context>
<context>
    <name>rankdeck::PairPane</name>
    <message>
        <source>Goes to the next pair that stands out (N).</source>
        <translation>转到下一个异常的 rank 对（N）。</translation>
    </message>
    <message>
        <source>Copy &amp;table</source>
        <translation>复制表格(&amp;T)</translation>
    </message>
    <message>
        <source>Measure&amp;d:</source>
        <translation>测量项(&amp;D)：</translation>
    </message>
    <message>
        <source>%1 (! %2)</source>
        <comment>what is measured; how many pairs stand out</comment>
        <translation>%1（! %2）</translation>
    </message>
    <message>
        <source>Latency, us</source>
        <translation>时延，us</translation>
    </message>
    <message>
        <source>Bandwidth, MB/s</source>
        <translation>带宽，MB/s</translation>
    </message>
    <message numerus="yes">
        <source>! %n pairs stand o&amp;ut</source>
        <comment>! %n pair stands o&amp;ut</comment>
        <translation>
            <numerusform>! %n 对异常(&amp;U)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::PastRuns</name>
    <message>
        <source>Rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>Title in the list of runs; empty: the usual one.</source>
        <translation>任务列表中的标题；留空则使用默认标题。</translation>
    </message>
    <message>
        <source>The run was not renamed</source>
        <translation>任务未能重命名</translation>
    </message>
    <message>
        <source>Nothing can be deleted</source>
        <translation>没有可删除的内容</translation>
    </message>
    <message>
        <source>Not everything was deleted</source>
        <translation>部分内容未能删除</translation>
    </message>
    <message>
        <source>The setting cannot be used</source>
        <translation>该设置无法使用</translation>
    </message>
    <message>
        <source>The setting was not saved</source>
        <translation>设置未保存</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %n old runs.</source>
        <comment>Deleted %n old run.</comment>
        <translation>
            <numerusform>已删除 %n 个旧任务。</numerusform>
        </translation>
    </message>
    <message>
        <source>Deleted old run %1.</source>
        <translation>已删除旧任务 %1。</translation>
    </message>
    <message>
        <source>Select two or more runs in the list: hold Ctrl and press each.</source>
        <translation>请在列表中选择两个或更多任务：按住 Ctrl 逐个单击。</translation>
    </message>
</context>
<context>
    <name>rankdeck::PasteDialog</name>
    <message>
        <source>Command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Not imported, or changed</source>
        <translation>未导入或有改动的内容</translation>
    </message>
    <message>
        <source>Paste a command line</source>
        <translation>粘贴命令行</translation>
    </message>
    <message>
        <source>&amp;Fill the form</source>
        <translation>填写表单(&amp;F)</translation>
    </message>
    <message>
        <source>Imported completely as %1.</source>
        <translation>已作为 %1 完整导入。</translation>
    </message>
    <message>
        <source>A launch with %1. Left out or changed:</source>
        <translation>按 %1 启动。略去或改动的内容：</translation>
    </message>
    <message>
        <source>A command &amp;line or script of any launcher:</source>
        <translation>任意启动器的命令行或脚本(&amp;L)：</translation>
    </message>
</context>
<context>
    <name>rankdeck::PictureActions</name>
    <message>
        <source>Save as pict&amp;ure…</source>
        <translation>另存为图片(&amp;R)…</translation>
    </message>
    <message>
        <source>Save as pict&amp;ure</source>
        <translation>另存为图片(&amp;R)</translation>
    </message>
</context>
<context>
    <name>rankdeck::PlaceActions</name>
    <message>
        <source>Cop&amp;y pid</source>
        <translation>复制 PID(&amp;Y)</translation>
    </message>
    <message>
        <source>Copy path of the log</source>
        <translation>复制日志路径</translation>
    </message>
    <message>
        <source>Open folder of the log</source>
        <translation>打开日志所在目录</translation>
    </message>
    <message>
        <source>Open the log in an e&amp;ditor</source>
        <translation>在编辑器中打开日志(&amp;J)</translation>
    </message>
</context>
<context>
    <name>rankdeck::PlaceDialog</name>
    <message>
        <source>Go to line or time</source>
        <translation>转到行或时间</translation>
    </message>
    <message>
        <source>&amp;Line, 1 to %L1, or time, e.g. 14:22:26, or 10m for ten minutes ago:</source>
        <translation>行号（1 到 %L1）或时间，如 14:22:26；10m 表示十分钟前(&amp;L)：</translation>
    </message>
    <message>
        <source>There is no line %1.</source>
        <translation>没有第 %1 行。</translation>
    </message>
</context>
<context>
    <name>rankdeck::PlanModel</name>
    <message>
        <source>Cpus: %1</source>
        <translation>CPU：%1</translation>
    </message>
    <message>
        <source>Memory of NUMA nodes: %1</source>
        <translation>NUMA 节点的内存：%1</translation>
    </message>
    <message>
        <source>Nice: %1</source>
        <translation>nice 值：%1</translation>
    </message>
    <message>
        <source>Memory limit: %1 MiB</source>
        <translation>内存上限：%1 MiB</translation>
    </message>
    <message>
        <source>Open files: %1</source>
        <translation>打开文件数：%1</translation>
    </message>
    <message>
        <source>Umask: %1</source>
        <translation>umask：%1</translation>
    </message>
    <message>
        <source>Command: %1</source>
        <translation>命令：%1</translation>
    </message>
    <message>
        <source>Work dir: %1</source>
        <translation>工作目录：%1</translation>
    </message>
    <message>
        <source>Log: %1</source>
        <translation>日志：%1</translation>
    </message>
    <message>
        <source>Standard error: %1</source>
        <translation>标准错误：%1</translation>
    </message>
    <message>
        <source>Removed variables: %1</source>
        <translation>已取消的变量：%1</translation>
    </message>
    <message>
        <source>has a terminal</source>
        <translation>有终端</translation>
    </message>
    <message>
        <source>has no terminal</source>
        <translation>无终端</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>rankdeck::PlanPanel</name>
    <message numerus="yes">
        <source>%n processes on %1, world size %2</source>
        <comment>%n process on %1, world size %2</comment>
        <translation>
            <numerusform>%1 上 %n 个进程，world size 为 %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Rank %1, device %2</source>
        <translation>rank %1，设备 %2</translation>
    </message>
    <message>
        <source>Before the launch: %1</source>
        <translation>启动前执行：%1</translation>
    </message>
    <message>
        <source>Before the launch, on its nodes: %1</source>
        <translation>启动前在其节点上执行：%1</translation>
    </message>
    <message>
        <source>After the launch: %1</source>
        <translation>任务结束后执行：%1</translation>
    </message>
    <message>
        <source>After the launch, on its nodes: %1</source>
        <translation>任务结束后在其节点上执行：%1</translation>
    </message>
    <message>
        <source>To see the plan:</source>
        <translation>要查看启动计划：</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>启动计划(&amp;P)</translation>
    </message>
    <message>
        <source>Rankdeck makes the plan when the rank table is completed.</source>
        <translation>rank table 完成后，Rankdeck 才会生成启动计划。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>rankdeck::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Log &amp;font:</source>
        <translation>日志字体(&amp;F)：</translation>
    </message>
    <message>
        <source>Font of logs and terminals</source>
        <translation>日志和终端的字体</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>as the window</source>
        <translation>跟随窗口</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>&amp;Theme:</source>
        <translation>主题(&amp;T)：</translation>
    </message>
    <message>
        <source>&amp;Zoom of the window:</source>
        <translation>窗口缩放(&amp;Z)：</translation>
    </message>
    <message>
        <source>Log text &amp;size:</source>
        <translation>日志字号(&amp;S)：</translation>
    </message>
    <message>
        <source>&amp;Language:</source>
        <translation>语言(&amp;L)：</translation>
    </message>
    <message>
        <source>&amp;Editor:</source>
        <translation>编辑器(&amp;E)：</translation>
    </message>
    <message>
        <source>{file} and {line} stand for the place. Not run through a shell.</source>
        <translation>{file} 和 {line} 代表文件和行号。不经过 shell。</translation>
    </message>
    <message>
        <source>Ask before a run is stopped or &amp;killed</source>
        <translation>停止或强制结束任务前询问(&amp;K)</translation>
    </message>
    <message>
        <source>Ask when the window &amp;closes while a run is live</source>
        <translation>有任务运行时，关闭窗口前询问(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Launcher:</source>
        <translation>启动器(&amp;L)：</translation>
    </message>
    <message>
        <source>Without the question, runs go on when the window closes.</source>
        <translation>不询问时，窗口关闭后任务继续运行。</translation>
    </message>
    <message>
        <source>&amp;Notify when a run ends or stalls</source>
        <translation>任务结束或停滞时通知(&amp;N)</translation>
    </message>
    <message>
        <source>Only while this window is not the active one.</source>
        <translation>仅当此窗口不是活动窗口时。</translation>
    </message>
    <message>
        <source>&amp;Command to run then:</source>
        <translation>届时执行的命令(&amp;C)：</translation>
    </message>
    <message>
        <source>Fills a new launch form, and runs without this window too. It finds the run in RANKDECK_RUN_NAME, RANKDECK_RUN_STATE and so on. Not run through a shell.</source>
        <translation>用于填写新的启动表单；没有此窗口时也会执行。命令可从 RANKDECK_RUN_NAME、RANKDECK_RUN_STATE 等变量获知任务。不经过 shell。</translation>
    </message>
    <message>
        <source>The window is made anew in the language chosen; runs do not notice.</source>
        <translation>窗口会以所选语言重新打开；任务不受影响。</translation>
    </message>
    <message>
        <source>These fill a new launch form.</source>
        <translation>以上各项用于填写新的启动表单。</translation>
    </message>
</context>
<context>
    <name>rankdeck::Preflight</name>
    <message>
        <source>Not finished within %1 s.</source>
        <translation>%1 s 内没有完成。</translation>
    </message>
    <message>
        <source>it has not arrived within %1 s</source>
        <translation>它在 %1 s 内没有到达</translation>
    </message>
    <message>
        <source>The launch requests its nodes from Slurm when it starts. They are not known yet.</source>
        <translation>启动时才向 Slurm 申请节点，现在尚未得知。</translation>
    </message>
    <message>
        <source>Run the preflight inside an allocation (salloc), or name the nodes.</source>
        <translation>请在资源分配中（salloc）运行启动前检查，或指定节点。</translation>
    </message>
    <message>
        <source>The nodes are not known yet.</source>
        <translation>节点尚未得知。</translation>
    </message>
    <message>
        <source>Checking this node …</source>
        <translation>正在检查本节点…</translation>
    </message>
    <message numerus="yes">
        <source>Checking %n nodes …</source>
        <comment>Checking one node …</comment>
        <translation>
            <numerusform>正在检查 %n 个节点…</numerusform>
        </translation>
    </message>
    <message>
        <source>Rankdeck is %1 there and %2 here.</source>
        <translation>该节点的 Rankdeck 为 %1，本机为 %2。</translation>
    </message>
    <message>
        <source>Rankdeck %1 answers on %2 (%3) in %4 ms.</source>
        <translation>%2（%3）上的 Rankdeck %1 在 %4 ms 内应答。</translation>
    </message>
    <message>
        <source>Install the same version everywhere.</source>
        <translation>请在各处安装相同版本。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>its agent has ended: %1</source>
        <translation>其代理进程已结束：%1</translation>
    </message>
    <message>
        <source>the agent on %1 has ended: %2</source>
        <translation>%1 上的代理进程已结束：%2</translation>
    </message>
    <message>
        <source>The ranks were not tested, because nodes cannot be reached: %1.</source>
        <translation>没有测试 rank，因为有节点无法连接：%1。</translation>
    </message>
    <message>
        <source>The plan starts no rank.</source>
        <translation>计划没有启动任何 rank。</translation>
    </message>
    <message numerus="yes">
        <source>Testing %n ranks with each other …</source>
        <comment>Testing one rank …</comment>
        <translation>
            <numerusform>正在测试 %n 个 rank 之间的互通…</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
</context>
<context>
    <name>rankdeck::PreflightList</name>
    <message>
        <source>Checks</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>Details of the check</source>
        <translation>检查详情</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>part; how many checks ended how</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Select a check to read its details and what to do.</source>
        <translation>选择一个检查项，查看其详情和处理方法。</translation>
    </message>
</context>
<context>
    <name>rankdeck::PreflightModel</name>
    <message>
        <source>%1: %2</source>
        <comment>× FAIL: how many checks</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查项</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>检查所见</translation>
    </message>
    <message>
        <source>Rankdeck on the node</source>
        <translation>节点上的 Rankdeck</translation>
    </message>
    <message>
        <source>clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>ports of HCCL</source>
        <translation>HCCL 端口</translation>
    </message>
    <message>
        <source>who uses the NPUs</source>
        <translation>NPU 占用者</translation>
    </message>
    <message>
        <source>Python modules</source>
        <translation>Python 模块</translation>
    </message>
    <message>
        <source>space for logs</source>
        <translation>日志空间</translation>
    </message>
    <message>
        <source>master address</source>
        <translation>主节点地址</translation>
    </message>
    <message>
        <source>port of the master</source>
        <translation>主节点端口</translation>
    </message>
    <message>
        <source>network card</source>
        <translation>网卡</translation>
    </message>
    <message>
        <source>address of the NPU</source>
        <translation>NPU 地址</translation>
    </message>
    <message>
        <source>health of the NPU</source>
        <translation>NPU 健康状态</translation>
    </message>
    <message>
        <source>link of the NPU</source>
        <translation>NPU 链路</translation>
    </message>
    <message>
        <source>free NPU memory</source>
        <translation>NPU 空闲内存</translation>
    </message>
    <message>
        <source>network of the NPUs</source>
        <translation>NPU 网络</translation>
    </message>
    <message>
        <source>health of the NPU&apos;s network</source>
        <translation>NPU 网络健康状态</translation>
    </message>
    <message>
        <source>TLS between NPUs</source>
        <translation>NPU 间的 TLS</translation>
    </message>
    <message>
        <source>NPUs</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>NPUs of the rank table</source>
        <translation>rank table 中的 NPU</translation>
    </message>
    <message>
        <source>limit of open files</source>
        <translation>打开文件数限制</translation>
    </message>
    <message>
        <source>limit of processes</source>
        <translation>进程数限制</translation>
    </message>
    <message>
        <source>programs and script</source>
        <translation>程序和脚本</translation>
    </message>
    <message>
        <source>rank table</source>
        <translation>rank table</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共享内存</translation>
    </message>
</context>
<context>
    <name>rankdeck::PreflightPage</name>
    <message>
        <source>Onl&amp;y problems</source>
        <translation>仅显示问题(&amp;Y)</translation>
    </message>
    <message>
        <source>Chec&amp;ks</source>
        <translation>检查项(&amp;K)</translation>
    </message>
    <message>
        <source>Ranks, pairs and band&amp;width</source>
        <translation>rank、rank 对与带宽(&amp;W)</translation>
    </message>
    <message>
        <source>e.g. mindspore torch_npu</source>
        <translation>如 mindspore torch_npu</translation>
    </message>
    <message>
        <source>Python modules that the interpreter of each node must be able to import.</source>
        <translation>各节点的解释器必须能导入的 Python 模块。</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds</comment>
        <translation> s</translation>
    </message>
    <message>
        <source>Checks that have not finished by then count as failed.</source>
        <translation>届时仍未完成的检查视为失败。</translation>
    </message>
    <message>
        <source>&amp;Imports to try:</source>
        <translation>尝试导入(&amp;I)：</translation>
    </message>
    <message>
        <source>Li&amp;mit:</source>
        <translation>时限(&amp;M)：</translation>
    </message>
    <message>
        <source>Cha&amp;nge launch…</source>
        <translation>修改启动(&amp;N)…</translation>
    </message>
    <message>
        <source>C&amp;opy as text</source>
        <translation>复制为文本(&amp;O)</translation>
    </message>
    <message>
        <source>Sa&amp;ve as JSON…</source>
        <translation>保存为 JSON(&amp;V)…</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Run a&amp;gain</source>
        <translation>重新检查(&amp;G)</translation>
    </message>
    <message>
        <source>Clos&amp;e</source>
        <translation>关闭(&amp;E)</translation>
    </message>
    <message>
        <source>Preflight of %1</source>
        <translation>%1 的启动前检查</translation>
    </message>
    <message>
        <source>Planning the launch …</source>
        <translation>正在制定启动计划…</translation>
    </message>
    <message numerus="yes">
        <source>Running: %n checks so far, %1 failed.</source>
        <comment>Running: %n check so far, %1 failed.</comment>
        <translation>
            <numerusform>正在检查：已完成 %n 项，%1 项失败。</numerusform>
        </translation>
    </message>
    <message>
        <source>× Nothing was checked</source>
        <translation>× 未检查任何内容</translation>
    </message>
    <message>
        <source>Preflight</source>
        <translation>启动前检查</translation>
    </message>
    <message>
        <source>No preflight yet.</source>
        <translation>尚未做启动前检查。</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>– Cancelled. %1</source>
        <translation>– 已取消。%1</translation>
    </message>
    <message>
        <source>&amp;Launch</source>
        <translation>启动(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Launch anyway</source>
        <translation>仍然启动(&amp;L)</translation>
    </message>
    <message>
        <source>Ending the started processes …</source>
        <translation>正在结束已启动的进程…</translation>
    </message>
    <message>
        <source>The report was copied.</source>
        <translation>报告已复制。</translation>
    </message>
    <message>
        <source>Save the preflight</source>
        <translation>保存启动前检查</translation>
    </message>
    <message>
        <source>The report was saved as %1.</source>
        <translation>报告已保存为 %1。</translation>
    </message>
    <message>
        <source>&amp;Set it for this launch</source>
        <translation>为本次启动设置(&amp;S)</translation>
    </message>
    <message>
        <source>Un&amp;set it for this launch</source>
        <translation>为本次启动取消设置(&amp;S)</translation>
    </message>
</context>
<context>
    <name>rankdeck::Preflighting</name>
    <message>
        <source>There is no plan until the rank table is completed.</source>
        <translation>rank table 完成之前没有启动计划。</translation>
    </message>
</context>
<context>
    <name>rankdeck::Presentation</name>
    <message>
        <source>&amp;Presentation</source>
        <translation>投影演示(&amp;P)</translation>
    </message>
    <message>
        <source>F5: larger or off. Space: the next view. Esc: the end of the presentation.</source>
        <translation>F5：放大或关闭。Space：下一个视图。Esc：结束投影演示。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ProfileMenu</name>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Open file…</source>
        <translation>打开文件(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a launch profile</source>
        <translation>打开一个启动配置</translation>
    </message>
    <message>
        <source>Launch profiles (*.json)</source>
        <translation>启动配置 (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Save as a launch profile</source>
        <translation>保存为启动配置</translation>
    </message>
    <message>
        <source>Its name, or a file that ends in .json:</source>
        <translation>名称，或以 .json 结尾的文件：</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Replace the profile?</source>
        <translation>替换启动配置？</translation>
    </message>
    <message>
        <source>The profile &quot;%1&quot; exists already. Replace it?</source>
        <translation>启动配置“%1”已存在。要替换吗？</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message>
        <source>Saved. To launch it: rankdeckctl run %1</source>
        <translation>已保存。启动命令：rankdeckctl run %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>rankdeck::ProgressPane</name>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>&amp;Log scale</source>
        <translation>对数刻度(&amp;L)</translation>
    </message>
    <message>
        <source>Save &amp;values…</source>
        <translation>保存数值(&amp;V)…</translation>
    </message>
    <message>
        <source>Save &amp;picture…</source>
        <translation>保存图片(&amp;P)…</translation>
    </message>
    <message>
        <source>Saves all values of the shown ranks as comma-separated values.</source>
        <translation>将所示 rank 的所有数值保存为 CSV 文件。</translation>
    </message>
    <message>
        <source>Shows each value as a mean with earlier ones. What is saved as values stays exact.</source>
        <translation>每个值显示为它与之前各值的均值。保存的数值仍为原始值。</translation>
    </message>
    <message>
        <source>Not smoothed</source>
        <translation>不平滑</translation>
    </message>
    <message>
        <source>Smoothed a little</source>
        <translation>轻度平滑</translation>
    </message>
    <message>
        <source>Smoothed</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Smoothed much</source>
        <translation>高度平滑</translation>
    </message>
    <message>
        <source>Each tenfold value is as far from the last.</source>
        <translation>数值每增大十倍，间距相同。</translation>
    </message>
    <message>
        <source>Save values</source>
        <translation>保存数值</translation>
    </message>
    <message>
        <source>Training progress of the selected ranks</source>
        <translation>所选 rank 的训练进度</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Saves the plot as PNG, SVG or PDF.</source>
        <translation>将曲线图保存为 PNG、SVG 或 PDF。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ProgressPlot</name>
    <message>
        <source>no number</source>
        <translation>非数值</translation>
    </message>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 到 %3）</translation>
    </message>
    <message>
        <source>Loss and step time by step</source>
        <translation>loss 与每 step 耗时随 step 的变化</translation>
    </message>
    <message>
        <source>loss, smoothed</source>
        <translation>loss，已平滑</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>loss</translation>
    </message>
    <message>
        <source>step time (s), smoothed</source>
        <translation>每 step 耗时（s），已平滑</translation>
    </message>
    <message>
        <source>step time (s)</source>
        <translation>每 step 耗时（s）</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>number: run</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>No rank is selected.</source>
        <translation>未选择 rank。</translation>
    </message>
    <message>
        <source>No selected rank has printed a loss or a step time.</source>
        <translation>所选 rank 均未输出 loss 或每 step 耗时。</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>loss %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>rank 3: its values</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>step %1：%2</translation>
    </message>
    <message>
        <source>last: %1</source>
        <translation>最新：%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::RankActions</name>
    <message>
        <source>selected ranks</source>
        <translation>所选 rank</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <comment>%n rank</comment>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>Kill %1…</source>
        <translation>强制结束 %1…</translation>
    </message>
    <message>
        <source>Stop %1…</source>
        <translation>停止 %1…</translation>
    </message>
    <message>
        <source>Start %1 again…</source>
        <translation>再次启动 %1…</translation>
    </message>
    <message>
        <source>Start %1 of %2 again?</source>
        <translation>再次启动 %2 的 %1？</translation>
    </message>
    <message>
        <source>What still runs is ended first: SIGTERM; %1 s later, SIGKILL.</source>
        <translation>仍在运行的先被结束：发送 SIGTERM，%1 s 后发送 SIGKILL。</translation>
    </message>
    <message>
        <source>Start ranks again</source>
        <translation>再次启动 rank</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>再次启动</translation>
    </message>
</context>
<context>
    <name>rankdeck::RankGroups</name>
    <message>
        <source>Ranks and groups</source>
        <translation>rank 与组</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>全部 rank</translation>
    </message>
    <message>
        <source>group %1 of %2</source>
        <comment>letter; how many ranks</comment>
        <translation>组 %1（%2 个 rank）</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>%2 上的 rank %1</translation>
    </message>
    <message>
        <source>in one group with all ranks</source>
        <translation>与所有 rank 在同一组</translation>
    </message>
    <message>
        <source>in group %1: ranks %2</source>
        <translation>在组 %1 中：rank %2</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n ranks</source>
        <comment>%1: %n rank</comment>
        <translation>
            <numerusform>%1：%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, × %2 failed</source>
        <comment>of a node</comment>
        <translation>%1，× %2 个失败</translation>
    </message>
</context>
<context>
    <name>rankdeck::RankTableHeader</name>
    <message>
        <source>Launch &amp;with this table…</source>
        <translation>用此 rank table 启动(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Convert…</source>
        <translation>转换(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Merge…</source>
        <translation>合并(&amp;M)…</translation>
    </message>
    <message>
        <source>Su&amp;bset…</source>
        <translation>子集(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Generate…</source>
        <translation>生成(&amp;G)…</translation>
    </message>
    <message>
        <source>Cl&amp;ose</source>
        <translation>关闭(&amp;O)</translation>
    </message>
    <message>
        <source>Back to the runs</source>
        <translation>返回任务</translation>
    </message>
    <message>
        <source>Chip</source>
        <translation>芯片</translation>
    </message>
    <message>
        <source>Chi&amp;p</source>
        <translation>芯片(&amp;P)</translation>
    </message>
    <message>
        <source>Rank table</source>
        <translation>rank table</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>The rank table cannot be read.</source>
        <translation>无法读取该 rank table。</translation>
    </message>
    <message>
        <source>no usable rank table</source>
        <translation>没有可用的 rank table</translation>
    </message>
    <message>
        <source>It cannot be launched: %1</source>
        <translation>无法用它启动：%1</translation>
    </message>
    <message>
        <source>no status</source>
        <translation>没有状态</translation>
    </message>
    <message>
        <source>Still being written</source>
        <translation>仍在写入</translation>
    </message>
    <message>
        <source>Its status is &quot;%1&quot;: it is still being written. Rankdeck checks it every second; a launch waits for it.</source>
        <translation>其 status 为“%1”，表示仍在写入。Rankdeck 每秒检查一次；启动会等待它完成。</translation>
    </message>
    <message>
        <source>The rank table is still being written.</source>
        <translation>该 rank table 仍在写入。</translation>
    </message>
</context>
<context>
    <name>rankdeck::RankTablePage</name>
    <message>
        <source>&amp;Tree</source>
        <translation>树(&amp;T)</translation>
    </message>
    <message>
        <source>Gr&amp;id</source>
        <translation>网格(&amp;I)</translation>
    </message>
    <message>
        <source>No rank table is open</source>
        <translation>未打开 rank table</translation>
    </message>
    <message>
        <source>Open one, drop its file on the window, or generate one for this host.</source>
        <translation>请打开一个，将其文件拖放到窗口，或为本主机生成一个。</translation>
    </message>
    <message>
        <source>Open a rank table</source>
        <translation>打开 rank table</translation>
    </message>
    <message>
        <source>Rank tables (*.json)</source>
        <translation>rank table (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Rankdeck shows it as soon as it can be read.</source>
        <translation>一旦可以读取，Rankdeck 会立即显示。</translation>
    </message>
    <message>
        <source>The rank table cannot be read</source>
        <translation>无法读取该 rank table</translation>
    </message>
</context>
<context>
    <name>rankdeck::RankTableWaiter</name>
    <message>
        <source>after %1 s the rank table&apos;s status is still &quot;%2&quot;, not &quot;completed&quot;</source>
        <translation>%1 s 后 rank table 的状态仍为“%2”，而不是“completed”</translation>
    </message>
    <message>
        <source>after %1 s the rank table still cannot be read (%2)</source>
        <translation>%1 s 后 rank table 仍无法读取（%2）</translation>
    </message>
    <message>
        <source>Check why the platform did not finish it.</source>
        <translation>请查明平台为何没有完成它。</translation>
    </message>
    <message>
        <source>Check why the platform did not finish it, or wait longer with %1.</source>
        <translation>请查明平台为何没有完成它，或用 %1 延长等待。</translation>
    </message>
    <message>
        <source>waiting for the rank table was cancelled</source>
        <translation>已取消等待 rank table</translation>
    </message>
    <message>
        <source>without a status</source>
        <translation>没有状态</translation>
    </message>
    <message>
        <source>file not found yet</source>
        <translation>尚未找到文件</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>正在写入</translation>
    </message>
</context>
<context>
    <name>rankdeck::RanksPane</name>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>NPU use</source>
        <translation>NPU 利用率</translation>
    </message>
    <message>
        <source>HBM</source>
        <translation>HBM</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>cpu</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Sorted by %1.</source>
        <translation>按%1排序。</translation>
    </message>
    <message>
        <source>There is no rank &quot;%1&quot; in the list.</source>
        <translation>列表中没有 rank“%1”。</translation>
    </message>
    <message>
        <source>No rank failed or is stalled.</source>
        <translation>没有失败或停滞的 rank。</translation>
    </message>
</context>
<context>
    <name>rankdeck::RecentLaunchesFile</name>
    <message>
        <source>The recent launches cannot be kept: the file is locked</source>
        <translation>无法保存最近的启动：文件已被锁定</translation>
    </message>
    <message>
        <source>The recent launches cannot be read: %1</source>
        <translation>无法读取最近的启动：%1</translation>
    </message>
    <message>
        <source>The recent launches cannot be read: the file is damaged</source>
        <translation>无法读取最近的启动：文件已损坏</translation>
    </message>
    <message>
        <source>Some recent launches cannot be read by this version</source>
        <translation>部分最近的启动无法由此版本读取</translation>
    </message>
    <message>
        <source>The recent launches cannot be kept: %1</source>
        <translation>无法保存最近的启动：%1</translation>
    </message>
    <message>
        <source>A copy is kept in %1.</source>
        <translation>副本保存在 %1 中。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ReplayBar</name>
    <message>
        <source>&amp;Play or pause</source>
        <translation>播放或暂停(&amp;P)</translation>
    </message>
    <message>
        <source>To the mark &amp;before</source>
        <translation>转到前一个标记(&amp;B)</translation>
    </message>
    <message>
        <source>To the &amp;next mark</source>
        <translation>转到后一个标记(&amp;N)</translation>
    </message>
    <message>
        <source>Time of the replay</source>
        <translation>回放的时间</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>En&amp;d replay</source>
        <translation>结束回放(&amp;D)</translation>
    </message>
    <message>
        <source>How many seconds of the run pass in one</source>
        <translation>每秒播放任务的多少秒</translation>
    </message>
    <message>
        <source>Show the run as it is now</source>
        <translation>显示任务现在的样子</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>action, key</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Nothing has happened yet.</source>
        <translation>还没有发生任何事。</translation>
    </message>
</context>
<context>
    <name>rankdeck::ReplayedRun</name>
    <message>
        <source>Nothing more is marked.</source>
        <translation>后面没有标记。</translation>
    </message>
    <message>
        <source>Nothing is marked before.</source>
        <translation>前面没有标记。</translation>
    </message>
    <message>
        <source>This is a replay: nothing can be asked of the ranks of a past run.</source>
        <translation>这是回放：不能向已结束任务的 rank 请求任何操作。</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunBook</name>
    <message>
        <source>this run already had a supervisor</source>
        <translation>该任务已有过监管进程</translation>
    </message>
    <message>
        <source>the journal cannot be written</source>
        <translation>无法写入 journal</translation>
    </message>
    <message>
        <source>the run was given up before its supervisor came</source>
        <translation>任务在监管进程启动之前已被放弃</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunClient</name>
    <message>
        <source>another user owns the run&apos;s socket %1</source>
        <translation>该任务的套接字 %1 属于其他用户</translation>
    </message>
    <message>
        <source>the run&apos;s supervisor has another version of Rankdeck</source>
        <translation>该任务的监管进程是另一版本的 Rankdeck</translation>
    </message>
    <message>
        <source>Use the version that launched the run.</source>
        <translation>请使用启动该任务的版本。</translation>
    </message>
    <message>
        <source>too many windows and commands follow this run</source>
        <translation>跟踪该任务的窗口与命令过多</translation>
    </message>
    <message>
        <source>It is updated only every few seconds until some of them are closed.</source>
        <translation>关闭其中一些之前，每隔几秒才更新一次。</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunConsole</name>
    <message>
        <source>Stopping the run; once more to kill it.</source>
        <translation>正在停止任务；再按一次强制结束。</translation>
    </message>
    <message>
        <source>%1 (pid: %2): %3</source>
        <translation>%1（PID：%2）：%3</translation>
    </message>
    <message>
        <source>continues</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>paused (SIGSTOP)</source>
        <translation>被暂停（SIGSTOP）</translation>
    </message>
    <message>
        <source>paused by a debugger</source>
        <translation>被调试器暂停</translation>
    </message>
    <message>
        <source>No rank is stalled any more.</source>
        <translation>已没有停滞的 rank。</translation>
    </message>
    <message>
        <source>No rank is paused any more.</source>
        <translation>已没有被暂停的 rank。</translation>
    </message>
    <message>
        <source>Run %1: %2.</source>
        <translation>任务 %1：%2。</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunHeader</name>
    <message>
        <source>%1 of %2 ranks</source>
        <translation>显示 %1 个，共 %2 个 rank</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <comment>%n rank</comment>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 on %2 servers</source>
        <comment>8 ranks on 2 servers</comment>
        <translation>%1，%2 个服务器</translation>
    </message>
    <message>
        <source>restart %1 of %2</source>
        <translation>第 %1 次重启，共 %2 次</translation>
    </message>
    <message>
        <source>started %1</source>
        <translation>启动于 %1</translation>
    </message>
    <message>
        <source>&amp;Stop…</source>
        <translation>停止(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Kill…</source>
        <translation>强制结束(&amp;K)…</translation>
    </message>
    <message>
        <source>Run &amp;again</source>
        <translation>再次启动(&amp;A)</translation>
    </message>
    <message>
        <source>Show &amp;error…</source>
        <translation>显示错误(&amp;E)…</translation>
    </message>
    <message>
        <source>%1. Analysing the logs of all ranks…</source>
        <translation>%1。正在分析所有 rank 的日志…</translation>
    </message>
    <message>
        <source>Elapsed: %1</source>
        <translation>已用时间：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <comment>%n note</comment>
        <translation>
            <numerusform>%n 条提示</numerusform>
        </translation>
    </message>
    <message>
        <source>Show what Rankdeck noted about this run</source>
        <translation>显示 Rankdeck 对此任务的提示</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Notes of %1</source>
        <translation>%1 的提示</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunList</name>
    <message>
        <source>Filter runs</source>
        <translation>过滤任务</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>No runs yet.
Click Launch… to start one.</source>
        <translation>暂无任务。
单击“启动…”可启动一个任务。</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunListModel</name>
    <message numerus="yes">
        <source>%n ranks</source>
        <comment>%n rank</comment>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>code %1</source>
        <comment>exit code</comment>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>%1, started %2</source>
        <translation>%1，启动于 %2</translation>
    </message>
    <message>
        <source>%1 at %2, exit code %3</source>
        <comment>succeeded at</comment>
        <translation>%2 %1，退出码 %3</translation>
    </message>
    <message>
        <source>%1: %2, %3, started %4</source>
        <comment>title: state, details, age</comment>
        <translation>%1：%2，%3，启动于 %4</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunLogs</name>
    <message>
        <source>%1 at rank %2</source>
        <translation>rank %2 上的 %1</translation>
    </message>
    <message>
        <source>rank %1  device %2</source>
        <translation>rank %1  设备 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>state: exit status</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1  standard error</source>
        <translation>%1  标准错误</translation>
    </message>
    <message>
        <source>%1 stderr</source>
        <translation>%1 stderr</translation>
    </message>
    <message>
        <source>No output.</source>
        <translation>无输出。</translation>
    </message>
    <message>
        <source>No output yet.</source>
        <translation>暂无输出。</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunNews</name>
    <message>
        <source>%1 stalls</source>
        <translation>%1 停滞</translation>
    </message>
    <message>
        <source>After %1.</source>
        <comment>a duration</comment>
        <translation>历时 %1。</translation>
    </message>
    <message>
        <source>Exit code %1.</source>
        <translation>退出码 %1。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>run: state</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunNodes</name>
    <message>
        <source>Slurm allocated other nodes than requested</source>
        <translation>Slurm 分配的节点与申请的不同</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunPage</name>
    <message>
        <source>NPU and &amp;processes of the selected ranks</source>
        <translation>所选 rank 的 NPU 与进程(&amp;P)</translation>
    </message>
    <message>
        <source>Fetching logs from other nodes, %1 left.</source>
        <translation>正在从其他节点获取日志，剩余 %1。</translation>
    </message>
    <message>
        <source>Asked %1 to stop.</source>
        <translation>已请求 %1 停止。</translation>
    </message>
    <message>
        <source>Show &amp;error…</source>
        <translation>显示错误(&amp;E)…</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunSampling</name>
    <message>
        <source>Node %1: %2</source>
        <translation>节点 %1：%2</translation>
    </message>
    <message>
        <source>%1 (nodes with a problem: %2)</source>
        <translation>%1（有问题的节点：%2）</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunServer</name>
    <message>
        <source>another program</source>
        <translation>其他程序</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunSession</name>
    <message>
        <source>a window on %1 (pid %2)</source>
        <translation>%1 上的窗口（PID %2）</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>rankdeck::RunsPane</name>
    <message>
        <source>RUN</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>STATE</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>RANKS</source>
        <translation>RANK</translation>
    </message>
    <message>
        <source>TIME</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>There are no runs.</source>
        <translation>没有任务。</translation>
    </message>
</context>
<context>
    <name>rankdeck::SearchPanel</name>
    <message>
        <source>Find in all ranks</source>
        <translation>在所有 rank 中查找</translation>
    </message>
    <message>
        <source>Rege&amp;x</source>
        <translation>正则(&amp;X)</translation>
    </message>
    <message>
        <source>Match &amp;case</source>
        <translation>区分大小写(&amp;C)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Search the logs of all ranks (Enter)</source>
        <translation>搜索所有 rank 的日志（Enter）</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>End the search; what was found stays</source>
        <translation>结束搜索；已找到的结果保留</translation>
    </message>
    <message>
        <source>Matching lines by rank</source>
        <translation>按 rank 列出的匹配行</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the results (Esc)</source>
        <translation>关闭结果（Esc）</translation>
    </message>
    <message numerus="yes">
        <source>%Ln matching lines</source>
        <comment>%Ln matching line</comment>
        <translation>
            <numerusform>%Ln 个匹配行</numerusform>
        </translation>
    </message>
    <message>
        <source>stderr %1</source>
        <translation>stderr %1</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more lines</source>
        <comment>… and %Ln more line</comment>
        <translation>
            <numerusform>… 另有 %Ln 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %Ln ranks</source>
        <comment>in %Ln rank</comment>
        <translation>
            <numerusform>（%Ln 个 rank）</numerusform>
        </translation>
    </message>
    <message>
        <source>No match</source>
        <translation>无匹配</translation>
    </message>
    <message>
        <source>%1; %L2 of %L3 logs searched</source>
        <translation>%1；已搜索 %L2 个日志，共 %L3 个</translation>
    </message>
    <message>
        <source>No match yet</source>
        <translation>暂无匹配</translation>
    </message>
</context>
<context>
    <name>rankdeck::SelfTestHead</name>
    <message>
        <source>rank %1 is gone: %2</source>
        <translation>rank %1 已断开：%2</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>%2 上的 rank %1</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>Check for a firewall, a route or a wrong network card (HCCL_IF_IP, HCCL_SOCKET_IFNAME) between them.</source>
        <translation>请检查两者之间的防火墙与路由，以及网卡是否选错（HCCL_IF_IP、HCCL_SOCKET_IFNAME）。</translation>
    </message>
    <message>
        <source>All %1 failing pairs include %2.</source>
        <translation>全部 %1 对失败的 rank 都含有 %2。</translation>
    </message>
    <message>
        <source>%1 pairs of ranks fail in all.</source>
        <translation>共有 %1 对 rank 失败。</translation>
    </message>
    <message>
        <source>The pair does not work: %1</source>
        <translation>这对 rank 不通：%1</translation>
    </message>
    <message>
        <source>There is only one rank, so there are no pairs.</source>
        <translation>只有一个 rank，没有可测量的 rank 对。</translation>
    </message>
    <message>
        <source>The pair is an outlier: %1.</source>
        <translation>这对 rank 的结果明显偏离其他 rank 对：%1。</translation>
    </message>
    <message>
        <source>Measure again with nothing else on these nodes; then check their cards and the switch between them.</source>
        <translation>请在这些节点空闲时再次测量；然后检查其网卡及两者之间的交换机。</translation>
    </message>
    <message>
        <source>No pair was measured.</source>
        <translation>没有测量任何一对 rank。</translation>
    </message>
    <message>
        <source>Working pairs: %1; latency %2 to %3 us, at least %4 MB/s.</source>
        <translation>互通的 rank 对：%1；时延 %2 到 %3 us，带宽至少 %4 MB/s。</translation>
    </message>
    <message>
        <source>The self-test failed there: %1</source>
        <translation>该处自检失败：%1</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%2 的 %1：%3</translation>
    </message>
    <message>
        <source>Its result was wrong on this network: check its cards, cables and memory before you train.</source>
        <translation>其在该网络上的结果有误：训练之前请检查网卡、线缆与内存。</translation>
    </message>
    <message>
        <source>%1 works in groups of %2.</source>
        <translation>%1 在 %2 的组中可用。</translation>
    </message>
    <message>
        <source>%1 is correct in groups of %2, up to %3; at best %4 MB/s.</source>
        <translation>%1 在 %2 的组中结果正确，最大 %3；最快 %4 MB/s。</translation>
    </message>
    <message>
        <source>There is only one rank: a collective operation needs two.</source>
        <translation>只有一个 rank：集合通信需要两个。</translation>
    </message>
    <message>
        <source>No collective operation was run.</source>
        <translation>没有执行集合通信。</translation>
    </message>
</context>
<context>
    <name>rankdeck::SelfTestRanks</name>
    <message>
        <source>it ended with %1</source>
        <translation>它已结束：%1</translation>
    </message>
    <message>
        <source>it ended with %1: %2</source>
        <translation>它已结束（%1）：%2</translation>
    </message>
    <message>
        <source>it could not be started: %1</source>
        <translation>它无法启动：%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::ServerGrid</name>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>server: cell</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>No ranks match the filter. Press Esc in its field to clear it.</source>
        <translation>没有 rank 符合过滤条件。在过滤栏中按 Esc 可清除。</translation>
    </message>
    <message>
        <source>NPUs invented</source>
        <translation>NPU 为虚构</translation>
    </message>
</context>
<context>
    <name>rankdeck::ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Filter by words or keys</source>
        <translation>按文字或按键过滤</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Elsewhere in the window</source>
        <translation>窗口其他位置</translation>
    </message>
</context>
<context>
    <name>rankdeck::SignalActions</name>
    <message>
        <source>interrupt, like Ctrl+C</source>
        <translation>中断，相当于 Ctrl+C</translation>
    </message>
    <message>
        <source>ask to end</source>
        <translation>请求结束</translation>
    </message>
    <message>
        <source>A rank that this signal ends counts as failed. The run reacts as to any failure.</source>
        <translation>被此信号结束的 rank 视为失败，任务按普通失败处理。</translation>
    </message>
    <message>
        <source>kill immediately</source>
        <translation>立即强制结束</translation>
    </message>
    <message>
        <source>SIGKILL gives the rank no time to save, and the rank counts as failed. To end ranks without failing the run, use Kill.</source>
        <translation>SIGKILL 不给 rank 留保存数据的时间，且该 rank 视为失败。如需结束 rank 而不使任务失败，请用“强制结束”。</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>The rank is paused until it receives SIGCONT. Other ranks may wait for it and time out.</source>
        <translation>该 rank 暂停，直到收到 SIGCONT。其他 rank 可能等待它直至超时。</translation>
    </message>
    <message>
        <source>resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>program-defined</source>
        <translation>由程序定义</translation>
    </message>
    <message>
        <source>Si&amp;gnal %1</source>
        <translation>向 %1 发送信号(&amp;G)</translation>
    </message>
    <message>
        <source>Send %1 to %2 of %3?</source>
        <translation>向 %3 的 %2 发送 %1？</translation>
    </message>
    <message>
        <source>Send a signal</source>
        <translation>发送信号</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
</context>
<context>
    <name>rankdeck::StackActions</name>
    <message>
        <source>D&amp;ump stacks of all ranks…</source>
        <translation>转储所有 rank 的调用栈(&amp;U)…</translation>
    </message>
    <message>
        <source>Sho&amp;w stacks…</source>
        <translation>显示调用栈(&amp;W)…</translation>
    </message>
    <message>
        <source>selected ranks</source>
        <translation>所选 rank</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <comment>%n rank</comment>
        <translation>
            <numerusform>%n 个 rank</numerusform>
        </translation>
    </message>
    <message>
        <source>Dump stacks of %1…</source>
        <translation>转储 %1 的调用栈…</translation>
    </message>
</context>
<context>
    <name>rankdeck::StackJob</name>
    <message>
        <source>%1, process %2 (%3)</source>
        <translation>%1，进程 %2（%3）</translation>
    </message>
</context>
<context>
    <name>rankdeck::StacksDialog</name>
    <message>
        <source>Ranks grouped by location</source>
        <translation>按位置分组的 rank</translation>
    </message>
    <message>
        <source>Stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Dump &amp;again</source>
        <translation>再次转储(&amp;A)</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1</source>
        <comment>rank %1</comment>
        <translation>
            <numerusform>rank %1</numerusform>
        </translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Waiting for the stacks of %1…</source>
        <translation>正在等待 %1 的调用栈…</translation>
    </message>
    <message>
        <source>No stacks have been dumped.</source>
        <translation>尚未转储调用栈。</translation>
    </message>
    <message>
        <source>Identical stacks are grouped; unique ones come first. Their files are in %1.</source>
        <translation>相同的调用栈归为一组，独有的排在前面。文件位于 %1。</translation>
    </message>
    <message>
        <source>… and %1 more.</source>
        <translation>… 另有 %1 个。</translation>
    </message>
</context>
<context>
    <name>rankdeck::StallNotice</name>
    <message>
        <source>&amp;Dump stacks…</source>
        <translation>转储调用栈(&amp;D)…</translation>
    </message>
    <message>
        <source>C&amp;ontinue</source>
        <translation>继续(&amp;O)</translation>
    </message>
    <message>
        <source>S&amp;top…</source>
        <translation>停止(&amp;T)…</translation>
    </message>
    <message>
        <source>Dump the stacks of every rank and keep them with the run.</source>
        <translation>转储每个 rank 的调用栈，并随任务一起保存。</translation>
    </message>
    <message>
        <source>Dismiss until something changes.</source>
        <translation>忽略，直到情况有变化。</translation>
    </message>
    <message>
        <source>⚠ Stalled: %1</source>
        <translation>⚠ 停滞：%1</translation>
    </message>
    <message>
        <source>‖ %1</source>
        <translation>‖ %1</translation>
    </message>
    <message>
        <source>⚠ %1</source>
        <translation>⚠ %1</translation>
    </message>
</context>
<context>
    <name>rankdeck::StateBadge</name>
    <message>
        <source>State: %1</source>
        <translation>状态：%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::StopQuestion</name>
    <message>
        <source>SIGKILL leaves no time to save anything.</source>
        <translation>SIGKILL 不留任何保存数据的时间。</translation>
    </message>
    <message>
        <source>Sends SIGTERM; %1 s later, SIGKILL to everything that still runs.</source>
        <translation>先发送 SIGTERM；%1 s 后向仍在运行的所有进程发送 SIGKILL。</translation>
    </message>
    <message>
        <source>Its rank is running.</source>
        <translation>其 rank 正在运行。</translation>
    </message>
    <message>
        <source>All %1 ranks are running.</source>
        <translation>全部 %1 个 rank 正在运行。</translation>
    </message>
    <message>
        <source>%1 of %2 ranks are running.</source>
        <translation>%1 个 rank 正在运行，共 %2 个。</translation>
    </message>
    <message>
        <source>Use Stop to end them gracefully.</source>
        <translation>如需正常结束，请用“停止”。</translation>
    </message>
    <message>
        <source>Kill the run</source>
        <translation>强制结束任务</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止任务</translation>
    </message>
    <message>
        <source>Kill every process of %1 at once?</source>
        <translation>立即强制结束 %1 的所有进程？</translation>
    </message>
    <message>
        <source>Stop %1?</source>
        <translation>停止 %1？</translation>
    </message>
    <message>
        <source>The other ranks keep running, but may hang in their next collective operation. This rank is not restarted.</source>
        <translation>其他 rank 继续运行，但可能在下一次集合通信中卡住。该 rank 不会重启。</translation>
    </message>
    <message>
        <source>No other rank will be left.</source>
        <translation>此后将没有其他 rank。</translation>
    </message>
    <message>
        <source>Kill ranks</source>
        <translation>强制结束 rank</translation>
    </message>
    <message>
        <source>Stop ranks</source>
        <translation>停止 rank</translation>
    </message>
    <message>
        <source>Kill %1 of %2?</source>
        <translation>强制结束 %2 的 %1？</translation>
    </message>
    <message>
        <source>Stop %1 of %2?</source>
        <translation>停止 %2 的 %1？</translation>
    </message>
    <message>
        <source>Kill</source>
        <translation>强制结束</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Only the watching ends. Rankdeck did not start the ranks, and they go on.</source>
        <translation>只结束监控。这些 rank 不是由 Rankdeck 启动的，会继续运行。</translation>
    </message>
</context>
<context>
    <name>rankdeck::SubsetDialog</name>
    <message>
        <source>Servers to keep</source>
        <translation>要保留的服务器</translation>
    </message>
    <message>
        <source>Subset of %1</source>
        <translation>%1 的子集</translation>
    </message>
    <message>
        <source>all, or e.g. 0-3,6</source>
        <translation>全部，或如 0-3,6</translation>
    </message>
    <message>
        <source>&amp;Devices of each server</source>
        <translation>各服务器的设备(&amp;D)</translation>
    </message>
    <message>
        <source>Se&amp;rvers</source>
        <translation>服务器(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>全不选(&amp;N)</translation>
    </message>
    <message>
        <source>No server is selected</source>
        <translation>未选择服务器</translation>
    </message>
    <message>
        <source>Tick one.</source>
        <translation>请勾选一个。</translation>
    </message>
    <message numerus="yes">
        <source>%n devices are left.</source>
        <comment>%n device is left.</comment>
        <translation>
            <numerusform>剩余 %n 个设备。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::Supervisor</name>
    <message>
        <source>cannot create the control socket: %1</source>
        <translation>无法创建控制套接字：%1</translation>
    </message>
</context>
<context>
    <name>rankdeck::TableCheckLine</name>
    <message>
        <source>%1 · first error: %2</source>
        <translation>%1 · 第一个错误：%2</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the rank table and its findings</source>
        <translation>显示 rank table 及其问题</translation>
    </message>
</context>
<context>
    <name>rankdeck::TableDialog</name>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>Making the preview…</source>
        <translation>正在生成预览…</translation>
    </message>
    <message>
        <source>No preview</source>
        <translation>无法预览</translation>
    </message>
    <message>
        <source>Preview: nothing changes</source>
        <translation>预览：没有改动</translation>
    </message>
    <message>
        <source>&amp;Preview of the changes</source>
        <translation>预览改动(&amp;P)</translation>
    </message>
    <message>
        <source>Save the rank table</source>
        <translation>保存 rank table</translation>
    </message>
    <message>
        <source>Rank tables (*.json)</source>
        <translation>rank table (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Select another location.</source>
        <translation>请选择其他位置。</translation>
    </message>
</context>
<context>
    <name>rankdeck::TableGrid</name>
    <message>
        <source>Devices by server</source>
        <translation>按服务器列出的设备</translation>
    </message>
</context>
<context>
    <name>rankdeck::TableMessage</name>
    <message>
        <source>Open rank table…</source>
        <translation>打开 rank table…</translation>
    </message>
</context>
<context>
    <name>rankdeck::TableText</name>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
</context>
<context>
    <name>rankdeck::TableTree</name>
    <message>
        <source>Servers and devices</source>
        <translation>服务器与设备</translation>
    </message>
</context>
<context>
    <name>rankdeck::TableTreeModel</name>
    <message>
        <source>Server, rank</source>
        <translation>服务器、rank</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Device IP</source>
        <translation>设备 IP</translation>
    </message>
    <message>
        <source>Super device ID</source>
        <translation>超节点设备 ID</translation>
    </message>
    <message>
        <source>(no server_id)</source>
        <translation>（无 server_id）</translation>
    </message>
    <message numerus="yes">
        <source>%n devices</source>
        <comment>%n device</comment>
        <translation>
            <numerusform>%n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 below</source>
        <translation>下级有%1</translation>
    </message>
    <message numerus="yes">
        <source>%n findings</source>
        <comment>%n finding</comment>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>rankdeck::TerminalBoard</name>
    <message>
        <source>The scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message numerus="yes">
        <source>ranks %1</source>
        <comment>rank %1</comment>
        <translation>
            <numerusform>rank %1</numerusform>
        </translation>
    </message>
    <message>
        <source>The scheduler has no terminal; only ranks can have one.</source>
        <translation>scheduler 没有终端；只有 rank 可以有终端。</translation>
    </message>
    <message>
        <source>Rank %1 has no terminal. Launch with Terminals: %1 (--tty %1), or all.
Its log: Ctrl+Shift+T.</source>
        <translation>rank %1 没有终端。请在启动时将“终端”设为 %1（--tty %1）或 all。
其日志：Ctrl+Shift+T。</translation>
    </message>
    <message>
        <source>Close the answers</source>
        <translation>关闭应答</translation>
    </message>
    <message>
        <source>%1 has ended: %2.</source>
        <comment>process: exit status</comment>
        <translation>%1 已结束：%2。</translation>
    </message>
    <message>
        <source>%1 ended; its exit status is unknown.</source>
        <comment>process</comment>
        <translation>%1 已结束；退出状态未知。</translation>
    </message>
</context>
<context>
    <name>rankdeck::TerminalConsole</name>
    <message>
        <source>%1 has ended: %2.</source>
        <translation>%1 已结束：%2。</translation>
    </message>
    <message>
        <source>exit status unknown</source>
        <translation>退出状态未知</translation>
    </message>
    <message>
        <source>there is no rank %1 in this run</source>
        <translation>该任务中没有 rank %1</translation>
    </message>
    <message>
        <source>this run has ended</source>
        <translation>该任务已结束</translation>
    </message>
    <message>
        <source>rank %1 has no terminal</source>
        <translation>rank %1 没有终端</translation>
    </message>
    <message>
        <source>Launch with --tty %1, or --tty all.</source>
        <translation>请以 --tty %1 或 --tty all 启动。</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1 of %2. Ctrl-P Ctrl-Q detaches from it.</source>
        <translation>%2 的 %1。Ctrl-P Ctrl-Q 与其脱离。</translation>
    </message>
    <message>
        <source>%1 continues.</source>
        <translation>%1 继续。</translation>
    </message>
    <message>
        <source>The keyboard is with %1 now. Ctrl-P Ctrl-K takes it back.</source>
        <translation>键盘输入现在送往 %1。Ctrl-P Ctrl-K 收回。</translation>
    </message>
</context>
<context>
    <name>rankdeck::TerminalPane</name>
    <message>
        <source>Scroll through the terminal</source>
        <translation>滚动终端</translation>
    </message>
    <message>
        <source>Take the keyboard</source>
        <translation>取得键盘</translation>
    </message>
    <message>
        <source>… %1 not shown here; the log has them.</source>
        <translation>… 此处未显示 %1；可在日志中查看。</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Terminal of %1</source>
        <translation>%1 的终端</translation>
    </message>
    <message>
        <source>This window does not have the keyboard.</source>
        <translation>此窗口未取得键盘。</translation>
    </message>
    <message>
        <source>%1 has the keyboard.</source>
        <translation>键盘由 %1 占用。</translation>
    </message>
</context>
<context>
    <name>rankdeck::TerminalView</name>
    <message>
        <source>Keys go to the program. Ctrl+Tab leaves the terminal; Alt+arrow selects the one beside it.</source>
        <translation>按键发送给程序。Ctrl+Tab 离开终端；Alt+方向键选择相邻的终端。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+V</source>
        <translation>Ctrl+Shift+V</translation>
    </message>
    <message>
        <source>Paste &amp;selection</source>
        <translation>粘贴所选内容(&amp;S)</translation>
    </message>
    <message>
        <source>Shift+Insert</source>
        <translation>Shift+Insert</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation>Ctrl+Shift+A</translation>
    </message>
    <message>
        <source>Clea&amp;r selection</source>
        <translation>清除选择(&amp;R)</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Terminal of %1</source>
        <translation>%1 的终端</translation>
    </message>
</context>
<context>
    <name>rankdeck::TextHistory</name>
    <message>
        <source>Earlier texts (Down)</source>
        <translation>之前的文字（Down）</translation>
    </message>
</context>
<context>
    <name>rankdeck::ToolActions</name>
    <message>
        <source>Show %1</source>
        <translation>显示 %1</translation>
    </message>
    <message>
        <source>De&amp;bug %1 with</source>
        <translation>调试 %1(&amp;T)</translation>
    </message>
</context>
<context>
    <name>rankdeck::TopView</name>
    <message>
        <source>The run has ended: it has no processes.</source>
        <translation>任务已结束：没有进程。</translation>
    </message>
    <message>
        <source>This rank does not run.</source>
        <translation>该 rank 未在运行。</translation>
    </message>
    <message numerus="yes">
        <source>Asked %n ranks for their stacks.</source>
        <comment>Asked %n rank for its stacks.</comment>
        <translation>
            <numerusform>已请求 %n 个 rank 的调用栈。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was ended.</source>
        <translation>没有结束任何进程。</translation>
    </message>
    <message>
        <source>the run</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Killing %1.</source>
        <translation>正在强制结束 %1。</translation>
    </message>
    <message>
        <source>Stopping %1.</source>
        <translation>正在停止 %1。</translation>
    </message>
    <message>
        <source>Up Down PgUp PgDn  Esc: back  h help  q quit</source>
        <translation>Up Down PgUp PgDn  Esc：返回  h 帮助  q 退出</translation>
    </message>
    <message>
        <source>Reading the run.</source>
        <translation>正在读取任务。</translation>
    </message>
    <message>
        <source>No stacks yet. d dumps those of the rank, D of all.</source>
        <translation>还没有调用栈。d 转储该 rank 的，D 转储全部。</translation>
    </message>
    <message>
        <source>Up Down Enter: open a run  N NPUs  h help  q quit</source>
        <translation>Up Down Enter：打开任务  N NPU  h 帮助  q 退出</translation>
    </message>
    <message>
        <source>Nothing was started.</source>
        <translation>没有启动任何进程。</translation>
    </message>
</context>
<context>
    <name>rankdeck::TranslatedWindow</name>
    <message>
        <source>The language changes when the window is opened again.</source>
        <translation>下次打开窗口时切换语言。</translation>
    </message>
</context>
<context>
    <name>rankdeck::VerdictTabs</name>
    <message>
        <source>scheduler</source>
        <translation>scheduler</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>How</source>
        <translation>结束方式</translation>
    </message>
    <message>
        <source>Traceback</source>
        <translation>异常调用栈</translation>
    </message>
    <message>
        <source>Stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Last lines</source>
        <translation>末尾几行</translation>
    </message>
    <message>
        <source>It printed nothing.</source>
        <translation>没有任何输出。</translation>
    </message>
    <message>
        <source>&amp;Evidence</source>
        <translation>证据(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Ranks</source>
        <translation>rank(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>时间线(&amp;T)</translation>
    </message>
    <message>
        <source>Tr&amp;aceback</source>
        <translation>异常调用栈(&amp;A)</translation>
    </message>
    <message>
        <source>Stac&amp;ks</source>
        <translation>调用栈(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Last lines</source>
        <translation>末尾几行(&amp;L)</translation>
    </message>
    <message>
        <source>Double-click a line that names a source file to open it in your editor.</source>
        <translation>双击指明源文件的行，可在编辑器中打开该文件。</translation>
    </message>
    <message>
        <source>Open in editor</source>
        <translation>在编辑器中打开</translation>
    </message>
</context>
<context>
    <name>rankdeck::ViewPictures</name>
    <message>
        <source>&amp;Devices…</source>
        <translation>设备(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Training curves…</source>
        <translation>训练曲线(&amp;T)…</translation>
    </message>
    <message>
        <source>&amp;NPUs and processes…</source>
        <translation>NPU 与进程(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Error…</source>
        <translation>错误(&amp;E)…</translation>
    </message>
    <message>
        <source>T&amp;imeline of the merged logs…</source>
        <translation>合并日志的时间线(&amp;I)…</translation>
    </message>
</context>
<context>
    <name>rankdeck::ViewTabs</name>
    <message>
        <source>Views of the run</source>
        <translation>任务的视图</translation>
    </message>
    <message>
        <source>&amp;One rank&apos;s log</source>
        <translation>单个 rank 的日志(&amp;O)</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>&amp;All logs, tiled</source>
        <translation>所有日志，平铺(&amp;A)</translation>
    </message>
    <message>
        <source>Tiled</source>
        <translation>平铺</translation>
    </message>
    <message>
        <source>All logs, merge&amp;d</source>
        <translation>所有日志，合并(&amp;D)</translation>
    </message>
    <message>
        <source>Merged</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Training cur&amp;ves</source>
        <translation>训练曲线(&amp;V)</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>NPUs and processes</source>
        <translation>NPU 与进程</translation>
    </message>
    <message>
        <source>NPUs</source>
        <translation>NPU</translation>
    </message>
    <message>
        <source>&amp;Collectives</source>
        <translation>集合通信(&amp;C)</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>&amp;Terminals</source>
        <translation>终端(&amp;T)</translation>
    </message>
    <message>
        <source>Terminals</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>✖ Error</source>
        <comment>tab</comment>
        <translation>✖ 错误</translation>
    </message>
    <message>
        <source>Which rank failed, why, and what to do</source>
        <translation>哪个 rank 失败、原因以及处理方法</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>view, key</comment>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>rankdeck::WindowClosing</name>
    <message numerus="yes">
        <source>Stopping %n runs…</source>
        <comment>Stopping the run…</comment>
        <translation>
            <numerusform>正在停止 %n 个任务…</numerusform>
        </translation>
    </message>
    <message>
        <source>Not every run could be stopped</source>
        <translation>部分任务未能停止</translation>
    </message>
    <message>
        <source>No answer from %1. Close the window again to leave it running.</source>
        <translation>%1 没有应答。再次关闭窗口可让其继续运行。</translation>
    </message>
</context>
</TS>

#include "translation/pseudotranslation.h"
#include "support/testpaths.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

namespace rankdeck
{

namespace
{

/// Its output, both streams; a first line of its own where it fails.
QString run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(sourcePath(""));
    process.start(program, arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != 0)
        return QStringLiteral("%1 failed: %2\n").arg(program, process.errorString()) +
               QString::fromUtf8(process.readAll());
    return QString::fromUtf8(process.readAll());
}

/// Latin letters become Cyrillic ones, but for those of %1, %L1 and %n.
QString pseudo(const QString &source)
{
    QString text = source;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const ushort letter = text[at].unicode();
        const bool isPlace = at > 0 && text[at - 1] == QLatin1Char('%') && (letter == 'n' || letter == 'L');
        if (letter >= 'a' && letter <= 'z' && !isPlace)
            text[at] = QChar(0x430 + letter - 'a');
        else if (letter >= 'A' && letter <= 'Z' && !isPlace)
            text[at] = QChar(0x410 + letter - 'A');
    }
    return text;
}

bool translate(const QString &from, const QString &to)
{
    QFile in(from);
    QFile out(to);
    if (!in.open(QIODevice::ReadOnly) || !out.open(QIODevice::WriteOnly))
        return false;
    QXmlStreamReader reader(&in);
    QXmlStreamWriter writer(&out);
    QString source;
    bool hasForms = false;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement() && reader.name() == QLatin1String("message")) {
            hasForms = reader.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
        } else if (reader.isStartElement() && reader.name() == QLatin1String("source")) {
            source = reader.readElementText();
            writer.writeTextElement(QStringLiteral("source"), source);
            continue;
        } else if (reader.isStartElement() && reader.name() == QLatin1String("translation")) {
            reader.skipCurrentElement();
            writer.writeStartElement(QStringLiteral("translation"));
            if (hasForms)
                writer.writeTextElement(QStringLiteral("numerusform"), pseudo(source));
            else
                writer.writeCharacters(pseudo(source));
            writer.writeEndElement();
            continue;
        }
        writer.writeCurrentToken(reader);
    }
    return !reader.hasError();
}

} // namespace

QString makePseudoTranslation(const QString &folder)
{
    const QDir directory(folder + QStringLiteral("/translations"));
    if (!directory.mkpath(QStringLiteral(".")))
        return directory.path() + QStringLiteral(" cannot be made");
    const QString extracted = directory.filePath(QStringLiteral("extracted.ts"));
    const QString translated = directory.filePath(QStringLiteral("rankdeck_zh_CN.ts"));
    const QString said =
        run(QStringLiteral(LUPDATE),
            {QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-target-language"),
             QStringLiteral("zh_CN"), QStringLiteral("app"), QStringLiteral("core"), QStringLiteral("ui"),
             QStringLiteral("-ts"), extracted});
    static const QRegularExpression progress(
        QStringLiteral("^(Scanning directory|Updating|    Found \\d+ source text)"));
    QStringList complaints = said.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    complaints.removeIf([](const QString &line) { return progress.match(line).hasMatch(); });
    if (!complaints.isEmpty())
        return complaints.join(QLatin1Char('\n'));
    if (!translate(extracted, translated))
        return translated + QStringLiteral(" cannot be written");
    run(QStringLiteral(LRELEASE), {translated});
    return QFile::exists(directory.filePath(QStringLiteral("rankdeck_zh_CN.qm")))
               ? QString()
               : QStringLiteral("no .qm file");
}

QStringList englishWords(const QString &text)
{
    static const QRegularExpression data(QStringLiteral(
        // The command line of a tool that wraps ranks, behind its name.
        "\\((gdb|msprof|py-spy|valgrind)\\b[^)]*\\)|"
        // Options, variables and placeholders, file names and paths.
        "(--?[A-Za-z][\\w-]*)|(\\b[A-Z][A-Z0-9_]+\\b)|([\\w.~{}%-]*[/.][\\w./{}%-]+)|"
        // Values, as they stand in a file or are typed.
        "\\b(True|False|none|auto|on|off|fixed|forever|completed|template \\d \\(\\w+\\))|"
        // Programs and products, units.
        "\\b(rankdeckctl|rankdeck|davincirun|msrun|torchrun|processes|wrap|npu-smi|hccn_tool|dcmi|libdcmi|"
        "gdb|py-"
        "spy\\w*|"
        "msprof|valgrind|strace|ssh|srun|Slurm|MindSpore|PyTorch|Prometheus|Python|python3?|Ascend|300I "
        "Duo|Gloo|ms|GB|"
        "MB|KiB|MiB|GiB)\\b"));
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    QString rest = text;
    rest.replace(data, QStringLiteral(" "));
    QStringList words;
    for (auto found = word.globalMatch(rest); found.hasNext();)
        words << found.next().captured();
    return words;
}

} // namespace rankdeck

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
        return u"%1 failed: %2\n"_s.arg(program, process.errorString()) +
               QString::fromUtf8(process.readAll());
    return QString::fromUtf8(process.readAll());
}

/// Latin letters become Cyrillic ones, but for those of %1, %L1 and %n.
QString pseudo(const QString &source)
{
    QString text = source;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const ushort letter = text[at].unicode();
        const bool isPlace = at > 0 && text[at - 1] == '%'_L1 && (letter == 'n' || letter == 'L');
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
        if (reader.isStartElement() && reader.name() == "message"_L1) {
            hasForms = reader.attributes().value("numerus"_L1) == "yes"_L1;
        } else if (reader.isStartElement() && reader.name() == "source"_L1) {
            source = reader.readElementText();
            writer.writeTextElement(u"source"_s, source);
            continue;
        } else if (reader.isStartElement() && reader.name() == "translation"_L1) {
            reader.skipCurrentElement();
            writer.writeStartElement(u"translation"_s);
            if (hasForms)
                writer.writeTextElement(u"numerusform"_s, pseudo(source));
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
    const QDir directory(folder + u"/translations"_s);
    if (!directory.mkpath(u"."_s))
        return directory.path() + u" cannot be made"_s;
    const QString extracted = directory.filePath(u"extracted.ts"_s);
    const QString translated = directory.filePath(u"rankdeck_zh_CN.ts"_s);
    const QString said =
        run(QStringLiteral(LUPDATE), {u"-locations"_s, u"none"_s, u"-target-language"_s, u"zh_CN"_s, u"app"_s,
                                      u"core"_s, u"ui"_s, u"-ts"_s, extracted});
    static const QRegularExpression progress(u"^(Scanning directory|Updating|    Found \\d+ source text)"_s);
    QStringList complaints = said.split('\n'_L1, Qt::SkipEmptyParts);
    complaints.removeIf([](const QString &line) { return progress.match(line).hasMatch(); });
    if (!complaints.isEmpty())
        return complaints.join('\n'_L1);
    if (!translate(extracted, translated))
        return translated + u" cannot be written"_s;
    run(QStringLiteral(LRELEASE), {translated});
    return QFile::exists(directory.filePath(u"rankdeck_zh_CN.qm"_s)) ? QString() : u"no .qm file"_s;
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
    static const QRegularExpression word(u"[A-Za-z]{2,}"_s);
    QString rest = text;
    rest.replace(data, u" "_s);
    QStringList words;
    for (auto found = word.globalMatch(rest); found.hasNext();)
        words << found.next().captured();
    return words;
}

} // namespace rankdeck

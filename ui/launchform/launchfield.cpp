#include "launchform/launchfield.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

struct OptionName {
    const char *name;
    LaunchField field;
};

constexpr std::array optionNames{
    OptionName{"command", LaunchField::Command},
    OptionName{"--rank-table", LaunchField::RankTable},
    OptionName{"--converted-rank-table", LaunchField::ConvertedTable},
    OptionName{"--wait", LaunchField::Wait},
    OptionName{"--work-dir", LaunchField::WorkDir},
    OptionName{"--log-dir", LaunchField::LogDir},
    OptionName{"--grace", LaunchField::Grace},
    OptionName{"--env", LaunchField::Environment},
    OptionName{"--name", LaunchField::Name},
};

/// Whether `where` is `path`, a file under it, or a place in it ("path:3:14", "path /servers/0").
bool isAt(const QString &where, const QString &path)
{
    static const QLatin1String ends(": /");
    return !path.isEmpty() && where.startsWith(path) &&
           (where.size() == path.size() || ends.contains(where.at(path.size())));
}

/// Whether `where` begins with `name` as a word: "--log-dir /root/x" does, "--log-directory" does not.
bool names(const QString &where, QLatin1String name)
{
    return where.startsWith(name) && (where.size() == name.size() || where.at(name.size()).isSpace() ||
                                      where.at(name.size()) == QLatin1Char(':'));
}

QString upperFirst(QString text)
{
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

/// The option that `text` mentions, if any.
const OptionName *mentioned(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("--[a-z-]+"));
    const QString name = pattern.match(text).captured();
    const auto found = std::find_if(optionNames.begin(), optionNames.end(), [&](const OptionName &option) {
        return name == QLatin1String(option.name);
    });
    return found == optionNames.end() ? nullptr : &*found;
}

} // namespace

LaunchField fieldOf(const Error &error, const PreviewResult &context)
{
    for (const OptionName &option : optionNames) {
        if (names(error.where, QLatin1String(option.name)))
            return option.field;
    }
    if (isAt(error.where, context.tablePath))
        return LaunchField::RankTable;
    if (const OptionName *option = mentioned(error.mend))
        return option->field;
    if (!context.plan)
        return LaunchField::None;
    for (const PlannedFile &file : context.plan->files) {
        if (isAt(error.where, file.path) || error.where == QFileInfo(file.path).path())
            return LaunchField::ConvertedTable;
    }
    for (const ProcessPlan &process : context.plan->processes) {
        if (isAt(error.where, QFileInfo(process.logFile).path()))
            return LaunchField::LogDir;
        if (error.where == process.workDir)
            return LaunchField::WorkDir;
        if (error.where == process.label() ||
            (!process.argv.isEmpty() && error.where == process.argv.first()))
            return LaunchField::Command;
    }
    return LaunchField::None;
}

QString sentenceAt(LaunchField field, const Error &error, const PreviewResult &context)
{
    Error shown = error;
    shown.what = upperFirst(shown.what);
    if (shown.mend.isEmpty() && !shown.what.endsWith(QLatin1Char('.')))
        shown.what += QLatin1Char('.');
    if (field == LaunchField::None)
        return shown.sentence();
    if (field == LaunchField::RankTable && isAt(shown.where, context.tablePath))
        shown.where.remove(0, context.tablePath.lastIndexOf(QLatin1Char('/')) + 1);
    for (const OptionName &option : optionNames) {
        if (shown.where == QLatin1String(option.name))
            shown.where.clear();
    }
    if (const OptionName *option = mentioned(shown.mend)) {
        const QString name = QLatin1String(option->name);
        if (option->field == field)
            shown.mend.replace(QStringLiteral("with ") + name,
                               QCoreApplication::translate("rankdeck::LaunchForm", "here"));
        else
            shown.mend.replace(QStringLiteral("with ") + name,
                               QCoreApplication::translate("rankdeck::LaunchForm", "below"));
    }
    return shown.sentence();
}

} // namespace rankdeck

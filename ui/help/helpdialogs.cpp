#include "help/helpdialogs.h"

#include "diagnosis/catalogue/errorcatalogue.h"
#include "widgets/labels.h"
#include "widgets/widgetparts.h"

#include <QAction>
#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QSysInfo>
#include <QTreeWidget>

namespace rankdeck
{

/// Adds the actions that have keys and a text below an item with the title; adds nothing if there are none.
static void addGroup(QTreeWidget *tree, const QString &title, const QList<QAction *> &actions)
{
    QList<QTreeWidgetItem *> items;
    for (const QAction *action : actions) {
        if (action->menu() || action->shortcut().isEmpty() || action->text().isEmpty())
            continue;
        const QStringList keys = listOf(action->shortcuts(), [](const QKeySequence &sequence) {
            return sequence.toString(QKeySequence::NativeText);
        });
        items << new QTreeWidgetItem({withoutMnemonic(action->text()), keys.join(u", "_s)});
    }
    if (items.isEmpty())
        return;
    auto *group = new QTreeWidgetItem(tree, {title});
    group->setFirstColumnSpanned(true);
    group->addChildren(items);
}

/// Returns the actions of a menu and of its submenus; none for null.
static QList<QAction *> actionsOf(const QMenu *menu)
{
    QList<QAction *> actions;
    for (QAction *action : menu ? menu->actions() : QList<QAction *>()) {
        actions << action;
        actions << actionsOf(action->menu());
    }
    return actions;
}

static void showMatching(QTreeWidget *tree, const QString &words)
{
    for (int at = 0; at < tree->topLevelItemCount(); ++at) {
        QTreeWidgetItem *group = tree->topLevelItem(at);
        bool isEmpty = true;
        for (int child = 0; child < group->childCount(); ++child) {
            QTreeWidgetItem *item = group->child(child);
            const bool isWanted = item->text(0).contains(words, Qt::CaseInsensitive) ||
                                  item->text(1).contains(words, Qt::CaseInsensitive);
            item->setHidden(!isWanted);
            isEmpty = isEmpty && !isWanted;
        }
        group->setHidden(isEmpty);
    }
}

ShortcutsDialog::ShortcutsDialog(QWidget *window)
    : QDialog(window)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Keyboard shortcuts"));
    auto *filter = filterEdit(this, "shortcutFilter", tr("Filter by words or keys"));
    auto *tree = named(new QTreeWidget, "shortcuts", tr("Keyboard shortcuts"));
    tree->setHeaderLabels({tr("Action"), tr("Keys")});
    tree->setRootIsDecorated(false);
    tree->setItemsExpandable(false);

    QList<QAction *> rest = window->findChildren<QAction *>();
    if (const auto *main = qobject_cast<QMainWindow *>(window)) {
        for (const QAction *menu : main->menuBar()->actions()) {
            const QList<QAction *> actions = actionsOf(menu->menu());
            addGroup(tree, withoutMnemonic(menu->text()), actions);
            rest.removeIf([&](QAction *action) { return actions.contains(action); });
        }
    }
    addGroup(tree, tr("Elsewhere in the window"), rest);
    tree->expandAll();
    tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(filter, &QLineEdit::textChanged, this,
            [tree](const QString &words) { showMatching(tree, words.trimmed()); });
    addParts(new QVBoxLayout(this), {filter, tree, buttons});
    resizeInText(this, 70, 32);
}

static QString textOf(const ErrorEntry &entry)
{
    const QLocale locale;
    QStringList lines{entry.title.in(locale), QString(), entry.meaning.in(locale), QString(),
                      entry.mend.in(locale)};
    for (const QString &command : entry.filledIn())
        lines << u"    "_s + command;
    if (!entry.source.isEmpty())
        lines << QString() << tr("Source: %1").arg(entry.source);
    return lines.join('\n'_L1);
}

static QString explain(const QString &asked)
{
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    QStringList texts;
    if (const ErrorEntry *entry = catalogue.find(asked))
        texts << textOf(*entry);
    QByteArray line = asked.toUtf8();
    QBuffer buffer(&line);
    buffer.open(QIODevice::ReadOnly);
    if (texts.isEmpty() && !asked.isEmpty())
        (void)scanForErrors(buffer, catalogue, [&](const KnownLine &known) { texts << textOf(known.entry); });
    if (const auto &error = catalogue.userFileError())
        texts << error->sentence();
    if (texts.isEmpty() && !asked.isEmpty())
        return tr("Unknown. Paste the code alone, e.g. EI0006 or 507035, or a whole line of a log.");
    return texts.join(u"\n\n"_s);
}

ExplainDialog::ExplainDialog(QWidget *parent)
    : QDialog(parent)
    , m_asked(filterEdit(this, "explainCode", tr("Error code or line of a log, e.g. EI0006")))
    , m_answer(readOnlyText("explainAnswer", tr("Explanation")))
    , m_search(this, [this](const QString &text) { m_answer->setPlainText(text); })
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Explain an error code"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_asked, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_search.ask([asked = text.trimmed()](const auto &) { return explain(asked); });
    });
    addParts(new QVBoxLayout(this), {m_asked, m_answer, buttons});
    resizeInText(this, 80, 20);
}

/// Returns the report, in English in every language of the window.
static QString versionReport(const QScreen *screen)
{
    const QSize pixels = screen->size() * screen->devicePixelRatio();
    return u"Rankdeck %1\nSystem: %2, %3 %4, %5\nDisplay: %6, %7x%8, scale %9\n"_s
        .arg(QCoreApplication::applicationVersion(), QSysInfo::prettyProductName(), QSysInfo::kernelType(),
             QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture(), QGuiApplication::platformName())
        .arg(pixels.width())
        .arg(pixels.height())
        .arg(screen->devicePixelRatio());
}

AboutBox::AboutBox(QWidget *parent)
    : QMessageBox(parent)
{
    setUpBox(this, "aboutBox", QMessageBox::NoIcon, tr("About Rankdeck"),
             tr("Rankdeck %1").arg(QCoreApplication::applicationVersion()));
    constexpr int iconSize = 64;
    setIconPixmap(rankdeckIcon().pixmap(iconSize, iconSize));
    setInformativeText(
        tr("Launches and monitors distributed training on Ascend NPUs.\n\nApache License 2.0"));
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setStandardButtons(QMessageBox::Close);
    setDefaultButton(QMessageBox::Close);
    auto *copy = named(addButton(tr("&Copy"), QMessageBox::ActionRole), "copyVersionButton");
    copy->setToolTip(tr("Copies version, system and display, for a report of a bug"));
    copy->disconnect(); // Otherwise the button would close the box.
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(versionReport(screen())); });
}

} // namespace rankdeck

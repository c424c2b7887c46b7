#include "help/manualwindow.h"

#include "base/language.h"

#include <QAction>
#include <QDesktopServices>
#include <QDirIterator>
#include <QFile>
#include <QKeyEvent>
#include <QListWidget>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>

#include <algorithm>

namespace rankdeck
{

static ManualPage readPage(const QString &name, const QString &path)
{
    QFile file(path);
    ManualPage page{name, name, {}};
    if (!file.open(QIODevice::ReadOnly))
        return page;
    page.text = QString::fromUtf8(file.readAll());
    static const QRegularExpression heading(u"^# (.+)$"_s, QRegularExpression::MultilineOption);
    if (const auto found = heading.match(page.text); found.hasMatch())
        page.title = found.captured(1).trimmed();
    return page;
}

/// Returns where a page is in the language of the program, or in English if it has none in that language:
/// "qrc:/manual/en/logs.md" for "logs.md".
static QString manualAddress(const QString &name)
{
    const QString path = u":/manual/%1/%2"_s.arg(installedLanguage(), name);
    return u"qrc"_s + (QFile::exists(path) ? path : u":/manual/en/"_s + name);
}

QList<ManualPage> manualPages()
{
    const QDir folder(u":/manual/en"_s);
    QList<ManualPage> pages;
    for (QDirIterator file(folder.path(), QDir::Files, QDirIterator::Subdirectories); file.hasNext();) {
        const QString name = folder.relativeFilePath(file.next());
        pages << readPage(name, manualAddress(name).mid(3));
    }
    std::ranges::sort(pages, {}, &ManualPage::name);
    const QString index = u"index.md"_s;
    const auto place = std::ranges::find(pages, index, &ManualPage::name);
    const QString links = place == pages.end() ? QString() : place->text;
    const auto rank = [&](const ManualPage &page) {
        const qsizetype at = links.indexOf(u"(%1"_s.arg(page.name));
        return page.name == index ? qsizetype(-1) : at < 0 ? links.size() : at;
    };
    std::ranges::stable_sort(pages, {}, rank);
    return pages;
}

QString headingAnchor(const QString &heading)
{
    QString anchor;
    for (const QChar letter : heading.toLower()) {
        if (letter.isLetterOrNumber() || letter == '_'_L1 || letter == '-'_L1)
            anchor += letter;
        else if (letter == ' '_L1)
            anchor += '-'_L1;
    }
    return anchor;
}

/// Returns how often a page contains all of `words`: the count of the rarest one, without regard to case. 0
/// if one is missing, or if there are none.
static int hitsOf(const ManualPage &page, const QStringList &words)
{
    qsizetype rarest = words.isEmpty() ? 0 : page.text.size();
    for (const QString &word : words)
        rarest = std::min(rarest, page.text.count(word, Qt::CaseInsensitive));
    return int(rarest);
}

constexpr int nameRole = Qt::UserRole;

/// Returns "logs.md" for "/manual/en/logs.md".
static QString nameOf(const QUrl &page)
{
    return page.path().section('/'_L1, 3);
}

static void addKey(QWidget *widget, const QKeySequence &keys, std::function<void()> act)
{
    auto *action = new QAction(widget);
    action->setShortcut(keys);
    widget->addAction(action);
    QObject::connect(action, &QAction::triggered, widget, std::move(act));
}

ManualWindow::ManualWindow(QWidget *parent)
    : QWidget(parent, Qt::Window)
    , m_pages(manualPages())
    , m_search(filterEdit(this, "manualSearch", tr("Search the manual")))
    , m_list(named(new QListWidget, "manualPages", tr("Pages")))
    , m_text(named(new QTextBrowser, "manualText", tr("Page")))
    , m_back(flatButton(this, u"←"_s, tr("Back (Alt+Left)")))
    , m_forward(flatButton(this, u"→"_s, tr("Forward (Alt+Right)")))
{
    setObjectName(u"manualWindow"_s);
    setWindowTitle(tr("Rankdeck manual"));
    m_text->setOpenLinks(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // The tool tip has the whole title.
    auto *bar = rowOf({m_back, m_forward, m_search});
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(bar);
    auto *splitter = splitterOf(Qt::Horizontal, {m_list, m_text}, {0, 1});
    splitter->setSizes({fontMetrics().averageCharWidth() * 36, fontMetrics().averageCharWidth() * 94});
    layout->addWidget(splitter, 1);
    chainTabOrder({m_search, m_list, m_text, m_back, m_forward});

    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem *item) {
        if (item)
            showPage(item->data(nameRole).toString());
    });
    connect(m_search, &QLineEdit::textChanged, this, &ManualWindow::listPages);
    connect(m_search, &QLineEdit::returnPressed, this, &ManualWindow::findNext);
    connect(m_text, &QTextBrowser::anchorClicked, this, &ManualWindow::follow);
    connect(m_text, &QTextBrowser::sourceChanged, this, &ManualWindow::markWords);
    connect(m_text, &QTextBrowser::backwardAvailable, m_back, &QWidget::setEnabled);
    connect(m_text, &QTextBrowser::forwardAvailable, m_forward, &QWidget::setEnabled);
    connect(m_back, &QToolButton::clicked, m_text, &QTextBrowser::backward);
    connect(m_forward, &QToolButton::clicked, m_text, &QTextBrowser::forward);
    addKey(this, Qt::ALT | Qt::Key_Left, [this] { m_text->backward(); });
    addKey(this, Qt::ALT | Qt::Key_Right, [this] { m_text->forward(); });
    addKey(this, QKeySequence::Find, [this] { m_search->setFocus(Qt::ShortcutFocusReason); });
    addKey(this, QKeySequence::FindNext, [this] { findNext(); });
    m_back->setEnabled(false);
    m_forward->setEnabled(false);
    resizeInText(this, 130, 42);
    listPages();
}

void ManualWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape)
        QWidget::keyPressEvent(event);
    else if (m_search->text().isEmpty())
        close();
    else
        m_search->clear();
}

void ManualWindow::open(const QString &page)
{
    m_search->clear();
    showPage(page);
    show();
    raise();
    activateWindow();
    m_text->setFocus(Qt::OtherFocusReason);
}

void ManualWindow::showPage(const QString &page)
{
    const QString name = page.section('#'_L1, 0, 0);
    const QString anchor = page.section('#'_L1, 1);
    if (const QUrl url(manualAddress(name)); url != m_text->source())
        m_text->setSource(url, QTextDocument::MarkdownResource);
    for (int row = 0; row < m_list->count(); ++row) {
        const QSignalBlocker blocker(m_list);
        if (m_list->item(row)->data(nameRole).toString() == name)
            m_list->setCurrentRow(row);
    }
    // Qt's Markdown has no anchors.
    for (QTextBlock block = m_text->document()->begin(); !anchor.isEmpty() && block.isValid();
         block = block.next()) {
        if (block.blockFormat().headingLevel() > 0 && headingAnchor(block.text()) == anchor) {
            QTextCursor end(m_text->document());
            end.movePosition(QTextCursor::End);
            m_text->setTextCursor(end); // Scrolls so that the heading is at the top.
            m_text->setTextCursor(QTextCursor(block));
            return;
        }
    }
}

void ManualWindow::follow(const QUrl &link)
{
    const QUrl url = m_text->source().resolved(link);
    if (url.scheme() == "qrc"_L1)
        showPage(nameOf(url) + '#'_L1 + url.fragment(QUrl::FullyDecoded));
    else
        QDesktopServices::openUrl(url);
}

void ManualWindow::listPages()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    for (const ManualPage &page : std::as_const(m_pages)) {
        const int hits = hitsOf(page, words());
        if (hits == 0 && !words().isEmpty())
            continue;
        auto *item =
            new QListWidgetItem(hits > 0 ? tr("%1 (%2)").arg(page.title).arg(hits) : page.title, m_list);
        item->setData(nameRole, page.name);
        item->setToolTip(page.title);
        if (page.name == nameOf(m_text->source()))
            m_list->setCurrentItem(item);
    }
    if (m_list->count() == 0) {
        auto *item = new QListWidgetItem(tr("No page has all of these words."), m_list);
        item->setFlags(Qt::NoItemFlags);
    }
    markWords();
}

void ManualWindow::markWords()
{
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString &word : words()) {
        QTextCursor cursor(m_text->document());
        for (cursor = m_text->document()->find(word, cursor); !cursor.isNull();
             cursor = m_text->document()->find(word, cursor)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = cursor;
            mark.format.setBackground(palette().highlight());
            mark.format.setForeground(palette().highlightedText());
            marks << mark;
        }
    }
    m_text->setExtraSelections(marks);
}

void ManualWindow::findNext()
{
    if (words().isEmpty())
        return;
    if (m_text->find(words().first()))
        return;
    // Nothing more here: the next page of the list, or this one from its top.
    if (m_list->count() > 0 && m_list->item(0)->flags() != Qt::NoItemFlags)
        m_list->setCurrentRow((m_list->currentRow() + 1) % m_list->count());
    m_text->moveCursor(QTextCursor::Start);
    m_text->find(words().first());
}

} // namespace rankdeck

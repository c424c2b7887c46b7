#include "mainwindow/window/emptypage.h"

#include "widgets/labels.h"
#include "widgets/widgetparts.h"

#include <QDir>
#include <QPainter>
#include <QScrollArea>
#include <QSettings>
#include <QStyleOptionButton>

namespace rankdeck
{

constexpr int mostRecent = 5;
constexpr int mostLetters = 95;
constexpr int iconSize = 48;
constexpr int demoColumns = 2;
const QString recentKey = u"window/recentPaths"_s;

namespace
{

/// A button with a title and, below it, a description. QCommandLinkButton has text of 9 points in any font.
class StartCard : public QPushButton
{
public:
    StartCard(const QString &title, const QString &what, QWidget *parent)
        : QPushButton(title, parent)
        , m_what(what)
    {
        setAccessibleDescription(what);
        setAutoDefault(false);
        setFlat(true);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }

    QSize sizeHint() const override
    {
        const QFontMetrics titles(titleFont());
        const int text =
            std::max(titles.horizontalAdvance(shownTitle()), fontMetrics().horizontalAdvance(m_what));
        return {textLeft() + text + around, 2 * around + titles.height() + fontMetrics().height()};
    }
    QSize minimumSizeHint() const override { return {textLeft() + around, sizeHint().height()}; }
    int heightForWidth(int width) const override
    {
        const QRect room(0, 0, std::max(width - textLeft() - around, 1), QWIDGETSIZE_MAX);
        return 2 * around + QFontMetrics(titleFont()).height() +
               fontMetrics().boundingRect(room, Qt::TextWordWrap, m_what).height();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        const QRect icon(around, (height() - iconSide()) / 2, iconSide(), iconSide());
        const QIcon symbol = std::exchange(option.icon, {});
        option.text.clear();
        style()->drawControl(QStyle::CE_PushButton, &option, &painter, this);
        symbol.paint(&painter, icon);
        painter.setPen(palette().color(QPalette::ButtonText));
        const QRect words = rect().adjusted(textLeft(), around, -around, -around);
        painter.setFont(titleFont());
        const QString title =
            painter.fontMetrics().elidedText(text(), Qt::ElideRight, words.width(), Qt::TextShowMnemonic);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignTop | Qt::TextShowMnemonic, title);
        const QRect below = words.adjusted(0, painter.fontMetrics().height(), 0, 0);
        painter.setFont(font());
        painter.drawText(below, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_what);
    }

private:
    static constexpr int around = 8; ///< Pixels, on each side.

    QFont titleFont() const
    {
        QFont bold = font();
        bold.setBold(true);
        return bold;
    }
    QString shownTitle() const { return text().remove('&'_L1); }
    int iconSide() const { return fontMetrics().height(); }
    int textLeft() const { return 2 * around + iconSide(); }

    QString m_what;
};

} // namespace

QStringList recentPaths()
{
    return QSettings().value(recentKey).toStringList().mid(0, mostRecent);
}

void addRecentPath(const QString &path)
{
    QStringList paths = recentPaths();
    paths.removeAll(path);
    paths.prepend(path);
    QSettings().setValue(recentKey, paths.mid(0, mostRecent));
}

EmptyPage::EmptyPage()
{
    setObjectName(u"emptyPage"_s);
    setManualPage(this, "index.md");
    auto *icon = new QLabel(this);
    icon->setPixmap(rankdeckIcon().pixmap(iconSize, iconSize));
    auto *title = new QLabel(tr("Rankdeck"), this);
    makeBold(title, 1.6);
    auto *about =
        plainLabel("", tr("Launch distributed training on Ascend NPUs, watch every rank, and see which one "
                          "failed first and why."));
    auto *head = new QHBoxLayout;
    head->setSpacing(14);
    head->addWidget(icon);
    auto *words = new QVBoxLayout;
    addParts(words, {title, about});
    head->addLayout(words, 1);

    auto *cards = new QGridLayout;
    QGridLayout *into = cards;
    const auto addCard = [&](int row, int column, const QString &text, const QString &what,
                             const char *symbol, const char *name, auto slot) {
        auto *card = named(new StartCard(text, what, this), name);
        adaptToPalette(this, [this, card, symbol] { card->setIcon(toolIcon(symbol, palette())); });
        connect(card, &QPushButton::clicked, this, slot);
        into->addWidget(card, row, column);
    };
    addCard(0, 0, tr("&Launch…"), tr("A script, its ranks and options"), "media-playback-start",
            "emptyLaunchButton", &EmptyPage::launchRequested);
    addCard(0, 1, tr("&Paste a command line…"), tr("Of torchrun, msrun or davincirun"), "edit-paste",
            "emptyPasteButton", &EmptyPage::pasteRequested);
    addCard(1, 0, tr("Open l&ogs…"), tr("A directory that any launcher left"), "folder-open",
            "emptyLogsButton", &EmptyPage::logsRequested);
    addCard(1, 1, tr("Open &report…"), tr("A bundle from a colleague, or a log file"), "document-save",
            "emptyBundleButton", &EmptyPage::bundleRequested);
    addCard(2, 0, tr("Rank &table…"), tr("Check it without a launch"), "view-list-details",
            "emptyRankTableButton", &EmptyPage::rankTableRequested);
    auto *demoCards = new QGridLayout;
    into = demoCards;
    int index = 0;
    for (const DemoEntry &entry : demos()) {
        const QByteArray name = "demoButton-" + entry.word.toLatin1();
        addCard(index / demoColumns, index % demoColumns, entry.title, upperFirst(entry.summary),
                "media-playback-start", name.constData(),
                [this, demo = entry.demo] { Q_EMIT demoRequested(demo); });
        ++index;
    }
    for (QGridLayout *const grid : {cards, demoCards}) {
        for (int column = 0; column < grid->columnCount(); ++column)
            grid->setColumnStretch(column, 1);
    }
    auto *demoHeading = new QLabel(tr("Demos, on NPUs that are invented"), this);
    makeBold(demoHeading);

    auto *middle = new QWidget(this);
    adaptToFont(middle, [middle] {
        middle->setMaximumWidth(mostLetters * middle->fontMetrics().horizontalAdvance(u'n'));
    });
    m_layout = withoutMargins(new QVBoxLayout(middle));
    addParts(m_layout, {head, Gap{10}, cards, Gap{10}, demoHeading, demoCards, Gap{10}});
    m_layout->addWidget(
        plainLabel("", tr("Or select a run on the left, or drop a rank table, logs or a report here.")));
    auto *page = new QWidget;
    auto *layout = new QGridLayout(page);
    layout->setRowStretch(0, 1);
    layout->setRowStretch(2, 2);
    layout->setColumnStretch(0, 1);
    layout->setColumnStretch(1, 100);
    layout->setColumnStretch(2, 1);
    layout->addWidget(middle, 1, 1);
    auto *area = new QScrollArea(this);
    area->setWidget(page);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    withoutMargins(new QVBoxLayout(this))->addWidget(area);
}

void EmptyPage::showRecent()
{
    delete m_recent;
    m_recent = named(new QWidget(this), "recentPaths");
    auto *layout = withoutMargins(new QVBoxLayout(m_recent), 0);
    for (const QString &path : recentPaths()) {
        if (layout->isEmpty()) {
            auto *heading = new QLabel(tr("Opened last"));
            makeBold(heading);
            layout->addWidget(heading);
        }
        // With its parent it differs from others: "job12/log".
        auto *button = flatButton(m_recent, QDir::cleanPath(path).section('/'_L1, -2), path);
        connect(button, &QToolButton::clicked, this, [this, path] { Q_EMIT pathRequested(path); });
        layout->addWidget(button);
    }
    m_layout->addWidget(m_recent);
}

} // namespace rankdeck

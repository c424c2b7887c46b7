#include "widgets/widgetparts.h"

#include "background/inbackground.h"
#include "widgets/preferences.h"

#include <QEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFontInfo>
#include <QHeaderView>
#include <QPainter>
#include <QSaveFile>
#include <QTableView>

namespace rankdeck
{

QLabel *lineLabel(const char *name, const QString &text)
{
    auto *label = named(new QLabel, name);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    return label;
}

QLabel *plainLabel(const char *name, const QString &text)
{
    QLabel *label = lineLabel(name, text);
    label->setWordWrap(true);
    return label;
}

QLabel *labelOf(QWidget *field, const QString &text)
{
    auto *label = new QLabel(text);
    label->setBuddy(field);
    return label;
}

QIcon toolIcon(const char *name, const QPalette &palette)
{
    QPixmap pixmap(u":/icons/%1.png"_s.arg(QLatin1String(name)));
    if (!pixmap.isNull()) {
        QPainter painter(&pixmap);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), palette.color(QPalette::ButtonText));
    }
    return QIcon::fromTheme(QLatin1String(name), QIcon(pixmap));
}

QIcon rankdeckIcon()
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addFile(u":/desktop/rankdeck-%1.png"_s.arg(size), {size, size});
    return icon;
}

QPushButton *plainButton(const QString &text, const char *name)
{
    auto *button = named(new QPushButton(text), name);
    button->setAutoDefault(false);
    return button;
}

QToolButton *flatButton(QWidget *parent, const QString &text, const QString &toolTip)
{
    auto *button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QLabel *resultLabel(const char *name)
{
    QLabel *label = lineLabel(name);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

void showResult(QLabel *line, const QString &result)
{
    if (line->text() == result)
        return;
    line->setText(result);
    line->setToolTip(result);
}

QPlainTextEdit *readOnlyText(const char *name, const QString &spoken)
{
    auto *text = named(new QPlainTextEdit, name, spoken);
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    return text;
}

QLineEdit *filterEdit(QWidget *parent, const char *name, const QString &words)
{
    auto *edit = named(new QLineEdit(parent), name, words);
    edit->setPlaceholderText(words);
    edit->setClearButtonEnabled(true);
    return edit;
}

QSplitter *splitterOf(Qt::Orientation orientation, std::initializer_list<QWidget *> widgets,
                      std::initializer_list<int> stretch)
{
    auto *splitter = new QSplitter(orientation);
    for (QWidget *widget : widgets)
        splitter->addWidget(widget);
    splitter->setChildrenCollapsible(false);
    for (const int factor : stretch)
        splitter->setStretchFactor(int(&factor - stretch.begin()), factor);
    return splitter;
}

constexpr char manualPageProperty[] = "manualPage";

void setManualPage(QWidget *widget, const char *page)
{
    widget->setProperty(manualPageProperty, QLatin1String(page));
}

QString manualPageOf(const QWidget *widget)
{
    for (; widget; widget = widget->parentWidget()) {
        const QString page = widget->property(manualPageProperty).toString();
        if (!page.isEmpty())
            return page;
    }
    return u"index.md"_s;
}

void addParts(QBoxLayout *layout, std::initializer_list<LayoutPart> parts)
{
    for (const LayoutPart &part : parts) {
        if (part.widget)
            layout->addWidget(part.widget, part.stretch, part.alignment);
        else if (part.layout)
            layout->addLayout(part.layout, part.stretch);
        else if (part.gap > 0)
            layout->addSpacing(part.gap);
        else
            layout->addStretch(part.stretch);
    }
}

QHBoxLayout *rowOf(std::initializer_list<LayoutPart> parts)
{
    auto *row = new QHBoxLayout;
    addParts(row, parts);
    return row;
}

void chainTabOrder(const QList<QWidget *> &order)
{
    for (qsizetype i = 1; i < order.size(); ++i)
        QWidget::setTabOrder(order.at(i - 1), order.at(i));
}

void useFixedFont(QWidget *widget)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QFontInfo(font).pointSizeF() * appliedZoom());
    widget->setFont(font);
}

void setTextColor(QWidget *widget, const QColor &color)
{
    QPalette own = widget->palette();
    own.setColor(QPalette::WindowText, color);
    widget->setPalette(own);
}

static void onChange(QWidget *widget, QEvent::Type type, std::function<void()> changed)
{
    /// Sees the events of its parent.
    class Watch : public QObject
    {
    public:
        Watch(QWidget *widget, QEvent::Type type, std::function<void()> changed)
            : QObject(widget)
            , m_type(type)
            , m_changed(std::move(changed))
        {
            widget->installEventFilter(this);
        }
        bool eventFilter(QObject * /*watched*/, QEvent *event) override
        {
            if (event->type() == m_type)
                m_changed();
            return false;
        }

    private:
        QEvent::Type m_type;
        std::function<void()> m_changed;
    };
    new Watch(widget, type, std::move(changed)); // Its parent deletes it.
}

void onPaletteChange(QWidget *widget, std::function<void()> changed)
{
    onChange(widget, QEvent::PaletteChange, std::move(changed));
}

void adaptToPalette(QWidget *widget, const std::function<void()> &adapt)
{
    adapt();
    onPaletteChange(widget, adapt);
}

void adaptToFont(QWidget *widget, const std::function<void()> &adapt)
{
    adapt();
    onChange(widget, QEvent::FontChange, adapt);
}

void resizeInText(QWidget *window, int letters, int lines)
{
    constexpr QSize frame(16, 48);
    // The average width of a Chinese font is that of its Chinese characters.
    const QFontMetrics metrics = window->fontMetrics();
    window->resize(QSize(letters * metrics.horizontalAdvance(u'n'), lines * metrics.height())
                       .boundedTo(window->screen()->availableSize() - frame));
}

void fitRowsToText(QTableView *table)
{
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    adaptToFont(table, [table] {
        constexpr int around = 6;
        table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().lineSpacing() + around);
    });
}

void makeBold(QWidget *widget, double factor)
{
    QFont font = widget->font();
    if (factor != 1)
        font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(true);
    widget->setFont(font);
}

QFileDialog *openFileDialog(QWidget *parent, const QString &title, const QStringList &filters)
{
    auto *dialog = new QFileDialog(parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(filters);
    return dialog;
}

QFileDialog *saveFileDialog(QWidget *parent, const QString &title, const QString &path,
                            const QStringList &filters, const QString &suffix)
{
    auto *dialog = new QFileDialog(parent, title, path);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    return dialog;
}

void setUpBox(QMessageBox *box, const char *name, QMessageBox::Icon icon, const QString &title,
              const QString &text)
{
    named(box, name)->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(icon);
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(title);
    box->setText(text);
}

void showProblem(QWidget *parent, const QString &title, const QString &sentence)
{
    auto *box = new QMessageBox(parent);
    setUpBox(box, "problemBox", QMessageBox::Warning, title, title + u"\n\n"_s + sentence);
    box->open();
}

static std::optional<Error> writeWhole(const QString &path,
                                       const std::function<std::optional<Error>(QIODevice &)> &write)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        if (auto error = write(file))
            return error;
        if (file.error() == QFileDevice::NoError && file.commit())
            return {};
    }
    return Error{tr("cannot be written: %1").arg(problemOf(file)), path, tr("Select another location.")};
}

std::optional<Error> saveText(const QString &text, const QString &path)
{
    return writeWhole(path, [&text](QIODevice &file) {
        file.write(text.toUtf8());
        return std::optional<Error>();
    });
}

void askWhereToSave(QWidget *parent, const QString &title, const QString &fileName,
                    const std::function<void(const QString &)> &then)
{
    const QString suffix = QFileInfo(fileName).suffix();
    QFileDialog *dialog = saveFileDialog(parent, title, {}, {u"*."_s + suffix}, suffix);
    dialog->selectFile(fileName);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, then);
    dialog->open();
}

void saveInBackground(QWidget *parent, const QString &title, const QString &path,
                      std::function<std::optional<Error>(QIODevice &)> write)
{
    inBackground(
        parent, [path, write = std::move(write)] { return writeWhole(path, write); },
        [parent, title](const std::optional<Error> &error) {
            if (!error)
                return;
            auto *box = new QMessageBox(parent);
            box->setStandardButtons(QMessageBox::Close);
            setUpBox(box, "", QMessageBox::Warning, title, error->sentence());
            box->open();
        });
}

void showLines(QPlainTextEdit *edit, int lines)
{
    static constexpr char property[] = "linesShown";
    const bool isFirst = !edit->property(property).isValid();
    edit->setProperty(property, lines);
    const auto fit = [edit] {
        constexpr int aroundText = 14; // Frame and margins, pixels.
        const int shown = edit->property(property).toInt();
        edit->setFixedHeight(edit->fontMetrics().lineSpacing() * shown + aroundText);
    };
    if (isFirst)
        adaptToFont(edit, fit);
    else
        fit();
}

constexpr int groupSpacing = 6;

void WrappingRow::setGroups(QHBoxLayout *first, int firstStretch, QHBoxLayout *second, int secondStretch)
{
    m_first = first;
    m_second = second;
    m_rows = withoutMargins(new QBoxLayout(QBoxLayout::LeftToRight, this));
    for (QBoxLayout *const each : std::array<QBoxLayout *, 3>{m_first, m_second, m_rows})
        each->setSpacing(groupSpacing);
    m_rows->addLayout(m_first, firstStretch);
    m_rows->addLayout(m_second, secondStretch);
}

QSize WrappingRow::minimumSizeHint() const
{
    const QMargins around = m_rows->contentsMargins();
    const int width = std::max(m_first->minimumSize().width(), m_second->minimumSize().width());
    return {width + around.left() + around.right(), QWidget::minimumSizeHint().height()};
}

bool WrappingRow::event(QEvent *event)
{
    if (m_rows && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        arrange();
    return QWidget::event(event);
}

void WrappingRow::arrange()
{
    const QMargins around = m_rows->contentsMargins();
    const int needed = m_first->minimumSize().width() + groupSpacing + m_second->minimumSize().width();
    const auto direction =
        width() < needed + around.left() + around.right() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_rows->direction() != direction)
        m_rows->setDirection(direction);
}

} // namespace rankdeck

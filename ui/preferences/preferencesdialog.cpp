#include "preferences/preferencesdialog.h"

#include "launch/spec/optionrows.h"
#include "widgets/labels.h"

#include <QFontComboBox>
#include <QGridLayout>
#include <QLocale>
#include <QScrollArea>
#include <QSpinBox>
#include <QTabWidget>

namespace rankdeck
{

namespace
{

/// A page with a column of labels and one of fields. QFormLayout would leave room for notes of two lines.
class PreferencesPage : public QScrollArea
{
public:
    PreferencesPage()
    {
        auto *page = new QWidget;
        addParts(new QVBoxLayout(page), {m_rows, Stretch{1}});
        m_rows->setColumnStretch(1, 1);
        setWidget(page);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
    }

    void add(QWidget *label, QWidget *field)
    {
        m_rows->addWidget(field, m_rows->rowCount(), 1);
        m_rows->addWidget(label, m_rows->rowCount() - 1, 0);
    }
    void add(const QString &label, QWidget *field) { add(labelOf(field, label), field); }
    void add(QCheckBox *box) { m_rows->addWidget(box, m_rows->rowCount(), 0, 1, 2); }
    void addNote(const QString &text)
    {
        auto *note = new NoteLabel(QString());
        note->setHelp(text);
        m_rows->addWidget(note, m_rows->rowCount(), 1);
    }

private:
    QGridLayout *m_rows = new QGridLayout;
};

} // namespace

/// Returns the editor of an option's number, showing `value`.
static QSpinBox *numberBox(const OptionRow &row, int value)
{
    auto *box = new QSpinBox;
    box->setObjectName(idOf(row.name()) + u"Spin"_s);
    box->setRange(row.range.least, row.range.most);
    box->setSuffix(row.unit());
    box->setSpecialValueText(tr(row.unset));
    box->setValue(value);
    return box;
}

static QCheckBox *checkBox(const QString &text, const char *name, bool isOn)
{
    auto *box = named(new QCheckBox(text), name);
    box->setChecked(isOn);
    return box;
}

PreferencesDialog::PreferencesDialog(const QStringList &launchers, const QStringList &languages,
                                     QWidget *parent)
    : QDialog(parent)
    , m_before(Preferences::load())
{
    named(this, "preferencesDialog")->setAttribute(Qt::WA_DeleteOnClose);
    setManualPage(this, "window.md");
    setWindowTitle(tr("Preferences"));
    auto *tabs = named(new QTabWidget, "preferencesTabs");
    tabs->addTab(makeLook(languages), tr("Look"));
    tabs->addTab(makeRuns(launchers), tr("Runs"));
    tabs->addTab(makeNews(), tr("Notifications"));
    auto *buttons =
        new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Apply | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &PreferencesDialog::save);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::Apply), &QPushButton::clicked, this, &PreferencesDialog::save);
    addParts(new QVBoxLayout(this), {{tabs, 1}, buttons});
    resizeInText(this, 80, 30);
}

QWidget *PreferencesDialog::makeLook(const QStringList &languages)
{
    m_theme = named(new QComboBox, "themeCombo");
    m_theme->addItem(tr("As the desktop"), int(Preferences::Theme::System));
    m_theme->addItem(tr("Light"), int(Preferences::Theme::Light));
    m_theme->addItem(tr("Dark"), int(Preferences::Theme::Dark));
    m_theme->setCurrentIndex(m_theme->findData(int(m_before.theme)));

    m_zoom = named(new QSpinBox, "zoomSpin");
    m_zoom->setRange(Preferences::leastZoom, Preferences::mostZoom);
    m_zoom->setSuffix(tr(" %"));
    m_zoom->setSingleStep(10);
    m_zoom->setValue(m_before.zoom);

    m_ownLogFont = checkBox(tr("Log &font:"), "ownLogFontCheck", !m_before.logFont.isEmpty());
    m_logFont = named(new QFontComboBox, "logFontCombo", tr("Font of logs and terminals"));
    m_logFont->setFontFilters(QFontComboBox::MonospacedFonts);
    m_logFont->setMinimumContentsLength(12);
    m_logFont->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    if (m_ownLogFont->isChecked())
        m_logFont->setCurrentFont(QFont(m_before.logFont));
    m_logFont->setEnabled(m_ownLogFont->isChecked());
    connect(m_ownLogFont, &QCheckBox::toggled, m_logFont, &QWidget::setEnabled);

    m_logSize = named(new QDoubleSpinBox, "logSizeSpin");
    m_logSize->setRange(4, 40); // The least stands for the window's.
    m_logSize->setDecimals(1);
    m_logSize->setSuffix(tr(" pt"));
    m_logSize->setSpecialValueText(tr("as the window"));
    m_logSize->setValue(m_before.logSize);

    m_language = named(new QComboBox, "languageCombo");
    m_language->addItem(tr("As the system"), QString());
    m_language->addItem(u"English"_s, u"en"_s);
    for (const QString &code : languages)
        m_language->addItem(QLocale(code).nativeLanguageName(), code);
    m_language->setCurrentIndex(qMax(0, m_language->findData(m_before.language)));

    m_editor = named(new QLineEdit(m_before.editor), "editorEdit");
    m_editor->setPlaceholderText(u"code --goto {file}:{line}"_s);

    auto *page = new PreferencesPage;
    page->add(tr("&Theme:"), m_theme);
    page->add(tr("&Zoom of the window:"), m_zoom);
    page->add(m_ownLogFont, m_logFont);
    page->add(tr("Log text &size:"), m_logSize);
    page->add(tr("&Language:"), m_language);
    page->addNote(tr("The window is made anew in the language chosen; runs do not notice."));
    page->add(tr("&Editor:"), m_editor);
    page->addNote(tr("{file} and {line} stand for the place. Not run through a shell."));
    return page;
}

QWidget *PreferencesDialog::makeRuns(const QStringList &launchers)
{
    m_launcher = named(new QComboBox, "defaultLauncherCombo");
    m_launcher->addItems(launchers);
    m_launcher->setCurrentText(m_before.launcher);
    m_asksToStop =
        checkBox(tr("Ask before a run is stopped or &killed"), "asksToStopCheck", m_before.asksToStop);
    m_asksToClose = checkBox(tr("Ask when the window &closes while a run is live"), "asksToCloseCheck",
                             m_before.asksToClose);
    auto *page = new PreferencesPage;
    page->add(tr("&Launcher:"), m_launcher);
    LaunchSpec spec;
    m_before.applyTo(spec);
    for (const OptionRow *row : launchPreferences()) {
        m_launchNumbers.append({row, numberBox(*row, valueIn(spec, row->field<int>()))});
        page->add(rankdeck::tr(row->preference), m_launchNumbers.last().second);
    }
    page->addNote(tr("These fill a new launch form."));
    page->add(m_asksToStop);
    page->add(m_asksToClose);
    page->addNote(tr("Without the question, runs go on when the window closes."));
    return page;
}

QWidget *PreferencesDialog::makeNews()
{
    m_notifies = checkBox(tr("&Notify when a run ends or stalls"), "notifiesCheck", m_before.notifies);
    m_endCommand = named(new QLineEdit(m_before.endCommand), "endCommandEdit");
    m_endCommand->setPlaceholderText(u"/home/me/bin/mail-me"_s);
    auto *page = new PreferencesPage;
    page->add(m_notifies);
    page->addNote(tr("Only while this window is not the active one."));
    page->add(tr("&Command to run then:"), m_endCommand);
    page->addNote(tr("Fills a new launch form, and runs without this window too. It finds the run in "
                     "RANKDECK_RUN_NAME, RANKDECK_RUN_STATE and so on. Not run through a shell."));
    return page;
}

Preferences PreferencesDialog::preferences() const
{
    Preferences wanted = m_before;
    wanted.theme = Preferences::Theme(m_theme->currentData().toInt());
    wanted.zoom = m_zoom->value();
    wanted.logFont = m_ownLogFont->isChecked() ? m_logFont->currentFont().family() : QString();
    wanted.logSize = m_logSize->value() > m_logSize->minimum() ? m_logSize->value() : 0;
    wanted.language = m_language->currentData().toString();
    wanted.editor = m_editor->text().trimmed();
    wanted.launcher = m_launcher->currentText();
    const LaunchSpec defaults;
    for (const auto &[row, box] : m_launchNumbers) {
        wanted.launchNumbers.remove(row->name());
        if (box->value() != valueIn(defaults, row->field<int>()))
            wanted.launchNumbers.insert(row->name(), box->value());
    }
    wanted.asksToStop = m_asksToStop->isChecked();
    wanted.asksToClose = m_asksToClose->isChecked();
    wanted.notifies = m_notifies->isChecked();
    wanted.endCommand = m_endCommand->text().trimmed();
    return wanted;
}

} // namespace rankdeck

#pragma once

#include "launch/launchspec.h"
#include "launchform/field.h"
#include "launchform/previewresult.h"

#include <QStringList>

#include <functional>
#include <optional>

namespace rankdeck
{

/// What an option is called.
struct OptionWords {
    /// As on the command line, "--log_dir"; errors call it that. Several where it has several names.
    QList<const char *> names;
    QString label; ///< With its mnemonic.
    QString help;  ///< Without the default, which is added.
};

/// Where a spec holds the value of an option.
template <typename T>
using ValueIn = std::function<T &(LaunchSpec &)>;

template <typename T>
ValueIn<T> at(T LaunchSpec::*value)
{
    return [value](LaunchSpec &spec) -> T & {
        return spec.*value;
    };
}
template <typename Options, typename T>
ValueIn<T> at(Options LaunchSpec::*options, T Options::*value)
{
    return [options, value](LaunchSpec &spec) -> T & {
        return spec.*options.*value;
    };
}

/// A field of the form that knows how what is typed there and a spec become each other.
class OptionField : public Field
{
    Q_OBJECT

public:
    /// @param editor gets the option's name and `kind` for its object name: "logDirEdit" of "--log_dir".
    OptionField(const OptionWords &words, const char *kind, QWidget *editor, QWidget *button = nullptr,
                const QString &label = {});

    const QStringList &names() const { return m_names; }
    virtual void fill(const LaunchSpec &spec) = 0;
    /// Put what is typed into `spec`. Where that is of no use whatever the outside is, the error, and `spec`
    /// stays as it was.
    virtual std::optional<Error> read(LaunchSpec &spec) const = 0;
    /// Add to the help what a new spec of this launcher holds, if anything.
    void sayDefault(const LaunchSpec &defaults);

    /// `show` says in the field what a look at the outside found out.
    void onContext(std::function<void(const PreviewResult &)> show) { m_showContext = std::move(show); }
    void showContext(const PreviewResult &result) const;
    /// In the order of the Tab key.
    QList<QWidget *> focusOrder() const { return m_focusOrder; }
    /// A widget below the note, and what of it takes the focus.
    void addLine(QWidget *line, QWidget *focus);

Q_SIGNALS:
    void edited();

protected:
    /// The value, as the help names a default.
    virtual QString shownValue() const = 0;

private:
    QStringList m_names;
    QString m_help;
    QList<QWidget *> m_focusOrder;
    std::function<void(const PreviewResult &)> m_showContext;
};

/// "logDir" of "--log_dir" and of "--log-dir".
QString objectNameOf(const QString &option);

} // namespace rankdeck

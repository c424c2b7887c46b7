#pragma once

#include "base/result.h"
#include "launch/spec/launcheroptions.h"

namespace rankdeck
{

/// A command that leads to a node, such as "docker exec -i train": it starts the words that follow on the
/// node, with its standard input and output.
class StreamCommand
{
public:
    /// Returns true if `options` name one, by --transport or --transport-command.
    static bool isIn(const NodeOptions &options);
    /// Fails for text of another form.
    static Result<StreamCommand> from(const NodeOptions &options);

    /// Returns the words for `node`, without the command to start there.
    QStringList wordsFor(const QString &node) const;
    /// The host that ssh starts the words on; empty: they are started on this one.
    QString sshHostFor(const QString &node) const;
    /// The only node that it leads to, by the container, the pod or the host that its text names. Empty: each
    /// node has a name of its own, or the text names none.
    QString onlyNode() const { return m_onlyNode; }
    /// Returns true if another node's words are others.
    bool dependsOnNode() const;

private:
    QString m_sshHost; ///< Like the words, with "{node}" where the node's name belongs.
    QStringList m_words;
    QString m_onlyNode;
};

/// All forms of --transport that name a command, for a sentence.
QString streamCommandForms();

} // namespace rankdeck

#include "bundle/secrets.h"

#include "base/json.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_secrets
{

using namespace rankdeck;

/// What is taken for a secret, and that it is nowhere afterwards.
class SecretsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTellSecrets_data();
    void namesTellSecrets();
    void commandLinesAreMasked_data();
    void commandLinesAreMasked();
    void switchesAndCountsAreNoSecrets();
    void loginsInAddressesAreMasked_data();
    void loginsInAddressesAreMasked();
    void whatWasLearntIsFoundElsewhere();
};

void SecretsTest::namesTellSecrets_data()
{
    QTest::addColumn<bool>("isSecret");
    for (const char *name :
         {"HF_TOKEN", "hub_token", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "DB_PASSWORD",
          "MYSQL_PASSWD", "KEY", "apiKey", "WANDB_API_KEY", "GOOGLE_CREDENTIALS", "PROXY_AUTH",
          "AUTHORIZATION", "SESSION_COOKIE", "SSH_PASSPHRASE", "--access-token", "TOKENS"})
        QTest::newRow(name) << true;
    for (const char *name : {"PATH", "RANK", "TOKENIZERS_PARALLELISM", "--tokenizer", "AUTHOR", "KEYBOARD",
                             "HCCL_CONNECT_TIMEOUT", "PASS", "ASCEND_DEVICE_ID"})
        QTest::newRow(name) << false;
}

void SecretsTest::namesTellSecrets()
{
    QFETCH(bool, isSecret);
    QCOMPARE(isSecretName(QString::fromLatin1(QTest::currentDataTag())), isSecret);
}

void SecretsTest::commandLinesAreMasked_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("masked");
    const auto row = [](const char *name, const char *words, const char *masked) {
        const auto split = [](const char *text) {
            return QString::fromLatin1(text).split('|'_L1);
        };
        QTest::newRow(name) << split(words) << split(masked);
    };
    row("a word of its own", "python3|t.py|--password|hunter22|--lr|1", "python3|t.py|--password|***|--lr|1");
    row("with an equals sign", "t.py|--token=a b=c|x", "t.py|--token=***|x");
    row("as a variable", "env|API_KEY=hunter22|t.py", "env|API_KEY=***|t.py");
    row("a dotted override", "t.py|hub.token=hunter22", "t.py|hub.token=***");
    row("another option follows", "t.py|--use-auth|--lr", "t.py|--use-auth|--lr");
    row("in a shell's command", "bash|-c|export HF_TOKEN='hunter 22'; t.py --api-key hunter22 --lr 2",
        "bash|-c|export HF_TOKEN='***'; t.py --api-key *** --lr 2");
    row("a header", "curl|-H|Authorization: Bearer abcdefgh12", "curl|-H|Authorization: Bearer ***");
    row("a login", "t.py|--url|https://me:hunter22@host/x", "t.py|--url|https://***@host/x");
    row("nothing", "t.py|--max-tokens|4096|--batch=8", "t.py|--max-tokens|4096|--batch=8");
}

void SecretsTest::commandLinesAreMasked()
{
    QFETCH(QStringList, words);
    nlohmann::json json{{"argv", words}};
    Secrets().mask(json);
    QTEST(json["argv"].get<QStringList>(), "masked");
}

void SecretsTest::switchesAndCountsAreNoSecrets()
{
    nlohmann::json json{{"USE_AUTH", "1"},   {"NUM_KEYS", "128"}, {"MAX_TOKENS", "4096"},
                        {"PIN_KEY", "4096"}, {"EMPTY_TOKEN", ""}, {"HF_TOKEN", "hunter22"}};
    Secrets secrets;
    secrets.mask(json);
    QCOMPARE(json["USE_AUTH"].get<QString>(), u"1"_s);
    QCOMPARE(json["NUM_KEYS"].get<QString>(), u"128"_s);
    QCOMPARE(json["MAX_TOKENS"].get<QString>(), u"4096"_s);
    QCOMPARE(json["PIN_KEY"].get<QString>(), u"***"_s);
    QCOMPARE(json["EMPTY_TOKEN"].get<QString>(), QString());
    QCOMPARE(secrets.names(), QStringList({u"HF_TOKEN"_s, u"PIN_KEY"_s}));
}

void SecretsTest::loginsInAddressesAreMasked_data()
{
    QTest::addColumn<QByteArray>("masked");
    const auto row = [](const char *text, const char *masked) {
        QTest::newRow(text) << QByteArray(masked);
    };
    row("to http://u:p@proxy:8080 and ftp://a:b@c/d", "to http://***@proxy:8080 and ftp://***@c/d");
    row("http://u:p@ss@host/", "http://***@host/");
    row("https://ghp_0123456789012345@host", "https://***@host");
    row("ssh://git@host/x", "ssh://git@host/x");
    row("http://host:80/a@b", "http://host:80/a@b");
    row("http://host me@x", "http://host me@x");
    row("://", "://");
}

void SecretsTest::loginsInAddressesAreMasked()
{
    QTEST(Secrets().masked(QTest::currentDataTag()), "masked");
}

void SecretsTest::whatWasLearntIsFoundElsewhere()
{
    nlohmann::json json{{"A_TOKEN", "hun\"ter<22>"}, {"B_TOKEN", "short"}, {"C_TOKEN", "hun\"ter<22>longer"}};
    Secrets secrets;
    secrets.mask(json);
    QCOMPARE(secrets.masked("said hun\"ter<22>!"), QByteArray("said ***!"));
    QCOMPARE(secrets.masked("said hun\"ter<22>longer!"), QByteArray("said ***!"));
    QCOMPARE(secrets.masked("{\"text\":\"hun\\\"ter<22>\"}"), QByteArray("{\"text\":\"***\"}"));
    QCOMPARE(secrets.masked("<p>hun&quot;ter&lt;22&gt;</p>"), QByteArray("<p>***</p>"));
    QCOMPARE(secrets.masked("a short text"), QByteArray("a short text"));
}

} // namespace tst_secrets

RANKDECK_TEST(tst_secrets, SecretsTest)
#include "tst_secrets.moc"

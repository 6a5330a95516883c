<?php

declare(strict_types=1);

use ChecktokenClient\CheckToken;
use ChecktokenClient\CheckTokenError;

require_once __DIR__ . '/support.php';

final class NetworkTest extends PlatformTest
{
    private function outcome(CheckToken $client): string
    {
        return $this->reasonOf(fn () => $client->check(token_of('active'))->require('tax_income')->person());
    }

    private function trying(string $realm, array $more = []): string
    {
        return $this->outcome($this->client(['realm' => $realm] + $more));
    }

    private static function byKey(): array
    {
        return ['clientSecret' => '', 'clientKey' => key_of('data-provider-assertion')];
    }

    /** Settings with the service provider's certificate. That of the platform is of no host. */
    private static function certified(): array
    {
        $own = key_of('service-provider');
        $files = [tempnam('', 'checktoken'), tempnam('', 'checktoken')];
        register_shutdown_function(fn () => array_map('unlink', $files));
        file_put_contents($files[0], "-----BEGIN CERTIFICATE-----\n" . chunk_split($own['x5c'][0], 64, "\n") . "-----END CERTIFICATE-----\n");
        file_put_contents($files[1], phpseclib3\Crypt\EC::loadFormat('JWK', json_encode($own))->toString('PKCS8'));
        $tls = [CURLOPT_SSLCERT => $files[0], CURLOPT_SSLKEY => $files[1], CURLOPT_SSL_VERIFYHOST => 0, CURLOPT_CAINFO => $files[0]];
        return ['clientSecret' => '', 'tls' => $tls];
    }

    public function testRefusesMetadataThatLieAndWaitsNotForThoseThatHang(): void
    {
        foreach (read('metadata.json')['cases'] as $case) {
            $begin = microtime(true);
            $found = $this->trying(self::$platform->origin . "/realms/$case[name]", ['seconds' => isset($case['hangs']) ? 1 : 10]);
            self::assertContains($found, isset($case['expect']) ? ['accepted'] : [$case['reason'], ...$case['or'] ?? []], $case['name']);
            self::assertLessThan(2, microtime(true) - $begin, $case['name']);
        }
        self::assertSame('{"calls":0}', file_get_contents(self::$platform->origin . '/elsewhere'));
    }

    public function testNoLieIsAccepted(): void
    {
        $first = (int) (getenv('SEED') ?: hrtime(true) % 1_000_000_000);
        $reasons = [];
        set_error_handler(fn (int $level, string $text) => self::fail($text), E_ALL & ~E_DEPRECATED);
        for ($number = $first; $number < $first + (int) (getenv('LIES') ?: 300); $number++) {
            try {
                $found = $this->trying(self::$platform->origin . "/realms/lie-$number");
            } catch (\Throwable $error) {
                self::fail("lie $number: $error");
            }
            self::assertNotSame('accepted', $found, "lie $number");
            $reasons[$found] = ($reasons[$found] ?? 0) + 1;
        }
        restore_error_handler();
        fwrite(STDERR, "\nlies from $first: " . json_encode($reasons) . "\n");
        self::assertGreaterThan(8, count($reasons));
    }

    public function testRepeatsACallOnceWithANewAssertion(): void
    {
        // The platform takes each assertion once, and closes each connection at its second check.
        $platform = new Platform(['FAULTS' => 'closes']);
        foreach ([[], self::byKey()] as $more) {
            $client = $this->client(['realm' => $platform->realm] + $more);
            for ($i = 0; $i < 4; $i++) {
                self::assertSame('accepted', $this->outcome($client));
            }
        }
        $platform->close();
    }

    public function testLeavesOutKeysThatItCannotRead(): void
    {
        $platform = new Platform(['FAULTS' => 'odd-keys']);
        self::assertSame('accepted', $this->trying($platform->realm));
        $platform->close();
    }

    public function testConnectsToTheAddressThatItIsGiven(): void
    {
        $platform = new Platform(['ORIGIN' => 'https://platform.example']);
        foreach (['demo', 'endpoints-inside'] as $realm) {
            foreach ([$platform->address, "$platform->address/"] as $connectTo) {
                self::assertSame('accepted', $this->trying("$platform->origin/realms/$realm", ['connectTo' => $connectTo] + self::byKey()));
            }
        }
        $platform->close();
        foreach (['http://inside.example', 'inside.example', 'https://inside.example/path', 'https://a@b', '', 'https://'] as $connectTo) {
            self::assertSame('configuration', $this->reasonOf(fn () => $this->client(['connectTo' => $connectTo])), $connectTo);
        }
    }

    public function testGoesThroughAForwardProxyAndNamesItIfThatIsNotReached(): void
    {
        $platform = new Platform(['TLS' => 'yes', 'ORIGIN' => 'https://platform.example', 'FAULTS' => 'proxy']);
        $proxy = $platform->said();
        try {
            putenv("https_proxy=$proxy");
            self::assertSame('accepted', $this->trying($platform->realm, self::certified()));
            putenv('https_proxy=http://user:secret@127.0.0.1:1');
            try {
                $this->client(['realm' => $platform->realm] + self::certified())->check(token_of('active'));
                self::fail();
            } catch (CheckTokenError $error) {
                self::assertSame('unreachable', $error->reason);
                self::assertStringEndsWith('(proxy: http://127.0.0.1:1)', $error->getMessage());
            }
            putenv('no_proxy=localhost,127.0.0.1');
            self::assertSame('accepted', $this->trying($platform->realm, ['connectTo' => $platform->address] + self::certified()));
        } finally {
            putenv('https_proxy');
            putenv('no_proxy');
            $platform->close();
        }
    }

    public function testTriesTheNextAddressIfTheFirstOneSwallowsConnections(): void
    {
        $platform = new Platform(['TLS' => 'yes', 'ORIGIN' => 'https://platform.example:{port}', 'FAULTS' => 'dead-address']);
        $dead = $platform->said();
        $port = parse_url($platform->realm, PHP_URL_PORT);
        $certified = self::certified();
        $certified['tls'][CURLOPT_RESOLVE] = ["platform.example:$port:$dead,127.0.0.1"];
        self::assertSame('accepted', $this->trying($platform->realm, ['seconds' => 5] + $certified));
        $platform->close();
    }

    public function testTakesAKeyOf8192Bits(): void
    {
        [$key] = read('keys/large.json')['keys'];
        $public = array_intersect_key($key, array_flip(['kty', 'n', 'e']));
        $rsa = phpseclib3\Crypt\RSA::loadFormat('JWK', json_encode($public))->withHash('sha256')->withMGFHash('sha256');
        $header = ['alg' => 'RSA-OAEP-256', 'enc' => 'A256GCM'];
        [$head, $cek, $iv] = [ChecktokenClient\encoded(json_encode($header)), random_bytes(32), random_bytes(12)];
        $text = openssl_encrypt('x', 'aes-256-gcm', $cek, OPENSSL_RAW_DATA, $iv, $tag, $head);
        $jwe = implode('.', [$head, ...array_map(ChecktokenClient\encoded(...), [$rsa->encrypt($cek), $iv, $text, $tag])]);
        self::assertSame('x', ChecktokenClient\decrypt($jwe, $header, $key));
    }
}

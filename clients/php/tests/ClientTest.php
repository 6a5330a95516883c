<?php

declare(strict_types=1);

use ChecktokenClient\CheckToken;
use ChecktokenClient\CheckTokenError;

require_once __DIR__ . '/support.php';

final class ClientTest extends PlatformTest
{
    public function testReasonsAreThoseOfTheOtherLibrariesAndOfTheTestKit(): void
    {
        self::assertSame(rtrim(file_get_contents(__DIR__ . '/../../node/src/reasons.properties')), ChecktokenClient\REASONS);
        self::assertSame([], array_diff(array_keys(self::$cases['reasons']), array_keys(ChecktokenClient\reasons())));
    }

    public function testAuthenticatesWithASignedJwt(): void
    {
        $client = $this->client(['clientSecret' => '', 'clientKey' => key_of('data-provider-assertion')]);
        self::assertTrue($client->check(token_of('active'))->active);
        self::assertTrue($client->check(token_of('active'))->active);
    }

    public function testAuthenticatesWithACertificateAndTrustsOnlyTheAuthoritiesThatItIsGiven(): void
    {
        $platform = new Platform(['TLS' => 'yes']);
        $own = key_of('service-provider');
        $files = [tempnam('', 'checktoken'), tempnam('', 'checktoken')];
        $pem = "-----BEGIN CERTIFICATE-----\n" . chunk_split($own['x5c'][0], 64, "\n") . "-----END CERTIFICATE-----\n";
        file_put_contents($files[0], $pem);
        file_put_contents($files[1], phpseclib3\Crypt\EC::loadFormat('JWK', json_encode($own))->toString('PKCS8'));
        // The certificate of the kit is of no host.
        $tls = [CURLOPT_SSLCERT => $files[0], CURLOPT_SSLKEY => $files[1], CURLOPT_SSL_VERIFYHOST => 0];
        $settings = ['realm' => $platform->realm, 'clientSecret' => ''];
        try {
            self::assertTrue($this->client([...$settings, 'tls' => $tls + [CURLOPT_CAINFO => $files[0]]])->check(token_of('active'))->active);
            self::assertSame('unreachable', $this->reasonOf(fn () => $this->client([...$settings, 'tls' => $tls])->check(token_of('active'))));
        } finally {
            array_map('unlink', $files);
            $platform->close();
        }
    }

    public function testSaysWhichSettingToCorrect(): void
    {
        $right = ['realm' => 'https://login.example.org/realms/a'];
        $key = $this->settings()['privateKeys'][0];
        $public = array_intersect_key($key, array_flip(['kty', 'n', 'e', 'alg']));
        $realm = 'The realm, and the address to connect to, must be https (http only to this machine).';
        $isPublic = 'A key is public, or no JWK: give the private JWK.';
        $isSet = 'This is a JWK Set: give each of its keys.';
        $missing = 'Give a client_id, a private key, and one way to authenticate.';
        $signature = 'signature is not of a public key.';
        $this->client($right);
        foreach ([
            [['realm' => 'http://login.example.org/realms/a'], $realm],
            [['realm' => 'login.example.org/realms/a'], $realm],
            [['realm' => ''], $realm],
            [['realm' => 'https://user@login.example.org/realms/a'], $realm],
            [['clientId' => ''], $missing],
            [['clientSecret' => ''], $missing],
            [['clientSecret' => '', 'tls' => [CURLOPT_CAINFO => 'file']], $missing],
            [['privateKeys' => []], $missing],
            [['signature' => 'HS256'], $signature],
            [['signature' => ['ES256', 'none']], $signature],
            [['privateKeys' => [array_diff_key($key, ['alg' => 1])]], 'A private key has no alg: add the agreed one, such as RSA-OAEP-256.'],
            [['privateKeys' => [$public]], $isPublic],
            [['privateKeys' => [['n' => 'secret-number'] + $public]], $isPublic],
            [['privateKeys' => [null]], $isPublic],
            [['privateKeys' => [['kty' => 'oct', 'k' => 'c2VjcmV0', 'alg' => 'A256KW']]], $isPublic],
            [['clientKey' => $public], $isPublic],
            [['privateKeys' => ['keys' => [$key]]], $isSet],
            [['privateKeys' => [['keys' => [$key]]]], $isSet],
            [['clientKey' => ['keys' => [$key]]], $isSet],
        ] as [$wrong, $text]) {
            try {
                $this->client($wrong + $right);
                self::fail($text);
            } catch (CheckTokenError $error) {
                self::assertSame("configuration: Correct your settings. $text", $error->getMessage());
            }
        }
    }

    public function testTellsAStatusAfterTheText(): void
    {
        try {
            $this->client()->check(token_of('too-many-requests'));
            self::fail();
        } catch (CheckTokenError $error) {
            $text = 'unavailable: The platform cannot answer now. Try again later; if it lasts, tell its administrator. There '
                . 'were too many calls or guesses, for the platform or a proxy: wait as Retry-After says. (status-429)';
            self::assertSame($text, $error->getMessage());
        }
        $this->expectExceptionMessageMatches('/right ones\. \(status-401: Client authentication failed\.\)$/');
        $this->client(['clientSecret' => 'wrong'])->check(token_of('active'));
    }

    public function testRefusesWhatIsNoToken(): void
    {
        foreach (['', 'a b', "a\n", 'é', str_repeat('a', 65537)] as $wrong) {
            self::assertSame('no-token', $this->reasonOf(fn () => $this->client()->check($wrong)));
        }
    }

    public function testKeepsMetadataAndKeysForAllRequests(): void
    {
        $cache = new MemoryCache();
        $this->client(['cache' => $cache])->check(token_of('active'));
        self::assertCount(1, $cache->kept);
        [$name] = array_keys($cache->kept);
        // Without these keys, the answer of another request is refused: they are not loaded again.
        $cache->kept[$name]['keys'] = [];
        $cache->kept[$name]['again'] = time();
        self::assertSame('unknown-key', $this->reasonOf(fn () => $this->client(['cache' => $cache])->check(token_of('active'))));
        $cache->kept[$name]['again'] = time() - 6;
        self::assertTrue($this->client(['cache' => $cache])->check(token_of('active'))->active);
        $cache->kept[$name]['endpoint'] = 'none';
        $cache->kept[$name]['at'] = time() - 301;
        self::assertTrue($this->client(['cache' => $cache])->check(token_of('active'))->active);
    }

    public function testLoadsTheKeysAgainForANewKidOnceInSomeSeconds(): void
    {
        $cache = new MemoryCache();
        $client = $this->client(['cache' => $cache]);
        $client->check(token_of('active'));
        $before = reset($cache->kept)['again'];
        $client->check(token_of('active-new-key'));
        $after = reset($cache->kept)['again'];
        self::assertGreaterThan($before, $after);
        self::assertSame('unknown-key', $this->reasonOf(fn () => $client->check(token_of('kid-unknown'))));
        self::assertSame($after, reset($cache->kept)['again']);
    }

    public function testRefusesMetadataThatCannotBeRight(): void
    {
        $issuer = self::$platform->realm . '/api/v2';
        $right = ['issuer' => $issuer, 'introspection_endpoint' => "$issuer/checktoken", 'jwks_uri' => self::$platform->origin . '/jwks'];
        foreach ([
            ['issuer' => self::$platform->realm],
            ['introspection_endpoint' => 'https://elsewhere.example/api/v2/checktoken'],
            ['introspection_endpoint' => self::$platform->origin . '.elsewhere.example/checktoken'],
            ['introspection_endpoint' => null],
            ['jwks_uri' => 'http://127.0.0.1/jwks'],
            ['jwks_uri' => 1],
            [],
        ] as $wrong) {
            self::assertSame('wrong-metadata', $this->reasonWith($wrong + $right), json_encode($wrong));
        }
    }

    /** The reason with PHP's own server as the platform: it gives this document for each address. */
    private function reasonWith(array $document): string
    {
        $folder = sys_get_temp_dir() . '/checktoken-' . bin2hex(random_bytes(6));
        mkdir($folder);
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        [, $port] = explode(':', stream_socket_get_name($socket, false));
        fclose($socket);
        $replace = fn ($value) => is_string($value) ? str_replace(self::$platform->origin, "http://127.0.0.1:$port", $value) : $value;
        file_put_contents("$folder/index.php", '<?php echo ' . var_export(json_encode(array_map($replace, $document)), true) . ';');
        $process = proc_open([PHP_BINARY, '-S', "127.0.0.1:$port", "$folder/index.php"], [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
        try {
            for ($i = 0; $i < 100 && !@fsockopen('127.0.0.1', (int) $port); $i++) {
                usleep(50_000);
            }
            return $this->reasonOf(fn () => $this->client(['realm' => "http://127.0.0.1:$port/realms/demo"])->check(token_of('active')));
        } finally {
            proc_terminate($process, 9);
            proc_close($process);
            unlink("$folder/index.php");
            rmdir($folder);
        }
    }

    public function testWaitsNotBeyondItsTime(): void
    {
        $client = $this->client(['seconds' => 0.9]);
        self::assertSame('timeout', $this->reasonOf(fn () => $client->check(token_of('stalled'))));
        self::assertSame('unavailable', $this->reasonOf(fn () => $client->check(token_of('active-after-503'))));
    }

    public function testSaysThatAStoppedPlatformCannotBeReachedAndWorksAfterATooLargeAnswer(): void
    {
        $platform = new Platform();
        $client = $this->client(['realm' => $platform->realm]);
        self::assertSame('too-large', $this->reasonOf(fn () => $client->check(token_of('too-large'))));
        self::assertTrue($client->check(token_of('active'))->active);
        $platform->close();
        self::assertSame('unreachable', $this->reasonOf(fn () => $client->check(token_of('active'))));
    }

    public function testGivesNothingAboutABoundTokenWithoutEachProof(): void
    {
        $client = $this->client();
        $outcome = function (string $token, ...$proof) use ($client) {
            $answer = $client->check($token, ...$proof);
            self::assertTrue($answer->active);
            $reason = $this->reasonOf(fn () => $answer->require('tax_income'));
            return $reason === 'accepted' ? $answer->require('tax_income')->clientId() : $reason;
        };
        $own = key_of('service-provider');
        $public = array_intersect_key($own, array_flip(['kty', 'crv', 'x', 'y']));
        self::assertSame('sp-town', $outcome(token_of('bound-to-a-key'), $this->proof(token_of('bound-to-a-key'))));
        foreach ([
            ['request' => ['method' => 'POST']], ['request' => ['url' => 'https://dp.example.org/other']],
            ['request' => ['url' => 'no url']], ['request' => ['proof' => 'x']], ['claims' => ['ath' => 'other']],
            ['claims' => ['jti' => null]], ['claims' => ['iat' => null]], ['claims' => ['iat' => 1]], ['claims' => ['htm' => null]],
            ['claims' => ['htu' => 'https://evil.example.org/income']], ['header' => ['typ' => 'JWT']],
            ['header' => ['jwk' => $own]], ['header' => ['jwk' => null]], ['header' => ['alg' => 'HS256']],
            ['key' => 'foreign-ES256'], ['key' => 'foreign-ES256', 'header' => ['jwk' => $public]],
        ] as $wrong) {
            self::assertSame('not-proven', $outcome(token_of('bound-to-a-key'), $this->proof(token_of('bound-to-a-key'), ...$wrong)), json_encode($wrong));
        }
        $once = $this->proof(token_of('bound-to-a-key'));
        self::assertSame('sp-town', $outcome(token_of('bound-to-a-key'), $once));
        self::assertSame('not-proven', $outcome(token_of('bound-to-a-key'), $once));
        $certificate = certificate('service-provider');
        $pem = "-----BEGIN CERTIFICATE-----\n" . chunk_split($own['x5c'][0], 64, "\n") . "-----END CERTIFICATE-----\n";
        self::assertSame('not-proven', $outcome(token_of('bound-to-a-key')));
        self::assertSame('not-proven', $outcome(token_of('bound-to-a-key'), certificate: $certificate));
        [$by, $both] = [token_of('bound-to-a-certificate'), token_of('bound-to-both')];
        self::assertSame('sp-town', $outcome($by, certificate: $certificate));
        self::assertSame('sp-town', $outcome($by, certificate: $pem));
        self::assertSame('not-proven', $outcome($by));
        self::assertSame('not-proven', $outcome($by, certificate: certificate('foreign-ES256')));
        self::assertSame('not-proven', $outcome($by, certificate: 'no certificate'));
        self::assertSame('sp-town', $outcome($both, $this->proof($both), $certificate));
        self::assertSame('not-proven', $outcome($both, certificate: $certificate));
        self::assertSame('not-proven', $outcome($both, $this->proof($both)));
        self::assertSame('not-proven', $outcome(token_of('bound-in-an-unknown-way'), certificate: $certificate));
        self::assertSame('not-proven', $outcome(token_of('active'), $this->proof(token_of('active'))));
        self::assertSame('sp-town', $outcome(token_of('active'), certificate: $certificate));
    }

    public function testDpopNeedsACacheThatRequestsShare(): void
    {
        $client = $this->client(['cache' => null]);
        self::assertSame('configuration', $this->reasonOf(fn () => $client->check(token_of('bound-to-a-key'), $this->proof(token_of('bound-to-a-key')))));
    }

    public function testShowsNoSecretWhenItIsPrinted(): void
    {
        self::assertDoesNotMatchRegularExpression('/published/', print_r($this->client(), true) . json_encode($this->client()));
    }
}

<?php

declare(strict_types=1);

use ChecktokenClient\CheckToken;
use ChecktokenClient\CheckTokenError;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/support.php';

/** Without HTTP: the platform's keys are put in their place. */
final class MutationsTest extends TestCase
{
    private const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    private const ISSUER = 'http://localhost:1/realms/demo/api/v2';

    private int $seed;
    private array $clients;

    protected function setUp(): void
    {
        $this->seed = (int) (getenv('SEED') ?: hrtime(true) % 1_000_000_000);
        mt_srand($this->seed);
        $this->clients = array_values(array_filter(read('cases.json')['clients'], fn ($one) => $one['agreed']['jws_alg'] === 'ES256'));
    }

    public function testNoMutatedAnswerIsAccepted(): void
    {
        $count = (int) (getenv('MUTATIONS') ?: 3000);
        $reasons = [];
        for ($number = 0; $number < $count; $number++) {
            $registered = $this->clients[$number % count($this->clients)];
            $right = $this->claims($registered);
            $jws = $this->jws(json_encode($this->header()), json_encode($right));
            if ($number % 500 === 0) {
                self::assertTrue($this->read($this->encrypted($jws, $registered), $registered)['active']);
            }
            $body = $this->mutated($jws, $right, $registered);
            try {
                $this->read($body, $registered);
                self::fail("accepted: seed $this->seed, number $number: $body");
            } catch (CheckTokenError $error) {
                $reasons[$error->reason] = ($reasons[$error->reason] ?? 0) + 1;
            }
        }
        fwrite(STDERR, "\nseed $this->seed: " . json_encode($reasons) . "\n");
        self::assertGreaterThan($count / 20, min($reasons['wrong-signature'], $reasons['decryption-failed']));
    }

    public function testNothingThatThePlatformSignsBreaksAnything(): void
    {
        $registered = $this->clients[0];
        for ($number = 0; $number < 500; $number++) {
            $right = ['exp' => 4102444800, 'nbf' => 0] + $this->claims($registered);
            $inner = $this->odd($right['token_introspection']);
            $whole = str_replace(json_encode($right['token_introspection']), $inner, json_encode($right));
            $jws = $this->jws(json_encode($this->header()), mt_rand(0, 1) ? $whole : $this->odd($right));
            try {
                $found = $this->read($this->encrypted($jws, $registered), $registered);
                self::assertIsBool($found['active'], "seed $this->seed");
            } catch (CheckTokenError) {
                self::assertTrue(true);
            }
        }
    }

    private function read(string $body, array $registered): array
    {
        $agreed = $registered['agreed'];
        $key = ['alg' => $agreed['jwe_alg']] + key_of("data-provider-$agreed[kty]");
        $client = new CheckToken(
            'http://localhost:1/realms/demo', $registered['client_id'], [$key], 'secret', contentEncryption: $agreed['jwe_enc'],
        );
        $keys = ['platform-ES256' => array_diff_key(key_of('platform-ES256'), ['d' => 1])];
        (new ReflectionProperty($client, 'known'))->setValue($client, ['at' => time(), 'again' => time(), 'endpoint' => '', 'keys' => $keys]);
        $call = fn (string $name, ...$values) => (new ReflectionMethod($client, $name))->invoke($client, ...$values);
        return $call('accepted', $call('verified', $call('decrypted', $body), 0.0), 'e30.eyJqdGkiOiJ4In0.AAAA');
    }

    private function claims(array $registered): array
    {
        $token = ['active' => true, 'client_id' => 'sp', 'sub' => 'x', 'scope' => 'tax_income', 'jti' => 'x', 'family_name' => 'Moreau'];
        return ['iss' => self::ISSUER, 'aud' => $registered['client_id'], 'iat' => time(), 'token_introspection' => $token];
    }

    private function header(): array
    {
        return ['alg' => 'ES256', 'typ' => 'token-introspection+jwt', 'kid' => 'platform-ES256'];
    }

    private function jws(string $header, string $payload): string
    {
        return signed($header, $payload, key_of('platform-ES256'));
    }

    private function encrypted(string $text, array $registered): string
    {
        ['jwe_alg' => $alg, 'jwe_enc' => $enc, 'kty' => $kty] = $registered['agreed'];
        $recipient = key_of("data-provider-$kty");
        $bytes = ChecktokenClient\ENCRYPTION_BYTES[$enc];
        [$cek, $wrapped, $epk] = [random_bytes($bytes), '', []];
        $public = array_intersect_key($recipient, array_flip(['kty', 'crv', 'x', 'y', 'n', 'e']));
        if ($kty === 'RSA') {
            $key = phpseclib3\Crypt\RSA::loadFormat('JWK', json_encode($public))->withHash('sha256')->withMGFHash('sha256');
            $wrapped = $key->encrypt($cek);
        } else {
            // Some private key stands for the sender's.
            $ephemeral = key_of('foreign-EC');
            $epk = ['epk' => array_intersect_key($ephemeral, array_flip(['kty', 'crv', 'x', 'y']))];
            $size = $alg === 'ECDH-ES' ? $bytes : 32;
            $agreed = ChecktokenClient\agreedKey(['epk' => $public], $alg === 'ECDH-ES' ? $enc : $alg, $size, $ephemeral);
            $wrapped = $alg === 'ECDH-ES' ? '' : openssl_encrypt($cek, 'aes-256-wrap', $agreed, OPENSSL_RAW_DATA, str_repeat("\xa6", 8));
            $cek = $alg === 'ECDH-ES' ? $agreed : $cek;
        }
        $head = ChecktokenClient\encoded(json_encode(['alg' => $alg, 'enc' => $enc, 'cty' => 'JWT', 'kid' => "data-provider-$kty"] + $epk));
        if ($enc === 'A256GCM') {
            $iv = random_bytes(12);
            $content = openssl_encrypt($text, 'aes-256-gcm', $cek, OPENSSL_RAW_DATA, $iv, $tag, $head);
        } else {
            $iv = random_bytes(16);
            $content = openssl_encrypt($text, 'aes-128-cbc', substr($cek, 16), OPENSSL_RAW_DATA, $iv);
            $tag = substr(hash_hmac('sha256', $head . $iv . $content . pack('J', 8 * strlen($head)), substr($cek, 0, 16), true), 0, 16);
        }
        return implode('.', [$head, ...array_map(ChecktokenClient\encoded(...), [$wrapped, $iv, $content, $tag])]);
    }

    private function mutated(string $jws, array $right, array $registered): string
    {
        [$head, $payload, $signature] = explode('.', $jws);
        $encoded = ChecktokenClient\encoded(...);
        return match (mt_rand(0, 5)) {
            0 => $this->changed($this->encrypted($jws, $registered)),
            1 => $this->changedPart($this->encrypted($jws, $registered)),
            2 => $this->encrypted($this->changed($jws), $registered),
            3 => $this->encrypted($this->changedPart($jws), $registered),
            4 => $this->encrypted($encoded($this->changedJson($this->header())) . ".$payload.$signature", $registered),
            5 => $this->encrypted("$head." . $encoded($this->changedJson($right)) . ".$signature", $registered),
        };
    }

    /** Changes a text in one way that never gives the same text. */
    private function changed(string $text): string
    {
        $at = mt_rand(0, strlen($text) - 1);
        [$before, $after] = [substr($text, 0, $at), substr($text, $at + 1)];
        $others = str_replace($text[$at], '', self::ALPHABET . ".= \n\0\"{");
        $other = $others[mt_rand(0, strlen($others) - 1)];
        return [
            $before . $other . $after, $before . $other . $text[$at] . $after, $before . $after, $before,
            $text . $text[$at] . $after, $before . chr(ord($text[$at]) ^ (1 << mt_rand(0, 6))) . $after, $text . $other, $other . $text,
        ][mt_rand(0, 7)];
    }

    /** Changes one part, among others its last character alone, whose last bits can be unused. */
    private function changedPart(string $compact): string
    {
        $parts = explode('.', $compact);
        $at = mt_rand(0, count($parts) - 1);
        if ($parts[$at] !== '' && mt_rand(0, 4) === 0) {
            $parts[$at] = substr($parts[$at], 0, -1) . self::ALPHABET[mt_rand(0, 63)];
        } elseif ($parts[$at] === '' || mt_rand(0, 9) === 0) {
            $parts[$at] = ['', 'e30', 'bnVsbA', 'AA', $parts[($at + 1) % count($parts)]][mt_rand(0, 4)];
        } else {
            $parts[$at] = $this->changed($parts[$at]);
        }
        $changed = implode('.', $parts);
        return $changed === $compact ? $this->changed($compact) : $changed;
    }

    private function changedJson(array $members): string
    {
        $text = $this->odd($members);
        return $text === json_encode($members) ? $this->changed($text) : $text;
    }

    private function odd(array $members): string
    {
        $name = array_rand($members);
        $value = $members[$name];
        $others = [null, true, 0, -1, 1e300, '', 'none', [], new stdClass(), [$value], [$name => $value], "\0", '__class__'];
        $changed = [$name => $others[mt_rand(0, count($others) - 1)]] + $members;
        return match (mt_rand(0, 3)) {
            0 => json_encode(array_diff_key($members, [$name => 1])),
            1 => json_encode($changed),
            2 => substr(json_encode($changed), 0, -1) . ",\"$name\":\"other\"}",
            3 => $this->changed(json_encode($members)),
        };
    }
}

<?php

/**
 * Checks access tokens at a platform with checktoken for Keycloak, and verifies the answers. Version 1.0.0.
 *
 * It is this file alone. It needs PHP 8.2 or later with curl and OpenSSL, and phpseclib 3: Debian's packages php-curl and
 * php-phpseclib3, or phpseclib/phpseclib of Composer, whose autoloader you load.
 */

declare(strict_types=1);

namespace ChecktokenClient;

use phpseclib3\Crypt\Common\PrivateKey;
use phpseclib3\Crypt\EC;
use phpseclib3\Crypt\RSA;
use phpseclib3\Math\BigInteger;
use SensitiveParameter as Secret;

const TYPE = 'token-introspection+jwt';
/** What a platform gives of a person unless its administrator decides otherwise. A machine has none of it. */
const IDENTITY = ['family_name', 'given_name', 'given_name_array', 'gender', 'birthdate', 'birthplace', 'birthcountry'];
const OF_TOKEN = ['active', 'aud', 'client_id', 'sub', 'iat', 'exp', 'acr', 'jti', 'scope', 'cnf', 'auth_time'];
/** By how much the clocks may differ. */
const LEEWAY_SECONDS = 60;
/** More than any answer, metadata or JWK Set of a platform has. */
const MAX_BYTES = 256 * 1024;
const KEPT_SECONDS = 300;
/** A new kid loads the keys again, but not more often than this. */
const AGAIN_SECONDS = 5;
const PROOF_SECONDS = 60;
const SIGNATURE = '/^((RS|PS|ES)(256|384|512)|EdDSA)$/D';
const CURVES = ['ES256' => 'P-256', 'ES384' => 'P-384', 'ES512' => 'P-521'];
const OAEP = ['RSA-OAEP' => 'sha1', 'RSA-OAEP-256' => 'sha256', 'RSA-OAEP-384' => 'sha384', 'RSA-OAEP-512' => 'sha512'];
const ENCRYPTION_BYTES = [
    'A128GCM' => 16, 'A192GCM' => 24, 'A256GCM' => 32, 'A128CBC-HS256' => 32, 'A192CBC-HS384' => 48, 'A256CBC-HS512' => 64,
];

/** Whatever prevents the use of a token. Nothing in it comes from the token, the secret or an answer. */
final class CheckTokenError extends \RuntimeException
{
    /** A word that stays the same. The test kit lists those of wrong answers. */
    public readonly string $reason;
    /** What to answer the service provider: 401, 403 or 503. */
    public readonly int $status;

    /** @param string $name a reason, or what stands for one */
    public function __construct(string $name, string $detail = '')
    {
        $line = reasons()[$name];
        [$reason, $more] = ctype_digit($line[0]) ? [$name, ''] : explode(' ', "$line ", 2);
        $this->reason = $reason;
        $this->status = (int) reasons()[$reason];
        $text = substr(reasons()[$reason], 4);
        parent::__construct(implode(' ', array_filter(["$reason:", $text, trim($more), $detail])));
    }
}

/** The header DPoP of a request, with its method and address (RFC 9449). */
final class Dpop
{
    public function __construct(#[Secret] public readonly string $proof, public readonly string $method, public readonly string $url)
    {
    }
}

/** Shows none of its members when it is printed, and cannot be serialized. */
trait Hidden
{
    public function __debugInfo(): array
    {
        return [];
    }

    public function __serialize(): array
    {
        throw new \LogicException('An answer is not for keeping');
    }
}

/** Checks access tokens at a platform. It keeps connections and keys: use one for all calls of a process. */
final class CheckToken
{
    use Hidden;

    private readonly string $issuer;
    /** Scheme, host and port of what it connects to, and of the issuer. */
    private readonly array $origins;
    private readonly Proofs $proofs;
    private readonly array $signature;
    private readonly array $contentEncryption;
    private ?\CurlHandle $connection = null;
    private ?array $known = null;

    /**
     * @param string $realm the realm URL, such as https://login.example.org/realms/federation
     * @param array $privateKeys JWKs, each with the agreed key encryption as its "alg"; two while you change keys
     * @param string $clientSecret as the administrator registered you: a secret, or one of the next two
     * @param ?array $clientKey the private JWK for a signed JWT (private_key_jwt), with its "alg"
     * @param array $tls options of curl: CURLOPT_SSLCERT and CURLOPT_SSLKEY for a client certificate, CURLOPT_CAINFO
     * @param string|array $signature the agreed one; two while you change it. $contentEncryption: the same
     * @param array $identity names of claims, of which a person has at least one
     * @param float $seconds for a whole check, with its retry
     * @param ?object $cache PSR-16, shared by all requests: for the platform's keys, and for DPoP, which needs it
     * @param ?string $connectTo in place of the realm's scheme, host and port, such as https://keycloak.example.internal:8443
     */
    public function __construct(
        string $realm,
        private readonly string $clientId,
        #[Secret] private readonly array $privateKeys,
        #[Secret] private readonly string $clientSecret = '',
        #[Secret] private readonly ?array $clientKey = null,
        private readonly array $tls = [],
        string|array $signature = 'ES256',
        string|array $contentEncryption = 'A256GCM',
        private readonly array $identity = IDENTITY,
        private readonly float $seconds = 10,
        private readonly ?object $cache = null,
        ?string $connectTo = null,
    ) {
        $this->issuer = rtrim($realm, '/') . '/api/v2';
        [$this->signature, $this->contentEncryption] = [(array) $signature, (array) $contentEncryption];
        $base = origin($connectTo === null ? $this->issuer : "$connectTo/");
        check($connectTo === null || rtrim($connectTo, '/') === rtrim($base, '/'), 'settings-realm');
        $this->origins = [$base, origin($this->issuer)];
        $credentials = $clientSecret !== '' || $clientKey !== null || isset($tls[CURLOPT_SSLCERT]);
        check(!isset($privateKeys['keys']), 'settings-key-set');
        check($clientId !== '' && $privateKeys !== [] && $credentials, 'settings-missing');
        foreach ($this->signature as $alg) {
            check(preg_match(SIGNATURE, $alg), 'configuration', 'signature is not of a public key.');
        }
        array_map(checkPrivateKey(...), [...$privateKeys, ...($clientKey === null ? [] : [$clientKey])]);
        $this->proofs = new Proofs($cache);
    }

    /**
     * Gives the verified answer. Whatever fails is a CheckTokenError.
     *
     * @param string $token the access token that a service provider sent
     * @param ?Dpop $dpop the proof of the request, for a token that is bound to a key
     * @param ?string $certificate that of the request in PEM or DER, for a token that is bound to one
     */
    public function check(#[Secret] string $token, ?Dpop $dpop = null, ?string $certificate = null): Answer
    {
        check(strlen($token) <= 65536 && preg_match('/^[\x21-\x7e]+$/D', $token), 'no-token');
        check($dpop === null || $this->cache !== null, 'configuration', 'DPoP needs a cache.');
        $deadline = now() + $this->seconds;
        $reply = $this->post($token, $deadline);
        $wait = $reply['headers']['retry-after'] ?? '';
        if ($reply['status'] === 503 && preg_match('/^\d{1,4}$/D', $wait) && now() + (int) $wait < $deadline) {
            sleep((int) $wait);
            $reply = $this->post($token, $deadline);
        }
        $name = "status-$reply[status]";
        $detail = "($name" . described($reply['body']) . ')';
        check($reply['status'] === 200, isset(reasons()[$name]) ? $name : 'platform-error', $detail);
        $type = $reply['headers']['content-type'] ?? '';
        check(preg_match('#^application/token-introspection\+jwt *(;|$)#Di', $type), 'wrong-content-type');
        $claims = $this->verified($this->decrypted($reply['body']), $deadline);
        $found = $this->accepted($claims, $token);
        return new Answer(fn () => $found, $this->proofs->fit($found, $token, $dpop, $certificate), $this->identity);
    }

    private function post(#[Secret] string $token, float $deadline): array
    {
        $form = fn () => http_build_query(['client_id' => $this->clientId, ...$this->credentials(), 'token' => $token]);
        return $this->send($this->current($deadline)['endpoint'], $deadline, $form);
    }

    /** An assertion works once (RFC 7523). Its audience is the issuer of answers: no other endpoint accepts it. */
    private function credentials(): array
    {
        if ($this->clientKey === null) {
            return $this->clientSecret === '' ? [] : ['client_secret' => $this->clientSecret];
        }
        ['alg' => $alg] = $this->clientKey;
        $header = ['alg' => $alg] + array_intersect_key($this->clientKey, ['kid' => 1]);
        $claims = ['iss' => $this->clientId, 'sub' => $this->clientId, 'aud' => $this->issuer, 'jti' => encoded(random_bytes(16))];
        $claims += ['iat' => time(), 'exp' => time() + 60];
        $input = encoded(json_encode($header)) . '.' . encoded(json_encode($claims, JSON_UNESCAPED_SLASHES));
        $signature = attempt(fn () => signature($alg, $this->clientKey, $input), 'configuration');
        $type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
        return ['client_assertion_type' => $type, 'client_assertion' => "$input." . encoded($signature)];
    }

    /** Reads an answer (RFC 9701, section 5), as do the next two: in the order of the data provider guide. */
    private function decrypted(#[Secret] string $body): string
    {
        check(substr_count($body, '.') !== 2, 'not-encrypted');
        $header = header($body, 5);
        [$alg, $enc, $kid] = [$header['alg'] ?? null, $header['enc'] ?? null, $header['kid'] ?? null];
        $agreed = array_filter($this->privateKeys, fn ($key) => $key['alg'] === $alg);
        check($agreed, 'wrong-key-encryption');
        check(in_array($enc, $this->contentEncryption, true), 'wrong-content-encryption');
        check(!array_key_exists('zip', $header), 'compressed');
        check(is_string($header['cty'] ?? null) && strtoupper($header['cty']) === 'JWT', 'not-signed');
        $own = array_filter($agreed, fn ($key) => ($key['kid'] ?? null) === $kid);
        check($own, 'unknown-decryption-key');
        $plain = attempt(fn () => decrypt($body, $header, reset($own)), 'decryption-failed');
        check(is_string($plain), 'decryption-failed');
        return $plain;
    }

    private function verified(#[Secret] string $jws, float $deadline): array
    {
        check(substr_count($jws, '.') === 2, 'not-signed');
        $header = header($jws, 3);
        [$alg, $kid] = [$header['alg'] ?? null, $header['kid'] ?? null];
        check($alg !== 'none', 'unsecured');
        check(in_array($alg, $this->signature, true), 'wrong-signature-algorithm');
        check(!array_intersect_key($header, ['jwk' => 1, 'jku' => 1, 'x5c' => 1, 'x5u' => 1]), 'key-in-header');
        check(($header['typ'] ?? null) === TYPE, 'wrong-type');
        check(is_string($kid) && $kid !== '', 'unknown-key');
        $key = $this->current($deadline, $kid)['keys'][$kid] ?? null;
        check($key !== null && in_array($key['alg'] ?? $alg, [$alg], true), 'unknown-key');
        check(attempt(fn () => isSigned($jws, $alg, $key), 'wrong-signature'), 'wrong-signature');
        return object(decoded(explode('.', $jws)[1]), 'malformed');
    }

    /** Gives the member token_introspection. */
    private function accepted(#[Secret] array $claims, #[Secret] string $asked): array
    {
        $now = microtime(true);
        $seconds = fn (array $from, string $name) => array_key_exists($name, $from) ? seconds($from[$name]) : $now;
        check(($claims['iss'] ?? null) === $this->issuer, 'wrong-issuer');
        check(in_array($claims['aud'] ?? null, [$this->clientId, [$this->clientId]], true), 'wrong-audience');
        check(is_int($claims['iat'] ?? null) || is_float($claims['iat'] ?? null), 'missing-iat');
        check($seconds($claims, 'iat') <= $now + LEEWAY_SECONDS, 'issued-in-the-future');
        check($seconds($claims, 'iat') >= $now - LEEWAY_SECONDS, 'issued-too-long-ago');
        check($seconds($claims, 'exp') > $now - LEEWAY_SECONDS, 'answer-expired');
        check($seconds($claims, 'nbf') <= $now + LEEWAY_SECONDS, 'answer-not-yet-valid');
        check(array_key_exists('token_introspection', $claims), 'missing-introspection');
        $token = $claims['token_introspection'];
        check(isObject($token), 'malformed-introspection');
        check(is_bool($token['active'] ?? null), 'malformed-active');
        if (!$token['active']) {
            return ['active' => false];
        }
        $texts = is_string($token['client_id'] ?? null) && is_string($token['scope'] ?? null);
        check($texts && (!array_key_exists('cnf', $token) || isObject($token['cnf'])), 'malformed-introspection');
        check(!array_key_exists('acr', $token) || is_string($token['acr']), 'malformed-introspection');
        // A platform can be set to name nobody in an answer without scopes.
        check(is_string($token['sub'] ?? null) || $token['scope'] === '', 'missing-subject');
        check($seconds($token, 'exp') > $now - LEEWAY_SECONDS, 'token-expired');
        // The platform's tokens are JWTs with a jti. Only by that, an answer is not about another one.
        $jti = (json_decode(decoded(explode('.', $asked)[1] ?? '') ?? '', true) ?: [])['jti'] ?? null;
        check(is_string($jti) && $jti === ($token['jti'] ?? null), 'other-token');
        return $token;
    }

    /** Gives endpoint and keys, which are kept until they are old, or lack the key. */
    private function current(float $deadline, ?string $kid = null): array
    {
        $name = cacheName($this->issuer);
        $this->known ??= $this->cache?->get($name) ?? ['at' => 0, 'again' => 0, 'keys' => []];
        $age = time() - $this->known['at'];
        $new = $kid !== null && !isset($this->known['keys'][$kid]) && abs(time() - $this->known['again']) >= AGAIN_SECONDS;
        if ($age < 0 || $age >= KEPT_SECONDS || $new) {
            $again = $new ? time() : $this->known['again'];
            $this->known = [...$this->load($deadline), 'at' => time(), 'again' => $again];
            $this->cache?->set($name, $this->known, KEPT_SECONDS);
        }
        return $this->known;
    }

    private function load(float $deadline): array
    {
        $metadata = $this->json("$this->issuer/.well-known/openid-configuration", $deadline);
        check(($metadata['issuer'] ?? null) === $this->issuer, 'wrong-metadata');
        $this->own($metadata['introspection_endpoint'] ?? null);
        $keys = $this->json($metadata['jwks_uri'] ?? null, $deadline)['keys'] ?? null;
        check(is_array($keys) && array_is_list($keys), 'wrong-metadata');
        $named = array_filter($keys, fn ($key) => is_array($key) && is_string($key['kid'] ?? null));
        return ['endpoint' => $metadata['introspection_endpoint'], 'keys' => array_column($named, null, 'kid')];
    }

    /** Where to connect to. The address must be one of the issuer's own host, because it gets the token and the secret. */
    private function own(mixed $url): string
    {
        foreach (is_string($url) && preg_match('/^[!-~]+$/D', $url) ? $this->origins : [] as $origin) {
            if (str_starts_with($url, $origin)) {
                return $this->origins[0] . substr($url, strlen($origin));
            }
        }
        throw new CheckTokenError('wrong-metadata');
    }

    private function json(mixed $url, float $deadline): array
    {
        $reply = $this->send($url, $deadline);
        check($reply['status'] === 200, 'wrong-metadata');
        return object($reply['body'], 'wrong-metadata');
    }

    /**
     * Posts the form, if there is one. Follows no redirect. Every request has a deadline and a greatest size. If the
     * connection breaks before any answer, it is repeated once: a call changes nothing.
     */
    private function send(mixed $address, float $deadline, ?callable $form = null, bool $again = true): array
    {
        check($deadline > now(), 'timeout');
        $url = $this->own($address);
        [$body, $headers] = ['', []];
        $this->connection ??= curl_init();
        curl_reset($this->connection);
        curl_setopt_array($this->connection, [
            CURLOPT_URL => $url,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => str_starts_with($url, 'https:') ? CURLPROTO_HTTPS : CURLPROTO_HTTP,
            CURLOPT_TIMEOUT_MS => max(1, (int) (1000 * ($deadline - now()))),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HTTPHEADER => ['Expect:'],
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            // curl itself repeats a call on a kept connection, but with the same assertion, which works once.
            CURLOPT_FRESH_CONNECT => !$again || ($form !== null && $this->clientKey !== null),
            CURLOPT_HEADERFUNCTION => function ($connection, $line) use (&$headers) {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => function ($connection, $part) use (&$body) {
                $body .= $part;
                return strlen($body) > MAX_BYTES ? 0 : strlen($part);
            },
        ] + ($form === null ? [] : [CURLOPT_POSTFIELDS => $form()]) + $this->tls
            // Without TLS, it is this machine.
            + (str_starts_with($url, 'https:') ? [] : [CURLOPT_PROXY => '']));
        $done = curl_exec($this->connection);
        check(strlen($body) <= MAX_BYTES, 'too-large');
        check(curl_errno($this->connection) !== CURLE_OPERATION_TIMEDOUT, 'timeout');
        if (!$done && $again && $headers === []) {
            return $this->send($address, $deadline, $form, false);
        }
        check($done, 'unreachable', proxyOf((string) parse_url($url, PHP_URL_HOST), $this->tls));
        return ['status' => curl_getinfo($this->connection, CURLINFO_RESPONSE_CODE), 'headers' => $headers, 'body' => $body];
    }
}

/** Gives scheme, host and port of an address with TLS, or of this machine. Tokens and secrets are sent to no other. */
function origin(string $text): string
{
    $url = parse_url($text) ?: [];
    $host = $url['host'] ?? '';
    $local = ($url['scheme'] ?? '') === 'http' && in_array($host, ['localhost', '127.0.0.1', '[::1]'], true);
    check($host !== '' && ($url['scheme'] === 'https' || $local), 'settings-realm');
    $origin = "$url[scheme]://$host" . (isset($url['port']) ? ":$url[port]" : '') . '/';
    check(str_starts_with($text, $origin), 'settings-realm');
    return $origin;
}

/** Names the forward proxy that curl takes, without its password. */
function proxyOf(string $host, #[Secret] array $tls): string
{
    $read = fn (string $name) => getenv($name) ?: getenv(strtoupper($name)) ?: '';
    $proxy = $tls[CURLOPT_PROXY] ?? ($read('https_proxy') ?: $read('all_proxy'));
    foreach (preg_split('/[\s,]+/', $read('no_proxy')) as $name) {
        $name = ltrim($name, '.');
        $proxy = $name !== '' && ($name === '*' || str_ends_with(".$host", ".$name")) ? '' : $proxy;
    }
    return $proxy === '' ? '' : '(proxy: ' . preg_replace('#^(\w+://)?(.*@)?#', '$1', $proxy) . ')';
}

/** A verified answer. It can be of a token that is not active, so it gives nothing before a scope is asked for. */
final class Answer
{
    use Hidden;

    public readonly bool $active;

    /** @internal */
    public function __construct(private readonly \Closure $token, private readonly bool $proven, private readonly array $identity)
    {
        $this->active = $token()['active'];
    }

    /** Fails with a CheckTokenError if the token is not active, not proven, or lacks one of the scopes. */
    public function require(string $scope, string ...$scopes): Access
    {
        check($this->active, 'inactive');
        check($this->proven, 'not-proven');
        $wanted = [$scope, ...$scopes];
        $granted = array_filter(explode(' ', ($this->token)()['scope']), 'strlen');
        check(!array_diff($wanted, $granted), 'insufficient-scope', '(' . implode(' ', $wanted) . ')');
        return new Access($this->token, $this->identity);
    }

    /** Gives what the platform says (RFC 7662), for a gateway that checks scopes, persons and cnf on its own. */
    public function unchecked(): array
    {
        return ($this->token)();
    }
}

/** What a service provider may do, for a person or for itself. */
final class Access
{
    use Hidden;

    /** @internal */
    public function __construct(private readonly \Closure $token, private readonly array $identity)
    {
    }

    /** The service provider. */
    public function clientId(): string
    {
        return ($this->token)()['client_id'];
    }

    /** By this, the administrator finds the call. It may be logged. */
    public function jti(): ?string
    {
        return ($this->token)()['jti'] ?? null;
    }

    /** Fails with a CheckTokenError if the token is of a machine: a service account, which is no person. */
    public function person(): Person
    {
        check(array_intersect_key(array_flip($this->identity), ($this->token)()), 'machine');
        return new Person($this->token);
    }
}

/** Who uses the service provider. */
final class Person
{
    use Hidden;

    /** @internal */
    public function __construct(private readonly \Closure $token)
    {
    }

    /** The person's identifier for this data provider. */
    public function sub(): string
    {
        return ($this->token)()['sub'];
    }

    /** The level of assurance of the login, if it is known. */
    public function acr(): ?string
    {
        return ($this->token)()['acr'] ?? null;
    }

    /** The identity data. Do not log it. */
    public function identity(): array
    {
        return array_diff_key(($this->token)(), array_flip(OF_TOKEN));
    }
}

/** @internal Whether a request proves the key or certificate that its token is bound to. It accepts each DPoP proof once. */
final class Proofs
{
    public function __construct(private readonly ?object $cache)
    {
    }

    /** False for a bound token without its proof, and for a DPoP proof with a token that is not bound to it. */
    public function fit(#[Secret] array $claims, #[Secret] string $token, ?Dpop $dpop, ?string $certificate): bool
    {
        $bound = array_key_exists('cnf', $claims);
        if (!$claims['active'] || (!$bound && $dpop === null)) {
            return true;
        }
        $cnf = $claims['cnf'] ?? [];
        if (!$cnf || array_diff_key($cnf, ['jkt' => 1, 'x5t#S256' => 1])) {
            return false;
        }
        try {
            $certified = !isset($cnf['x5t#S256']) || thumbprint($certificate) === $cnf['x5t#S256'];
            return $certified && (isset($cnf['jkt']) ? $this->signed($dpop, $token, $cnf['jkt']) : $dpop === null);
        } catch (\Throwable) {
            return false;
        }
    }

    /** RFC 9449, section 4.3. */
    private function signed(Dpop $dpop, #[Secret] string $token, mixed $jkt): bool
    {
        $header = header($dpop->proof, 3);
        ['alg' => $alg, 'jwk' => $jwk, 'typ' => $typ] = $header;
        $right = $typ === 'dpop+jwt' && preg_match(SIGNATURE, $alg) && !isset($jwk['d']) && keyThumbprint($jwk) === $jkt;
        if (!$right || !isSigned($dpop->proof, $alg, $jwk)) {
            return false;
        }
        $claims = object(decoded(explode('.', $dpop->proof)[1]), 'malformed');
        $fresh = abs(time() - seconds($claims['iat'])) <= PROOF_SECONDS;
        $here = $claims['htm'] === $dpop->method && address($claims['htu']) === address($dpop->url);
        return $fresh && $here && $claims['ath'] === sha256($token) && $this->first($claims['jti']);
    }

    private function first(string $jti): bool
    {
        $name = cacheName("jti $jti");
        $first = $this->cache->get($name) === null;
        return $this->cache->set($name, true, 2 * PROOF_SECONDS) && $first;
    }
}

/** RFC 8705, section 3.1. */
function thumbprint(?string $certificate): string
{
    $pem = str_contains((string) $certificate, '-----BEGIN');
    $hash = $pem ? openssl_x509_fingerprint($certificate, 'sha256', true) : hash('sha256', (string) $certificate, true);
    return $hash === false ? '' : encoded($hash);
}

/** RFC 7638. */
function keyThumbprint(array $jwk): string
{
    $names = ['EC' => ['crv', 'kty', 'x', 'y'], 'RSA' => ['e', 'kty', 'n'], 'OKP' => ['crv', 'kty', 'x']][$jwk['kty']];
    $members = array_map(fn ($name) => '"' . $name . '":' . json_encode($jwk[$name], JSON_UNESCAPED_SLASHES), $names);
    return sha256('{' . implode(',', $members) . '}');
}

/** Without query and fragment. */
function address(string $text): array
{
    $url = parse_url($text);
    $port = $url['port'] ?? ['https' => 443, 'http' => 80][$url['scheme']];
    return [strtolower($url['scheme']), strtolower($url['host']), $port, $url['path'] ?? '/'];
}

/** Decrypts a JWE (RFC 7516) whose header is checked. */
function decrypt(#[Secret] string $jwe, array $header, #[Secret] array $jwk): string|false
{
    [$head, $wrapped, $iv, $text, $tag] = [explode('.', $jwe)[0], ...array_map(decoded(...), array_slice(explode('.', $jwe), 1))];
    [$alg, $enc] = [$header['alg'], $header['enc']];
    $bytes = ENCRYPTION_BYTES[$enc];
    if (isset(OAEP[$alg])) {
        $key = RSA::loadFormat('JWK', json_encode($jwk))->withPadding(RSA::ENCRYPTION_OAEP);
        $cek = $key->withHash(OAEP[$alg])->withMGFHash(OAEP[$alg])->decrypt($wrapped);
    } elseif ($alg === 'ECDH-ES') {
        $cek = $wrapped === '' ? agreedKey($header, $enc, $bytes, $jwk) : false;
    } elseif (preg_match('/^ECDH-ES\+A(128|192|256)KW$/D', $alg, $size)) {
        $kek = agreedKey($header, $alg, (int) $size[1] / 8, $jwk);
        $cek = @openssl_decrypt($wrapped, "aes-$size[1]-wrap", $kek, OPENSSL_RAW_DATA, str_repeat("\xa6", 8));
    } else {
        return false;
    }
    if (!is_string($cek) || strlen($cek) !== $bytes) {
        return false;
    }
    if (str_ends_with($enc, 'GCM')) {
        $right = strlen($tag) === 16 && strlen($iv) === 12;
        return $right ? openssl_decrypt($text, 'aes-' . 8 * $bytes . '-gcm', $cek, OPENSSL_RAW_DATA, $iv, $tag, $head) : false;
    }
    // RFC 7518, section 5.2.2.2: the first half of the key is for the tag.
    [$macKey, $key] = str_split($cek, $bytes >> 1);
    $mac = hash_hmac('sha' . substr($enc, -3), $head . $iv . $text . pack('J', 8 * strlen($head)), $macKey, true);
    $right = hash_equals(substr($mac, 0, $bytes >> 1), $tag) && strlen($iv) === 16;
    return $right ? openssl_decrypt($text, 'aes-' . 4 * $bytes . '-cbc', $key, OPENSSL_RAW_DATA, $iv) : false;
}

/** Makes a key from a key agreement (RFC 7518, section 4.6). */
function agreedKey(array $header, string $purpose, int $bytes, #[Secret] array $jwk): string
{
    $epk = $header['epk'];
    check(!isset($epk['d']) && ($epk['crv'] ?? null) === $jwk['crv'] && ($epk['kty'] ?? null) === 'EC', 'malformed');
    // Refuses what is no point of the curve.
    $public = EC::loadFormat('JWK', json_encode($epk))->toString('PKCS8');
    $private = EC::loadFormat('JWK', json_encode($jwk))->toString('PKCS8');
    $secret = openssl_pkey_derive($public, $private);
    check(is_string($secret), 'malformed');
    $info = '';
    foreach ([$purpose, decoded($header['apu'] ?? ''), decoded($header['apv'] ?? '')] as $part) {
        $info .= pack('N', strlen($part)) . $part;
    }
    $key = '';
    for ($round = 1; strlen($key) < $bytes; $round++) {
        $key .= hash('sha256', pack('N', $round) . $secret . $info . pack('N', 8 * $bytes), true);
    }
    return substr($key, 0, $bytes);
}

/** Whether the JWS is signed with the key, whose type has to be that of the algorithm. */
function isSigned(#[Secret] string $jws, string $alg, array $jwk): bool
{
    [$header, $payload, $encoded] = explode('.', $jws);
    $signature = decoded($encoded);
    $key = keyFor($alg, array_intersect_key($jwk, ['kty' => 1, 'crv' => 1, 'x' => 1, 'y' => 1, 'n' => 1, 'e' => 1]));
    if (isset(CURVES[$alg])) {
        $half = coordinateBytes($alg);
        if (strlen($signature) !== 2 * $half) {
            return false;
        }
        $signature = array_map(fn ($number) => new BigInteger($number, 256), array_combine(['r', 's'], str_split($signature, $half)));
    }
    return $key->verify("$header.$payload", $signature) === true;
}

function signature(string $alg, #[Secret] array $jwk, string $input): string
{
    $signature = keyFor($alg, $jwk)->sign($input);
    $number = fn (BigInteger $number) => str_pad($number->toBytes(), coordinateBytes($alg), "\0", STR_PAD_LEFT);
    return is_array($signature) ? $number($signature['r']) . $number($signature['s']) : $signature;
}

function coordinateBytes(string $alg): int
{
    return ['ES256' => 32, 'ES384' => 48, 'ES512' => 66][$alg];
}

function keyFor(string $alg, #[Secret] array $jwk): RSA|EC
{
    if (isset(CURVES[$alg])) {
        check($jwk['kty'] === 'EC' && $jwk['crv'] === CURVES[$alg], 'unknown-key');
        return EC::loadFormat('JWK', json_encode($jwk))->withHash('sha' . substr($alg, 2))->withSignatureFormat('Raw');
    }
    if ($alg === 'EdDSA') {
        check($jwk['kty'] === 'OKP', 'unknown-key');
        return EC::loadFormat('JWK', json_encode($jwk));
    }
    check($jwk['kty'] === 'RSA', 'unknown-key');
    $key = RSA::loadFormat('JWK', json_encode($jwk))->withHash('sha' . substr($alg, 2));
    check($key->getLength() >= 2048, 'unknown-key');
    return $alg[0] === 'R'
        ? $key->withPadding(RSA::SIGNATURE_PKCS1)
        : $key->withPadding(RSA::SIGNATURE_PSS)->withMGFHash('sha' . substr($alg, 2))->withSaltLength((int) substr($alg, 2) >> 3);
}

function checkPrivateKey(#[Secret] mixed $jwk): void
{
    check(is_array($jwk), 'settings-key-public');
    check(!isset($jwk['keys']), 'settings-key-set');
    $format = ['RSA' => RSA::class, 'EC' => EC::class, 'OKP' => EC::class][$jwk['kty'] ?? ''] ?? null;
    check($format, 'settings-key-public');
    $key = attempt(fn () => $format::loadFormat('JWK', json_encode($jwk)), 'settings-key-public');
    check($key instanceof PrivateKey, 'settings-key-public');
    check(is_string($jwk['alg'] ?? null), 'settings-key-alg');
}

/** Reads that of a compact JWE or JWS. base64url has to be in its only spelling, or changed copies would pass. */
function header(#[Secret] string $compact, int $parts): array
{
    $all = explode('.', $compact, $parts + 1);
    check(count($all) === $parts && !in_array(null, array_map(decoded(...), $all), true), 'malformed');
    $header = object(decoded($all[0]), 'malformed');
    check(!array_key_exists('crit', $header), 'critical-header');
    return $header;
}

/** Decodes base64url. Gives null if it is not in its only spelling. */
function decoded(#[Secret] string $text): ?string
{
    $bytes = base64_decode(strtr($text, '-_', '+/'), true);
    return $bytes !== false && encoded($bytes) === $text ? $bytes : null;
}

function encoded(#[Secret] string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function sha256(#[Secret] string $data): string
{
    return encoded(hash('sha256', $data, true));
}

function object(#[Secret] ?string $json, string $reason): array
{
    $found = json_decode((string) $json, true);
    check(is_array($found) && str_starts_with(ltrim((string) $json), '{'), $reason);
    return $found;
}

/** An empty list and an empty object are the same here, and neither has what is asked for. */
function isObject(#[Secret] mixed $value): bool
{
    return is_array($value) && ($value === [] || !array_is_list($value));
}

/** Gives NAN, which is neither before nor after any time, for what is no number. */
function seconds(mixed $value): float
{
    return is_int($value) || is_float($value) ? (float) $value : NAN;
}

/** PSR-16 promises 64 characters. */
function cacheName(#[Secret] string $text): string
{
    return 'checktoken.' . substr(hash('sha256', $text), 0, 48);
}

/** For deadlines. */
function now(): float
{
    return hrtime(true) / 1e9;
}

/** What the platform says about its error, as it may be logged (RFC 6749 section 5.2). */
function described(#[Secret] string $body): string
{
    $text = json_decode($body, true)['error_description'] ?? null;
    return is_string($text) && $text !== '' ? ': ' . substr(preg_replace('/[^ !#-\[\]-~]/u', '?', $text), 0, 200) : '';
}

function check(mixed $holds, string $name, string $detail = ''): void
{
    if (!$holds) {
        throw new CheckTokenError($name, $detail);
    }
}

/** The exception of a library could quote a key or an answer, so it is not kept as the cause. */
function attempt(callable $action, string $name): mixed
{
    try {
        return $action();
    } catch (CheckTokenError | \Throwable) {
        throw new CheckTokenError($name);
    }
}

function reasons(): array
{
    static $reasons = [];
    if (!$reasons && preg_match_all('/^([a-z0-9-]+)=(.+)$/m', REASONS, $lines)) {
        $reasons = array_combine($lines[1], $lines[2]);
    }
    return $reasons;
}

const REASONS = <<<'END'
# Why a token may not be used: what to answer the service provider, and what to do. The same file is in each library;
# all reasons but the first six are those of the test kit. Below, the reason that a status or a setting stands for, and more text.
configuration=503 Correct your settings.
no-token=401 This is no access token. Answer 401 with WWW-Authenticate: Bearer error="invalid_token".
inactive=401 The token is not active. Answer 401 with WWW-Authenticate: Bearer error="invalid_token".
machine=401 The token is of a service provider itself, and not of a person. Answer 401 with WWW-Authenticate: Bearer error="invalid_token".
not-proven=401 The token is bound to a key that the request does not prove: give check its DPoP proof or client certificate. Answer 401 with WWW-Authenticate: Bearer error="invalid_token".
insufficient-scope=403 The token lacks a scope. Answer 403 with WWW-Authenticate: Bearer error="insufficient_scope".
unreachable=503 No connection to the platform, or it broke. Try again later; if it lasts, look at address, network and certificates.
timeout=503 The whole answer was not there in time. Try again later.
busy=503 Too many checks wait for their turn. Try again later; if it lasts, share the load among more processes.
unavailable=503 The platform cannot answer now. Try again later; if it lasts, tell its administrator.
redirect=503 The platform redirects, which would carry token and secret elsewhere. Correct the realm's address.
invalid-request=503 The platform could not read the call. Look at what is between you and the platform.
wrong-credentials=503 The platform refused your credentials, not the token. Stop, and ask its administrator for the right ones.
not-a-data-provider=503 The platform refused you, not the token. Ask its administrator to register you as a data provider.
platform-error=503 The platform answered with an unexpected status. Tell its administrator.
wrong-metadata=503 Metadata or keys cannot be used, or are another issuer's. Compare the realm's address; to connect elsewhere, the platform needs a fixed hostname.
wrong-content-type=503 The answer has another content type. Check that no proxy answers in the platform's place.
too-large=503 The answer is too large. Check that no proxy answers in the platform's place.
malformed=503 The answer cannot be read. Check that no proxy changes it.
not-encrypted=503 The answer is not encrypted. Do not use it, and tell the administrator.
wrong-key-encryption=503 The answer is encrypted with another alg. Agree on it with the administrator.
wrong-content-encryption=503 The answer is encrypted with another enc. Agree on it with the administrator.
compressed=503 The answer is compressed. Do not use it, and tell the administrator.
critical-header=503 The answer has a critical header. Do not use it, and tell the administrator.
unknown-decryption-key=503 The answer is for a key that is not here. Add the private key that fits the published one.
decryption-failed=503 The answer cannot be decrypted. Compare the private key with the published one.
not-signed=503 The answer is not signed, so anybody can have made it. Tell the administrator.
unsecured=503 The answer has alg none, so anybody can have made it. Tell the administrator.
wrong-signature-algorithm=503 The answer is signed with another alg. Agree on it with the administrator.
key-in-header=503 The answer brings its own key, so anybody can have made it. Tell the administrator.
wrong-type=503 This is a JWT of another type. Do not use it, and tell the administrator.
unknown-key=503 The platform does not publish the key of this answer. Try again later; if it lasts, tell the administrator.
wrong-signature=503 The signature is wrong, so anybody can have made the answer. Tell the administrator.
duplicate-member=503 A member is there twice. Do not use the answer, and tell the administrator.
wrong-issuer=503 The answer is from another issuer. Compare the realm's address with the administrator.
wrong-audience=503 The answer is for another data provider. Compare the client_id with the administrator.
missing-iat=503 The answer does not say when it was made. Tell the administrator.
issued-in-the-future=503 The answer is over a minute ahead. Compare the clocks.
issued-too-long-ago=503 The answer is over a minute old. Compare the clocks; if they are right, somebody replays answers.
answer-expired=503 The answer has expired. Compare the clocks.
answer-not-yet-valid=503 The answer is not valid yet. Compare the clocks.
missing-introspection=503 The answer says nothing about the token. Tell the administrator.
malformed-introspection=503 A member of token_introspection has a wrong form. Tell the administrator.
malformed-active=503 The answer does not say whether the token is active. Tell the administrator.
missing-subject=503 The answer has scopes of yours, and no sub, so nobody can say whose token it is. Tell the administrator.
token-expired=503 The answer calls a token active that has expired. Compare the clocks.
other-token=503 The answer is about another token. Check that no proxy keeps answers.

status-300=redirect
status-301=redirect
status-302=redirect
status-303=redirect
status-307=redirect
status-308=redirect
status-400=invalid-request
status-401=wrong-credentials
status-403=not-a-data-provider
status-405=invalid-request
status-413=invalid-request
status-415=invalid-request
status-429=unavailable There were too many calls or guesses, for the platform or a proxy: wait as Retry-After says.
status-502=unavailable
status-503=unavailable It may have no key of yours to encrypt to: look at your JWK Set.
status-504=unavailable

settings-realm=configuration The realm, and the address to connect to, must be https (http only to this machine).
settings-missing=configuration Give a client_id, a private key, and one way to authenticate.
settings-connection=configuration Give one of certificate, trust store and transport, and a transport that follows no redirects.
settings-key-set=configuration This is a JWK Set: give each of its keys.
settings-key-public=configuration A key is public, or no JWK: give the private JWK.
settings-key-alg=configuration A private key has no alg: add the agreed one, such as RSA-OAEP-256.
END;

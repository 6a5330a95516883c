<?php

// Checks an access token, given as the argument or on the standard input.
// Needs PHP 8.1 or later with OpenSSL, and phpseclib: composer require phpseclib/phpseclib:~3.0
// Or Debian's packages php-cli and php-phpseclib3.
//
// Answers must be signed with ES256 and encrypted with A256GCM. The key encryption is the alg of the private key:
// RSA-OAEP-256 or ECDH-ES.

use phpseclib3\Crypt\EC;
use phpseclib3\Crypt\RSA;
use phpseclib3\Math\BigInteger;

require is_file(__DIR__ . '/vendor/autoload.php') ? __DIR__ . '/vendor/autoload.php' : 'phpseclib3/autoload.php';

function check(string $token): array
{
    $realm = rtrim(getenv('REALM'), '/');
    $form = ['client_id' => getenv('CLIENT_ID'), 'client_secret' => getenv('CLIENT_SECRET'), 'token' => $token];
    [$status, $body] = http("$realm/api/v2/checktoken", [
        'method' => 'POST',
        'header' => 'Content-Type: application/x-www-form-urlencoded',
        'content' => http_build_query($form),
    ]);
    if ($status !== 200) {
        // Nothing else of the body, which could be an answer.
        $error = (array) json_decode($body, true) + ['error' => '', 'error_description' => ''];
        throw new RuntimeException("checktoken answered $status: {$error['error']} {$error['error_description']}");
    }
    $answer = verify(decrypt($body), $realm);
    if (($answer['iss'] ?? null) !== "$realm/api/v2" || (array) ($answer['aud'] ?? null) !== [getenv('CLIENT_ID')]) {
        throw new RuntimeException('An answer of another realm, or for another data provider');
    }
    if (!is_int($answer['iat'] ?? null) || abs(time() - $answer['iat']) > 60) {
        throw new RuntimeException('The answer was made at another time');
    }
    // It can say active: false. Steps 8 to 11 of the guide are the caller's.
    $introspection = $answer['token_introspection'] ?? null;
    return is_array($introspection) && !array_is_list($introspection) ? $introspection : throw new RuntimeException('The answer says nothing about the token');
}

/** Decrypts a JWE (RFC 7516). */
function decrypt(string $jwe): string
{
    $parts = explode('.', $jwe, 6);
    if (count($parts) !== 5) {
        throw new RuntimeException('The answer is not encrypted');
    }
    [$encodedHeader] = $parts;
    [$header, $wrapped, $iv, $ciphertext, $tag] = array_map('base64UrlDecode', $parts);
    $header = json($header) + ['kid' => null, 'alg' => null, 'enc' => null];
    if ($header['enc'] !== 'A256GCM' || isset($header['crit']) || isset($header['zip']) || strlen($tag) !== 16) {
        throw new RuntimeException('The answer is not encrypted as agreed');
    }
    $jwk = privateKey($header);
    $key = match ($header['alg']) {
        'RSA-OAEP-256' => RSA::loadFormat('JWK', json_encode($jwk))
            ->withPadding(RSA::ENCRYPTION_OAEP)->withHash('sha256')->withMGFHash('sha256')->decrypt($wrapped),
        'ECDH-ES' => agreeOnKey($header['epk'], $jwk),
        default => throw new RuntimeException("This program does not support {$header['alg']}"),
    };
    $plain = strlen($key) === 32
        ? openssl_decrypt($ciphertext, 'aes-256-gcm', $key, OPENSSL_RAW_DATA, $iv, $tag, $encodedHeader)
        : false;
    if ($plain === false) {
        throw new RuntimeException('The answer cannot be decrypted');
    }
    return $plain;
}

/** Makes the key of A256GCM from a key agreement (RFC 7518, section 4.6). The header has neither apu nor apv. */
function agreeOnKey(array $ephemeral, array $jwk): string
{
    $public = EC::loadFormat('JWK', json_encode($ephemeral))->toString('PKCS8');
    $private = EC::loadFormat('JWK', json_encode($jwk))->toString('PKCS8');
    $secret = openssl_pkey_derive($public, $private);
    if ($secret === false) {
        throw new RuntimeException('The answer cannot be decrypted');
    }
    return hash('sha256', pack('N', 1) . $secret . pack('N', 7) . 'A256GCM' . pack('NNN', 0, 0, 256), true);
}

/** Verifies the JWS (RFC 7515) with the realm's keys. */
function verify(string $jws, string $realm): array
{
    $parts = explode('.', $jws, 4);
    if (count($parts) !== 3) {
        throw new RuntimeException('The answer is not signed');
    }
    [$header, $payload, $signature] = array_map('base64UrlDecode', $parts);
    $header = json($header) + ['kid' => null, 'alg' => null, 'typ' => null];
    if ($header['alg'] !== 'ES256' || $header['typ'] !== 'token-introspection+jwt' || isset($header['crit'])) {
        throw new RuntimeException('Not an answer of checktoken that is signed as agreed');
    }
    // A server keeps the keys for five minutes, and loads them earlier if a kid is not among them.
    [$status, $certs] = http("$realm/protocol/openid-connect/certs", []);
    if ($status !== 200) {
        throw new RuntimeException("The realm's keys cannot be loaded: $status");
    }
    foreach (json($certs)['keys'] as $jwk) {
        if (($jwk['kid'] ?? '') === $header['kid'] && $jwk['kty'] === 'EC' && $jwk['crv'] === 'P-256') {
            $key = EC::loadFormat('JWK', json_encode($jwk))->withHash('sha256')->withSignatureFormat('Raw');
            [$r, $s] = array_map(fn ($half) => new BigInteger($half, 256), str_split($signature, 32) + ['', '']);
            if (strlen($signature) === 64 && $key->verify("$parts[0].$parts[1]", ['r' => $r, 's' => $s])) {
                return json($payload);
            }
        }
    }
    throw new RuntimeException('The realm has not signed the answer');
}

/** Finds the key that the header of the answer names. While you change keys there are two. */
function privateKey(array $header): array
{
    foreach (explode(' ', getenv('PRIVATE_KEYS') ?: 'private.jwk.json') as $file) {
        $jwk = is_readable($file) ? json_decode(file_get_contents($file), true) : null;
        if (!isset($jwk['d'])) {
            throw new RuntimeException("$file cannot be read, or is no private key as a JWK");
        }
        if (($jwk['kid'] ?? null) === $header['kid'] && ($jwk['alg'] ?? null) === $header['alg']) {
            return $jwk;
        }
    }
    throw new RuntimeException("No file of PRIVATE_KEYS has a key with kid {$header['kid']} and alg {$header['alg']}");
}

/** Returns the status and the body. PHP checks the certificate of an https address. */
function http(string $url, array $request): array
{
    $end = microtime(true) + 10;
    $options = $request + ['ignore_errors' => true, 'follow_location' => 0, 'timeout' => 10];
    $stream = @fopen($url, 'r', false, stream_context_create(['http' => $options]));
    if ($stream === false) {
        throw new RuntimeException("Cannot reach $url");
    }
    $body = '';
    while (!feof($stream)) {
        $body .= fread($stream, 8192);
        // The time-out of PHP begins anew with each piece, and leaves half of a body.
        if (microtime(true) >= $end || stream_get_meta_data($stream)['timed_out']) {
            throw new RuntimeException("No answer of $url within 10 seconds");
        }
    }
    return [(int) explode(' ', stream_get_meta_data($stream)['wrapper_data'][0])[1], $body];
}

function json(string $text): array
{
    return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
}

function base64UrlDecode(string $text): string
{
    $bytes = base64_decode(strtr($text, '-_', '+/'), true);
    return $bytes === false ? throw new RuntimeException('The answer is not Base64url') : $bytes;
}

try {
    $missing = array_filter(['REALM', 'CLIENT_ID', 'CLIENT_SECRET'], fn ($name) => !getenv($name));
    if ($missing) {
        throw new RuntimeException('Not set: ' . implode(', ', $missing));
    }
    $token = trim($argv[1] ?? (stream_isatty(STDIN) ? '' : stream_get_contents(STDIN)));
    if ($token === '') {
        throw new RuntimeException('No access token, neither as the argument nor on the standard input');
    }
    echo json_encode(check($token), JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE), "\n";
} catch (Throwable $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit(1);
}

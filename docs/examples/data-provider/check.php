<?php

// Checks an access token, given as the argument or on the standard input. Needs PHP 8.2 or later, the library, which is
// one file: cp /path/to/checkout/clients/php/CheckToken.php .
// and Debian's packages php-cli, php-curl, php-gmp and php-phpseclib3, or: composer require phpseclib/phpseclib:~3.0

use ChecktokenClient\CheckToken;

require is_file(__DIR__ . '/vendor/autoload.php') ? __DIR__ . '/vendor/autoload.php' : 'phpseclib3/autoload.php';
require __DIR__ . '/CheckToken.php';

function privateKey(string $file): array
{
    $jwk = is_readable($file) ? json_decode(file_get_contents($file), true) : null;
    return is_array($jwk) ? $jwk : throw new RuntimeException("$file cannot be read, or is no private key as a JWK");
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
    $checkToken = new CheckToken(
        getenv('REALM'),
        getenv('CLIENT_ID'),
        array_map(privateKey(...), explode(' ', getenv('PRIVATE_KEYS') ?: 'private.jwk.json')),
        getenv('CLIENT_SECRET'),
        // A server gives a cache that its requests share (PSR-16).
    );
    $answer = $checkToken->check($token);
    // Only to look at it. Your API does: $person = $answer->require('tax_income')->person();
    echo json_encode($answer->unchecked(), JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE), "\n";
} catch (RuntimeException $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit(1);
}

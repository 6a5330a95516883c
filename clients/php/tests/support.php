<?php

declare(strict_types=1);

use ChecktokenClient\CheckToken;
use ChecktokenClient\Dpop;
use PHPUnit\Framework\TestCase;

require 'phpseclib3/autoload.php';
require __DIR__ . '/../CheckToken.php';

const KIT = __DIR__ . '/../../testkit';

function read(string $file): array
{
    return json_decode(file_get_contents(KIT . "/$file"), true, 512, JSON_THROW_ON_ERROR);
}

function key_of(string $kid): array
{
    static $keys = [];
    foreach ($keys ? [] : ['platform', 'data-provider', 'service-provider', 'foreign'] as $name) {
        $keys += array_column(read("keys/$name.json")['keys'], null, 'kid');
    }
    return $keys[$kid];
}

/** The token of a case, as the kit's README says. */
function token_of(string $name): string
{
    static $kit = null;
    $kit ??= read('cases.json');
    $case = array_column($kit['cases'], null, 'name')[$name];
    $claims = ['case' => $name, 'jti' => $kit['introspections'][$case['introspection'] ?? 'person']['jti'] ?? null];
    $parts = array_map(fn ($part) => ChecktokenClient\encoded(json_encode($part)), [['alg' => 'ES256'], $claims]);
    return $case['token'] ?? implode('.', $parts) . '.AAAA';
}

function certificate(string $kid): string
{
    return base64_decode(key_of($kid)['x5c'][0]);
}

function signed(string $header, string $payload, array $jwk): string
{
    $input = ChecktokenClient\encoded($header) . '.' . ChecktokenClient\encoded($payload);
    return "$input." . ChecktokenClient\encoded(ChecktokenClient\signature('ES256', $jwk, $input));
}

/** PSR-16, of one process. */
final class MemoryCache
{
    public array $kept = [];

    public function get(string $name): mixed
    {
        return $this->kept[$name] ?? null;
    }

    public function set(string $name, mixed $value, int $seconds): bool
    {
        $this->kept[$name] = $value;
        return true;
    }
}

/** The mock platform for Node. */
final class Platform
{
    public readonly string $realm;
    public readonly string $origin;
    public readonly string $address;
    private $process;
    private $pipe;

    public function __construct(array $environment = [])
    {
        $command = ['node', KIT . '/mock-node/main.js'];
        $this->process = proc_open($command, [1 => ['pipe', 'w']], $pipes, null, ['PORT' => '0', ...getenv(), ...$environment]);
        $this->realm = trim(substr(fgets($pipes[1]), strlen('Realm: ')));
        $this->origin = explode('/realms/', $this->realm)[0];
        fgets($pipes[1]);
        $this->pipe = $pipes[1];
        $this->address = $this->said();
    }

    /** The value of its next line. */
    public function said(): string
    {
        return trim(explode(': ', fgets($this->pipe), 2)[1]);
    }

    public function close(): void
    {
        proc_terminate($this->process);
        proc_close($this->process);
    }
}

abstract class PlatformTest extends TestCase
{
    protected static Platform $platform;
    protected static array $cases;

    public static function setUpBeforeClass(): void
    {
        self::$cases = read('cases.json');
        self::$platform = new Platform();
    }

    public static function tearDownAfterClass(): void
    {
        self::$platform->close();
    }

    protected function settings(array $more = [], ?array $registered = null): array
    {
        $registered ??= self::$cases['clients'][0];
        $agreed = $registered['agreed'];
        return $more + [
            'realm' => self::$platform->realm,
            'clientId' => $registered['client_id'],
            'clientSecret' => $registered['client_secret'],
            'privateKeys' => [['alg' => $agreed['jwe_alg']] + key_of("data-provider-$agreed[kty]")],
            'signature' => $agreed['jws_alg'],
            'contentEncryption' => $agreed['jwe_enc'],
            'seconds' => 30,
            'cache' => new MemoryCache(),
        ];
    }

    protected function client(array $more = [], ?array $registered = null): CheckToken
    {
        return new CheckToken(...$this->settings($more, $registered));
    }

    /** A right DPoP proof of the kit's service provider, if nothing is changed. */
    protected function proof(string $token, array $claims = [], array $header = [], string $key = 'service-provider', array $request = []): Dpop
    {
        $jwk = key_of($key);
        $right = ['jti' => bin2hex(random_bytes(8)), 'htm' => 'GET', 'htu' => 'https://DP.example.org:443/income', 'iat' => time()];
        $head = $header + ['alg' => 'ES256', 'typ' => 'dpop+jwt', 'jwk' => array_intersect_key($jwk, array_flip(['kty', 'crv', 'x', 'y']))];
        $payload = $claims + $right + ['ath' => ChecktokenClient\sha256($token)];
        $request += ['proof' => signed(json_encode($head), json_encode($payload), $jwk)];
        return new Dpop(...$request + ['method' => 'GET', 'url' => 'https://dp.example.org/income?year=2025']);
    }

    protected function reasonOf(callable $action): string
    {
        try {
            $action();
        } catch (ChecktokenClient\CheckTokenError $error) {
            return $error->reason;
        }
        return 'accepted';
    }
}

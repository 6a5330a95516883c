<?php

declare(strict_types=1);

use ChecktokenClient\Answer;
use ChecktokenClient\CheckToken;
use ChecktokenClient\CheckTokenError;

require_once __DIR__ . '/support.php';

final class CasesTest extends PlatformTest
{
    /** Nothing of this may be seen in an answer or an error that is printed. */
    private const SECRET = '/eyJ|published-for-tests|Moreau|Camille|1988-03-14|da87b1dd|75107/';

    public static function eachCaseForEachClient(): iterable
    {
        ['clients' => $clients, 'cases' => $cases] = read('cases.json');
        foreach ($clients as $registered) {
            foreach ($cases as $case) {
                if (($case['client'] ?? $registered['client_id']) === $registered['client_id']) {
                    yield "$registered[client_id] $case[name]" => [$registered, $case];
                }
            }
        }
    }

    /** @dataProvider eachCaseForEachClient */
    public function testClientGetsWhatTheCaseSays(array $registered, array $case): void
    {
        $client = $this->client(isset($case['http']['stall']) ? ['seconds' => 2] : [], $registered);
        if (isset($case['before'])) {
            $client->check(token_of($case['before']));
        }
        $token = token_of($case['name']);
        $cnf = $case['expect']['cnf'] ?? [];
        $dpop = isset($cnf['jkt']) ? $this->proof($token) : null;
        $certificate = isset($cnf['x5t#S256']) ? certificate('service-provider') : null;
        try {
            $answer = $client->check($token, $dpop, $certificate);
        } catch (CheckTokenError $error) {
            self::assertNull($error->getPrevious());
            $ours = array_filter($error->getTrace(), fn ($frame) => str_contains(($frame['class'] ?? '') . $frame['function'], 'ChecktokenClient\\'));
            self::assertDoesNotMatchRegularExpression(self::SECRET, $error->getMessage() . print_r($ours, true));
            self::assertContains($error->reason, [$case['reason'] ?? 'none', ...$case['or'] ?? []], $error->getMessage());
            self::assertSame(503, $error->status);
            self::assertMatchesRegularExpression('/^[ -~]+$/D', $error->getMessage());
            self::assertTrue(str_ends_with($error->getMessage(), isset($case['says']) ? " (status-503: $case[says])" : ''), $error->getMessage());
            return;
        }
        self::assertArrayHasKey('expect', $case, 'accepted');
        $this->assertShowsNothing($answer);
        $this->expectAnswer($answer, $case['expect']);
    }

    public function testCallsNoOtherHost(): void
    {
        self::assertSame('{"calls":0}', file_get_contents(self::$platform->origin . '/elsewhere'));
    }

    private function expectAnswer(Answer $answer, array $expect): void
    {
        self::assertSame($expect['kind'] !== 'inactive', $answer->active);
        if (!$answer->active) {
            self::assertSame('inactive', $this->reasonOf(fn () => $answer->require('tax_income')));
            self::assertSame(['active' => false], $answer->unchecked());
            return;
        }
        $unknown = isset($expect['cnf']['example']);
        foreach (['tax', '', ' ', 'tax_income tax_household'] as $scope) {
            self::assertSame($unknown ? 'not-proven' : 'insufficient-scope', $this->reasonOf(fn () => $answer->require($scope)));
        }
        if ($unknown || !$expect['scope']) {
            return;
        }
        $access = $answer->require(...$expect['scope']);
        self::assertSame('sp-town', $access->clientId());
        if ($expect['kind'] === 'machine') {
            self::assertSame('machine', $this->reasonOf(fn () => $access->person()));
            return;
        }
        $person = $access->person();
        $this->assertShowsNothing($access);
        $this->assertShowsNothing($person);
        $identity = $person->identity();
        $claims = ($expect['claims'] ?? []) + ['sub' => $person->sub()] + $identity;
        self::assertEqualsCanonicalizing(['sub' => $person->sub()] + $identity, $claims);
        self::assertSame([], array_intersect(ChecktokenClient\OF_TOKEN, array_keys($identity)));
    }

    private function assertShowsNothing(object $found): void
    {
        ob_start();
        var_dump($found);
        $printed = ob_get_clean() . print_r($found, true) . var_export($found, true) . json_encode($found);
        self::assertDoesNotMatchRegularExpression(self::SECRET, $printed);
        try {
            serialize($found);
            self::fail('It can be kept');
        } catch (LogicException) {
        }
    }
}

// Checks an access token, given as the argument or on the standard input.
// Needs .NET 8 or later. In a new console project (dotnet new console), this file replaces Program.cs; then:
// dotnet add package jose-jwt
// NOT RUN WITH JOSE-JWT: we ran it with a stand-in that we made after the source of jose-jwt.
using System.Text.Json;
using Jose;

// As agreed with the platform: signed with ES256, encrypted with A256GCM. The key encryption is the alg of the private key.
const JwsAlgorithm Signature = JwsAlgorithm.ES256;
const JweEncryption ContentEncryption = JweEncryption.A256GCM;
var keyEncryption = new Dictionary<string, JweAlgorithm>
{
    ["RSA-OAEP-256"] = JweAlgorithm.RSA_OAEP_256,
    ["ECDH-ES"] = JweAlgorithm.ECDH_ES,
};

try
{
    var missing = new[] { "REALM", "CLIENT_ID", "CLIENT_SECRET" }.Where(name => string.IsNullOrEmpty(Setting(name))).ToList();
    if (missing.Count > 0) throw new InvalidOperationException($"Not set: {string.Join(", ", missing)}");
    var token = (args.Length > 0 ? args[0] : Console.IsInputRedirected ? Console.In.ReadToEnd() : "").Trim();
    if (token == "") throw new InvalidOperationException("No access token, neither as the argument nor on the standard input");
    Console.WriteLine(await Check(token));
    return 0;
}
catch (Exception e)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}

async Task<JsonElement> Check(string token)
{
    var realm = Setting("REALM")!.TrimEnd('/');
    var clientId = Setting("CLIENT_ID")!;
    using var http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(10) };
    var response = await http.PostAsync($"{realm}/api/v2/checktoken", new FormUrlEncodedContent(new Dictionary<string, string>
    {
        ["client_id"] = clientId,
        ["client_secret"] = Setting("CLIENT_SECRET")!,
        ["token"] = token,
    }));
    var body = await response.Content.ReadAsStringAsync();
    if ((int)response.StatusCode != 200)
        throw new InvalidOperationException($"checktoken answered {(int)response.StatusCode}: {body}");
    if (body.Split('.', 6).Length != 5) throw new InvalidOperationException("The answer is not encrypted");

    // Decode checks that the header has the alg and the enc that it is given, but not crit (RFC 7516, section 4.1.13).
    var outer = JWT.Headers(body);
    if (outer.ContainsKey("crit")) throw new InvalidOperationException("The answer is not encrypted as agreed");
    var key = PrivateKey(outer);
    var signed = JWT.Decode(body, key, keyEncryption[key.Alg], ContentEncryption);

    if (signed.Split('.', 4).Length != 3) throw new InvalidOperationException("The answer is not signed");
    var header = JWT.Headers(signed);
    if (Text(header, "typ") != "token-introspection+jwt" || header.ContainsKey("crit"))
        throw new InvalidOperationException("Not an answer of checktoken");
    // A server keeps the set for ten minutes, and loads it earlier if a kid is not in it.
    var certs = await http.GetStringAsync($"{realm}/protocol/openid-connect/certs");
    var realmKey = JwkSet.FromJson(certs, JWT.DefaultSettings.JsonMapper).FirstOrDefault(jwk => jwk.KeyId == Text(header, "kid"))
        ?? throw new InvalidOperationException("The realm does not publish the key that signed the answer");
    var answer = JsonDocument.Parse(JWT.Decode(signed, realmKey, Signature)).RootElement;

    if (answer.GetProperty("iss").GetString() != $"{realm}/api/v2" || answer.GetProperty("aud").GetString() != clientId)
        throw new InvalidOperationException("An answer of another realm, or for another data provider");
    var madeAt = DateTimeOffset.FromUnixTimeSeconds(answer.GetProperty("iat").GetInt64());
    if ((DateTimeOffset.UtcNow - madeAt).Duration() > TimeSpan.FromMinutes(1))
        throw new InvalidOperationException("The answer was made at another time");
    // It can say active: false. Steps 8 to 11 of the guide are the caller's.
    return answer.GetProperty("token_introspection");
}

// Finds the key that the header of the answer names. While you change keys there are two.
static Jwk PrivateKey(IDictionary<string, object> header) =>
    (Setting("PRIVATE_KEYS") ?? "private.jwk.json").Split(' ')
        .Select(file => Jwk.FromJson(File.ReadAllText(file), JWT.DefaultSettings.JsonMapper))
        .FirstOrDefault(jwk => jwk.KeyId == Text(header, "kid") && jwk.Alg == Text(header, "alg"))
    ?? throw new InvalidOperationException($"No private key has kid {Text(header, "kid")} and alg {Text(header, "alg")}");

static string? Text(IDictionary<string, object> header, string name) =>
    header.TryGetValue(name, out var value) ? value as string : null;

static string? Setting(string name) => Environment.GetEnvironmentVariable(name);

package checktoken

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const kit = "../testkit"

type members = map[string]any

type registered struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
	Agreed struct{ JWS, JWE, Enc, Kty string }
}

func (r *registered) UnmarshalJSON(text []byte) error {
	var found struct {
		ID     string            `json:"client_id"`
		Secret string            `json:"client_secret"`
		Agreed map[string]string `json:"agreed"`
	}
	err := json.Unmarshal(text, &found)
	r.ID, r.Secret = found.ID, found.Secret
	r.Agreed.JWS, r.Agreed.JWE, r.Agreed.Enc, r.Agreed.Kty =
		found.Agreed["jws_alg"], found.Agreed["jwe_alg"], found.Agreed["jwe_enc"], found.Agreed["kty"]
	return err
}

type testCase struct {
	Name, Token, Client, Before, Reason, Says, Introspection string
	Or                                                       []string
	HTTP                                                     struct{ Stall bool }
	Expect                                                   *struct {
		Kind   string
		Scope  []string
		Cnf    map[string]string
		Claims members
	}
}

var (
	cases = read[struct {
		Clients        []registered
		Cases          []testCase
		Reasons        map[string]string
		Introspections map[string]members
	}]("cases.json")
	keys = allKeys()
	// Nothing of this may be seen in an answer or an error that is printed.
	secret = regexp.MustCompile(`eyJ|published-for-tests|Moreau|Camille|1988-03-14|da87b1dd|75107`)
)

func read[T any](file string) (found T) {
	text, err := os.ReadFile(filepath.Join(kit, file))
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		panic(err)
	}
	return found
}

func allKeys() map[string]members {
	found := map[string]members{}
	for _, name := range []string{"platform", "data-provider", "service-provider", "foreign"} {
		for _, key := range read[struct{ Keys []members }]("keys/" + name + ".json").Keys {
			found[key["kid"].(string)] = key
		}
	}
	return found
}

// tokenOf gives the token of a case, as the kit's README says.
func tokenOf(name string) string {
	for _, one := range cases.Cases {
		if one.Name == name {
			if one.Token != "" {
				return one.Token
			}
			kind := one.Introspection
			if kind == "" {
				kind = "person"
			}
			claims := marshalled(members{"case": name, "jti": cases.Introspections[kind]["jti"]})
			return strict.EncodeToString([]byte(`{"alg":"ES256"}`)) + "." + strict.EncodeToString([]byte(claims)) + ".AAAA"
		}
	}
	panic(name)
}

func jwk(kid, alg string) []byte {
	text, _ := json.Marshal(keys[kid])
	changed := members{}
	_ = json.Unmarshal(text, &changed)
	changed["alg"] = alg
	text, _ = json.Marshal(changed)
	return text
}

func loaded(kid string) (key jose.JSONWebKey) {
	text, _ := json.Marshal(keys[kid])
	if err := json.Unmarshal(text, &key); err != nil {
		panic(err)
	}
	return key
}

// started starts the mock platform for Node, and gives its realm and what stops it.
func started(t *testing.T, environment ...string) (string, func()) {
	line, stop := startedLines(t, environment...)
	return line(), stop
}

// startedLines gives a function for what the lines say that it prints: realm, cases, address, proxy.
func startedLines(t *testing.T, environment ...string) (func() string, func()) {
	command := exec.Command("node", kit+"/mock-node/main.js")
	command.Env = append(append(os.Environ(), "PORT=0"), environment...)
	output, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(output)
	stop := func() { _, _ = command.Process.Kill(), command.Wait() }
	t.Cleanup(stop)
	return func() string {
		line, _ := reader.ReadString('\n')
		_, said, _ := strings.Cut(line, ": ")
		return strings.TrimSpace(said)
	}, stop
}

func given(realm string, client registered) Settings {
	agreed := client.Agreed
	return Settings{
		Realm: realm, ClientID: client.ID, ClientSecret: client.Secret, Timeout: 30 * time.Second,
		PrivateKeys: [][]byte{jwk("data-provider-"+agreed.Kty, agreed.JWE)},
		Signature:   []string{agreed.JWS}, ContentEncryption: []string{agreed.Enc},
	}
}

func made(t *testing.T, settings Settings) *CheckToken {
	client, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func reasonOf(err error) string {
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal.Reason
	}
	return fmt.Sprint(err)
}

func expectReason(t *testing.T, err error, reasons ...string) {
	t.Helper()
	if !slices.Contains(reasons, reasonOf(err)) {
		t.Errorf("%v, and not %s", err, reasons)
	}
}

func TestEachClientGetsWhatEachCaseSays(t *testing.T) {
	realm, _ := started(t)
	for _, registered := range cases.Clients {
		client := made(t, given(realm, registered))
		for _, one := range cases.Cases {
			if one.Client == "" || one.Client == registered.ID {
				t.Run(registered.ID+"/"+one.Name, func(t *testing.T) { tryCase(t, client, given(realm, registered), one) })
			}
		}
	}
	response, err := http.Get(strings.Split(realm, "/realms/")[0] + "/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); string(text) != `{"calls":0}` {
		t.Error("It called another host: " + string(text))
	}
}

func tryCase(t *testing.T, client *CheckToken, settings Settings, one testCase) {
	if one.HTTP.Stall {
		settings.Timeout = 2 * time.Second
		client = made(t, settings)
	}
	if one.Before != "" {
		if _, err := client.Check(context.Background(), tokenOf(one.Before)); err != nil {
			t.Fatal(err)
		}
	}
	token, proof := tokenOf(one.Name), Proof{}
	if one.Expect != nil && one.Expect.Cnf["jkt"] != "" {
		proof = signedProof(token, change{})
	}
	if one.Expect != nil && one.Expect.Cnf["x5t#S256"] != "" {
		proof.Certificate = certificate("service-provider")
	}
	answer, err := client.CheckBound(context.Background(), token, proof)
	if printed := fmt.Sprintf("%v %+v %#v %v %+v %#v", answer, answer, answer, err, err, err); secret.MatchString(printed) {
		t.Error(printed)
	}
	if one.Expect == nil {
		expectReason(t, err, append(one.Or, one.Reason)...)
		var refusal *Error
		if errors.As(err, &refusal) && refusal.Status != 503 {
			t.Error(refusal.Status)
		}
		if !regexp.MustCompile(`^[ -~]+$`).MatchString(err.Error()) {
			t.Errorf("%q", err)
		}
		if one.Says != "" && !strings.HasSuffix(err.Error(), " (status-503: "+one.Says+")") {
			t.Error(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	expectAnswer(t, answer, one)
}

func expectAnswer(t *testing.T, answer *Answer, one testCase) {
	expect := one.Expect
	if answer.Active() != (expect.Kind != "inactive") {
		t.Error("active")
	}
	if !answer.Active() {
		_, err := answer.Require("tax_income")
		expectReason(t, err, "inactive")
		if !reflect.DeepEqual(answer.Unchecked(), members{"active": false}) {
			t.Error("An answer that is not active says more")
		}
		return
	}
	for _, scope := range []string{"tax", "", " ", "tax_income tax_household"} {
		_, err := answer.Require(scope)
		expectReason(t, err, map[bool]string{true: "not-proven", false: "insufficient-scope"}[expect.Cnf["example"] != ""])
	}
	if len(expect.Scope) == 0 || expect.Cnf["example"] != "" {
		return
	}
	access, err := answer.Require(expect.Scope[0], expect.Scope...)
	if err != nil || access.ClientID() != "sp-town" {
		t.Fatal(err)
	}
	person, err := access.Person()
	if expect.Kind == "machine" {
		expectReason(t, err, "machine")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if printed := fmt.Sprintf("%+v %#v %+v %#v", person, *person, access, *access); secret.MatchString(printed) {
		t.Error(printed)
	}
	identity := person.Identity()
	for name, value := range expect.Claims {
		if name == "sub" && value != person.Sub() || name != "sub" && !reflect.DeepEqual(value, identity[name]) {
			t.Errorf("%s: %v", name, identity[name])
		}
	}
	for _, name := range ofToken {
		if _, found := identity[name]; found {
			t.Error(name)
		}
	}
	identity["family_name"] = "changed"
	if person.Identity()["family_name"] == "changed" {
		t.Error("The identity data is no copy")
	}
}

func TestReasonsAreThoseOfTheOtherLibrariesAndOfTheTestKit(t *testing.T) {
	text, err := os.ReadFile("../node/src/reasons.properties")
	if err != nil || string(text) != reasonLines {
		t.Error("reasonLines differ from those of Node", err)
	}
	for name := range cases.Reasons {
		if reasons[name] == "" {
			t.Error(name)
		}
	}
}

func TestAuthenticatesWithASignedJWT(t *testing.T) {
	realm, _ := started(t)
	settings := given(realm, cases.Clients[0])
	settings.ClientSecret, settings.ClientKey = "", jwk("data-provider-assertion", "ES256")
	client := made(t, settings)
	for range [2]int{} {
		if _, err := client.Check(context.Background(), tokenOf("active")); err != nil {
			t.Error(err)
		}
	}
}

func TestAuthenticatesWithACertificateAndTrustsOnlyTheAuthoritiesThatItIsGiven(t *testing.T) {
	realm, _ := started(t, "TLS=yes")
	settings := given(realm, cases.Clients[0])
	own := tls.Certificate{Certificate: [][]byte{certificate("service-provider").Raw}, PrivateKey: loaded("service-provider").Key}
	// The certificate of the kit is of no host, so its bytes are compared.
	settings.ClientSecret, settings.TLS = "", &tls.Config{
		Certificates: []tls.Certificate{own}, InsecureSkipVerify: true,
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if string(raw[0]) != string(own.Certificate[0]) {
				return errors.New("another certificate")
			}
			return nil
		},
	}
	if _, err := made(t, settings).Check(context.Background(), tokenOf("active")); err != nil {
		t.Error(err)
	}
	settings.TLS = &tls.Config{Certificates: []tls.Certificate{own}}
	_, err := made(t, settings).Check(context.Background(), tokenOf("active"))
	expectReason(t, err, "unreachable")
}

func TestRefusesSettingsThatCannotWork(t *testing.T) {
	right := given("https://login.example.org/realms/a", cases.Clients[0])
	made(t, right)
	own := loaded("data-provider-RSA")
	public, _ := json.Marshal(own.Public())
	realm := "The realm, and the address to connect to, must be https (http only to this machine)."
	isPublic := "A key is public, or no JWK: give the private JWK."
	isSet := "This is a JWK Set: give each of its keys."
	missing := "Give a client_id, a private key, and one way to authenticate."
	for _, wrong := range []struct {
		change func(*Settings)
		text   string
	}{
		{func(s *Settings) { s.Realm = "http://login.example.org/realms/a" }, realm},
		{func(s *Settings) { s.Realm = "login.example.org/realms/a" }, realm},
		{func(s *Settings) { s.Realm = "" }, realm},
		{func(s *Settings) { s.ClientID = "" }, missing},
		{func(s *Settings) { s.ClientSecret = "" }, missing},
		{func(s *Settings) { s.ClientSecret, s.TLS = "", &tls.Config{} }, missing},
		{func(s *Settings) { s.PrivateKeys = nil }, missing},
		{func(s *Settings) { s.Signature = []string{"HS256"} }, ""},
		{func(s *Settings) { s.Signature = []string{"ES256", "none"} }, ""},
		{func(s *Settings) { s.PrivateKeys[0] = jwk("data-provider-RSA", "") }, "A private key has no alg: add the agreed one, such as RSA-OAEP-256."},
		{func(s *Settings) { s.PrivateKeys[0] = public }, isPublic},
		{func(s *Settings) { s.ClientKey = public }, isPublic},
		{func(s *Settings) { s.PrivateKeys[0] = []byte("secret-number") }, isPublic},
		{func(s *Settings) { s.PrivateKeys[0] = []byte(`{"kty":"oct","k":"c2VjcmV0","alg":"A256KW"}`) }, isPublic},
		{func(s *Settings) { s.PrivateKeys[0] = []byte(`{"keys":[]}`) }, isSet},
	} {
		settings := right
		settings.PrivateKeys = slices.Clone(right.PrivateKeys)
		wrong.change(&settings)
		_, err := New(settings)
		if text := strings.TrimSpace("configuration: Correct your settings. " + wrong.text); fmt.Sprint(err) != text {
			t.Errorf("%v, and not %s", err, text)
		}
	}
}

func TestTellsAStatusAfterTheText(t *testing.T) {
	realm, _ := started(t)
	settings := given(realm, cases.Clients[0])
	client := made(t, settings)
	_, err := client.Check(context.Background(), tokenOf("too-many-requests"))
	expected := "unavailable: The platform cannot answer now. Try again later; if it lasts, tell its administrator. There " +
		"were too many calls or guesses, for the platform or a proxy: wait as Retry-After says. (status-429)"
	if fmt.Sprint(err) != expected {
		t.Error(err)
	}
	settings.ClientSecret = "wrong"
	_, err = made(t, settings).Check(context.Background(), tokenOf("active"))
	if !strings.HasSuffix(fmt.Sprint(err), " (status-401: Client authentication failed.)") {
		t.Error(err)
	}
	answer, err := client.Check(context.Background(), tokenOf("active"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = answer.Require("other", "more"); !strings.HasSuffix(fmt.Sprint(err), `error="insufficient_scope". (other more)`) {
		t.Error(err)
	}
}

func TestRefusesWhatIsNoToken(t *testing.T) {
	client := made(t, given("http://127.0.0.1:1/realms/demo", cases.Clients[0]))
	for _, wrong := range []string{"", "a b", "a\n", "é", strings.Repeat("a", 65537)} {
		_, err := client.Check(context.Background(), wrong)
		expectReason(t, err, "no-token")
	}
	_, err := client.Check(context.Background(), "token")
	expectReason(t, err, "unreachable")
}

// counting counts the paths that a client asks for.
type counting struct {
	http.RoundTripper
	paths []string
}

func (c *counting) RoundTrip(request *http.Request) (*http.Response, error) {
	c.paths = append(c.paths, request.URL.Path)
	return c.RoundTripper.RoundTrip(request)
}

func (c *counting) count(end string) (found int) {
	for _, path := range c.paths {
		if strings.HasSuffix(path, end) {
			found++
		}
	}
	return found
}

func counted(client *CheckToken) *counting {
	found := &counting{RoundTripper: client.own.platform.client.Transport}
	client.own.platform.client.Transport = found
	return found
}

func TestKeepsMetadataAndKeysAndLoadsThemAgainForANewKid(t *testing.T) {
	realm, _ := started(t)
	client := made(t, given(realm, cases.Clients[0]))
	calls := counted(client)
	for range [10]int{} {
		if _, err := client.Check(context.Background(), tokenOf("active")); err != nil {
			t.Fatal(err)
		}
	}
	if calls.count("/certs") != 1 || calls.count("/openid-configuration") != 1 || calls.count("/checktoken") != 10 {
		t.Error(calls.paths)
	}
	if _, err := client.Check(context.Background(), tokenOf("active-new-key")); err != nil || calls.count("/certs") != 2 {
		t.Error(err, calls.paths)
	}
	for range [5]int{} {
		_, err := client.Check(context.Background(), tokenOf("kid-unknown"))
		expectReason(t, err, "unknown-key")
	}
	if calls.count("/certs") > 3 {
		t.Error(calls.paths)
	}
}

func TestRefusesMetadataThatCannotBeRight(t *testing.T) {
	var document []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(document) }))
	defer server.Close()
	realm := server.URL + "/realms/demo"
	issuer := realm + "/api/v2"
	for _, wrong := range []members{
		{"issuer": realm}, {"introspection_endpoint": "https://elsewhere.example/api/v2/checktoken"},
		{"introspection_endpoint": server.URL + ".elsewhere.example/checktoken"}, {"introspection_endpoint": nil},
		{"jwks_uri": "http://127.0.0.1/jwks"}, {"jwks_uri": 1}, {"keys": 5},
	} {
		all := members{"issuer": issuer, "introspection_endpoint": issuer + "/checktoken", "jwks_uri": server.URL + "/jwks", "keys": []any{}}
		for name, value := range wrong {
			all[name] = value
		}
		document, _ = json.Marshal(all)
		_, err := made(t, given(realm, cases.Clients[0])).Check(context.Background(), tokenOf("active"))
		expectReason(t, err, "wrong-metadata")
	}
}

func TestRepeatsACallIfAKeptConnectionWasClosed(t *testing.T) {
	realm, _ := started(t)
	target := strings.TrimPrefix(strings.Split(realm, "/realms/")[0], "http://")
	var last []net.Conn
	client := made(t, given(realm, cases.Clients[0]))
	transport := client.own.platform.client.Transport.(*http.Transport)
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		connection, err := net.Dial("tcp", target)
		last = append(last, connection)
		return connection, err
	}
	for range [2]int{} {
		if _, err := client.Check(context.Background(), tokenOf("active")); err != nil {
			t.Fatal(err)
		}
		for _, connection := range last {
			_ = connection.Close()
		}
	}
	if len(last) != 2 {
		t.Error(len(last), " connections")
	}
}

func TestWaitsNotBeyondItsTime(t *testing.T) {
	realm, stop := started(t)
	settings := given(realm, cases.Clients[0])
	settings.Timeout = 900 * time.Millisecond
	client := made(t, settings)
	_, err := client.Check(context.Background(), tokenOf("stalled"))
	expectReason(t, err, "timeout")
	_, err = client.Check(context.Background(), tokenOf("active-after-503"))
	expectReason(t, err, "unavailable")
	stop()
	_, err = client.Check(context.Background(), tokenOf("active"))
	expectReason(t, err, "unreachable")
}

func certificate(kid string) *x509.Certificate {
	var der []byte
	text, _ := json.Marshal(keys[kid]["x5c"].([]any)[0])
	_ = json.Unmarshal(text, &der)
	found, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return found
}

// change is what differs from a right proof of the kit's service provider.
type change struct {
	claims, header members
	key            string
	proof          Proof
}

func signedProof(token string, change change) Proof {
	kid := "service-provider"
	if change.key != "" {
		kid = change.key
	}
	id := make([]byte, 8)
	_, _ = rand.Read(id)
	public := members{"kty": "EC", "crv": "P-256", "x": keys[kid]["x"], "y": keys[kid]["y"]}
	claims := members{
		"jti": strict.EncodeToString(id), "htm": "GET", "htu": "https://DP.example.org:443/income",
		"iat": time.Now().Unix(), "ath": hashed([]byte(token)),
	}
	header := members{"alg": "ES256", "typ": "dpop+jwt", "jwk": public}
	for name, value := range change.claims {
		claims[name] = value
	}
	for name, value := range change.header {
		header[name] = value
	}
	proof := Proof{DPoP: signed(header, claims, kid), Method: "GET", URL: "https://dp.example.org/income?year=2025"}
	if change.proof.DPoP != "" {
		proof.DPoP = change.proof.DPoP
	}
	if change.proof.Method != "" {
		proof.Method = change.proof.Method
	}
	if change.proof.URL != "" {
		proof.URL = change.proof.URL
	}
	return proof
}

// signed makes a JWS with ES256 by hand, because libraries refuse to make most wrong ones.
func signed(header, claims any, kid string) string {
	return signedTexts(marshalled(header), marshalled(claims), kid)
}

func signedTexts(header, payload, kid string) string {
	input := strict.EncodeToString([]byte(header)) + "." + strict.EncodeToString([]byte(payload))
	sum := sha256.Sum256([]byte(input))
	r, s, err := ecdsa.Sign(rand.Reader, loaded(kid).Key.(*ecdsa.PrivateKey), sum[:])
	if err != nil {
		panic(err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return input + "." + strict.EncodeToString(signature)
}

func marshalled(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestGivesNothingAboutABoundTokenWithoutEachProof(t *testing.T) {
	realm, _ := started(t)
	client := made(t, given(realm, cases.Clients[0]))
	expect := func(outcome, token string, proof Proof) {
		t.Helper()
		answer, err := client.CheckBound(context.Background(), token, proof)
		if err != nil {
			t.Fatal(err)
		}
		access, err := answer.Require("tax_income")
		if found := reasonOf(err); err != nil && found != outcome || err == nil && access.ClientID() != outcome {
			t.Errorf("%s, and not %s", found, outcome)
		}
	}
	bound, byCertificate, both := tokenOf("bound-to-a-key"), tokenOf("bound-to-a-certificate"), tokenOf("bound-to-both")
	expect("sp-town", bound, signedProof(bound, change{}))
	own := keys["service-provider"]
	public := members{"kty": "EC", "crv": "P-256", "x": own["x"], "y": own["y"]}
	for _, wrong := range []change{
		{proof: Proof{Method: "POST"}}, {proof: Proof{URL: "https://dp.example.org/other"}}, {proof: Proof{URL: "no url"}},
		{proof: Proof{DPoP: "x"}}, {claims: members{"ath": "other"}}, {claims: members{"jti": nil}}, {claims: members{"iat": nil}},
		{claims: members{"iat": 1}}, {claims: members{"htu": "https://evil.example.org/income"}}, {claims: members{"htm": nil}},
		{header: members{"typ": "JWT"}}, {header: members{"jwk": own}}, {header: members{"jwk": nil}}, {header: members{"alg": "HS256"}},
		{key: "foreign-ES256"}, {key: "foreign-ES256", header: members{"jwk": public}},
	} {
		expect("not-proven", bound, signedProof(bound, wrong))
	}
	once := signedProof(bound, change{})
	expect("sp-town", bound, once)
	expect("not-proven", bound, once)
	certified := Proof{Certificate: certificate("service-provider")}
	expect("not-proven", bound, Proof{})
	expect("not-proven", bound, certified)
	expect("sp-town", byCertificate, certified)
	expect("not-proven", byCertificate, Proof{})
	expect("not-proven", byCertificate, Proof{Certificate: certificate("foreign-ES256")})
	withBoth := signedProof(both, change{})
	withBoth.Certificate = certified.Certificate
	expect("sp-town", both, withBoth)
	expect("not-proven", both, certified)
	expect("not-proven", both, signedProof(both, change{}))
	expect("not-proven", tokenOf("bound-in-an-unknown-way"), certified)
	expect("not-proven", tokenOf("active"), signedProof(tokenOf("active"), change{}))
	expect("sp-town", tokenOf("active"), certified)
}

func TestShowsNoSecretWhenItIsPrinted(t *testing.T) {
	client := made(t, given("https://login.example.org/realms/a", cases.Clients[0]))
	text, _ := json.Marshal(client)
	if printed := fmt.Sprintf("%v %+v %#v %+v %#v %s", client, client, client, *client, *client, text); secret.MatchString(printed) {
		t.Error(printed)
	}
}

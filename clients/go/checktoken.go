// Package checktoken checks access tokens at a platform with checktoken for Keycloak, and verifies the answers.
//
// It is this file alone, version 1.0.0: copy it into a folder "checktoken" of your module. It needs Go 1.21 and
// github.com/go-jose/go-jose/v4.
package checktoken

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	answerType = "token-introspection+jwt"
	assertion  = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
	// By how much the clocks may differ.
	leewaySeconds = 60
	// More than any answer, metadata or JWK Set of a platform has.
	maxBytes = 256 * 1024
	maxToken = 64 * 1024
	kept     = 5 * time.Minute
	// A new kid loads the keys again, but not more often than this.
	again         = 5 * time.Second
	proofMaxAge   = 60 * time.Second
	maxRemembered = 100_000
	// Calls at once. Others wait for their turn.
	atOnce = 64
)

var (
	tokenForm     = regexp.MustCompile(`^[\x21-\x7e]+$`)
	signatureForm = regexp.MustCompile(`^((RS|PS|ES)(256|384|512)|EdDSA)$`)
	notForLogs    = regexp.MustCompile(`[^ !#-\[\]-~]`)
	// What a platform gives of a person unless its administrator decides otherwise. A machine has none of it.
	personal = []string{"family_name", "given_name", "given_name_array", "gender", "birthdate", "birthplace", "birthcountry"}
	ofToken  = []string{"active", "aud", "client_id", "sub", "iat", "exp", "acr", "jti", "scope", "cnf", "auth_time"}
	strict   = base64.RawURLEncoding.Strict()
)

// Settings are what you agreed on with the platform's administrator.
type Settings struct {
	// The realm URL, such as https://login.example.org/realms/federation.
	Realm string
	// Where to connect to in place of the realm's scheme, host and port, such as https://keycloak.example.internal:8443.
	ConnectTo string
	ClientID  string
	// As the administrator registered you: a secret, or one of the next two.
	ClientSecret string
	// The private JWK for a signed JWT (private_key_jwt), with its "alg".
	ClientKey []byte
	// With your client certificate, or with authorities of your own.
	TLS *tls.Config
	// JWKs, each with the agreed key encryption as its "alg". Two while you change keys.
	PrivateKeys [][]byte
	// The agreed one; two while you change it. The default is ES256.
	Signature []string
	// The same; the default is A256GCM.
	ContentEncryption []string
	// Names of claims, of which a person has at least one. The default is all that the guide names.
	Identity []string
	// For a whole check, with its retry. The default is 10 seconds.
	Timeout time.Duration
}

// Proof is what shows that the service provider has the key or certificate to which its token is bound.
type Proof struct {
	// The header DPoP of the request, with its method and address (RFC 9449).
	DPoP, Method, URL string
	// The client certificate of the request (RFC 8705).
	Certificate *x509.Certificate
}

// Error is whatever prevents the use of a token. Nothing in it comes from the token, the secret or an answer.
type Error struct {
	// A word that stays the same. The test kit lists those of wrong answers.
	Reason string
	// What to answer the service provider: 401, 403 or 503.
	Status int
	text   string
}

func (e *Error) Error() string { return e.text }

// CheckToken can be used by many goroutines. Make one when your server starts, and keep it.
//
// It has a pointer alone, as all types here, so that no secret is seen when it is printed.
type CheckToken struct{ own *settings }

type settings struct {
	Settings
	issuer      string
	privateKeys []jose.JSONWebKey
	clientKey   *jose.JSONWebKey
	platform    *platform
	proofs      proofs
}

// New fails with an [Error] if the settings cannot work.
func New(given Settings) (*CheckToken, error) {
	own := &settings{Settings: given, issuer: strings.TrimRight(given.Realm, "/") + "/api/v2"}
	for list, standard := range map[*[]string][]string{
		&own.Signature: {"ES256"}, &own.ContentEncryption: {"A256GCM"}, &own.Identity: personal,
	} {
		if len(*list) == 0 {
			*list = standard
		}
	}
	if own.Timeout == 0 {
		own.Timeout = 10 * time.Second
	}
	certified := given.TLS != nil && (len(given.TLS.Certificates) > 0 || given.TLS.GetClientCertificate != nil)
	authenticated := given.ClientSecret != "" || len(given.ClientKey) > 0 || certified
	origin := originOf(given.Realm + "/")
	base := origin
	if given.ConnectTo != "" {
		base = originOf(given.ConnectTo + "/")
	}
	err := refuse(
		rule{origin != "" && base != "" && (given.ConnectTo == "" || strings.TrimRight(base, "/") == strings.TrimRight(given.ConnectTo, "/")), "settings-realm"},
		rule{given.ClientID != "" && len(given.PrivateKeys) > 0 && authenticated, "settings-missing"},
		rule{!slices.ContainsFunc(own.Signature, func(alg string) bool { return !signatureForm.MatchString(alg) }), "configuration"},
	)
	if err != nil {
		return nil, err
	}
	for _, text := range given.PrivateKeys {
		key, err := privateKey(text)
		if err != nil {
			return nil, err
		}
		own.privateKeys = append(own.privateKeys, *key)
	}
	if len(given.ClientKey) > 0 {
		if own.clientKey, err = privateKey(given.ClientKey); err != nil {
			return nil, err
		}
	}
	own.platform = newPlatform(own, []string{base, origin})
	return &CheckToken{own}, nil
}

// Check gives the verified answer for the access token that a service provider sent. Whatever fails is an [Error].
func (c *CheckToken) Check(ctx context.Context, token string) (*Answer, error) {
	return c.CheckBound(ctx, token, Proof{})
}

// CheckBound also takes what proves a token that is bound to a key or a certificate.
func (c *CheckToken) CheckBound(ctx context.Context, token string, proof Proof) (*Answer, error) {
	if !tokenForm.MatchString(token) || len(token) > maxToken {
		return nil, failure("no-token", "")
	}
	ctx, cancel := context.WithTimeout(ctx, c.own.Timeout)
	defer cancel()
	reply, err := c.own.post(ctx, token)
	if err == nil && reply.status == http.StatusServiceUnavailable && waits(ctx, reply.header.Get("Retry-After")) {
		reply, err = c.own.post(ctx, token)
	}
	if err != nil {
		return nil, err
	}
	if reply.status != http.StatusOK {
		name := "status-" + strconv.Itoa(reply.status)
		detail := " (" + name + described(reply.body) + ")"
		if reasons[name] == "" {
			name = "platform-error"
		}
		return nil, failure(name, detail)
	}
	if mediaType, _, _ := mime.ParseMediaType(reply.header.Get("Content-Type")); mediaType != "application/"+answerType {
		return nil, failure("wrong-content-type", "")
	}
	text, err := c.own.decrypted(string(reply.body))
	if err != nil {
		return nil, err
	}
	claims, err := c.own.verified(ctx, text)
	if err != nil {
		return nil, err
	}
	verified, err := c.own.accepted(claims, token)
	if err != nil {
		return nil, err
	}
	return &Answer{&answer{verified, c.own.proofs.fit(verified, token, proof), c.own.Identity}}, nil
}

// Close closes the connections that are kept.
func (c *CheckToken) Close() { c.own.platform.client.CloseIdleConnections() }

// waits tells whether there is time to try again, after the wait.
func waits(ctx context.Context, retryAfter string) bool {
	seconds, err := strconv.ParseUint(retryAfter, 10, 16)
	deadline, _ := ctx.Deadline()
	wait := time.Duration(seconds) * time.Second
	if err != nil || wait >= time.Until(deadline) {
		return false
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *settings) post(ctx context.Context, token string) (*reply, error) {
	endpoint, _, err := s.platform.current(ctx, "")
	if err != nil {
		return nil, err
	}
	return s.platform.send(ctx, endpoint, func() (string, error) {
		form := url.Values{"client_id": {s.ClientID}, "token": {token}}
		switch {
		case s.clientKey != nil:
			signed, err := s.assertion()
			if err != nil {
				return "", failure("configuration", "")
			}
			form.Set("client_assertion_type", assertion)
			form.Set("client_assertion", signed)
		case s.ClientSecret != "":
			form.Set("client_secret", s.ClientSecret)
		}
		return form.Encode(), nil
	})
}

// assertion works once (RFC 7523). Its audience is the issuer of answers: no other endpoint accepts it.
func (s *settings) assertion() (string, error) {
	algorithm := jose.SignatureAlgorithm(s.clientKey.Algorithm)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: s.clientKey}, nil)
	if err != nil {
		return "", err
	}
	id, now := make([]byte, 16), time.Now().Unix()
	if _, err := rand.Read(id); err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{
		"iss": s.ClientID, "sub": s.ClientID, "aud": s.issuer, "jti": strict.EncodeToString(id), "iat": now, "exp": now + 60,
	})
	if err != nil {
		return "", err
	}
	jws, err := signer.Sign(claims)
	if err != nil {
		return "", err
	}
	return jws.CompactSerialize()
}

func privateKey(text []byte) (*jose.JSONWebKey, error) {
	var key jose.JSONWebKey
	members, err := object(text, "settings-key-public")
	if err != nil {
		return nil, err
	}
	_, isSet := members["keys"]
	err = json.Unmarshal(text, &key)
	return &key, refuse(
		rule{!isSet, "settings-key-set"},
		rule{err == nil && key.Valid() && !key.IsPublic() && !symmetric(key), "settings-key-public"},
		rule{key.Algorithm != "", "settings-key-alg"},
	)
}

func symmetric(key jose.JSONWebKey) bool {
	_, bytes := key.Key.([]byte)
	return bytes
}

// An Answer can be of a token that is not active, so it gives nothing before a scope is asked for.
type Answer struct{ own *answer }

type answer struct {
	token    map[string]any
	proven   bool
	identity []string
}

// Active says whether the platform calls the token active.
func (a *Answer) Active() bool { return a.own.token["active"] == true }

// Require fails with an [Error] if the token is not active, not proven, or lacks one of the scopes.
func (a *Answer) Require(scope string, more ...string) (*Access, error) {
	text, _ := a.own.token["scope"].(string)
	granted, wanted := strings.Fields(text), append([]string{scope}, more...)
	if err := refuse(rule{a.Active(), "inactive"}, rule{a.own.proven, "not-proven"}); err != nil {
		return nil, err
	}
	for _, name := range wanted {
		if !slices.Contains(granted, name) {
			return nil, failure("insufficient-scope", " ("+strings.Join(wanted, " ")+")")
		}
	}
	return &Access{a.own}, nil
}

// Unchecked gives what the platform says (RFC 7662), for a gateway that checks scopes, persons and cnf on its own.
func (a *Answer) Unchecked() map[string]any { return copied(a.own.token, nil) }

// Access is what a service provider may do, for a person or for itself.
type Access struct{ own *answer }

// ClientID is the service provider.
func (a *Access) ClientID() string { return a.own.text("client_id") }

// JTI is by what the administrator finds the call, or empty. It may be logged.
func (a *Access) JTI() string { return a.own.text("jti") }

// Person fails with an [Error] if the token is of a machine: a service account, which is no person.
func (a *Access) Person() (*Person, error) {
	for _, name := range a.own.identity {
		if _, found := a.own.token[name]; found {
			return &Person{a.own}, nil
		}
	}
	return nil, failure("machine", "")
}

// Person is who uses the service provider.
type Person struct{ own *answer }

// Sub is the person's identifier for this data provider.
func (p *Person) Sub() string { return p.own.text("sub") }

// ACR is the level of assurance of the login, or empty if it is not known.
func (p *Person) ACR() string { return p.own.text("acr") }

// Identity gives a copy of the identity data. Do not log it.
func (p *Person) Identity() map[string]any { return copied(p.own.token, ofToken) }

func (a *answer) text(name string) string {
	text, _ := a.token[name].(string)
	return text
}

// copied copies what came from JSON, so that no caller changes an answer.
func copied(members map[string]any, without []string) map[string]any {
	text, _ := json.Marshal(members)
	found := map[string]any{}
	_ = json.Unmarshal(text, &found)
	for _, name := range without {
		delete(found, name)
	}
	return found
}

// decrypted reads an answer (RFC 9701, section 5), as do the next two: in the order of the data provider guide.
func (s *settings) decrypted(body string) (string, error) {
	if strings.Count(body, ".") == 2 || strings.HasPrefix(body, "{") {
		return "", failure("not-encrypted", "")
	}
	head, err := header(body, 5)
	if err != nil {
		return "", err
	}
	alg, _ := head["alg"].(string)
	enc, _ := head["enc"].(string)
	cty, _ := head["cty"].(string)
	_, compressed := head["zip"]
	agreed := slices.ContainsFunc(s.privateKeys, func(key jose.JSONWebKey) bool { return key.Algorithm == alg })
	own := slices.IndexFunc(s.privateKeys, func(key jose.JSONWebKey) bool {
		return key.Algorithm == alg && (head["kid"] == key.KeyID || head["kid"] == nil && key.KeyID == "")
	})
	err = refuse(
		rule{agreed, "wrong-key-encryption"},
		rule{slices.Contains(s.ContentEncryption, enc), "wrong-content-encryption"},
		rule{!compressed, "compressed"},
		rule{strings.EqualFold(cty, "JWT"), "not-signed"},
		rule{own >= 0, "unknown-decryption-key"},
		// RFC 7516, section 5.2, step 10: go-jose ignores an encrypted key that must not be there, and panics if it is missing.
		rule{(alg == string(jose.ECDH_ES)) == (strings.Split(body, ".")[1] == ""), "decryption-failed"},
	)
	if err != nil {
		return "", err
	}
	jwe, err := jose.ParseEncryptedCompact(body, []jose.KeyAlgorithm{jose.KeyAlgorithm(alg)}, []jose.ContentEncryption{jose.ContentEncryption(enc)})
	if err != nil {
		return "", failure("malformed", "")
	}
	text, err := jwe.Decrypt(s.privateKeys[own].Key)
	if err != nil {
		return "", failure("decryption-failed", "")
	}
	return string(text), nil
}

func (s *settings) verified(ctx context.Context, text string) (map[string]any, error) {
	if strings.Count(text, ".") != 2 {
		return nil, failure("not-signed", "")
	}
	head, err := header(text, 3)
	if err != nil {
		return nil, err
	}
	alg, _ := head["alg"].(string)
	kid, named := head["kid"].(string)
	brought := slices.ContainsFunc([]string{"jwk", "jku", "x5c", "x5u"}, func(name string) bool {
		_, found := head[name]
		return found
	})
	err = refuse(
		rule{alg != "none", "unsecured"},
		rule{slices.Contains(s.Signature, alg), "wrong-signature-algorithm"},
		rule{!brought, "key-in-header"},
		rule{head["typ"] == answerType, "wrong-type"},
		rule{named && kid != "", "unknown-key"},
	)
	if err != nil {
		return nil, err
	}
	_, keys, err := s.platform.current(ctx, kid)
	if err != nil {
		return nil, err
	}
	key, found := keys[kid]
	if !found || key.Algorithm != "" && key.Algorithm != alg {
		return nil, failure("unknown-key", "")
	}
	jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(alg)})
	if err != nil {
		return nil, failure("malformed", "")
	}
	payload, err := jws.Verify(key.Key)
	if err != nil {
		return nil, failure("wrong-signature", "")
	}
	return object(payload, "malformed")
}

// accepted gives the member token_introspection.
func (s *settings) accepted(claims map[string]any, asked string) (map[string]any, error) {
	now := float64(time.Now().UnixMilli()) / 1000
	audience, single := claims["aud"].([]any)
	_, numeric := claims["iat"].(float64)
	found, named := claims["token_introspection"]
	token, isObject := found.(map[string]any)
	active, isBoolean := token["active"].(bool)
	err := refuse(
		rule{claims["iss"] == s.issuer, "wrong-issuer"},
		rule{claims["aud"] == any(s.ClientID) || single && len(audience) == 1 && audience[0] == s.ClientID, "wrong-audience"},
		rule{numeric, "missing-iat"},
		rule{seconds(claims, "iat", now) <= now+leewaySeconds, "issued-in-the-future"},
		rule{seconds(claims, "iat", now) >= now-leewaySeconds, "issued-too-long-ago"},
		rule{seconds(claims, "exp", now) > now-leewaySeconds, "answer-expired"},
		rule{seconds(claims, "nbf", now) <= now+leewaySeconds, "answer-not-yet-valid"},
		rule{named, "missing-introspection"},
		rule{isObject, "malformed-introspection"},
		rule{isBoolean, "malformed-active"},
	)
	if err != nil {
		return nil, err
	}
	if !active {
		return map[string]any{"active": false}, nil
	}
	_, client := token["client_id"].(string)
	scope, scoped := token["scope"].(string)
	_, subject := token["sub"].(string)
	binding, bound := token["cnf"]
	_, readable := binding.(map[string]any)
	acr, leveled := token["acr"]
	_, level := acr.(string)
	return token, refuse(
		rule{client && scoped && (readable || !bound) && (level || !leveled), "malformed-introspection"},
		// A platform can be set to name nobody in an answer without scopes.
		rule{subject || scope == "", "missing-subject"},
		rule{seconds(token, "exp", now) > now-leewaySeconds, "token-expired"},
		rule{!isOther(asked, token), "other-token"},
	)
}

// isOther tells whether the answer is about another token. The platform's are JWTs with a jti, and only that tells it.
func isOther(asked string, token map[string]any) bool {
	payload, _ := base64.RawURLEncoding.DecodeString(strings.Split(asked+"..", ".")[1])
	claims, err := object(payload, "malformed")
	jti, isText := claims["jti"].(string)
	return err != nil || !isText || token["jti"] != jti
}

// seconds gives NaN, which is neither before nor after any time, for what is no number.
func seconds(claims map[string]any, name string, otherwise float64) float64 {
	value, found := claims[name]
	number, numeric := value.(float64)
	switch {
	case !found:
		return otherwise
	case !numeric:
		return math.NaN()
	}
	return number
}

// header reads that of a compact JWE or JWS. base64url has to be in its only spelling, or changed copies would pass.
func header(compact string, parts int) (map[string]any, error) {
	all := strings.SplitN(compact, ".", parts+1)
	for _, part := range all {
		// The decoder leaves out line breaks.
		if _, err := strict.DecodeString(part); err != nil || len(all) != parts || strings.ContainsAny(part, "\r\n") {
			return nil, failure("malformed", "")
		}
	}
	text, _ := strict.DecodeString(all[0])
	found, err := object(text, "malformed")
	if _, critical := found["crit"]; critical {
		return nil, failure("critical-header", "")
	}
	return found, err
}

func object(text []byte, reason string) (map[string]any, error) {
	var found map[string]any
	if json.Unmarshal(text, &found) != nil || found == nil {
		return nil, failure(reason, "")
	}
	return found, nil
}

// platform has the connections, metadata (RFC 8414) and public keys, which are kept until they are old.
type platform struct {
	issuer string
	// Scheme, host and port of what it connects to, and of the issuer.
	origins        []string
	client         http.Client
	timeout        time.Duration
	turns          chan struct{}
	lock           sync.Mutex
	known          metadata
	loading        *loading
	until, earlier time.Time
}

type metadata struct {
	endpoint string
	keys     map[string]jose.JSONWebKey
}

// loading is for all who wait for metadata.
type loading struct {
	done  chan struct{}
	found metadata
	err   error
}

type reply struct {
	status int
	header http.Header
	body   []byte
}

func newPlatform(own *settings, origins []string) *platform {
	// It heeds HTTPS_PROXY and NO_PROXY.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig, transport.DisableCompression, transport.MaxIdleConnsPerHost = own.TLS, true, atOnce
	// A redirect would carry token and secret elsewhere.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := http.Client{Transport: transport, CheckRedirect: stay}
	return &platform{issuer: own.issuer, origins: origins, client: client, timeout: own.Timeout, turns: make(chan struct{}, atOnce)}
}

// originOf gives scheme, host and port of an address with TLS, or of this machine. Tokens and secrets are sent to no other.
func originOf(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.User != nil || address.Hostname() == "" {
		return ""
	}
	local := slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, address.Hostname())
	origin := address.Scheme + "://" + address.Host + "/"
	if address.Scheme != "https" && !(address.Scheme == "http" && local) || !strings.HasPrefix(text, origin) {
		return ""
	}
	return origin
}

// current gives endpoint and keys. What is too old, or lacks the key, is loaded once for all callers.
func (p *platform) current(ctx context.Context, kid string) (string, map[string]jose.JSONWebKey, error) {
	p.lock.Lock()
	now := time.Now()
	if _, known := p.known.keys[kid]; kid != "" && !known && now.After(p.earlier) {
		p.earlier, p.until = now.Add(again), time.Time{}
	}
	if !now.After(p.until) {
		defer p.lock.Unlock()
		return p.known.endpoint, p.known.keys, nil
	}
	if p.loading == nil {
		p.loading = &loading{done: make(chan struct{})}
		go p.load(p.loading)
	}
	running := p.loading
	p.lock.Unlock()
	select {
	case <-running.done:
		return running.found.endpoint, running.found.keys, running.err
	case <-ctx.Done():
		return "", nil, failure("timeout", "")
	}
}

// load goes on if the caller who began it gives up, because others wait, too.
func (p *platform) load(running *loading) {
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	running.found, running.err = p.read(ctx)
	p.lock.Lock()
	defer p.lock.Unlock()
	if running.err == nil {
		p.known, p.until = running.found, time.Now().Add(kept)
	}
	p.loading = nil
	close(running.done)
}

func (p *platform) read(ctx context.Context) (metadata, error) {
	members, err := p.json(ctx, p.issuer+"/.well-known/openid-configuration")
	if err != nil {
		return metadata{}, err
	}
	endpoint, _ := members["introspection_endpoint"].(string)
	address, _ := members["jwks_uri"].(string)
	if members["issuer"] != p.issuer || p.own(endpoint) == "" {
		return metadata{}, failure("wrong-metadata", "")
	}
	set, err := p.json(ctx, address)
	if err != nil {
		return metadata{}, err
	}
	list, isList := set["keys"].([]any)
	if !isList {
		return metadata{}, failure("wrong-metadata", "")
	}
	keys := map[string]jose.JSONWebKey{}
	for _, one := range list {
		var key jose.JSONWebKey
		// A key that cannot be read is left out (RFC 7517, section 5).
		if text, _ := json.Marshal(one); json.Unmarshal(text, &key) == nil && key.KeyID != "" && key.IsPublic() {
			keys[key.KeyID] = key
		}
	}
	return metadata{p.own(endpoint), keys}, nil
}

// own gives where to connect to. The address must be one of the issuer's own host, because it gets the token and the secret.
func (p *platform) own(address string) string {
	for _, origin := range p.origins {
		if rest, found := strings.CutPrefix(address, origin); found {
			return p.origins[0] + rest
		}
	}
	return ""
}

func (p *platform) json(ctx context.Context, address string) (map[string]any, error) {
	if p.own(address) == "" {
		return nil, failure("wrong-metadata", "")
	}
	reply, err := p.send(ctx, p.own(address), nil)
	if err != nil {
		return nil, err
	}
	if reply.status != http.StatusOK {
		return nil, failure("wrong-metadata", "")
	}
	return object(reply.body, "wrong-metadata")
}

// send posts the form, if there is one. Follows no redirect. Every request has a deadline and a greatest size. If the
// connection breaks before any answer, it is repeated once: a call changes nothing.
func (p *platform) send(ctx context.Context, address string, form func() (string, error)) (*reply, error) {
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return nil, failure("busy", "")
	}
	found, err := p.exchange(ctx, address, form)
	if found == nil && err != nil && ctx.Err() == nil {
		p.client.CloseIdleConnections()
		found, err = p.exchange(ctx, address, form)
	}
	var refusal *Error
	switch {
	case errors.As(err, &refusal):
		return nil, refusal
	case err != nil && ctx.Err() != nil:
		return nil, failure("timeout", "")
	case err != nil:
		return nil, failure("unreachable", proxyOf(address))
	case len(found.body) > maxBytes:
		return nil, failure("too-large", "")
	}
	return found, nil
}

// exchange gives no reply if there is no answer, and a reply with an error if the answer broke.
func (p *platform) exchange(ctx context.Context, address string, form func() (string, error)) (*reply, error) {
	method, body, header := http.MethodGet, "", http.Header{}
	if form != nil {
		text, err := form()
		if err != nil {
			return nil, err
		}
		method, body, header = http.MethodPost, text, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, failure("wrong-metadata", "")
	}
	request.Header = header
	response, err := p.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	return &reply{response.StatusCode, response.Header, read}, err
}

// proxyOf names the forward proxy of the environment, without its password.
func proxyOf(address string) string {
	request, _ := http.NewRequest(http.MethodGet, address, nil)
	if proxy, err := http.ProxyFromEnvironment(request); err == nil && proxy != nil {
		return " (proxy: " + proxy.Scheme + "://" + proxy.Host + ")"
	}
	return ""
}

// proofs accepts each DPoP proof once.
type proofs struct {
	lock             sync.Mutex
	used, usedBefore map[[sha256.Size]byte]bool
	until            time.Time
}

// fit is false for a bound token without its proof, and for a DPoP proof with a token that is not bound to it.
func (p *proofs) fit(token map[string]any, asked string, proof Proof) bool {
	found, bound := token["cnf"]
	if token["active"] != true || !bound && proof.DPoP == "" {
		return true
	}
	cnf, _ := found.(map[string]any)
	jkt, keyed := cnf["jkt"]
	x5t, certified := cnf["x5t#S256"]
	known := 0
	for _, named := range []bool{keyed, certified} {
		if named {
			known++
		}
	}
	if known == 0 || known != len(cnf) {
		return false
	}
	// RFC 8705, section 3.1.
	if certified && (proof.Certificate == nil || x5t != hashed(proof.Certificate.Raw)) {
		return false
	}
	if !keyed {
		return proof.DPoP == ""
	}
	return p.signed(asked, proof, jkt)
}

// signed checks a proof as RFC 9449, section 4.3, says.
func (p *proofs) signed(asked string, proof Proof, jkt any) bool {
	head, err := header(proof.DPoP, 3)
	alg, _ := head["alg"].(string)
	if err != nil || head["typ"] != "dpop+jwt" || !signatureForm.MatchString(alg) {
		return false
	}
	// Fails for a private key in the header.
	jws, err := jose.ParseSignedCompact(proof.DPoP, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(alg)})
	if err != nil || jws.Signatures[0].Protected.JSONWebKey == nil {
		return false
	}
	key := jws.Signatures[0].Protected.JSONWebKey
	thumbprint, err := key.Thumbprint(crypto.SHA256)
	if err != nil || !key.IsPublic() || jkt != strict.EncodeToString(thumbprint) {
		return false
	}
	payload, err := jws.Verify(key.Key)
	if err != nil {
		return false
	}
	claims, err := object(payload, "malformed")
	age := math.Abs(float64(time.Now().Unix()) - seconds(claims, "iat", math.NaN()))
	htu, _ := claims["htu"].(string)
	jti, named := claims["jti"].(string)
	return err == nil && named && age <= proofMaxAge.Seconds() && claims["htm"] == proof.Method &&
		sameAddress(htu, proof.URL) && claims["ath"] == hashed([]byte(asked)) && p.first(jti)
}

// first remembers the proof for as long as it is fresh, and at most as long again.
func (p *proofs) first(jti string) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	name, now := sha256.Sum256([]byte(jti)), time.Now()
	if now.After(p.until) || len(p.used) >= maxRemembered {
		p.usedBefore, p.used, p.until = p.used, map[[sha256.Size]byte]bool{}, now.Add(2*proofMaxAge)
	}
	isFirst := !p.used[name] && !p.usedBefore[name]
	p.used[name] = true
	return isFirst
}

func hashed(data []byte) string {
	sum := sha256.Sum256(data)
	return strict.EncodeToString(sum[:])
}

// sameAddress compares without query and fragment.
func sameAddress(one, other string) bool {
	a, err := parts(one)
	b, failed := parts(other)
	return err == nil && failed == nil && a == b
}

func parts(address string) ([4]string, error) {
	found, err := url.Parse(address)
	if err != nil || found.Host == "" {
		return [4]string{}, failure("malformed", "")
	}
	port, path := found.Port(), found.EscapedPath()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[found.Scheme]
	}
	if path == "" {
		path = "/"
	}
	return [4]string{found.Scheme, strings.ToLower(found.Hostname()), port, path}, nil
}

type rule struct {
	holds  bool
	reason string
}

// refuse gives the error of the first rule that does not hold.
func refuse(rules ...rule) error {
	for _, one := range rules {
		if !one.holds {
			return failure(one.reason, "")
		}
	}
	return nil
}

// failure takes a reason, or the name of what stands for one.
func failure(name, detail string) *Error {
	reason, more := name, ""
	if line := reasons[name]; line[0] > '9' {
		reason, more, _ = strings.Cut(line, " ")
		if more != "" {
			more = " " + more
		}
	}
	status, _ := strconv.Atoi(reasons[reason][:3])
	return &Error{reason, status, reason + ": " + reasons[reason][4:] + more + detail}
}

// described gives what the platform says about its error, as it may be logged (RFC 6749 section 5.2).
func described(body []byte) string {
	found, _ := object(bytes.TrimSpace(body), "malformed")
	text, _ := found["error_description"].(string)
	if text = notForLogs.ReplaceAllString(text, "?"); text == "" {
		return ""
	}
	return ": " + text[:min(len(text), 200)]
}

var reasons = func() map[string]string {
	found := map[string]string{}
	for _, line := range strings.Split(reasonLines, "\n") {
		if name, text, named := strings.Cut(line, "="); named && !strings.HasPrefix(line, "#") {
			found[name] = text
		}
	}
	return found
}()

const reasonLines = `# Why a token may not be used: what to answer the service provider, and what to do. The same file is in each library;
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
`

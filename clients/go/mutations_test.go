package checktoken

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	nowhere  = "http://localhost:1/realms/demo"
	signer   = "platform-ES256"
	// Its payload is {"jti":"x"}.
	anyToken = "e30.eyJqdGkiOiJ4In0.AAAA"
)

// fake answers without HTTP.
type fake struct{ body string }

func (f *fake) RoundTrip(request *http.Request) (*http.Response, error) {
	body, header := f.body, http.Header{"Content-Type": {"application/" + answerType}}
	issuer := nowhere + "/api/v2"
	switch {
	case strings.HasSuffix(request.URL.Path, "/openid-configuration"):
		body = marshalled(members{"issuer": issuer, "introspection_endpoint": issuer + "/checktoken", "jwks_uri": nowhere + "/certs"})
	case strings.HasSuffix(request.URL.Path, "/certs"):
		public := loaded(signer)
		body = marshalled(members{"keys": []any{public.Public()}})
	}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(body))}, nil
}

type mutations struct{ *rand.Rand }

func TestNoMutatedAnswerIsAccepted(t *testing.T) {
	seed, count := setting("SEED", int(time.Now().UnixNano()%1_000_000_000)), setting("MUTATIONS", 10_000)
	random := mutations{rand.New(rand.NewSource(int64(seed)))}
	found := map[string]int{}
	var platform fake
	for number := 0; number < count; number++ {
		registered := cases.Clients[[]int{0, 3, 4}[number%3]]
		client := made(t, given(nowhere, registered))
		client.own.platform.client.Transport = &platform
		right := rightClaims(registered)
		text := signed(rightHeader(), right, signer)
		if number%500 == 0 {
			platform.body = encrypted(text, registered)
			if _, err := client.Check(context.Background(), anyToken); err != nil {
				t.Fatal("The right answer is not accepted: ", err)
			}
		}
		platform.body = random.mutated(text, right, registered)
		_, err := client.Check(context.Background(), anyToken)
		if err == nil {
			t.Fatalf("accepted: seed %d, number %d: %q", seed, number, platform.body)
		}
		found[reasonOf(err)]++
	}
	t.Logf("seed %d: %v", seed, found)
	if min(found["wrong-signature"], found["decryption-failed"]) < count/20 {
		t.Error("The mutations do not go deep enough")
	}
}

func TestNothingThatThePlatformSignsBreaksAnything(t *testing.T) {
	seed := setting("SEED", int(time.Now().UnixNano()%1_000_000_000))
	random := mutations{rand.New(rand.NewSource(int64(seed)))}
	registered := cases.Clients[0]
	var platform fake
	for range make([]int, setting("MUTATIONS", 10_000)/10) {
		client := made(t, given(nowhere, registered))
		client.own.platform.client.Transport = &platform
		right := rightClaims(registered)
		right["exp"], right["nbf"] = 4102444800, 0
		token := right["token_introspection"].(members)
		token["cnf"] = members{"jkt": "x"}
		payload := random.odd(right)
		if random.Intn(2) == 0 {
			payload = strings.Replace(marshalled(right), marshalled(token), random.odd(token), 1)
		}
		platform.body = encrypted(signedTexts(marshalled(rightHeader()), payload, signer), registered)
		answer, err := client.Check(context.Background(), anyToken)
		if err == nil {
			if access, err := answer.Require("tax_income"); err == nil {
				person, err := access.Person()
				if err == nil && person.Sub() != "x" {
					t.Errorf("seed %d: %s", seed, payload)
				}
			}
		}
	}
}

func setting(name string, otherwise int) int {
	if number, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return number
	}
	return otherwise
}

func rightClaims(registered registered) members {
	token := members{"active": true, "client_id": "sp", "sub": "x", "scope": "tax_income", "jti": "x", "family_name": "Moreau"}
	return members{"iss": nowhere + "/api/v2", "aud": registered.ID, "iat": time.Now().Unix(), "token_introspection": token}
}

func rightHeader() members { return members{"alg": "ES256", "typ": answerType, "kid": signer} }

func encrypted(text string, registered registered) string {
	agreed := registered.Agreed
	kid := "data-provider-" + agreed.Kty
	key := loaded(kid)
	recipient := jose.Recipient{Algorithm: jose.KeyAlgorithm(agreed.JWE), Key: key.Public().Key, KeyID: kid}
	encrypter, err := jose.NewEncrypter(jose.ContentEncryption(agreed.Enc), recipient, (&jose.EncrypterOptions{}).WithContentType("JWT"))
	if err != nil {
		panic(err)
	}
	jwe, err := encrypter.Encrypt([]byte(text))
	if err != nil {
		panic(err)
	}
	compact, _ := jwe.CompactSerialize()
	return compact
}

func (m mutations) mutated(text string, right members, registered registered) string {
	parts := strings.Split(text, ".")
	encoded := func(text string) string { return strict.EncodeToString([]byte(text)) }
	switch m.Intn(6) {
	case 0:
		return m.changed(encrypted(text, registered))
	case 1:
		return m.changedPart(encrypted(text, registered))
	case 2:
		return encrypted(m.changed(text), registered)
	case 3:
		return encrypted(m.changedPart(text), registered)
	case 4:
		return encrypted(encoded(m.changedJSON(rightHeader()))+"."+parts[1]+"."+parts[2], registered)
	}
	return encrypted(parts[0]+"."+encoded(m.changedJSON(right))+"."+parts[2], registered)
}

// changed changes a text in one way that never gives the same text.
func (m mutations) changed(text string) string {
	at, all := m.Intn(len(text)), alphabet+".= \n\x00\"{"
	other := all[m.Intn(len(all))]
	for other == text[at] {
		other = all[m.Intn(len(all))]
	}
	return []string{
		text[:at] + string(other) + text[at+1:], text[:at] + string(other) + text[at:], text[:at] + text[at+1:], text[:at],
		text + text[at:], text[:at] + string(text[at]^(1<<m.Intn(7))) + text[at+1:], text + string(other), string(other) + text,
	}[m.Intn(8)]
}

// changedPart changes one part, among others its last character alone, whose last bits can be unused.
func (m mutations) changedPart(compact string) string {
	parts := strings.Split(compact, ".")
	at := m.Intn(len(parts))
	part := parts[at]
	switch {
	case part != "" && m.Float64() < 0.2:
		parts[at] = part[:len(part)-1] + string(alphabet[m.Intn(len(alphabet))])
	case part == "" || m.Float64() < 0.1:
		parts[at] = []string{"", "e30", "bnVsbA", "AA", parts[(at+1)%len(parts)]}[m.Intn(5)]
	default:
		parts[at] = m.changed(part)
	}
	if found := strings.Join(parts, "."); found != compact {
		return found
	}
	return m.changed(compact)
}

func (m mutations) changedJSON(all members) string {
	if text := m.odd(all); text != marshalled(all) {
		return text
	}
	return m.changed(marshalled(all))
}

func (m mutations) odd(all members) string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[m.Intn(len(names))]
	value := json.RawMessage(marshalled(all[name]))
	other := []any{
		nil, true, 0, -1, json.RawMessage("1" + strings.Repeat("0", 400)), "", "none", []any{}, members{}, []any{value},
		members{name: value}, "\x00", "__proto__",
	}[m.Intn(13)]
	changed := members{}
	for one, value := range all {
		changed[one] = value
	}
	switch m.Intn(4) {
	case 0:
		delete(changed, name)
		return marshalled(changed)
	case 1:
		changed[name] = other
		return marshalled(changed)
	case 2:
		changed[name] = other
		return strings.TrimSuffix(marshalled(changed), "}") + fmt.Sprintf(`,%q:"other"}`, name)
	}
	return m.changed(marshalled(changed))
}

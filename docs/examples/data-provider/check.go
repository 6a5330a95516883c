// Checks an access token, given as the argument or on the standard input.
//
// Needs Go 1.21 or later, and: go get github.com/go-jose/go-jose/v4
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// As agreed with the platform. Each private key works only with its own alg.
var (
	signature         = []jose.SignatureAlgorithm{jose.ES256}
	keyEncryption     = []jose.KeyAlgorithm{jose.RSA_OAEP_256, jose.ECDH_ES}
	contentEncryption = []jose.ContentEncryption{jose.A256GCM}
)

var client = http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("redirected") },
}

type answer struct {
	Issuer             string          `json:"iss"`
	Audience           string          `json:"aud"`
	IssuedAt           int64           `json:"iat"`
	TokenIntrospection json.RawMessage `json:"token_introspection"`
}

func check(token string) (json.RawMessage, error) {
	realm, clientID := strings.TrimRight(os.Getenv("REALM"), "/"), os.Getenv("CLIENT_ID")
	form := url.Values{"client_id": {clientID}, "client_secret": {os.Getenv("CLIENT_SECRET")}, "token": {token}}
	body, err := read(client.PostForm(realm+"/api/v2/checktoken", form))
	if err != nil {
		return nil, err
	}
	signed, err := decrypt(string(body))
	if err != nil {
		return nil, err
	}
	payload, err := verify(signed, realm)
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.Unmarshal(payload, &a); err != nil {
		return nil, err
	}
	if a.Issuer != realm+"/api/v2" || a.Audience != clientID {
		return nil, errors.New("an answer of another realm, or for another data provider")
	}
	if age := time.Since(time.Unix(a.IssuedAt, 0)); age.Abs() > time.Minute {
		return nil, errors.New("the answer was made at another time")
	}
	if a.TokenIntrospection == nil {
		return nil, errors.New("the answer says nothing about the token")
	}
	// It can say active: false. Steps 8 to 11 of the guide are the caller's.
	return a.TokenIntrospection, nil
}

func decrypt(answer string) (string, error) {
	jwe, err := jose.ParseEncryptedCompact(answer, keyEncryption, contentEncryption)
	if err != nil {
		return "", err
	}
	key, err := privateKey(jwe.Header)
	if err != nil {
		return "", err
	}
	signed, err := jwe.Decrypt(key)
	return string(signed), err
}

func verify(signed, realm string) ([]byte, error) {
	jws, err := jose.ParseSignedCompact(signed, signature)
	if err != nil {
		return nil, err
	}
	header := jws.Signatures[0].Protected
	if header.ExtraHeaders[jose.HeaderType] != "token-introspection+jwt" {
		return nil, errors.New("not an answer of checktoken")
	}
	// A server keeps the set for five minutes, and loads it earlier if a kid is not in it.
	body, err := read(client.Get(realm + "/protocol/openid-connect/certs"))
	if err != nil {
		return nil, err
	}
	var set struct{ Keys []json.RawMessage }
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, err
	}
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		// The set may also have keys of kinds that this library does not know.
		if json.Unmarshal(text, &key) == nil && key.KeyID == header.KeyID {
			return jws.Verify(key)
		}
	}
	return nil, errors.New("the realm does not publish the key that signed the answer")
}

// privateKey finds the key that the header of the answer names. While you change keys there are two.
func privateKey(header jose.Header) (*jose.JSONWebKey, error) {
	files := os.Getenv("PRIVATE_KEYS")
	if files == "" {
		files = "private.jwk.json"
	}
	for _, file := range strings.Fields(files) {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var key jose.JSONWebKey
		if err := json.Unmarshal(text, &key); err != nil {
			return nil, err
		}
		if key.KeyID == header.KeyID && key.Algorithm == header.Algorithm {
			return &key, nil
		}
	}
	return nil, fmt.Errorf("no private key has kid %s and alg %s", header.KeyID, header.Algorithm)
}

func read(response *http.Response, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		// Nothing else of the body, which could be an answer.
		var reason struct{ Error, Error_description string }
		_ = json.Unmarshal(body, &reason)
		err = fmt.Errorf("%s answered %d: %s %s", response.Request.URL.Path, response.StatusCode, reason.Error, reason.Error_description)
	}
	return body, err
}

func run() error {
	var missing []string
	for _, name := range []string{"REALM", "CLIENT_ID", "CLIENT_SECRET"} {
		if os.Getenv(name) == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("Not set: %s", strings.Join(missing, ", "))
	}
	token, err := accessToken()
	if err != nil {
		return err
	}
	introspection, err := check(token)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	json.Indent(&indented, introspection, "", "  ")
	fmt.Println(indented.String())
	return nil
}

func accessToken() (string, error) {
	var token string
	if len(os.Args) > 1 {
		token = os.Args[1]
	} else if stdin, err := os.Stdin.Stat(); err == nil && stdin.Mode()&os.ModeCharDevice == 0 {
		piped, err := io.ReadAll(os.Stdin)
		if err != nil {
			return "", err
		}
		token = strings.TrimSpace(string(piped))
	}
	if token == "" {
		return "", errors.New("No access token, neither as the argument nor on the standard input")
	}
	return token, nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

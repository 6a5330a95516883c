// Checks an access token, given as the argument or on the standard input.
//
// Needs Go 1.21 or later, the library, which is one file:
// mkdir checktoken && cp /path/to/checkout/clients/go/checktoken.go checktoken
// and: go mod init check && go get github.com/go-jose/go-jose/v4
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"check/checktoken"
)

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
	keys, err := privateKeys()
	if err != nil {
		return err
	}
	// A server makes one, and keeps it.
	checkToken, err := checktoken.New(checktoken.Settings{
		Realm: os.Getenv("REALM"), ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"), PrivateKeys: keys,
	})
	if err != nil {
		return err
	}
	answer, err := checkToken.Check(context.Background(), token)
	if err != nil {
		return err
	}
	// Only to look at it. Your API does: access, err := answer.Require("tax_income"), then access.Person()
	text, err := json.MarshalIndent(answer.Unchecked(), "", "  ")
	fmt.Println(string(text))
	return err
}

func privateKeys() (keys [][]byte, err error) {
	files := os.Getenv("PRIVATE_KEYS")
	if files == "" {
		files = "private.jwk.json"
	}
	for _, file := range strings.Fields(files) {
		key, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
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

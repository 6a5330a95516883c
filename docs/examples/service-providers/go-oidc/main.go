// Asks how the person signed in (amr), and asks for a second factor of its own unless that was two factors.
//
// Needs Go 1.21 or later, and: go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// A login has state, nonce and verifier until the person comes back, and then amr.
type login struct {
	state, nonce, verifier string
	amr                    []string
	done                   bool
}

// By the value of the browser's cookie. A real application keeps them in its session store.
var logins sync.Map

func find(r *http.Request) (string, login) {
	if cookie, err := r.Cookie("login"); err == nil {
		if found, ok := logins.Load(cookie.Value); ok {
			return cookie.Value, found.(login)
		}
	}
	return "", login{}
}

// keep gives the browser a new cookie. Over TLS, add Secure.
func keep(w http.ResponseWriter, l login) {
	id := random()
	logins.Store(id, l)
	http.SetCookie(w, &http.Cookie{Name: "login", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

func random() string { return oauth2.GenerateVerifier() }

func main() {
	ctx := context.Background()
	platform, err := oidc.NewProvider(ctx, os.Getenv("REALM"))
	if err != nil {
		log.Fatal(err)
	}
	callback, err := url.Parse(os.Getenv("REDIRECT_URI"))
	if err != nil {
		log.Fatal(err)
	}
	client := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     platform.Endpoint(),
		RedirectURL:  callback.String(),
		Scopes:       []string{oidc.ScopeOpenID},
	}
	verifier := platform.Verifier(&oidc.Config{ClientID: client.ClientID})

	begin := func(w http.ResponseWriter, r *http.Request) {
		l := login{state: random(), nonce: random(), verifier: random()}
		keep(w, l)
		claims := oauth2.SetAuthURLParam("claims", `{"id_token":{"amr":{"essential":true}}}`)
		address := client.AuthCodeURL(l.state, oidc.Nonce(l.nonce), oauth2.S256ChallengeOption(l.verifier), claims)
		http.Redirect(w, r, address, http.StatusFound)
	}

	finish := func(r *http.Request) ([]string, error) {
		id, l := find(r)
		logins.Delete(id)
		if l.state == "" || r.FormValue("state") != l.state {
			return nil, fmt.Errorf("this browser has not begun a login here")
		}
		tokens, err := client.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(l.verifier))
		if err != nil {
			return nil, err
		}
		raw, _ := tokens.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			return nil, err
		}
		if idToken.Nonce != l.nonce {
			return nil, fmt.Errorf("the ID token is of another login")
		}
		var claims struct{ Amr []string }
		err = idToken.Claims(&claims)
		return claims.Amr, err
	}

	http.HandleFunc(callback.Path, func(w http.ResponseWriter, r *http.Request) {
		amr, err := finish(r)
		if err != nil {
			log.Print("The login failed: ", err)
			http.Error(w, "The login failed.", http.StatusBadRequest)
			return
		}
		keep(w, login{amr: amr, done: true})
		http.Redirect(w, r, "/", http.StatusFound)
	})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		_, l := find(r)
		amr := strings.Join(l.amr, " ")
		switch {
		case !l.done:
			begin(w, r)
		case r.URL.Path == "/second-factor":
			fmt.Fprint(w, "Your second factor, please. You signed in with ", amr)
		case slices.Contains(l.amr, "mfa"):
			fmt.Fprint(w, "Welcome. You signed in with ", amr)
		default:
			http.Redirect(w, r, "/second-factor", http.StatusFound)
		}
	})
	fmt.Println("Open " + callback.Scheme + "://" + callback.Host + "/")
	log.Fatal(http.ListenAndServe(callback.Host, nil))
}

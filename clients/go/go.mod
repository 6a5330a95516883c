// For the tests only, with Debian's copy of go-jose. Without a dot in its name, nobody can publish this module.
module checktoken

go 1.21

require github.com/go-jose/go-jose/v4 v4.0.5

require golang.org/x/crypto v0.32.0 // indirect

replace github.com/go-jose/go-jose/v4 => /usr/share/gocode/src/github.com/go-jose/go-jose

replace golang.org/x/crypto => /usr/share/gocode/src/golang.org/x/crypto

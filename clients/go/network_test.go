package checktoken

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

func outcome(client *CheckToken) string {
	answer, err := client.Check(context.Background(), tokenOf("active"))
	if err == nil {
		var access *Access
		if access, err = answer.Require("tax_income"); err == nil {
			_, err = access.Person()
		}
	}
	if err == nil {
		return "accepted"
	}
	return reasonOf(err)
}

func trying(t *testing.T, realm string, change func(*Settings)) string {
	settings := given(realm, cases.Clients[0])
	change(&settings)
	client, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	return outcome(client)
}

func asItIs(*Settings) {}

// certified has the service provider's certificate, and does not look at the platform's, which is of no host.
func certified(s *Settings) {
	own := tls.Certificate{Certificate: [][]byte{certificate("service-provider").Raw}, PrivateKey: loaded("service-provider").Key}
	s.ClientSecret, s.TLS = "", &tls.Config{Certificates: []tls.Certificate{own}, InsecureSkipVerify: true}
}

func TestRefusesMetadataThatLieAndWaitsNotForThoseThatHang(t *testing.T) {
	realm, _ := started(t)
	origin, _, _ := strings.Cut(realm, "/realms/")
	for _, one := range read[struct {
		Cases []struct {
			Name, Reason, Expect, Hangs string
			Or                          []string
		}
	}]("metadata.json").Cases {
		begin := time.Now()
		found := trying(t, origin+"/realms/"+one.Name, func(s *Settings) {
			if one.Hangs != "" {
				s.Timeout = time.Second
			}
		})
		right := append(one.Or, one.Reason)
		if one.Expect != "" {
			right = []string{"accepted"}
		}
		if !slices.Contains(right, found) || time.Since(begin) > 2*time.Second {
			t.Errorf("%s: %s after %s", one.Name, found, time.Since(begin))
		}
	}
}

func TestCallersWhoWaitForMetadataShareWhatComesOfThem(t *testing.T) {
	realm, _ := started(t)
	settings := given(strings.Replace(realm, "demo", "metadata-hang", 1), cases.Clients[0])
	settings.Timeout = time.Second
	client := made(t, settings)
	var all sync.WaitGroup
	for number := 0; number < 40; number++ {
		all.Add(1)
		go func(number int) {
			defer all.Done()
			time.Sleep(time.Duration(number) * 50 * time.Millisecond)
			begin := time.Now()
			if found := outcome(client); found != "timeout" || time.Since(begin) > 1300*time.Millisecond {
				t.Error(found, time.Since(begin))
			}
		}(number)
	}
	all.Wait()
}

func TestNoLieIsAccepted(t *testing.T) {
	realm, _ := started(t)
	seed, count := setting("SEED", int(time.Now().UnixNano()%1_000_000_000)), setting("LIES", 300)
	found := map[string]int{}
	for number := seed; number < seed+count; number++ {
		reason := trying(t, strings.Replace(realm, "demo", fmt.Sprintf("lie-%d", number), 1), asItIs)
		if _, known := reasons[reason]; !known {
			t.Errorf("lie %d: %s", number, reason)
		}
		found[reason]++
	}
	t.Logf("lies from %d: %v", seed, found)
	if len(found) < 8 {
		t.Error("The lies do not go deep enough")
	}
}

func TestChecksWaitForTheirTurnAndAreRefusedAsBusyAtTheDeadline(t *testing.T) {
	realm, _ := started(t, "FAULTS=slow")
	atOnce := func(timeout time.Duration) map[string]int {
		settings := given(realm, cases.Clients[0])
		settings.Timeout = timeout
		client := made(t, settings)
		outcome(client)
		found, results := map[string]int{}, make(chan string)
		for range make([]int, 500) {
			go func() { results <- outcome(client) }()
		}
		for range make([]int, 500) {
			found[<-results]++
		}
		return found
	}
	if found := atOnce(time.Minute); found["accepted"] != 500 {
		t.Error(found)
	}
	found := atOnce(400 * time.Millisecond)
	if found["busy"] == 0 || found["accepted"]+found["busy"]+found["timeout"] != 500 {
		t.Error(found)
	}
}

func TestRepeatsACallOnceWithANewAssertion(t *testing.T) {
	// The platform takes each assertion once, and closes each connection at its second check.
	realm, _ := started(t, "FAULTS=closes")
	settings := given(realm, cases.Clients[0])
	settings.ClientSecret, settings.ClientKey = "", jwk("data-provider-assertion", "ES256")
	client := made(t, settings)
	for range [4]int{} {
		if found := outcome(client); found != "accepted" {
			t.Error(found)
		}
	}
}

func TestGivesUpAfterOneRepeat(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	calls := make(chan int, 9)
	go func() {
		for {
			connection, err := server.Accept()
			if err != nil {
				close(calls)
				return
			}
			read, _ := connection.Read(make([]byte, 9999))
			calls <- read
			connection.Close()
		}
	}()
	found := trying(t, "http://"+server.Addr().String()+"/realms/demo", asItIs)
	server.Close()
	count := 0
	for range calls {
		count++
	}
	if found != "unreachable" || count != 2 {
		t.Error(found, count)
	}
}

func TestLeavesOutKeysThatItCannotRead(t *testing.T) {
	realm, _ := started(t, "FAULTS=odd-keys")
	if found := trying(t, realm, asItIs); found != "accepted" {
		t.Error(found)
	}
}

func TestConnectsToTheAddressThatItIsGiven(t *testing.T) {
	line, _ := startedLines(t, "ORIGIN=https://platform.example")
	line()
	line()
	address := line()
	for _, realm := range []string{"demo", "endpoints-inside"} {
		for _, to := range []string{address, address + "/"} {
			found := trying(t, "https://platform.example/realms/"+realm, func(s *Settings) {
				s.ConnectTo, s.ClientSecret, s.ClientKey = to, "", jwk("data-provider-assertion", "ES256")
			})
			if found != "accepted" {
				t.Error(realm, found)
			}
		}
	}
	for _, wrong := range []string{"http://inside.example", "inside.example", "https://inside.example/path", "https://a@b", "https://"} {
		settings := given("https://platform.example/realms/demo", cases.Clients[0])
		settings.ConnectTo = wrong
		_, err := New(settings)
		expectReason(t, err, "configuration")
	}
}

// The environment counts at the first call of a process, so that another one makes it.
func TestGoesThroughAForwardProxyAndNamesItIfThatIsNotReached(t *testing.T) {
	if realm := os.Getenv("PROXIED_REALM"); realm != "" {
		settings := given(realm, cases.Clients[0])
		certified(&settings)
		_, err := made(t, settings).Check(context.Background(), tokenOf("active"))
		fmt.Println("outcome:", err)
		return
	}
	line, _ := startedLines(t, "TLS=yes", "ORIGIN=https://platform.example", "FAULTS=proxy")
	line()
	line()
	line()
	for proxy, right := range map[string]string{line(): "outcome: <nil>", "http://user:secret@127.0.0.1:1": "(proxy: http://127.0.0.1:1)"} {
		command := exec.Command(os.Args[0], "-test.run=TestGoesThroughAForwardProxy")
		command.Env = append(os.Environ(), "PROXIED_REALM=https://platform.example/realms/demo", "HTTPS_PROXY="+proxy)
		output, _ := command.CombinedOutput()
		if text := string(output); !strings.Contains(text, right) || strings.Contains(text, "secret@") {
			t.Error(text)
		}
	}
}

func TestTakesAKeyOf8192Bits(t *testing.T) {
	text, _ := json.Marshal(read[struct{ Keys []members }]("keys/large.json").Keys[0])
	settings := given("https://login.example.org/realms/a", cases.Clients[0])
	settings.PrivateKeys = [][]byte{text}
	client := made(t, settings)
	var key jose.JSONWebKey
	_ = json.Unmarshal(text, &key)
	recipient := jose.Recipient{Algorithm: jose.RSA_OAEP_256, Key: &key.Key.(*rsa.PrivateKey).PublicKey, KeyID: key.KeyID}
	encrypter, err := jose.NewEncrypter(jose.A256GCM, recipient, (&jose.EncrypterOptions{}).WithContentType("JWT"))
	if err != nil {
		t.Fatal(err)
	}
	jwe, _ := encrypter.Encrypt([]byte("x"))
	body, _ := jwe.CompactSerialize()
	if found, err := client.own.decrypted(body); found != "x" || err != nil {
		t.Error(found, err)
	}
}

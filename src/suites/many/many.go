package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"

	"check/checktoken"
)

func main() {
	key, err := os.ReadFile(os.Getenv("PRIVATE_KEYS"))
	if err != nil {
		panic(err)
	}
	checkToken, err := checktoken.New(checktoken.Settings{
		Realm: os.Getenv("REALM"), ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"),
		PrivateKeys: [][]byte{key}, ConnectTo: os.Getenv("CONNECT_TO"),
	})
	if err != nil {
		panic(err)
	}
	token := os.Getenv("TOKEN")
	burst("library", func() string {
		answer, err := checkToken.Check(context.Background(), token)
		var refusal *checktoken.Error
		if errors.As(err, &refusal) {
			return refusal.Reason
		}
		if err != nil {
			return "failed"
		}
		if answer.Unchecked()["active"] == true {
			return "active"
		}
		return "inactive"
	})
	if os.Getenv("BARE") == "" {
		return
	}
	form := url.Values{"client_id": {os.Getenv("CLIENT_ID")}, "client_secret": {os.Getenv("CLIENT_SECRET")}, "token": {token}}
	burst("bare", func() string {
		response, err := http.PostForm(os.Getenv("REALM")+"/api/v2/checktoken", form)
		if err != nil {
			return "failed"
		}
		defer response.Body.Close()
		io.Copy(io.Discard, response.Body)
		return strconv.Itoa(response.StatusCode)
	})
}

func burst(name string, call func() string) {
	checks, _ := strconv.Atoi(os.Getenv("CHECKS"))
	counts := map[string]int{}
	times := []time.Duration{}
	var lock sync.Mutex
	var all sync.WaitGroup
	for i := 0; i < checks; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			begun := time.Now()
			outcome := call()
			lock.Lock()
			defer lock.Unlock()
			times = append(times, time.Since(begun))
			counts[outcome]++
		}()
	}
	all.Wait()
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	text, _ := json.Marshal(map[string]any{"name": name, "counts": counts, "p99": times[(checks*99+99)/100-1].Milliseconds()})
	fmt.Println(string(text))
}

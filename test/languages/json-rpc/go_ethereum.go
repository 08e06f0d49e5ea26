// Calls, batches and subscriptions by go-ethereum's rpc client; prints what it was told as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

type placed struct {
	Cursor string
	Event  struct {
		Type        string
		Transaction struct{ Hash string }
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	account := os.Getenv("TON_ACCOUNT")
	client, err := rpc.DialContext(ctx, os.Getenv("TON_WS"))
	check(err)
	defer client.Close()

	var balance string
	check(client.CallContext(ctx, &balance, "getAddressBalance", account))
	var named struct {
		Wallets []json.RawMessage `json:"jetton_wallets"`
	}
	check(client.CallContext(ctx, &named, "v3.jetton.wallets", map[string]any{"owner_address": []string{account}}))
	refusal := client.CallContext(ctx, &balance, "getAddressBalance", "nobody")

	allowed := batch(ctx, client, account, 100)
	refused := batch(ctx, client, account, 101)
	var after string
	check(client.CallContext(ctx, &after, "getAddressBalance", account))
	hashes, connections := follow(ctx, account)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"balance":      balance,
		"jettons":      len(named.Wallets),
		"refusal":      codeOf(refusal),
		"batch":        summaryOf(allowed),
		"oversize":     summaryOf(refused),
		"after":        after,
		"transactions": hashes,
		"connections":  connections,
	}))
}

func batch(ctx context.Context, client *rpc.Client, account string, length int) []rpc.BatchElem {
	calls := make([]rpc.BatchElem, length)
	for index := range calls {
		calls[index] = rpc.BatchElem{Method: "getAddressBalance", Args: []any{account}, Result: new(string)}
	}
	check(client.BatchCallContext(ctx, calls))
	return calls
}

// summaryOf counts the entries of a batch by what they were answered with: a balance, or the code of an error.
func summaryOf(calls []rpc.BatchElem) map[string]int {
	counts := map[string]int{}
	for _, call := range calls {
		if call.Error != nil {
			counts[string(must(json.Marshal(codeOf(call.Error))))]++
		} else {
			counts[*call.Result.(*string)]++
		}
	}
	return counts
}

func codeOf(err error) int {
	var refused rpc.Error
	if !errors.As(err, &refused) {
		log.Fatalf("not an error of JSON-RPC: %v", err)
	}
	return refused.ErrorCode()
}

// follow takes all transactions of the account up to now, over as many connections as it takes.
func follow(ctx context.Context, account string) (hashes []string, connections int) {
	var from any = map[string]any{"mc_seqno": 1}
	for {
		connections++
		client, err := rpc.DialContext(ctx, os.Getenv("TON_CUT_WS"))
		check(err)
		events := make(chan placed)
		filter := map[string]any{"accounts": []string{account}, "from": from}
		subscription, err := client.Subscribe(ctx, "ton", events, "transactions", filter)
		check(err)
		for lost := false; !lost; {
			select {
			case placed := <-events:
				from = placed.Cursor
				switch placed.Event.Type {
				case "transaction":
					hashes = append(hashes, placed.Event.Transaction.Hash)
				case "caught-up":
					subscription.Unsubscribe()
					client.Close()
					return hashes, connections
				}
			case <-subscription.Err():
				lost = true
			}
		}
		client.Close()
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

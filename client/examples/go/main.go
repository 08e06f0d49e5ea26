// Reads a wallet and its jettons, sends TON, and follows what happens.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"math/big"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/wallet"
)

func main() {
	service := Service{URL: cmp.Or(os.Getenv("TON_URL"), "http://127.0.0.1:8081")}
	if err := run(context.Background(), service); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, service Service) error {
	// The library only signs; what it needs to know of the chain comes from the service.
	signer, err := wallet.FromSeed(nil, strings.Fields(os.Getenv("TON_MNEMONIC")), wallet.V4R2)
	if err != nil {
		return err
	}
	block, err := read(ctx, service, signer.WalletAddress())
	if err != nil {
		return err
	}
	if err := jettons(ctx, service, signer.WalletAddress()); err != nil {
		return err
	}
	trace, err := sendAndWait(ctx, service, signer)
	if err != nil {
		return err
	}
	return subscribe(ctx, service, signer.WalletAddress(), block+1, trace)
}

// read prints the balance of an account and returns the seqno of the newest block in the index.
func read(ctx context.Context, service Service, account *address.Address) (uint32, error) {
	var chain struct {
		Last struct{ Seqno uint32 }
	}
	if err := service.Get(ctx, "/api/v3/masterchainInfo", nil, &chain); err != nil {
		return 0, err
	}
	var states struct {
		Accounts []struct{ Balance string }
	}
	query := url.Values{"address": {account.String()}}
	if err := service.Get(ctx, "/api/v3/accountStates", query, &states); err != nil {
		return 0, err
	}
	fmt.Printf("balance: %s TON\n", units(states.Accounts[0].Balance, 9))
	return chain.Last.Seqno, nil
}

// jettons prints the jettons of an owner.
func jettons(ctx context.Context, service Service, owner *address.Address) error {
	var answer struct {
		Wallets  []struct{ Balance, Jetton string } `json:"jetton_wallets"`
		Metadata map[string]struct {
			Tokens []struct {
				Symbol string
				Extra  struct{ Decimals string }
			} `json:"token_info"`
		}
	}
	query := url.Values{"owner_address": {owner.String()}, "exclude_zero_balance": {"true"}}
	if err := service.Get(ctx, "/api/v3/jetton/wallets", query, &answer); err != nil {
		return err
	}
	for _, held := range answer.Wallets {
		token := answer.Metadata[held.Jetton].Tokens[0]
		decimals, err := strconv.Atoi(cmp.Or(token.Extra.Decimals, "9"))
		if err != nil {
			return err
		}
		fmt.Printf("jetton: %s %s\n", units(held.Balance, decimals), token.Symbol)
	}
	return nil
}

// sendAndWait sends TON to the wallet itself and returns the id of the trace once everything that follows has happened.
func sendAndWait(ctx context.Context, service Service, signer *wallet.Wallet) (string, error) {
	signer.GetSpec().(*wallet.SpecV4R2).SetSeqnoFetcher(func(ctx context.Context, _ uint32) (uint32, error) {
		var state struct{ Seqno uint32 }
		query := url.Values{"address": {signer.WalletAddress().String()}}
		err := service.Get(ctx, "/api/v3/walletInformation", query, &state)
		return state.Seqno, err
	})
	transfer, err := signer.BuildTransfer(signer.WalletAddress(), tlb.MustFromTON("0.01"), false, "Hello from Go")
	if err != nil {
		return "", err
	}
	message, err := signer.PrepareExternalMessageForMany(ctx, false, []*wallet.Message{transfer})
	if err != nil {
		return "", err
	}
	cell, err := tlb.ToCell(message)
	if err != nil {
		return "", err
	}
	var sent struct {
		Hash string `json:"message_hash"`
	}
	if err := service.Post(ctx, "/api/v3/message", map[string]any{"boc": cell.ToBOC()}, &sent); err != nil {
		return "", err
	}
	for event, err := range service.Events(ctx, url.Values{"kind": {"message"}, "message": {sent.Hash}}) {
		if err != nil {
			return "", err
		}
		fmt.Println("message:", event.Message.Status)
		switch event.Message.Status {
		case "completed", "expired", "dropped":
			if !event.Message.Success {
				return "", fmt.Errorf("the transfer failed: it is %s", event.Message.Status)
			}
			return event.Message.TraceID, nil
		}
	}
	return "", fmt.Errorf("nothing is known of the transfer")
}

// subscribe prints the transactions of an account since a block, until that of a trace.
func subscribe(ctx context.Context, service Service, account *address.Address, block uint32, trace string) error {
	from := fmt.Sprintf(`{"mc_seqno":%d}`, block)
	query := url.Values{"kind": {"transactions"}, "accounts": {account.String()}, "from": {from}}
	for event, err := range service.Events(ctx, query) {
		if err != nil {
			return err
		}
		fmt.Println("transaction:", event.Transaction.Hash)
		if event.Transaction.TraceID == trace {
			return nil
		}
	}
	return nil
}

// units writes an amount of the smallest units as a decimal number.
func units(amount string, decimals int) string {
	number, _ := new(big.Rat).SetString(amount)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	return number.Quo(number, new(big.Rat).SetInt(scale)).FloatString(decimals)
}

// Asks the devnet's liteserver through tonutils-go, an independent implementation of ADNL, TL and proofs.
//
//	mkdir ask && cp ask_with_tonutils.go ask/main.go && cd ask
//	go mod init ask && go get github.com/xssnick/tonutils-go@v1.12.0 && go mod tidy && go build
//	tonwire start --liteserver-port 0 --liteserver-config devnet.json
//	./ask devnet.json <raw address of the faucet>
//
// Passed with tonutils-go 1.12.0. Its policy Secure follows the signatures from the key block that the configuration names
// as init_block to the head, and proves every answer.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/ton"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	config := must(liteclient.GetConfigFromFile(os.Args[1]))
	faucet := address.MustParseRawAddr(os.Args[2])
	pool := liteclient.NewConnectionPool()
	if err := pool.AddConnectionsFromConfig(ctx, config); err != nil {
		panic(err)
	}
	api := ton.NewAPIClient(pool, ton.ProofCheckPolicySecure)
	api.SetTrustedBlockFromConfig(config)

	head := must(api.CurrentMasterchainInfo(ctx))
	fmt.Println("head", head.SeqNo)
	account := must(api.GetAccount(ctx, head, faucet))
	fmt.Println("balance", account.State.Balance)
	fmt.Println("transactions", len(must(api.ListTransactions(ctx, faucet, 3, account.LastTxLT, account.LastTxHash))))
	fmt.Println("shards", len(must(api.GetBlockShardsInfo(ctx, head))))
	fmt.Println("block", must(api.GetBlockData(ctx, head)).BlockInfo.SeqNo)
	fmt.Println("validators", must(api.GetBlockchainConfig(ctx, head, 34)).Get(34) != nil)
	fmt.Println("seqno", must(api.RunGetMethod(ctx, head, faucet, "seqno")).MustInt(0))
	next := must(api.WaitForBlock(head.SeqNo + 1).GetMasterchainInfo(ctx))
	fmt.Println("waited for", next.SeqNo)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Nine calls by clients that oapi-codegen made; prints the answers as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"strconv"

	"languages/v2"
	"languages/v3"
)

func main() {
	ctx := context.Background()
	account := os.Getenv("TON_ACCOUNT")
	ofV2 := must(v2.NewClientWithResponses(os.Getenv("TON_URL")))
	ofV3 := must(v3.NewClientWithResponses(os.Getenv("TON_URL")))

	info := must(ofV2.GetMasterchainInfoWithResponse(ctx))
	balance := must(ofV2.GetAddressBalanceWithResponse(ctx, &v2.GetAddressBalanceParams{Address: account}))
	run := must(ofV3.V3RunGetMethodPostWithResponse(ctx, nil, v3.V3RunGetMethodBody{
		Address: os.Getenv("TON_JETTON"),
		Method:  "get_jetton_data",
	}))
	transactions := must(ofV3.V3TransactionsWithResponse(ctx, &v3.V3TransactionsParams{
		Account: &[]string{account, os.Getenv("TON_OTHER")},
		StartLt: pointer(os.Getenv("TON_START_LT")),
		Sort:    pointer(v3.V3TransactionsParamsSortAsc),
		Limit:   pointer[int32](5),
	}))
	jettons := must(ofV3.V3JettonWalletsWithResponse(ctx, &v3.V3JettonWalletsParams{OwnerAddress: &[]string{account}}))
	traces := must(ofV3.V3TracesWithResponse(ctx, &v3.V3TracesParams{TraceId: &[]string{os.Getenv("TON_TRACE")}}))
	actions := must(ofV3.V3ActionsWithResponse(ctx, &v3.V3ActionsParams{
		Account:    &account,
		ActionType: &[]string{"jetton_transfer"},
	}))
	unprocessable := must(ofV2.GetAddressBalanceWithResponse(ctx, &v2.GetAddressBalanceParams{Address: "nobody"}))
	missing := must(ofV3.V3TransactionsByMasterchainBlockWithResponse(ctx, &v3.V3TransactionsByMasterchainBlockParams{
		Seqno: int32(must(strconv.Atoi(os.Getenv("TON_MISSING_BLOCK")))),
	}))

	hashes := []string{}
	for _, transaction := range transactions.JSON200.Transactions {
		hashes = append(hashes, transaction.Hash)
	}
	balances := map[string]string{}
	for _, wallet := range jettons.JSON200.JettonWallets {
		balances[wallet.Address] = wallet.Balance
	}
	transfers := [][2]*string{}
	for _, action := range actions.JSON200.Actions {
		transfer := must(action.ValueByDiscriminator()).(v3.JettonTransferAction)
		transfers = append(transfers, [2]*string{transfer.Details.Amount, transfer.Details.Comment})
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"seqno":         info.JSON200.Result.Last.Seqno,
		"balance":       balance.JSON200.Result,
		"supply":        run.JSON200.Stack[0].Value,
		"transactions":  hashes,
		"jettons":       balances,
		"trace":         len(*traces.JSON200.Traces[0].TransactionsOrder),
		"transfers":     transfers,
		"unprocessable": []any{unprocessable.StatusCode(), unprocessable.JSON422.Error},
		"missing":       []any{missing.StatusCode(), missing.JSON404.Error},
	})
}

func pointer[T any](value T) *T { return &value }

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

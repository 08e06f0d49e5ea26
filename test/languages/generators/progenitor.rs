//! Nine calls by clients that progenitor made; prints the answers as JSON.

mod v2 {
    progenitor::generate_api!(spec = "v2.json", interface = Builder);
}
mod v3 {
    progenitor::generate_api!(spec = "v3.json", interface = Builder);
}

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::env::var;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let account = var("TON_ACCOUNT")?;
    let of_v2 = v2::Client::new(&var("TON_URL")?);
    let of_v3 = v3::Client::new(&var("TON_URL")?);

    let info = of_v2.get_masterchain_info().send().await?;
    let balance = of_v2.get_address_balance().address(account.as_str()).send().await?;
    let body = v3::types::V3RunGetMethodBody::builder().address(var("TON_JETTON")?).method("get_jetton_data");
    let run = of_v3.v3_run_get_method_post().body(body).send().await?;
    let transactions = of_v3
        .v3_transactions()
        .account(vec![account.parse()?, var("TON_OTHER")?.parse()?])
        .start_lt(var("TON_START_LT")?)
        .sort(v3::types::V3TransactionsSort::Asc)
        .limit(5)
        .send()
        .await?;
    let jettons = of_v3.v3_jetton_wallets().owner_address(vec![account.parse()?]).send().await?;
    let traces = of_v3.v3_traces().trace_id(vec![var("TON_TRACE")?.parse()?]).send().await?;
    let actions = of_v3
        .v3_actions()
        .account(account.as_str())
        .action_type(vec!["jetton_transfer".parse()?])
        .send()
        .await?;
    let unprocessable = match of_v2.get_address_balance().address(var("TON_WRONG_ADDRESS")?).send().await {
        Err(v2::Error::ErrorResponse(failure)) => (failure.status().as_u16(), failure.into_inner().error),
        other => bail!("{other:?}"),
    };
    let block: i32 = var("TON_MISSING_BLOCK")?.parse()?;
    let missing = match of_v3.v3_transactions_by_masterchain_block().seqno(block).send().await {
        Err(v3::Error::ErrorResponse(failure)) => (failure.status().as_u16(), failure.into_inner().error),
        other => bail!("{other:?}"),
    };

    let jettons: Map<String, Value> = jettons
        .jetton_wallets
        .iter()
        .map(|wallet| (wallet.address.to_string(), json!(wallet.balance)))
        .collect();
    let mut transfers = Vec::new();
    for action in &actions.actions {
        if let v3::types::Action::JettonTransferAction(transfer) = action {
            transfers.push((&transfer.details.amount, &transfer.details.comment));
        }
    }
    let answers = json!({
        "seqno": info.result.last.seqno,
        "balance": balance.result,
        "supply": run.stack.first().context("the stack is empty")?.value,
        "transactions": transactions.transactions.iter().map(|each| &each.hash).collect::<Vec<_>>(),
        "jettons": jettons,
        "trace": traces.traces.first().context("no trace")?.transactions_order.len(),
        "transfers": transfers,
        "unprocessable": unprocessable,
        "missing": missing,
    });
    println!("{answers}");
    Ok(())
}

//! Calls, batches and subscriptions by jsonrpsee's client; prints what it was told as JSON.

use std::collections::BTreeMap;
use std::env;

use anyhow::{Context, Result, bail};
use jsonrpsee::core::client::{ClientT, Error, SubscriptionClientT};
use jsonrpsee::core::params::BatchRequestBuilder;
use jsonrpsee::rpc_params;
use jsonrpsee::ws_client::{WsClient, WsClientBuilder};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let account = env::var("TON_ACCOUNT")?;
    let client = WsClientBuilder::default().build(env::var("TON_WS")?).await?;

    let balance: String = client.request("getAddressBalance", rpc_params![&account]).await?;
    let filter = json!({ "owner_address": [account] });
    let named: Value = client.request("v3.jetton.wallets", rpc_params![filter]).await?;
    let refused = client.request::<String, _>("getAddressBalance", rpc_params!["nobody"]).await;
    let Err(Error::Call(refusal)) = refused else { bail!("not refused: {refused:?}") };

    let allowed = batch(&client, &account, 100).await?;
    let oversize = batch(&client, &account, 101).await?;
    let after: String = client.request("getAddressBalance", rpc_params![&account]).await?;
    let (transactions, connections) = follow(&account).await?;

    let told = json!({
        "balance": balance,
        "jettons": named["jetton_wallets"].as_array().context("no list")?.len(),
        "refusal": refusal.code(),
        "batch": allowed,
        "oversize": oversize,
        "after": after,
        "transactions": transactions,
        "connections": connections,
    });
    println!("{told}");
    Ok(())
}

/// Counts the entries of a batch by what they were answered with: a balance, or the code of an error.
async fn batch(client: &WsClient, account: &str, length: usize) -> Result<BTreeMap<String, usize>> {
    let mut calls = BatchRequestBuilder::new();
    for _ in 0..length {
        calls.insert("getAddressBalance", rpc_params![account])?;
    }
    let mut counts = BTreeMap::new();
    for answer in client.batch_request::<String>(calls).await?.into_iter() {
        *counts.entry(answer.unwrap_or_else(|error| error.code().to_string())).or_default() += 1;
    }
    Ok(counts)
}

/// Takes all transactions of the account up to now, over as many connections as it takes.
async fn follow(account: &str) -> Result<(Vec<String>, usize)> {
    let mut from = json!({ "mc_seqno": 1 });
    let mut hashes = Vec::new();
    for connections in 1.. {
        let client = WsClientBuilder::default().build(env::var("TON_CUT_WS")?).await?;
        let params = rpc_params!["transactions", json!({ "accounts": [account], "from": from })];
        let mut events = client.subscribe::<Value, _>("ton_subscribe", params, "ton_unsubscribe").await?;
        while let Some(placed) = events.next().await {
            let placed = placed?;
            from = placed["cursor"].clone();
            match placed["event"]["type"].as_str() {
                Some("transaction") => {
                    hashes.push(placed["event"]["transaction"]["hash"].as_str().context("no hash")?.into());
                }
                Some("caught-up") => {
                    events.unsubscribe().await?;
                    return Ok((hashes, connections));
                }
                _ => {}
            }
        }
    }
    bail!("not reached")
}

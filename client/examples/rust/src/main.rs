//! Reads a wallet and its jettons, sends TON, and follows what happens.

use std::env;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use jsonrpsee::core::client::{ClientT, Subscription, SubscriptionClientT};
use jsonrpsee::rpc_params;
use jsonrpsee::ws_client::{WsClient, WsClientBuilder};
use serde_json::{Value, json};
use tonlib_core::cell::CellBuilder;
use tonlib_core::message::{CommonMsgInfo, TonMessage, TransferMessage};
use tonlib_core::tlb_types::tlb::TLB;
use tonlib_core::wallet::mnemonic::Mnemonic;
use tonlib_core::wallet::ton_wallet::TonWallet;
use tonlib_core::wallet::wallet_version::WalletVersion;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let url = env::var("TON_URL").unwrap_or("http://127.0.0.1:8081".into());
    let client = WsClientBuilder::default()
        .build(format!("{}/jsonRPC", url.replacen("http", "ws", 1)))
        .await?;
    let words = env::var("TON_MNEMONIC").context("TON_MNEMONIC is not set")?;
    let keys = Mnemonic::from_str(&words, &None)?.to_key_pair()?;
    let wallet = TonWallet::new(WalletVersion::V4R2, keys)?;
    let address = wallet.address.to_base64_url();

    let block = read(&client, &address).await?;
    jettons(&client, &address).await?;
    let trace = send_and_wait(&client, &wallet).await?;
    subscribe(&client, &address, block + 1, &trace).await
}

/// Prints the balance of an account; returns the seqno of the newest block in the index.
async fn read(client: &WsClient, account: &str) -> Result<u64> {
    let chain: Value = client.request("v3.masterchainInfo", rpc_params![]).await?;
    let balance: String = client
        .request("getAddressBalance", rpc_params![account])
        .await?;
    println!("balance: {} TON", units(&balance, 9));
    chain["last"]["seqno"].as_u64().context("no seqno")
}

/// Prints the jettons of an owner.
async fn jettons(client: &WsClient, owner: &str) -> Result<()> {
    let filter = json!({ "owner_address": [owner], "exclude_zero_balance": true });
    let answer: Value = client
        .request("v3.jetton.wallets", rpc_params![filter])
        .await?;
    for held in answer["jetton_wallets"].as_array().context("no list")? {
        let token = &answer["metadata"][text(&held["jetton"])]["token_info"][0];
        let decimals = text(&token["extra"]["decimals"]).parse().unwrap_or(9);
        println!(
            "jetton: {} {}",
            units(text(&held["balance"]), decimals),
            text(&token["symbol"])
        );
    }
    Ok(())
}

/// Sends TON to the wallet itself; returns the id of the trace once everything that follows has happened.
async fn send_and_wait(client: &WsClient, wallet: &TonWallet) -> Result<String> {
    let address = wallet.address.to_base64_url();
    let state: Value = client
        .request("v3.walletInformation", rpc_params![address])
        .await?;
    let seqno = state["seqno"].as_u64().unwrap_or(0) as u32;
    let valid_until = (SystemTime::now() + Duration::from_secs(60)).duration_since(UNIX_EPOCH)?;

    let comment = CellBuilder::new()
        .store_u32(32, 0)?
        .store_string("Hello from Rust")?
        .build()?;
    let value = 10_000_000u32.into();
    let header = CommonMsgInfo::new_default_internal(&wallet.address, &value);
    let transfer = TransferMessage::new(header, comment.into()).build()?;
    let message = wallet.create_external_msg(
        valid_until.as_secs() as u32,
        seqno,
        false,
        [transfer.into()],
    )?;
    let sent: Value = client
        .request("v3.message", rpc_params![message.to_boc_b64(false)?])
        .await?;

    let filter = json!({ "message": sent["message_hash"] });
    let mut events = events(client, "message", filter).await?;
    while let Some(event) = events.next().await {
        let message = &event?["event"]["message"];
        println!("message: {}", text(&message["status"]));
        match text(&message["status"]) {
            "completed" if message["success"] == true => {
                return Ok(text(&message["trace_id"]).into());
            }
            status @ ("completed" | "expired" | "dropped") => {
                bail!("the transfer failed: it is {status}")
            }
            _ => {}
        }
    }
    bail!("the connection is lost")
}

/// Prints the transactions of an account since a block, until that of a trace.
async fn subscribe(client: &WsClient, account: &str, block: u64, trace: &str) -> Result<()> {
    let filter = json!({ "accounts": [account], "from": { "mc_seqno": block } });
    let mut events = events(client, "transactions", filter).await?;
    while let Some(event) = events.next().await {
        let transaction = &event?["event"]["transaction"];
        if transaction.is_null() {
            continue; // All that happened before is told.
        }
        println!("transaction: {}", text(&transaction["hash"]));
        if transaction["trace_id"] == trace {
            return Ok(());
        }
    }
    bail!("the connection is lost: subscribe again, from the cursor of the last event")
}

async fn events(client: &WsClient, kind: &str, filter: Value) -> Result<Subscription<Value>> {
    Ok(client
        .subscribe(
            "ton_subscribe",
            rpc_params![kind, filter],
            "ton_unsubscribe",
        )
        .await?)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// An amount of the smallest units as a decimal number.
fn units(amount: &str, decimals: usize) -> String {
    let digits = format!("{amount:0>width$}", width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    format!("{whole}.{part}")
}

"""Reads a wallet and its jettons, sends TON, and follows what happens."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import aiohttp
from ton_core import NetworkGlobalID, to_nano
from tonutils.clients import ToncenterClient
from tonutils.contracts import WalletV4R2

URL = os.environ.get("TON_URL", "http://127.0.0.1:8081")
MNEMONIC = os.environ["TON_MNEMONIC"]


async def read(http: aiohttp.ClientSession, address: str) -> int:
    """Prints the balance of an account; returns the seqno of the newest block in the index."""
    seqno: int = (await get(http, "/api/v3/masterchainInfo"))["last"]["seqno"]
    account = await get(http, "/api/v3/accountStates", address=address)
    print(f"balance: {units(account['accounts'][0]['balance'], 9)} TON")
    return seqno


async def jettons(http: aiohttp.ClientSession, owner: str) -> None:
    """Prints the jettons of an owner."""
    answer = await get(http, "/api/v3/jetton/wallets", owner_address=owner, exclude_zero_balance="true")
    for wallet in answer["jetton_wallets"]:
        token = answer["metadata"][wallet["jetton"]]["token_info"][0]
        decimals = int(token.get("extra", {}).get("decimals", 9))
        print(f"jetton: {units(wallet['balance'], decimals)} {token['symbol']}")


async def send_and_wait(http: aiohttp.ClientSession, wallet: WalletV4R2) -> str:
    """Sends TON to the wallet itself; returns the id of the trace when all that follows has happened."""
    message = await wallet.transfer(wallet.address, to_nano("0.01"), body="Hello from Python")
    async for event in events(http, kind="message", message=message.normalized_hash):
        status = event["message"]
        print(f"message: {status['status']}")
        if status["status"] == "completed" and status["success"]:
            return str(status["trace_id"])
        if status["status"] in ("completed", "expired", "dropped"):
            raise RuntimeError(f"the transfer failed: {status}")
    raise RuntimeError("nothing is known of the transfer")


async def subscribe(http: aiohttp.ClientSession, address: str, seqno: int, trace_id: str) -> None:
    """Prints the transactions of an account since a block, until that of a trace."""
    start = json.dumps({"mc_seqno": seqno})
    async for event in events(http, kind="transactions", accounts=address, **{"from": start}):
        transaction = event["transaction"]
        print(f"transaction: {transaction['hash']}")
        if transaction["trace_id"] == trace_id:
            return


async def events(http: aiohttp.ClientSession, **query: str) -> AsyncIterator[dict[str, Any]]:
    """Events of a subscription, each once, also when the connection is lost in between."""
    cursor = ""
    while True:
        try:
            headers = {"Last-Event-ID": cursor} if cursor else {}
            async with http.get("/api/streaming/events", params=query, headers=headers) as answer:
                answer.raise_for_status()
                async for line in answer.content:
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field == "id":
                        cursor = value
                    if field == "data":
                        event = json.loads(value)
                        if event["type"] == "end":
                            return
                        if event["type"] in ("transaction", "message"):
                            yield event
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError):
            pass
        await asyncio.sleep(1)


async def get(http: aiohttp.ClientSession, path: str, **query: str) -> Any:
    async with http.get(path, params=query) as answer:
        body = await answer.json()
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {answer.status} {body['error']}")
        return body


def units(amount: str, decimals: int) -> str:
    return f"{Decimal(amount).scaleb(-decimals):f}"


async def main() -> None:
    timeout = aiohttp.ClientTimeout(sock_read=60)
    ton = ToncenterClient(NetworkGlobalID.TESTNET, base_url=f"{URL}/api/v2", rps_limit=100, rps_period=1)
    async with ton, aiohttp.ClientSession(URL, timeout=timeout, read_bufsize=2**20) as http:
        wallet, *_ = WalletV4R2.from_mnemonic(ton, MNEMONIC)
        address = wallet.address.to_str()
        seqno = await read(http, address)
        await jettons(http, address)
        trace_id = await send_and_wait(http, wallet)
        await subscribe(http, address, seqno + 1, trace_id)


asyncio.run(main())

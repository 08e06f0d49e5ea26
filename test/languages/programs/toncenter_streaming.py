"""Transactions as both transports of the SDK `toncenter` stream them; prints the hashes that each received."""

import asyncio
import json
from os import environ

import aiohttp
from toncenter.streaming import ToncenterSSE, ToncenterWebSocket, TransactionsNotification
from toncenter.types import Network


async def main() -> None:
    transports = [
        transport(environ["TON_KEY"], Network.MAINNET, base_url=environ["TON_URL"])
        for transport in (ToncenterSSE, ToncenterWebSocket)
    ]
    received = [asyncio.create_task(first(each)) for each in transports]
    for each in transports:
        await each.wait_subscribed(60)
    await pay()
    print(json.dumps(await asyncio.gather(*received)))


async def first(transport: ToncenterSSE | ToncenterWebSocket) -> list[str]:
    """Hashes of the transactions in the first notification."""
    await transport.create_session()
    events = transport.subscribe(addresses=[environ["TON_OTHER"]], types=["transactions"])
    async for notification in events:
        assert isinstance(notification, TransactionsNotification)
        await events.aclose()
        await transport.close_session()
        return [transaction["hash"] for transaction in notification.transactions]
    raise RuntimeError("the stream ended")


async def pay() -> None:
    params = {"address": environ["TON_OTHER"], "amount": "1000000000"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "devnet.faucet", "params": params}
    async with aiohttp.ClientSession() as session:
        async with session.post(environ["TON_URL"] + "/jsonRPC", json=call) as answer:
            answer.raise_for_status()


asyncio.run(main())

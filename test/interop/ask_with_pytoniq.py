"""Asks the devnet's liteserver through pytoniq, an independent implementation of ADNL, TL and proofs.

    pip install pytoniq
    tonwire start --liteserver-port 0 --liteserver-config devnet.json
    python ask_with_pytoniq.py devnet.json

Passed with pytoniq 0.1.43. With trust level 0 it follows the signatures from the key block that the configuration names as
init_block to the head, and proves every answer.
"""
import asyncio
import json
import sys

from pytoniq import LiteClient

ELECTOR = "-1:" + "3" * 64


async def main(path: str) -> None:
    with open(path) as file:
        client = LiteClient.from_config(json.load(file), ls_i=0, trust_level=0, timeout=15)
    await client.connect()
    try:
        info = await client.get_masterchain_info()
        print("head", info["last"]["seqno"], "version", (await client.get_version())["version"])
        shards = await client.get_all_shards_info()
        print("shards", [shard.seqno for shard in shards])
        print("parameters of the configuration", len(await client.get_config_all()))
        account, _ = await client.raw_get_account_state(ELECTOR)
        print("elector's balance", account.storage.balance.grams)
        block, _ = await client.lookup_block(wc=-1, shard=-(2**63), seqno=3)
        whole = await client.raw_get_block(block)
        print("transactions of block 3", len(await client.raw_get_block_transactions_ext(block)), whole.info.seqno)
    finally:
        await client.close()


asyncio.run(main(sys.argv[1]))

"""Asks the devnet's liteserver through tonlib, the network's own client library, by way of pytonlib.

    pip install pytonlib
    tonwire start --liteserver-port 0 --liteserver-config devnet.json
    python ask_with_tonlib.py devnet.json <address of the faucet>

Passed with pytonlib 0.0.72. tonlib believes nothing: it follows the signatures from the zero state to the head and
checks every answer against them.
"""
import asyncio
import json
import sys
import tempfile

from pytonlib import TonlibClient

WHOLE = -(2**63)


async def main(path: str, address: str) -> None:
    with open(path) as file:
        config = json.load(file)
    loop = asyncio.get_running_loop()
    client = TonlibClient(ls_index=0, config=config, keystore=tempfile.mkdtemp(), loop=loop, tonlib_timeout=20)
    await client.init()
    try:
        seqno = (await client.get_masterchain_info())["last"]["seqno"]
        print("head", seqno)
        print("balance", (await client.raw_get_account_state(address))["balance"])
        print("transactions", len(await client.get_transactions(address, limit=3)))
        print("shards", len((await client.get_shards(seqno))["shards"]))
        print("made at", (await client.get_block_header(-1, WHOLE, seqno))["gen_utime"])
        listed = await client.get_block_transactions(-1, WHOLE, seqno, count=10)
        print("transactions of the head", len(listed["transactions"]))
        run = await client.raw_run_method(address, "seqno", [])
        print("seqno", run["exit_code"], run["stack"])
        print("parameter 8", (await client.get_config_param(8, seqno))["@type"])
    finally:
        await client.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))

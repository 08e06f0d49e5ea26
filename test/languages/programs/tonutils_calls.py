"""Reads by the SDK `tonutils`."""

import asyncio
import json
from os import environ

from ton_core import NetworkGlobalID
from tonutils.clients import ToncenterClient


async def main() -> None:
    client = ToncenterClient(
        NetworkGlobalID.MAINNET, api_key=environ["TON_KEY"], base_url=environ["TON_URL"] + "/api/v2"
    )
    async with client:
        account = await client.get_info(environ["TON_ACCOUNT"])
        stack = await client.run_get_method(environ["TON_JETTON"], "get_jetton_data")
        print(json.dumps({"balance": str(account.balance), "supply": hex(stack[0])}))


asyncio.run(main())

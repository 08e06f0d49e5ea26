"""Nine calls by the SDK `toncenter`."""

import asyncio
import json
from os import environ

from toncenter.exceptions import ToncenterNotFoundError, ToncenterStatusError, ToncenterUnprocessableError
from toncenter.rest import ToncenterRestClient
from toncenter.rest.v3.models import V2RunGetMethodRequest


async def main() -> None:
    async with ToncenterRestClient(environ["TON_KEY"], base_url=environ["TON_URL"]) as client:
        print(json.dumps(await calls(client)))


async def calls(client: ToncenterRestClient) -> dict[str, object]:
    v2, v3 = client.v2, client.v3
    request = V2RunGetMethodRequest(address=environ["TON_JETTON"], method="get_jetton_data", stack=[])
    run = await v3.api_v2.run_get_method(request)
    transactions = await v3.blockchain.get_transactions(
        account=[environ["TON_ACCOUNT"], environ["TON_OTHER"]],
        start_lt=int(environ["TON_START_LT"]),
        sort="asc",
        limit=5,
    )
    jettons = await v3.jettons.get_jetton_wallets(owner_address=[environ["TON_ACCOUNT"]])
    traces = await v3.actions.get_traces(trace_id=[environ["TON_TRACE"]])
    actions = await v3.actions.get_actions(account=environ["TON_ACCOUNT"], action_type=["jetton_transfer"])
    try:
        await v2.accounts.get_address_balance("nobody")
    except ToncenterUnprocessableError as error:
        unprocessable = refusal(error)
    try:
        await v3.blockchain.get_transactions_by_masterchain_block(int(environ["TON_MISSING_BLOCK"]))
    except ToncenterNotFoundError as error:
        missing = refusal(error)
    return {
        "seqno": (await v2.blocks.get_masterchain_info()).last.seqno,
        "balance": await v2.accounts.get_address_balance(environ["TON_ACCOUNT"]),
        "supply": run.stack[0].value,
        "transactions": [transaction.hash for transaction in transactions.transactions],
        "jettons": {wallet.address: wallet.balance for wallet in jettons.jetton_wallets},
        "trace": len(traces.traces[0].transactions_order),
        "transfers": [[action.details["amount"], action.details["comment"]] for action in actions.actions],
        "unprocessable": unprocessable,
        "missing": missing,
    }


def refusal(error: ToncenterStatusError) -> list[object]:
    """Status and text; the SDK puts its own words around the service's."""
    return [error.status, str(error).removeprefix(f"HTTP {error.status}: ").split(" — ")[0]]


asyncio.run(main())

"""Nine calls by clients that openapi-python-client made; prints the answers as JSON."""

import json
from http import HTTPStatus
from os import environ
from typing import TypeVar

import v2
import v3
from v2.api.accounts import get_address_balance
from v2.api.blocks import get_masterchain_info
from v2.models import Failure as FailureOfV2
from v3.api.actions_and_traces import v3_actions, v3_traces
from v3.api.blockchain_data import v3_transactions, v_3_transactions_by_masterchain_block
from v3.api.jettons import v3_jetton_wallets
from v3.api.legacy import v_3_run_get_method_post
from v3.models import Failure, JettonTransferAction, V3RunGetMethodBody, V3TransactionsSort

Answer = TypeVar("Answer")


def main() -> None:
    of_v2, of_v3 = v2.Client(base_url=environ["TON_URL"]), v3.Client(base_url=environ["TON_URL"])
    account = environ["TON_ACCOUNT"]
    info = taken(get_masterchain_info.sync(client=of_v2))
    balance = taken(get_address_balance.sync(client=of_v2, address=account))
    body = V3RunGetMethodBody(address=environ["TON_JETTON"], method="get_jetton_data", stack=[])
    run = taken(v_3_run_get_method_post.sync(client=of_v3, body=body))
    transactions = taken(
        v3_transactions.sync(
            client=of_v3,
            account=[account, environ["TON_OTHER"]],
            start_lt=environ["TON_START_LT"],
            sort=V3TransactionsSort.ASC,
            limit=5,
        )
    )
    jettons = taken(v3_jetton_wallets.sync(client=of_v3, owner_address=[account]))
    traces = taken(v3_traces.sync(client=of_v3, trace_id=[environ["TON_TRACE"]]))
    actions = taken(v3_actions.sync(client=of_v3, account=account, action_type=["jetton_transfer"]))
    unprocessable = get_address_balance.sync_detailed(client=of_v2, address="nobody")
    block = int(environ["TON_MISSING_BLOCK"])
    missing = v_3_transactions_by_masterchain_block.sync_detailed(client=of_v3, seqno=block)
    answers = {
        "seqno": info.result.last.seqno,
        "balance": balance.result,
        "supply": run.stack[0].value,
        "transactions": [transaction.hash_ for transaction in transactions.transactions],
        "jettons": {wallet.address: wallet.balance for wallet in jettons.jetton_wallets},
        "trace": len(traces.traces[0].transactions_order or []),
        "transfers": [
            [action.details.amount, action.details.comment]
            for action in actions.actions
            if isinstance(action, JettonTransferAction)
        ],
        "unprocessable": refusal(unprocessable.status_code, unprocessable.parsed),
        "missing": refusal(missing.status_code, missing.parsed),
    }
    print(json.dumps(answers))


def taken(answer: Answer | Failure | FailureOfV2 | None) -> Answer:
    assert answer is not None and not isinstance(answer, (Failure, FailureOfV2)), answer
    return answer


def refusal(status: HTTPStatus, failure: object) -> tuple[int, str]:
    assert isinstance(failure, (Failure, FailureOfV2)), failure
    return status.value, failure.error


main()

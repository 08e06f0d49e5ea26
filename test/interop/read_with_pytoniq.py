"""Reads a run written by record-run.ts with pytoniq-core, which shares no code with this project.

    python -m venv venv && venv/bin/pip install pytoniq-core && venv/bin/python test/interop/read_with_pytoniq.py DIRECTORY
"""
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path

from pytoniq_core import Address, Cell
from pytoniq_core.proof.check_proof import check_account_proof, check_shard_proof
from pytoniq_core.tl.block import BlockIdExt
from pytoniq_core.tlb.block import Block, ShardState

folder = Path(sys.argv[1])
index = json.loads((folder / "index.json").read_text())
passed = Counter()


def block_id(fields):
    return BlockIdExt.from_dict({**fields, "shard": int(fields["shard"])})


def expect(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def read_block(entry):
    bytes_ = (folder / entry["block"]).read_bytes()
    root = Cell.one_from_boc(bytes_)
    name = entry["block"]
    expect(hashlib.sha256(bytes_).hexdigest() == entry["id"]["file_hash"], f"file hash of {name}")
    expect(root.hash.hex() == entry["id"]["root_hash"], f"root hash of {name}")
    block = Block.deserialize(root.begin_parse())
    expect(block.info.seqno == entry["id"]["seqno"], f"seqno of {name}")
    account_blocks = block.extra.account_blocks[0] or {}
    found = [
        {"account": f"{account:064x}", "lt": str(lt), "hash": transaction.cell.hash.hex()}
        for account, account_block in account_blocks.items()
        for lt, transaction in account_block.transactions[0].items()
    ]
    expect(sorted(map(str, found)) == sorted(map(str, entry["transactions"])), f"transactions of {name}")
    passed["blocks"] += 1
    passed["transactions"] += len(found)
    passed["inbound message records"] += len(block.extra.in_msg_descr[0] or {})
    passed["outbound message records"] += len(block.extra.out_msg_descr[0] or {})
    state_root = Cell.one_from_boc((folder / entry["state"]).read_bytes())
    expect(root[2][1].get_hash(0) == state_root.hash, f"state after {name}")
    ShardState.deserialize(state_root.begin_parse())
    passed["states"] += 1


def read_account(entry):
    proof = (folder / entry["proof"]).read_bytes()
    shard_proof = (folder / entry["shard_proof"]).read_bytes()
    state = (folder / entry["state"]).read_bytes()
    shard_block = block_id(entry["shard_block"])
    if shard_proof:
        check_shard_proof(shard_proof, block_id(index["last"]), shard_block)
        passed["shard proofs"] += 1
    if not state:
        return
    check_account_proof(proof, shard_block, Address(entry["address"]), Cell.one_from_boc(state))
    passed["account proofs"] += 1


for entry in index["blocks"]:
    read_block(entry)
for entry in index["accounts"][::20]:
    read_account(entry)
for what, count in passed.items():
    print(f"{count} {what}")
print("everything was read")

import { Cell as CoreCell, type Message as CoreMessage, loadTransaction } from "@ton/core";
import { expect, it } from "vitest";
import {
  blockTransaction,
  plainTransaction,
  standardTransaction,
} from "../../../../shared/schema/v2/transactions.js";
import { v4Transaction } from "../../../../shared/schema/v4/records.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import {
  presentBlockTransaction,
  presentPlainTransaction,
  presentStandardTransaction,
} from "../../../../shared/ton/present/transaction.js";
import { presentV4Transaction } from "../../../../shared/ton/present/v4/transaction.js";
import type { FoundTransaction } from "../../../../shared/ton/proofs/read/transactions.js";
import { transactionsOf } from "../../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { decode } from "../../../../shared/ton/tlb/codec.js";
import { Address } from "../../../../shared/values/address.js";
import { sized } from "../../../helpers/effort.js";
import { type ChainData, describeWithChain } from "../../../helpers/test-data.js";

/** The transaction as @ton/core reads it, with the field names of the answer. */
function seenByCore(data: string, workchain: number) {
  const cell = CoreCell.fromBase64(data);
  const tx = loadTransaction(cell.beginParse());
  const sent = tx.outMessages.values().map(messageSeenByCore);
  const forwarding = sent.reduce((sum, { fwd_fee }) => sum + BigInt(fwd_fee), 0n);
  const { description } = tx;
  const storage = ("storagePhase" in description && description.storagePhase?.storageFeesCollected) || 0n;
  const fee = tx.totalFees.coins + forwarding;
  const account = tx.address.toString(16).padStart(64, "0");
  return {
    address: {
      "@type": "accountAddress",
      account_address: new Address(workchain, Buffer.from(account, "hex")).toFriendly(),
    },
    account: `${workchain}:${account.toUpperCase()}`,
    utime: tx.now,
    transaction_id: {
      "@type": "internal.transactionId",
      lt: tx.lt.toString(),
      hash: cell.hash().toString("base64"),
    },
    fee: fee.toString(),
    storage_fee: storage.toString(),
    other_fee: (fee - storage).toString(),
    ...(tx.inMessage && { in_msg: messageSeenByCore(tx.inMessage) }),
    out_msgs: sent,
  };
}

function messageSeenByCore({ info, body }: CoreMessage) {
  const internal = info.type === "internal" ? info : undefined;
  return {
    source: info.type === "external-in" ? "" : info.src.toString(),
    destination: info.type === "external-out" ? "" : info.dest.toString(),
    value: (internal?.value.coins ?? 0n).toString(),
    fwd_fee: (internal?.forwardFee ?? 0n).toString(),
    created_lt: (info.type === "external-in" ? 0n : info.createdLt).toString(),
    body_hash: body.hash().toString("base64"),
  };
}

/** The fields of a plain message that @ton/core reads. */
function comparable(message: Record<string, unknown>) {
  const { source, destination, value, fwd_fee, created_lt, body_hash } = message;
  return { source, destination, value, fwd_fee, created_lt, body_hash };
}

function realTransactions(data: ChainData): FoundTransaction[] {
  return data.where({ kind: "block" }).flatMap((entry) => {
    const { extra, info } = decode(Block, parseBocRoot(entry.read(), { verify: "later" }));
    const { workchain } = info.value.shardId;
    return Array.from(transactionsOf(extra.value.accountBlocks.value), ({ cell, value }) => ({
      address: new Address(workchain, value.accountAddr),
      cell,
      transaction: value,
    }));
  });
}

describeWithChain("transactions of real blocks", (data) => {
  const all = realTransactions(data);
  /** Of each block some, in the long run all. */
  const chosen = all.filter((_, index) => index % sized(7, 1) === 0);

  it("are shown as @ton/core reads them", () => {
    expect(all.length).toBeGreaterThan(1000);
    for (const found of chosen) {
      const { "@type": type, data: boc, in_msg, out_msgs, ...rest } = presentPlainTransaction(found);
      expect(type).toBe("ext.transaction");
      expect({
        ...rest,
        ...(in_msg && { in_msg: comparable(in_msg) }),
        out_msgs: out_msgs.map(comparable),
      }).toEqual(seenByCore(boc, found.address.workchain));
    }
  });

  it("match their schemas in all forms", () => {
    for (const found of chosen) {
      const forms = [
        [plainTransaction, presentPlainTransaction(found)],
        [standardTransaction, presentStandardTransaction(found)],
        [blockTransaction, presentBlockTransaction(found)],
        [v4Transaction, presentV4Transaction(found)],
      ] as const;
      for (const [schema, shown] of forms) expect(schema.parse(shown)).toEqual(shown);
    }
  });

  it("differ between the forms in addresses and type names only", () => {
    for (const found of all.slice(0, 300)) {
      const { account, ...plain } = presentPlainTransaction(found);
      const standard = presentStandardTransaction(found);
      expect(presentBlockTransaction(found)).toEqual({ ...standard, "@type": "raw.transactionExt", account });
      const { in_msg: _in, out_msgs: _out, "@type": _plain, ...common } = plain;
      const { in_msg: __in, out_msgs: __out, "@type": __standard, ...same } = standard;
      expect(same).toEqual(common);
    }
  });

  it("have no in_msg, rather than an empty one, when they are tick-tock transactions", () => {
    const ticks = all.filter(({ transaction }) => transaction.description.value.kind === "tickTock");
    expect(ticks.length).toBeGreaterThan(10);
    for (const tick of ticks) expect("in_msg" in presentPlainTransaction(tick)).toBe(false);
  });
});

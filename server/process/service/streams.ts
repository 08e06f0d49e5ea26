import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import type { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { Address } from "../../../shared/values/address.js";
import { bytesOfBase64, bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { ChainEvents } from "../../chain/chain-events.js";
import type { SentMessages } from "../../chain/sent-messages.js";
import { snapshotEnd } from "../../indexer/decode/account.js";
import { Deadline } from "../../os/deadline.js";
import type { ReadEdits } from "../../stream/events/account-edits.js";
import type { ReadRaw } from "../../stream/events/raw-transactions.js";
import { Hub, type HubOptions } from "../../stream/hub.js";
import type { Context } from "../context/context.js";
import { logFailure } from "../failure-log.js";
import type { IndexPart } from "../index/index-part.js";

type Parts = Pick<HubOptions, "index" | "book" | "pending" | "readMessage"> & {
  indexing: Pick<IndexPart, "onNews">;
  head: Pick<ChainHead, "onMoved" | "zeroState">;
  reader: ChainReader;
  /** For a chain whose accounts can change without a transaction. */
  edited: ChainEvents["edited"] | undefined;
  /** Absent if messages are not emulated. */
  sent: Pick<SentMessages, "onKept" | "onDropped"> | undefined;
};

function editsIn(reader: ChainReader, editedIn: ChainEvents["edited"]): ReadEdits {
  return async (seqno) => {
    const edited = await editedIn(seqno);
    if (edited.length === 0) return [];
    const block = await reader.blockAt(seqno);
    const stateOf = async (account: AccountId) =>
      snapshotEnd(await reader.account(block, addressOfId(account))).state;
    return Promise.all(edited.map(stateOf));
  };
}

/** How long a transaction is waited for, ms. */
const rawMs = 10_000;

/** Nodes with a long history are asked where others do not have a transaction. */
function rawIn(reader: ChainReader): ReadRaw {
  return async ({ account, lt, hash }, signal) => {
    const address = Address.read(account)!.address;
    const from = { lt, hash: bytesOfBase64(hash) };
    const query = { address, from, limit: 1, toLt: 0n };
    const deadline = new Deadline(rawMs, signal);
    const call = { signal: deadline.signal };
    const read = (archival: boolean) => reader.transactions({ ...query, archival }, call);
    const page = await read(false)
      .catch(() => read(true))
      .finally(() => deadline.clear());
    return bytesToBase64(serializeBoc(itemAt(page.transactions, 0).cell));
  };
}

/** Starts to send events to subscribers. */
export function openStreams({ config, closers, log, fallback, now }: Context, parts: Parts): Hub {
  const { index, book, pending, readMessage, indexing, head, sent, reader, edited } = parts;
  const hub = new Hub({
    index,
    book,
    pending,
    isDevnet: config.network === "devnet",
    readEdits: edited && editsIn(reader, edited),
    readRaw: rawIn(reader),
    readMessage,
    // This part of the hash is enough to distinguish chains.
    chain: bytesToHex(head.zeroState.rootHash.subarray(0, 4)),
    now,
    fallback,
    onError: (error) => logFailure(log, error, { failed: "events could not be told" }),
  });
  indexing.onNews(() => hub.indexChanged());
  head.onMoved(() => hub.chainChanged());
  sent?.onKept(() => hub.chainChanged());
  sent?.onDropped(() => hub.chainChanged());
  closers.add(hub, (each) => each.close());
  hub.start();
  return hub;
}

import type { Contract } from "../../../server/indexer/actions/contracts.js";
import { ContractLookups } from "../../../server/indexer/actions/contracts.js";
import type { TraceRows } from "../../../server/indexer/actions/trace-of-rows.js";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import {
  type accountStatuses,
  codeOf,
  accountStatuses as statuses,
  transactionKinds,
} from "../../../server/store/codes.js";
import type { MessageContentRow, MessageRow } from "../../../server/store/tables/messages.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Address } from "../../../shared/values/address.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { messageRow, transactionRow } from "../store/rows.js";
import type { TraceCase } from "../test-data.js";

/** A case as its file states it. */
export type GoldenCase = {
  trace: {
    trace_id: string;
    external_hash: string;
    mc_seqno_start: number;
    mc_seqno_end: number;
    start_lt: string;
    start_utime: number;
    end_lt: string;
    end_utime: number;
    state: string;
    nodes: number;
    edges: number;
    pending_edges: number;
    classification_state: string;
  };
  modify?: { clear_root_body?: true; classifier_error?: true };
  transactions: GoldenTransaction[];
  interfaces: Record<string, GoldenInterfaces>;
  reference: { state: string; actions: Record<string, unknown>[] };
};

export type GoldenTransaction = {
  hash: string;
  account: string;
  lt: string;
  now: number;
  mc_block_seqno: number;
  orig_status: (typeof accountStatuses)[number];
  end_status: (typeof accountStatuses)[number];
  descr: (typeof transactionKinds)[number];
  aborted: boolean | null;
  compute_exit_code: number | null;
  in_msg: GoldenMessage | null;
  out_msgs: GoldenMessage[];
};

type GoldenMessage = {
  hash: string;
  source: string | null;
  destination: string | null;
  value: string | null;
  extra_currencies: Record<string, string> | null;
  created_lt: string | null;
  created_at: number | string | null;
  opcode: string | null;
  bounce: boolean | null;
  body_hash: string;
  body: string;
  init_state_hash: string | null;
  init_state: string | null;
};

type GoldenInterfaces = {
  jetton_wallet?: { owner: string; jetton: string };
  nft_item?: {
    index: string;
    collection_address: string | null;
    owner_address: string | null;
    content: { uri?: string } | null;
  };
  nft_sale?: {
    marketplace_address: string;
    nft_address: string;
    nft_owner_address: string;
    full_price: string;
  };
  nft_auction?: { nft_addr: string; nft_owner: string; mp_addr: string; last_bid: string };
  /** A pool of either version. */
  dedust_pool?: { assets: { is_ton: boolean; address: string | null }[] };
  extra?: { data_boc?: { data_boc: string } };
};

export function goldenCase(each: TraceCase): GoldenCase {
  // The format is described beside the data.
  return each.read() as GoldenCase;
}

export const bytesOf = (text: string): Uint8Array => base64ToBytes(text)!;
const optionalBytesOf = (text: string | null) => (text === null ? undefined : bytesOf(text));
const addressOf = (text: string) => addressToBytes(Address.read(text)!.address);
const optionalAddressOf = (text: string | null) => (text === null ? undefined : addressOf(text));
const bigintOf = (text: string | null) => (text === null ? undefined : BigInt(text));
const noHash = new Uint8Array(32);

/** The rows that the index would have of the trace, changed as the case asks. */
export function rowsOf({ trace, transactions, modify }: GoldenCase): TraceRows {
  const rows = {
    trace: {
      trace_id: bytesOf(trace.trace_id),
      external_hash: bytesOf(trace.external_hash),
      start_lt: BigInt(trace.start_lt),
      start_utime: trace.start_utime,
      end_lt: BigInt(trace.end_lt),
      end_utime: trace.end_utime,
      mc_seqno_end: trace.mc_seqno_end,
    },
    transactions: transactions.map(rowOf),
    messages: transactions.flatMap((each) => [
      ...(each.in_msg ? [messageOf(each.in_msg, each, 0)] : []),
      ...each.out_msgs.map((message) => messageOf(message, each, 1)),
    ]),
    messageContents: contentsOf(transactions),
  };
  if (modify?.clear_root_body) clearBody(rows, transactions[0]!);
  return rows;
}

/** Replaces the body of the message that began the trace by nothing. */
function clearBody(
  rows: { messages: MessageRow[]; messageContents: MessageContentRow[] },
  root: GoldenTransaction,
): void {
  const empty = Cell.empty;
  rows.messageContents.push({ hash: empty.hash(), body: serializeBoc(empty) });
  const at = rows.messages.findIndex(
    ({ tx_hash, direction }) => direction === 0 && Buffer.from(tx_hash).equals(bytesOf(root.hash)),
  );
  const { opcode: _, ...message } = rows.messages[at]!;
  rows.messages[at] = { ...message, body_hash: empty.hash() };
}

export function rowOf(golden: GoldenTransaction): TransactionRow {
  return transactionRow({
    ...{ account: addressOf(golden.account), hash: bytesOf(golden.hash), lt: BigInt(golden.lt) },
    ...{ mc_block_seqno: golden.mc_block_seqno, now: golden.now, trace_id: noHash },
    orig_status: codeOf(statuses, golden.orig_status),
    end_status: codeOf(statuses, golden.end_status),
    descr: codeOf(transactionKinds, golden.descr),
    aborted: golden.aborted ?? undefined,
    compute_exit_code: golden.compute_exit_code ?? undefined,
  });
}

export function messageOf(
  message: GoldenMessage,
  { hash, lt }: GoldenTransaction,
  direction: number,
): MessageRow {
  const createdAt = message.created_at;
  return messageRow({
    ...{ tx_hash: bytesOf(hash), tx_lt: BigInt(lt), msg_hash: bytesOf(message.hash), direction },
    is_first: true,
    source: optionalAddressOf(message.source),
    destination: optionalAddressOf(message.destination),
    value: bigintOf(message.value),
    value_extra_currencies: message.extra_currencies ?? undefined,
    created_lt: bigintOf(message.created_lt),
    created_at: createdAt === null ? undefined : Number(createdAt),
    opcode: message.opcode === null ? undefined : Number(message.opcode) | 0,
    bounce: message.bounce ?? undefined,
    body_hash: bytesOf(message.body_hash),
    init_state_hash: optionalBytesOf(message.init_state_hash),
  });
}

/** Each content once, as the table has them. */
function contentsOf(transactions: readonly GoldenTransaction[]): MessageContentRow[] {
  const messages = transactions.flatMap(({ in_msg, out_msgs }) => [...(in_msg ? [in_msg] : []), ...out_msgs]);
  const rows = messages.flatMap(contentRows);
  return [...new Map(rows.map((row) => [Buffer.from(row.hash).toString("hex"), row])).values()];
}

function contentRows({ body_hash, body, init_state_hash, init_state }: GoldenMessage): MessageContentRow[] {
  const content = [{ hash: bytesOf(body_hash), body: bytesOf(body) }];
  if (init_state_hash && init_state)
    content.push({ hash: bytesOf(init_state_hash), body: bytesOf(init_state) });
  return content;
}

/** The contracts listed in the case; all other addresses are unknown. */
export function contractsOf({ interfaces }: GoldenCase): ContractLookups {
  const contracts = new ContractLookups();
  for (const [address, known] of Object.entries(interfaces)) {
    contracts.add(address, contractOf(known));
    const data = known.extra?.data_boc?.data_boc;
    if (data !== undefined) contracts.addData(address, parseBocRoot(bytesOf(data)));
  }
  return contracts;
}

function contractOf(known: GoldenInterfaces): Contract {
  const { jetton_wallet: wallet, nft_item: item, nft_sale: sale, nft_auction: auction } = known;
  return {
    ...(wallet && { jettonWallet: { owner: wallet.owner, master: wallet.jetton } }),
    ...(item && {
      nftItem: {
        index: BigInt(item.index),
        collection: item.collection_address ?? undefined,
        owner: item.owner_address ?? undefined,
        contentUri: item.content?.uri,
        codeHash: undefined,
      },
    }),
    ...(sale && {
      nftSale: {
        nft: sale.nft_address,
        nftOwner: sale.nft_owner_address,
        marketplace: sale.marketplace_address,
        fullPrice: BigInt(sale.full_price),
      },
    }),
    ...(auction && {
      nftAuction: {
        nft: auction.nft_addr,
        nftOwner: auction.nft_owner,
        marketplace: auction.mp_addr,
        lastBid: BigInt(auction.last_bid),
      },
    }),
    ...(known.dedust_pool && poolOf(known.dedust_pool)),
  };
}

/** A case does not name its version: rules of both may look it up. */
function poolOf({ assets }: NonNullable<GoldenInterfaces["dedust_pool"]>): Contract {
  const [first, second] = assets.map(({ is_ton, address }) => (is_ton ? undefined : (address ?? undefined)));
  return {
    dedustPool: { assets: [first, second] },
    dexPool: { dex: "dedust_v2", assets: [first, second] },
  };
}

import type { Address } from "../../../shared/values/address.js";
import { type Builder, beginCell } from "../../cells/builder.js";
import type { Cell } from "../../cells/cell.js";
import type { SigningKey } from "../../chain/ed25519.js";
import { CellOf } from "../../tlb/cell-of.js";
import { encode } from "../../tlb/codec.js";
import { onlyCoins } from "../../tlb/currency-collection.js";
import { composeMessageRelaxed, MessageRelaxed } from "../../tlb/message.js";
import { encodeOutList, type OutAction } from "../../tlb/out-action.js";
import { type StateInit, stateInitOf } from "../../tlb/state-init.js";
import { contractCode } from "../contracts/codes.js";
import { contractAddress, externalMessage } from "./compose.js";

/** Supported standard wallets. */
export type WalletVersion = "v3r2" | "v4r2" | "v5r1";

/** A message for a wallet to send. */
export type Payment = {
  to: Address;
  value: bigint;
  body?: Cell | undefined;
  /** Deploys the destination. */
  init?: StateInit | undefined;
  /** Whether the value is returned if the destination fails. Default: true. */
  bounce?: boolean | undefined;
};

/** A signed request to a wallet to send messages. */
export type Order = {
  /** The wallet's current seqno. 0 deploys the wallet. */
  seqno: number;
  /** Unix time when it expires. */
  validUntil: number;
  /** At most 4; at most 255 for v5r1. */
  payments: readonly Payment[];
  /** Default 3: fees are paid separately (1), errors are ignored (2). */
  sendMode?: number | undefined;
};

/** Wallet id of v3 and v4 in workchain 0. The workchain is added to it. */
const firstWalletId = 698_983_191;
/** Wallet apps use the wallet id of mainnet and workchain 0 for every v5. */
const walletIdV5 = 0x7fffff11;
/** `prefix#7369676e` ("sign"): a signed external request. */
const externalOrder = 0x7369676e;
const ignoreErrors = 2;

const names = { v3r2: "wallet v3 r2", v4r2: "wallet v4 r2", v5r1: "wallet v5 r1" } as const;

/**
 * A standard wallet. Uses the wallet ids of wallet apps, so that a mnemonic has the same address there. A key has further
 * v3 and v4 wallets, numbered by `subwallet`.
 */
export class Wallet {
  readonly version: WalletVersion;
  readonly init: StateInit;
  readonly address: Address;
  readonly #key: SigningKey;
  readonly #id: number;

  constructor(version: WalletVersion, key: SigningKey, workchain = 0, subwallet = 0) {
    this.version = version;
    this.#key = key;
    this.#id = version === "v5r1" ? walletIdV5 : firstWalletId + workchain + subwallet;
    const data = initialData(version, this.#id, key.publicKey);
    this.init = stateInitOf(contractCode(names[version]), data);
    this.address = contractAddress(this.init, workchain);
  }

  get publicKey(): Uint8Array {
    return this.#key.publicKey;
  }

  /** Creates the signed external message of an order. With seqno 0 it includes the wallet's code. */
  order(order: Order): Cell {
    const { version } = this;
    const unsigned = version === "v5r1" ? orderV5(this.#id, order) : orderV3V4(version, this.#id, order);
    const signature = this.#key.sign(unsigned.endCell().hash());
    const body =
      version === "v5r1"
        ? unsigned.storeBytes(signature)
        : beginCell().storeBytes(signature).storeBuilder(unsigned);
    return externalMessage(this.address, body.endCell(), order.seqno === 0 ? this.init : undefined);
  }
}

function initialData(version: WalletVersion, id: number, publicKey: Uint8Array): Cell {
  const data = beginCell();
  // is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 public_key:bits256 extensions:(HashmapE 256 int1);
  // v3 and v4 have no is_signature_allowed; v3 has no extensions; v4 calls them plugins
  if (version === "v5r1") data.storeBit(true);
  data.storeUint(0, 32).storeUint(id, 32).storeBytes(publicKey);
  if (version !== "v3r2") data.storeBit(false);
  return data.endCell();
}

function orderV3V4(version: "v3r2" | "v4r2", id: number, order: Order): Builder {
  const { seqno, validUntil, payments, sendMode = 3 } = order;
  const builder = beginCell().storeUint(id, 32).storeUint(validUntil, 32).storeUint(seqno, 32);
  // op 0 of v4 is a transfer.
  if (version === "v4r2") builder.storeUint(0, 8);
  for (const payment of payments) builder.storeUint(sendMode, 8).storeRef(requestedMessage(payment));
  return builder;
}

function orderV5(id: number, { seqno, validUntil, payments, sendMode = 3 }: Order): Builder {
  // The contract requires mode 2 in external requests: one that failed in the action phase could be replayed for ever.
  const mode = sendMode | ignoreErrors;
  const actions = payments.map((payment): OutAction => {
    const outMsg = CellOf.in(MessageRelaxed, requestedMessage(payment));
    return { kind: "sendMsg", mode, outMsg };
  });
  return beginCell()
    .storeUint(externalOrder, 32)
    .storeUint(id, 32)
    .storeUint(validUntil, 32)
    .storeUint(seqno, 32)
    .storeMaybeRef(encodeOutList(actions))
    .storeBit(false);
}

/** The message in a request to a contract that sends messages for its owners. */
export function requestedMessage({ to, value, body, init, bounce = true }: Payment): Cell {
  const info = {
    kind: "internal",
    ihrDisabled: true,
    bounce,
    bounced: false,
    src: undefined,
    dest: to,
    value: onlyCoins(value),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 0n,
    createdAt: 0,
  } as const;
  return encode(MessageRelaxed, composeMessageRelaxed({ info, init, body }));
}

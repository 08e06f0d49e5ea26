import type { Address } from "../../../../shared/values/address.js";
import { type Builder, beginCell } from "../../../cells/builder.js";
import type { Cell } from "../../../cells/cell.js";
import type { SigningKey } from "../../ed25519.js";
import { CellOf } from "../../tlb/cell-of.js";
import { encode } from "../../tlb/codec.js";
import { onlyCoins } from "../../tlb/currency-collection.js";
import { composeMessageRelaxed, MessageRelaxed } from "../../tlb/message.js";
import { encodeOutList, type OutAction } from "../../tlb/out-action.js";
import { type StateInit, stateInitOf } from "../../tlb/state-init.js";
import { contractCode } from "../contracts/codes.js";
import { contractAddress, externalMessage } from "./compose.js";

export type WalletVersion = "v3r2" | "v4r2" | "v5r1";

/** A message a wallet is to send. */
export type Payment = {
  to: Address;
  value: bigint;
  body?: Cell | undefined;
  /** What makes the destination a contract. */
  init?: StateInit | undefined;
  /** Whether the money comes back when the destination fails; true when absent. */
  bounce?: boolean | undefined;
};

export type Order = {
  /** How many orders the wallet has taken so far; 0 deploys it. */
  seqno: number;
  /** Unix time after which the wallet refuses it. */
  validUntil: number;
  /** Up to 4, for v5r1 up to 255. */
  payments: readonly Payment[];
  /** Without one: fees apart from the values, errors of sending ignored (1 + 2). */
  sendMode?: number | undefined;
};

/** Subwallet number of v3 and v4 that wallets agree on, for workchain 0. */
const defaultWalletId = 698_983_191;
/** `workchain` 0, `version` 0, `subwallet` 0 of a client, mixed with mainnet's global id as wallets do it. */
const defaultWalletIdV5 = 0x7fffff11;
/** `prefix#7369676e`: "sign", an order from outside. */
const externalOrder = 0x7369676e;
const ignoreErrors = 2;

const names = { v3r2: "wallet v3 r2", v4r2: "wallet v4 r2", v5r1: "wallet v5 r1" } as const;

/** A standard wallet of workchain 0 with the numbers that wallet programs use: the same words give the same address there. */
export class Wallet {
  readonly version: WalletVersion;
  readonly init: StateInit;
  readonly address: Address;
  readonly #key: SigningKey;

  constructor(version: WalletVersion, key: SigningKey) {
    this.version = version;
    this.#key = key;
    this.init = stateInitOf(contractCode(names[version]), initialData(version, key.publicKey));
    this.address = contractAddress(this.init);
  }

  get publicKey(): Uint8Array {
    return this.#key.publicKey;
  }

  /** The external message that gives the wallet this order; with seqno 0 it brings the wallet's code along. */
  order(order: Order): Cell {
    const unsigned = this.version === "v5r1" ? orderV5(order) : orderV3V4(this.version, order);
    const signature = this.#key.sign(unsigned.endCell().hash());
    const body =
      this.version === "v5r1"
        ? unsigned.storeBytes(signature)
        : beginCell().storeBytes(signature).storeBuilder(unsigned);
    return externalMessage(this.address, body.endCell(), order.seqno === 0 ? this.init : undefined);
  }
}

function initialData(version: WalletVersion, publicKey: Uint8Array): Cell {
  const data = beginCell();
  // is_signature_allowed:Bool seqno:uint32 wallet_id:int32 public_key:bits256 extensions:(HashmapE 256 int1)
  if (version === "v5r1") data.storeBit(true).storeUint(0, 32).storeUint(defaultWalletIdV5, 32);
  // seqno:uint32 wallet_id:uint32 public_key:bits256, for v4 plugins:(HashmapE 264 ...)
  else data.storeUint(0, 32).storeUint(defaultWalletId, 32);
  data.storeBytes(publicKey);
  if (version !== "v3r2") data.storeBit(false);
  return data.endCell();
}

function orderV3V4(version: "v3r2" | "v4r2", { seqno, validUntil, payments, sendMode = 3 }: Order): Builder {
  const order = beginCell().storeUint(defaultWalletId, 32).storeUint(validUntil, 32);
  order.storeUint(seqno, 32);
  // v4 knows other orders than payments.
  if (version === "v4r2") order.storeUint(0, 8);
  for (const payment of payments)
    order.storeUint(sendMode, 8).storeRef(encode(MessageRelaxed, outMessage(payment)));
  return order;
}

function orderV5({ seqno, validUntil, payments, sendMode = 3 }: Order): Builder {
  // The contract refuses an order from outside that could fail in its action phase, as it would be repeated for ever.
  const mode = sendMode | ignoreErrors;
  const actions = payments.map(
    (payment): OutAction => ({
      kind: "sendMsg",
      mode,
      outMsg: CellOf.of(MessageRelaxed, outMessage(payment)),
    }),
  );
  return beginCell()
    .storeUint(externalOrder, 32)
    .storeUint(defaultWalletIdV5, 32)
    .storeUint(validUntil, 32)
    .storeUint(seqno, 32)
    .storeMaybeRef(encodeOutList(actions))
    .storeBit(false);
}

function outMessage({ to, value, body, init, bounce = true }: Payment): MessageRelaxed {
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
  return composeMessageRelaxed({ info, init, body });
}

import { initialConfig } from "../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../shared/ton/tlb/message.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { type StateInit, stateInitOf, type TickTock } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";

/** A minute after the zero state. */
export const testTime = 1_735_689_660;

const zero = new Uint8Array(32);

/** A devnet's configuration as the root of its dictionary. */
export function otherConfig(globalId: number): Cell {
  const basechain = { rootHash: zero, fileHash: zero };
  const validators = [{ publicKey: zero }];
  return initialConfig({ globalId, time: testTime - 60, validators, basechain, rewards: false }).root!;
}

export const testConfig = otherConfig(-1);

export const account = new Address(0, new Uint8Array(32).fill(5));
const sender = new Address(0, new Uint8Array(32).fill(6));

function shardAccount(value: Account): Cell {
  return encode(ShardAccount, { account: CellOf.of(Account, value), lastTransHash: zero, lastTransLt: 0n });
}

export const noAccount = shardAccount(undefined);

type Contract = { code: Cell; data: Cell; address?: Address; balance?: bigint; special?: TickTock };

export function activeAccount({
  code,
  data,
  address = account,
  balance = 10n ** 10n,
  special,
}: Contract): Cell {
  const init: StateInit = { ...stateInitOf(code, data), special };
  return shardAccount({
    addr: address,
    storageStat: {
      used: { cells: 1n, bits: 1n },
      storageExtra: { kind: "none" },
      lastPaid: 1_735_689_600,
      duePayment: undefined,
    },
    storage: { lastTransLt: 1n, balance: onlyCoins(balance), state: { kind: "active", init } },
  });
}

type Internal = {
  value: bigint;
  to?: Address;
  body?: Cell | undefined;
  bounce?: boolean;
  init?: StateInit | undefined;
};

export function internalMessage({ value, to = account, body, bounce = false, init }: Internal): Cell {
  const info = {
    kind: "internal",
    ihrDisabled: true,
    bounce,
    bounced: false,
    src: sender,
    dest: to,
    value: onlyCoins(value),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 1n,
    createdAt: 1_735_689_600,
  } as const;
  return encode(Message, composeMessage({ info, init, body }));
}

export function externalMessage(to: Address, body: Cell, init?: StateInit): Cell {
  const info = { kind: "externalIn", src: undefined, dest: to, importFee: 0n } as const;
  return encode(Message, composeMessage({ info, init, body }));
}

/** A cell with nothing but these bytes. */
export function bytesCell(hex: string): Cell {
  return beginCell().storeBytes(Buffer.from(hex, "hex")).endCell();
}

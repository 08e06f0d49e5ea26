import type { Action } from "../../../server/indexer/actions/action.js";
import { classify } from "../../../server/indexer/actions/classify.js";
import { type Contract, ContractLookups } from "../../../server/indexer/actions/contracts.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { bodyOf, maybe } from "../made-cells.js";
import { account, type MadeMessage, traceOf } from "./made-trace.js";

/** The rows of a made trace, of contracts that are known, some with their data. */
export function actionsOf(
  root: MadeMessage,
  known: Record<string, Contract>,
  data: Record<string, Cell> = {},
): readonly Action[] {
  const contracts = new ContractLookups();
  for (const [address, contract] of Object.entries(known)) contracts.add(address, contract);
  for (const [address, cell] of Object.entries(data)) contracts.addData(address, cell);
  return classify(traceOf(root), contracts).actions;
}

/** The wallet that an owner has of a jetton. */
export function walletOf(owner: string, master: string): string {
  return account(`wallet of ${owner} for ${master}`);
}

/** The wallets of all these owners for all these jettons, as recognised contracts. */
export function walletsOf(owners: readonly string[], masters: readonly string[]): Record<string, Contract> {
  const pairs = owners.flatMap((owner) => masters.map((master) => ({ owner, master })));
  return Object.fromEntries(
    pairs.map((wallet) => [walletOf(wallet.owner, wallet.master), { jettonWallet: wallet }]),
  );
}

type MadeTransfer = {
  from: string;
  to: string;
  master: string;
  amount?: bigint;
  payload?: Cell | undefined;
  /** Messages of the receiver after the notification. Without them there is no notification. */
  leadsTo?: readonly MadeMessage[];
};

/** A transfer as its request, which is sent by `from`. */
export function jettonTransfer({
  from,
  to,
  master,
  amount = 1n,
  payload,
  leadsTo,
}: MadeTransfer): MadeMessage {
  const received = bodyOf(0x178d4519, amount, from, from, 0n, false);
  return {
    to: walletOf(from, master),
    body: transferRequest({ from, to, amount, payload }),
    sends: [
      { to: walletOf(to, master), body: received, sends: leadsTo ? [notification(to, amount, leadsTo)] : [] },
    ],
  };
}

/** A transfer of proxy TON as its request: the wallet sends TON on immediately. */
export function proxyTonPayout(
  { from, to, master, amount = 1n, payload }: MadeTransfer,
  sends: readonly MadeMessage[] = [],
): MadeMessage {
  return { to: walletOf(from, master), body: transferRequest({ from, to, amount, payload }), sends };
}

function transferRequest({
  from,
  to,
  amount,
  payload,
}: Omit<MadeTransfer, "master"> & { amount: bigint }): Cell {
  return bodyOf(0x0f8a7ea5, amount, to, from, false, 0n, maybe(payload));
}

export function notification(
  to: string,
  amount: bigint,
  sends: readonly MadeMessage[],
  payload?: Cell,
): MadeMessage {
  const body = bodyOf(0x7362d09c, amount, to, maybe(payload));
  return { to, body, sends };
}

/** TON for a proxy, which notifies the receiver. */
export function proxyTon(
  to: string,
  amount: bigint,
  sends: readonly MadeMessage[],
  payload?: Cell,
): MadeMessage {
  const body = bodyOf(0x01f3835d, amount, to, maybe(payload));
  return { to, body, sends };
}

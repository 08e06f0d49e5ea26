import type { Handlers, ResultOf } from "../../../shared/methods/define.js";
import type { multisigMethods } from "../../../shared/methods/v3/multisig.js";
import { bytesOfBase64 } from "../../../shared/values/bytes.js";
import { valueAt } from "../../../shared/values/lookups.js";
import { presentInSlices } from "../../present/present-in-slices.js";
import { addressOf } from "../../present/v3/address-book.js";
import { type IndexDeps, withAddressBook } from "../../present/v3/answer-extras.js";
import { listText, objectText } from "../../present/v3/answer-text.js";
import { presentOrderActions } from "../../present/v3/orders/order.js";
import { addressToBytes } from "../../store/address-bytes.js";
import type { MultisigOrderRecord, MultisigRecord } from "../../store/queries/accounts/multisig.js";
import { reads } from "../../store/reads/index-reads.js";

type Order = ResultOf<(typeof multisigMethods)["multisig"]["orders"]>["orders"][number];

/** Limit on the orders in a list of wallets: a wallet may have any number of them. */
const maxOrders = 10_000;

export const multisigHandlers: Handlers<typeof multisigMethods, IndexDeps, "text"> = {
  multisig: {
    wallets: ({ address, wallet_address, include_orders, ...page }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const filter = {
          addresses: address?.map(addressToBytes),
          wallets: wallet_address?.map(addressToBytes),
        };
        const wallets = await reads.listMultisigs(queries, filter, page);
        const keys = wallets.map((wallet) => addressToBytes(addressOf(wallet.address)));
        const isListed = include_orders && keys.length > 0;
        const orders = isListed ? await reads.ordersOfMultisigs(queries, keys, maxOrders) : [];
        const ordersOf = new Map(wallets.map((wallet) => [wallet.address, [] as MultisigOrderRecord[]]));
        for (const order of orders) valueAt(ordersOf, order.multisig_address).push(order);
        const multisigs = wallets.map((wallet) => ({ ...wallet, orders: valueAt(ordersOf, wallet.address) }));
        const shown = [...wallets.flatMap(addressesOfWallet), ...orders.flatMap(addressesOfOrder)];
        return withAddressBook({ multisigs }, shown, { queries, call, book });
      }),

    orders: ({ address, multisig_address, parse_actions, ...page }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const filter = {
          addresses: address?.map(addressToBytes),
          multisigs: multisig_address?.map(addressToBytes),
        };
        const orders = await reads.listMultisigOrders(queries, filter, page);
        const shown = new Set(orders.flatMap(addressesOfOrder));
        const source = { queries, call, book };
        if (!parse_actions) return withAddressBook({ orders }, shown, source);
        const texts = await presentInSlices(orders, (order) => withActions(order, shown), call.signal);
        return objectText(await withAddressBook({ orders: listText<Order>(texts) }, shown, source));
      }),
  },
};

/** The text of an order with its actions. Adds their addresses to `shown`. */
function withActions(order: MultisigOrderRecord, shown: Set<string>): string {
  const boc = bytesOfBase64(order.order_boc);
  return objectText({ ...order, actions: presentOrderActions(boc, shown) }).text;
}

function addressesOfWallet({ address, signers, proposers }: MultisigRecord): string[] {
  return [address, ...signers, ...proposers];
}

function addressesOfOrder({ address, multisig_address, signers }: MultisigOrderRecord): string[] {
  return [address, multisig_address, ...signers];
}

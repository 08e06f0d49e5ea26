import type { Client } from "../../../../client/client.js";
import { isRpcError } from "../../../../client/errors.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { accountPath, friendlyOf } from "../parts/address.js";
import { blockPath, masterchainShard } from "../parts/block-id.js";
import { hexOf, tracePath, transactionPath } from "../parts/hash.js";
import type { Names } from "../parts/names.js";

/** What a search looks in. */
export type Known = {
  readonly client: () => Client;
  readonly isIndexed: boolean;
  readonly names: Names;
};

/** The path of the thing that a text identifies, or an error with the reason why there is none. */
export async function identify(text: string, deps: Known): Promise<string | Error> {
  const friendly = friendlyOf(text);
  if (friendly !== undefined) return accountPath(friendly);
  if (/^\d{1,10}$/.test(text))
    return blockPath({ workchain: -1, shard: masterchainShard, seqno: Number(text) });
  const block = /^\(?(-?\d{1,3})[,:]\s*([\da-f]{16})[,:]\s*(\d{1,10})\)?$/i.exec(text);
  if (block)
    return blockPath({
      workchain: Number(block[1]),
      shard: itemAt(block, 2).toLowerCase(),
      seqno: Number(block[3]),
    });
  const hex = hexOf(text.replace(/^0x/i, ""));
  if (hex !== undefined) return findHash(hex, deps);
  // Before names, as a devnet's sample data has items that are called like their domains.
  if (/^[^\s/]{1,120}\.(ton|t\.me)$/i.test(text)) return `/domain/${encodeURIComponent(text.toLowerCase())}`;
  const named = deps.names.all().find(([, { name }]) => name.toLowerCase() === text.toLowerCase());
  if (named) return accountPath(friendlyOf(named[0])!);
  const isNearAddress = /^[\w+/-]{48}$/.test(text) || /^-?\d+:[\da-f]*$/i.test(text);
  return new Error(
    isNearAddress
      ? "This is no address: a letter is wrong, or some are missing."
      : "This is no address, hash, block or domain.",
  );
}

/** Finds the transaction, message, block or basechain account with this hash. */
async function findHash(hex: string, { client, isIndexed }: Known): Promise<string | Error> {
  const account = accountPath(friendlyOf(`0:${hex}`)!);
  const isAccount = async () =>
    (await client().getAddressState({ address: `0:${hex}` })) === "uninitialized" ? undefined : account;
  const ways = [
    async () =>
      (await client().v3.transactions({ hash: hex, limit: 1 })).transactions[0] && transactionPath(hex),
    async () => {
      const [first] = (await client().v3.transactionsByMessage({ msg_hash: hex, limit: 1 })).transactions;
      return first && tracePath(hexOf(first.trace_id ?? first.hash)!);
    },
    async () => {
      const [block] = (await client().v3.blocks({ root_hash: hex, limit: 1 })).blocks;
      return block && blockPath({ ...block, shard: block.shard.toLowerCase() });
    },
  ];
  const answers = await Promise.all(
    [...(isIndexed ? ways : []), isAccount].map((way) => way().catch((error: unknown) => failed(error))),
  );
  const found = answers.find((each) => typeof each === "string");
  if (found !== undefined) return found;
  const broken = answers.find((each) => each instanceof Error);
  if (broken) return broken;
  return new Error(
    isIndexed
      ? "No transaction, message, block or account has this hash."
      : "No account has this hash. Transactions and blocks are found by hash only if the service has an index.",
  );
}

/** The index reports an unknown hash with these statuses. */
function failed(error: unknown): Error | undefined {
  if (isRpcError(error) && (error.status === 404 || error.status === 422)) return undefined;
  return error as Error;
}

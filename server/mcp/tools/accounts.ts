import { z } from "zod";
import { formatUnits } from "../../../client/values/units.js";
import { address as addressInput } from "../../../shared/schema/v3/params.js";
import { claimedText } from "../../../shared/values/claimed-text.js";
import { actionRow, withoutNulls } from "../answers/actions.js";
import { namesOf, tokenOf } from "../answers/names.js";
import { listTool } from "../list-tool.js";
import { part, type Session } from "../session.js";
import type { Tool } from "../tool.js";

type Members = Readonly<Record<string, unknown>>;

const tonDecimals = 9;
/** Rows of each list in an overview; other tools have the rest. */
const shown = { jettons: 15, nfts: 8, domains: 5, actions: 5, abi: 25 };
const maxLine = 200;

const account: Tool = {
  name: "account",
  title: "Account overview",
  description:
    "An account at a glance: balance, state, kind of contract, tokens, NFTs, domains and its last actions; with an ABI of its code also its storage, get-methods and messages. " +
    "Start with it for any question about an address. " +
    "Lists are short: jetton_wallets, nft_items, dns_records and history have all rows.",
  methods: ["getAddressInformation"],
  input: z.object({ address: addressInput.describe("Address of the account, raw or friendly.") }),
  isList: false,
  changes: false,
  async run(args, session) {
    const address = String(args["address"]);
    const [state, contract, jettons, nfts, domains, actions] = await Promise.all([
      stateOf(address, session),
      part(session, "v3.debug.abi", { account: address, include_abi: false }),
      part(session, "v3.jetton.wallets", {
        owner_address: [address],
        exclude_zero_balance: true,
        limit: shown.jettons,
      }),
      part(session, "v3.nft.items", { owner_address: [address], limit: shown.nfts }),
      part(session, "v3.dns.records", { wallet: address, limit: shown.domains }),
      part(session, "v3.actions", { account: address, limit: shown.actions }),
    ]);
    return {
      facts: {
        ...state,
        ...contractOf(contract),
        jettons: rowsOf(jettons, "jetton_wallets", jettonWalletRow),
        nfts: rowsOf(nfts, "nft_items", nftRow),
        domains: rowsOf(domains, "records", ({ domain }) => ({ domain })),
        last_actions: rowsOf(actions, "actions", actionRow),
        ...namesOf(actions, actions["actions"] ?? []),
      },
    };
  },
};

async function stateOf(address: string, session: Session): Promise<Members> {
  const {
    code: _,
    data: __,
    frozen_hash,
    balance,
    state,
    last_transaction_id: last,
  } = (await session.call("getAddressInformation", { address })) as Members;
  const indexed = await part(session, "v3.accountStates", {
    address: [address],
    include_boc: false,
    include_storage: true,
  });
  const [known] = (indexed["accounts"] ?? []) as Members[];
  const token = tokenOf(
    (indexed["metadata"] as Record<string, Members> | undefined)?.[String(known?.["address"])],
  );
  return {
    address: known?.["address"] ?? address,
    balance_nanotons: balance,
    balance_ton: unitsText(balance, tonDecimals),
    state,
    ...(known?.["interfaces"] !== undefined && { interfaces: known["interfaces"] }),
    ...(token && { token }),
    ...(known?.["storage"] !== undefined && { storage: known["storage"] }),
    ...(frozen_hash !== "" && { frozen_hash }),
    last_transaction: withoutNulls(last),
  };
}

/** The contract by its best ABI: its name, and its get-methods and messages in the words of Tolk. */
function contractOf({ matches }: Members): Members {
  const [best] = (matches ?? []) as Members[];
  if (!best) return {};
  const { contract, trust } = best;
  const lines = (name: string, line: (each: Members) => string) =>
    ((best[name] ?? []) as Members[]).slice(0, shown.abi).map((each) => claimedText(line(each), maxLine));
  const fields = (list: unknown) =>
    (list as Members[]).map(({ name, type }) => `${String(name)}: ${String(type)}`).join(", ");
  return {
    abi: {
      contract: claimedText(String(contract)),
      trust,
      get_methods: lines(
        "get_methods",
        ({ name, parameters, returns }) => `${String(name)}(${fields(parameters)}): ${String(returns)}`,
      ),
      messages: lines(
        "messages",
        ({ direction, name, opcode, fields: list }) =>
          `${String(direction)} ${String(name)} ${String(opcode ?? "")} { ${fields(list)} }`,
      ),
    },
  };
}

function rowsOf(result: Members, name: string, row: (each: Members, result: Members) => Members): unknown {
  if (result["failure"] !== undefined) return { not_available: result["failure"] };
  return ((result[name] ?? []) as Members[]).map((each) => row(each, result));
}

/** A balance with its token's symbol and decimals. */
function jettonWalletRow({ address, balance, owner, jetton }: Members, result: Members): Members {
  const metadata = result["metadata"] as Record<string, Members> | undefined;
  const token = tokenOf(metadata?.[String(jetton)]);
  return {
    ...token,
    amount: unitsText(balance, token?.["decimals"]),
    balance_units: balance,
    owner,
    jetton_master: jetton,
    jetton_wallet: address,
  };
}

function nftRow(
  { address, index, collection_address: collection, owner_address: owner, ...more }: Members,
  result: Members,
): Members {
  const metadata = result["metadata"] as Record<string, Members> | undefined;
  const { content, on_sale: onSale, real_owner: realOwner } = more;
  return {
    ...tokenOf(metadata?.[String(address)]),
    address,
    index,
    collection,
    owner,
    ...(onSale === true && { on_sale: true, real_owner: realOwner }),
    content,
  };
}

/** An amount in whole tokens; undefined if the decimals are not known. */
function unitsText(units: unknown, decimals: unknown): string | undefined {
  const isKnown = typeof units === "string" && /^\d{1,80}$/.test(units) && /^\d{1,3}$/.test(String(decimals));
  return isKnown && Number(decimals) <= 255 ? formatUnits(units, String(decimals)) : undefined;
}

export const accountTools: readonly Tool[] = [
  account,
  listTool("v3.jetton.wallets", {
    params: ["owner_address", "jetton_address", "exclude_zero_balance"],
    guide:
      "Use it for the token balances of an owner, or the holders of a jetton. `amount` is in whole tokens, `balance_units` in smallest units; wallets show both multiplied by `scaled_ui`, if the token has it.",
    rows: "jetton_wallets",
    row: jettonWalletRow,
  }),
  listTool("v3.jetton.masters", {
    params: ["address", "admin_address"],
    guide:
      "Use it for what a jetton is: name, symbol, decimals, supply in smallest units, admin. Names can be imitated: the address decides.",
    rows: "jetton_masters",
    row: (row, result) => {
      const metadata = result["metadata"] as Record<string, Members> | undefined;
      const { address, total_supply: supply, mintable, admin_address: admin, jetton_content: content } = row;
      return {
        ...tokenOf(metadata?.[String(address)]),
        address,
        supply_units: supply,
        mintable,
        admin,
        content,
      };
    },
  }),
  listTool("v3.nft.items", {
    params: ["address", "owner_address", "collection_address", "include_on_sale"],
    guide: "Use it for the NFTs of an owner or a collection.",
    rows: "nft_items",
    row: nftRow,
  }),
  listTool("v3.dns.records", {
    params: ["wallet", "domain"],
    guide: "Use it to find the account of a domain such as `alice.ton`, or the domains of an account.",
    rows: "records",
    row: (row) => withoutNulls(row) as Members,
  }),
];

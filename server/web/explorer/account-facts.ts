import type { ContractAbi, RawFullAccountState, TokenData } from "../../../client/api.js";
import { formatAddress, parseAddress } from "../../../client/values/addresses.js";
import { type Content, html } from "../pages/markup.js";
import { AnswerNames } from "./actions/answer-names.js";
import { addressLink } from "./parts/address.js";
import { amount, count } from "./parts/amount.js";
import { optional } from "./parts/optional.js";
import { claimed, claimedText } from "./parts/text.js";
import { jettonAmount, type Metadata, tokenInfo } from "./parts/tokens.js";
import { type TgWallet, tgWalletIn } from "./tg-wallet.js";
import type { ViewContext } from "./view.js";

/** Facts about an account. */
export type AccountFacts = {
  /** The explorer's own name for it, or the name of a jetton wallet. */
  readonly name: string | undefined;
  readonly state: RawFullAccountState;
  /** Unix time of its last transaction, if that can be read. */
  readonly lastTime: number | undefined;
  /** Interfaces and types, the most specific first. */
  readonly kinds: readonly string[];
  /** Ids of its get-methods; absent if its code was not examined. */
  readonly methodIds?: readonly number[] | undefined;
  readonly walletSeqno?: number | undefined;
  /** The data of Telegram's wallet, if it is one. */
  readonly tgWallet?: TgWallet | undefined;
  readonly domain?: string | undefined;
  /** What is known of its contract by ABIs, the best first. */
  readonly abis: readonly ContractAbi[];
  /** Lines about the account's token, if it is one. */
  readonly token: readonly (readonly [name: string, value: Content])[];
};

/** Kinds for which `getTokenData` returns details. */
const tokenKinds = /^(jetton_master|jetton_wallet|nft_collection|nft_item|dns_item|telemint_item|teleitem)/;

/** Reads an account from the chain, and its details from the index. Only the chain's answer is required. */
export async function readAccount(context: ViewContext, address: string): Promise<AccountFacts> {
  const { call, indexed, names } = context;
  const [state, walletInfo, entry, described] = await Promise.all([
    call("getAddressInformation", { address }),
    optional(call("getWalletInformation", { address })),
    indexed ? optional(call("v3.accountStates", { address: [address], include_boc: false })) : undefined,
    optional(call("v3.debug.abi", { account: address, include_abi: true })),
  ]);
  const indexedState = entry?.accounts[0];
  const tgWallet = tgWalletIn(state);
  const walletType = tgWallet ? "tg_wallet" : walletInfo?.wallet ? walletInfo.wallet_type : undefined;
  const named = names.find(address)?.kind;
  const kinds = [...new Set([...(indexedState?.interfaces ?? []), ...(named ? [named] : [])])].filter(
    // A recognised wallet needs no list of similar wallets.
    (kind) => walletType === undefined || !(kind === walletType || kind.startsWith("wallet")),
  );
  // Without an index only a call of its get-methods can identify a contract.
  const isAsked = kinds.some((kind) => tokenKinds.test(kind)) || (!indexed && walletType === undefined);
  const [token, lastTime] = await Promise.all([
    state.code !== "" && isAsked ? optional(call("getTokenData", { address })) : undefined,
    lastTimeOf(context, address, state),
  ]);
  const kindOfToken = token?.contract_type;
  const known = new AnswerNames(entry ?? {}, names);
  return {
    name: names.of(address) ?? (kindOfToken === "jetton_wallet" ? nameIn(known, address) : undefined),
    state,
    lastTime,
    kinds: [
      ...(walletType === undefined ? [] : [walletType]),
      ...new Set([...kinds, ...(kindOfToken === undefined ? [] : [kindOfToken])]),
    ],
    methodIds: indexedState?.contract_methods ?? undefined,
    walletSeqno: tgWallet?.seqno ?? walletInfo?.seqno,
    tgWallet,
    domain: domainOf(entry?.address_book, address),
    abis: described?.matches ?? [],
    token: token ? tokenLines(token, context, { known, metadata: entry?.metadata ?? {} }) : [],
  };
}

async function lastTimeOf(
  { call, indexed }: ViewContext,
  address: string,
  { last_transaction_id: last }: RawFullAccountState,
): Promise<number | undefined> {
  if (last.lt === "0") return undefined;
  if (indexed) {
    const found = await optional(call("v3.transactions", { hash: [last.hash], limit: 1 }));
    const time = found?.transactions[0]?.now;
    if (time !== undefined) return time;
  }
  const [found] = (await optional(call("getTransactions", { address, ...last, limit: 1 }))) ?? [];
  return found?.utime;
}

function nameIn(known: AnswerNames, address: string): string | undefined {
  const { text, isName } = known.account(formatAddress(address, { raw: true }).toUpperCase());
  return isName ? text : undefined;
}

function domainOf(
  book: Readonly<Record<string, { domain: string | null }>> | undefined,
  address: string,
): string | undefined {
  return book?.[parseAddress(address).address.toRaw().toUpperCase()]?.domain ?? undefined;
}

type Described = { readonly known: AnswerNames; readonly metadata: Metadata };

type Master = Extract<TokenData, { contract_type: "jetton_master" }>;

/** Decimals of a jetton that states none. */
const usualDecimals = 9;

/** The index also has decimals that are elsewhere than on the chain. Without them a jetton has units. */
function supplyOf(token: Master, metadata: Metadata): Content {
  if (tokenInfo(metadata, token.address, "jetton_masters")?.symbol !== undefined)
    return jettonAmount(token.total_supply, token.address, metadata);
  const { data } = token.jetton_content;
  if (typeof data === "object") {
    const { decimals, symbol } = data as Readonly<Record<string, unknown>>;
    return amount(
      token.total_supply,
      Number(decimals || usualDecimals),
      claimedText(String(symbol || "jettons"), 12),
    );
  }
  return html`<span class="amount">${count(token.total_supply)} <span class="unit">units</span></span>`;
}

function tokenLines(
  token: TokenData,
  { names }: ViewContext,
  { known, metadata }: Described,
): (readonly [string, Content])[] {
  const link = (address: string | null | undefined) => addressLink(address, { names });
  switch (token.contract_type) {
    case "jetton_master": {
      const content = token.jetton_content.data as Readonly<Record<string, unknown>> | string;
      const text = (name: string) => (typeof content === "object" ? String(content[name] ?? "") : "");
      return [
        ["Jetton", text("name") !== "" && html`${claimed(text("name"), 60)}, ${claimed(text("symbol"), 12)}`],
        ["Description", text("description") !== "" && claimed(text("description"), 300)],
        ["Metadata", typeof content === "string" && claimed(content, 200)],
        ["Supply", supplyOf(token, metadata)],
        ["Admin", token.admin_address === undefined ? "nobody" : link(token.admin_address)],
        ["Mintable", token.mintable ? "yes" : "no"],
      ];
    }
    case "jetton_wallet":
      return [
        [
          "Jetton",
          addressLink(token.jetton, { names, text: names.of(token.jetton) ?? nameIn(known, token.jetton) }),
        ],
        ["Owner", link(token.owner)],
        tokenInfo(metadata, token.jetton, "jetton_masters")?.symbol === undefined
          ? ["Units of the jetton", html`<span class="amount">${count(token.balance)}</span>`]
          : ["Jetton balance", jettonAmount(token.balance, token.jetton, metadata)],
      ];
    case "nft_collection":
      return [
        ["Owner", link(token.owner_address)],
        ["Next index", count(token.next_item_index)],
      ];
    case "nft_item":
      return [
        ["Collection", link(token.collection_address)],
        ["Owner", link(token.owner_address)],
        ["Index", claimed(String(token.index), 80)],
      ];
  }
}

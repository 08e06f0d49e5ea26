import type { RawFullAccountState } from "../../../../client/api.js";
import { readBag } from "../../../../client/values/bag-of-cells.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { memberOf } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { type AccountFacts, readAccount } from "../account-facts.js";
import { addressForms, growCode } from "../address-book/address-forms.js";
import { showOwnName } from "../address-book/name-form.js";
import { showContract } from "../contract/show-contract.js";
import { growSources, sourcesMarkup } from "../contract/sources.js";
import { showMethodForm } from "../get-methods/method-form.js";
import { showHistory } from "../history/history.js";
import { friendlyOf, rawOf } from "../parts/address.js";
import { count, ton } from "../parts/amount.js";
import { cellTree } from "../parts/cell-tree.js";
import { hashCell, ifReadable } from "../parts/cells.js";
import { claim, type Own } from "../parts/claim.js";
import { copyButton } from "../parts/copy.js";
import { facts } from "../parts/facts.js";
import { hashText, transactionPath } from "../parts/hash.js";
import { claimedText } from "../parts/text.js";
import { timeAgo } from "../parts/time.js";
import type { TgWallet } from "../tg-wallet.js";
import { showTokens, tokenPageLink } from "../token-lists.js";
import type { View } from "../view.js";

const states: Readonly<Record<RawFullAccountState["state"], string>> = {
  active: "active",
  uninitialized: "not initialized: it has no code",
  frozen: "frozen: its storage was not paid for",
};

/** An account: state, history, tokens, code and data, and get-methods. */
export const showAccount: View = async (context) => {
  const { root, params, title, names, own } = context;
  const given = memberOf(params, "address");
  const friendly = friendlyOf(given);
  const raw = rawOf(given);
  if (friendly === undefined || raw === undefined) {
    title("Account");
    root.innerHTML = html`<h1 tabindex="-1">This is no address</h1>
      <p>An address is raw, such as <code>0:</code> and 64 hex digits, or friendly with 48 letters, whose checksum must be right:
      <code>${given.slice(0, 100)}</code></p>`.text;
    return;
  }
  title(names.of(raw) ?? friendly);
  const account = await readAccount(context, raw);
  const { name, state, kinds, abis } = account;
  title(name ?? friendly);
  const shownName =
    own.find(raw) === undefined
      ? (name ?? html`<span class="whole">${friendly}</span>`)
      : html`<span class="own">${name}</span>`;
  const methods = html`<section aria-labelledby="methods"><h2 id="methods">Get-methods</h2><div data-part="methods"></div></section>`;
  const page = document.createElement("div");
  page.innerHTML = html`<p class="crumb">Account${tokenPageLink(context, kinds, friendly)}</p>
    <h1 tabindex="-1">${shownName}
      ${kinds.map((kind) => html`<span class="pill">${claimedText(kind, 40).replaceAll("_", " ")}</span> `)}</h1>
    ${facts(accountFacts(account, friendly, raw))}
    <div class="halves">
      <section aria-labelledby="history"><h2 id="history">History</h2><div data-part="history"></div></section>
      <div>
        <section aria-label="Tokens" data-part="tokens"></section>
        ${
          state.code !== "" &&
          html`${abis.length === 0 ? methods : html`<section aria-labelledby="contract"><h2 id="contract">Contract</h2><div data-part="contract"></div></section>`}
          <section aria-labelledby="state"><h2 id="state">Code and data</h2><div data-part="state"></div>${sourcesMarkup}
          ${abis.length === 0 ? html`<p class="hint">This service has no ABI of this code. Its operator gives one with <code>--artifacts</code>.</p>` : html`<details class="fold"><summary>Run any get-method</summary><div data-part="methods"></div></details>`}</section>`
        }
      </div>
    </div>`.text;
  const part = (name: string) => elementOf(page, `[data-part="${name}"]`);
  growCode(page);
  const onChange = () => context.go(location.pathname + location.search);
  showOwnName(part("own-name"), { own, address: raw, onChange });
  if (state.code !== "") {
    part("state").append(stateTree("Code", state.code), stateTree("Data", state.data));
    growSources(context, page, friendly);
    showMethodForm(context, part("methods"), { address: friendly, methodIds: account.methodIds, kinds });
  }
  await Promise.all([
    abis.length > 0 && showContract(context, part("contract"), { address: friendly, state, kinds, abis }),
    showHistory(context, part("history"), { address: raw, last: state.last_transaction_id }),
    showTokens(context, part("tokens"), { address: raw, kinds }),
  ]);
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

function accountFacts(account: AccountFacts, friendly: string, raw: string) {
  const { state, walletSeqno: seqno, tgWallet, token, domain } = account;
  const { last_transaction_id: last, block_id: block } = state;
  const own: Own = (values, shown) => claim(["account", raw, block.seqno, block.root_hash], values, shown);
  const codeHash = hashOf(state.code);
  const dataHash = hashOf(state.data);
  return [
    ["Balance", own({ balance: state.balance }, html`<span class="balance">${ton(state.balance)}</span>`)],
    [
      "State",
      own(
        { state: state.state, suspended: state.suspended ?? false },
        html`${states[state.state] ?? state.state}${state.suspended && ", suspended"}`,
      ),
    ],
    ["Address", html`<span class="mono whole">${friendly}</span>${copyButton(friendly, "Copy the address")}`],
    ["Other forms", addressForms({ friendly, raw, isActive: state.state === "active" })],
    ["Your name", html`<span data-part="own-name"></span>`],
    [
      "Domain",
      domain !== undefined &&
        html`<a href="/domain/${encodeURIComponent(domain)}">${claimedText(domain)}</a>`,
    ],
    ["Next seqno", seqno !== undefined && count(seqno)],
    ...(tgWallet ? tgWalletFacts(tgWallet) : []),
    ...token,
    [
      "Extra currencies",
      state.extra_currencies.length > 0 &&
        state.extra_currencies.map(({ id, amount }) => `${amount} of ${id} `),
    ],
    [
      "Frozen state",
      state.frozen_hash !== "" && own({ frozen_hash: state.frozen_hash }, hashText(state.frozen_hash)),
    ],
    ["Code hash", codeHash !== undefined && own({ code_hash: codeHash }, hashText(codeHash))],
    ["Data hash", dataHash !== undefined && own({ data_hash: dataHash }, hashText(dataHash))],
    [
      "Last transaction",
      last.lt !== "0" && own({ last_lt: last.lt, last_hash: last.hash }, lastTransaction(account, raw)),
    ],
  ] as const;
}

function tgWalletFacts({ walletId, publicKey, revision }: TgWallet): [name: string, value: Content][] {
  return [
    ["Wallet id", count(walletId)],
    ["Public key", hashText(publicKey)],
    ["Revision of the data", count(revision)],
  ];
}

/** The hash of code or data, computed from what is shown; undefined without any. */
function hashOf(boc: string): string | undefined {
  if (boc === "") return undefined;
  // The tree of its cells shows why they cannot be read.
  const hashed = ifReadable(() => hashCell(readBag(boc)));
  return hashed && bytesToHex(hashed.hash);
}

/** A link that is found without the index too, and the time if it is known. */
function lastTransaction({ state, lastTime }: AccountFacts, account: string): Markup {
  const { lt, hash } = state.last_transaction_id;
  const query = new URLSearchParams({ account, lt });
  return html`${hashText(hash, (hex) => `${transactionPath(hex)}?${query}`)} <span class="aside">${lastTime !== undefined && html`${timeAgo(lastTime)}, `}logical time ${lt}</span>`;
}

/** Code or data. The tree is built when the user opens it. */
function stateTree(name: string, boc: string): HTMLElement {
  const place = document.createElement("details");
  place.className = "state-tree";
  place.innerHTML =
    html`<summary>${name} <span class="aside">${Math.round((boc.length * 3) / 4).toLocaleString("en")} bytes</span></summary>`.text;
  place.addEventListener("toggle", () => {
    if (place.open && place.childElementCount === 1) place.append(cellTree(boc));
  });
  return place;
}

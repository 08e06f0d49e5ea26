import type {
  BlockId,
  DevnetFaucetResult,
  DevnetInfoResult,
  DevnetMineResult,
  DevnetSnapshotResult,
  RawExtMessageInfo,
} from "../../../../client/api.js";
import { parseAddress } from "../../../../client/values/addresses.js";
import { toNano } from "../../../../client/values/amounts.js";
import { readBag } from "../../../../client/values/bag-of-cells.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { friendlyOf } from "../parts/address.js";
import { blockLink } from "../parts/block-id.js";
import { bagOf } from "../parts/cells.js";
import { hashText, tracePath, transactionPath } from "../parts/hash.js";
import type { Names } from "../parts/names.js";
import { timeOf } from "../parts/time.js";
import { tgWalletIn } from "../tg-wallet.js";
import type { Call } from "../view.js";
import { commentBody } from "./cell-bits.js";
import { areaField, type Control, checkField, choiceField, textField, type Values } from "./control-form.js";
import { signerOf } from "./signing.js";
import type { WalletVersion } from "./wallet-codes.js";
import { isKnownVersion, type WalletState, walletMessage } from "./wallet-message.js";

/** Id of the datalist of accounts for address fields. */
export const accountList = "known-accounts";

export function accountListMarkup(names: Names): Markup {
  return html`<datalist id="${accountList}">${names.all().map(([address, { name }]) => html`<option value="${friendlyOf(address)}">${name}</option>`)}</datalist>`;
}

export const accountField = (name: string, label: string, value?: string) =>
  textField(name, label, {
    list: accountList,
    placeholder: "EQ… or 0:…",
    ...(value !== undefined && { value }),
  });
export const amountField = (name: string, value: string) =>
  textField(name, "Amount, TON", { value, inputmode: "decimal" });
const bocPlaceholder = "te6cck…, base64";

export const receipt = ({ tx_hash, block }: DevnetFaucetResult): Content =>
  html`Received by ${hashText(tx_hash, transactionPath)} in block ${blockOf(block)}.`;
const blockOf = (block: BlockId): Markup => blockLink(block);
const seconds = (values: Values, name: string) => {
  const value = wanted(values, name, "a number of seconds");
  if (!/^\d{1,12}$/.test(value)) throw new TypeError(`${value} is not a number of seconds`);
  return Number(value);
};

export function wanted(values: Values, name: string, what: string): string {
  const value = values[name];
  if (value === undefined) throw new TypeError(`Give ${what}.`);
  return value;
}

const nanotons = (values: Values, name = "amount") => String(toNano(wanted(values, name, "an amount")));

export const faucets: readonly Control[] = [
  {
    id: "faucet",
    title: "Faucet",
    fields: [accountField("address", "To"), amountField("amount", "10")],
    button: "Send TON",
    request: (values) => ({
      method: "devnet.faucet",
      params: { address: wanted(values, "address", "an address"), amount: nanotons(values) },
    }),
    resultOf: receipt,
  },
  {
    id: "faucet-jetton",
    title: "Jetton faucet",
    about: "Mints in the name of the jetton's admin.",
    fields: [
      accountField("address", "To"),
      textField("amount", "Amount, smallest units", { value: "1000000000", inputmode: "numeric" }),
      textField("jetton", "Jetton master", { list: accountList, placeholder: "the first of the story" }),
    ],
    button: "Mint jettons",
    request: ({ jetton, ...values }) => ({
      method: "devnet.faucetJetton",
      params: {
        address: wanted(values, "address", "an address"),
        amount: wanted(values, "amount", "an amount"),
        ...(jetton !== undefined && { jetton }),
      },
    }),
    resultOf: receipt,
  },
];

const mine: Control = {
  id: "mine",
  title: "Mine",
  fields: [
    textField("blocks", "Blocks", { value: "1", inputmode: "numeric" }),
    textField("interval", "Seconds between them", { value: "1", inputmode: "numeric" }),
  ],
  button: "Make blocks",
  request: ({ blocks = "1", interval = "1" }) => ({
    method: "devnet.mine",
    params: { blocks: numberOf(blocks), interval: numberOf(interval) },
  }),
  resultOf: ({ mined, block }: DevnetMineResult) =>
    html`${mined} ${mined === 1 ? "block" : "blocks"}, the newest is ${blockOf(block)}.`,
};

const miningMode = (mining: DevnetInfoResult["mining"]): Control => ({
  id: "mining",
  title: "Mining mode",
  fields: [
    choiceField(
      "mode",
      "Blocks are made",
      [
        ["interval", "at an interval"],
        ["message", "for every message"],
        ["manual", "on request"],
      ],
      mining.mode,
    ),
    textField("interval_ms", "Milliseconds between them", {
      placeholder: "unchanged",
      inputmode: "numeric",
    }),
  ],
  button: "Set mode",
  request: ({ mode = "interval", interval_ms }) => ({
    method: "devnet.setMining",
    params: { mode, ...(interval_ms !== undefined && { interval_ms: numberOf(interval_ms) }) },
  }),
  resultOf: ({ mode, interval_ms }: DevnetInfoResult["mining"]) =>
    `Mode ${mode}, ${interval_ms} ms between blocks.`,
});

const advanceTime: Control = {
  id: "advance",
  title: "Advance time",
  fields: [textField("seconds", "Seconds", { value: "3600", inputmode: "numeric" })],
  button: "Advance",
  request: (values) => ({ method: "devnet.advanceTime", params: { seconds: seconds(values, "seconds") } }),
  resultOf: timeResult,
};

const nextTime: Control = {
  id: "next-time",
  title: "Time of the next block",
  about: "The block after it has the clock's time again, if that is later.",
  fields: [textField("time", "Unix time", { placeholder: "1893456000", inputmode: "numeric" })],
  button: "Set time",
  request: (values) => ({ method: "devnet.setNextBlockTime", params: { time: seconds(values, "time") } }),
  resultOf: timeResult,
};

const clockMode = (clock: DevnetInfoResult["clock"]): Control => ({
  id: "clock",
  title: "Clock",
  fields: [
    choiceField(
      "mode",
      "Time of blocks",
      [
        ["wall", "this machine's clock"],
        ["fixed", "one second per block"],
      ],
      clock,
    ),
  ],
  button: "Set clock",
  request: ({ mode = "wall" }) => ({ method: "devnet.setClock", params: { mode } }),
  resultOf: timeResult,
});

const takeSnapshot: Control = {
  id: "snapshot",
  title: "Take a snapshot",
  fields: [textField("name", "Name", { placeholder: "numbered, until the process ends" })],
  button: "Take snapshot",
  request: ({ name }) => ({ method: "devnet.snapshot", params: name === undefined ? {} : { name } }),
  resultOf: ({ id, block }: DevnetSnapshotResult) => html`Snapshot ${id} at block ${blockOf(block)}.`,
};

/** Forms that make blocks and move time, preset with the current modes. */
export const chainControls = ({ mining, clock }: DevnetInfoResult): readonly Control[] => [
  mine,
  miningMode(mining),
  advanceTime,
  nextTime,
  clockMode(clock),
  takeSnapshot,
];

function timeResult({ now }: { now: number }): Content {
  return html`The next block's time is ${timeOf(now)}.`;
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${text} is not a whole number`);
  return Number(text);
}

/** Forms that send messages. */
export function messageControls(
  wallets: readonly DevnetInfoResult["faucet"][],
  call: Call,
): readonly Control[] {
  return [fromWallet(wallets, call), inTheNameOf, relayed, boc];
}

/** The body from a comment, or the given one. */
function bodyOf({ comment, body }: Values) {
  if (comment !== undefined && body !== undefined) throw new TypeError("Give a comment or a body, not both.");
  if (comment !== undefined) return commentBody(comment);
  return body === undefined ? undefined : readBag(body);
}

const contentFields = [
  textField("comment", "Comment"),
  areaField("body", "or a body", bocPlaceholder),
  checkField("bounce", "Bounces if it fails"),
];

function fromWallet(wallets: readonly DevnetInfoResult["faucet"][], call: Call): Control {
  const read = (values: Values) => {
    const wallet = wallets[Number(values["wallet"])];
    if (!wallet || !isKnownVersion(wallet.type)) throw new TypeError("Choose a wallet.");
    const { address: to } = parseAddress(wanted(values, "to", "a receiver"));
    const value = toNano(wanted(values, "amount", "an amount"));
    const payment = { to, value, body: bodyOf(values), bounce: values["bounce"] !== undefined };
    return { wallet, version: wallet.type, payment };
  };
  return {
    id: "from-wallet",
    title: "From a wallet",
    about: "Signed here with the wallet's public key. The first message deploys the wallet.",
    fields: [
      choiceField(
        "wallet",
        "Wallet",
        wallets.map(({ type }, index) => [String(index), `Wallet ${index}, ${type}`] as const),
      ),
      accountField("to", "To"),
      amountField("amount", "1"),
      ...contentFields,
    ],
    button: "Sign and send",
    request: (values) => {
      read(values);
      return { method: "sendBocReturnHash", params: { boc: "made when it is sent" } };
    },
    prepare: async (values) => {
      const { wallet, version, payment } = read(values);
      const state = await walletState(version, wallet.address, call);
      const { now } = await call("devnet.info");
      const boc = await walletMessage(await signerOf(version, wallet.mnemonic), state, {
        payment,
        validUntil: now + 3600,
      });
      return { method: "sendBocReturnHash", params: { boc } };
    },
    resultOf: sentResult,
  };
}

/** The state of a wallet as the chain has it. Telegram's is no wallet of `getWalletInformation`. */
async function walletState(version: WalletVersion, address: string, call: Call): Promise<WalletState> {
  if (version === "tg") {
    const state = await call("getAddressInformation", { address });
    return { version, seqno: tgWalletIn(state)?.seqno ?? 0, isDeployed: state.state === "active" };
  }
  const { seqno = 0, account_state } = await call("getWalletInformation", { address });
  return { version, seqno, isDeployed: account_state === "active" };
}

const inTheNameOf: Control = {
  id: "impersonate",
  title: "In the name of any account",
  about: "An internal message without a key. Its value is created, not taken from the sender.",
  fields: [
    accountField("from", "From"),
    accountField("to", "To"),
    amountField("amount", "1"),
    ...contentFields,
    areaField("state_init", "StateInit", bocPlaceholder),
  ],
  button: "Send",
  request: ({ state_init, ...values }) => {
    const body = bodyOf(values);
    return {
      method: "devnet.impersonate",
      params: {
        from: wanted(values, "from", "a sender"),
        to: wanted(values, "to", "a receiver"),
        value: nanotons(values),
        ...(body && { body: values["body"] ?? bagOf(body) }),
        ...(state_init !== undefined && { state_init }),
        bounce: values["bounce"] !== undefined,
      },
    };
  },
  resultOf: receipt,
};

const relayed: Control = {
  id: "relay",
  title: "A gasless request",
  about:
    "What a wallet signed for others to deliver: signMessage of TON Connect. The faucet sends it, and pays.",
  fields: [areaField("boc", "Internal message", bocPlaceholder), amountField("amount", "0.1")],
  button: "Relay",
  request: (values) => ({
    method: "devnet.relay",
    params: { boc: wanted(values, "boc", "a message"), value: nanotons(values) },
  }),
  resultOf: receipt,
};

const boc: Control = {
  id: "send-boc",
  title: "A message of your own",
  fields: [areaField("boc", "External message", bocPlaceholder)],
  button: "Send BOC",
  request: (values) => ({ method: "sendBocReturnHash", params: { boc: wanted(values, "boc", "a message") } }),
  resultOf: sentResult,
};

export function sentResult({ hash, hash_norm }: RawExtMessageInfo): Content {
  return html`Sent. Its trace: ${hashText(hash_norm ?? hash, tracePath)}.`;
}

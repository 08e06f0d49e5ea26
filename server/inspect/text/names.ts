import { multiplied, multiplierOf } from "../../../shared/text/display-multiplier.js";
import { contractsAt } from "../../../shared/values/exit-codes/explain.js";
import { trimEnd } from "../../../shared/values/trim-end.js";
import type { TraceReport } from "../report.js";
import { plain, shortened } from "./plain.js";

const coinDecimals = 9;
/** Default decimals of a jetton whose contract states none: the coin's. */
const usualDecimals = coinDecimals;
const maxDecimals = 255;
const maxName = 40;

/** Short texts for the accounts and assets of a trace report. */
export class Names {
  readonly #report: TraceReport;
  readonly #coin: string;
  readonly #shown = new Set<string>();

  /** `coin`: the name of the network's coin. */
  constructor(report: TraceReport, coin: string) {
    this.#report = report;
    this.#coin = coin;
  }

  /** The raw addresses that were shortened. */
  get shown(): readonly string[] {
    return [...this.#shown];
  }

  /** An account by the ends of its friendly form; the list of accounts has the full form. */
  short(raw: string): string {
    this.#shown.add(raw);
    const full = this.friendly(raw);
    return `${full.slice(0, 6)}…${full.slice(-6)}`;
  }

  friendly(raw: string): string {
    return this.#report.address_book[raw]?.user_friendly ?? raw;
  }

  /** Known facts about an account; empty if there are none. */
  about(raw: string): string {
    const { domain = null, interfaces = null } = this.#report.address_book[raw] ?? {};
    const known = [domain, this.#token(raw), (interfaces ?? []).join("/")];
    return known
      .filter((text) => text !== null && text !== "")
      .map((text) => shortened(plain(text!), maxName))
      .join(", ");
  }

  /** The contracts whose exit codes explain those of an account. */
  contracts(raw: string): readonly string[] {
    return contractsAt(raw, this.#report.address_book[raw]?.interfaces ?? []);
  }

  coins(nanotons: string): string {
    return `${inUnits(nanotons, coinDecimals)} ${this.#coin}`;
  }

  /** Units of a jetton; nanotons without a master. */
  amount(integer: string, master: string | null): string {
    if (master === null) return this.coins(integer);
    const jetton = this.#infoOf(master, "jetton_masters");
    if (!jetton) return `${integer} units of ${this.short(master)}`;
    const { symbol, name = "", extra = {} } = jetton;
    const stated = Number(extra["decimals"] ?? usualDecimals);
    const decimals =
      Number.isInteger(stated) && stated >= 0 && stated <= maxDecimals ? stated : usualDecimals;
    const unit = shortened(plain(symbol || name), maxName) || `units of ${this.short(master)}`;
    const onChain = inUnits(integer, decimals);
    const multiplier = multiplierOf(jetton);
    const shown =
      multiplier && /^-?\d{1,80}$/.test(integer) ? multiplied(BigInt(integer), multiplier) : undefined;
    return shown === undefined
      ? `${onChain} ${unit}`
      : `${inUnits(String(shown), decimals)} ${unit} (${onChain} on chain)`;
  }

  /** The jetton of a known jetton wallet. */
  jettonOf(wallet: string | null): string | undefined {
    const master = wallet === null ? undefined : this.#infoOf(wallet, "jetton_wallets")?.extra?.["jetton"];
    return typeof master === "string" ? master : undefined;
  }

  #token(raw: string): string | null {
    const master = this.jettonOf(raw);
    const jetton = this.#infoOf(master ?? raw, "jetton_masters");
    if (jetton) return jetton.symbol ?? jetton.name ?? null;
    const item = this.#infoOf(raw, "nft_items") ?? this.#infoOf(raw, "nft_collections");
    return item?.name ?? null;
  }

  #infoOf(raw: string, type: string) {
    return this.#report.metadata[raw]?.token_info.find((each) => each.type === type);
  }
}

/** A decimal integer in units of ten to the power of `decimals`: `1500000000` is `1.5` with nine decimals. */
function inUnits(integer: string, decimals: number): string {
  const [, sign = "", digits = ""] = /^(-?)(\d+)$/.exec(integer) ?? [];
  if (digits === "") return integer;
  const padded = digits.padStart(decimals + 1, "0");
  const whole = padded.slice(0, padded.length - decimals);
  const fraction = trimEnd(padded.slice(padded.length - decimals), "0");
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

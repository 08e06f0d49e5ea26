import { claimedText } from "../../../../shared/values/claimed-text.js";
import { ifJson } from "../../../../shared/values/json.js";
import { rawOf } from "../parts/address.js";
import { keepText, keptText } from "../parts/kept-text.js";

/** Limits of the address book. */
const maxNames = 1000;
const maxFileLength = 1_000_000;
export const maxNameLength = 40;

type Imported = { readonly taken: number; readonly skipped: number };

/** Names that the user gave to addresses of a network. They stay in the browser. */
export class OwnNames {
  readonly #network: string;
  #names: Map<string, string> | undefined;

  constructor(network: string) {
    this.#network = network;
  }

  find(address: string): string | undefined {
    const names = this.#read();
    return names.size === 0 ? undefined : names.get(keyOf(address) ?? "");
  }

  /** All names by raw address, in alphabetical order. */
  all(): readonly (readonly [address: string, name: string])[] {
    return [...this.#read()].sort(([, a], [, b]) => a.localeCompare(b));
  }

  /** Gives an address a name; an empty one takes its name away. Returns why it was not kept, if so. */
  set(address: string, name: string): string | undefined {
    const key = keyOf(address);
    const shown = claimedText(name, maxNameLength);
    if (key === undefined) return "This is no address.";
    const names = new Map(this.#read());
    if (shown === "") names.delete(key);
    else names.set(key, shown);
    if (names.size > maxNames) return `The address book has room for ${maxNames.toLocaleString("en")} names.`;
    return this.#write(names);
  }

  /** The content of a file for `importFile`. */
  exportFile(): string {
    const names = Object.fromEntries(this.all());
    return `${JSON.stringify({ addressBook: 1, network: this.#network, names }, null, 2)}\n`;
  }

  /** Adds the names of a file. Entries that are no names of addresses are skipped. */
  importFile(text: string): Imported {
    const { addressBook, network, names } = fileIn(text);
    if (addressBook !== 1 || typeof names !== "object" || names === null)
      throw new Error("The file is no address book.");
    if (network !== this.#network)
      throw new Error(`The file has names of ${claimedText(String(network), 40)}, not of ${this.#network}.`);
    const all = new Map(this.#read());
    let skipped = 0;
    const entries = Object.entries(names);
    for (const [address, name] of entries) {
      const key = keyOf(address);
      const shown = typeof name === "string" ? claimedText(name, maxNameLength) : "";
      const isTaken = key !== undefined && shown !== "" && (all.has(key) || all.size < maxNames);
      if (isTaken) all.set(key, shown);
      else skipped++;
    }
    const problem = this.#write(all);
    if (problem !== undefined) throw new Error(problem);
    return { taken: entries.length - skipped, skipped };
  }

  /** Reads the names again, after another tab has changed them. */
  forget(): void {
    this.#names = undefined;
  }

  get #key(): string {
    return `tonwire-address-book-${this.#network}`;
  }

  #read(): ReadonlyMap<string, string> {
    this.#names ??= this.#stored();
    return this.#names;
  }

  /** Stored names may be of another version, or changed by hand. */
  #stored(): Map<string, string> {
    const names = new Map<string, string>();
    const stored = ifJson(keptText(this.#key) ?? "{}");
    for (const [address, name] of Object.entries(stored ?? {}).slice(0, maxNames)) {
      const key = keyOf(address);
      const shown = typeof name === "string" ? claimedText(name, maxNameLength) : "";
      if (key !== undefined && shown !== "") names.set(key, shown);
    }
    return names;
  }

  #write(names: Map<string, string>): string | undefined {
    if (!keepText(this.#key, JSON.stringify(Object.fromEntries(names))))
      return "The browser does not keep names for this page.";
    this.#names = names;
    return undefined;
  }
}

const keyOf = (address: string) => rawOf(address)?.toUpperCase();

function fileIn(text: string): Readonly<Record<string, unknown>> {
  if (text.length > maxFileLength) throw new Error("The file is too large to be an address book.");
  const file = ifJson(text);
  // Errors of JSON.parse show parts of the text.
  if (file === undefined) throw new Error("The file is no JSON.");
  return Object(file) as Readonly<Record<string, unknown>>;
}

import { LRUCache } from "lru-cache";
import type { ContractAccounts } from "../../contracts/methods-at.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import type { FinalAccountState } from "../decode/account.js";
import { keyOf } from "../hash-key.js";
import type { Detector } from "./detector.js";

const cachedLinks = 50_000;
const linksPerOwner = 5;

type OwnColumns = Record<string, unknown>;
/** A contract by its address and its code. */
type Contract = {
  address: FinalAccountState["address"];
  state: { account: Uint8Array; code_hash: Uint8Array };
};

/**
 * The contracts confirmed by their owners, across consecutive blocks of a range. Every change of an owner's code must
 * be passed to `follow`.
 */
export class OwnerLinks {
  /** By kind and address: the confirmed link, as from `linkOf`, and the owner's code at that time. */
  readonly #confirmed: LRUCache<string, { link: string; ownerCode: string }>;
  readonly #ownerCodes: LRUCache<string, string>;

  /** The cache is allocated at full size, which takes milliseconds for many links. */
  constructor(links = cachedLinks) {
    this.#confirmed = new LRUCache({ max: links });
    this.#ownerCodes = new LRUCache({ max: Math.ceil(links / linksPerOwner) });
  }

  /** Records the owners' code among changed accounts. */
  follow(accounts: Iterable<FinalAccountState>): void {
    for (const { state } of accounts) {
      const key = keyOf(state.account);
      if (this.#ownerCodes.has(key)) this.#ownerCodes.set(key, codeKey(state.code_hash));
    }
  }

  /** Throws UnexpectedAnswer, a CellError or a TlbError if the owner does not confirm the contract. */
  async confirm(
    { table, ownerLink }: Detector,
    contract: Contract,
    row: OwnColumns,
    accounts: ContractAccounts,
  ): Promise<void> {
    const owner = ownerLink && (row[ownerLink.owner] as Uint8Array | undefined);
    if (!owner) return;
    const ownerKey = keyOf(owner);
    const key = `${table.name} ${keyOf(contract.state.account)}`;
    const link = linkOf(
      contract,
      [ownerLink.owner, ...ownerLink.by].map((name) => row[name]),
    );
    const known = this.#confirmed.get(key);
    if (known?.link === link && known.ownerCode === this.#ownerCodes.get(ownerKey)) return;
    await ownerLink.confirm(accounts, contract.address, row as never);
    const ownerCode = codeKey(await accounts.codeHash(addressFromBytes(owner)));
    this.#ownerCodes.set(ownerKey, ownerCode);
    this.#confirmed.set(key, { link, ownerCode });
  }
}

/** A link's values and the contract's code, as text: addresses, hashes and numbers. */
function linkOf({ state }: Contract, values: readonly unknown[]): string {
  const texts = values.map((value) => (value instanceof Uint8Array ? keyOf(value) : String(value)));
  return [keyOf(state.code_hash), ...texts].join(" ");
}

function codeKey(hash: Uint8Array | undefined): string {
  return hash ? keyOf(hash) : "";
}

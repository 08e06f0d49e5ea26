import { resolveDomain } from "../../shared/ton/contracts/dns.js";
import { type GetMethods, ifSuch } from "../../shared/ton/contracts/get-method.js";
import type { DnsZone } from "../../shared/ton/contracts/nft-domain.js";
import type { ConfigView } from "../../shared/ton/proofs/read/config.js";
import type { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import { type BlockIdExt, masterchain } from "../../shared/ton/tlb/block-id.js";
import { configParam } from "../../shared/ton/tlb/config/config-param.js";
import { Address } from "../../shared/values/address.js";

/** The collection of a zone's domains, by its raw address in upper case. */
type DnsRoot = { collection: string; zone: DnsZone };

const root = (collection: string, zone: DnsZone): DnsRoot => ({ collection: `0:${collection}`, zone });

/** The collections of the networks whose collections are known. */
export const knownDnsRoots: Readonly<Record<string, readonly DnsRoot[]>> = {
  mainnet: [
    root("B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF", "ton"),
    root("80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2", "t.me"),
  ],
  testnet: [root("E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD", "ton")],
};

type Asked = { block: BlockIdExt; collection: Promise<Address | undefined> };

/** Determines which collections contain domain names. */
export class DnsZones {
  readonly #reader: Pick<ChainReader, "config">;
  readonly #roots: readonly DnsRoot[] | undefined;
  /** The collection of `ton` by the configuration that names the DNS root. */
  readonly #asked = new WeakMap<ConfigView, Asked>();

  /** Without `roots`, the only collection is the one to which the network's DNS root delegates the zone `ton`. */
  constructor({
    reader,
    roots,
  }: {
    reader: Pick<ChainReader, "config">;
    roots: readonly DnsRoot[] | undefined;
  }) {
    this.#reader = reader;
    this.#roots = roots;
  }

  /** The zone of a collection's items, as of a block; `undefined` if they are no domains. */
  async zoneOf(collection: Address, block: BlockIdExt, methods: GetMethods): Promise<DnsZone | undefined> {
    const raw = collection.toRawUpper();
    if (this.#roots) return this.#roots.find((each) => each.collection === raw)?.zone;
    return (await this.#delegated(block, methods))?.equals(collection) ? "ton" : undefined;
  }

  /** Read once per key block, and while there is no root, once per block, because the root may be deployed later. */
  async #delegated(block: BlockIdExt, methods: GetMethods): Promise<Address | undefined> {
    const config = await this.#reader.config(block);
    const known = this.#asked.get(config);
    if (known && (known.block === block || (await known.collection))) return known.collection;
    const asked = { block, collection: askRoot(config, methods) };
    this.#asked.set(config, asked);
    asked.collection.catch(() => {
      if (this.#asked.get(config) === asked) this.#asked.delete(config);
    });
    return asked.collection;
  }
}

/** The next resolver that the DNS root of a configuration names for `ton`. */
async function askRoot({ params }: ConfigView, methods: GetMethods): Promise<Address | undefined> {
  const id = configParam(params, 4);
  if (!id) return undefined;
  const question = {
    resolver: new Address(masterchain, id),
    name: "ton.",
    category: new Uint8Array(32),
    hops: 0,
  };
  const entries = (await ifSuch(resolveDomain(methods, question))) ?? [];
  for (const { record } of entries) if (record?.kind === "nextResolver") return record.address;
  return undefined;
}

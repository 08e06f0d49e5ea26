import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import { categoryKey } from "../../../../shared/ton/contracts/dns-record.js";
import { addressSlice, type GetMethods } from "../../../../shared/ton/contracts/get-method.js";
import { readNamedItem } from "../../../../shared/ton/contracts/nft-domain.js";
import { presentNftItem } from "../../../../shared/ton/present/token.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import { Address } from "../../../../shared/values/address.js";

// The domains of `.ton` are NFTs. The devnet has none, so fakes answer for their contracts.

const item = new Address(0, new Uint8Array(32).fill(1));
const collection = new Address(0, new Uint8Array(32).fill(2));
const owner = new Address(-1, new Uint8Array(32).fill(3));
const ownerHash = "03".repeat(32);

const cell = (value: Cell): StackValue => ({ type: "cell", cell: value });
const int = (value: bigint): StackValue => ({ type: "int", value });
const bytes = (text: string) => beginCell().storeBytes(Buffer.from(text)).endCell();
const unknownKey = new Uint8Array(32).fill(0xab);

function recordSet(): Cell {
  const record = (tag: number) => beginCell().storeUint(tag, 16);
  const set = Dictionary.empty(bytesKey(32), cellRef).update([
    [categoryKey("wallet"), record(0x9fd3).storeAddress(owner).storeUint(0, 8).endCell()],
    [categoryKey("site"), record(0xad01).storeBytes(owner.hash).storeUint(0, 8).endCell()],
    [categoryKey("storage"), record(0x7473).storeBytes(owner.hash).endCell()],
    [categoryKey("dns_next_resolver"), record(0xba93).storeAddress(owner).endCell()],
    [unknownKey, record(0x7473).storeBytes(owner.hash).endCell()],
    [new Uint8Array(32).fill(1), record(0x5555).endCell()],
  ]);
  return set.root!;
}

const content = beginCell().storeUint(1, 8).storeBytes(Buffer.from("https://dns.example")).endCell();
const answers: Record<string, StackValue[]> = {
  get_nft_data: [int(-1n), int(77n), addressSlice(collection), addressSlice(owner), cell(Cell.empty)],
  get_nft_address_by_index: [addressSlice(item)],
  get_nft_content: [cell(content)],
  dnsresolve: [int(8n), cell(recordSet())],
  get_domain: [{ type: "slice", cell: bytes("foundation") }],
};

function contracts(changed: Record<string, StackValue[] | undefined> = {}): GetMethods {
  const all = { ...answers, ...changed };
  return {
    run: async (_, method) => {
      const stack = all[method];
      return stack ? { exitCode: 0, gasUsed: 1, stack } : { exitCode: 11, gasUsed: 1, stack: [] };
    },
  };
}

async function contentOf(methods: GetMethods) {
  const shown = presentNftItem("item", await readNamedItem(methods, item));
  return "content" in shown ? shown.content : undefined;
}

describe("an NFT item that is a domain", () => {
  it("has its name and records", async () => {
    const address = { "@type": "addr_std", type: "addr_std", workchain_id: -1, address: ownerHash };
    expect(presentNftItem("item", await readNamedItem(contracts(), item))).toEqual({
      "@type": "ext.tokens.nftItemData",
      address: "item",
      contract_type: "nft_item",
      init: true,
      index: "77",
      collection_address: collection.toFriendly(),
      owner_address: owner.toFriendly(),
      content: {
        domain: "foundation.ton",
        data: {
          wallet: { "@type": "dns_smc_address", smc_addr: address },
          site: { "@type": "dns_adnl_address", adnl_addr: ownerHash },
          storage: { "@type": "dns_storage_address", bag_id: ownerHash },
          dns_next_resolver: { "@type": "dns_next_resolver", resolver: address },
          ["AB".repeat(32)]: { "@type": "dns_storage_address", bag_id: ownerHash },
        },
      },
    });
  });

  it("may have its name in a cell, or none", async () => {
    expect(await contentOf(contracts({ get_domain: [cell(bytes("cell"))] }))).toMatchObject({
      domain: "cell.ton",
    });
    expect(await contentOf(contracts({ get_domain: undefined }))).toMatchObject({ domain: "" });
  });

  it("is an ordinary item if its records are malformed", async () => {
    for (const dnsresolve of [undefined, [int(8n)], [int(8n), int(1n)], [int(8n), cell(bytes("x"))]])
      expect(await contentOf(contracts({ dnsresolve }))).toEqual({
        type: "offchain",
        data: "https://dns.example",
      });
  });

  it("is refused if its collection has another item at the index", async () => {
    const wrong = { get_nft_address_by_index: [addressSlice(owner)] };
    await expect(readNamedItem(contracts(wrong), item)).rejects.toThrow("has another item 77");
    await expect(readNamedItem(contracts({ get_nft_content: undefined }), item)).rejects.toThrow(
      "exit code 11",
    );
  });

  it("has no owner if that is addr_none", async () => {
    const data = [...answers["get_nft_data"]!];
    data[3] = cell(beginCell().storeUint(0, 2).endCell());
    expect(
      presentNftItem("item", await readNamedItem(contracts({ get_nft_data: data }), item)),
    ).not.toHaveProperty("owner_address");
    data[3] = { type: "slice", cell: beginCell().storeUint(1, 2).storeUint(0, 9).endCell() };
    await expect(readNamedItem(contracts({ get_nft_data: data }), item)).rejects.toThrow();
  });
});

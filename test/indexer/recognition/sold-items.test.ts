import { describe, expect, it } from "vitest";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../../helpers/chain/devnet.js";
import { tolkAddress } from "../../helpers/contracts/sale-code.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { isLong } from "../../helpers/effort.js";
import { describeContracts } from "../../helpers/index/describe-contracts.js";
import { idOf, someAddress } from "../../helpers/index/detection.js";

const [seller, buyer, anybody] = [someAddress(0xa1), someAddress(0xa2), someAddress(0xa3)];
const raw = (address: Address) => address.toRawUpper();

/** An item without a collection; its data are its owner. */
const itemCode = `
  get fun get_nft_data(): (int, int, slice, slice, cell) {
    return (-1, 7, beginCell().storeUint(0, 2).endCell().beginParse(), contract.getData().beginParse(),
      beginCell().storeUint(0x0161, 16).endCell());
  }`;
const ownedBy = (owner: Address) => beginCell().storeAddress(owner).endCell();

const at = tolkAddress(anybody);
/** Sells the item in its data; the data also state whether it is complete. A message with a body destroys it. */
const saleCode = `
  get fun get_sale_data(): (int, int, int, address, slice, address, int, address, int, address, int) {
    var data = contract.getData().beginParse();
    val isComplete = data.loadInt(1);
    return (0x46495850, isComplete, 1700000000, ${at}, data, ${tolkAddress(seller)}, 5, ${at}, 1, ${at}, 1);
  }`;
const auctionCode = `
  get fun get_sale_data(): (int, int, int, address, slice, address, int, slice, int, address, int, int, address, int,
    int, int, int, int, int, int) {
    var data = contract.getData().beginParse();
    val isEnded = data.loadInt(1);
    val none = beginCell().storeUint(0, 2).endCell().beginParse();
    return (0x415543, isEnded, 1800000000, ${at}, data, ${tolkAddress(seller)}, 0, none, 5, ${at}, 1, 20, ${at}, 3, 40,
      0, 100, 1700000000, 0, 0);
  }`;
const withDestruction = (code: string) => `${code}
  fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    createMessage({ bounce: false, value: 0, dest: in.senderAddress })
      .send(SEND_MODE_CARRY_ALL_BALANCE | SEND_MODE_DESTROY);
  }`;
const selling = (item: Address, isOver = false) =>
  beginCell()
    .storeInt(isOver ? -1 : 0, 1)
    .storeAddress(item)
    .endCell();

describeContracts((index) => {
  const sellers = [
    ["sale", saleCode, "sale_contract_address"],
    ["auction", auctionCode, "auction_contract_address"],
  ] as const;

  describe.each(sellers)("an item that a %s sells", (what, code, member) => {
    /** The item and the contract that sells it, at new addresses. */
    async function deploy(byte: number) {
      const item = someAddress(byte);
      const init = encode(StateInit, stateInitOf(await compile(withDestruction(code)), selling(item)));
      const contract = new Address(0, init.hash());
      const send = async (extra: { body?: Uint8Array; stateInit?: Uint8Array }) => {
        await index.devnet.controls.impersonate({
          from: idOf(anybody),
          to: idOf(contract),
          value: ton,
          ...extra,
        });
        await index.devnet.controls.mine(2);
      };
      return {
        item,
        contract,
        appear: () => send({ stateInit: serializeBoc(init) }),
        complete: () => index.place(contract, { data: selling(item, true) }),
        sellAnother: () => index.place(contract, { data: selling(anybody) }),
        vanish: () => send({ body: serializeBoc(beginCell().storeUint(1, 32).endCell()) }),
        moveTo: (owner: Address) => index.place(item, { data: ownedBy(owner) }),
      };
    }

    /** The item's row, and whether the selling contract is indexed. */
    async function known({ item, contract }: { item: Address; contract: Address }) {
      await index.catchUp();
      const { nft_items } = await index.ask("nft/items", `address=${raw(item)}`);
      const { nft_sales } = await index.ask("nft/sales", `address=${raw(contract)}`);
      const [found] = nft_items;
      return {
        real_owner: found?.real_owner,
        on_sale: found?.on_sale,
        seller: found?.[member],
        isKnown: nft_sales.length > 0,
      };
    }
    const first = what === "sale" ? 0x10 : 0x20;

    it.runIf(isLong || what === "sale")(
      "belongs to its seller until it is sold, and to no sale once the contract is gone",
      async () => {
        const sold = await deploy(first);
        const held = { real_owner: raw(seller), on_sale: true, seller: raw(sold.contract), isKnown: true };
        const owned = { on_sale: false, seller: undefined };
        await index.place(sold.item, { code: itemCode, data: ownedBy(seller) });
        await sold.appear();
        expect(await known(sold)).toEqual({ ...owned, real_owner: raw(seller), isKnown: true });
        await sold.moveTo(sold.contract);
        expect(await known(sold)).toEqual(held);
        // A sale that is over and still owns the item counts.
        await sold.complete();
        expect(await known(sold)).toEqual(held);
        await sold.moveTo(buyer);
        expect(await known(sold)).toEqual({ ...owned, real_owner: raw(buyer), isKnown: true });
        await sold.vanish();
        expect(await known(sold)).toEqual({ ...owned, real_owner: raw(buyer), isKnown: false });
      },
    );

    it.runIf(isLong || what === "auction")(
      "is the contract's own once that sells another item or is gone, and the seller's again later",
      async () => {
        const sold = await deploy(first + 1);
        const held = { real_owner: raw(seller), on_sale: true, seller: raw(sold.contract), isKnown: true };
        const lost = { real_owner: raw(sold.contract), on_sale: false, seller: undefined };
        await index.place(sold.item, { code: itemCode, data: ownedBy(sold.contract) });
        expect(await known(sold)).toEqual({ ...lost, isKnown: false });
        await sold.appear();
        expect(await known(sold)).toEqual(held);
        await sold.sellAnother();
        expect(await known(sold)).toEqual({ ...lost, isKnown: true });
        await index.place(sold.contract, { data: selling(sold.item) });
        expect(await known(sold)).toEqual(held);
        await sold.vanish();
        expect(await known(sold)).toEqual({ ...lost, isKnown: false });
        await sold.appear();
        expect(await known(sold)).toEqual(held);
      },
    );
  });
});

import type { Cell } from "../../../shared/ton/cells/cell.js";
import { compile } from "../contracts/tolk.js";

const checkP256 = `
    fun checkP256(hash: int, signature: slice, key: slice): bool
      asm "P256_CHKSIGNU"
    fun check(hash: int, times: int) {
      val bits = beginCell().storeUint(hash, 256).storeUint(1, 256).endCell().beginParse();
      val key = beginCell().storeUint(2, 8)
        .storeUint(0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 256).endCell().beginParse();
      repeat (times) { checkP256(hash, bits, key); }
    }`;

/**
 * Five get-methods that could identify the kind of a contract; they verify this many P256 signatures and identify
 * nothing. `number` makes the code unique.
 */
export function dearKinds(number: number, checks: number): Promise<Cell> {
  const methods = [
    "get_jetton_data",
    "get_wallet_data",
    "get_nft_data",
    "get_collection_data",
    "get_sale_data",
  ];
  return compile(`${checkP256}
    ${methods.map((name) => `get fun ${name}(): int { check(${number + 1}, ${checks}); return 1; }`).join("\n")}`);
}

/** Jettons whose get-method checks many P256 signatures if their supply, which are their data, is round. The number makes it another code. */
export function dearToken(number: number): Promise<Cell> {
  return compile(`${checkP256}
    get fun get_jetton_data(): (int, int, slice, cell, cell) {
      val supply = contract.getData().beginParse().loadUint(32);
      check(${number + 1}, supply % 100 == 0 ? 20 : 0);
      return (supply, -1, beginCell().storeUint(0, 2).endCell().beginParse(),
        beginCell().storeUint(0x0161, 16).endCell(), createEmptyCell());
    }`);
}

/**
 * Deploys contracts, as many as a message requests, with increasing numbers as their data. Its own data are the code.
 * On request each contract gets a different code: unreachable bits follow it.
 */
export function spawner(): Promise<Cell> {
  return compile(`
    fun onInternalMessage(in: InMessage) {
      if (in.body.isEmpty()) { return; }
      var body = in.body;
      var number = body.loadUint(32);
      var count = body.loadUint(32);
      val isOwn = body.loadBool();
      val code = contract.getData();
      repeat (count) {
        val own = isOwn ? beginCell().storeSlice(code.beginParse()).storeUint(number, 32).endCell() : code;
        createMessage({
          bounce: false,
          value: ton("0.02"),
          dest: { stateInit: { code: own, data: beginCell().storeUint(number, 32).endCell() } },
        }).send(SEND_MODE_PAY_FEES_SEPARATELY);
        number += 1;
      }
    }`);
}

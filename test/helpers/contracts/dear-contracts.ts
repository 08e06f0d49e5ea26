import type { Cell } from "../../../shared/ton/cells/cell.js";
import { compile } from "./tolk.js";

/**
 * Checks of P256 signatures that take all gas: a million of it half a second of CPU time. The number makes it another code.
 * Its get-methods are named `seqno`, which is cheap, `burn` and as given; it accepts every message, and sends itself two for
 * each one.
 */
export function dearContract(number: number, burning: readonly string[] = []): Promise<Cell> {
  return compile(`
    import "@stdlib/gas-payments"
    ${checkP256}
    fun check(times: int) {
      val bits = beginCell().storeUint(${number + 1}, 256).storeUint(1, 256).endCell().beginParse();
      val key = beginCell().storeUint(2, 8).storeUint(0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 256).endCell().beginParse();
      repeat (times) {
        checkP256(${number + 1}, bits, key);
      }
    }
    fun breed() {
      check(150);
      repeat (2) {
        createMessage({ bounce: false, dest: contract.getAddress(), value: ton("0.5") }).send(0);
      }
    }
    ${["burn", ...burning].map((name) => `get fun ${name}(): int { check(1000000); return 1; }`).join("\n")}
    get fun seqno(): int { return ${number}; }
    fun onInternalMessage(in: InMessage) { breed(); }
    fun onExternalMessage() { acceptExternalMessage(); breed(); }`);
}

const checkP256 = `
    fun checkP256(hash: int, signature: slice, key: slice): bool
      asm "P256_CHKSIGNU"`;

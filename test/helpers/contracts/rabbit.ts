import type { Cell } from "../../../shared/ton/cells/cell.js";
import { compile } from "./tolk.js";

/** A contract that sends itself two messages for each one it receives, after some work. */
export function compileRabbit(work = ""): Promise<Cell> {
  return compile(`
    import "@stdlib/gas-payments"
    fun breed() {
      ${work}
      repeat (2) {
        createMessage({ bounce: false, dest: contract.getAddress(), value: ton("0.5") }).send(0);
      }
    }
    fun onInternalMessage(in: InMessage) { breed(); }
    fun onExternalMessage() { acceptExternalMessage(); breed(); }`);
}

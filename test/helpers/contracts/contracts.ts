import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { DevnetService } from "../services/devnet-service.js";

export function bocText(cell: Cell): string {
  return bytesToBase64(serializeBoc(cell));
}

/** Code from its instructions in hex. */
export function codeOf(hex: string): Cell {
  return beginCell().storeBytes(Buffer.from(hex, "hex")).endCell();
}

/** Sets code, data and balance of an address. */
export async function place(
  service: Pick<DevnetService, "run">,
  contract: { address: string; code: Cell; data?: Cell; balance?: string },
): Promise<void> {
  const { address, code, data = Cell.empty, balance } = contract;
  await service.run("devnet.setCode", { address, code: bocText(code) });
  await service.run("devnet.setData", { address, data: bocText(data) });
  if (balance !== undefined) await service.run("devnet.setBalance", { address, balance });
}

/** An address of one repeated digit. */
export function testAddress(digit: string, workchain = 0): string {
  return `${workchain}:${digit.repeat(64)}`;
}

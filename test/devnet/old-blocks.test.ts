import { expect, it, onTestFinished } from "vitest";
import { wholeShard } from "../../shared/ton/tlb/block-id.js";
import { startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const blocks = 300;
const parallel = 250;

it("A devnet with a data folder answers hundreds of reads of old blocks at once", async () => {
  const service = await startDevnetService({ data: temporaryFolder() });
  onTestFinished(() => service.close());
  for (let made = 0; made < blocks; made += 100) await service.mine(100);
  const seqnos = Array.from({ length: parallel }, (_, i) => i + 1);
  const shard = BigInt.asIntN(64, wholeShard).toString();
  const ask = async (path: string) => {
    const { status, json } = await service.get(path);
    return [status, (json as { ok: boolean }).ok];
  };
  const reads = (pathOf: (seqno: number) => string) => Promise.all(seqnos.map((seqno) => ask(pathOf(seqno))));
  const answered = seqnos.map(() => [200, true]);
  const place = (seqno: number) => `workchain=-1&shard=${shard}&seqno=${seqno}`;
  expect(await reads((seqno) => `/api/v2/getBlockHeader?${place(seqno)}`)).toEqual(answered);
  expect(await reads((seqno) => `/api/v2/getBlockTransactions?${place(seqno)}`)).toEqual(answered);
  const config = `-1:${"5".repeat(64)}`;
  const state = (seqno: number) => `/api/v2/getAddressInformation?address=${config}&seqno=${seqno}`;
  expect(await reads(state)).toEqual(answered);
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { bocText, place } from "../helpers/contracts/contracts.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("empty");
});
afterAll(() => service.close());

type Refused = { error?: { data: Record<string, unknown> } };

it.each(["v3r2", "v4r2", "v5r1", "tg"] as const)(
  "A %s gets both times in the refusal of its expired order",
  async (version) => {
    const wallet = new Wallet(version, new SigningKey(new Uint8Array(32).fill(91)));
    const { code, data } = wallet.init;
    await place(service, {
      address: wallet.address.toRaw(),
      code: code!,
      data: data!,
      balance: "5000000000",
    });
    const { now } = await service.run<{ now: number }>("devnet.info");
    const send = async (order: { seqno: number; validUntil: number }) => {
      const boc = bocText(wallet.order({ ...order, payments: [] }));
      return ((await service.rpc("sendBoc", { boc })) as Refused).error?.data;
    };
    const valid_until = now + 60;
    // No block has this time yet.
    const { now: chain_time } = await service.run<{ now: number }>("devnet.advanceTime", { seconds: 86_400 });
    expect(await send({ seqno: 0, validUntil: valid_until })).toMatchObject({ valid_until, chain_time });
    const other = await send({ seqno: 9, validUntil: chain_time + 60 });
    expect(other).toHaveProperty("exit_code");
    expect(other).not.toHaveProperty("valid_until");
    expect(await send({ seqno: 0, validUntil: chain_time + 60 })).toBeUndefined();
    await service.mine();
  },
);

import { Cell, loadTransaction } from "@ton/core";
import { expect, it, onTestFinished } from "vitest";
import { participantsOf } from "../../../server/devnet/story/participants.js";
import { dnsOf } from "../../../server/devnet/story/scenes/domains.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { isLong } from "../../helpers/effort.js";
import { startDevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { until } from "../../helpers/until.js";

/** Whether a transaction failed. */
function isAborted(boc: string): boolean {
  const { description } = loadTransaction(Cell.fromBase64(boc).beginParse());
  return "aborted" in description && description.aborted;
}

type Contract = { address: string; kind: string; name: string; description: string };

it.runIf(isLong)(
  "devnet.info tells when the story has ended, and names no contracts after a reset",
  async () => {
    const service = await startDevnetService({ story: true });
    onTestFinished(() => service.close());
    type Info = { story_told: boolean; contracts: Contract[] };
    expect(await service.run<Info>("devnet.info")).toMatchObject({ story_told: false });
    await until("the end of the story", async () => (await service.run<Info>("devnet.info")).story_told);
    await service.run("devnet.reset");
    expect(await service.run<Info>("devnet.info")).toMatchObject({ contracts: [] });
  },
);

it("devnet.info names the deployed contracts of the story", async () => {
  const service = await sharedService("story");
  onTestFinished(() => service.close());
  const { zone } = dnsOf(participantsOf("tonwire", await devnetWallets("tonwire")));
  const { contracts: named } = await service.run<{ contracts: Contract[] }>("devnet.info");
  expect(named).toContainEqual({
    address: zone.item("finn").toRawUpper(),
    kind: "dns_item",
    name: "finn.ton",
    description: "Domain that names a wallet.",
  });
  // Names are what an application calls the contract; texts about it are in its description.
  for (const { name, description } of named) {
    expect(name).toMatch(/^@?[\w.]+( [\w.]+){0,4}$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
  }
  // The descriptions mention failed transactions; check that they exist.
  const failing = named.filter(({ description }) => description.includes("Failed"));
  expect(failing.map(({ kind }) => kind)).toEqual(["jetton_master", "jetton_wallet", "nft_item"]);
  for (const { address } of failing) {
    const all = await service.run<{ data: string }[]>("getTransactions", { address, limit: 50 });
    const failed = all.filter(({ data }) => isAborted(data));
    expect([address, failed.length > 0]).toEqual([address, true]);
  }
  for (const { address } of named)
    expect([address, await service.run("getAddressState", { address })]).toEqual([address, "active"]);
});

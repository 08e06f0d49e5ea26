import { expect, it, onTestFinished } from "vitest";
import { dnsOf } from "../../../server/devnet/story/domains.js";
import { participantsOf } from "../../../server/devnet/story/participants.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { startDevnetService } from "../../helpers/devnet-service.js";
import { storyTold } from "../../helpers/story.js";

type Contract = { address: string; kind: string; description: string };

it("devnet.info names the deployed contracts of the story, and none after a reset", async () => {
  const service = await startDevnetService({ story: true });
  onTestFinished(() => service.close());
  await storyTold(service);
  const contracts = async () => (await service.run<{ contracts: Contract[] }>("devnet.info")).contracts;
  const { zone } = dnsOf(participantsOf("tonwire", await devnetWallets("tonwire")));
  const named = await contracts();
  expect(named).toContainEqual({
    address: zone.item("finn").toRaw(),
    kind: "dns_item",
    description: "finn.ton, with a wallet",
  });
  for (const { address } of named)
    expect([address, await service.run("getAddressState", { address })]).toEqual([address, "active"]);
  await service.run("devnet.reset");
  expect(await contracts()).toEqual([]);
});

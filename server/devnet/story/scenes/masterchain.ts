import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Address } from "../../../../shared/values/address.js";
import { configAddress, electorAddress } from "../../genesis/initial-config.js";
import { commentBody } from "../../wallets/compose.js";
import type { Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

/** A basechain account without code and balance. */
const nobody = new Address(0, new Uint8Array(32).fill(0xdd));

/** Messages between the chains. Each takes one block longer than a message within a chain. */
export function visitMasterchain({ faucet, ann, finn, max }: Participants): StoryBlock[] {
  const gift = (to: Address, text: string) => ({ to, value: ton, body: commentBody(text) });
  // new_stake#4e73744b query_id:uint64, followed by fields that only an elector with elections reads
  const stake = beginCell().storeUint(0x4e73744b, 32).storeUint(4000, 64).endCell();
  return [
    {
      title: "The faucet sends Max money to the masterchain",
      messages: [faucet.pays(max, 100n * ton, "Up there")],
    },
    { title: "It arrives", messages: [] },
    {
      title: "Max uses his wallet on the masterchain",
      messages: [
        max.sends([
          { ...gift(ann.address, "Greetings from above"), value: 10n * ton },
          gift(electorAddress, "A gift"),
        ]),
      ],
    },
    {
      title: "Finn offers a stake, and no election is on",
      messages: [finn.sends([{ to: electorAddress, value: 20n * ton, body: stake }])],
    },
    {
      title: "The elector sends it back",
      messages: [ann.sends([gift(configAddress, "For the configuration")])],
    },
    {
      title: "Max pays nobody, and has it back",
      messages: [max.sends([gift(nobody, "Anybody down there?")])],
    },
    { title: "It bounces", messages: [] },
    { title: "The last messages arrive", messages: [] },
  ];
}

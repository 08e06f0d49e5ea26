import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { encodeConfigParam } from "../../../../shared/ton/tlb/config/config-param.js";
import type { Payment } from "../../../contracts/wallet-order.js";
import { configEdit } from "../../genesis/account-edits.js";
import { commentBody } from "../../wallets/compose.js";
import { changeRecordBody, DnsRoot, DnsZone, dnsRecord, giveNameBody } from "../contracts/dns.js";
import type { Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

/** Dan's zone `ton`, and the root that refers to it. */
export function dnsOf({ dan }: Participants): { root: DnsRoot; zone: DnsZone } {
  const zone = new DnsZone(dan.address);
  return { zone, root: new DnsRoot(zone) };
}

/** Value attached to a change. The rest stays with the name. */
const postage = ton / 10n;
const [adnl, bag] = [0xad, 0xba].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];

/** The configuration gets a DNS root; names get records, and `forest.ton` is up for auction. */
export function takeNames(participants: Participants): StoryBlock[] {
  const { ann, dan, finn, gus, iris } = participants;
  const { root, zone } = dnsOf(participants);
  const rootParam = encodeConfigParam(4, root.address.hash);
  let queryId = 8000;

  const give = (name: string, { address }: Participants["ann"]): Payment => ({
    to: zone.address,
    value: ton / 5n,
    body: giveNameBody(name, address, queryId++),
  });
  const record = (name: string, category: string, value: Cell): Payment => ({
    to: zone.item(name),
    value: postage,
    body: changeRecordBody(category, value, queryId++),
  });

  return [
    {
      title: "Dan opens the zone ton, and its root on the masterchain",
      messages: [
        dan.sends([
          { to: zone.address, value: ton, init: zone.init },
          { to: root.address, value: 20n * ton, init: root.init },
        ]),
      ],
    },
    { title: "The root arrives", messages: [] },
    {
      title: "The configuration names the root of DNS",
      messages: [],
      edits: [configEdit((config) => config.set(4, rootParam))],
    },
    {
      title: "Ann and Finn get names, and Gus bids for one",
      messages: [
        dan.sends([give("devnet", ann), give("finn", finn)]),
        gus.sends([{ to: zone.address, value: 5n * ton, body: commentBody("forest") }]),
      ],
    },
    {
      title: "Names get records, and Iris outbids Gus",
      messages: [
        ann.sends([
          record("devnet", "wallet", dnsRecord.wallet(ann.address)),
          record("devnet", "site", dnsRecord.site(adnl)),
          record("devnet", "storage", dnsRecord.storage(bag)),
          // Makes finn.devnet.ton an alias of finn.ton.
          record("devnet", "dns_next_resolver", dnsRecord.nextResolver(zone.address)),
        ]),
        finn.sends([record("finn", "wallet", dnsRecord.wallet(finn.address))]),
        iris.sends([{ to: zone.item("forest"), value: 8n * ton, body: commentBody("A forest for me") }]),
      ],
    },
  ];
}

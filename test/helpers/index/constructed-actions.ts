import type { Action } from "../../../server/indexer/actions/action.js";
import { classify } from "../../../server/indexer/actions/classify.js";
import { type Contract, ContractLookups } from "../../../server/indexer/actions/contracts.js";
import type { Trace } from "../../../server/indexer/actions/trace.js";
import type { ActionType } from "../../../shared/schema/v3/actions.js";
import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bodyOf, cellWith, fieldsWith } from "../made-cells.js";
import { walletsOf } from "./made-jettons.js";
import {
  alice,
  auctionContract,
  bob,
  deployment,
  from,
  item,
  itemWith,
  marketplace,
  nftTransfer,
  saleContract,
  sellersData,
} from "./made-nfts.js";
import { changeKey, keyChanged, sendOne, tgChangeKey, tgSendOne, tgWallet } from "./made-requests.js";
import { accounts, bodyWith, comment, type MadeMessage, traceOf } from "./made-trace.js";

// Types of which recorded traces are rare: for each a trace, made from the rules, that has an action of it.

const [auction, sale, lister, order, multisig, pool, position] = accounts(
  "auction, sale, lister, order, multisig, pool, position",
);
const elector = `-1:${"3".repeat(64)}`;
const empty = Cell.empty;

function call(to: string, opcode: number, ...sends: readonly MadeMessage[]): MadeMessage {
  return { to, body: bodyOf(opcode), sends };
}

/** A message whose body has no query id. */
function bare(to: string | undefined, opcode: number, fields: Builder, ...sends: MadeMessage[]): MadeMessage {
  return { to, body: cellWith([opcode, 32], fields), sends };
}

const traded = { [item]: itemWith(), [auction]: auctionContract, [sale]: saleContract };
const teleitem = { [item]: itemWith({ contentUri: "https://nft.fragment.com/username/carol.json" }) };
const domain = { [item]: itemWith({ codeHash: "i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=" }) };
const ordered = { [order]: { multisigOrder: { signers: [alice, bob] } } };

const outbid: MadeMessage = {
  to: bob,
  value: 40n,
  body: comment("Your bid has been outbid by another user."),
};
const data = sellersData(marketplace, alice, bob);

/** Alice transfers the item to an account that deploys a seller and passes it on. */
function listing(to: string, data: Cell): MadeMessage {
  return from(alice, nftTransfer(lister, [deployment(to, data), nftTransfer(to)]));
}

function dnsRequest(key: bigint, value?: Cell): MadeMessage {
  const body = fieldsWith(bodyWith(0x4eb1f0f9), [key, 256]);
  return from(alice, { to: item, body: (value ? body.storeRef(value) : body).endCell() });
}

const auctionTerms = cellWith(bob, 10n, 500n, [5, 8], [3600, 32], [7200, 32]);

/** A claim at DeDust, whose last message has this content. */
const claim = (
  opcodes: readonly [number, number, number],
  said: Builder,
  asked: Builder = fieldsWith(alice),
): MadeMessage =>
  from(alice, {
    to: pool,
    body: bodyOf(opcodes[0], asked),
    sends: [
      call(position, opcodes[1], {
        to: pool,
        body: bodyOf(opcodes[2], said),
        sends: [call(alice, 0xd53276db)],
      }),
    ],
  });
const receivers = () => fieldsWith(alice, alice);

const liquidation = (): MadeMessage => {
  const parties = () => fieldsWith(bob, alice);
  const result = cellWith([-1, 64], [40, 64], [1, 64], [-2, 64], [0xabcn, 256], [-3, 64], [30, 64]);
  const header = (opcode: number) => cellWith(6n, false, [3, 2], bodyWith(opcode));
  const asked = fieldsWith(parties(), [0xabcn, 256], [1, 64], [0, 2], [50, 64]);
  const satisfied = bodyOf(0x311, parties(), [1n, 256], result);
  const paid: MadeMessage[] = [
    { to: lister, body: header(0x311a), sends: [{ to: alice, body: comment("EVAA liquidation.") }] },
    call(alice, 0x311d),
  ];
  const user: MadeMessage = {
    to: lister,
    body: header(0x31),
    sends: [{ to: pool, body: satisfied, sends: paid }],
  };
  return from(alice, { to: pool, body: bodyOf(0x3, asked), sends: [user] });
};

type Constructed = { trace: Trace; contracts?: Readonly<Record<string, Contract>> };

const made = (root: MadeMessage, contracts: Readonly<Record<string, Contract>> = {}): Constructed => ({
  trace: traceOf(root),
  contracts,
});

/** A call that a tick-tock transaction began. */
function afterTickTock(): Trace {
  const trace = traceOf(from(elector, call(alice, 1)));
  const [first, ...others] = trace.transactions;
  return { ...trace, transactions: [{ ...first!, isTickTock: true, inMessage: undefined }, ...others] };
}

/** By type: a trace with an action of it, and what is known of its contracts. */
export const constructedActions: { readonly [Type in ActionType]?: Constructed } = {
  tick_tock: { trace: afterTickTock() },
  extra_currency_transfer: made(from(alice, { to: bob, extraCurrencies: { "100": "5" } })),
  auction_bid: made(from(alice, { to: auction, value: 50n }), traded),
  auction_outbid: made(from(alice, { to: auction, value: 50n, sends: [outbid] }), traded),
  nft_put_on_sale: made(listing(sale, data.sale), traded),
  nft_put_on_auction: made(listing(auction, data.auction), traded),
  nft_update_sale: made(from(alice, { to: sale, body: bodyOf(0x6c6c2080, 120n, 6n, 12n) }), traded),
  nft_cancel_sale: made(from(alice, call(sale, 3, nftTransfer(alice))), traded),
  nft_cancel_auction: made(from(alice, call(auction, 0x5616c572, nftTransfer(alice))), traded),
  nft_finish_auction: made(from(alice, call(auction, 0x20c9eb18, nftTransfer(alice))), traded),
  nft_discovery: made(
    from(alice, call(item, 0x2fcb26a2, { to: alice, body: bodyOf(0x8b771735, [5n, 256], pool) })),
  ),
  teleitem_start_auction: made(
    from(alice, { to: item, body: bodyOf(0x487a8e81, auctionTerms), sends: [call(alice, 0xa37a0983)] }),
    teleitem,
  ),
  teleitem_cancel_auction: made(from(alice, call(item, 0x371638ae, call(alice, 0xa37a0983))), teleitem),
  change_dns: made(dnsRequest(0xabn, cellWith([0x9fd3, 16], bob, [0, 8])), traded),
  delete_dns: made(dnsRequest(0xabn), traded),
  renew_dns: made(dnsRequest(0n), traded),
  dns_purchase: made(from(bob, call(item, 0x2fcb26a2, { ...call(alice, 0x370fec51), value: 700n })), domain),
  dns_release: made(from(alice, { ...call(item, 0x4ed14b65), value: 30n }), domain),
  election_deposit: made(from(alice, { ...call(elector, 0x4e73744b, call(alice, 0xf374484c)), value: 500n })),
  election_recover: made(from(alice, call(elector, 0x47657424, { ...call(alice, 0xf96f7324), value: 600n }))),
  subscribe: made(from(alice, call(pool, 0xf06c7567, bare(bob, 0x73756273, beginCell())))),
  unsubscribe: made(from(alice, bare(pool, 0x64737472, beginCell(), bare(bob, 0x64737472, beginCell())))),
  gasless_request: made(
    from(alice, { to: tgWallet, value: 50n, body: tgSendOne(sendOne.internal), sends: [{ to: bob }] }),
  ),
  change_wallet_key: made(
    from(alice, { to: tgWallet, value: 50n, body: tgChangeKey(changeKey.internal), sends: [keyChanged()] }),
    { [tgWallet]: { isTgWallet: true } },
  ),
  multisig_create_order: made(
    from(alice, {
      to: multisig,
      body: bodyOf(0xf718510f, [2n, 256], true, [1, 8], [2000, 48], empty),
      sends: [{ to: order, body: bodyOf(0x9c73fba2, [2, 8], empty, [2000, 48], empty, true, [1, 8]) }],
    }),
    ordered,
  ),
  multisig_approve: made(
    from(alice, { to: order, body: bodyOf(0xa762230f, [1, 8]), sends: [call(alice, 0x82609bf6)] }),
    ordered,
  ),
  multisig_execute: made(
    from(order, {
      to: multisig,
      body: bodyOf(0x75097f5d, [4, 256], [2000, 48], [2, 8], Buffer.alloc(32, 1), empty),
    }),
    ordered,
  ),
  dedust_v2_claim_fees: made(claim([0x5652f1df, 0x25f19752, 0x29ff1bcf], fieldsWith(20n, 50n, receivers()))),
  dedust_v2_claim_reward: made(
    claim(
      [0x909fdb65, 0x2e0cccba, 0x9e17fbbe],
      fieldsWith(50n, [1, 2], receivers()),
      fieldsWith([1, 2], alice),
    ),
  ),
  coffee_mev_protect_failed_swap: made(from(pool, { to: alice, body: bodyOf(0xee51ce51, alice) })),
  evaa_liquidate: made(liquidation(), walletsOf([alice, pool], [position])),
  tgbtc_mint_fallback: made(from(alice, bare(undefined, 0x77a80ef3, fieldsWith(50n, bob, [1n, 256])))),
  tgbtc_new_key_fallback: made(
    from(alice, bare(undefined, 0x27756729, fieldsWith(70n, [0xdefn, 256], pool))),
  ),
};

/** The actions of a constructed trace. */
export function actionsOfConstructed({ trace, contracts = {} }: Constructed): readonly Action[] {
  const lookups = new ContractLookups();
  for (const [address, contract] of Object.entries(contracts)) lookups.add(address, contract);
  return classify(trace, lookups).actions;
}

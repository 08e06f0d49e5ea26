import { grown } from "./growing-index.js";
import { grownTokens } from "./growing-tokens.js";
import { grownValidators } from "./growing-validators.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const { busy, partner, rare, seqno } = grown;
const [hash, otherHash, thirdHash] = grown.hashes.map(hex);
const [message, otherMessage, thirdMessage] = grown.messages.map(hex);
const shard = grown.shard.toString(16);
const times = `start_utime=${grown.times.start_utime}&end_utime=${grown.times.end_utime}`;
const lts = `start_lt=${grown.lts.start_lt}&end_lt=${grown.lts.end_lt}`;
const body = encodeURIComponent(Buffer.from(grown.body).toString("base64"));
/** Filters of blocks by shards: of one, of one that there was for a while, of one in each workchain, of all of a workchain. */
const ofShards = [
  ...[shard, grown.oldShard.toString(16)].map((each) => `workchain=0&shard=${each}`),
  ...[`shard=${shard}`, "workchain=-1", "workchain=0"],
];
const opcode = grown.opcode;
const { oldOpcode, oldShard } = grown;
const oldBody = encodeURIComponent(Buffer.from(grown.oldBody).toString("base64"));
const since = `start_utime=${grown.times.start_utime}`;
const end = `end_lt=${grown.lts.end_lt}`;
const begin = `start_lt=${grown.lateLt}&sort=asc`;

const { busyMaster, rareMaster, busyWallet, busyCollection, rareCollection, busyItem } = grownTokens;
const { busyMultisig, rareMultisig, sales } = grownTokens;
const { busyHolder, rareHolder, busyKey, rareKey, rareAdnl, electionId } = grownValidators;
const { busyPool, rarePool, busyNominator, rareNominator } = grownValidators;
/** Lists of token events use one search: the first one is measured for all of them. */
const ofEvents = [
  "",
  "sort=asc",
  times,
  since,
  lts,
  end,
  `owner_address=${busy}`,
  `owner_address=${busy}&${times}`,
  `owner_address=${busy}&${since}`,
  `owner_address=${busy}&owner_address=${partner}&owner_address=${rare}`,
  `owner_address=${rare}`,
  `owner_address=${rare}&sort=asc`,
];
const directed = ["in", "out"].flatMap((direction) =>
  [busy, rare].map((owner) => `owner_address=${owner}&direction=${direction}`),
);
const ofJettons = [
  `jetton_wallet=${busyWallet}`,
  `jetton_master=${busyMaster}`,
  `jetton_master=${busyMaster}&${since}`,
  `jetton_master=${rareMaster}`,
  `jetton_master=${busyMaster}&owner_address=${busy}`,
  `jetton_master=${busyMaster}&owner_address=${rare}`,
];

/** They read nothing that another one does not read; some also need a chain, or are not about the index. */
const unmeasured = [
  // The grown index has hardly an hour: see block-hours.test.ts.
  ...["hourlyTotals", "supply"],
  // By `receivedMessages` and `indexedStatus` in the test.
  ...["pendingTransactions", "pendingTraces", "pendingActions", "messageStatus"],
  ...["create", "list", "update", "delete", "deliveries", "replay"].map((name) => `webhooks.${name}`),
  ...["emulate.trace", "emulate.tonConnect", "addressInformation", "walletInformation"],
  ...["metadata", "decode", "message", "estimateFee", "runGetMethod"],
  ...["contracts", "decode", "runGetMethod"].map((name) => `acton.${name}`),
  ...["abi", "transaction", "trace", "message", "getMethod"].map((name) => `debug.${name}`),
  ...["steps", "trail", "state", "find", "profile", "code"].map((name) => `debug.${name}`),
  ...["add", "list", "remove"].map((name) => `debug.artifacts.${name}`),
];

/** Queries of each method over a growing index; none if it reads nothing that another one does not read. */
export const growthReads: Record<string, readonly string[]> = {
  masterchainInfo: [""],
  blocks: [
    "",
    since,
    "seqno=60",
    `workchain=0&shard=${shard}&seqno=60`,
    "mc_seqno=60",
    `root_hash=${hex(grown.rootHash)}`,
    times,
    lts,
    end,
    begin,
    ...ofShards.flatMap((shards) => [
      shards,
      ...["sort=asc", times, since, lts, end, begin].map((bounds) => `${shards}&${bounds}`),
    ]),
  ],
  masterchainBlockShardState: ["seqno=60"],
  masterchainBlockShards: ["seqno=60"],
  transactions: [
    "",
    "sort=asc",
    times,
    since,
    lts,
    end,
    `account=${busy}`,
    `account=${busy}&${times}`,
    `account=${busy}&${since}`,
    `account=${busy}&offset=350`,
    `account=${busy}&sort=asc&offset=350`,
    `account=${busy}&account=${partner}&offset=350`,
    `account=${busy}&account=${partner}&account=${rare}`,
    `account=${rare}`,
    `account=${rare}&sort=asc`,
    `exclude_account=${busy}`,
    `hash=${hash}`,
    `hash=${hash}&hash=${otherHash}&hash=${thirdHash}`,
    `lt=${grown.lts.start_lt + 1n}`,
    `mc_seqno=${seqno}`,
    `workchain=0&shard=${shard}&seqno=${seqno}`,
    `workchain=0&seqno=${seqno}`,
    `seqno=${seqno}`,
    `workchain=0&shard=${shard}`,
    `workchain=0&shard=${oldShard.toString(16)}`,
    `workchain=0&shard=${oldShard.toString(16)}&${lts}`,
    `workchain=0&shard=${oldShard.toString(16)}&${since}`,
    `workchain=0&shard=${oldShard.toString(16)}&end_utime=2000000000&sort=asc`,
    `shard=${oldShard.toString(16)}`,
    `shard=${oldShard.toString(16)}&${since}`,
    "workchain=-1",
    "workchain=0",
    "workchain=5",
    `msg_hash=${message}`,
    `opcode=0x${oldOpcode.toString(16)}`,
    `opcode=${opcode}`,
    `opcode=${opcode}&direction=in`,
    `body_hash=${body}`,
    `body_hash=${oldBody}`,
    `source=${busy}`,
    `destination=${busy}`,
    `source=${busy}&destination=${partner}`,
    `source=${rare}`,
  ],
  transactionsByMasterchainBlock: [`seqno=${seqno}`],
  transactionsByMessage: [
    `msg_hash=${message}`,
    `msg_hash=${message}&msg_hash=${otherMessage}&msg_hash=${thirdMessage}`,
    `msg_hash=${hex(grown.external)}`,
    `body_hash=${body}`,
    `body_hash=${oldBody}`,
    `opcode=${opcode}`,
  ],
  adjacentTransactions: [`hash=${hash}`, `hash=${hash}&direction=in`],
  messages: [
    "",
    times,
    since,
    lts,
    `msg_hash=${message}`,
    `msg_hash=${message}&msg_hash=${otherMessage}&msg_hash=${thirdMessage}`,
    `msg_hash=${hex(grown.external)}`,
    `body_hash=${body}`,
    `body_hash=${oldBody}`,
    `opcode=0x${oldOpcode.toString(16)}`,
    `opcode=${opcode}`,
    `opcode=${opcode}&direction=in`,
    `source=${busy}`,
    `destination=${busy}`,
    `source=${busy}&destination=${partner}`,
    `source=${rare}`,
    "source=null",
    "only_externals=true",
    `start_utime=1&end_lt=${grown.slotEnd}`,
    "exclude_externals=true",
  ],
  traces: [
    "",
    times,
    lts,
    `account=${busy}`,
    `account=${busy}&${times}`,
    `account=${busy}&${since}`,
    `account=${busy}&start_lt=1&end_utime=${grown.times.end_utime}`,
    `account=${busy}&mc_seqno=${seqno}`,
    `account=${rare}`,
    ...grown.traceIds.map((id) => `trace_id=${hex(id)}`),
    `tx_hash=${hash}`,
    `tx_hash=${hash}&tx_hash=${otherHash}&tx_hash=${thirdHash}`,
    `msg_hash=${message}`,
    `mc_seqno=${seqno}`,
  ],
  actions: [
    "",
    times,
    lts,
    "action_type=jetton_transfer",
    "action_type=jetton_transfer&action_type=ton_transfer",
    `account=${busy}`,
    `account=${busy}&${times}`,
    `account=${busy}&initiated_by_account=true`,
    `account=${rare}`,
    `action_id=${hex(grown.action)}`,
    ...grown.traceIds.map((id) => `trace_id=${hex(id)}`),
    `tx_hash=${hash}`,
    `msg_hash=${message}`,
    `mc_seqno=${seqno}`,
    "include_transactions=true",
  ],
  events: ["", `account=${rare}`],
  balanceChanges: [`trace_id=${hex(grown.traceIds[0]!)}`, `action_id=${hex(grown.action)}`],
  accountStates: [`address=${rare}`],
  walletStates: [`address=${rare}`],
  addressBook: [`address=${rare}`, `address=${busy}&address=${partner}`],
  topAccountsByBalance: [""],
  "account.balanceHistory": [
    `address=${busy}&limit=10`,
    `address=${busy}&limit=10&${times}`,
    `address=${busy}&limit=10&${lts}&interval=day`,
    `address=${rare}&limit=10`,
    `address=${rare}&jetton=${rareMaster}`,
  ],
  "account.diff": [`address=${busy}&${since}`, `address=${busy}&${lts}`, `address=${rare}&start_utime=1`],
  "jetton.masters": ["", `address=${busyMaster}`, `admin_address=${busy}`, `admin_address=${rare}`],
  "jetton.wallets": [
    "",
    "sort=asc",
    "exclude_zero_balance=true",
    `owner_address=${busy}`,
    `owner_address=${busy}&sort=asc`,
    `owner_address=${busy}&jetton_address=${busyMaster}`,
    `owner_address=${rare}`,
    `jetton_address=${busyMaster}`,
    `jetton_address=${rareMaster}`,
  ],
  "jetton.holders": [`jetton=${busyMaster}`, `jetton=${busyMaster}&offset=30`, `jetton=${rareMaster}`],
  "jetton.transfers": [...ofEvents, ...directed, ...ofJettons],
  "jetton.burns": ["", `owner_address=${busy}`, `owner_address=${rare}`, `jetton_master=${busyMaster}`],
  "nft.collections": [
    "",
    `collection_address=${busyCollection}`,
    `owner_address=${busy}`,
    `owner_address=${rare}`,
  ],
  "nft.items": [
    "",
    "sort=asc",
    `address=${busyItem}`,
    `owner_address=${busy}`,
    `owner_address=${busy}&include_on_sale=true`,
    `owner_address=${busy}&collection_address=${busyCollection}`,
    `owner_address=${rare}`,
    `collection_address=${busyCollection}`,
    `collection_address=${rareCollection}`,
    `collection_address=${busyCollection}&index=5`,
  ],
  "nft.sales": [`address=${rare}`, sales.map((address) => `address=${address}`).join("&")],
  "dns.records": [`wallet=${busy}&limit=10`, `wallet=${rare}`, `domain=${grown.domain}`],
  "dns.activeAuctions": [`bidder=${busy}&limit=10`, `bidder=${busy}&state=won&limit=10`, `bidder=${rare}`],
  "multisig.wallets": [
    `address=${rareMultisig}`,
    `wallet_address=${rare}`,
    `wallet_address=${rare}&include_orders=false`,
  ],
  "multisig.orders": [
    `address=${rare}`,
    `multisig_address=${rareMultisig}`,
    `multisig_address=${busyMultisig}`,
    `multisig_address=${busyMultisig}&sort=asc`,
  ],
  vesting: [
    `contract_address=${rare}`,
    `wallet_address=${rare}`,
    `wallet_address=${rare}&check_whitelist=true`,
  ],
  "staking.nominatorPools.pool": [`pool=${rarePool}`],
  "staking.nominatorPools.nominator": [`nominator=${rareNominator}`],
  "staking.nominatorPools.nominatorEvents": [
    `pool=${busyPool}&limit=10`,
    `pool=${busyPool}&${since}&limit=10`,
    `pool=${busyPool}&nominator=${busyNominator}&limit=10`,
    `pool=${rarePool}&nominator=${rareNominator}&limit=10`,
  ],
  "staking.nominatorPools.nominatorRewards": [`pool=${busyPool}&nominator=${busyNominator}&limit=10`],
  "staking.nominatorPools.validatorEvents": [
    `pool=${busyPool}&limit=10`,
    `validator=${busyHolder}&limit=10`,
    `validator=${busyHolder}&pool=${busyPool}&type=reward&limit=10`,
    `pool=${rarePool}&limit=10`,
  ],
  "staking.nominatorPools.validatorRewards": [`validator=${busyHolder}&pool=${busyPool}&limit=10`],
  "validators.events": [
    "",
    "sort=asc",
    times,
    "type=stake_accepted",
    `stake_holder_address=${busyHolder}`,
    `stake_holder_address=${rareHolder}`,
    `validator_pubkey=${busyKey}`,
    `adnl_address=${rareAdnl}`,
  ],
  "validators.elections": [
    "",
    "finished=true",
    times,
    `election_id=${electionId}&return_participants=true`,
    `stake_holder_address=${busyHolder}`,
    `stake_holder_address=${rareHolder}`,
    `validator_pubkey=${busyKey}&sort=asc`,
    `adnl_address=${rareAdnl}&return_participants=true`,
  ],
  "validators.cycles": [
    "",
    times,
    `cycle_start=${electionId}&return_validators=true`,
    `election_id=${electionId}`,
    `stake_holder_address=${rareHolder}`,
    `validator_pubkey=${busyKey}`,
    `adnl_address=${rareAdnl}`,
  ],
  "validators.complaints": [
    "",
    times,
    `election_id=${electionId}`,
    `cycle_start=${electionId}`,
    `validator_pubkey=${rareKey}`,
  ],
  "nft.transfers": [
    "",
    `owner_address=${busy}`,
    `owner_address=${rare}&direction=in`,
    `item_address=${busyItem}`,
    `collection_address=${busyCollection}`,
    `collection_address=${rareCollection}`,
    `collection_address=${busyCollection}&owner_address=${busy}`,
  ],
  search: ["q=grown", "q=nothing", `q=${hash}`, `q=${message}`, `q=${rare}`, `q=${seqno}`],
  ...Object.fromEntries(unmeasured.map((method) => [method, []])),
};

/** Paths below /api/v3/. */
export const growthPaths: readonly string[] = Object.entries(growthReads).flatMap(([method, queries]) =>
  queries.map((query) => `${method.replaceAll(".", "/")}?${query}`),
);

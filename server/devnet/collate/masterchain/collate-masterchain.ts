import { validatorListHash } from "../../../../shared/ton/proofs/verify/trust/validators.js";
import { wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import { startLtAfter } from "../../../../shared/ton/tlb/block-lt.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { configParam } from "../../../../shared/ton/tlb/config/config-param.js";
import type { ConfigParams } from "../../../../shared/ton/tlb/config-params.js";
import {
  addCurrencies,
  type CurrencyCollection,
  ExtraCurrencyCollection,
  noCurrencies,
  subtractCurrencies,
} from "../../../../shared/ton/tlb/currency-collection.js";
import { McBlockDetails } from "../../../../shared/ton/tlb/mc-block-extra.js";
import { McStateHistory, type ValidatorInfo } from "../../../../shared/ton/tlb/mc-state-extra.js";
import type { ShardDescr } from "../../../../shared/ton/tlb/shard-descr.js";
import { ShardFees } from "../../../../shared/ton/tlb/shard-fees.js";
import { shardAt, shardHashesOf } from "../../../../shared/ton/tlb/shard-hashes.js";
import type { Libraries } from "../../../../shared/ton/tlb/shard-state.js";
import { SignatureSet } from "../../../../shared/ton/tlb/signature.js";
import type { Address } from "../../../../shared/values/address.js";
import { DevnetError } from "../../devnet-error.js";
import type { BlockSignature } from "../block/block-pair.js";
import {
  type BlockContext,
  closeBlock,
  lowestMcSeqno,
  processedAfter,
  type RunBlock,
  runBlock,
} from "../block/make-block.js";
import { blocksUpTo, ChainSide, lastKeyBlock } from "../chain-side.js";
import { specialMessage } from "../messages/unsent-messages.js";
import { Rules } from "../rules.js";
import { type BlockWork, type MadeBlock, rulesOf, type Step } from "../step.js";
import { basechainDescr } from "./basechain-descr.js";
import { updateCreateStats } from "./block-create-stats.js";
import { nextConfig } from "./next-config.js";
import { publish, updateLibraries } from "./public-libraries.js";

/** Fees, in nanotons, are recovered once they reach this amount. */
const recoveryThreshold = 1_000_000_000n;

const shard = { workchain: 0, shard: wholeShard };

/** Inputs of a masterchain block that registers a new basechain block. */
type Registration = { step: Step; base: MadeBlock; rules: Rules; startLt: bigint };

/** Makes the masterchain block that registers the step's basechain block. */
export async function collateMasterchain(
  step: Step,
  base: MadeBlock,
  previousSignatures: readonly BlockSignature[],
  work: BlockWork,
): Promise<MadeBlock & { keyBlock: boolean }> {
  const { masterchain: side } = step;
  const rules = rulesOf(step);
  const seqno = side.tip.id.seqno + 1;
  const startLt = startLtAfter(side.state.genLt, base.block.endLt);
  const registration = { step, base, rules, startLt };
  const sources = sourcesOf(registration, work);
  const recover = paymentOf(registration, rules.feeCollector, sources.recovered);
  const mint = paymentOf(registration, rules.minter, sources.minted);
  const context: BlockContext = {
    side,
    neighbour: neighbourOf(new ChainSide(base.block)),
    startLt,
    special: work.noTicks ? [] : rules.specialAccounts,
    made: [...recover, ...mint],
    sources,
  };
  const run = await runBlock(step, context, work, rules);
  const config = nextConfig(run.accounts, side.master.config);
  const sessions = sessionsAfter(registration, config);
  const processed = processedAfter(step, side, run, seqno);
  const shardHashes = shardHashesOf([{ ...shard, descr: shardDescr(registration, sessions.basechain) }]);
  const made = await closeBlock(step, context, run, rules, {
    libraries: updateLibraries(publishedBy(side, work), run.draft.accounts.changed),
    processed,
    session: sessionOf(side, rules),
    minRefMcSeqno: lowestMcSeqno(processed, seqno, base.minRefMcSeqno),
    prevKeyBlockSeqno: lastKeyBlock(side)?.seqno ?? 0,
    master: {
      state: {
        shardHashes,
        config: config ?? side.master.config,
        history: CellOf.of(McStateHistory, {
          validatorInfo: sessions.masterchain,
          prevBlocks: blocksUpTo(side),
          afterKeyBlock: config !== undefined,
          lastKeyBlock: lastKeyBlock(side),
          blockCreateStats: updateCreateStats(registration),
        }),
        globalBalance: balanceAfter(registration, run, sources),
      },
      block: {
        shardHashes,
        shardFees: ShardFees.empty.set(shard, { fees: base.flow.feesCollected, create: base.flow.created }),
        details: CellOf.of(McBlockDetails, {
          prevBlkSignatures: signatureSet(previousSignatures),
          recoverCreateMsg: recover.length > 0 ? run.done.made[0] : undefined,
          mintMsg: mint.length > 0 ? run.done.made[recover.length] : undefined,
        }),
        config,
      },
    },
  });
  return { ...made, keyBlock: config !== undefined };
}

/** The libraries of the state, and those that the block publishes in the name of the configuration contract. */
function publishedBy({ state, master }: ChainSide, { libraries = [] }: BlockWork): Libraries {
  const known = state.totals.value.libraries;
  const added = libraries.filter((root) => !known.has(root.hash()));
  return added.reduce((all, root) => publish(all, root, master.config.configAddr), known);
}

function neighbourOf(basechain: ChainSide): BlockContext["neighbour"] {
  return {
    workchain: basechain.workchain,
    queue: basechain.queueInfo.outQueue,
    processed: basechain.processed,
    endLt: basechain.state.genLt,
  };
}

/** Funds other than message values: imported fees, the validators' pool, created and minted money. */
function sourcesOf(
  { step, base, rules }: Registration,
  { noPayments = false }: BlockWork,
): BlockContext["sources"] {
  const { masterchain: side } = step;
  const feesImported = base.flow.feesCollected;
  const importsBurned = rules.burned(subtractCurrencies(feesImported, base.flow.created));
  const created = rules.reward(side.workchain);
  const pool = [
    created,
    subtractCurrencies(feesImported, importsBurned),
    side.state.totals.value.totalValidatorFees,
  ];
  const recoverable = pool.reduce(addCurrencies);
  const { feeCollector, minter } = rules;
  const worthIt = !noPayments && recoverable.coins >= recoveryThreshold && canReceive(step, feeCollector);
  return {
    feesImported,
    importsBurned,
    created,
    recovered: worthIt ? recoverable : noCurrencies,
    minted: !noPayments && canReceive(step, minter) ? mintedCurrencies(side, rules) : noCurrencies,
    burnedOf: (fees) => rules.burned(fees),
  };
}

/** Whether there is such an account, and a fork need not import it first. */
function canReceive({ masterchain: side, imports }: Step, account: Address | undefined): boolean {
  if (!account || !imports) return account !== undefined;
  return !imports.holdsBack(account, {}, side.state.accounts.value.has(account.hash));
}

/** Extra currencies of ConfigParam 7 that are not in circulation yet. */
function mintedCurrencies(side: ChainSide, rules: Rules): CurrencyCollection {
  const wanted = configParam(rules.config, 7);
  if (!wanted?.root) return noCurrencies;
  const existing = side.master.globalBalance.extra;
  const missing = Array.from(wanted.entries(), ([id, amount]): [number, bigint] => [
    id,
    amount - (existing.get(id) ?? 0n),
  ]).filter(([id, amount]) => id !== 0 && amount > 0n);
  return { coins: 0n, extra: ExtraCurrencyCollection.empty.update(missing) };
}

function paymentOf({ step, startLt }: Registration, to: Rules["minter"], value: CurrencyCollection) {
  if (!to || (value.coins === 0n && !value.extra.root)) return [];
  return [specialMessage(to, value, startLt, step.utime)];
}

/** The validator session of the block, as determined by the previous state. */
function sessionOf(side: ChainSide, rules: Rules) {
  const { catchainSeqno } = side.master.history.value.validatorInfo;
  return {
    catchainSeqno,
    validatorListHashShort: validatorListHash(catchainSeqno, rules.masterchainValidators),
  };
}

/** The sessions after this block. A session ends with a key block or when its lifetime is over. */
function sessionsAfter(
  { step, rules }: Registration,
  config: ConfigParams | undefined,
): { masterchain: ValidatorInfo; basechain: number } {
  const { masterchain: side, utime } = step;
  const newRules = config ? new Rules(config.config.value, config.configAddr) : rules;
  const ends = (workchain: number) =>
    config !== undefined || newRules.rotates(workchain, side.state.genUtime, utime);
  const masterchainEnds = ends(side.workchain);
  const basechainEnds = ends(shard.workchain);
  const { catchainSeqno } = side.master.history.value.validatorInfo;
  const registered = shardAt(side.master.shardHashes, shard.workchain, 0n)!.descr.nextCatchainSeqno;
  return {
    masterchain: {
      catchainSeqno: catchainSeqno + (masterchainEnds ? 1 : 0),
      validatorListHashShort: validatorListHash(0, newRules.masterchainValidators),
      nxCcUpdated: masterchainEnds && basechainEnds,
    },
    basechain: registered + (basechainEnds ? 1 : 0),
  };
}

function shardDescr({ step, base }: Registration, nextCatchainSeqno: number): ShardDescr {
  const { id, startLt, endLt, genUtime } = base.block;
  return basechainDescr({
    seqno: id.seqno,
    regMcSeqno: step.masterchain.tip.id.seqno + 1,
    startLt,
    endLt,
    rootHash: id.rootHash,
    fileHash: id.fileHash,
    nextCatchainSeqno,
    minRefMcSeqno: base.minRefMcSeqno,
    genUtime,
    feesCollected: base.flow.feesCollected,
    fundsCreated: base.flow.created,
  });
}

/** In nanotons: an index stores balances in 63 bits, and a devnet's blocks create coins as long as it runs. */
const maxSupply = 2n ** 63n - 10n ** 18n;

/**
 * Global balance of all chains. Includes burned fees, as in the node. Throws DevnetError if an edit would exceed the
 * maximum.
 */
function balanceAfter(
  { step, base }: Registration,
  run: RunBlock,
  sources: BlockContext["sources"],
): CurrencyCollection {
  const { globalBalance } = step.masterchain.master;
  const byDeveloper = [base.added, run.edited.minted, run.injectedValue];
  const added = [sources.created, sources.minted, base.flow.created, ...byDeveloper];
  const removed = addCurrencies(base.removed, run.edited.burned);
  const balance = subtractCurrencies([globalBalance, ...added].reduce(addCurrencies), removed);
  if (balance.coins > maxSupply && byDeveloper.some(({ coins }) => coins > 0n))
    throw new DevnetError("invalid", `all accounts together would have more than ${maxSupply} nanotons`);
  return balance;
}

function signatureSet(signatures: readonly BlockSignature[]): SignatureSet {
  return SignatureSet.empty.update(
    signatures.map(({ nodeIdShort, signature }, index) => [
      index,
      { nodeIdShort, sign: { kind: "simple", signature } },
    ]),
  );
}

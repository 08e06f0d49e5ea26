import { accountHandlers } from "../../../server/methods/v3/accounts.js";
import { actionHandlers } from "../../../server/methods/v3/actions.js";
import { balanceHandlers } from "../../../server/methods/v3/balances.js";
import { blockchainHandlers } from "../../../server/methods/v3/blockchain.js";
import { dnsHandlers } from "../../../server/methods/v3/dns.js";
import { hourlyHandlers } from "../../../server/methods/v3/hourly.js";
import { jettonHandlers } from "../../../server/methods/v3/jettons.js";
import { multisigHandlers } from "../../../server/methods/v3/multisig.js";
import { nftHandlers } from "../../../server/methods/v3/nfts.js";
import { searchHandlers } from "../../../server/methods/v3/search.js";
import { stakingHandlers } from "../../../server/methods/v3/staking.js";
import { statHandlers } from "../../../server/methods/v3/stats.js";
import { traceHandlers } from "../../../server/methods/v3/traces.js";
import { utilHandlers } from "../../../server/methods/v3/utils.js";
import { validatorHandlers } from "../../../server/methods/v3/validators.js";
import { vestingHandlers } from "../../../server/methods/v3/vesting.js";
import { gapsOfOutcome } from "../../../server/process/outcome-gaps.js";
import { implement } from "../../../server/rpc/bind.js";
import type { Database } from "../../../server/store/database.js";
import { IndexReader, type SnapshotSource } from "../../../server/store/index-reader.js";
import type { Layout } from "../../../server/store/layout.js";
import { HourTotals } from "../../../server/store/queries/blocks/hour-totals.js";
import { type Gaps, noGaps, type PlacedGap } from "../../../server/store/queries/upkeep/index-gaps.js";
import { accountMethods } from "../../../shared/methods/v3/accounts.js";
import { actionMethods } from "../../../shared/methods/v3/actions.js";
import { balanceMethods } from "../../../shared/methods/v3/balances.js";
import { blockchainMethods } from "../../../shared/methods/v3/blockchain.js";
import { dnsMethods } from "../../../shared/methods/v3/dns.js";
import { hourlyMethods } from "../../../shared/methods/v3/hourly.js";
import { jettonMethods } from "../../../shared/methods/v3/jettons.js";
import { multisigMethods } from "../../../shared/methods/v3/multisig.js";
import { nftMethods } from "../../../shared/methods/v3/nfts.js";
import { searchMethods } from "../../../shared/methods/v3/search.js";
import { stakingMethods } from "../../../shared/methods/v3/staking.js";
import { statMethods } from "../../../shared/methods/v3/stats.js";
import { traceMethods } from "../../../shared/methods/v3/traces.js";
import { utilMethods } from "../../../shared/methods/v3/utils.js";
import { validatorMethods } from "../../../shared/methods/v3/validators.js";
import { vestingMethods } from "../../../shared/methods/v3/vesting.js";
import { startApp, type TestApp, type TestAppOptions } from "./app.js";

/** The methods that need an index and nothing else. */
export const indexRegistry = {
  v3: {
    ...accountMethods,
    ...balanceMethods,
    ...blockchainMethods,
    ...jettonMethods,
    ...nftMethods,
    ...dnsMethods,
    ...multisigMethods,
    ...vestingMethods,
    ...stakingMethods,
    ...validatorMethods,
    ...statMethods,
    ...hourlyMethods,
    ...actionMethods,
    ...traceMethods,
    ...searchMethods,
    ...utilMethods,
  },
};

export type IndexApp = TestApp & {
  /** Status and body of a GET below /api/v3/. */
  get<T = unknown>(pathAndQuery: string): Promise<[status: number, body: T]>;
  /** The body of a GET; fails the test when it is an error. */
  result<T = unknown>(pathAndQuery: string): Promise<T>;
};

type IndexAppOptions = {
  testOnly?: boolean;
  timeoutMs?: number;
  /** Source of answers; by default a pool of the database. */
  answers?: SnapshotSource;
  /** The layout of the database, if it is not ours. */
  layout?: Layout;
  /** The gaps of the index; none by default. */
  gaps?: () => Gaps<PlacedGap>;
  identify?: NonNullable<TestAppOptions<never>["identify"]>;
};

/**
 * The HTTP interface over an index; without a database every read answers 503. The default timeout is long enough for a
 * slow machine.
 */
export async function startIndexApp(
  database: Database | undefined,
  {
    testOnly = false,
    timeoutMs = 120_000,
    answers,
    layout,
    gaps = () => noGaps,
    ...appOptions
  }: IndexAppOptions = {},
): Promise<IndexApp> {
  const index = new IndexReader({ maxMs: timeoutMs });
  if (database) index.connect(answers ?? database.sql({ statementTimeoutMs: timeoutMs }), layout);
  const deps = { index, book: { testOnly }, indexGaps: gaps, hourTotals: new HourTotals() };
  const v3 = {
    ...implement(accountMethods, accountHandlers, deps),
    ...implement(balanceMethods, balanceHandlers, deps),
    ...implement(blockchainMethods, blockchainHandlers, deps),
    ...implement(jettonMethods, jettonHandlers, deps),
    ...implement(nftMethods, nftHandlers, deps),
    ...implement(dnsMethods, dnsHandlers, deps),
    ...implement(multisigMethods, multisigHandlers, deps),
    ...implement(vestingMethods, vestingHandlers, deps),
    ...implement(stakingMethods, stakingHandlers, deps),
    ...implement(validatorMethods, validatorHandlers, deps),
    ...implement(statMethods, statHandlers, deps),
    ...implement(hourlyMethods, hourlyHandlers, deps),
    ...implement(actionMethods, actionHandlers, deps),
    ...implement(traceMethods, traceHandlers, deps),
    ...implement(searchMethods, searchHandlers, deps),
    ...implement(utilMethods, utilHandlers, undefined),
  };
  const app = await startApp({
    registry: indexRegistry,
    implementations: { v3 },
    callTimeoutMs: 120_000,
    gapsOfOutcome: (outcome) => gapsOfOutcome(gaps(), outcome),
    ...appOptions,
  });
  const get: IndexApp["get"] = async <T>(path: string) => {
    const { status, json } = await app.ask(`/api/v3/${path}`);
    return [status, json as T];
  };
  return {
    ...app,
    get,
    async result<T>(path: string) {
      const [status, body] = await get<T>(path);
      if (status !== 200) throw new Error(`${path} is answered with ${JSON.stringify(body)}`);
      return body;
    },
  };
}

import { describe, expect, test } from "vitest";
import { withExtras } from "../../../server/present/v3/answer-extras.js";
import type { Queries, Statement } from "../../../server/store/database.js";
import { ForeignQueries } from "../../../server/store/reads/index-reads.js";
import { toncenterLayout } from "../../../server/store/toncenter/layout.js";
import { testAddress } from "../../helpers/contracts/contracts.js";

const account = testAddress("7");

/** Answers statements without rows, in rounds: all that are sent before the event loop turns. */
class Rounds implements Queries {
  readonly sent: Statement[][] = [];
  readonly #isDivided: boolean;
  #answered: Promise<void> | undefined;

  constructor(isDivided: boolean) {
    this.#isDivided = isDivided;
  }

  async query<Row>(statement: Statement): Promise<Row[]> {
    if (!this.#answered) {
      this.sent.push([]);
      this.#answered = new Promise((resolve) => setImmediate(resolve)).then(() => {
        this.#answered = undefined;
      });
    }
    this.sent.at(-1)!.push(statement);
    await this.#answered;
    return [];
  }

  async isDivided(): Promise<boolean> {
    return this.#isDivided;
  }

  /** The rounds, which have a boolean for each statement: whether it ends the snapshot. */
  get ends(): boolean[][] {
    return this.sent.map((round) => round.map(({ isLast = false }) => isLast));
  }
}

/** The rounds in which the extras of an answer are read. */
async function roundsOf(
  { isDivided = false, isForeign = false },
  { isLast = true, ...options }: { isLast?: boolean; noAddressBook?: boolean; noMetadata?: boolean } = {},
): Promise<boolean[][]> {
  const rounds = new Rounds(isDivided);
  const queries = isForeign ? new ForeignQueries(rounds, toncenterLayout({ hasFlags: true })) : rounds;
  const source = { queries, call: { options }, book: { testOnly: false }, isLast };
  const found = await withExtras({}, [account], source);
  expect(Object.keys(found.address_book)).toHaveLength(options.noAddressBook ? 0 : 1);
  return rounds.ends;
}

describe("The address book and the metadata of an answer", () => {
  test("are read in one round, with which the snapshot ends", async () => {
    expect(await roundsOf({})).toEqual([[false, true]]);
    expect(await roundsOf({ isForeign: true })).toEqual([[false, true]]);
    expect(await roundsOf({}, { isLast: false })).toEqual([[false, false]]);
  });

  test("are read of a cluster behind one statement for the rows of both", async () => {
    expect(await roundsOf({ isDivided: true })).toEqual([[false], [false, true]]);
  });

  test("end the snapshot each if the caller opted out of the other", async () => {
    expect(await roundsOf({}, { noAddressBook: true })).toEqual([[true]]);
    expect(await roundsOf({}, { noMetadata: true })).toEqual([[true]]);
    expect(await roundsOf({}, { noMetadata: true, noAddressBook: true })).toEqual([]);
  });
});

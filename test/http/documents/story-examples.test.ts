import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { DocumentedMethod } from "../../../server/http/documents/methods.js";
import { StoryExamples } from "../../../server/http/documents/story-examples.js";
import { type AnyDefinition, flatten, isForOwner } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { storyRoleOf, storyRoles } from "../../../shared/methods/story-roles.js";
import { isLong } from "../../helpers/effort.js";
import { answerChecks } from "../../helpers/http/answer-check.js";
import { isEmpty, type ShownExamples, shownExamples } from "../../helpers/http/shown-examples.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { startStoryService } from "../../helpers/stories/story-service.js";

/** Why there are examples that cannot show something. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "a message is taken once, and signed by who sends it": [
    "sendBoc",
    "v4.send",
    "devnet.sendBoc",
    "sendBocReturnHash",
    "sendBocReturnHashNoError",
    "sendQuery",
    "sendQueryCell",
    "sendQuerySimple",
    "sendCellSimple",
    "v3.message",
  ],
  "nothing waits for a block": ["v3.pendingTransactions", "v3.pendingTraces", "v3.pendingActions"],
  "no contract of the sample data has a library": ["getLibraries"],
  "the sample data have these with elections only": [
    "v3.staking.nominatorPools.pool",
    "v3.staking.nominatorPools.nominator",
    "v3.staking.nominatorPools.nominatorEvents",
    "v3.staking.nominatorPools.nominatorRewards",
    "v3.staking.nominatorPools.validatorEvents",
    "v3.staking.nominatorPools.validatorRewards",
    "v3.validators.events",
    "v3.validators.elections",
    "v3.validators.cycles",
    "v3.validators.complaints",
    "devnet.setElections",
    "devnet.skipPhase",
    "devnet.complain",
  ],
  "nobody has added artifacts": ["v3.debug.artifacts.list"],
  "the caller has no webhook": [
    "v3.webhooks.list",
    "v3.webhooks.update",
    "v3.webhooks.deliveries",
    "v3.webhooks.replay",
  ],
  "no snapshot has been taken": ["devnet.snapshots"],
  "no message waits": ["devnet.dropMessage"],
  "the file is of another devnet": ["devnet.importState"],
  "the devnet of the sample data is no fork": ["devnet.fork"],
  "a subscription belongs to a WebSocket": [
    "subscribe",
    "unsubscribe",
    "ton_subscribe",
    "ton_unsubscribe",
    "subscription.update",
    "subscription.ack",
    "ton_subscribe",
    "ton_unsubscribe",
  ],
};
const excused = new Set(Object.values(exceptions).flat());

const methods = flatten(registry);
const registered = new Map(methods);
const isEffect = (name: string) => registered.get(name)!.freshness.kind === "effect";
/** Whether the documents of a service have its own answers to the examples of a method. */
const isCalled = (name: string, definition: AnyDefinition) =>
  !isEffect(name) && !isForOwner(definition) && !excused.has(name);
// Reads first: changes of the devnet may remove the objects that reads name.
const examples = methods
  .flatMap(([name, { examples: all }]) => all.map((_, index) => [name, index] as const))
  .sort(([a], [b]) => Number(isEffect(a)) - Number(isEffect(b)));

describe("on a devnet with sample data", () => {
  let service: DevnetService;
  let shown: ShownExamples;
  let checks: Awaited<ReturnType<typeof answerChecks>>;
  beforeAll(async () => {
    // The emulations of callers end before they begin: those for the documents take the time that they need.
    service = await startStoryService(undefined, {}, isLong ? {} : { emulationTimeoutMs: 1 });
    shown = await shownExamples(service);
    checks = await answerChecks(service);
  });
  afterAll(() => service.close());

  it.each(examples)(
    "the example of %s, number %i, shows something that the documents allow",
    async (name, index) => {
      // The service has called it for its documents, as the test below proves.
      const isKnown = !isLong && isCalled(name, registered.get(name)!);
      const { answer, isShown } = isKnown
        ? { answer: shown.documented(name, index), isShown: true }
        : await shown.try(name, index);
      expect([isShown, answer]).toEqual([!excused.has(name), answer]);
      if (!isShown) return;
      const described = [...checks].filter(([, { methods: names }]) => names.has(name));
      // OpenAPI in two versions, if the method is served by REST.
      expect(described.length).toBe(registered.get(name)!.verbs.length > 0 ? 3 : 1);
      // The last one is the furthest from what the methods define.
      for (const [document, { problems }] of isLong ? described : described.slice(-1))
        expect([document, problems(name, answer)]).toEqual([document, []]);
    },
  );

  it("the documents have these answers", async () => {
    for (const [name, definition] of methods) {
      if (!isCalled(name, definition)) continue;
      for (const index of definition.examples.keys())
        expect([name, isEmpty(shown.documented(name, index))]).toEqual([name, false]);
    }
    expect(service.logLines.filter((line) => line.includes("document-examples"))).toEqual([]);
    const documented = JSON.stringify((await service.get("/openrpc.json")).json);
    for (const role of storyRoles) expect(documented).not.toContain(`"story:${role}"`);
  });

  it("the documents have their own examples again once the sample data are gone", async () => {
    await service.run("devnet.reset");
    const again = await shownExamples(service);
    const [name, { examples: own }] = methods.find(([each]) => each === "v3.jetton.masters")!;
    expect(again.documented(name, 0)).toEqual(own[0].result);
  });
});

describe("elsewhere", () => {
  it("examples have parameters that name no role", () => {
    const hasRole = (value: unknown): boolean =>
      storyRoleOf(value) !== undefined ||
      (typeof value === "object" && value !== null && Object.values(value).some(hasRole));
    for (const [, definition] of methods)
      for (const { params } of definition.examples) expect(hasRole(params)).toBe(false);
    const named = methods.flatMap(([, definition]) =>
      definition.examples.map(({ story }) => JSON.stringify(story ?? {})),
    );
    // Each role is one that an example names.
    for (const role of storyRoles) expect(named.join()).toContain(`"story:${role}"`);
  });
});

const documented = (...names: string[]) =>
  names.map((name) => ({ name, definition: registered.get(name)! }) as DocumentedMethod);
const failed = (error: unknown) => {
  throw error;
};

test("an example of which the sample data have nothing is not called", async () => {
  const called: string[] = [];
  const call = async (method: string) => void called.push(method);
  const examples = new StoryExamples({ call, hasIndex: false, failed });
  const asked = documented("v3.transactions", "getMasterchainInfo");
  expect(await examples.tell(asked, new Map())).toEqual(asked);
  expect(called).toEqual(["getMasterchainInfo"]);
});

test("examples are called one after another", async () => {
  let running = 0;
  const most: number[] = [];
  const call = async () => {
    most.push(++running);
    await nextTurn();
    running--;
  };
  const examples = new StoryExamples({ call, hasIndex: false, failed });
  await examples.tell(documented("getMasterchainInfo", "getShardBlockProof", "v3.actions"), new Map());
  expect(most.length).toBeGreaterThan(1);
  expect(new Set(most)).toEqual(new Set([1]));
});

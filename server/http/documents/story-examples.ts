import { type AnyExample, isForOwner } from "../../../shared/methods/define.js";
import { type StoryRole, storyRoleOf } from "../../../shared/methods/story-roles.js";
import { Address } from "../../../shared/values/address.js";
import { bytesOfBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { DocumentedMethod } from "./methods.js";
import { shortened } from "./shortened.js";

type StoryDeps = {
  /** Runs a method of the service. */
  call: (method: string, params: object) => Promise<unknown>;
  hasIndex: boolean;
  /** Receives why the documents lack an answer. */
  failed: (error: unknown) => void;
};

type Roles = ReadonlyMap<StoryRole, string>;

/** Answers that are longer, with one entry of each list, would bury the documents. */
const maxResultLength = 9_000;

/** Examples that are true of a devnet with sample data: parameters that name these, and the answers. */
export class StoryExamples {
  readonly #deps: StoryDeps;
  /** A block by which all sample data were there. */
  #end: number | undefined;
  #roles: Promise<Roles | undefined> | undefined;

  constructor(deps: StoryDeps) {
    this.#deps = deps;
  }

  /** The values of all roles; `undefined` without sample data, or while some is missing. Cached until `forget`. */
  async roles(): Promise<Roles | undefined> {
    const finding = this.#roles ?? this.#find();
    this.#roles = finding;
    const found = await finding.catch((error) => this.#failed(error));
    if (found === undefined && this.#roles === finding) this.#roles = undefined;
    return found;
  }

  /** The chain was reverted: what was found may be gone. */
  forget(): void {
    this.#roles = undefined;
    this.#end = undefined;
  }

  /** The methods with the story's examples. These are called one after another, to leave the machine to callers. */
  async tell(methods: readonly DocumentedMethod[], roles: Roles): Promise<DocumentedMethod[]> {
    const told: DocumentedMethod[] = [];
    for (const method of methods) {
      const { definition } = method;
      const drawn: AnyExample[] = [];
      for (const example of definition.examples) drawn.push(await this.#draw(method, example, roles));
      const [first, ...others] = drawn;
      told.push({ ...method, definition: { ...definition, examples: [first!, ...others] } });
    }
    return told;
  }

  async #find(): Promise<Roles | undefined> {
    const info = (await this.#deps.call("devnet.info", {})) as Info;
    if (!info.story_told || info.contracts.length === 0 || !(await this.#isIndexed())) return undefined;
    const events = this.#deps.hasIndex ? await this.#events(info) : [];
    return new Map([...participants(info), ...(await this.#account(info)), ...events]);
  }

  async #account({ wallets }: Info): Promise<[StoryRole, string][]> {
    const address = itemAt(wallets, 0).address;
    const { last_transaction_id: last } = (await this.#deps.call("getAddressInformation", { address })) as {
      last_transaction_id: { lt: string; hash: string };
    };
    return [
      ["friendly_account", Address.read(address)!.address.toFriendly({ urlSafe: true })],
      ["account_lt", last.lt],
      ["account_hash", last.hash],
    ];
  }

  async #isIndexed(): Promise<boolean> {
    if (!this.#deps.hasIndex) return true;
    this.#end ??= ((await this.#deps.call("getMasterchainInfo", {})) as Last).last.seqno;
    return ((await this.#deps.call("v3.masterchainInfo", {})) as Last).last.seqno >= this.#end;
  }

  /** A transfer of jettons, the message that began its last transaction, and who leads an auction of a domain. */
  async #events({ contracts }: Info): Promise<[StoryRole, string][]> {
    const master = contracts.find(({ kind }) => kind === "jetton_master")?.address;
    const transfers = await this.#deps.call("v3.jetton.transfers", { jetton_master: master, limit: 1 });
    const [transfer] = (transfers as { jetton_transfers: [Transfer] }).jetton_transfers;
    const hash = transfer.transaction_hash;
    const transactions = await this.#deps.call("v3.transactions", { hash });
    const [{ in_msg: message }] = (transactions as { transactions: [{ in_msg: Message }] }).transactions;
    return [
      ["trace_id", transfer.trace_id],
      ["transaction_hash", hash],
      ["debug_run", `tx:${bytesToHex(bytesOfBase64(hash))}`],
      ["message_hash", message.hash],
      ["message_source", message.source],
      ["message_destination", message.destination],
      ["message_lt", message.created_lt],
      ...(await this.#bidders(contracts)),
      ...(await this.#stakers(contracts)),
    ];
  }

  async #bidders(contracts: Info["contracts"]): Promise<[StoryRole, string][]> {
    const found: [StoryRole, string][] = [];
    for (const { address } of contracts.filter(({ kind }) => kind === "wallet")) {
      const { auctions } = (await this.#deps.call("v3.dns.activeAuctions", { bidder: address })) as {
        auctions: unknown[];
      };
      if (auctions.length > 0) found.push(["bidder", address]);
    }
    return found;
  }

  /** There are some with elections only. */
  async #stakers(contracts: Info["contracts"]): Promise<[StoryRole, string][]> {
    const pool = contracts.find(({ kind }) => kind === "nominator_pool")?.address;
    if (pool === undefined) return [];
    const found = (await this.#deps.call("v3.staking.nominatorPools.pool", { pool })) as Pool;
    const [nominator] = found.active_nominators;
    return [
      ["pool_validator", found.validator_address],
      ...(nominator ? [["nominator", nominator.address] satisfies [StoryRole, string]] : []),
    ];
  }

  #failed(error: unknown): undefined {
    this.#deps.failed(error);
  }

  /** An example with the story's parameters, if it has some, and the answer to them, if it can be shown. */
  async #draw(
    { name, definition }: DocumentedMethod,
    example: AnyExample,
    roles: Roles,
  ): Promise<AnyExample> {
    const params = example.story && filled(example.story, roles);
    // The sample data have nothing that it names, such as pools without elections.
    if (example.story && !params) return example;
    const drawn = params ? { ...example, params } : example;
    // Methods that change something, or that answer about callers, their keys or these documents, are not called.
    const { freshness, needsKey } = definition;
    if (freshness.kind === "effect" || needsKey || isForOwner(definition) || name === "rpc.discover")
      return drawn;
    const result = await this.#deps.call(name, drawn.params).catch((error) => this.#failed(error));
    const shown = shortened(result);
    const isShown = result !== undefined && JSON.stringify(shown).length <= maxResultLength;
    return isShown ? { ...drawn, result: shown } : drawn;
  }
}

type Last = { last: { seqno: number } };
type Info = {
  story_told: boolean;
  faucet: { address: string };
  wallets: { address: string; name: string }[];
  contracts: { address: string; kind: string }[];
};
type Transfer = { trace_id: string; transaction_hash: string };
type Pool = { validator_address: string; active_nominators: { address: string }[] };
type Message = { hash: string; source: string; destination: string; created_lt: string };

function participants({ faucet, wallets, contracts }: Info): [StoryRole, string][] {
  return [
    ["faucet", faucet.address],
    ...wallets.map(({ name, address }): [StoryRole, string] => [name.toLowerCase() as StoryRole, address]),
    // The first contract of a kind comes last and so wins. Kinds without a role are ignored.
    ...contracts.toReversed().map(({ kind, address }): [StoryRole, string] => [kind as StoryRole, address]),
  ];
}

/** Parameters with the values of their roles; `undefined` if one is not known. */
function filled(params: object, roles: Roles): Record<string, unknown> | undefined {
  let isKnown = true;
  const text = JSON.stringify(params, (_, value) => {
    const role = storyRoleOf(value);
    if (role === undefined) return value;
    isKnown &&= roles.has(role);
    return roles.get(role);
  });
  return isKnown ? JSON.parse(text) : undefined;
}

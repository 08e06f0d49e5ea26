import type { Call, Handlers, ParamsOf, ResultOf } from "../../../shared/methods/define.js";
import { JsonText } from "../../../shared/methods/json-text.js";
import { type actonMethods, maxSelected } from "../../../shared/methods/v3/acton.js";
import type { Direction } from "../../../shared/schema/v3/acton.js";
import type { AbiCoder } from "../../../shared/ton/abi/coder.js";
import type { MessageList } from "../../../shared/ton/abi/model.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Artifact } from "../../artifacts/artifact.js";
import { type Abis, type ChosenAbi, coderOf } from "../../artifacts/store.js";
import { paidTurns } from "../../chain/paid-turns.js";
import { ServiceError } from "../../errors.js";
import { type MethodByAbi, writeArguments } from "../../present/v3/abi.js";
import {
  catalogIdOf,
  presentContract,
  presentMethod,
  presentRun,
  presentSnapshot,
  presentType,
} from "../../present/v3/acton.js";
import { requireBoc } from "../input/cells.js";
import { withV2Errors } from "../v2/lite-errors.js";
import { type RunMethodDeps, runOnAccount } from "../v2/run-method.js";
import { argumentOf } from "./get-method-run.js";

/** Characters of an answer. */
const maxAnswer = 8 << 20;

type Contracts = { artifacts: Pick<Abis, "list" | "artifactsOf"> };
type RunDeps = RunMethodDeps & { artifacts: Pick<Abis, "abisOf"> };
export type ActonDeps = Contracts & RunDeps;

export const actonHandlers: Handlers<Pick<typeof actonMethods, "contracts" | "decode">, Contracts, "text"> = {
  async contracts({ code_hash, catalog_id, limit, offset }, { artifacts }, call) {
    const selectors = code_hash.length + catalog_id.length;
    if (selectors > maxSelected) refuse("catalog_id", `at most ${maxSelected} contracts can be selected`);
    const chosen = selectors > 0 ? selected({ code_hash, catalog_id }, artifacts) : byId(artifacts.list());
    const paid = paidTurns(call);
    const texts: string[] = [];
    let left = maxAnswer;
    for (const artifact of chosen.slice(offset, offset + (limit ?? chosen.length))) {
      const text = await paid(() => JSON.stringify(presentContract(artifact, { withAbi: selectors > 0 })));
      left -= text.length;
      if (left < 0)
        throw new ServiceError("too-large", "the answer exceeds 8 MiB: ask for fewer contracts at once");
      texts.push(text);
    }
    const page = { total: chosen.length, limit: limit ?? chosen.length, offset };
    return new JsonText<ResultOf<typeof actonMethods.contracts>>(
      `{"contracts":[${texts.join()}],${JSON.stringify(page).slice(1)}`,
    );
  },

  async decode({ catalog_id, contract_type = catalog_id, code_hash, direction, body }, { artifacts }, call) {
    if ((contract_type === undefined) === (code_hash === undefined))
      refuse("contract_type", "exactly one of contract_type, code_hash is needed");
    const artifact = onlyOne(
      code_hash ? exactly(artifacts, bytesToBase64(code_hash)) : named(artifacts, String(contract_type)),
    );
    const coder = coderOf(artifact);
    if (!coder) return refuse("contract_type", "the ABI of this contract is malformed");
    const { type, value } = await paidTurns(call)(() =>
      decodeCell(coder, direction, requireBoc("body", body, 422)),
    );
    return {
      catalog_id: catalogIdOf(artifact),
      direction,
      type: presentType(coder, type),
      decoded: value,
    };
  },
};

export const actonRunHandlers: Handlers<Pick<typeof actonMethods, "runGetMethod">, RunDeps> = {
  runGetMethod: (params, deps, call) => withV2Errors(run(params, deps, call)),
};

async function run(params: ParamsOf<typeof actonMethods.runGetMethod>, deps: RunDeps, call: Call) {
  const { address, method: name, args, stack, mc_seqno: seqno = params.seqno } = params;
  if (args && stack) refuse("args", "only one of args, stack can be given");
  // Files of ABIs change between blocks.
  call.provisional = true;
  const given = stack?.map(argumentOf);
  let found: (MethodByAbi & { code: Cell }) | undefined;
  const turns = paidTurns(call);
  const { account, outcome } = await runOnAccount(
    { address, seqno },
    ({ code }) =>
      turns(() => {
        if (!code) throw new ServiceError("absent", "the account has no code");
        found = { code, ...methodOf(deps.artifacts.abisOf({ codeHash: bytesToBase64(code.hash()) }), name) };
        const { method } = found;
        return { methodId: method.id, stack: given ?? writeArguments(found, args ?? {}, method.name) };
      }),
    deps,
    call,
  );
  const { abi, method, code } = found!;
  const isExact = abi.artifact.codeHashes.includes(bytesToBase64(code.hash()));
  return {
    ...(await turns(() => presentRun(abi.coder, method, outcome))),
    snapshot: presentSnapshot(account, code),
    catalog_id: catalogIdOf(abi.artifact),
    method: presentMethod(abi.coder, method),
    identification: isExact ? ("exact_code_hash" as const) : ("library_reference" as const),
  };
}

function selected(
  { code_hash, catalog_id }: { code_hash: readonly Uint8Array[]; catalog_id: readonly string[] },
  artifacts: Contracts["artifacts"],
): Artifact[] {
  const found = [
    ...catalog_id.flatMap((id) => named(artifacts, id)),
    ...code_hash.flatMap((hash) => exactly(artifacts, bytesToBase64(hash))),
  ];
  return [...new Set(found)];
}

function named(artifacts: Contracts["artifacts"], id: string): Artifact[] {
  return artifacts.list().filter((each) => each.coder && catalogIdOf(each) === id);
}

/** The contracts with this code; those of the code that a library cell refers to only if there are no others. */
function exactly(artifacts: Contracts["artifacts"], codeHash: string): readonly Artifact[] {
  const found = artifacts.artifactsOf(codeHash).filter(({ coder }) => coder);
  const exact = found.filter(({ codeHashes }) => codeHashes.includes(codeHash));
  return exact.length > 0 ? exact : found;
}

function byId(artifacts: readonly Artifact[]): Artifact[] {
  const keyed = artifacts.flatMap((each) => (each.coder ? [[catalogIdOf(each), each] as const] : []));
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, each]) => each);
}

/** The operator's best one, or the catalogue's only one: its entries can differ in what the same bits mean. */
function onlyOne(found: readonly Artifact[]): Artifact {
  const [best] = found;
  if (!best) throw new ServiceError("absent", "the contract is not in the catalogue");
  if (!best.entry || found.length === 1) return best;
  return severalIn(found.map(catalogIdOf));
}

function severalIn(candidates: readonly string[]): never {
  throw new ServiceError("conflict", `several contracts have this code: ${candidates.join(", ")}`, {
    data: { candidates },
  });
}

const lists: Readonly<Record<Exclude<Direction, "storage" | "deployment_storage">, MessageList>> = {
  incoming_messages: "incoming",
  incoming_external: "external",
  outgoing_messages: "outgoing",
  emitted_events: "events",
};

function decodeCell(coder: AbiCoder, direction: Direction, cell: Cell) {
  if (direction === "storage" || direction === "deployment_storage") {
    const type = coder.abi.storage[direction === "storage" ? 0 : 1];
    if (type === undefined) return refuse("direction", `the ABI has no ${direction}`);
    const value = coder.readStorage(cell, "ton-center", [type]);
    return value === undefined
      ? refuse("body", `the cells are not of the type ${coder.nameOf(type)}`)
      : { type, value };
  }
  if (coder.abi.messages[lists[direction]].length === 0)
    return refuse("direction", `the ABI has no ${direction}`);
  return coder.decodeBody(cell, lists[direction]) ?? refuse("body", `the cells fit none of the ${direction}`);
}

/** The method of the best contract that has it. */
function methodOf(abis: Iterable<ChosenAbi>, nameOrId: string | number): MethodByAbi {
  let isKnown = false;
  for (const abi of abis) {
    isKnown = true;
    const method = abi.coder.getMethod(nameOrId);
    if (!method) continue;
    const { getMethods } = abi.coder.abi;
    const equals = getMethods.filter(({ name, id }) => id === method.id || name === nameOrId);
    if (equals.length === 1) return { abi, method };
    throw new ServiceError("conflict", `${catalogIdOf(abi.artifact)} has several such get-methods`);
  }
  if (isKnown) return refuse("method", "no ABI of the account's code has this get-method");
  throw new ServiceError("absent", "no ABI of the account's code is known");
}

function refuse(param: string, reason: string): never {
  throw new ServiceError("invalid-params", reason, { data: { param } });
}

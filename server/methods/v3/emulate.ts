import type { Call, Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { emulateMethods } from "../../../shared/methods/v3/emulate.js";
import type { Action } from "../../../shared/schema/v3/actions.js";
import type { Metadata } from "../../../shared/schema/v3/records.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { presentBoc } from "../../../shared/ton/present/records.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { EmulationRequest, Used } from "../../chain/run/emulation-request.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import type { Refusal } from "../../chain/run/trace-emulator.js";
import { ServiceError } from "../../errors.js";
import { addressesOfAction } from "../../present/v3/action.js";
import {
  type ExtrasSource,
  type IndexDeps,
  metadataFor,
  withAddressBook,
} from "../../present/v3/answer-extras.js";
import { presentMetadata } from "../../present/v3/metadata.js";
import {
  type PendingTrace,
  type PresentedTrace,
  pendingActionsByAbi,
  pendingByAbi,
  presentPending,
  presentPendingActions,
} from "../../present/v3/pending-traces.js";
import { isShown, shownTypes } from "../../present/v3/shown-actions.js";
import { describeExpected, withTexts } from "../../present/v3/texts.js";
import { traceTree } from "../../present/v3/trace.js";
import { addressesOf } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { Table } from "../../store/declare/table.js";
import { tokensOf } from "../../store/queries/tokens/tokens.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { runOn } from "../input/overrides.js";
import {
  bundledMessage,
  inBlock,
  type MessageReads,
  messageIn,
  orderAt,
  placeOf,
} from "./emulated-messages.js";
import { inBundle, type RefusalDeps, refusalError, unreached } from "./emulation-errors.js";
import type { Outcome } from "./messages/expected.js";
import type { TraceOrigin } from "./messages/failure-trial.js";
import { type OutcomeDeps, TriedOutcomes } from "./messages/tried-outcomes.js";

type EmulatedTrace = PendingTrace & {
  /** Whether the trace was cut at the limits. */
  isCut: boolean;
  /** The reason why there are no transactions. */
  refusal: Refusal | undefined;
  randSeed: Uint8Array;
  used: Used;
  /** Code cells of the accounts involved. */
  codes: readonly Cell[];
  data: readonly Cell[];
};
type EmulatedContract = { table: Table; row: object };
/** `isCut`: it took too long, and nothing was recognised. */
type Recognition = { contracts: readonly EmulatedContract[]; isCut: boolean };
const nothingRecognised: Recognition = { contracts: [], isCut: false };

export type EmulateDeps = OutcomeDeps &
  RefusalDeps &
  MessageReads & {
    emulation: {
      trace(request: EmulationRequest, call: RunCall): Promise<EmulatedTrace>;
      /** Contracts recognised in the final states of a trace. */
      recognise(trace: EmulatedTrace, call: RunCall): Promise<Recognition>;
      actions(
        queries: Queries,
        trace: EmulatedTrace,
        found: readonly EmulatedContract[],
      ): Promise<readonly ActionRow[]>;
    };
  };

type Params = Omit<ParamsOf<typeof emulateMethods.emulate.trace>, "boc" | "ignore_chksig">;
/** The answer to a message, and how its trace is tried again. */
type Emulated = {
  answer: Awaited<ReturnType<typeof present>>;
  trace: EmulatedTrace;
  origin: TraceOrigin | undefined;
};

/** Limit on the codes and data in an answer, as bags of cells. */
const maxCellBytes = 8 * 1024 * 1024;

export const emulateHandlers: Handlers<typeof emulateMethods, EmulateDeps> = {
  emulate: {
    trace: ({ boc, ignore_chksig, ...params }, deps, call) =>
      answered(params, deps, call, async (call) => {
        const message = messageIn(boc);
        const place = await placeOf(params, deps, call);
        const isNext = params.mc_block_seqno === undefined && !place.chain?.isChanged;
        return emulateAll({ message, ignoreSignatures: ignore_chksig, isNext, ...place }, params, deps, call);
      }),

    tonConnect: ({ from, messages, valid_until, ...params }, deps, call) =>
      answered(params, deps, call, async (call) => {
        const place = await placeOf(params, deps, call);
        const message = await orderAt({ from, messages, valid_until }, place, params, deps, call);
        const supported = params.supported_action_types ?? ["v1"];
        const own = { ...params, supported_action_types: supported };
        return emulateAll({ message, ignoreSignatures: true, isNext: false, ...place }, own, deps, call);
      }),
  },
};

/** The answers within the time limit of an emulation, then their outcomes within another one. */
async function answered(
  { bundle = [], include_hint }: Params,
  deps: EmulateDeps,
  call: Call,
  work: (call: Call) => Promise<Emulated[]>,
) {
  const emulated = await deps.emulation.limited(call, work);
  const outcomes = include_hint ? new TriedOutcomes(deps, call) : undefined;
  const answers: (Emulated["answer"] & { outcome?: Outcome })[] = [];
  for (const { answer, trace, origin } of emulated)
    answers.push(outcomes ? { ...answer, outcome: await outcomes.of(trace, origin) } : answer);
  const [first, ...following] = answers as [(typeof answers)[number], ...typeof answers];
  return bundle.length === 0 ? first : { ...first, bundle: following };
}

/** A message and, if there is a bundle, the messages that follow it. */
async function emulateAll(
  first: EmulationRequest,
  params: Params,
  deps: EmulateDeps,
  call: Call,
): Promise<Emulated[]> {
  const { bundle = [] } = params;
  const messages = 1 + bundle.length;
  const emulated = [await emulateOne({ ...first, messages }, params, deps, call)];
  for (const [index, bundled] of bundle.entries()) {
    try {
      const place = { block: first.block, chain: first.chain };
      const message = await bundledMessage(bundled, place, params, deps, call);
      const { used } = itemAt(emulated, -1).trace;
      const request = { ...first, ...message, messages, isNext: false, used };
      emulated.push(await emulateOne(request, params, deps, call));
    } catch (error) {
      throw inBundle(index, error);
    }
  }
  return emulated;
}

async function emulateOne(
  request: EmulationRequest,
  params: Params,
  deps: EmulateDeps,
  call: Call,
): Promise<Emulated> {
  const { block, ignoreSignatures } = request;
  // The chain of a bundle follows the trace.
  const chain = (params.include_hint && request.chain?.copy()) || deps.reader;
  const trace = await traceOf(request, params, deps, call);
  const origin = trace.first && { first: trace.first, chain, block, ignoreSignatures };
  return { answer: await present(trace, block, params, deps, call), trace, origin };
}

/** A trace with at least one transaction. */
async function traceOf(request: EmulationRequest, params: Params, deps: EmulateDeps, call: Call) {
  const trace = await inBlock(params, runOn(request.chain, deps.emulation.trace(request, call)));
  if (trace.rows.transactions.length > 0) return trace;
  if (trace.isCut && request.used) throw unreached();
  throw await refusalError(trace.refusal, request, deps, call);
}

async function present(
  trace: EmulatedTrace,
  block: BlockIdExt,
  params: Params,
  deps: EmulateDeps,
  call: Call,
) {
  const { include_abi, include_text } = params;
  const plain = presentPending(trace, new Map());
  const presented = include_abi ? await namedByAbi(plain, deps, call) : plain;
  const records = presented.transactions.map(({ record }) => record);
  const needsContracts = params.with_actions || params.include_metadata;
  const { contracts: found, isCut } = needsContracts
    ? await inBlock(params, deps.emulation.recognise(trace, call))
    : nothingRecognised;
  const needsIndex = needsContracts || params.include_address_book;
  const indexed = needsIndex
    ? await deps.index.read(call, async (queries) => {
        const source = { queries, call, book: deps.book };
        const plain = params.with_actions ? await actionsOf(queries) : [];
        const named = include_abi ? pendingActionsByAbi(plain, presented) : plain;
        const addresses = [...addressesOf(presented.transactions), ...named.flatMap(addressesOfAction)];
        const actions = include_text ? await withOwnTexts(queries, named) : named;
        return {
          actions,
          ...(params.include_address_book &&
            (await withAddressBook({}, addresses, { ...source, isLast: !params.include_metadata }))),
          ...(params.include_metadata && { metadata: await metadataOf(addresses, found, source) }),
        };
      })
    : { actions: [] };
  return {
    mc_block_seqno: block.seqno,
    trace: traceTree(records).root!,
    transactions: Object.fromEntries(records.map((record) => [record.hash, record])),
    ...indexed,
    ...(params.include_code_data && presentCells(trace)),
    rand_seed: bytesToBase64(trace.randSeed),
    is_incomplete: trace.isCut || isCut,
  };

  async function withOwnTexts(queries: Queries, actions: readonly Action[]): Promise<Action[]> {
    const extras = { metadata: emulatedMetadata(found, deps.book) };
    const texts = await describeExpected(queries, actions, trace.rows, { book: deps.book, extras });
    return withTexts(actions, texts);
  }

  async function actionsOf(queries: Queries): Promise<Action[]> {
    const rows = await deps.emulation.actions(queries, trace, found);
    const types = shownTypes(params.supported_action_types, call);
    return presentPendingActions(
      queries,
      rows.filter((row) => isShown(row, types)),
      presented,
    );
  }
}

/** Accounts of an index that are not part of the trace have a code too. */
function namedByAbi(
  trace: PresentedTrace,
  { index, book, hasIndex }: EmulateDeps,
  call: Call,
): Promise<PresentedTrace> {
  const read = (queries: Queries | undefined) => pendingByAbi(trace, { queries, call, book });
  return hasIndex ? index.read(call, read) : read(undefined);
}

/** Stored metadata, and emulated metadata of tokens that are not stored. */
async function metadataOf(
  addresses: readonly string[],
  found: readonly EmulatedContract[],
  source: ExtrasSource,
): Promise<Metadata> {
  if (source.call.options.noMetadata) return {};
  const tokens = tokensOf(found);
  const masters = tokens.jetton_wallets.map(({ jetton }) => jetton);
  const stored = await metadataFor([...addresses, ...masters], source);
  return { ...emulatedMetadata(found, source.book), ...stored };
}

/** Metadata of tokens that exist in the emulation. */
function emulatedMetadata(found: readonly EmulatedContract[], book: IndexDeps["book"]): Metadata {
  const emulated = presentMetadata(tokensOf(found), book.tokens?.imageLinks);
  return Object.fromEntries(
    Object.entries(emulated).map(([address, entry]) => [address, { ...entry, is_indexed: false }]),
  );
}

function presentCells({ codes, data }: EmulatedTrace) {
  let left = maxCellBytes;
  const present = (cells: readonly Cell[]) =>
    Object.fromEntries(
      cells.map((cell) => {
        const boc = presentBoc(cell);
        left -= boc.length;
        if (left < 0)
          throw new ServiceError("too-large", "codes and data are too large: ask without include_code_data");
        return [bytesToBase64(cell.hash()), boc];
      }),
    );
  return { code_cells: present(codes), data_cells: present(data) };
}

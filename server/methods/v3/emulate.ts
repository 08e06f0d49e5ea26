import type { Call, Handlers, ParamsOf } from "../../../shared/methods/define.js";
import type { emulateMethods } from "../../../shared/methods/v3/emulate.js";
import type { Action } from "../../../shared/schema/v3-actions.js";
import type { Metadata } from "../../../shared/schema/v3-records.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { RunCall } from "../../chain/run/method-runner.js";
import type { Refusal } from "../../chain/run/trace-emulator.js";
import { ServiceError } from "../../errors.js";
import { presentBoc } from "../../present/v2/records.js";
import { addressesOfAction } from "../../present/v3/action.js";
import { type ExtrasSource, metadataFor, withAddressBook } from "../../present/v3/answer-extras.js";
import type { IndexDeps } from "../../present/v3/index-deps.js";
import { presentMetadata } from "../../present/v3/metadata.js";
import { type PendingTrace, presentPending, presentPendingActions } from "../../present/v3/pending-traces.js";
import { isShown, shownTypes } from "../../present/v3/shown-actions.js";
import { describeExpected, withTexts } from "../../present/v3/texts.js";
import { traceTree } from "../../present/v3/trace.js";
import { addressesOf } from "../../present/v3/transaction.js";
import type { Queries } from "../../store/database.js";
import type { Table } from "../../store/declare/table.js";
import { tokensOf } from "../../store/queries/tokens/tokens.js";
import type { ActionRow } from "../../store/tables/actions.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { cellOfBoc } from "../v2/input/cells.js";
import { withErrorContext } from "../v2/lite-errors.js";
import { checkReceiver, refusalError, undecodable } from "./emulation-errors.js";
import { composeOrder, type OrderDeps } from "./requested-order.js";

type EmulatedTrace = PendingTrace & {
  /** Whether the trace was cut at the limits. */
  isCut: boolean;
  /** The reason why there are no transactions. */
  refusal: Refusal | undefined;
  randSeed: Uint8Array;
  /** Code cells of the accounts involved. */
  codes: readonly Cell[];
  data: readonly Cell[];
};
type EmulatedContract = { table: Table; row: object };
/** `isCut`: it took too long, and nothing was recognised. */
type Recognition = { contracts: readonly EmulatedContract[]; isCut: boolean };
const nothingRecognised: Recognition = { contracts: [], isCut: false };

export type EmulateDeps = IndexDeps &
  OrderDeps & {
    /** Without it there are no address book and metadata. */
    hasIndex: boolean;
    emulation: {
      /** Throws `timeout` after the time limit of an emulation. */
      limited<T>(call: Call, work: (call: Call) => Promise<T>): Promise<T>;
      trace(request: Request, call: RunCall): Promise<EmulatedTrace>;
      /** Contracts recognised in the final states of a trace. */
      recognise(trace: EmulatedTrace, call: RunCall): Promise<Recognition>;
      actions(
        queries: Queries,
        trace: EmulatedTrace,
        found: readonly EmulatedContract[],
      ): Promise<readonly ActionRow[]>;
    };
  };

/** `isNext`: messages waiting for the receiver are run before this one. */
type Request = { message: Cell; block: BlockIdExt; ignoreSignatures: boolean; isNext: boolean };
type Params = Omit<ParamsOf<typeof emulateMethods.emulate.trace>, "boc" | "ignore_chksig">;

/** Limit on the codes and data in an answer, as bags of cells. */
const maxCellBytes = 8 * 1024 * 1024;

export const emulateHandlers: Handlers<typeof emulateMethods, EmulateDeps> = {
  emulate: {
    trace: ({ boc, ignore_chksig, ...params }, deps, call) =>
      deps.emulation.limited(call, async (call) => {
        const message = cellOfBoc(boc);
        if (!message) throw undecodable("Can't deserialize message boc: it is no bag of one root cell");
        checkReceiver(message);
        const block = await blockOf(params, deps, call);
        const isNext = params.mc_block_seqno === undefined;
        return answer({ message, block, ignoreSignatures: ignore_chksig, isNext }, params, deps, call);
      }),

    tonConnect: ({ from, messages, valid_until, ...params }, deps, call) =>
      deps.emulation.limited(call, async (call) => {
        const block = await blockOf(params, deps, call);
        const request = { from, messages, validUntil: valid_until };
        const message = await inBlock(params, composeOrder(request, block, deps, call));
        const supported = params.supported_action_types ?? ["v1"];
        const own = { ...params, supported_action_types: supported };
        return answer({ message, block, ignoreSignatures: true, isNext: false }, own, deps, call);
      }),
  },
};

async function blockOf(
  { mc_block_seqno: seqno, include_address_book, include_metadata }: Params,
  { reader, hasIndex }: EmulateDeps,
  call: Call,
): Promise<BlockIdExt> {
  if (!hasIndex && (include_address_book || include_metadata)) {
    const text = "invalid request: address book and metadata are not available";
    throw new ServiceError("invalid-params", text, { status: 400 });
  }
  if (seqno === undefined) return reader.last;
  if (seqno > reader.last.seqno) throw new ServiceError("liteserver-error", "mc block seqno is too new");
  if (seqno === 0)
    throw new ServiceError("liteserver-error", "failed to fetch mc block 0: it is the zero state");
  return inBlock({ mc_block_seqno: seqno }, reader.blockAt(seqno, call));
}

/** States of old blocks may be unavailable. */
function inBlock<T>({ mc_block_seqno: seqno }: Pick<Params, "mc_block_seqno">, step: Promise<T>): Promise<T> {
  return withErrorContext(seqno === undefined ? "" : `failed to fetch mc block ${seqno}: `, step);
}

async function answer(request: Request, params: Params, deps: EmulateDeps, call: Call) {
  const trace = await inBlock(params, deps.emulation.trace(request, call));
  if (trace.rows.transactions.length === 0) throw refusalError(trace.refusal);
  const presented = presentPending(trace, new Map());
  const records = presented.transactions.map(({ record }) => record);
  const needsContracts = params.with_actions || params.include_metadata;
  const { contracts: found, isCut } = needsContracts
    ? await inBlock(params, deps.emulation.recognise(trace, call))
    : nothingRecognised;
  const needsIndex = needsContracts || params.include_address_book;
  const indexed = needsIndex
    ? await deps.index.read(call, async (queries) => {
        const plain = params.with_actions ? await actionsOf(queries) : [];
        const addresses = [...addressesOf(presented.transactions), ...plain.flatMap(addressesOfAction)];
        const source = { queries, call, book: deps.book };
        const actions = params.include_text ? await withOwnTexts(queries, plain) : plain;
        return {
          actions,
          ...(params.include_address_book &&
            (await withAddressBook({}, addresses, { ...source, isLast: !params.include_metadata }))),
          ...(params.include_metadata && { metadata: await metadataOf(addresses, found, source) }),
        };
      })
    : { actions: [] };
  return {
    mc_block_seqno: request.block.seqno,
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

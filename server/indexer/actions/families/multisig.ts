import type { ActionMembers, StoredType } from "../../../../shared/actions/all.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { commentOf, tonTransfer } from "../basic-blocks.js";
import { BlockKind } from "../block-kind.js";
import { bocText } from "../boc-text.js";
import { fieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, either, transfer } from "../pattern.js";
import type { AddressText } from "../trace.js";

type OfOrder<T extends StoredType> = {
  readonly members: ActionMembers<T>;
  /** Signers of the order; also listed among the row's accounts. */
  readonly signers: readonly AddressText[];
};

function orderKind<T extends StoredType>(type: T): BlockKind<T, OfOrder<T>> {
  return new BlockKind<T, OfOrder<T>>(type, {
    type,
    row: ({ members }) => members,
    accounts: ({ signers }) => signers,
  });
}

function signersOf(order: AddressText | undefined, contracts: ContractLookups) {
  return contracts.at(order).multisigOrder?.signers;
}

const unknownOrder = cancel("the order is unknown");

const createOrderKind = orderKind("multisig_create_order");

export const multisigCreateOrder: Matcher = {
  name: "multisig create order",
  pattern: call(0xf718510f).followedBy(call(0x9c73fba2).as("init")),
  build: (match, contracts) => {
    const { anchor } = match;
    const init = match.get("init");
    const signers = signersOf(init.account, contracts);
    if (!signers) return unknownOrder;
    const request = fieldsOf("multisig_new_order_start", anchor);
    const members = {
      source: anchor.source,
      destination: anchor.account,
      destination_order: init.account,
      query_id: request.query_id,
      order_seqno: request.order_seqno,
      is_created_by_signer: request.signer,
      is_signed_by_creator: fieldsOf("multisig_order_init_start", init).signer_index !== undefined,
      creator_index: Number(request.index),
      expiration_date: Number(request.expiration_date),
      order_boc: bocText(request.order, { crc32: false }),
    };
    return createOrderKind.build({ members, signers }, { from: [anchor, init] });
  },
};

const approveKind = orderKind("multisig_approve");
const answer = either(call(0x82609bf6).as("accepted"), call(0xafaf283e).as("rejected"));
const signerByComment = -1;

export const multisigApprove: Matcher = {
  name: "multisig approve",
  pattern: either(
    call(0xa762230f).followedBy(answer),
    transfer()
      .where("with the comment approve", ({ node }) => commentOf(node).text === "approve")
      .followedBy(answer),
  ),
  build: (match, contracts) => {
    const { anchor } = match;
    const signers = signersOf(anchor.account, contracts);
    if (!signers) return unknownOrder;
    const accepted = match.find("accepted");
    const answered = accepted ?? match.get("rejected");
    const members = {
      source: anchor.source,
      destination: anchor.account,
      signer_index:
        anchor.kind === tonTransfer
          ? signerByComment
          : Number(fieldsOf("multisig_approve", anchor).signer_index),
      exit_code: accepted ? 0 : Number(fieldsOf("multisig_approve_rejected", answered).exit_code),
    };
    const isFailed = accepted === undefined;
    return approveKind.build({ members, signers }, { isFailed, from: [anchor, answered] });
  },
};

const executeKind = orderKind("multisig_execute");

export const multisigExecute: Matcher = {
  name: "multisig execute",
  pattern: call(0x75097f5d),
  build: ({ anchor }, contracts) => {
    const signers = signersOf(anchor.source, contracts);
    if (!signers) return unknownOrder;
    const request = fieldsOf("multisig_execute_start", anchor);
    const members = {
      source: anchor.source,
      destination: anchor.account,
      query_id: request.query_id,
      order_seqno: request.order_seqno,
      expiration_date: Number(request.expiration_date),
      approvals_num: Number(request.approvals_num),
      signers_hash: bytesToBase64(request.signers_hash),
      order_boc: bocText(request.order, { crc32: false }),
    };
    return executeKind.build({ members, signers }, { isFailed: anchor.isFailed });
  },
};

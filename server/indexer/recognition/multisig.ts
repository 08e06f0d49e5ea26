import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { confirmOrder, readClaimedOrder, readMultisig } from "../../contracts/multisig.js";
import { addressFromBytes, addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables/all-tables.js";
import { detector } from "./detector.js";

export const multisig = detector({
  table: tables.multisigs,
  versions: [
    {
      needs: ["get_multisig_data"],
      async read(methods, address) {
        const { nextOrderSeqno, threshold, signers, proposers } = await readMultisig(methods, address);
        return {
          next_order_seqno: nextOrderSeqno,
          threshold,
          signers: signers.map(addressToBytes),
          proposers: proposers.map(addressToBytes),
        };
      },
    },
  ],
});

export const multisigOrder = detector({
  table: tables.multisigOrders,
  versions: [
    {
      needs: ["get_order_data"],
      async read(methods, address) {
        const order = await readClaimedOrder(methods, address);
        return {
          multisig_address: addressToBytes(order.multisig),
          order_seqno: order.seqno,
          threshold: order.threshold,
          sent_for_execution: order.isSent,
          signers: order.signers.map(addressToBytes),
          approvals_mask: order.approvalsMask,
          approvals_num: order.approvals,
          expiration_date: order.expirationDate,
          order_boc: serializeBoc(order.actions, { crc32: false }),
        };
      },
    },
  ],
  ownerLink: {
    owner: "multisig_address",
    by: ["order_seqno"],
    confirm: (methods, address, { multisig_address, order_seqno }) =>
      confirmOrder(methods, address, {
        multisig: addressFromBytes(multisig_address),
        seqno: order_seqno,
      }),
  },
});

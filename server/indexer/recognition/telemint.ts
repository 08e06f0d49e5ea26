import { readTelemintItem } from "../../contracts/telemint.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables/all-tables.js";
import { detector } from "./detector.js";

export const telemintItem = detector({
  table: tables.telemintItems,
  versions: [
    {
      needs: [
        "get_telemint_token_name",
        "get_telemint_auction_state",
        "get_telemint_auction_config",
        "royalty_params",
      ],
      async read(methods, address) {
        const { tokenName, state, config, royalty } = await readTelemintItem(methods, address);
        return {
          token_name: tokenName,
          bidder_address: state.bidder && addressToBytes(state.bidder),
          bid: state.bid,
          bid_ts: state.bidTime,
          min_bid: state.minBid,
          end_time: state.endTime,
          beneficiary_address: config.beneficiary && addressToBytes(config.beneficiary),
          initial_min_bid: config.initialMinBid,
          max_bid: config.maxBid,
          min_bid_step: config.minBidStep,
          min_extend_time: config.minExtendTime,
          duration: config.duration,
          royalty_numerator: royalty.numerator,
          royalty_denominator: royalty.denominator,
          royalty_destination: addressToBytes(royalty.destination),
          has_auction: config.beneficiary !== undefined,
        };
      },
    },
  ],
});

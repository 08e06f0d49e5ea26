import { readVesting, vestingCodeHash } from "../../contracts/vesting.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables/all-tables.js";
import { detector } from "./detector.js";

export const vesting = detector({
  table: tables.vestingContracts,
  versions: [
    {
      needs: ["get_vesting_data"],
      codeHash: vestingCodeHash,
      async read(methods, address) {
        const found = await readVesting(methods, address);
        return {
          vesting_start_time: found.startTime,
          vesting_total_duration: found.totalDuration,
          unlock_period: found.unlockPeriod,
          cliff_duration: found.cliffDuration,
          vesting_total_amount: found.totalAmount,
          vesting_sender_address: addressToBytes(found.sender),
          owner_address: addressToBytes(found.owner),
          whitelist: found.whitelist.map(addressToBytes),
        };
      },
    },
  ],
});

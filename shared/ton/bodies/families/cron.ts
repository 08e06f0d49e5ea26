/** Cron: scheduled calls, which any account can trigger for a reward. */
export const cron = `
cron_trigger#2114702d reward_address:MsgAddress salt:uint32
cron_reward#2e04891a rest:Cell
cron_notify#d027efe5 init_state_hash:uint256 init_state_depth:uint10
cron_init#2e41d3ac rest:Cell
cron_destroyed#bbe27821 rest:Cell
`;

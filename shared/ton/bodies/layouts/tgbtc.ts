/** tgBTC: the event of a burn; old coordinators log fewer fields, or other data after the amount. */
export const tgbtcLayouts = `
tgbtc_burn_start#ca444ce6 amount:Coins sender:AnyAddress pegout:AnyAddress
tgbtc_burn_start#ca444ce6 amount:Coins sender:AnyAddress pegout:None
tgbtc_burn_start#ca444ce6 amount:Coins sender:None pegout:None
`;

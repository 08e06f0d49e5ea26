/** counter.tolk, compiled by `npm run compile`. */
export const counterCode =
  "te6ccgEBBAEATAABFP8A9KQT9LzyyAsBAgFiAgMAVND4kfJAIMcAkTDg1ywgAAAADPK/0z8x0e1E0NMf0z/RpAHIyx/LP8ntVAAXoL/52omhpj5jpn+j";

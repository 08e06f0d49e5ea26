import type { NominatorPool } from "../../../../client/api.js";
import { isRpcError } from "../../../../client/errors.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { poolState } from "../network/pool-state.js";
import { addressLink, friendlyOf, rawOf } from "../parts/address.js";
import { amountText, coin, count } from "../parts/amount.js";
import { failure, needsIndex } from "../parts/failure.js";
import type { Names } from "../parts/names.js";
import { listTable, numbers } from "../parts/table.js";
import type { View, ViewContext } from "../view.js";

/** Interface of nominator pools in the address book. */
const poolInterface = "tv_pool";
/** Recent stakes and sets that are searched for pools. */
const searched = { events: 500, cycles: 2 };
/** Each takes a call. */
const maxPools = 40;

/** Nominator pools that stake, those of `?nominator=`, and a form to find others. */
export const showPools: View = async (context) => {
  const { root, title, query, indexed } = context;
  title("Nominator pools");
  const page = document.createElement("div");
  const nominator = rawOf(query.get("nominator") ?? "");
  if (!indexed) page.innerHTML = html`${heading}${needsIndex("A list of nominator pools")}`.text;
  else await (nominator === undefined ? showStaking(context, page) : showOf(context, page, nominator));
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

const heading = html`<h1 tabindex="-1">Nominator pools</h1>
  <p class="hint">A pool stakes the coins of its nominators together with those of its validator, and divides the rewards.</p>`;

const search = html`<form class="filters" id="find-pool">
  <label class="off-screen" for="pool-address">Pool or nominator</label>
  <input id="pool-address" name="address" placeholder="address of a pool or a nominator" maxlength="80" autocomplete="off" spellcheck="false">
  <button>Find</button><span class="problem" role="status"></span></form>`;

async function showStaking(context: ViewContext, page: HTMLElement): Promise<void> {
  const pools = await stakingPools(context);
  page.innerHTML = html`${heading}${search}
    ${
      pools.length === 0
        ? html`<p class="empty">No pool is among the recent stakes.</p>`
        : poolTable(pools, context.names)
    }
    <p class="hint">The list has the pools of recent stakes and sets of validators. Others are found by their address.</p>`.text;
  startFind(context, page);
}

async function showOf(context: ViewContext, page: HTMLElement, nominator: string): Promise<void> {
  const { call, names } = context;
  const { nominator_pools: own } = await call("v3.staking.nominatorPools.nominator", {
    nominator,
  });
  page.innerHTML = html`${heading}${search}
    <h2>Pools of ${addressLink(nominator, { names })}</h2>
    ${
      own.length === 0
        ? html`<p class="empty">This account is no pool, and no nominator of one.</p>`
        : listTable(
            "Pools of the nominator",
            ["Pool", numbers(`Balance, ${coin()}`), numbers("Waiting")],
            own.map((each) => [
              poolLink(each.pool_address, names),
              amountText(each.balance, 9),
              amountText(each.pending_balance, 9),
            ]),
          )
    }
    <p><a href="/pools">Pools that stake</a></p>`.text;
  startFind(context, page);
}

function startFind({ call, go, signal }: ViewContext, page: HTMLElement): void {
  const form = elementOf<HTMLFormElement>(page, "form");
  const problem = elementOf(form, ".problem");
  const find = async () => {
    const friendly = friendlyOf(elementOf<HTMLInputElement>(form, "input").value.trim());
    problem.textContent = friendly === undefined ? "Needed: an address, raw or friendly." : "";
    if (friendly === undefined) return;
    try {
      await call("v3.staking.nominatorPools.pool", { pool: friendly });
      go(`/pool/${friendly}`);
    } catch (error) {
      if (signal.aborted) return;
      if (isAbsent(error)) go(`/pools?nominator=${friendly}`);
      else problem.innerHTML = failure(error).text;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void find();
  });
}

export const isAbsent = (error: unknown) => isRpcError(error) && error.status === 404;

type FoundPool = NominatorPool & { readonly address: string };

/** Pools among the recent stakes and sets, and those of a devnet's sample data. */
async function stakingPools({ call, callQuietly, names }: ViewContext): Promise<FoundPool[]> {
  const [stakes, sets] = await Promise.all([
    call("v3.validators.events", { limit: searched.events }),
    call("v3.validators.cycles", { limit: searched.cycles, return_validators: true }),
  ]);
  const candidates = new Set<string>();
  for (const book of [stakes.address_book, sets.address_book]) {
    for (const [address, { interfaces }] of Object.entries(book))
      if (interfaces?.includes(poolInterface)) candidates.add(address);
  }
  for (const [address, { kind }] of names.all())
    if (kind === "nominator_pool") candidates.add(address.toUpperCase());
  const found = await Promise.all(
    [...candidates].slice(0, maxPools).map(async (address) => {
      try {
        return { ...(await callQuietly("v3.staking.nominatorPools.pool", { pool: address })), address };
      } catch (error) {
        // Other contracts can have the same methods.
        if (isAbsent(error)) return undefined;
        throw error;
      }
    }),
  );
  const staked = (pool: FoundPool) => BigInt(pool.stake_amount_sent);
  return found
    .filter((pool) => pool !== undefined)
    .sort((a, b) => Number(staked(b) > staked(a)) - Number(staked(b) < staked(a)));
}

function poolLink(address: string, names: Names): Markup {
  const friendly = friendlyOf(address);
  if (friendly === undefined) return html`<code>${address.slice(0, 80)}</code>`;
  const name = names.of(address);
  return html`<a class="${name === undefined ? "mono" : "named"}" href="/pool/${friendly}" title="${friendly}">${name ?? `${friendly.slice(0, 6)}…${friendly.slice(-4)}`}</a>`;
}

function poolTable(pools: readonly FoundPool[], names: Names): Markup {
  return listTable(
    "Nominator pools",
    [
      "Pool",
      "State",
      numbers("Nominators"),
      numbers(`Staked, ${coin()}`),
      numbers("Validator's own"),
      numbers("Smallest stake"),
      numbers("Validator's share"),
    ],
    pools.map((pool) => [
      poolLink(pool.address, names),
      poolState(pool.state),
      `${count(pool.nominators_count)} of ${count(pool.max_nominators_count)}`,
      amountText(pool.stake_amount_sent, 9),
      amountText(pool.validator_amount, 9),
      amountText(pool.min_nominator_stake, 9),
      `${pool.validator_reward_share / 100} %`,
    ]),
  );
}

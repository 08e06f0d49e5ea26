import type { ContractAbi, RawFullAccountState } from "../../../../client/api.js";
import { prefixText } from "../../../../shared/ton/abi/type-names.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { elementOf } from "../../pages/element.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { type Control, controlMarkup, type Request, startControl } from "../devnet/control-form.js";
import { accountList, accountListMarkup } from "../devnet/controls.js";
import { friendlyOf } from "../parts/address.js";
import { growCells } from "../parts/cell-tree.js";
import { optional } from "../parts/optional.js";
import { listTable } from "../parts/table.js";
import { claimed } from "../parts/text.js";
import { vouchers } from "../parts/vouchers.js";
import type { ViewContext } from "../view.js";
import { type Described, firstReadable } from "./described.js";
import { messageControl } from "./message-control.js";
import { type Contract, methodControl } from "./method-control.js";
import { followUnions } from "./typed-inputs.js";
import { TypedValues } from "./typed-values.js";

const ways: Readonly<Record<ContractAbi["by"], string>> = {
  call: "this page",
  code: "its code",
  address: "its address",
  opcode: "an opcode alone, which is a guess",
};

/** An account with ABIs. */
export type Account = {
  /** Friendly. */
  readonly address: string;
  readonly state: RawFullAccountState;
  readonly kinds: readonly string[];
  readonly abis: readonly ContractAbi[];
};

/** Shows a contract by its ABI: storage, get-methods and messages as forms, and errors. */
export function showContract(context: ViewContext, place: HTMLElement, account: Account): void {
  const { names } = context;
  const described = firstReadable(account.abis);
  const [first] = account.abis;
  if (!described) {
    place.innerHTML =
      html`${first && aboutMarkup(first)}<p class="hint">Its ABI is too long, or in a form that this page cannot read.</p>`.text;
    return;
  }
  const { about, coder } = described;
  const contract: Contract = { address: account.address, coder, kinds: account.kinds, names };
  const groups: readonly (readonly [title: string, forms: readonly Form[]])[] = [
    ["Get-methods", methodForms(contract)],
    ["Messages that it takes", messageForms(context, contract)],
  ];
  place.innerHTML = html`${aboutMarkup(about)}
    ${section("Storage", coder.abi.storage.length > 0 && account.state.data !== "" && html`<div data-part="storage"></div>`)}
    ${groups.map(([title, forms]) => section(title, forms.length > 0 && forms.map(formMarkup)))}
    ${section("Errors", about.errors.length > 0 && errorTable(about.errors))}
    ${accountListMarkup(names)}`.text;
  const storage = place.querySelector("[data-part=storage]");
  const showStorage = (data: string) => {
    if (storage) storage.innerHTML = storageMarkup(described, data, contract).text;
  };
  showStorage(account.state.data);
  growCells(place);
  followUnions(place);
  const refresh = async () => {
    const state = await optional(context.call("getAddressInformation", { address: account.address }));
    if (state) showStorage(state.data);
  };
  for (const form of groups.flatMap(([, forms]) => forms)) growForm(context, place, { ...form, refresh });
}

function aboutMarkup({ contract, compiler, trust, by }: ContractAbi): Markup {
  return html`<p><strong>${claimed(contract, 60)}</strong>${compiler !== "" && html` <span class="aside">${claimed(compiler, 60)}</span>`}</p>
    <p class="hint">ABI of ${vouchers[trust] ?? claimed(trust)}, found by ${ways[by] ?? claimed(by)}.</p>`;
}

function section(title: string, content: Content): Content {
  return content !== undefined && content !== false && html`<h3>${title}</h3>${content}`;
}

/** The data by the form of the storage that it has. */
function storageMarkup({ coder }: Described, data: string, { names }: Contract): Markup {
  const read = data === "" ? undefined : coder.readStorageForm(parseBocRoot(base64ToBytes(data)!));
  return read
    ? new TypedValues(coder, names).markup(read.value, read.type)
    : html`<p class="hint">The data do not fit the storage of this ABI.</p>`;
}

/** A form that is made when it is opened, as an ABI may have hundreds. */
type Form = {
  readonly id: string;
  readonly title: Content;
  /** Whether it changes the account. */
  readonly isSent: boolean;
  make(): Control;
};

const maxForms = 500;

function methodForms(contract: Contract): readonly Form[] {
  const { coder } = contract;
  return coder.abi.getMethods.slice(0, maxForms).map((method, place) => {
    const id = `get-method-${place}`;
    const parameters = method.parameters.map(({ name }) => name).join(", ");
    return {
      id,
      title: html`${claimed(method.name, 60)}<span class="type">(${claimed(parameters, 80)}): ${claimed(coder.nameOf(method.returns), 80)}</span>`,
      isSent: false,
      make: () => methodControl(contract, method, { id, accounts: accountList }),
    };
  });
}

function messageForms({ devnet }: ViewContext, contract: Contract): readonly Form[] {
  const { coder, names } = contract;
  const wallet = names.all().find(([, { kind }]) => kind === "wallet")?.[0];
  return (["incoming", "external"] as const).flatMap((list) =>
    coder
      .messages(list)
      .slice(0, maxForms)
      .map((message, place) => {
        const id = `${list}-message-${place}`;
        return {
          id,
          title: html`${claimed(message.name, 60)} <span class="type">${message.prefix && prefixText(message.prefix)}${list === "external" && " from outside"}</span>`,
          isSent: devnet,
          make: () =>
            messageControl(contract, message, {
              id,
              list,
              accounts: accountList,
              isSent: devnet,
              sender: wallet && friendlyOf(wallet),
            }),
        };
      }),
  );
}

function formMarkup({ id, title }: Form): Markup {
  return html`<details class="fold typed-form" id="${id}-fold"><summary>${title}</summary></details>`;
}

type Grown = Form & { refresh(): Promise<void> };

function growForm({ call }: ViewContext, place: HTMLElement, { id, make, isSent, refresh }: Grown): void {
  const fold = elementOf(place, `#${id}-fold`);
  const grow = () => {
    const control = make();
    fold.insertAdjacentHTML("beforeend", controlMarkup(control).text);
    const run = ({ method, params }: Request) =>
      (call as (method: string, params: object) => Promise<unknown>)(method, params);
    startControl(elementOf<HTMLFormElement>(fold, "form"), control, {
      run,
      changed: () => {
        // Rejects only if the user leaves the view.
        if (isSent) refresh().catch(() => undefined);
      },
    });
  };
  fold.addEventListener("toggle", grow, { once: true });
}

function errorTable(errors: ContractAbi["errors"]): Markup {
  return listTable(
    "Errors",
    ["Exit code", "Name", "Description"],
    errors.map(({ code, name, description }) => [
      String(code),
      claimed(name, 60),
      html`<span class="whole">${claimed(description, 300)}</span>`,
    ]),
  );
}

import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { maxNameLength, type OwnNames } from "./own-names.js";

type NameOptions = { readonly own: OwnNames; readonly address: string; onChange(): void };

/** The user's name of an address, with buttons to give, change and remove it. */
export function showOwnName(place: HTMLElement, { own, address, onChange }: NameOptions): void {
  const show = () => {
    const name = own.find(address);
    place.innerHTML =
      html`<span class="own-name">${name !== undefined && html`<span class="own">${name}</span> `}<button type="button" class="quiet" data-edit>${name === undefined ? "Name this address" : "Rename"}</button>${name !== undefined && html`<button type="button" class="quiet" data-remove>Remove</button>`}<a href="/address-book">Address book</a></span>`.text;
  };
  const edit = () => {
    place.innerHTML =
      html`<form class="own-name"><label class="off-screen" for="own-name">Your name of this address</label><input id="own-name" maxlength="${maxNameLength}" autocomplete="off" value="${own.find(address) ?? ""}"><button type="submit">Save</button><button type="button" class="quiet" data-cancel>Cancel</button><span class="problem" role="status"></span></form>`.text;
    elementOf<HTMLInputElement>(place, "input").focus();
  };
  const leave = () => {
    show();
    elementOf(place, "[data-edit]").focus();
  };
  const keep = (name: string) => {
    const problem = own.set(address, name);
    if (problem !== undefined) {
      const said = place.querySelector(".problem");
      if (said) said.textContent = problem;
      return;
    }
    leave();
    onChange();
  };
  place.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest("button");
    if (button?.matches("[data-edit]")) edit();
    else if (button?.matches("[data-remove]")) keep("");
    else if (button?.matches("[data-cancel]")) leave();
  });
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    keep(elementOf<HTMLInputElement>(place, "input").value.trim());
  });
  place.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && place.querySelector("form")) leave();
  });
  show();
}

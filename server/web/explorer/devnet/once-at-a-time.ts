/**
 * Runs the action of a button or form once at a time; ignores the second click of a double click and repeated events of
 * a held key.
 */
export class OnceAtATime {
  #isBusy = false;

  /** Whether a click or key event is a repetition to ignore. */
  static isRepeated(event: Event): boolean {
    return (event as UIEvent).detail > 1 || (event as KeyboardEvent).repeat === true;
  }

  async run(element: Element, action: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    element.setAttribute("aria-busy", "true");
    try {
      await action();
    } finally {
      this.#isBusy = false;
      element.removeAttribute("aria-busy");
    }
  }
}

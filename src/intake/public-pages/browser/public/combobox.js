import { all, debounce, make, say } from './dom.js';

/**
 * A field with a list of results, for keyboards and screen readers (ARIA 1.2, combobox).
 *
 * @template T
 * @typedef {object} Finding
 * @property {HTMLElement} place the parent of the list
 * @property {HTMLInputElement} input
 * @property {string} label of the list
 * @property {number} fewest minimum characters of a search; with 0 only results can be chosen, and arrow keys and clicks open the list
 * @property {(text: string) => Promise<T[]>} search
 * @property {(found: T) => string} text of a result
 * @property {(found: T) => void} choose
 * @property {(count: number) => string} count announces the number of results
 * @property {string} [none] shown if there are no results
 */

/** @template T @param {Finding<T>} of */
export function combobox(of) {
  new Combobox(of).listen();
}

/** @template T */
class Combobox {
  /** @type {Finding<T>} */
  #of;
  /** @type {HTMLElement} */
  #list;
  /** Whether only results can be chosen. */
  #bound;
  #lookups = 0;
  /** @type {T[]} */
  #found = [];
  #at = -1;

  /** @param {Finding<T>} of */
  constructor(of) {
    const { input, place, label } = of;
    this.#of = of;
    this.#list = make('ul', { id: this.#id, role: 'listbox', hidden: true, 'aria-label': label });
    this.#bound = of.fewest === 0;
    place.append(this.#list);
    const roles = { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': this.#id, 'aria-autocomplete': 'list' };
    // The autofill of the browser would cover the list.
    for (const [name, value] of Object.entries(this.#bound ? { ...roles, autocomplete: 'off' } : roles)) input.setAttribute(name, value);
  }

  listen() {
    const { input } = this.#of;
    const typed = debounce(() => void this.#search(input.value.trim()), 250);
    input.addEventListener('input', () => typed());
    input.addEventListener('blur', () => this.#close());
    if (this.#bound) input.addEventListener('click', () => void (this.#list.hidden && this.#search('')));
    input.addEventListener('keydown', (event) => {
      if (this.#takesKey(event.key)) event.preventDefault();
    });
    // `pointerdown` comes before the field loses the focus, which closes the list.
    this.#list.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const item = event.target instanceof Element ? event.target.closest('li') : null;
      if (item) this.#choose([...this.#list.children].indexOf(item));
    });
  }

  get #id() {
    return `${this.#of.input.id}-list`;
  }

  /** Handles a key in the field. Returns false for keys of the browser. @param {string} key */
  #takesKey(key) {
    const at = this.#at;
    if (this.#bound && key === 'Enter') {
      // A typed text is not an answer yet, so Enter does not send the form.
      if (!this.#list.hidden && (at >= 0 || this.#found.length === 1)) this.#choose(Math.max(at, 0));
    } else if (this.#list.hidden) {
      if (!this.#bound || !['ArrowDown', 'ArrowUp'].includes(key)) return false;
      void this.#search('');
    } else if (key === 'ArrowDown') this.#point(at + 1);
    else if (key === 'ArrowUp') this.#point(at < 0 ? this.#found.length - 1 : at - 1);
    else if (key === 'Enter' && at >= 0) this.#choose(at);
    else if (key === 'Escape') this.#close();
    else return false;
    return true;
  }

  #close() {
    const { input } = this.#of;
    this.#lookups += 1;
    this.#list.hidden = true;
    this.#at = -1;
    input.ariaExpanded = 'false';
    input.removeAttribute('aria-activedescendant');
  }

  /** @param {number} to */
  #point(to) {
    if (this.#found.length === 0) return;
    this.#at = (to + this.#found.length) % this.#found.length;
    all(this.#list, 'li', HTMLElement).forEach((item, place) => (item.ariaSelected = String(place === this.#at)));
    this.#of.input.setAttribute('aria-activedescendant', `${this.#id}-${this.#at}`);
    this.#list.children[this.#at]?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {number} which */
  #choose(which) {
    const one = this.#found[which];
    if (one !== undefined) this.#of.choose(one);
    this.#close();
    this.#of.input.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** @param {string} words */
  async #search(words) {
    const { input, fewest, search, text, count, none } = this.#of;
    this.#lookups += 1;
    const turn = this.#lookups;
    if (words.length < fewest || document.activeElement !== input) return this.#close();
    // A failed search is repeated with the next letter.
    const come = await search(words).catch(() => undefined);
    if (turn !== this.#lookups) return;
    if (come === undefined) return this.#close();
    [this.#found, this.#at] = [come, -1];
    input.removeAttribute('aria-activedescendant');
    const items = come.map((one, place) => make('li', { role: 'option', id: `${this.#id}-${place}`, 'aria-selected': 'false' }, text(one)));
    if (items.length === 0 && none === undefined) return this.#close();
    this.#list.replaceChildren(...(items.length > 0 ? items : [make('li', { role: 'option', 'aria-disabled': 'true' }, none ?? '')]));
    this.#list.hidden = false;
    input.ariaExpanded = 'true';
    say(items.length > 0 ? count(items.length) : (none ?? ''));
  }
}

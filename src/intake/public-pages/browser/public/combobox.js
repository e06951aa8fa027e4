import { all, calmly, make, say } from './dom.js';

/**
 * A field with a list of what is found under it, that the keyboard and the screen reader know (ARIA 1.2, combobox).
 *
 * @template T
 * @typedef {object} Finding
 * @property {HTMLElement} place where the list is put
 * @property {HTMLInputElement} input
 * @property {string} label of the list
 * @property {number} fewest characters that are searched for; with none, only what is found can be chosen: the arrow keys and a press open it
 * @property {(text: string) => Promise<T[]>} search
 * @property {(found: T) => string} text of one that is found
 * @property {(found: T) => void} choose
 * @property {(count: number) => string} count how many were found, in words
 * @property {string} [none] what stands in the list where nothing was found
 */

/** @template T @param {Finding<T>} of */
export function combobox({ place, input, label, fewest, search: searchFor, text, choose: take, count, none }) {
  const id = `${input.id}-list`;
  const list = make('ul', { id, role: 'listbox', hidden: true, 'aria-label': label });
  place.append(list);
  // Where the list is all there is to choose from, what the browser remembers would cover it.
  const bound = fewest === 0;
  const roles = { role: 'combobox', 'aria-expanded': 'false', 'aria-controls': id, 'aria-autocomplete': 'list' };
  for (const [name, value] of Object.entries(bound ? { ...roles, autocomplete: 'off' } : roles)) input.setAttribute(name, value);
  let asked = 0;
  /** @type {T[]} */
  let found = [];
  let at = -1;

  const close = () => {
    asked += 1;
    list.hidden = true;
    at = -1;
    input.ariaExpanded = 'false';
    input.removeAttribute('aria-activedescendant');
  };
  const point = (/** @type {number} */ to) => {
    if (found.length === 0) return;
    at = (to + found.length) % found.length;
    all(list, 'li', HTMLElement).forEach((item, place_) => (item.ariaSelected = String(place_ === at)));
    input.setAttribute('aria-activedescendant', `${id}-${at}`);
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (/** @type {number} */ which) => {
    const one = found[which];
    if (one !== undefined) take(one);
    close();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const search = async (/** @type {string} */ words) => {
    asked += 1;
    const turn = asked;
    if (words.length < fewest || document.activeElement !== input) return close();
    // What cannot be looked up now is looked up with the next letter.
    const come = await searchFor(words).catch(() => undefined);
    if (turn !== asked) return;
    if (come === undefined) return close();
    [found, at] = [come, -1];
    input.removeAttribute('aria-activedescendant');
    const items = found.map((one, place_) => make('li', { role: 'option', id: `${id}-${place_}`, 'aria-selected': 'false' }, text(one)));
    if (items.length === 0 && none === undefined) return close();
    list.replaceChildren(...(items.length > 0 ? items : [make('li', { role: 'option', 'aria-disabled': 'true' }, none ?? '')]));
    list.hidden = false;
    input.ariaExpanded = 'true';
    say(items.length > 0 ? count(items.length) : (none ?? ''));
  };
  const typed = calmly(() => void search(input.value.trim()), 250);

  input.addEventListener('input', () => typed());
  input.addEventListener('blur', close);
  if (bound) input.addEventListener('click', () => void (list.hidden && search('')));
  input.addEventListener('keydown', (event) => {
    if (bound && event.key === 'Enter') {
      // What is typed and not chosen is no answer yet: the form does not go without it.
      if (!list.hidden && (at >= 0 || found.length === 1)) choose(Math.max(at, 0));
    } else if (list.hidden) {
      if (!bound || !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
      void search('');
    } else if (event.key === 'ArrowDown') point(at + 1);
    else if (event.key === 'ArrowUp') point(at < 0 ? found.length - 1 : at - 1);
    else if (event.key === 'Enter' && at >= 0) choose(at);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  // Pressed, not clicked: the field would lose the focus before, and the list go.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const item = event.target instanceof Element ? event.target.closest('li') : null;
    if (item) choose([...list.children].indexOf(item));
  });
}

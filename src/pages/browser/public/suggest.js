import { all, calmly, fill, find, make, say } from './dom.js';
import { hidden } from './uploads.js';
import { ask } from './visit.js';

/**
 * Suggestions of addresses under the field, as a list that the keyboard and the screen reader know (ARIA 1.2, combobox).
 *
 * @import { Context } from './form.js'
 * @typedef {{ value: string, data?: Record<string, unknown> }} Suggestion
 */

const parts = ['street', 'city', 'region', 'postalCode', 'country'];

/** @param {Context} context */
export function suggestAddresses(context) {
  for (const place of all(context.form, '[data-address]', HTMLElement)) {
    const input = find(place, 'input:not([type=hidden])', HTMLInputElement);
    if (input) combobox(context, place, input);
  }
}

/** @param {Context} context @param {HTMLElement} place @param {HTMLInputElement} input */
function combobox({ operations, definition: { words, locale } }, place, input) {
  const field = place.dataset.address ?? '';
  const id = `${input.id}-list`;
  const list = make('ul', { id, role: 'listbox', hidden: true, 'aria-label': words.address.hint });
  place.append(list);
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': id,
    'aria-autocomplete': 'list',
  }))
    input.setAttribute(name, value);
  let asked = 0;
  /** @type {Suggestion[]} */
  let found = [];
  let at = -1;

  const close = () => {
    list.hidden = true;
    at = -1;
    input.ariaExpanded = 'false';
    input.removeAttribute('aria-activedescendant');
  };
  const point = (/** @type {number} */ to) => {
    at = (to + found.length) % found.length;
    all(list, 'li', HTMLElement).forEach((item, place_) => (item.ariaSelected = String(place_ === at)));
    input.setAttribute('aria-activedescendant', `${id}-${at}`);
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (/** @type {number} */ which) => {
    const { value, data = {} } = found[which] ?? { value: input.value };
    input.value = value;
    for (const old of all(place, 'input[type=hidden]', HTMLInputElement)) old.remove();
    place.append(...parts.flatMap((part) => (typeof data[part] === 'string' ? [hidden(`${field}.${part}`, data[part])] : [])));
    close();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const search = calmly(async () => {
    const q = input.value.trim();
    asked += 1;
    const turn = asked;
    if (q.length < 2 || document.activeElement !== input) return close();
    try {
      const answer = await ask(`${operations}/suggest?${new URLSearchParams({ q, count: '5', locale })}`, { type: 'json' });
      if (turn !== asked) return;
      found = answer.status === 200 ? (answer.response?.suggestions ?? []) : [];
    } catch {
      found = [];
    }
    list.replaceChildren(
      ...found.map(({ value }, place_) => make('li', { role: 'option', id: `${id}-${place_}`, 'aria-selected': 'false' }, value)),
    );
    if (found.length === 0) return close();
    list.hidden = false;
    input.ariaExpanded = 'true';
    say(fill(words.address.found, { count: found.length }));
  }, 250);

  input.addEventListener('input', (event) => {
    // What was chosen is no longer what stands there.
    if (event.isTrusted) for (const old of all(place, 'input[type=hidden]', HTMLInputElement)) old.remove();
    search();
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    if (event.key === 'ArrowDown') point(at + 1);
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

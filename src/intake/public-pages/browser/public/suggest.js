import { combobox } from './combobox.js';
import { all, fill, find } from './dom.js';
import { hidden } from './uploads.js';
import { ask } from './visit.js';

/**
 * Shows address suggestions under the field.
 *
 * @import { Context } from './form.js'
 * @typedef {{ value: string, data?: Record<string, unknown> }} Suggestion
 */

const parts = ['street', 'city', 'region', 'postalCode', 'country'];

/** @param {Context} context */
export function suggestAddresses(context) {
  for (const place of all(context.form, '[data-address]', HTMLElement)) {
    const input = find(place, 'input:not([type=hidden])', HTMLInputElement);
    if (input) suggest(context, place, input);
  }
}

/** @param {Context} context @param {HTMLElement} place @param {HTMLInputElement} input */
function suggest({ operations, definition: { words, locale } }, place, input) {
  const field = place.dataset.address ?? '';
  const forget = () => all(place, 'input[type=hidden]', HTMLInputElement).forEach((old) => old.remove());
  input.addEventListener('input', (event) => {
    // The parts of the chosen suggestion do not match an edited text.
    if (event.isTrusted) forget();
  });
  combobox({
    place,
    input,
    label: words.address.hint,
    fewest: 2,
    async search(q) {
      const answer = await ask(`${operations}/suggest?${new URLSearchParams({ q, count: '5', locale })}`, { type: 'json' });
      return /** @type {Suggestion[]} */ (answer.status === 200 ? (answer.response?.suggestions ?? []) : []);
    },
    text: ({ value }) => value,
    choose({ value, data = {} }) {
      input.value = value;
      forget();
      place.append(...parts.flatMap((part) => (typeof data[part] === 'string' ? [hidden(`${field}.${part}`, data[part])] : [])));
    },
    count: (count) => fill(words.address.found, { count }),
  });
}

import { recordText } from '../../../fields/engine/index.ts';
import { combobox } from './combobox.js';
import { all, fill, find, say } from './dom.js';
import { ask } from './visit.js';

/**
 * Searches the records of a registry while the visitor types, instead of the search button.
 *
 * @import { Context } from './form.js'
 * @typedef {{ id: string, data: Record<string, unknown> }} Found
 */

const textOf = (/** @type {Found} */ { id, data }) => recordText(Object.values(data)) || id;

/** @param {Context} context */
export function lookUpRecords(context) {
  for (const place of all(context.form, '[data-records]', HTMLElement)) {
    const part = place.closest('[data-field]');
    const input = find(place, 'input', HTMLInputElement);
    const registry = context.definition.fields.find(({ id }) => id === place.dataset.records)?.registryTypeId;
    if (!part || !input || registry === undefined) continue;
    // Without a script a button sends the search text. With the script it must not be sent.
    input.removeAttribute('name');
    input.type = 'text';
    for (const button of all(place, 'button', HTMLButtonElement)) button.remove();
    find(place, '.parts', HTMLElement)?.classList.remove('parts');
    const select = find(part, 'select', HTMLSelectElement);
    const choose = select ? intoSelect(select, input) : intoList(context, part, input);
    combobox({
      place,
      input,
      label: input.ariaLabel ?? '',
      fewest: 0,
      async search(q) {
        const words = q === '' ? '' : `?${new URLSearchParams({ q })}`;
        const answer = await ask(`${context.operations}/registry/${registry}${words}`, { type: 'json' });
        if (answer.status !== 200) throw new Error(`status ${answer.status}`);
        return /** @type {Found[]} */ (answer.response?.records ?? []);
      },
      text: textOf,
      choose,
      count: (count) => fill(context.definition.words.record.found, { count }),
      none: context.definition.words.record.none,
    });
  }
}

/**
 * For one record: the search field replaces the list, which still has the value. A typed text alone is not an answer.
 *
 * @param {HTMLSelectElement} select @param {HTMLInputElement} input
 */
function intoSelect(select, input) {
  const chosen = () => (select.value === '' ? '' : (select.selectedOptions[0]?.text ?? ''));
  // The label and the error now belong to the search field.
  input.removeAttribute('aria-label');
  for (const name of ['aria-describedby', 'aria-invalid', 'aria-required']) {
    const value = select.getAttribute(name);
    if (value !== null) input.setAttribute(name, value);
    select.removeAttribute(name);
  }
  const id = select.id;
  select.id = `${id}-value`;
  input.id = id;
  const shown = select.closest('.drop-down');
  if (shown instanceof HTMLElement) shown.hidden = true;
  input.placeholder = select.options[0]?.text ?? '';
  input.value = chosen();
  input.addEventListener('input', () => {
    if (input.value.trim() === '') select.value = '';
  });
  input.addEventListener('blur', () => (input.value = chosen()));
  return (/** @type {Found} */ found) => {
    if (![...select.options].some(({ value }) => value === found.id)) select.add(new Option(textOf(found), found.id));
    select.value = found.id;
    input.value = textOf(found);
    select.dispatchEvent(new Event('input', { bubbles: true }));
  };
}

/**
 * For several records: each chosen record is checked in the list under the field.
 *
 * @param {Context} context @param {Element} part @param {HTMLInputElement} input
 */
function intoList({ definition: { words } }, part, input) {
  return (/** @type {Found} */ found) => {
    const rows = all(part, '.choice', HTMLElement);
    const boxOf = (/** @type {Element} */ row) => find(row, 'input', HTMLInputElement);
    let row = rows.find((one) => boxOf(one)?.value === found.id);
    const pattern = rows[0];
    if (!row && pattern) {
      const made = /** @type {HTMLElement} */ (pattern.cloneNode(true));
      const [box, text] = [boxOf(made), find(made, '.text', HTMLElement)];
      if (box) Object.assign(box, { id: `${input.id}-${found.id}`, value: found.id });
      if (text) text.textContent = textOf(found);
      pattern.before(made);
      row = made;
    }
    const box = row && boxOf(row);
    if (!row || !box) return;
    row.hidden = false;
    box.checked = true;
    input.value = '';
    row.scrollIntoView({ block: 'nearest' });
    say(`${words.record.chosen}: ${textOf(found)}`);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  };
}

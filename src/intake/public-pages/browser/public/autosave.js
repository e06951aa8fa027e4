import { all, debounce, find, make } from './dom.js';

/**
 * Stores answers in this tab until they are sent, so that a reload does not lose them. Files, signatures and consents are not stored.
 *
 * @import { Context } from './form.js'
 * @typedef {{ version: string, step: string, entries: [string, string][] }} Kept
 */

const neverKept = new Set(['file', 'signature', 'consent', 'hidden']);

/** @param {string} path */
const keyOf = (path) => `chancery-form:${new URL(path, location.href).pathname}`;

/** Returns a test for the control names whose values are stored. @param {Context} context */
function keptNames({ definition }) {
  const kept = new Set(definition.fields.filter(({ type }) => !neverKept.has(type)).map(({ id }) => id));
  return (/** @type {string} */ name) => kept.has(name.split('.')[0] ?? '');
}

/** @param {Context} context */
export function startKeeping(context) {
  const { form } = context;
  const isKept = keptNames(context);
  return debounce(() => {
    // The form may have been sent during the delay.
    if (!form.isConnected) return;
    /** @type {[string, string][]} */
    const entries = [];
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && value !== '' && isKept(name)) entries.push([name, value]);
    const [version, step] = ['_version', '_step'].map((name) => find(form, `[name=${name}]`, HTMLInputElement)?.value ?? '');
    try {
      sessionStorage.setItem(keyOf(form.action), JSON.stringify({ version, step, entries }));
    } catch {
      // The browser blocks the storage or it is full, so answers are not stored.
    }
  }, 300);
}

/** Restores stored answers into an unanswered form. @param {Context} context @returns {boolean} whether there were any */
export function restore(context) {
  const { form, definition } = context;
  if (form.dataset.fresh === undefined) return false;
  const kept = read(form.action);
  const version = find(form, '[name=_version]', HTMLInputElement)?.value;
  if (!kept || kept.version !== version || kept.entries.length === 0) return false;
  const isKept = keptNames(context);
  const values = Map.groupBy(
    kept.entries.filter(([name]) => isKept(name)),
    ([name]) => name,
  );
  for (const [name, entries] of values)
    fillIn(
      form,
      name,
      entries.map(([, value]) => value),
    );
  const { restored, startOver } = definition.words;
  const again = make('button', { type: 'button', class: 'link' }, startOver);
  again.addEventListener('click', () => {
    forget(form.action);
    location.reload();
  });
  find(form, '[data-top]', HTMLElement)?.after(make('p', { class: 'notice', role: 'status' }, restored, again));
  return true;
}

/** @param {HTMLFormElement} form @param {string} name @param {string[]} values */
function fillIn(form, name, values) {
  for (const control of all(form, `[name="${CSS.escape(name)}"]`, HTMLElement)) {
    if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox'))
      control.checked = values.includes(control.value);
    else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement)
      control.value = values[0] ?? '';
  }
}

/** @param {string} path @returns {Kept | undefined} */
function read(path) {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(path)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} path */
export function forget(path) {
  try {
    sessionStorage.removeItem(keyOf(path));
  } catch {
    // The browser blocks the storage, so nothing is stored.
  }
}

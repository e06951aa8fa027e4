import { all, calmly, find, make } from './dom.js';

/**
 * Answers are kept in this tab until they are sent, so that nothing is lost when it is reloaded. Never files, signatures or consents.
 *
 * @import { Context } from './form.js'
 * @typedef {{ version: string, step: string, entries: [string, string][] }} Kept
 */

const neverKept = new Set(['file', 'signature', 'consent', 'hidden']);

/** @param {string} path */
const keyOf = (path) => `chancery-form:${new URL(path, location.href).pathname}`;

/** Which fields an entry belongs to, by the name of its control. @param {Context} context */
function keptNames({ definition }) {
  const kept = new Set(definition.fields.filter(({ type }) => !neverKept.has(type)).map(({ id }) => id));
  return (/** @type {string} */ name) => kept.has(name.split('.')[0] ?? '');
}

/** @param {Context} context */
export function startKeeping(context) {
  const { form } = context;
  const isKept = keptNames(context);
  return calmly(() => {
    // What was written last is kept a moment later: the form may have been sent by then.
    if (!form.isConnected) return;
    /** @type {[string, string][]} */
    const entries = [];
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && value !== '' && isKept(name)) entries.push([name, value]);
    const [version, step] = ['_version', '_step'].map((name) => find(form, `[name=${name}]`, HTMLInputElement)?.value ?? '');
    try {
      sessionStorage.setItem(keyOf(form.action), JSON.stringify({ version, step, entries }));
    } catch {
      // A browser that keeps nothing for the page, or has no room, keeps no answers.
    }
  }, 300);
}

/** Puts what was kept into a form that nobody has answered yet. @param {Context} context @returns {boolean} whether there was something */
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
    // There is nothing to forget.
  }
}

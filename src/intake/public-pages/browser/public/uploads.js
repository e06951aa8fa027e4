import { all, fill, find, make, say } from './dom.js';
import { mark } from './errors.js';
import { takeProof } from './proof.js';
import { ask, hasSession } from './visit.js';

/**
 * Uploads files as soon as they are chosen, with their progress. The form then contains their identifiers.
 *
 * @import { Context } from './form.js'
 */

/** @param {Context} context */
export function uploads(context) {
  for (const drop of all(context.form, '[data-upload]', HTMLElement)) {
    const input = find(drop, 'input[type=file]', HTMLInputElement);
    const list = find(drop.parentElement ?? drop, '.files', HTMLElement);
    if (!input || !list) continue;
    const field = drop.dataset.upload ?? '';
    input.removeAttribute('name');
    // The native file control is replaced: it shows texts in the language of the browser, and no uploaded files.
    const pick = find(drop, '.pick', HTMLElement);
    if (pick) pick.hidden = false;
    const take = (/** @type {Iterable<File>} */ files) => void takeAll(context, { field, input, list }, files);
    input.addEventListener('change', () => {
      take([...(input.files ?? [])]);
      input.value = '';
    });
    dropping(drop, take);
    list.addEventListener('click', (event) => takeBack(context, event));
  }
}

/** @param {HTMLElement} place @param {(files: Iterable<File>) => void} take */
export function dropping(place, take) {
  place.addEventListener('dragover', (event) => {
    event.preventDefault();
    place.classList.add('over');
  });
  for (const name of /** @type {const} */ (['dragleave', 'drop'])) place.addEventListener(name, () => place.classList.remove('over'));
  place.addEventListener('drop', (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files ?? []);
  });
}

/** Removes a file from the list at once. @param {Context} context @param {MouseEvent} event */
function takeBack({ form, definition: { words } }, event) {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  const item = button?.closest('li');
  if (!button || !item) return;
  event.preventDefault();
  say(fill(words.file.removed, { name: item.querySelector('span')?.textContent ?? '' }));
  const control = item.closest('[data-field]')?.querySelector('input:not([type=hidden])');
  item.remove();
  if (control instanceof HTMLElement) control.focus();
  form.dispatchEvent(new Event('input'));
}

/**
 * @param {Context} context
 * @param {{ field: string, input: HTMLInputElement, list: HTMLElement }} target
 * @param {Iterable<File>} files
 */
async function takeAll(context, { field, input, list }, files) {
  const { form, definition } = context;
  const { file: words } = definition.words;
  const [most, size] = [Number(input.dataset.most), Number(input.dataset.size)];
  mark(form, field, undefined, definition.words);
  for (const file of files) {
    const name = file.name;
    if (most === 1) for (const old of all(list, 'li', HTMLElement)) old.remove();
    if (list.children.length >= most) return mark(form, field, fill(words.tooMany, { count: most }), definition.words);
    if (file.size > size * 1024 * 1024) mark(form, field, fill(words.tooLarge, { name, size }), definition.words);
    else await takeOne(context, { field, list }, file);
  }
}

/** @param {Context} context @param {{ field: string, list: HTMLElement }} target @param {File} file */
async function takeOne(context, { field, list }, file) {
  const { form, definition } = context;
  const { file: words } = definition.words;
  const { name } = file;
  const bar = make('progress', { 'aria-label': name, max: '1' });
  const item = make('li', {}, make('span', {}, name), bar);
  list.append(item);
  const sent = await upload(context, file, (share) => (bar.value = share));
  bar.remove();
  if ('error' in sent) {
    item.remove();
    return mark(form, field, sent.error || fill(words.failed, { name }), definition.words);
  }
  const { fileId } = sent;
  const button = make('button', {
    class: 'button plain small',
    name: '_remove',
    value: `${field} ${fileId}`,
    'aria-label': fill(words.removeOne, { name }),
  });
  button.textContent = words.remove;
  item.append(button, hidden(field, fileId), hidden(`_name.${fileId}`, name));
  say(fill(words.done, { name }));
  form.dispatchEvent(new Event('input'));
}

/** @param {string} name @param {string} value */
export function hidden(name, value) {
  return make('input', { type: 'hidden', name, value });
}

/**
 * @param {Context} context
 * @param {Blob} file
 * @param {(share: number) => void} [progress]
 * @returns {Promise<{ fileId: string } | { error: string }>}
 */
export async function upload({ form, operations, definition }, file, progress) {
  const body = new FormData();
  try {
    // The request that creates a session needs a proof if the form requires one. The proof comes before the file, so that the server checks it first.
    const proof = hasSession() ? undefined : await takeProof(form);
    if (proof) body.append('altcha', proof);
    body.append('file', file);
    const answer = await ask(`${operations}/upload`, { method: 'POST', body, type: 'json', ...(progress ? { progress } : {}) });
    const { fileId, code } = answer.response ?? {};
    if (typeof fileId === 'string') return { fileId };
    return { error: definition.uploadErrors[code] ?? '' };
  } catch {
    return { error: '' };
  }
}

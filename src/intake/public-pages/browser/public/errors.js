import { all, find, make } from './dom.js';

/**
 * @typedef {import('../../../fields/engine/index.ts').AnswerError} AnswerError
 * @typedef {import('../../public/words/script-texts.ts').ScriptTexts} Words
 */

/** Returns the element of a field. @param {ParentNode} form @param {string} id */
export function partOf(form, id) {
  return find(form, `[data-field="${CSS.escape(id)}"]`, HTMLElement);
}

/**
 * Shows the error of an answer beside the field, or removes it.
 *
 * @param {ParentNode} form
 * @param {string} id
 * @param {string | undefined} reason
 * @param {Words} words
 */
export function mark(form, id, reason, words) {
  const part = partOf(form, id);
  const place = part && find(part, `#f-${CSS.escape(id)}-fault`, HTMLElement);
  if (!part || !place) return;
  part.classList.toggle('wrong', reason !== undefined);
  place.hidden = reason === undefined;
  place.replaceChildren(...(reason === undefined ? [] : [make('span', { class: 'apart' }, `${words.problem}: `), reason]));
  for (const control of all(part, '[aria-describedby]', HTMLElement)) control.ariaInvalid = reason === undefined ? null : 'true';
}

/** @param {ParentNode} form @param {string} id */
export function isMarked(form, id) {
  return partOf(form, id)?.classList.contains('wrong') === true;
}

/**
 * Shows all errors above the form, with a link to each answer, and announces them.
 *
 * @param {HTMLFormElement} form
 * @param {readonly AnswerError[]} errors
 * @param {Words} words
 * @param {string} [text]
 */
export function summarise(form, errors, words, text = words.problemsIntro) {
  clearSummary(form);
  const items = errors.map(({ name, reason }) => {
    const part = partOf(form, name);
    const label = part && find(part, '.question, .choice .text', HTMLElement)?.firstChild?.textContent?.trim();
    const link = label ? [make('a', { href: `#f-${name}` }, label), ' '] : [];
    return make('li', {}, ...link, make('span', {}, reason));
  });
  const list = items.length > 0 ? [make('ul', {}, ...items)] : [];
  const summary = make(
    'div',
    { class: 'summary', id: 'summary', role: 'alert', tabindex: '-1' },
    make('h2', {}, words.problems),
    make('p', {}, text),
    ...list,
  );
  find(form, '[data-top]', HTMLElement)?.after(summary);
  summary.focus();
  summary.scrollIntoView({ block: 'start', behavior: 'auto' });
}

/** Moves the focus to the control of a link in the summary. @param {HTMLFormElement} form */
export function followSummary(form) {
  form.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('.summary a') : null;
    const control = link && document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
    if (!control) return;
    event.preventDefault();
    control.focus();
    control.closest('[data-field]')?.scrollIntoView({ block: 'start' });
  });
}

/** @param {ParentNode} form */
export function clearSummary(form) {
  for (const old of all(form, '.summary', HTMLElement)) old.remove();
}

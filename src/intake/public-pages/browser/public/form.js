import { answersFromForm, checkAnswers } from '../../../fields/engine/index.ts';
import { restore, startKeeping } from './autosave.js';
import { all, debounce, fill, find, say } from './dom.js';
import { clearSummary, followSummary, isMarked, mark, summarise } from './errors.js';
import { prove, takeProof } from './proof.js';
import { signatures } from './signature.js';
import { lookUpRecords } from './records.js';
import { suggestAddresses } from './suggest.js';
import { uploads } from './uploads.js';
import { isSending } from './outcome.js';
import { focusOn, hasSession, visit } from './visit.js';

/**
 * The script of a form. It shows and hides questions with the same engine as the server, changes steps without loading,
 * and shows errors before anything is sent.
 *
 * @typedef {import('../../../fields/engine/index.ts').Field} Field
 * @typedef {import('../../public/words/script-texts.ts').ScriptTexts} Words
 * @typedef {{ fields: Field[], locale: string, words: Words, uploadErrors: Record<string, string> }} Definition
 * @typedef {{ form: HTMLFormElement, definition: Definition, operations: string }} Context
 */

/** @param {HTMLFormElement} form */
function contextOf(form) {
  const block = find(form, '#definition', HTMLScriptElement);
  /** @type {Definition} */
  const definition = JSON.parse(block?.text ?? '{"fields":[]}');
  return { form, definition, operations: form.dataset.operations ?? '' };
}

/** Validates the current answers. @param {Context} context */
function look({ form, definition: { fields, locale } }) {
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [/** @type {const} */ ([name, value])] : [],
  );
  return checkAnswers(fields, answersFromForm(fields, entries, locale), { locale });
}

/** @param {HTMLFormElement} form */
const stepsIn = (form) => all(form, '[data-step]', HTMLElement);

/** @param {HTMLFormElement} form */
const stepNow = (form) => stepsIn(form).find((step) => !step.hidden);

/** Returns the steps with visible questions. @param {Context} context @param {ReadonlySet<string>} visible */
function openSteps({ form }, visible) {
  return stepsIn(form).filter((step) => all(step, '[data-field]', HTMLElement).some(({ dataset }) => visible.has(dataset.field ?? '')));
}

/** Shows the questions for the current answers. @param {Context} context */
function refresh(context) {
  const { form, definition } = context;
  const { visible } = look(context);
  for (const part of all(form, '[data-field]', HTMLElement)) {
    const hidden = !visible.has(part.dataset.field ?? '');
    if (part.hidden === hidden) continue;
    part.hidden = hidden;
    if (hidden) mark(form, part.dataset.field ?? '', undefined, definition.words);
  }
  const seen = find(form, '[name=_seen]', HTMLInputElement);
  if (seen) seen.value = [...visible].join(' ');
  const steps = openSteps(context, visible);
  const now = stepNow(form);
  describeStep(context, now ? steps.indexOf(now) : 0, steps.length);
}

/** @param {Context} context @param {number} place @param {number} steps */
function describeStep({ form, definition: { words } }, place, steps) {
  const last = place >= steps - 1;
  const text = find(form, '.progress [data-text]', HTMLElement);
  if (text) text.textContent = fill(words.step, { step: place + 1, steps });
  const bar = find(form, '.progress progress', HTMLProgressElement);
  if (bar) Object.assign(bar, { value: place + 1, max: steps });
  const button = find(form, '[data-next]', HTMLButtonElement);
  if (button && button.ariaDisabled !== 'true') button.textContent = (last ? button.dataset.send : button.dataset.next) ?? '';
  const back = find(form, '[value=back]', HTMLButtonElement);
  if (back) back.hidden = place <= 0;
  const intro = find(document, '.intro .lead', HTMLElement);
  if (intro) intro.hidden = place > 0;
  const proof = find(form, '.proof', HTMLElement);
  if (proof) proof.hidden = !last;
}

/** @param {Context} context @param {HTMLElement} step */
function open(context, step) {
  const { form } = context;
  for (const one of stepsIn(form)) one.hidden = one !== step;
  const number = find(form, '[name=_step]', HTMLInputElement);
  if (number) number.value = step.dataset.step ?? '';
  clearSummary(form);
  for (const notice of all(form, '.notice[role=status]', HTMLElement)) notice.remove();
  refresh(context);
  const progress = find(form, '.progress', HTMLElement);
  if (progress) progress.focus({ preventScroll: true });
  else focusOn(document);
  scrollTo({ top: 0 });
}

/** Marks the errors of a step, or of all steps. @param {Context} context @param {HTMLElement} [step] */
function errorsIn(context, step) {
  const { form, definition } = context;
  const errors = look(context).errors.filter(({ name }) => !step || step.querySelector(`[data-field="${CSS.escape(name)}"]`));
  for (const { id } of definition.fields) mark(form, id, errors.find(({ name }) => name === id)?.reason, definition.words);
  return errors;
}

/** Opens the previous or next step. The last step sends the form. @param {Context} context @param {HTMLElement | null} submitter */
async function go(context, submitter) {
  const { form, definition } = context;
  const { visible } = look(context);
  const steps = openSteps(context, visible);
  const now = stepNow(form);
  const place = now ? steps.indexOf(now) : 0;
  if (submitter instanceof HTMLButtonElement && submitter.value === 'back') {
    const before = steps[place - 1];
    return before && open(context, before);
  }
  const last = place >= steps.length - 1;
  const errors = errorsIn(context, last ? undefined : now);
  if (errors.length > 0) {
    const wrong = steps.find((step) => errors.some(({ name }) => step.querySelector(`[data-field="${CSS.escape(name)}"]`)));
    if (wrong && wrong !== now) open(context, wrong);
    const shown = errors.filter(({ name }) => !wrong || wrong.querySelector(`[data-field="${CSS.escape(name)}"]`));
    return summarise(form, shown, definition.words);
  }
  clearSummary(form);
  const next = steps[place + 1];
  if (!last && next) return open(context, next);
  await send(context, submitter);
}

/** Sends the form like a browser without scripts, and shows the response. @param {Context} context @param {HTMLElement | null} submitter */
async function send({ form, definition: { words } }, submitter) {
  const button = submitter instanceof HTMLButtonElement ? submitter : find(form, '[data-next]', HTMLButtonElement);
  const label = button?.textContent ?? '';
  if (button) button.ariaDisabled = 'true';
  if (button?.matches('.button')) button.textContent = words.busy;
  say(words.busy);
  if (button?.value !== 'keep') isSending();
  const data = new FormData(form, submitter);
  // Saving a draft creates a session, which can require a proof of work.
  const proof = button?.value === 'keep' && !hasSession() ? await takeProof(form) : undefined;
  if (proof) data.set('altcha', proof);
  // Files were already uploaded separately.
  const texts = [...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  try {
    await visit(form.action, { method: 'POST', body: new URLSearchParams(texts) });
  } catch {
    if (button) {
      button.ariaDisabled = null;
      button.textContent = label;
    }
    summarise(form, [], words, words.offline);
  }
}

/** Enter in the e-mail field of a draft presses its own button. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
function later(form, submitter) {
  const wanted = submitter?.matches('.default') && document.activeElement?.matches('[name=_mail]');
  return (wanted && find(form, '[value=keep]', HTMLButtonElement)) || submitter;
}

/** Whether a button reloads the page with the answers: another language, a search, or a removed file. */
const reloadsForm = (/** @type {HTMLElement | null} */ submitter) =>
  submitter instanceof HTMLButtonElement && (submitter.name !== '_go' || ['search', 'upload', 'keep'].includes(submitter.value));

/** @param {HTMLFormElement} form */
export function startForm(form) {
  const context = contextOf(form);
  const { words } = context.definition;
  const drawings = signatures(context);
  uploads(context);
  suggestAddresses(context);
  prove(form, context.definition.locale);
  followSummary(form);
  const keeper = find(form, '[data-later]', HTMLElement);
  if (keeper) keeper.hidden = false;
  filters(form);
  if (restore(context)) refresh(context);
  lookUpRecords(context);
  const keep = startKeeping(context);
  let sending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (sending) return;
    sending = true;
    try {
      if (!(await drawings.goUp())) return;
      const pressed = later(form, event.submitter);
      await (reloadsForm(pressed) ? send(context, pressed) : go(context, pressed));
    } finally {
      sending = false;
    }
  });
  const settle = debounce(() => refresh(context), 60);
  form.addEventListener('input', ({ target }) => {
    settle();
    keep();
    const id = target instanceof Element ? target.closest('[data-field]')?.getAttribute('data-field') : undefined;
    // A shown error disappears when the answer is valid. New errors are not shown during typing.
    if (id && isMarked(form, id) && !look(context).errors.some(({ name }) => name === id)) mark(form, id, undefined, words);
  });
  counters(form, words);
  refresh(context);
}

/** Shows the remaining number of characters. @param {HTMLFormElement} form @param {Words} words */
function counters(form, words) {
  for (const place of all(form, '[data-count]', HTMLElement)) {
    const control = document.getElementById(place.dataset.of ?? '');
    if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) continue;
    const most = Number(place.dataset.count);
    const count = () => {
      const left = most - Array.from(control.value).length;
      place.hidden = left > most / 2;
      place.textContent = left >= 0 ? fill(words.left, { count: left }) : fill(words.over, { count: -left });
    };
    control.addEventListener('input', count);
    count();
  }
}

/** Adds a filter field above long lists of choices. @param {HTMLFormElement} form */
function filters(form) {
  for (const list of all(form, '[data-filter]', HTMLElement)) {
    // Registry records have a separate search field.
    if (find(list.closest('[data-field]') ?? list, '[data-records]', HTMLElement)) continue;
    const input = document.createElement('input');
    Object.assign(input, {
      type: 'search',
      className: 'input filter',
      ariaLabel: list.dataset.filter ?? '',
      placeholder: list.dataset.filter ?? '',
    });
    const rows = all(list, '.choice', HTMLElement).map((row) => ({ row, text: row.textContent?.toLocaleLowerCase() ?? '' }));
    input.addEventListener('input', (event) => {
      event.stopPropagation();
      const wanted = input.value.trim().toLocaleLowerCase();
      for (const { row, text } of rows) row.hidden = !text.includes(wanted) && !row.querySelector(':checked');
    });
    list.before(input);
  }
}

import { type AnswerError, type Answers, answersFromForm, type ResolvedField } from '#fields';
import { errorsOf, type Judging, onStep, openSteps, shownFor } from './steps.ts';

/** The sent names and texts of controls. */
export type Entries = readonly (readonly [name: string, text: string])[];

/** The pressed button. */
export type Press =
  | { kind: 'on' }
  | { kind: 'back' }
  | { kind: 'language'; locale: string }
  | { kind: 'remove' }
  /** Save a draft. */
  | { kind: 'keep' }
  /** Show the page again, with search results or uploaded files. */
  | { kind: 'again' };

/** The submitted answers, with the progress in the form. */
export type SubmittedForm = {
  press: Press;
  step: number;
  key: string;
  version: number | undefined;
  answers: Answers;
  /** The fields that were visible in the page. */
  seen: ReadonlySet<string>;
  fileNames: ReadonlyMap<string, string>;
  /** The search texts, by field. */
  searches: ReadonlyMap<string, string>;
  honeypot: string;
  altcha: string | undefined;
  start: string | undefined;
  zone: string | undefined;
  /** The e-mail address for the link of a draft. */
  email: string;
};

const keyPattern = /^[\w-]{8,100}$/;

/** Parses a sent form. Never throws: invalid values count as missing. */
export function readSent(fields: readonly ResolvedField[], entries: Entries, locale: string, newKey: () => string): SubmittedForm {
  const one = (name: string) => entries.findLast(([given]) => given === name)?.[1];
  const [removedName = '', removedValue = ''] = (one('_remove') ?? '').split(' ');
  const kept = entries.filter(([name, value]) => !(name === removedName && value === removedValue));
  const named = (prefix: string) =>
    new Map(entries.flatMap(([name, text]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), text.slice(0, 500)] as const] : [])));
  const key = one('_key') ?? '';
  const version = Number(one('_version'));
  return {
    press: pressOf(one),
    step: Number(one('_step')) || 1,
    key: keyPattern.test(key) ? key : newKey(),
    version: Number.isSafeInteger(version) && version > 0 ? version : undefined,
    answers: answersFromForm(fields, kept, locale),
    seen: new Set((one('_seen') ?? '').split(' ')),
    fileNames: named('_name.'),
    searches: named('_search.'),
    honeypot: one('_website') ?? '',
    altcha: one('altcha'),
    start: one('_start'),
    zone: one('_zone'),
    email: one('_mail')?.trim() ?? '',
  };
}

function pressOf(one: (name: string) => string | undefined): Press {
  const locale = one('_to');
  if (locale !== undefined) return { kind: 'language', locale };
  if (one('_remove') !== undefined) return { kind: 'remove' };
  const go = one('_go');
  if (go === 'back') return { kind: 'back' };
  // Enter in the e-mail field means its own button.
  if (go === 'keep' || (go === 'enter' && one('_mail'))) return { kind: 'keep' };
  return { kind: go === 'search' || go === 'upload' ? 'again' : 'on' };
}

/** The next view: a step with its errors, or the final submission. */
export type FormTransition = { to: 'send' } | { to: 'step'; step: number; errors: AnswerError[]; more?: true };

/** Decides the next step. The answers of all steps are validated before the submission. */
export async function turnOf(fields: readonly ResolvedField[], sent: SubmittedForm, judging: Judging): Promise<FormTransition> {
  const visible = shownFor(fields, sent.answers, judging.locale);
  const open = openSteps(fields, visible);
  const place = Math.max(0, open.indexOf(sent.step));
  const now = open[place] ?? 1;
  const stay = (errors: AnswerError[] = []): FormTransition => ({ to: 'step', step: now, errors });
  if (sent.press.kind === 'back') return { to: 'step', step: open[place - 1] ?? now, errors: [] };
  if (sent.press.kind !== 'on') return stay();
  const unseen = fields.some(({ id, type, page = 1 }) => page === now && type !== 'hidden' && visible.has(id) && !sent.seen.has(id));
  // Without a script the page could not show questions that depend on these answers. Show them before reporting them as missing.
  if (unseen) return { to: 'step', step: now, errors: [], more: true };
  const errors = await errorsOf(fields, sent.answers, judging);
  const here = onStep(fields, errors, now);
  if (here.length > 0) return stay(here);
  const next = open[place + 1];
  if (next !== undefined) return { to: 'step', step: next, errors: [] };
  for (const step of open) {
    const earlier = onStep(fields, errors, step);
    if (earlier.length > 0) return { to: 'step', step, errors: earlier };
  }
  return { to: 'send' };
}

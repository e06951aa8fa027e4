import { type AnswerError, type Answers, answersFromForm, type ResolvedField } from '#fields';
import { errorsOf, type Judging, onStep, openSteps, shownFor } from './steps.ts';

/** What a page sends: pairs of a control's name and its text. */
export type Entries = readonly (readonly [name: string, text: string])[];

/** What was pressed. */
export type Press =
  | { kind: 'on' }
  | { kind: 'back' }
  | { kind: 'language'; locale: string }
  | { kind: 'remove' }
  /** Kept as they are, to go on with later. */
  | { kind: 'keep' }
  /** The page anew, with what was searched for, or with the files that came along. */
  | { kind: 'again' };

/** Answers as a page sends them, with where in the form somebody stands. */
export type Sent = {
  press: Press;
  step: number;
  key: string;
  version: number | undefined;
  answers: Answers;
  /** The fields that were there to be answered. */
  seen: ReadonlySet<string>;
  fileNames: ReadonlyMap<string, string>;
  /** What was searched for, by the field. */
  searches: ReadonlyMap<string, string>;
  honeypot: string;
  altcha: string | undefined;
  start: string | undefined;
  zone: string | undefined;
  /** Where the link to a draft is to go. */
  email: string;
};

const keyPattern = /^[\w-]{8,100}$/;

/** Reads what a page sent. Nothing throws: what cannot be read counts as not sent. */
export function readSent(fields: readonly ResolvedField[], entries: Entries, locale: string, newKey: () => string): Sent {
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
  // Enter in the field of the address is meant for its own button.
  if (go === 'keep' || (go === 'enter' && one('_mail'))) return { kind: 'keep' };
  return { kind: go === 'search' || go === 'upload' ? 'again' : 'on' };
}

/** Where what was pressed leads: to a step, with what is wrong there, or to the end, where everything is sent. */
export type FormTransition = { to: 'send' } | { to: 'step'; step: number; errors: AnswerError[]; more?: true };

/** Decides where the form goes on. The answers of all steps are looked at before they are sent. */
export async function turnOf(fields: readonly ResolvedField[], sent: Sent, judging: Judging): Promise<FormTransition> {
  const visible = shownFor(fields, sent.answers, judging.locale);
  const open = openSteps(fields, visible);
  const place = Math.max(0, open.indexOf(sent.step));
  const now = open[place] ?? 1;
  const stay = (errors: AnswerError[] = []): FormTransition => ({ to: 'step', step: now, errors });
  if (sent.press.kind === 'back') return { to: 'step', step: open[place - 1] ?? now, errors: [] };
  if (sent.press.kind !== 'on') return stay();
  const unseen = fields.some(({ id, type, page = 1 }) => page === now && type !== 'hidden' && visible.has(id) && !sent.seen.has(id));
  // Without a script the page could not ask what these answers bring up: it does now, before it is said to be missing.
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

import { isEmpty } from './conditions.ts';
import { type Breach, breachesOf, type BrokenRule, furtherLines, type Matches, maxLines } from './checks.ts';
import { type Answers, asksNothing, type Field } from './field.ts';
import { messageOf } from './messages.ts';
import { normalAnswers } from './normal.ts';
import { resolveText } from './texts.ts';
import { visibleFields } from './visibility.ts';

/** What is wrong with an answer, in the shape in which problems name it. */
export type AnswerError = { name: string; pointer: string; reason: string; rule: BrokenRule };

export type CheckedAnswers = {
  /** What is kept: the answers to fields that are shown, in their normal form, in the order of the definition. */
  values: Answers;
  /** The ids of the fields that are shown. */
  visible: ReadonlySet<string>;
  errors: AnswerError[];
};

export type Judging = {
  /** The language in which faults are named. */
  locale: string;
  /** The language of texts that are missing in that. */
  defaultLocale?: string;
  /** Without it no pattern is looked at, as in the page, which leaves them to the server. */
  matches?: Matches;
  /** Where the answers stand in what was sent. */
  at?: string;
};

const most = 200;

/**
 * Answers as the definition takes them. First it is found what is shown, then what is hidden or unknown is left out, then the rest is
 * judged. Nothing throws, whatever was sent; of many faults the first 200 are told.
 */
export function checkAnswers(fields: readonly Field[], given: unknown, judging: Judging): CheckedAnswers {
  const answers = normalAnswers(fields, given);
  const visible = visibleFields(fields, answers);
  const shown = fields.filter(({ id, type }) => visible.has(id) && !asksNothing({ type }));
  const values = Object.fromEntries(shown.flatMap(({ id }) => (Object.hasOwn(answers, id) ? [[id, answers[id]]] : [])));
  const errors: AnswerError[] = [];
  let lines = 0;
  for (const field of shown) {
    if (errors.length >= most) break;
    const own = judge(field, values[field.id], judging);
    const more = furtherLines(values[field.id]);
    lines += more;
    const over = own.length === 0 && more > 0 && lines > maxLines.ofAll;
    const reported = over ? [inWords(field, { rule: 'lines', limit: maxLines.ofAll }, judging)] : own;
    errors.push(...reported.slice(0, most - errors.length));
  }
  return { values, visible, errors };
}

/** What is wrong with the answer of one field, in words. */
export function judge(field: Field, value: unknown, judging: Judging): AnswerError[] {
  const breaches = isEmpty(value) ? missing(field) : breachesOf(field, value, judging.matches ?? (() => true));
  return breaches.map((breach) => inWords(field, breach, judging));
}

function inWords(field: Field, breach: Breach, { locale, defaultLocale, at = '/data' }: Judging): AnswerError {
  return {
    name: field.id,
    pointer: `${at}/${field.id}${breach.at ?? ''}`,
    reason: ownWords(field, breach, locale, defaultLocale) ?? messageOf(breach, locale),
    rule: breach.rule,
  };
}

function missing({ required, type }: Field): Breach[] {
  if (!required || type === 'hidden') return [];
  return [{ rule: type === 'consent' ? 'consent' : 'required' }];
}

const rules = new Set<string>(['min', 'max', 'minLength', 'maxLength', 'pattern', 'step', 'minItems', 'maxItems']);

/** What the form itself says where a rule of its `validation` is broken. */
function ownWords({ validation }: Field, { rule }: Breach, locale: string, defaultLocale = locale): string | undefined {
  return validation?.message !== undefined && rules.has(rule) ? resolveText(validation.message, locale, defaultLocale) : undefined;
}

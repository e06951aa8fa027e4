import { isEmpty } from './conditions.ts';
import { type Breach, breachesOf, type BrokenRule, furtherLines, type Matches, maxLines } from './checks.ts';
import { type Answers, asksNothing, type Field } from './field.ts';
import { messageOf } from './messages.ts';
import { normalAnswers } from './normal.ts';
import { resolveText } from './texts.ts';
import { visibleFields } from './visibility.ts';

/** An error of an answer, in the format of problem responses. */
export type AnswerError = { name: string; pointer: string; reason: string; rule: BrokenRule };

export type CheckedAnswers = {
  /** The normalized answers to visible fields, in the order of the definition. */
  values: Answers;
  /** The ids of the visible fields. */
  visible: ReadonlySet<string>;
  errors: AnswerError[];
};

export type Judging = {
  /** The language of error texts. */
  locale: string;
  /** The language for texts that `locale` lacks. */
  defaultLocale?: string;
  /** The error texts, instead of those for people. */
  reasonOf?: ((breach: Breach) => string) | undefined;
  /** Matches patterns. Without it, patterns are not checked: pages leave this to the server. */
  matches?: Matches;
  /** The JSON pointer of the answers in the request. */
  at?: string;
};

const most = 200;

/**
 * Validates answers against a definition. It determines the visible fields, drops hidden and unknown answers, and checks the rest.
 * Never throws, for any input. Returns at most 200 errors.
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

/** Returns the errors of the answer to one field, with texts. */
export function judge(field: Field, value: unknown, judging: Judging): AnswerError[] {
  const breaches = isEmpty(value) ? missing(field) : breachesOf(field, value, judging.matches ?? (() => true));
  return breaches.map((breach) => inWords(field, breach, judging));
}

function inWords(field: Field, breach: Breach, { locale, defaultLocale, reasonOf, at = '/data' }: Judging): AnswerError {
  return {
    name: field.id,
    pointer: `${at}/${field.id}${breach.at ?? ''}`,
    reason: reasonOf?.(breach) ?? ownWords(field, breach, locale, defaultLocale) ?? messageOf(breach, locale),
    rule: breach.rule,
  };
}

function missing({ required, type }: Field): Breach[] {
  if (!required || type === 'hidden') return [];
  return [{ rule: type === 'consent' ? 'consent' : 'required' }];
}

const rules = new Set<string>(['min', 'max', 'minLength', 'maxLength', 'pattern', 'step', 'minItems', 'maxItems']);

/** Returns the error text of the form for a broken rule of `validation`. */
function ownWords({ validation }: Field, { rule }: Breach, locale: string, defaultLocale = locale): string | undefined {
  return validation?.message !== undefined && rules.has(rule) ? resolveText(validation.message, locale, defaultLocale) : undefined;
}

import { isEmpty } from './conditions.ts';
import { type Answers, type Field, isRecord, ownMember } from './field.ts';

/** Types with a single line of text, whose surrounding spaces are removed. */
const oneLine = new Set(['text', 'email', 'phone', 'url', 'date', 'time', 'datetime', 'country', 'select', 'radio']);

/**
 * Normalizes the answers to the fields of a definition before conditions and rules apply: NFC, single lines without surrounding spaces,
 * no empty answers. Drops unknown fields. The answer of a `hidden` field is always its default.
 */
export function normalAnswers(fields: readonly Field[], given: unknown): Answers {
  const data = isRecord(given) ? given : {};
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = field.type === 'hidden' ? field.default : normalValue(field, ownMember(data, field.id));
      return isEmpty(value) || field.type === 'heading' ? [] : [[field.id, value]];
    }),
  );
}

/** Normalizes one answer; undefined if it is empty. Values of the wrong type stay unchanged, and the validation reports them. */
export function normalValue(field: Pick<Field, 'type' | 'options'>, value: unknown): unknown {
  if (typeof value === 'string') return normalText(field, value);
  if (value === false && (field.type === 'consent' || (field.type === 'checkbox' && !field.options))) return undefined;
  if (!isRecord(value) || !composite.has(field.type)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const normal = typeof member === 'string' ? composed(member).trim() : member;
    return isEmpty(normal) ? [] : [[name, normal] as const];
  });
  const normal = Object.fromEntries(members);
  // The page preselects a currency, even without an amount.
  return members.length === 0 || (field.type === 'money' && normal.amount === undefined) ? undefined : normal;
}

const composite = new Set(['money', 'address', 'signature']);

/**
 * Normalizes a text to NFC. Sorting combining marks takes quadratic time, so longer runs than in any language are split first (UAX #15, 13).
 * `normalText` of the platform does the same, but is not available in pages.
 */
function composed(text: string): string {
  const normal = divided(text).normalize('NFC');
  return normal === text ? text : divided(normal).normalize('NFC');
}

const divided = (text: string): string => text.replaceAll(/(?:(?!\u034F)\p{M}){30}(?=(?!\u034F)\p{M})/gu, '$&\u034F');

function normalText({ type }: Pick<Field, 'type'>, value: string): unknown {
  const text = composed(value);
  if (type === 'textarea') return text.replaceAll(/\r\n?/g, '\n').trimEnd() || undefined;
  if (type === 'address') return text.trim() ? { value: text.trim() } : undefined;
  return (oneLine.has(type) ? text.trim() : text) || undefined;
}

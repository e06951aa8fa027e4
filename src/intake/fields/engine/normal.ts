import { isEmpty } from './conditions.ts';
import { type Answers, type Field, isRecord, ownMember } from './field.ts';

/** Types whose answer is one line of text: spaces around it are slips of the keyboard. */
const oneLine = new Set(['text', 'email', 'phone', 'url', 'date', 'time', 'datetime', 'country', 'select', 'radio']);

/**
 * The answers to fields of the definition in their normal form, by which conditions and rules judge them: text in NFC, no spaces
 * around single lines, nothing where there is no answer. What is not of the definition is left out; the answer of a `hidden`
 * field is its default, whatever was sent.
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

/** One answer in its normal form; undefined where it is none. Values of a wrong type stay as they are, for the rules to refuse. */
export function normalValue(field: Pick<Field, 'type' | 'options'>, value: unknown): unknown {
  if (typeof value === 'string') return normalText(field, value);
  if (value === false && (field.type === 'consent' || (field.type === 'checkbox' && !field.options))) return undefined;
  if (!isRecord(value) || !composite.has(field.type)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const normal = typeof member === 'string' ? composed(member).trim() : member;
    return isEmpty(normal) ? [] : [[name, normal] as const];
  });
  const normal = Object.fromEntries(members);
  // A currency that stands beside an empty amount was chosen by the page.
  return members.length === 0 || (field.type === 'money' && normal.amount === undefined) ? undefined : normal;
}

const composite = new Set(['money', 'address', 'signature']);

/**
 * A text with its marks in their characters (NFC). To put marks of one character in order takes time with the square of how many there are: a run
 * of more than any language has is divided first (UAX #15, 13), as `normalText` of the platform does, which no page has.
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

import { nameKey, normalText } from '../../../platform/text.ts';
import { problems } from '../../../platform/problems.ts';
import { asField } from '../fields.ts';
import type { RegistryField } from '../schemas.ts';
import { amountKey, folded, instantKey, isSearched, keyOf, last, numberKey, wordsField } from './keys.ts';
import type { KeyRange, ValueRange } from './list-queries.ts';
import { searchedWords } from './words.ts';

const exact = (key: string): KeyRange => ({ low: key, high: `${key}\u0001` });
/** The range of all keys. */
export const whole: KeyRange = { low: '', high: last };

type Type = RegistryField['type'];
const texts = new Set<Type>(['text', 'email', 'phone', 'url', 'address']);
const ordered = new Set<Type>(['number', 'integer', 'money', 'date', 'time', 'datetime']);
const moments = new Set<Type>(['date', 'time', 'datetime']);
/** Field types that cannot be filtered by their whole value. */
const unkeyed = new Set<Type>(['textarea']);
const operators = ['eq', 'in', 'prefix', 'gt', 'gte', 'lt', 'lte', 'empty', 'filled'] as const;
type Operator = (typeof operators)[number];

/** Returns the filter operators of a field type. */
export function operatorsOf(type: Type): readonly Operator[] {
  if (unkeyed.has(type)) return ['empty', 'filled'];
  if (ordered.has(type)) return operators.filter((operator) => operator !== 'prefix' || moments.has(type));
  if (texts.has(type)) return ['eq', 'in', 'prefix', 'empty', 'filled'];
  return ['eq', 'in', 'empty', 'filled'];
}

function refused(at: number, reason: string) {
  return problems.validation_failed(`\`filter\` ${reason}`, {
    errors: [{ name: 'filter', pointer: `/filter/${at}`, reason, rule: 'filter' }],
  });
}

/** The conditions of a list: ranges that a record must match, and fields that must have no value. */
export type Conditions = { wanted: Omit<ValueRange, 'n'>[][]; empty: string[] };

/** Parses the filters of a request. Throws 400 for a filter that does not fit the fields. */
export function readFilters(fields: readonly RegistryField[], filters: readonly string[], q: string | undefined): Conditions {
  const conditions: Conditions = { wanted: [], empty: [] };
  for (const [at, text] of filters.entries()) {
    const [, id = '', operator = '', value] = /^([^:]*):([^:]*)(?::([\s\S]*))?$/.exec(text) ?? [];
    const field = fields.find((one) => one.id === id);
    if (!field)
      throw refused(at, `must name a field of this registry as \`field:operator:value\`, such as \`${fields[0]?.id ?? 'name'}:eq:value\`.`);
    if (!operatorsOf(field.type).includes(operator as Operator))
      throw refused(
        at,
        `does not support \`${operator.slice(0, 20)}\` for \`${id}\` of type ${field.type}. Use one of ${operatorsOf(field.type).join(', ')}.`,
      );
    if (operator === 'empty') conditions.empty.push(placeOf(field));
    else conditions.wanted.push(rangesOf(field, operator as Operator, value, at).map((range) => ({ fields: [placeOf(field)], ...range })));
  }
  if (q !== undefined) conditions.wanted.push(...wordConditions(fields, q));
  return conditions;
}

/** The index field for a field. Long texts are only indexed by words. */
const placeOf = ({ id, type }: RegistryField): string => (unkeyed.has(type) ? wordsField(id) : id);

/** The conditions for the words of `q`. Each word can be in any searchable field. If `q` has no words, no record matches. */
export function wordConditions(fields: readonly RegistryField[], q: string): Omit<ValueRange, 'n'>[][] {
  const searched = fields.filter((field) => isSearched(asField(field))).map(({ id }) => wordsField(id));
  const words = searchedWords(q);
  if (words.length === 0) return [[]];
  return words.map((word) => [{ fields: searched, low: word, high: word + last }]);
}

function rangesOf(field: RegistryField, operator: Operator, value: string | undefined, at: number): KeyRange[] {
  if (operator === 'filled') return [whole];
  if (value === undefined) throw refused(at, `has no value: write \`${field.id}:${operator}:value\`.`);
  if (operator === 'in') return value.split('|').map((one) => exact(keyFor(field, one, at)));
  if (operator === 'prefix') return [beginning(moments.has(field.type) ? value : folded(nameKey(value)))];
  // A part of a time, such as a day or month, matches all times that begin with it.
  const key = moments.has(field.type) ? momentFor(field.type, value) : keyFor(field, value, at);
  switch (operator) {
    case 'gt':
      return [{ low: key + last, high: highest(field, key) }];
    case 'gte':
      return [{ low: key, high: highest(field, key) }];
    case 'lt':
      return [{ low: lowest(field, key), high: key }];
    case 'lte':
      return [{ low: lowest(field, key), high: key + last }];
    default:
      return [moments.has(field.type) ? beginning(key) : exact(key)];
  }
}

const beginning = (low: string): KeyRange => ({ low, high: low + last });
/** Amounts are compared only within one currency, which is the prefix of their keys. */
const highest = ({ type }: RegistryField, key: string) => (type === 'money' ? currencyIn(key) + last : last);
const lowest = ({ type }: RegistryField, key: string) => (type === 'money' ? currencyIn(key) : '');
const currencyIn = (key: string) => key.slice(0, key.indexOf(' ') + 1);

const momentFor = (type: Type, value: string): string => (type === 'datetime' && value.includes('T') ? instantKey(value) : value);

/** Converts the value of a filter to a key. Throws 400. */
function keyFor(field: RegistryField, text: string, at: number): string {
  switch (field.type) {
    case 'number':
    case 'integer': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) throw refused(at, `needs a number for \`${field.id}\`.`);
      return numberKey(value);
    }
    case 'money': {
      const found = /^(-?\d{1,15}(?:\.\d{1,4})?) (\S{1,64})$/.exec(text);
      // A field can define its units. Their spelling must then match exactly.
      const known = field.options?.some(({ id }) => id === found?.[2]) ?? /^[A-Z]{3}$/.test(found?.[2] ?? '');
      if (!found || !known) throw refused(at, `needs an amount and its currency for \`${field.id}\`, such as \`100.50 EUR\`.`);
      return amountKey({ amount: found[1] ?? '', currency: found[2] ?? '' });
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw refused(at, `needs \`true\` or \`false\` for \`${field.id}\`.`);
      return text;
    case 'address':
      return keyOf('address', { value: normalText(text) }) ?? '';
    default:
      return keyOf(field.type, normalText(text)) ?? '';
  }
}

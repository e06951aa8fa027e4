import { nameKey, normalText } from '../../../platform/text.ts';
import { problems } from '../../../platform/problems.ts';
import { asField } from '../fields.ts';
import type { RegistryField } from '../schemas.ts';
import { amountKey, folded, instantKey, isSearched, keyOf, last, numberKey, wordsField } from './keys.ts';
import type { Range, ValueRange } from './list-queries.ts';
import { searchedWords } from './words.ts';

const exact = (key: string): Range => ({ low: key, high: `${key}\u0001` });
/** From the beginning of all keys to behind them. */
export const whole: Range = { low: '', high: last };

type Type = RegistryField['type'];
const texts = new Set<Type>(['text', 'email', 'phone', 'url', 'address']);
const ordered = new Set<Type>(['number', 'integer', 'money', 'date', 'time', 'datetime']);
const moments = new Set<Type>(['date', 'time', 'datetime']);
/** Types whose records are not looked for by a whole value. */
const unkeyed = new Set<Type>(['textarea']);
const operators = ['eq', 'in', 'prefix', 'gt', 'gte', 'lt', 'lte', 'empty', 'filled'] as const;
type Operator = (typeof operators)[number];

/** Which operators a type takes. */
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

/** What a list of records asks for, as what each of them must have; `empty` are the fields in which it has nothing. */
export type Conditions = { wanted: Omit<ValueRange, 'n'>[][]; empty: string[] };

/** The filters of a request. Errors: 400 for one that the fields do not take. */
export function readFilters(fields: readonly RegistryField[], filters: readonly string[], q: string | undefined): Conditions {
  const conditions: Conditions = { wanted: [], empty: [] };
  for (const [at, text] of filters.entries()) {
    const [, id = '', operator = '', value] = /^([^:]*):([^:]*)(?::([\s\S]*))?$/.exec(text) ?? [];
    const field = fields.find((one) => one.id === id);
    if (!field)
      throw refused(
        at,
        `names no field of this registry: write \`field:operator:value\`, such as \`${fields[0]?.id ?? 'name'}:eq:value\`.`,
      );
    if (!operatorsOf(field.type).includes(operator as Operator))
      throw refused(
        at,
        `takes no \`${operator.slice(0, 20)}\` on \`${id}\`, of type ${field.type}: ${operatorsOf(field.type).join(', ')}.`,
      );
    if (operator === 'empty') conditions.empty.push(placeOf(field));
    else conditions.wanted.push(rangesOf(field, operator as Operator, value, at).map((range) => ({ fields: [placeOf(field)], ...range })));
  }
  if (q !== undefined) conditions.wanted.push(...wordConditions(fields, q));
  return conditions;
}

/** Where what a field holds is found: long texts have words alone. */
const placeOf = ({ id, type }: RegistryField): string => (unkeyed.has(type) ? wordsField(id) : id);

/** Each word of `q` in any of the fields that are searched; no record has all of none. */
export function wordConditions(fields: readonly RegistryField[], q: string): Omit<ValueRange, 'n'>[][] {
  const searched = fields.filter((field) => isSearched(asField(field))).map(({ id }) => wordsField(id));
  const words = searchedWords(q);
  if (words.length === 0) return [[]];
  return words.map((word) => [{ fields: searched, low: word, high: word + last }]);
}

function rangesOf(field: RegistryField, operator: Operator, value: string | undefined, at: number): Range[] {
  if (operator === 'filled') return [whole];
  if (value === undefined) throw refused(at, `says no value: write \`${field.id}:${operator}:value\`.`);
  if (operator === 'in') return value.split('|').map((one) => exact(keyFor(field, one, at)));
  if (operator === 'prefix') return [beginning(moments.has(field.type) ? value : folded(nameKey(value)))];
  // A part of a time stands for all that begins with it: a day, a month.
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

const beginning = (low: string): Range => ({ low, high: low + last });
/** Amounts are compared with those of their currency, which their keys begin with. */
const highest = ({ type }: RegistryField, key: string) => (type === 'money' ? currencyIn(key) + last : last);
const lowest = ({ type }: RegistryField, key: string) => (type === 'money' ? currencyIn(key) : '');
const currencyIn = (key: string) => key.slice(0, key.indexOf(' ') + 1);

const momentFor = (type: Type, value: string): string => (type === 'datetime' && value.includes('T') ? instantKey(value) : value);

/** The key of a value as a filter writes it. Errors: 400. */
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
      // A field may have units of its own, which are written as it has them.
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

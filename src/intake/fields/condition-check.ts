import { didYouMean } from '../../platform/http/known-members.ts';
import { breachesOf } from './engine/checks.ts';
import { fieldsNamed } from './engine/conditions.ts';
import { type Field, isRecord } from './engine/field.ts';
import { optionsById } from './engine/options.ts';
import { type DefinitionError, definitionLimits } from './limits.ts';

const operators = ['eq', 'ne', 'gt', 'lt', 'in', 'empty'] as const;
type Operator = (typeof operators)[number];

const maxValues = 1_000;

/** Returns the errors in the conditions of a form: shape, references, compared values and cycles. */
export function checkConditions(fields: readonly Field[], at: string): DefinitionError[] {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const errors = fields.flatMap(({ visibleIf }, place) =>
    visibleIf === undefined
      ? []
      : checkCondition(visibleIf, { get: (id) => byId.get(id), at: `${at}/${place}/visibleIf`, name: 'visibleIf', unknown: ofThisForm }),
  );
  // The search for cycles needs valid conditions.
  return errors.length > 0 ? errors : circles(fields, at);
}

const ofThisForm = (id: string) => `does not name a field of this form: ${id}`;

/**
 * The context of a condition. `get` finds a field that it may refer to, `unknown` explains why another field is not allowed,
 * and `name` is the member of the condition.
 */
export type ConditionPlace = { get: (id: string) => Field | undefined; at: string; name: string; unknown: (id: string) => string };
type NestedConditionPlace = ConditionPlace & { depth: number };

const errorIn =
  ({ name }: Pick<ConditionPlace, 'name'>) =>
  (pointer: string, reason: string, rule = 'condition'): DefinitionError => ({ name, pointer, reason, rule });
const error = errorIn({ name: 'visibleIf' });

/** Returns the errors of one condition. It accepts any value, because the schema leaves nested conditions open. */
export function checkCondition(condition: unknown, place: ConditionPlace): DefinitionError[] {
  return checkNested(condition, { ...place, depth: 1 });
}

function checkNested(condition: unknown, place: NestedConditionPlace): DefinitionError[] {
  const { at, depth } = place;
  const wrong = errorIn(place);
  if (depth > definitionLimits.conditionDepth) return [wrong(at, `has more than ${definitionLimits.conditionDepth} levels`, 'depth')];
  if (!isRecord(condition)) return [wrong(at, 'must be an object')];
  const members = Object.keys(condition);
  const [member] = members;
  if (members.length === 1 && (member === 'all' || member === 'any')) return checkEach(condition[member], member, place);
  if (members.length === 1 && member === 'not') return checkNested(condition.not, { ...place, at: `${at}/not`, depth: depth + 1 });
  const operator = operators.find((one) => one in condition);
  if (members.length !== 2 || !operator || typeof condition.field !== 'string')
    return [wrong(at, `must be { all }, { any }, { not }, or a field with one of ${operators.join(', ')}`)];
  const field = place.get(condition.field);
  if (!field) return [wrong(`${at}/field`, place.unknown(condition.field), 'reference')];
  if (field.type === 'heading') return [wrong(`${at}/field`, `is a heading, which has no answer: ${condition.field}`, 'reference')];
  const value = condition[operator];
  if (field.type === 'money' && [value].flat().some((one) => typeof one === 'number'))
    return [wrong(`${at}/${operator}`, 'must include the currency, such as {"amount": "50000", "currency": "EUR"}', 'currency')];
  const reason = whyNot(field, operator, value);
  return reason === undefined ? [] : [wrong(`${at}/${operator}`, reason, 'type')];
}

function checkEach(conditions: unknown, member: 'all' | 'any', place: NestedConditionPlace): DefinitionError[] {
  const { at, depth } = place;
  const wrong = errorIn(place);
  if (!Array.isArray(conditions) || conditions.length === 0) return [wrong(`${at}/${member}`, 'must be a list of conditions')];
  if (conditions.length > 100) return [wrong(`${at}/${member}`, 'has more than 100 conditions', 'maxItems')];
  return conditions.flatMap((one: unknown, index) => checkNested(one, { ...place, at: `${at}/${member}/${index}`, depth: depth + 1 }));
}

const ordered = new Set(['number', 'integer', 'money', 'date', 'time', 'datetime', 'hidden']);
/** Fields whose answers are objects or files: a condition can only test whether they are empty. */
const onlyEmpty = new Set(['address', 'signature', 'file']);

/** Returns the reason why the answer of a field cannot be compared this way; undefined if it can. */
function whyNot(field: Field, operator: Operator, value: unknown): string | undefined {
  if (operator === 'empty') return typeof value === 'boolean' ? undefined : 'must be true or false';
  if (onlyEmpty.has(field.type)) return `an answer of type ${field.type} can only be tested with \`empty\``;
  if ((operator === 'gt' || operator === 'lt') && !ordered.has(field.type))
    return `answers of type ${field.type} cannot be compared with \`gt\` or \`lt\``;
  if (operator !== 'in') return comparable(field, value) ? undefined : `cannot be an answer to ${field.id}${nearestOption(field, value)}`;
  if (!Array.isArray(value) || value.length === 0 || value.length > maxValues) return `must be a list of 1 to ${maxValues} values`;
  const wrong = value.findIndex((one: unknown) => !comparable(field, one));
  return wrong === -1
    ? undefined
    : `has a value that cannot be an answer to ${field.id}, at index ${wrong}${nearestOption(field, value[wrong])}`;
}

const nearestOption = ({ type, options = [] }: Field, value: unknown): string =>
  typeof value !== 'string' || type === 'money'
    ? ''
    : didYouMean(
        value,
        options.map(({ id }) => id),
      );

const shortTexts = new Set(['text', 'textarea', 'email', 'phone', 'url']);

/** Returns whether an answer can have this value. Otherwise the condition would never be true. */
function comparable(field: Field, value: unknown): boolean {
  if (field.type === 'hidden') return ['string', 'number', 'boolean'].includes(typeof value) || isAmount(undefined, value);
  if (shortTexts.has(field.type)) return typeof value === 'string' && value.length <= 1_000;
  if (field.type === 'money') return isAmount(field.options, value);
  if (field.type === 'number' || field.type === 'integer') return typeof value === 'number' && Number.isFinite(value);
  // An unchecked box has no answer, so a comparison with false would never hold.
  if (field.options) return typeof value === 'string' && optionsById(field.options).has(value);
  return breachesOf({ id: field.id, type: field.type }, value, () => true).length === 0;
}

/** Returns whether a value is an amount in one of the currencies of the field. A template parameter gives a number. */
function isAmount(options: Field['options'], value: unknown): boolean {
  if (!isRecord(value)) return false;
  const given = typeof value.amount === 'number' ? { ...value, amount: String(value.amount) } : value;
  return breachesOf({ id: '', type: 'money', ...(options && { options }) }, given, () => true).length === 0;
}

/** Returns errors for fields whose visibility depends on themselves through other fields. */
function circles(fields: readonly Field[], at: string): DefinitionError[] {
  const waitsFor = new Map(fields.map(({ id, visibleIf }) => [id, visibleIf ? [...fieldsNamed(visibleIf)] : []]));
  const done = new Set<string>();
  return fields.flatMap(({ id }, place) => {
    const circle = circleFrom(id, waitsFor, done);
    return circle ? [error(`${at}/${place}/visibleIf`, `depends on itself: ${circle.join(' → ')}`, 'cycle')] : [];
  });
}

/** Searches the dependencies of a field for a cycle, without recursion, because a chain can be as long as the form. */
function circleFrom(start: string, waitsFor: ReadonlyMap<string, readonly string[]>, done: Set<string>): string[] | undefined {
  const path: { id: string; rest: string[] }[] = done.has(start) ? [] : [{ id: start, rest: [...(waitsFor.get(start) ?? [])] }];
  const open = new Set(path.map(({ id }) => id));
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const next = top.rest.pop();
    if (next === undefined) {
      path.pop();
      open.delete(top.id);
      done.add(top.id);
    } else if (open.has(next)) {
      const ids = path.map(({ id }) => id);
      for (const id of ids) done.add(id);
      return [...ids.slice(ids.indexOf(next)), next];
    } else if (!done.has(next)) {
      path.push({ id: next, rest: [...(waitsFor.get(next) ?? [])] });
      open.add(next);
    }
  }
  return undefined;
}

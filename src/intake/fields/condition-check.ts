import { breachesOf } from './engine/checks.ts';
import { fieldsNamed } from './engine/conditions.ts';
import { type Field, isRecord } from './engine/field.ts';
import { optionsById } from './engine/options.ts';
import { type DefinitionError, definitionLimits } from './limits.ts';

const operators = ['eq', 'ne', 'gt', 'lt', 'in', 'empty'] as const;
type Operator = (typeof operators)[number];

const maxValues = 1_000;

/** What is wrong with the conditions of a form: their shape, what they name, what they compare, and whether one waits for itself. */
export function checkConditions(fields: readonly Field[], at: string): DefinitionError[] {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const errors = fields.flatMap(({ visibleIf }, place) =>
    visibleIf === undefined
      ? []
      : checkCondition(visibleIf, { get: (id) => byId.get(id), at: `${at}/${place}/visibleIf`, name: 'visibleIf', unknown: ofThisForm }),
  );
  // Only conditions that can be read are followed.
  return errors.length > 0 ? errors : circles(fields, at);
}

const ofThisForm = (id: string) => `names no field of this form: ${id}`;

/** Where a condition stands: `get` finds a field that it may name, `unknown` says why another may not be, `name` is the member that it is. */
export type ConditionPlace = { get: (id: string) => Field | undefined; at: string; name: string; unknown: (id: string) => string };
type NestedConditionPlace = ConditionPlace & { depth: number };

const errorIn =
  ({ name }: Pick<ConditionPlace, 'name'>) =>
  (pointer: string, reason: string, rule = 'condition'): DefinitionError => ({ name, pointer, reason, rule });
const error = errorIn({ name: 'visibleIf' });

/** What is wrong with one condition. Takes anything: a schema leaves conditions open, since they nest. */
export function checkCondition(condition: unknown, place: ConditionPlace): DefinitionError[] {
  return checkNested(condition, { ...place, depth: 1 });
}

function checkNested(condition: unknown, place: NestedConditionPlace): DefinitionError[] {
  const { at, depth } = place;
  const wrong = errorIn(place);
  if (depth > definitionLimits.conditionDepth) return [wrong(at, `nests deeper than ${definitionLimits.conditionDepth}`, 'depth')];
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
    return [wrong(`${at}/${operator}`, 'must say its currency, such as {"amount": "50000", "currency": "EUR"}', 'currency')];
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
/** Their answers are things with parts, or files: all that can be asked is whether there is one. */
const onlyEmpty = new Set(['address', 'signature', 'file']);

/** Why a field's answer cannot be compared so, if so. */
function whyNot(field: Field, operator: Operator, value: unknown): string | undefined {
  if (operator === 'empty') return typeof value === 'boolean' ? undefined : 'must be true or false';
  if (onlyEmpty.has(field.type)) return `an answer of type ${field.type} can only be asked whether it is empty`;
  if ((operator === 'gt' || operator === 'lt') && !ordered.has(field.type)) return `answers of type ${field.type} have no order`;
  if (operator !== 'in') return comparable(field, value) ? undefined : `is nothing that can be answered to ${field.id}`;
  if (!Array.isArray(value) || value.length === 0 || value.length > maxValues) return `must be a list of 1 to ${maxValues} values`;
  const wrong = value.findIndex((one: unknown) => !comparable(field, one));
  return wrong === -1 ? undefined : `has a value that cannot be answered to ${field.id}, at ${wrong}`;
}

const shortTexts = new Set(['text', 'textarea', 'email', 'phone', 'url']);

/** Whether an answer could be this value: otherwise the condition would never hold, and nobody would see why. */
function comparable(field: Field, value: unknown): boolean {
  if (field.type === 'hidden') return ['string', 'number', 'boolean'].includes(typeof value) || isAmount(undefined, value);
  if (shortTexts.has(field.type)) return typeof value === 'string' && value.length <= 1_000;
  if (field.type === 'money') return isAmount(field.options, value);
  if (field.type === 'number' || field.type === 'integer') return typeof value === 'number' && Number.isFinite(value);
  // An unticked box has no answer: what is compared with false would never hold.
  if (field.options) return typeof value === 'string' && optionsById(field.options).has(value);
  return breachesOf({ id: field.id, type: field.type }, value, () => true).length === 0;
}

/** Whether a value is an amount in one of the currencies that a field offers. A template parameter gives a number. */
function isAmount(options: Field['options'], value: unknown): boolean {
  if (!isRecord(value)) return false;
  const given = typeof value.amount === 'number' ? { ...value, amount: String(value.amount) } : value;
  return breachesOf({ id: '', type: 'money', ...(options && { options }) }, given, () => true).length === 0;
}

/** Fields whose being shown hangs on themselves, by way of others. */
function circles(fields: readonly Field[], at: string): DefinitionError[] {
  const waitsFor = new Map(fields.map(({ id, visibleIf }) => [id, visibleIf ? [...fieldsNamed(visibleIf)] : []]));
  const done = new Set<string>();
  return fields.flatMap(({ id }, place) => {
    const circle = circleFrom(id, waitsFor, done);
    return circle ? [error(`${at}/${place}/visibleIf`, `waits for itself: ${circle.join(' → ')}`, 'cycle')] : [];
  });
}

/** Walks what a field waits for, without recursion, since a chain may be as long as the form. */
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

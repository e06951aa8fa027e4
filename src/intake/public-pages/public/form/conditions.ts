import { type Condition, holds, type ResolvedField } from '#fields';

const always: Condition = { all: [] };
const never: Condition = { any: [] };

/**
 * Returns the fields for the page script without hidden fields, whose values must stay on the server.
 * Conditions on hidden fields are replaced by their result, because their answers are constant.
 */
export function withoutHidden(fields: readonly ResolvedField[]): ResolvedField[] {
  const hidden = new Map(fields.filter(({ type }) => type === 'hidden').map((field) => [field.id, field]));
  const room = { left: maxSteps };
  return fields
    .filter(({ type }) => type !== 'hidden')
    .map((field) => (field.visibleIf === undefined ? field : { ...field, visibleIf: withoutHiddenFields(field.visibleIf, hidden, room) }));
}

/**
 * The maximum number of steps. Nested conditions on hidden fields could exceed the size of a page. Above this limit the page shows the fields, and
 * the server discards unneeded answers.
 */
const maxSteps = 20_000;

function withoutHiddenFields(condition: Condition, hidden: ReadonlyMap<string, ResolvedField>, room: { left: number }): Condition {
  room.left -= 1;
  if (room.left < 0) return always;
  const within = (one: Condition) => withoutHiddenFields(one, hidden, room);
  if ('all' in condition) return { all: condition.all.map(within) };
  if ('any' in condition) return { any: condition.any.map(within) };
  if ('not' in condition) return { not: within(condition.not) };
  const field = hidden.get(condition.field);
  if (!field) return condition;
  const shown = holds(condition, () => field.default);
  // An invisible hidden field has no answer.
  const unshown = holds(condition, () => undefined);
  if (field.visibleIf === undefined || shown === unshown) return shown ? always : never;
  return shown ? within(field.visibleIf) : { not: within(field.visibleIf) };
}

import { type Condition, holds, type ResolvedField } from '#fields';

const always: Condition = { all: [] };
const never: Condition = { any: [] };

/**
 * The fields as the page's script is told them: without what hidden ones hold, which is the server's. What a condition asks of a
 * hidden field is said in its place, since nobody can answer it.
 */
export function withoutHidden(fields: readonly ResolvedField[]): ResolvedField[] {
  const hidden = new Map(fields.filter(({ type }) => type === 'hidden').map((field) => [field.id, field]));
  const room = { left: maxSteps };
  return fields
    .filter(({ type }) => type !== 'hidden')
    .map((field) => (field.visibleIf === undefined ? field : { ...field, visibleIf: withoutHiddenFields(field.visibleIf, hidden, room) }));
}

/** Hidden fields that hang on one another many times over would take more than a page: past this everything is shown, and the server leaves out what is not asked. */
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
  // A hidden field that is not shown has no answer.
  const unshown = holds(condition, () => undefined);
  if (field.visibleIf === undefined || shown === unshown) return shown ? always : never;
  return shown ? within(field.visibleIf) : { not: within(field.visibleIf) };
}

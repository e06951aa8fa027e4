import { type Choices, fieldsNamed, holds } from './conditions.ts';
import { type Answers, type Field, ownMember } from './field.ts';

type Conditional = Pick<Field, 'id' | 'visibleIf'>;

/**
 * Returns the ids of the fields that are visible for these answers. Conditions ignore answers of invisible fields.
 * In a cycle of conditions, which a valid definition does not have, a repeated field counts as invisible.
 */
export function visibleFields(fields: readonly Conditional[], answers: Answers): Set<string> {
  const shown = new Map<string, boolean>();
  const answerOf = (id: string): unknown => (shown.get(id) ? ownMember(answers, id) : undefined);
  const choices: Choices = new Map();
  for (const { id, visibleIf } of dependenciesFirst(fields)) shown.set(id, visibleIf === undefined || holds(visibleIf, answerOf, choices));
  return new Set(fields.map(({ id }) => id).filter((id) => shown.get(id)));
}

/** Sorts each field after the fields that its condition refers to. Without recursion, because a chain can be as long as the form. */
function dependenciesFirst(fields: readonly Conditional[]): Conditional[] {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const met = new Set<string>();
  const ordered: Conditional[] = [];
  for (const first of byId.values()) {
    const stack = [{ field: first, looked: false }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { field, looked } = top;
      if (looked) ordered.push(field);
      if (looked || met.has(field.id)) continue;
      met.add(field.id);
      stack.push({ field, looked: true });
      const waitsFor = field.visibleIf ? [...fieldsNamed(field.visibleIf)] : [];
      stack.push(...waitsFor.flatMap((id) => byId.get(id) ?? []).map((next) => ({ field: next, looked: false })));
    }
  }
  return ordered;
}

import { type Choices, fieldsNamed, holds } from './conditions.ts';
import { type Answers, type Field, ownMember } from './field.ts';

type Conditional = Pick<Field, 'id' | 'visibleIf'>;

/**
 * The ids of the fields that are shown for these answers. A field that is not shown has no answer for the conditions of others,
 * whatever was sent for it. In a circle of conditions, which no checked definition has, a field met again counts as not shown.
 */
export function visibleFields(fields: readonly Conditional[], answers: Answers): Set<string> {
  const shown = new Map<string, boolean>();
  const answerOf = (id: string): unknown => (shown.get(id) ? ownMember(answers, id) : undefined);
  const choices: Choices = new Map();
  for (const { id, visibleIf } of dependenciesFirst(fields)) shown.set(id, visibleIf === undefined || holds(visibleIf, answerOf, choices));
  return new Set(fields.map(({ id }) => id).filter((id) => shown.get(id)));
}

/** Each field after those that its condition looks at. Without recursion, since a chain may be as long as the form. */
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

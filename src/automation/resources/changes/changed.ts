import { interfacesWithSubmissions } from '#forms';
import type { ChangeRow } from '#journal';
import { type Kind, kinds } from '../kinds.ts';

/** A change as the stream shows it. */
export type ShownChange = { type: string; id: string; updatedAt: string };

/** A change at its position. The access to the resource `within`, of kind `kind`, decides who sees it. */
export type Changed = { kind: Kind; within: string; number: number; change: ShownChange };

/** The parts of a form that only readers of its submissions see. */
const submissions: Kind = { scope: 'interfaces:read', names: interfacesWithSubmissions };

const isKind = (type: string): type is keyof typeof kinds => Object.hasOwn(kinds, type);

/** Returns the resources that an event changed: its target, and the folder, registry or agent that contains the target. */
export function changedBy({ number, target_type: type, target_id: id, at, folder, form, registry, agent }: ChangeRow): Changed[] {
  const changed = (kind: Kind, shown: { type: string; id: string }, within = shown.id): Changed => ({
    kind,
    within,
    number,
    change: { ...shown, updatedAt: at },
  });
  if (type === 'submission' || type === 'booking') return form === null ? [] : [changed(submissions, { type, id }, form)];
  return [
    ...(isKind(type) ? [changed(kinds[type], { type, id })] : []),
    ...Object.entries({ folder, registry, agent }).flatMap(([name, around]) =>
      around !== null && isKind(name) ? [changed(kinds[name], { type: name, id: around })] : [],
    ),
  ];
}

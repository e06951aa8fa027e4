import type { JSX } from 'react';
import { Name, useName } from '../../parts/name.tsx';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { taskTexts } from '../task/texts.ts';
import type { Item } from './items.ts';
import { inboxTexts } from './texts.ts';

/** The kind and the source of an item. */
export function Meta({ item }: { item: Item }): JSX.Element {
  const { one } = useTexts(inboxTexts);
  const { types, step }: { types: Readonly<Record<string, string>>; step: string } = useTexts(taskTexts);
  const format = useFormat();
  const { kind, type, task, booking, waitsFor } = item;
  if (waitsFor && 'member' in waitsFor && waitsFor.member === undefined) return <span>{one.unassigned}</span>;
  if (waitsFor)
    return (
      <span>
        {one.waiting} {'member' in waitsFor ? <Name id={waitsFor.member} /> : waitsFor.signers.join(', ')}
      </span>
    );
  switch (kind) {
    case 'task':
    case 'approval':
      return (
        <span>
          {types[type ?? ''] ?? step}
          {task !== undefined && (
            <>
              {' · '}
              {task.documentId !== undefined && <DocumentName id={task.documentId} />}
              <Name id={task.createdBy} />
            </>
          )}
        </span>
      );
    case 'booking':
      return (
        <span>
          {one.booking}
          {booking !== undefined && ` · ${booking.name ?? booking.email ?? ''} · ${format.exact(booking.requestedStart ?? booking.start)}`}
        </span>
      );
    default:
      return <span>{one[kind]}</span>;
  }
}

/** The title of the document of a task, if the person can see it. */
function DocumentName({ id }: { id: string }): JSX.Element | null {
  const { data } = useName(id);
  return data ? <span>{data.name} · </span> : null;
}

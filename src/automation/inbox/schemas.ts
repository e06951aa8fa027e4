import { Type } from 'typebox';
import { closed, time, uuid } from '../../platform/schema-parts.ts';
import { pageQuery, searchFilter } from '../../platform/http/page.ts';
import { kindNames } from './kinds.ts';

const kind = Type.Enum(kindNames, { description: 'The kind of the item' });
export const inboxQuery = Type.Object(
  {
    kind: Type.Optional(Type.Array(kind, { maxItems: kindNames.length, description: 'Only these kinds. Repeat it to select several' })),
    ...searchFilter('title'),
    ...pageQuery,
  },
  closed,
);

export const inboxItem = Type.Object(
  {
    kind,
    id: { ...uuid, description: 'The task, booking, record, signature request or delivery' },
    title: Type.String({
      description:
        'The title of the task or signature request. For a booking the title of its form, for a record the name of its registry, for a delivery the type of its event',
    }),
    dueAt: Type.Optional({ ...time, description: 'When the task is due, or when the booking or signature request expires' }),
    overdue: Type.Optional(Type.Literal(true, { description: 'The task is overdue' })),
    createdAt: time,
    type: Type.Optional(Type.String({ description: 'The type of the task' })),
    workflowId: Type.Optional({ ...uuid, description: 'The workflow of the task or signature request' }),
    documentId: Type.Optional(Type.String({ description: 'The document of the task, or its identifier in another system' })),
    roundId: Type.Optional({ ...uuid, description: 'The approval round of the vote' }),
    interfaceId: Type.Optional({ ...uuid, description: 'The form of the booking' }),
    registryId: Type.Optional({ ...uuid, description: 'The registry of the record' }),
    endpointId: Type.Optional({ ...uuid, description: 'The webhook endpoint of the delivery' }),
  },
  { ...closed, title: 'InboxItem' },
);

const count = Type.Object(
  {
    open: Type.Integer({ description: 'The number of items, at most 1 000' }),
    overdue: Type.Optional(Type.Integer({ description: 'The number of overdue tasks among these' })),
    isLowerBound: Type.Optional(Type.Literal(true, { description: 'There are more items. Tasks and approvals are counted together' })),
  },
  { ...closed, title: 'InboxCount' },
);
const counts = ['tasks', 'approvals', 'bookings', 'records', 'signatures', 'failedDeliveries'] as const;

export const inbox = Type.Object(
  {
    counts: Type.Optional(
      Type.Object(Object.fromEntries(counts.map((name) => [name, Type.Optional(count)])), {
        ...closed,
        title: 'InboxCounts',
        description: 'The numbers of items of all pages, by kind, that match `q`. Only the first page has them',
      }),
    ),
    items: Type.Array(inboxItem, { description: 'The items by due date, those without one last and by age' }),
  },
  { ...closed, title: 'Inbox' },
);

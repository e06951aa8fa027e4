import { type Static, Type } from 'typebox';
import { actorTypes } from '../../platform/scope.ts';
import { time, closed } from '../../platform/schema-parts.ts';

export const entry = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    type: Type.String(),
    actor: Type.Object(
      {
        type: Type.String({ enum: [...actorTypes] }),
        id: Type.Optional(Type.String()),
      },
      closed,
    ),
    teamId: Type.String({ format: 'uuid' }),
    target: Type.Optional(Type.Object({ type: Type.String(), id: Type.Optional(Type.String()) }, closed)),
    at: time,
    ip: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String()),
    data: Type.Object({}, { additionalProperties: true }),
  },
  { ...closed, title: 'AuditEntry' },
);
export type Entry = Static<typeof entry>;

export const journal = Type.Object(
  {
    events: Type.Array(entry),
    nextCursor: Type.Optional(Type.String({ description: 'The cursor of the next page; absent on the last page' })),
  },
  { ...closed, title: 'AuditJournal' },
);

export const journalQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 400 })),
  type: Type.Optional(
    Type.String({
      maxLength: 128,
      description: 'Entries of one type, or of all types with a prefix that ends with a dot, such as `document.`',
    }),
  ),
  actorId: Type.Optional(Type.String({ format: 'uuid', description: 'Entries of one actor' })),
  sort: Type.Optional(Type.Enum(['-createdAt', 'createdAt'], { description: 'Newest first by default' })),
  targetId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Entries about one resource, by its identifier' })),
  targetType: Type.Optional(
    Type.String({ maxLength: 64, description: 'The kind of resource of `targetId`, such as `document`; requires `targetId`' }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Entries at this time or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Entries before this time' })),
});

import { type Static, Type } from 'typebox';
import { time } from '../../../platform/schema-parts.ts';

const reason = Type.String({ minLength: 3, maxLength: 500 });

export const holdStatus = Type.Enum(['standing', 'lifted']);

export const hold = Type.Object(
  {
    id: Type.String(),
    folderId: Type.Optional(Type.String({ description: 'The folder under the hold, with its content' })),
    documentId: Type.Optional(Type.String({ description: 'The document under the hold' })),
    status: holdStatus,
    reason: Type.String({ description: 'The reason for the hold' }),
    createdBy: Type.String({ description: 'The user who placed it' }),
    createdByType: Type.Literal('user', { description: 'Only users place holds' }),
    createdAt: time,
    liftedBy: Type.Optional(Type.String({ description: 'The user who lifted it' })),
    liftedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was lifted' })),
    liftReason: Type.Optional(Type.String({ description: 'The reason for lifting it' })),
  },
  { title: 'LegalHold' },
);
export type Hold = Static<typeof hold>;

export const placeBody = Type.Object({
  folderId: Type.Optional(Type.String({ maxLength: 64, description: 'Holds a folder with its present and future content' })),
  documentId: Type.Optional(Type.String({ maxLength: 64, description: 'Holds one document, wherever it is moved' })),
  reason,
});
export type PlaceHold = Static<typeof placeBody>;

export const liftBody = Type.Object({ reason });
export const holdFilters = {
  status: Type.Optional(holdStatus),
  folderId: Type.Optional(Type.String({ maxLength: 64 })),
  documentId: Type.Optional(Type.String({ maxLength: 64 })),
};

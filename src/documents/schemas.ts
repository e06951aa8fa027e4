import { type Static, Type } from 'typebox';

export const documentStatus = Type.Enum(['draft', 'in_review', 'approved', 'signed', 'archived']);
export type DocumentStatus = Static<typeof documentStatus>;

export const version = Type.Object(
  {
    number: Type.Integer(),
    fileName: Type.String(),
    mediaType: Type.String(),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String({ description: 'Hexadecimal' }),
    createdBy: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'DocumentVersion' },
);
export type Version = Static<typeof version>;

export const document = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    folderId: Type.Optional(Type.String()),
    userId: Type.String(),
    status: documentStatus,
    currentVersion: Type.Optional(version),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Document' },
);
export type Document = Static<typeof document>;

const nullable = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));

/** Further members are kept as `metadata`. */
export const createBody = Type.Object(
  { title: Type.String({ maxLength: 1_000 }), description: nullable(2_000), folderId: nullable(64) },
  { additionalProperties: true },
);
export type CreateDocument = Static<typeof createBody> & Record<string, unknown>;

export const updateBody = Type.Object(
  { title: Type.Optional(Type.String({ maxLength: 1_000 })), description: nullable(2_000), status: Type.Optional(documentStatus) },
  { additionalProperties: true, minProperties: 1 },
);
export type UpdateDocument = Static<typeof updateBody> & Record<string, unknown>;

export const moveBody = Type.Object({ folderId: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]) });
export const idParams = Type.Object({ id: Type.String() });
export const listFilters = {
  folderId: Type.Optional(Type.String()),
  status: Type.Optional(documentStatus),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the title' })),
};

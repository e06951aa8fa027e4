import { type Static, Type } from 'typebox';

const text = (maxLength: number) => Type.String({ maxLength });

export const folder = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    parentId: Type.Optional(Type.String()),
    userId: Type.String(),
    childrenCount: Type.Integer(),
    documentsCount: Type.Integer(),
    shareCount: Type.Integer(),
    description: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Folder' },
);
export type Folder = Static<typeof folder>;

/** Further members are kept as `metadata`. */
export const createBody = Type.Object(
  {
    name: text(1_000),
    parentId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    description: Type.Optional(Type.Union([text(2_000), Type.Null()])),
    color: Type.Optional(Type.Union([text(64), Type.Null()])),
  },
  { additionalProperties: true },
);
export type CreateFolder = Static<typeof createBody> & Record<string, unknown>;

export const updateBody = Type.Object({ ...Type.Partial(createBody).properties }, { additionalProperties: true, minProperties: 1 });
export type UpdateFolder = Static<typeof updateBody> & Record<string, unknown>;

export const moveBody = Type.Object({ parentId: Type.Union([Type.String(), Type.Null()]) });

export const idParams = Type.Object({ id: Type.String() });

export const share = Type.Object(
  {
    id: Type.String(),
    folderId: Type.String(),
    userId: Type.String(),
    access: Type.Union([Type.Literal('read'), Type.Literal('write')]),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'FolderShare' },
);
export type Share = Static<typeof share>;

export const shareBody = Type.Object({
  userId: Type.String(),
  access: Type.Union([Type.Literal('read'), Type.Literal('write')]),
});

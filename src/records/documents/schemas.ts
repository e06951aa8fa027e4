import { type Static, Type } from 'typebox';
import { itemsOf, resultsOf } from '../../platform/http/bulk.ts';
import { searchFilter, idsFilter } from '../../platform/http/page.ts';
import { grant as accessGrant, shareBody as accessShareBody } from '#access';
import { asRead } from '../../platform/schema-parts.ts';

/** Builds an object with a value for each of the names. */
const each =
  <Name extends string>(names: readonly Name[]) =>
  <T>(make: (name: Name) => T) =>
    Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

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
    createdByType: Type.String({
      description: '`user`, `client`, `agent`, or `system` if the service created it from the submission in `createdBy`',
    }),
    createdAt: Type.String({ format: 'date-time' }),
    preview: Type.Optional(
      Type.Enum(['pending', 'ready', 'failed'], {
        description: 'The state of the preview image, in the list of versions only; absent for types without previews',
      }),
    ),
  },
  { title: 'DocumentVersion' },
);
export type Version = Static<typeof version>;

const nullable = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));

/** The texts of a document besides its title, with their maximum lengths. Each is a nullable column of the same name. */
const texts = { description: 2_000, reference: 200 } as const;
export type TextMember = keyof typeof texts;
export const textMembers = Object.keys(texts) as TextMember[];
export const eachText = each(textMembers);
const nullableTexts = eachText((name) => nullable(texts[name]));

export const document = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    ...eachText(() => Type.Optional(Type.String())),
    folderId: Type.Optional(Type.String()),
    matterId: Type.Optional(Type.String({ description: 'The matter that the document is in' })),
    userId: Type.String(),
    status: documentStatus,
    currentVersion: Type.Optional(version),
    createdBy: Type.String({ description: 'The creator; the owner is `userId`' }),
    createdByType: Type.String({ description: '`user`, `client` or `agent`' }),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
    labels: Type.Optional(Type.Array(Type.String(), { description: 'The labels of the document' })),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
    deletedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was moved to the bin' })),
    legalHold: Type.Optional(
      Type.Literal(true, {
        description: 'A legal hold is active on it or on a folder above it; shown to the owner and administrators of the team',
      }),
    ),
    byRole: Type.Optional(
      Type.Literal(true, {
        description: 'Only the role of the caller allows reading it, no share. The journal records each download. Absent in lists',
      }),
    ),
  },
  { title: 'Document' },
);
export type Document = Static<typeof document>;

const metadata = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Data of your own, up to 16 KiB of JSON. In an update, `null` removes a member. In `multipart/form-data`, a part of the type application/json',
  }),
);

const someLabels = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: 20,
  description: 'Labels of 1 to 50 characters, compared regardless of case. In `multipart/form-data`, a part of the type application/json',
});
const labels = Type.Optional(someLabels);

export const createBody = Type.Object({
  title: Type.String({ maxLength: 1_000 }),
  ...nullableTexts,
  folderId: nullable(64),
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'The matter of a document outside of folders' })),
  metadata,
  labels,
});
export type CreateDocument = Static<typeof createBody>;

/** The states that callers can set. The others result from a review, an approval or a signature. */
const statusByHand = Type.Enum(['draft', 'archived']);

export const updateBody = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: 1_000 })),
    ...nullableTexts,
    status: Type.Optional(statusByHand),
    metadata,
    labels,
    id: asRead,
    folderId: asRead,
    matterId: asRead,
    userId: asRead,
    currentVersion: asRead,
    createdBy: asRead,
    createdByType: asRead,
    createdAt: asRead,
    updatedAt: asRead,
    legalHold: asRead,
    byRole: asRead,
  },
  { minProperties: 1 },
);
export type UpdateDocument = Static<typeof updateBody>;

export const moveBody = Type.Object({ folderId: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]) });
const documentId = Type.String({ format: 'uuid' });
export const labelManyBody = itemsOf(Type.Object({ id: documentId, labels: someLabels }));
export const deleteManyBody = itemsOf(Type.Object({ id: documentId }));
export const documentResults = resultsOf('document', document, { title: 'DocumentResults' });
export const moveManyBody = Type.Object({
  documentIds: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  folderId: moveBody.properties.folderId,
});
export const label = Type.Object(
  {
    label: Type.String({ description: 'The label as one of the documents spells it' }),
    documents: Type.Integer({ description: 'The number of documents with the label that the caller may read' }),
  },
  { title: 'DocumentLabel' },
);
export type Label = Static<typeof label>;

export const versionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
/** A label, or several that a document must all have. */
export const labelFilter = Type.Optional(
  Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20, description: 'Only documents with this label; repeated, with all of these' }),
);
/** Filters that compare a column for equality. */
export const exactFilters = {
  status: Type.Optional(documentStatus),
  reference: Type.Optional(Type.String({ maxLength: 200, description: 'Only documents with this reference' })),
};
export type ExactFilter = keyof typeof exactFilters;
export const exactFilterNames = Object.keys(exactFilters) as ExactFilter[];
export const eachExactFilter = each(exactFilterNames);
/** The orders of lists. Identifiers grow with time, so `createdAt` uses the index of identifiers. */
export const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'title', '-title'] as const;
export type Sort = (typeof sorts)[number];
export const listFilters = {
  folderId: Type.Optional(Type.String()),
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'Only documents in this matter' })),
  ...exactFilters,
  ...searchFilter('title'),
  ...idsFilter,
  label: labelFilter,
  updatedSince: Type.Optional(Type.String({ format: 'date-time', description: 'Changed at this time or later' })),
  sort: Type.Optional(Type.Enum([...sorts], { description: '`createdAt` by default; `-` reverses the order' })),
};
export const binQuery = { sort: listFilters.sort };

export const shareBody = accessShareBody();
export const grant = accessGrant;

import { type Static, Type } from 'typebox';
import { fieldPlaces } from '#signatures';
import { actorTypes } from '../../platform/scope.ts';
import { text, time, asRead } from '../../platform/schema-parts.ts';

/** Bytes that a template has at most: of its source, its schema, the values of a document, each picture and all of them. */
export const most = {
  source: 256 * 1024,
  schema: 64 * 1024,
  data: 256 * 1024,
  picture: 1024 * 1024,
  pictures: 2 * 1024 * 1024,
  files: 20,
} as const;

/** Base64 and the escapes of JSON on top of what is taken. */
export const bodyLimit = 4 * 1024 * 1024;

const anyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const madeBy = { createdBy: Type.String(), createdByType: Type.String({ enum: [...actorTypes] }) };

const file = Type.Object(
  {
    path: Type.String({ description: 'What the source calls it' }),
    mediaType: Type.Enum(['image/png', 'image/jpeg'], { description: 'What the picture is' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String({ description: 'Hexadecimal' }),
  },
  { title: 'DocumentTemplateFile' },
);
const content = {
  source: Type.String({ description: 'What is set, in Typst' }),
  schema: anyObject('JSON Schema (2020-12) of the values; its `examples` has some that fit'),
  files: Type.Array(file, { description: 'Pictures that the source names' }),
};

const summary = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  version: Type.Integer({ description: 'The newest version of source, schema and files' }),
  userId: Type.String({ description: 'Whose it is' }),
  access: Type.Enum(['read', 'write', 'manage'], { description: 'What the caller may do with it; to read it is to use it' }),
  teamAccess: Type.Optional(Type.Enum(['read', 'write'], { description: 'It is shared with the whole team' })),
  librarySlug: Type.Optional(Type.String({ description: 'The one of the library that it was copied from' })),
  ...madeBy,
  createdAt: time,
  updatedAt: time,
};
export const templateSummary = Type.Object(summary, { title: 'DocumentTemplateSummary' });
export const template = Type.Object({ ...summary, ...content }, { title: 'DocumentTemplate' });
export type Template = Static<typeof template>;

export const versionSummary = Type.Object(
  { version: Type.Integer({ description: 'Its number, from 1 on' }), ...madeBy, createdAt: time },
  { title: 'DocumentTemplateVersionSummary' },
);
export type VersionSummary = Static<typeof versionSummary>;
export const templateVersion = Type.Object(
  { version: Type.Integer({ description: 'Its number, from 1 on' }), ...content, ...madeBy, createdAt: time },
  { title: 'DocumentTemplateVersion' },
);
export type TemplateVersion = Static<typeof templateVersion>;

const sentFile = Type.Object({
  path: Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
    description: 'What the source calls it, such as `logo.png`',
  }),
  content: Type.Optional(
    Type.String({ maxLength: 1_400_000, description: 'PNG or JPEG in base64, up to 1 MiB; left out, the picture of that path stays' }),
  ),
  mediaType: Type.Optional(Type.Unknown({ description: 'As it was read' })),
  size: Type.Optional(Type.Unknown({ description: 'As it was read' })),
  sha256: Type.Optional(Type.Unknown({ description: 'As it was read' })),
});
export type SentFile = Static<typeof sentFile>;

const described = Type.Optional(Type.Union([text(2_000), Type.Null()]));
const source = Type.String({
  maxLength: most.source,
  description: 'What is set, in Typst, up to 256 KiB; see docs/guides/generate-documents.md',
});
const schema = anyObject(
  'JSON Schema (2020-12) of the values, up to 64 KiB; the first of its `examples` must fit, and is what the source is tried with',
);
const files = Type.Optional(Type.Array(sentFile, { maxItems: most.files, description: 'Pictures that the source names; 2 MiB in all' }));

export const createBody = Type.Object({ name: text(1_000), description: described, source, schema, files });
export type CreateTemplate = Static<typeof createBody>;

export const updateBody = Type.Object(
  {
    name: Type.Optional(text(1_000)),
    description: described,
    source: Type.Optional(source),
    schema: Type.Optional(schema),
    files,
    id: asRead,
    version: asRead,
    userId: asRead,
    access: asRead,
    teamAccess: asRead,
    librarySlug: asRead,
    createdBy: asRead,
    createdByType: asRead,
    createdAt: asRead,
    updatedAt: asRead,
  },
  { minProperties: 1 },
);
export type UpdateTemplate = Static<typeof updateBody>;

const named = (description: string) => Type.String({ maxLength: 64, description });
const data = anyObject('The values, which the schema of the template says; up to 256 KiB of JSON');
export const previewBody = Type.Object({ data });

export const documentBody = Type.Object({
  data: Type.Optional(data),
  submissionId: Type.Optional(named('What somebody has answered to a form')),
  record: Type.Optional(
    Type.Object({ registryTypeId: named('The registry'), recordId: named('The record in it') }, { description: 'A record of a registry' }),
  ),
  title: Type.Optional(Type.String({ maxLength: 1_000, description: 'What the document is called; without one, as the template' })),
  folderId: Type.Optional(named('Where the document goes; outside of any folder without it')),
});
export type DocumentBody = Static<typeof documentBody>;

export const origin = Type.Object(
  {
    documentId: Type.String(),
    templateId: Type.String({ description: 'The template, which may be gone' }),
    version: Type.Integer({ description: 'Of the template' }),
    source: Type.Enum(['data', 'submission', 'record'], { description: 'Where the values came from' }),
    sourceId: Type.Optional(Type.String({ description: 'The submission or record' })),
    signatureFields: Type.Optional(fieldPlaces),
  },
  { title: 'DocumentOrigin' },
);
export type Origin = Static<typeof origin>;

export const libraryEntry = Type.Object(
  {
    slug: Type.String({ description: 'What it is copied by' }),
    name: Type.String(),
    description: Type.String(),
    source: content.source,
    schema: content.schema,
  },
  { title: 'LibraryDocumentTemplate' },
);

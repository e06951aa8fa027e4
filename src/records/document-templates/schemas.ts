import { type Static, Type } from 'typebox';
import { fieldPlaces } from '#signatures';
import { actorTypes } from '../../platform/scope.ts';
import { text, time, asRead } from '../../platform/schema-parts.ts';

/** Maximum bytes of a template’s source, its schema, the values of a document, each picture and all pictures. */
export const most = {
  source: 256 * 1024,
  schema: 64 * 1024,
  data: 256 * 1024,
  picture: 1024 * 1024,
  pictures: 2 * 1024 * 1024,
  files: 20,
} as const;

/** Maximum bytes of a body: the maximum content with base64 and JSON escapes. */
export const bodyLimit = 4 * 1024 * 1024;

const anyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const madeBy = { createdBy: Type.String(), createdByType: Type.String({ enum: [...actorTypes] }) };

const file = Type.Object(
  {
    path: Type.String({ description: 'The path in the source' }),
    mediaType: Type.Enum(['image/png', 'image/jpeg'], { description: 'The type of the picture' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String({ description: 'Hexadecimal' }),
  },
  { title: 'DocumentTemplateFile' },
);
const content = {
  source: Type.String({ description: 'The Typst source' }),
  schema: anyObject('JSON Schema (2020-12) of the values; its `examples` has valid values'),
  files: Type.Array(file, { description: 'Pictures that the source uses' }),
};

const signers = Type.Array(Type.String(), {
  description: 'The signers of the signature fields in the first example; `signsAs` of a signer names one',
});

const summary = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  version: Type.Integer({ description: 'The newest version of source, schema and files' }),
  signers: Type.Optional(signers),
  userId: Type.String({ description: 'The owner of the template' }),
  access: Type.Enum(['read', 'write', 'manage'], { description: 'The access of the caller; `read` allows use' }),
  teamAccess: Type.Optional(Type.Enum(['read', 'write'], { description: 'The access of the whole team, if shared with it' })),
  librarySlug: Type.Optional(Type.String({ description: 'The library template that it was copied from' })),
  ...madeBy,
  createdAt: time,
  updatedAt: time,
};
export const templateSummary = Type.Object(summary, { title: 'DocumentTemplateSummary' });
export const template = Type.Object({ ...summary, ...content }, { title: 'DocumentTemplate' });
export type Template = Static<typeof template>;

export const versionSummary = Type.Object(
  { version: Type.Integer({ description: 'The version number, from 1' }), ...madeBy, createdAt: time },
  { title: 'DocumentTemplateVersionSummary' },
);
export type VersionSummary = Static<typeof versionSummary>;
export const templateVersion = Type.Object(
  {
    version: Type.Integer({ description: 'The version number, from 1' }),
    signers: Type.Optional(signers),
    ...content,
    ...madeBy,
    createdAt: time,
  },
  { title: 'DocumentTemplateVersion' },
);
export type TemplateVersion = Static<typeof templateVersion>;

const sentFile = Type.Object({
  path: Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
    description: 'The path in the source, such as `logo.png`',
  }),
  content: Type.Optional(
    Type.String({ maxLength: 1_400_000, description: 'PNG or JPEG in base64, up to 1 MiB; if omitted, the picture with that path stays' }),
  ),
  mediaType: Type.Optional(Type.Unknown({ description: 'Ignored; may be sent back as read' })),
  size: Type.Optional(Type.Unknown({ description: 'Ignored; may be sent back as read' })),
  sha256: Type.Optional(Type.Unknown({ description: 'Ignored; may be sent back as read' })),
});
export type SentFile = Static<typeof sentFile>;

const described = Type.Optional(Type.Union([text(2_000), Type.Null()]));
const source = Type.String({
  maxLength: most.source,
  description: 'The Typst source, up to 256 KiB; see docs/guides/generate-documents.md',
});
const schema = anyObject(
  'JSON Schema (2020-12) of the values, up to 64 KiB. The first of its `examples` must be valid and is used to test the source',
);
const files = Type.Optional(Type.Array(sentFile, { maxItems: most.files, description: 'Pictures that the source uses; 2 MiB in all' }));

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
    signers: asRead,
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
const data = anyObject('Values for the schema of the template; up to 256 KiB of JSON. Members that the schema does not name are rejected');
export const previewBody = Type.Object({
  data: Type.Optional({ ...data, description: 'Values for the schema of the template; by default its first example' }),
});

export const documentBody = Type.Object({
  data: Type.Optional(data),
  submissionId: Type.Optional(named('The submission of a form')),
  record: Type.Optional(
    Type.Object({ registryTypeId: named('The registry'), recordId: named('The record in it') }, { description: 'A record of a registry' }),
  ),
  title: Type.Optional(Type.String({ maxLength: 1_000, description: 'The title of the document; by default the name of the template' })),
  folderId: Type.Optional(named('The folder of the document; by default outside of any folder')),
});
export type DocumentBody = Static<typeof documentBody>;

export const origin = Type.Object(
  {
    documentId: Type.String(),
    templateId: Type.String({ description: 'The template, which may be deleted' }),
    version: Type.Integer({ description: 'The version of the template' }),
    source: Type.Enum(['data', 'submission', 'record'], { description: 'The source of the values' }),
    sourceId: Type.Optional(Type.String({ description: 'The submission or record' })),
    signatureFields: Type.Optional(fieldPlaces),
  },
  { title: 'DocumentOrigin' },
);
export type Origin = Static<typeof origin>;

export const libraryEntry = Type.Object(
  {
    slug: Type.String({ description: 'The name to copy it by' }),
    name: Type.String(),
    description: Type.String(),
    signers,
    source: content.source,
    schema: content.schema,
  },
  { title: 'LibraryDocumentTemplate' },
);

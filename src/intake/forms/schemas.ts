import { byLocale, type Field, fieldId, fields as fieldList, text as words } from '#fields';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { actorTypes } from '../../platform/scope.ts';
import { time, asRead } from '../../platform/schema-parts.ts';

const httpsAddress = (maxLength: number) => Type.String({ format: 'uri', pattern: '^https://', maxLength });
const locale = Type.String({ pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$', maxLength: 35 });

export const interfaceTypes = ['form', 'scheduling', 'registry'] as const;
export const statuses = ['draft', 'published', 'closed', 'suspended'] as const;
export const channels = ['public', 'api'] as const;
export type Channel = (typeof channels)[number];

/** An origin by its name or address, with nothing in it that could end the list of a policy. */
const originPattern = '^https://(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?$';

/** What the public is told of uploads. */
const uploads = {
  maxSizeMb: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'The largest file' })),
  accept: Type.Optional(
    Type.Array(Type.String({ pattern: '^[\\w.+-]+/([\\w.+-]+|\\*)$', maxLength: 100 }), {
      maxItems: 50,
      description: 'Media types, such as `image/*`',
    }),
  ),
};
/** Members whose names begin with `x-` are the client's own: the service stores them. */
const freeNames = { patternProperties: { '^x-': {} } };
const ofUploads = { description: 'What may be uploaded', ...freeNames };

const config = {
  requireAltcha: Type.Optional(Type.Boolean({ description: 'Ask for a proof of work with each submission' })),
  uploads: Type.Optional(Type.Object(uploads, ofUploads)),
  drafts: Type.Optional(Type.Boolean({ description: 'Answers may be kept and gone on with by a mailed link' })),
  notify: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), { maxItems: 10, uniqueItems: true, description: 'Members who are told of submissions' }),
  ),
  receipt: Type.Optional(
    Type.Boolean({ description: 'Whoever answers is told by mail that it has come, at the first address that they give' }),
  ),
  folderId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The folder that submissions are stored in: a barrier on it hides the interface too' }),
  ),
  createsDocument: Type.Optional(Type.Boolean({ description: 'A document is made for each submission, and a PDF with the answers' })),
  startsTemplate: Type.Optional(Type.String({ maxLength: 100, description: 'The workflow template that each submission starts' })),
  bindsRegistryTypeId: Type.Optional(Type.String({ format: 'uuid', description: 'The registry that each submission makes a record of' })),
  bindsRegistryFields: Type.Optional(
    Type.Record(fieldId, fieldId, {
      maxProperties: 100,
      additionalProperties: false,
      description: 'The answers that the fields of the record take, by the ids of both; without it those of the same id',
    }),
  ),
  bindsRegistryPending: Type.Optional(Type.Boolean({ description: 'Records that submissions make wait for approval' })),
  maxPerMinute: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      description: 'How many submissions are taken a minute, on each node; without it what the service is set to',
    }),
  ),
  retainDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500, description: 'Answers are erased after so many days' })),
};

const submitLabel = 'What the button says';
const successMessage = 'What is said once the answers are there';
const publicSettings = {
  submitLabel: Type.Optional(words(200, submitLabel)),
  successMessage: Type.Optional(words(4_000, successMessage)),
  redirectUrl: Type.Optional({ ...httpsAddress(2_000), description: 'Where the browser goes then; nothing is added to it' }),
  locale: Type.Optional({ ...locale, description: 'The default language' }),
  locales: Type.Optional(Type.Array(locale, { maxItems: 50, uniqueItems: true, description: 'The languages that there are' })),
  theme: Type.Optional(Type.Enum(['auto', 'light', 'dark'], { description: 'Light or dark; `auto` follows the browser' })),
  showProgress: Type.Optional(Type.Boolean({ description: 'Whether a form of several pages says how far one is' })),
  allowPdf: Type.Optional(Type.Boolean({ description: 'Whether who answered may have the document' })),
  opensAt: Type.Optional({ ...time, description: 'From when on answers are taken' }),
  closesAt: Type.Optional({ ...time, description: 'Until when answers are taken' }),
  maxSubmissions: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'How many answers are taken' })),
  embedOrigins: Type.Optional(
    Type.Array(Type.String({ pattern: originPattern, maxLength: 300 }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Sites that may show the form in a frame, such as https://www.example.org',
    }),
  ),
};

export type Calendar = Record<string, unknown>;
const calendar = Type.Unsafe<Calendar>(
  Type.Object({}, { additionalProperties: true, description: 'Of a booking form: opening hours, lengths, capacity' }),
);
const title = words(255);
const description = words(4_000);
const fields = Type.Unsafe<Field[]>({ ...fieldList, description: 'What is asked, in this order' });
const ofConfig = {
  description: 'Settings of submissions. Members whose names begin with `x-` are free',
  ...freeNames,
};
const ofPublicSettings = { description: 'What the page shows beside the questions, and when' };
const ofType = { description: 'A form, a booking form, or a form of a registry' };

/** The settings of a form. The service checks them itself, so that an unknown one is 422. */
export const configSchema = Type.Object(config, ofConfig);

/** What is edited, and published as one. */
export type Definition = {
  title: Static<typeof title>;
  description?: Static<typeof description>;
  fields: Field[];
  config: Static<ReturnType<typeof Type.Object<typeof config>>>;
  publicSettings: Static<ReturnType<typeof Type.Object<typeof publicSettings>>>;
};

export const deleteQuery = Type.Object({
  cancelBookings: Type.Optional(Type.Boolean({ description: 'Whether bookings ahead are cancelled with it; each visitor is told' })),
});

export const createBody = Type.Object({
  title,
  description: Type.Optional(description),
  type: Type.Enum([...interfaceTypes], ofType),
  fields: Type.Optional(fields),
  calendar: Type.Optional(calendar),
  config: Type.Optional(configSchema),
  publicSettings: Type.Optional(Type.Object(publicSettings, ofPublicSettings)),
});
export type CreateInterface = Static<typeof createBody>;

const nullable = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], 'description' in schema ? { description: String(schema.description) } : {});
/** The same object as a merge patch takes it (RFC 7396): each member may be left out, or null to remove it. */
const patchOf = (members: TProperties, options: { description: string; patternProperties?: Record<string, TSchema> }) =>
  Type.Object(Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(nullable(schema))])), options);

/** Publishing tells what is probably not meant: texts that one of the form's languages lacks. */
const warnings = Type.Array(
  Type.Object({
    name: Type.String(),
    pointer: Type.String({ description: 'Where it stands in the definition' }),
    reason: Type.String(),
    rule: Type.String({ description: 'Which rule it does not keep' }),
  }),
  { description: 'What is probably not meant, such as texts that one of the languages lacks' },
);

/** A text as a merge patch takes it: null removes one of its languages. */
const wordsPatch = (maxLength: number, said?: string) =>
  Type.Union(
    [Type.String({ minLength: 1, maxLength }), byLocale(nullable(Type.String({ maxLength })))],
    said === undefined ? {} : { description: said },
  );

const shownAlone = {
  id: asRead,
  type: asRead,
  status: asRead,
  suspendedReason: asRead,
  userId: asRead,
  publishedVersion: asRead,
  publishedRevision: asRead,
  publishedAt: asRead,
  createdBy: asRead,
  createdByType: asRead,
  createdAt: asRead,
  updatedAt: asRead,
};
export const membersNotChanged: readonly string[] = Object.keys(shownAlone);

export const updateBody = Type.Object(
  {
    revision: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Of the draft that the change was made on; with a newer one it is 409' }),
    ),
    title: Type.Optional(wordsPatch(255)),
    description: Type.Optional(nullable(wordsPatch(4_000))),
    fields: Type.Optional(fields),
    calendar: Type.Optional(nullable(calendar)),
    config: Type.Optional(patchOf({ ...config, uploads: patchOf(uploads, ofUploads) }, ofConfig)),
    publicSettings: Type.Optional(
      patchOf(
        { ...publicSettings, submitLabel: wordsPatch(200, submitLabel), successMessage: wordsPatch(4_000, successMessage) },
        ofPublicSettings,
      ),
    ),
    ...shownAlone,
  },
  { minProperties: 1 },
);
export type UpdateInterface = { revision?: number } & Record<string, unknown>;

/** An interface as a list shows it. */
const summary = {
  id: Type.String(),
  title: Type.String({ description: 'In the default language' }),
  type: Type.Enum([...interfaceTypes], ofType),
  status: Type.Enum([...statuses]),
  userId: Type.String({ description: 'Whose it is' }),
  revision: Type.Integer({ description: 'Of the draft' }),
  publishedVersion: Type.Optional(Type.Integer({ description: 'What the links show' })),
  createdBy: Type.String(),
  createdByType: Type.String({ enum: [...actorTypes] }),
  createdAt: time,
  updatedAt: time,
};
export const listedInterface = Type.Object(summary, { title: 'ListedInterface' });

const members = {
  ...summary,
  title,
  description: Type.Optional(description),
  fields,
  calendar: Type.Optional(calendar),
  config: configSchema,
  publicSettings: Type.Object(publicSettings, ofPublicSettings),
  suspendedReason: Type.Optional(Type.String({ description: 'Why staff of the service have suspended it' })),
  publishedRevision: Type.Optional(Type.Integer({ description: 'Of the draft that was published' })),
  publishedAt: Type.Optional({ ...time, description: 'When that version was published' }),
};
export const managedInterface = Type.Object(members, { title: 'Interface' });
export type ManagedInterface = Static<typeof managedInterface>;

const links = {
  publicToken: Type.String({ description: 'Opens the form to whoever has it' }),
  publicUrl: Type.String({ format: 'uri', description: 'The page of the form' }),
  apiToken: Type.String({ description: 'For programs that submit: keep it as a secret' }),
};
export const linkList = Type.Object(links, { title: 'InterfaceLinks' });
export type LinkList = Static<typeof linkList>;
export const linkedInterface = Type.Object({ ...members, ...links, warnings: Type.Optional(warnings) }, { title: 'PublishedInterface' });
export type LinkedInterface = Static<typeof linkedInterface>;

export const publishBody = Type.Object({
  revision: Type.Integer({ minimum: 1, description: 'The draft as it was looked at; with a newer one the answer is 409' }),
  supersede: Type.Optional(
    Type.Enum(['later', 'now'], { description: '`later` (as without it) takes answers to the version before for a day, `now` does not' }),
  ),
});
export type Publish = Static<typeof publishBody>;
export const rotateBody = Type.Object({ channel: Type.Enum([...channels], { description: 'Whose link is replaced' }) });

export const duplicateBody = Type.Object({ title: Type.Optional(title) });
export type DuplicateInterface = Static<typeof duplicateBody>;

export const filters = {
  status: Type.Optional(Type.Array(Type.Enum([...statuses]), { description: 'Any of these states' })),
  type: Type.Optional(Type.Enum([...interfaceTypes])),
};
export type InterfaceFilters = Partial<Static<ReturnType<typeof Type.Object<typeof filters>>>>;

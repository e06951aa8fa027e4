import { byLocale, type Field, fieldId, fields as fieldList, text as words } from '#fields';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { searchFilter, idsFilter } from '../../platform/http/page.ts';
import { actorTypes } from '../../platform/scope.ts';
import { time, asRead } from '../../platform/schema-parts.ts';
import { outputs } from './outputs/schemas.ts';

const httpsAddress = (maxLength: number) => Type.String({ format: 'uri', pattern: '^https://', maxLength });
const locale = Type.String({ pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$', maxLength: 35 });

export const interfaceTypes = ['form', 'scheduling', 'registry'] as const;
export const statuses = ['draft', 'published', 'closed', 'suspended'] as const;
export const channels = ['public', 'api'] as const;
export type Channel = (typeof channels)[number];

/** An origin with a host name or address. It excludes characters that could end the list of origins in a Content Security Policy. */
const originPattern = '^https://(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?$';

/** The upload settings in public data. */
const uploads = {
  maxSizeMb: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'The maximum size of a file, in megabytes' })),
  accept: Type.Optional(
    Type.Array(Type.String({ pattern: '^[\\w.+-]+/([\\w.+-]+|\\*)$', maxLength: 100 }), {
      maxItems: 50,
      description: 'Media types, such as `image/*`',
    }),
  ),
};
/** Members with names that begin with `x-` belong to the client. The service only stores them. */
const freeNames = { patternProperties: { '^x-': {} } };
const ofUploads = { description: 'Settings of uploads', ...freeNames };

const config = {
  requireAltcha: Type.Optional(Type.Boolean({ description: 'Whether each submission requires a proof of work' })),
  uploads: Type.Optional(Type.Object(uploads, ofUploads)),
  drafts: Type.Optional(Type.Boolean({ description: 'Whether visitors can save drafts and resume them with an emailed link' })),
  notify: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), { maxItems: 10, uniqueItems: true, description: 'Members to notify of submissions' }),
  ),
  receipt: Type.Optional(
    Type.Boolean({ description: 'Whether visitors get an email confirmation, at the first address in their answers' }),
  ),
  folderId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The folder of the submissions; an information barrier on it also hides the interface' }),
  ),
  createsDocument: Type.Optional(Type.Boolean({ description: 'Whether each submission creates a document, and a PDF with the answers' })),
  startsTemplate: Type.Optional(Type.String({ maxLength: 100, description: 'The workflow template to start for each submission' })),
  bindsRegistryTypeId: Type.Optional(Type.String({ format: 'uuid', description: 'The registry that gets a record for each submission' })),
  bindsRegistryFields: Type.Optional(
    Type.Record(fieldId, fieldId, {
      maxProperties: 100,
      additionalProperties: false,
      description: 'The answer for each field of the record, by the ids of both; by default the one with the same id',
    }),
  ),
  bindsRegistryPending: Type.Optional(Type.Boolean({ description: 'Whether records from submissions wait for approval' })),
  // oxlint-disable-next-line unicorn/no-thenable -- the published name of the member
  then: Type.Optional(outputs),
  maxPerMinute: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      description: 'Submissions per minute on each node; by default the setting of the service',
    }),
  ),
  retainDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500, description: 'Days until the answers are erased' })),
};

const submitLabel = 'The label of the submit button';
const successMessage = 'The text after the submission';
const publicSettings = {
  submitLabel: Type.Optional(words(200, submitLabel)),
  successMessage: Type.Optional(words(4_000, successMessage)),
  redirectUrl: Type.Optional({ ...httpsAddress(2_000), description: 'The address to open after the submission; nothing is added to it' }),
  locale: Type.Optional({ ...locale, description: 'The default language' }),
  locales: Type.Optional(Type.Array(locale, { maxItems: 50, uniqueItems: true, description: 'The available languages' })),
  theme: Type.Optional(Type.Enum(['auto', 'light', 'dark'], { description: 'Light or dark; `auto` follows the browser' })),
  showProgress: Type.Optional(Type.Boolean({ description: 'Whether a form with several pages shows the progress' })),
  allowPdf: Type.Optional(Type.Boolean({ description: 'Whether visitors can download the document' })),
  opensAt: Type.Optional({ ...time, description: 'The start of the period for submissions' }),
  closesAt: Type.Optional({ ...time, description: 'The end of the period for submissions' }),
  maxSubmissions: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'The maximum number of submissions' })),
  embedOrigins: Type.Optional(
    Type.Array(Type.String({ pattern: originPattern, maxLength: 300 }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Sites that can embed the form in a frame, such as https://www.example.org',
    }),
  ),
};

export type Calendar = Record<string, unknown>;
const calendar = Type.Unsafe<Calendar>(
  Type.Object({}, { additionalProperties: true, description: 'The calendar of a booking form: opening hours, lengths and capacity' }),
);
const title = words(255);
const description = words(4_000);
const fields = Type.Unsafe<Field[]>({ ...fieldList, description: 'The fields, in display order' });
const ofConfig = {
  description: 'Settings of submissions. You can add members with names that begin with `x-`',
  ...freeNames,
};
const ofPublicSettings = { description: 'Settings of the page' };
const ofType = { description: 'A form, a booking form, or a form of a registry' };

/** The settings of a form. The service validates them itself, so that an unknown member gets 422. */
export const configSchema = Type.Object(config, ofConfig);

/** The parts of a form that are edited and published together. */
export type Definition = {
  title: Static<typeof title>;
  description?: Static<typeof description>;
  fields: Field[];
  config: Static<ReturnType<typeof Type.Object<typeof config>>>;
  publicSettings: Static<ReturnType<typeof Type.Object<typeof publicSettings>>>;
};

export const deleteQuery = Type.Object({
  cancelBookings: Type.Optional(Type.Boolean({ description: 'Whether to cancel future bookings too; each visitor is notified' })),
});

export const createBody = Type.Object({
  title,
  description: Type.Optional(description),
  type: Type.Enum([...interfaceTypes], ofType),
  fields: Type.Optional(fields),
  calendar: Type.Optional(calendar),
  config: Type.Optional(configSchema),
  publicSettings: Type.Optional(Type.Object(publicSettings, ofPublicSettings)),
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'The matter of a form without `config.folderId`' })),
});
export type CreateInterface = Static<typeof createBody>;

const nullable = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], 'description' in schema ? { description: String(schema.description) } : {});
/** The schema of a merge patch (RFC 7396) for an object: each member is optional, or `null` to remove it. */
const patchOf = (members: TProperties, options: { description: string; patternProperties?: Record<string, TSchema> }) =>
  Type.Object(Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(nullable(schema))])), options);

/** Warnings of a publication about probable mistakes, such as a missing text in one of the languages. */
const warnings = Type.Array(
  Type.Object({
    name: Type.String(),
    pointer: Type.String({ description: 'The position in the definition' }),
    reason: Type.String(),
    rule: Type.String({ description: 'The broken rule' }),
    example: Type.Optional(Type.String({ description: 'The JSON of a value that an output cannot use' })),
  }),
  { description: 'Probable mistakes, such as missing texts in one of the languages' },
);

/** The schema of a merge patch for a text. `null` removes a language. */
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
    revision: Type.Optional(Type.Integer({ minimum: 1, description: 'The revision of the changed draft; a newer one gets 409' })),
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

/** A form in lists. */
const summary = {
  id: Type.String(),
  title: Type.String({ description: 'The title in the default language' }),
  type: Type.Enum([...interfaceTypes], ofType),
  status: Type.Enum([...statuses]),
  userId: Type.String({ description: 'The owner' }),
  matterId: Type.Optional(Type.String({ description: 'The matter that it is in' })),
  revision: Type.Integer({ description: 'The revision of the draft' }),
  publishedVersion: Type.Optional(Type.Integer({ description: 'The version behind the links' })),
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
  suspendedReason: Type.Optional(Type.String({ description: 'The reason that staff suspended it' })),
  publishedRevision: Type.Optional(Type.Integer({ description: 'The published revision of the draft' })),
  publishedAt: Type.Optional({ ...time, description: 'The time of publication' }),
};
export const managedInterface = Type.Object(members, { title: 'Interface' });
export type ManagedInterface = Static<typeof managedInterface>;

const links = {
  publicToken: Type.String({ description: 'The token of the public link' }),
  publicUrl: Type.String({ format: 'uri', description: 'The page of the form' }),
  apiToken: Type.String({ description: 'The token for programs that submit; keep it secret' }),
};
export const linkList = Type.Object(links, { title: 'InterfaceLinks' });
export type LinkList = Static<typeof linkList>;
export const linkedInterface = Type.Object({ ...members, ...links, warnings: Type.Optional(warnings) }, { title: 'PublishedInterface' });
export type LinkedInterface = Static<typeof linkedInterface>;

export const publishBody = Type.Object({
  revision: Type.Integer({ minimum: 1, description: 'The revision of the reviewed draft; a newer one gets 409' }),
  supersede: Type.Optional(
    Type.Enum(['later', 'now'], { description: '`later`, the default, accepts answers to the previous version for a day; `now` does not' }),
  ),
  strict: Type.Optional(
    Type.Boolean({
      description: 'Whether a place of an output that is not proven to fit prevents publication; by default it is a warning',
    }),
  ),
});
export type Publish = Static<typeof publishBody>;
export const rotateBody = Type.Object({ channel: Type.Enum([...channels], { description: 'The channel of the link' }) });

export const duplicateBody = Type.Object({ title: Type.Optional(title) });
export type DuplicateInterface = Static<typeof duplicateBody>;

export const filters = {
  ...searchFilter('title'),
  ...idsFilter,
  status: Type.Optional(Type.Array(Type.Enum([...statuses]), { description: 'One or more statuses' })),
  type: Type.Optional(Type.Enum([...interfaceTypes])),
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'Only forms in this matter' })),
};
export type InterfaceFilters = Partial<Static<ReturnType<typeof Type.Object<typeof filters>>>>;

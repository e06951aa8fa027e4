import { type Static, Type } from 'typebox';
import { interfaceTypes } from './schemas.ts';

const open = <Members extends Parameters<typeof Type.Object>[0]>(members: Members, description?: string) =>
  Type.Object(members, { additionalProperties: true, ...(description === undefined ? {} : { description }) });

/** The schemas of managed interfaces describe conditions, answers and texts of fields. */
const field = open({
  id: Type.String(),
  type: Type.String({ description: 'The kind of answer' }),
  label: Type.Optional(Type.String({ description: 'The question' })),
});

const shown = {
  id: Type.String(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  type: Type.Enum([...interfaceTypes], { description: 'A form, a booking form, or a form of a registry' }),
  fields: Type.Array(field, { description: 'The fields, in display order' }),
};

const settings = {
  submitLabel: Type.Optional(Type.String({ description: 'The label of the submit button' })),
  successMessage: Type.Optional(Type.String({ description: 'The text after the submission' })),
  locale: Type.String({ description: 'The language of the texts' }),
  locales: Type.Array(Type.String(), { description: 'The available languages' }),
};

export const publicInterface = Type.Object(
  {
    ...shown,
    calendar: Type.Optional(
      open(
        {
          timeZone: Type.Optional(Type.String({ description: 'IANA name' })),
          durationMin: Type.Optional(Type.Integer({ description: 'The length of a booking, in minutes' })),
          slotIntervalMin: Type.Optional(Type.Integer({ description: 'The distance between slots, in minutes' })),
          minNoticeMin: Type.Optional(Type.Integer({ description: 'The time from now to the first free slot, in minutes' })),
          maxDaysAhead: Type.Optional(Type.Integer({ description: 'The number of days from now to the last free slot' })),
        },
        'Of a booking form',
      ),
    ),
    config: open(
      {
        requireAltcha: Type.Boolean({ description: 'Whether a submission requires a proof of work' }),
        uploads: open(
          {
            maxSizeMb: Type.Integer({ description: 'The maximum size of a file, in megabytes' }),
            accept: Type.Array(Type.String(), { description: 'Media types, such as `image/*`' }),
          },
          'What may be uploaded',
        ),
        drafts: Type.Boolean({ description: 'Whether visitors can save drafts and resume them with an emailed link' }),
      },
      'Settings that apply to a submission',
    ),
    publicSettings: open(settings, 'Settings of the page'),
  },
  { title: 'PublicInterface', additionalProperties: true },
);
export type PublicInterface = Static<typeof publicInterface>;

export const apiInterface = Type.Object(
  {
    ...shown,
    publicSettings: open(
      { ...settings, jsonSchema: open({}, 'JSON Schema (2020-12) of `data`') },
      'Settings of the form, with the JSON Schema of a submission',
    ),
  },
  { title: 'ApiInterface', additionalProperties: true },
);
export type ApiInterface = Static<typeof apiInterface>;

export const tokenParams = Type.Object({ token: Type.String({ description: 'The token of the link; it gives access' }) });
export const localeQuery = Type.Object({
  locale: Type.Optional(Type.String({ maxLength: 35, description: 'The language of texts; by default that of `Accept-Language`' })),
});

export const lookupParams = Type.Object({
  ...tokenParams.properties,
  registryTypeId: Type.String({ description: 'A registry of the form' }),
});
export const lookupQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the records; without it the first 50 are returned' })),
});
export const registryRecords = Type.Object(
  {
    records: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          data: Type.Object({}, { additionalProperties: true, description: 'Values by the ids of the public fields' }),
        },
        { additionalProperties: false },
      ),
      { description: 'At most 50, ordered by their first public field' },
    ),
  },
  { title: 'PublicRegistryRecords', additionalProperties: false },
);

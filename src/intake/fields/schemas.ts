import { type TSchema, Type } from 'typebox';
import { type Field, fieldTypes, type Text } from './engine/field.ts';
import { definitionLimits } from './limits.ts';

const locale = '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$';

/** Values by language. Closed: what stands under a name that is no language would be kept without a look at it. */
export const byLocale = <T extends TSchema>(value: T, options: { minProperties?: number } = {}) =>
  Type.Record(Type.String({ pattern: locale }), value, { ...options, maxProperties: 50, additionalProperties: false });

/** A text, or one a locale. Empty texts are no texts: leave the member out. */
export const text = (maxLength: number, description?: string) =>
  Type.Unsafe<Text>(
    Type.Union(
      [Type.String({ minLength: 1, maxLength }), byLocale(Type.String({ maxLength }), { minProperties: 1 })],
      description === undefined ? {} : { description },
    ),
  );

/** How identifiers of fields and options look: they stand in addresses of pages, in CSV headings and in pointers. */
export const fieldId = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' });

const optionId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_.:-]*)$' });

const option = Type.Object(
  { id: optionId, label: Type.Optional(text(500, 'What people read; without it the identifier')) },
  { title: 'FieldOption' },
);

const bound = (description: string) =>
  Type.Unsafe<number | string>(Type.Union([Type.Number(), Type.String({ minLength: 1, maxLength: 40 })], { description }));
const mediaType = Type.String({ pattern: '^[a-z0-9-]+/(?:\\*|[a-z0-9.+-]+)$', maxLength: 127 });

const validation = Type.Object(
  {
    min: Type.Optional(bound('The least number or amount; of dates and times the earliest, as text')),
    max: Type.Optional(bound('The greatest number or amount; of dates and times the latest, as text')),
    minLength: Type.Optional(Type.Integer({ minimum: 0, maximum: 20_000, description: 'In characters (code points)' })),
    maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000, description: 'In characters (code points)' })),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'What the whole answer must match, in the syntax of RE2: no look-around, no back references',
      }),
    ),
    step: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Answers are whole multiples of it, counted from `min`' })),
    minItems: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'The fewest choices' })),
    maxItems: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'The most choices; above 1 the answer of a file or registry field is a list',
      }),
    ),
    accept: Type.Optional(Type.Array(mediaType, { maxItems: 50, description: 'Media types that an upload may have, such as `image/*`' })),
    maxSizeMb: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 20, description: 'The largest upload' })),
    message: Type.Optional(text(500, 'What is said where one of these rules is broken')),
  },
  { title: 'FieldValidation' },
);

/** Conditions nest: what is said of them here is open, and {@link checkFields} reads them. */
const condition = Type.Unsafe<NonNullable<Field['visibleIf']>>(
  Type.Object({}, { additionalProperties: true, minProperties: 1, title: 'FieldCondition' }),
);

/** The members of a field, for a domain whose fields have more. */
export const fieldMembers = {
  id: fieldId,
  type: Type.Enum([...fieldTypes], { description: 'What kind of answer it asks for' }),
  label: Type.Optional(text(1_000, 'The question')),
  help: Type.Optional(text(4_000, 'What helps to answer it')),
  placeholder: Type.Optional(text(500, 'An example that stands in the empty field')),
  required: Type.Optional(Type.Boolean({ description: 'It must be answered, where it is shown' })),
  default: Type.Optional(
    Type.Unknown({
      description: 'What the field holds before anybody answers; of a hidden field what it always holds, which the public is not shown',
    }),
  ),
  prefill: Type.Optional(Type.Boolean({ description: 'A link to the form may bring the answer along, in its query' })),
  validation: Type.Optional(validation),
  options: Type.Optional(Type.Array(option, { maxItems: 10_000, description: 'What may be chosen; answers keep the identifiers' })),
  visibleIf: Type.Optional(condition),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: definitionLimits.pages, description: 'The page of the form on which it is asked' }),
  ),
  registryTypeId: Type.Optional(Type.String({ format: 'uuid', description: 'The registry that a registry field chooses from' })),
};

/** A field as a definition has it. */
export const field = Type.Object(fieldMembers, { title: 'Field' });

/** The fields of a definition. */
export const fields = Type.Array(field, { maxItems: definitionLimits.fields });

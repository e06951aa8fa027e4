import { countries, type FieldType, type ResolvedField } from '#fields';
import type { Content, Html } from '../../../../platform/http/html.ts';
import { box, dropDown, oneOf, records, someOf, yesOrNo } from './choices.ts';
import { line, paragraph, money, named } from './inputs.ts';
import type { FieldContext } from './question.ts';
import { address, files, heading, signature } from './special.ts';

type Control = (field: ResolvedField, asked: FieldContext) => Html;

const countryLists = new Map<string, { id: string; label: string }[]>();

const controls: Record<Exclude<FieldType, 'hidden'>, Control> = {
  text: line,
  textarea: paragraph,
  email: line,
  phone: line,
  url: line,
  number: line,
  integer: line,
  money,
  date: line,
  time: line,
  datetime: line,
  boolean: yesOrNo,
  select: (field, context) => dropDown(field, context, field.options ?? []),
  multiselect: someOf,
  radio: oneOf,
  checkbox: (field, context) => (field.options ? someOf(field, context) : box(field, context)),
  file: files,
  address,
  registry: records,
  country: (field, context) =>
    dropDown(
      field,
      context,
      named(countryLists, context.locale, 'region', () => countries),
      'country',
    ),
  signature,
  heading,
  consent: box,
};

/** Returns the control of a field. A `hidden` field has none. */
export function controlOf(field: ResolvedField, context: FieldContext): Content {
  return field.type === 'hidden' ? '' : controls[field.type](field, context);
}

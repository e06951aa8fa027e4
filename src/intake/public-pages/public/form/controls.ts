import { countries, type FieldType, type ResolvedField } from '#fields';
import type { Content, Html } from '../../../../platform/http/html.ts';
import { box, dropDown, oneOf, records, someOf, yesOrNo } from './choices.ts';
import { line, paragraph, money, named } from './inputs.ts';
import type { Asked } from './question.ts';
import { address, files, heading, signature } from './special.ts';

type Control = (field: ResolvedField, asked: Asked) => Html;

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
  select: (field, asked) => dropDown(field, asked, field.options ?? []),
  multiselect: someOf,
  radio: oneOf,
  checkbox: (field, asked) => (field.options ? someOf(field, asked) : box(field, asked)),
  file: files,
  address,
  registry: records,
  country: (field, asked) =>
    dropDown(
      field,
      asked,
      named(countryLists, asked.locale, 'region', () => countries),
      'country',
    ),
  signature,
  heading,
  consent: box,
};

/** A field as people meet it; a `hidden` one is the server's, and nobody meets it. */
export function controlOf(field: ResolvedField, asked: Asked): Content {
  return field.type === 'hidden' ? '' : controls[field.type](field, asked);
}

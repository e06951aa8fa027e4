import type { Breach, BrokenRule } from './engine/checks.ts';

const texts: Record<BrokenRule, string> = {
  required: 'is required',
  text: 'must be a string',
  characters: 'has control characters or lone surrogates',
  number: 'must be a number',
  integer: 'must be an integer',
  digits: 'has more than {limit} digits, which a number cannot keep',
  yesNo: 'must be true or false',
  list: 'must be an array',
  option: 'must be the id of an option of the field',
  duplicate: 'is in the array twice',
  email: 'must be an email address such as name@example.com',
  phone: 'must be a phone number such as +44 20 7946 0000',
  url: 'must be a URL that begins with https:// or http://',
  country: 'must be an ISO 3166-1 alpha-2 code such as DE',
  currency: 'must be an ISO 4217 code such as EUR that the field allows',
  money: 'must be an object of two strings such as {"amount": "12.50", "currency": "EUR"}, with at most 15 digits and 4 decimals',
  date: 'must be a date such as 2026-11-30',
  time: 'must be a time of day such as 09:30',
  datetime: 'must be a date with a time such as 2026-11-30T09:30:00Z',
  address:
    'must be an object with `value`, and no other members than `street`, `city`, `region`, `postalCode`, `country`, `latitude` and `longitude`',
  upload: 'must be the id of a file that was uploaded for this submission',
  record: 'must be the id of a record that the look-up of the form shows',
  signature: 'must be an object with `name`, `fileId` or both',
  consent: 'must be true',
  min: 'must be at least {limit}',
  max: 'must be at most {limit}',
  step: 'must be a multiple of {limit}, counted from the minimum',
  minLength: 'must have at least {limit} characters',
  maxLength: 'must have at most {limit} characters',
  lines: 'has too many lines: the maximum is {limit}, in all answers together if one is short',
  pattern: 'must match the pattern of the field',
  patternTime: 'could not be compared with the pattern of the field in time: shorten it or try again later',
  minItems: 'must have at least {limit} items',
  maxItems: 'must have at most {limit} items',
  accept: 'is a file of a type that the field does not accept',
  maxSizeMb: 'is a file of more than {limit} MiB',
};

/** Returns the error text for a broken rule for the developer of a program, in English. `messageOf` has the texts for people. */
export const developerMessageOf = ({ rule, limit = '' }: Breach): string => texts[rule].replace('{limit}', () => String(limit));

import { checkConditions } from './condition-check.ts';
import { type Field, type Option, rulesOf, type Text } from './engine/field.ts';
import { breachesOf, longest } from './engine/checks.ts';
import { isDate, isDatetime, isTime } from './engine/calendar.ts';
import { judge } from './engine/validation.ts';
import { normalValue } from './engine/normal.ts';
import { type DefinitionError, definitionLimits } from './limits.ts';
import { type Patterns, PatternTexts } from './patterns.ts';

export type CheckedDefinition = {
  /** Errors that prevent publication. */
  errors: DefinitionError[];
  /** Probable mistakes that do not prevent publication: texts that are missing in a language of the form. */
  warnings: DefinitionError[];
};

/** The languages of a form. Each text must exist in the default one. */
export type Languages = { locales: readonly string[]; defaultLocale: string };

const maxErrors = 200;

/**
 * Returns all errors of the fields of a form or a registry, with their positions. The schema has already checked the shape of the fields.
 *
 * @param team the owner of the definition
 * @param at the JSON pointer of the fields in the request
 */
export async function checkFields(
  fields: readonly Field[],
  languages: Languages,
  team: string,
  at = '/fields',
): Promise<CheckedDefinition> {
  if (fields.length > definitionLimits.fields) {
    const reason = `has more than ${definitionLimits.fields} fields`;
    return { errors: [{ name: 'fields', pointer: at, reason, rule: 'maxItems' }], warnings: [] };
  }
  if (Buffer.byteLength(JSON.stringify(fields)) > definitionLimits.bytes) {
    const reason = `is larger than ${definitionLimits.bytes / 1024} KiB`;
    return { errors: [{ name: 'fields', pointer: at, reason, rule: 'size' }], warnings: [] };
  }
  const patterns = await readPatterns(fields, team);
  const errors: DefinitionError[] = [
    ...doubled(fields, (place) => `${at}/${place}/id`),
    ...fields.flatMap((field, place) => checkField(field, `${at}/${place}`, patterns)),
    ...checkConditions(fields, at),
    ...checkPatternCost(fields, at, patterns),
  ];
  const gaps = fields.map((field, place) => gapsOf(field, `${at}/${place}`, languages));
  errors.push(...gaps.flatMap((one) => one.errors));
  const warnings = gaps.flatMap((one) => one.warnings);
  return { errors: errors.slice(0, maxErrors), warnings: warnings.slice(0, maxErrors) };
}

function doubled(things: readonly { id: string }[], pointer: (place: number) => string): DefinitionError[] {
  const seen = new Set<string>();
  return things.flatMap(({ id }, place) => {
    if (seen.has(id)) return [{ name: 'id', pointer: pointer(place), reason: `is not unique: ${id}`, rule: 'unique' }];
    seen.add(id);
    return [];
  });
}

type FieldDefinitionError = { name: string; reason: string; rule: string; below?: string };

function checkField(field: Field, at: string, patterns: Patterns): DefinitionError[] {
  const said = [...checkLabel(field), ...checkOptions(field), ...checkBelonging(field), ...checkRules(field, patterns)];
  const own = said.map(({ name, reason, rule, below }) => ({ name, pointer: `${at}/${below ?? name}`, reason, rule }));
  const options = doubled(field.options ?? [], (place) => `${at}/options/${place}/id`);
  // The default is only checked against valid rules.
  return own.length > 0 ? [...own, ...options] : [...options, ...checkDefault(field, at, patterns.matches)];
}

function checkLabel({ label, type }: Field): FieldDefinitionError[] {
  const none = label === undefined || label === '';
  return none && type !== 'hidden' ? [{ name: 'label', reason: 'is required: the page shows it as the question', rule: 'required' }] : [];
}

const takesOptions = new Set(['select', 'multiselect', 'radio', 'checkbox', 'money']);

function checkOptions({ type, options }: Field): FieldDefinitionError[] {
  const needed = type === 'select' || type === 'multiselect' || type === 'radio';
  if (needed && !options?.length) return [{ name: 'options', reason: `is required: a ${type} field needs choices`, rule: 'required' }];
  if (options && !takesOptions.has(type)) return [{ name: 'options', reason: `is not allowed for a ${type} field`, rule: 'unknown' }];
  return options?.length === 0 ? [{ name: 'options', reason: 'must have at least one option, or be left out', rule: 'minItems' }] : [];
}

const neverPrefilled = new Set(['consent', 'signature', 'file', 'hidden', 'heading']);
const neverRequired = new Set(['hidden', 'heading']);

/** Returns the members that do not fit the type of the field. */
function checkBelonging({ type, registryTypeId, prefill, required, default: value }: Field): FieldDefinitionError[] {
  const said: FieldDefinitionError[] = [];
  if (type === 'registry' && registryTypeId === undefined)
    said.push({ name: 'registryTypeId', reason: 'is required: it names the registry with the choices', rule: 'required' });
  if (type !== 'registry' && registryTypeId !== undefined)
    said.push({ name: 'registryTypeId', reason: `is not allowed for a ${type} field`, rule: 'unknown' });
  if (prefill && neverPrefilled.has(type))
    said.push({ name: 'prefill', reason: `is not allowed: a link cannot prefill a ${type} field`, rule: 'prefill' });
  if (required && neverRequired.has(type))
    said.push({ name: 'required', reason: `is not allowed: a ${type} field has no answer`, rule: 'required' });
  if (value !== undefined && type !== 'hidden' && neverPrefilled.has(type))
    said.push({ name: 'default', reason: `is not allowed for a ${type} field`, rule: 'default' });
  return said;
}

function checkRules(field: Field, patterns: Patterns): FieldDefinitionError[] {
  const { type, validation } = field;
  if (!validation) return [];
  const taken: readonly string[] = [...rulesOf[type], 'message'];
  const said: FieldDefinitionError[] = Object.keys(validation)
    .filter((rule) => !taken.includes(rule) || (rule.endsWith('Items') && type === 'checkbox' && !field.options))
    .map((rule) => ({ name: rule, below: `validation/${rule}`, reason: `is not a rule of ${type} fields`, rule: 'unknown' }));
  if (said.length > 0) return said;
  return [...checkBounds(field), ...checkPattern(validation.pattern, patterns)];
}

const isMoment = { date: isDate, time: isTime, datetime: isDatetime } as const;

function checkBounds({ type, validation = {} }: Field): FieldDefinitionError[] {
  const isBound = (value: unknown) =>
    type in isMoment ? typeof value === 'string' && isMoment[type as keyof typeof isMoment](value) : typeof value === 'number';
  const wrong = (['min', 'max'] as const).filter((name) => validation[name] !== undefined && !isBound(validation[name]));
  if (wrong.length > 0)
    return wrong.map((name) => ({
      name,
      below: `validation/${name}`,
      reason: `must be a ${type in isMoment ? type : 'number'}`,
      rule: 'type',
    }));
  return (
    [
      ['min', 'max'],
      ['minLength', 'maxLength'],
      ['minItems', 'maxItems'],
    ] as const
  ).flatMap(([least, most]): FieldDefinitionError[] => {
    const [low, high] = [validation[least], validation[most]];
    const crossed = low !== undefined && high !== undefined && low > high;
    return crossed
      ? [{ name: least, below: `validation/${least}`, reason: `is greater than ${most}, so no answer would be valid`, rule: least }]
      : [];
  });
}

const longestPattern = 500;

/** Compiles all patterns, and matches them against the defaults of their fields. */
function readPatterns(fields: readonly Field[], team: string): Promise<Patterns> {
  const texts = new PatternTexts();
  for (const field of fields) {
    const { pattern } = field.validation ?? {};
    const value = normalValue(field, field.default);
    if (pattern !== undefined && pattern.length <= longestPattern) texts.add(pattern, typeof value === 'string' ? value : undefined);
  }
  return texts.check(team);
}

function checkPattern(pattern: string | undefined, patterns: Patterns): FieldDefinitionError[] {
  if (pattern === undefined) return [];
  const said = (reason: string, rule = 'pattern') => [{ name: 'pattern', below: 'validation/pattern', reason, rule }];
  if (pattern.length > longestPattern) return said(`must have at most ${longestPattern} characters`);
  const known = patterns.of(pattern);
  if (!known) return said('the patterns of all fields take too much CPU time to compile: use shorter or fewer patterns', 'cost');
  return 'error' in known ? said(known.error) : [];
}

/** Checks the total cost of the patterns of a form, because one request checks all of them. */
function checkPatternCost(fields: readonly Field[], at: string, patterns: Patterns): DefinitionError[] {
  let steps = 0;
  return fields.flatMap(({ type, validation }, place) => {
    const { pattern, maxLength = longest[type] ?? 1_000 } = validation ?? {};
    const known = pattern === undefined ? undefined : patterns.of(pattern);
    if (!known || 'error' in known) return [];
    steps += known.size * maxLength;
    if (steps <= definitionLimits.patternSteps) return [];
    const reason = 'would take too long for the longest answers: shorten the pattern, or reduce `maxLength` of the fields';
    return [{ name: 'pattern', pointer: `${at}/${place}/validation/pattern`, reason, rule: 'cost' }];
  });
}

/** Returns whether a hidden field can have this value: a short value that conditions can compare. */
function isPlainDefault(value: unknown): boolean {
  if (typeof value === 'string') return breachesOf({ id: 'hidden', type: 'text' }, value, () => true).length === 0;
  return typeof value === 'number' || typeof value === 'boolean';
}

function checkDefault(field: Field, at: string, matches: Patterns['matches']): DefinitionError[] {
  if (field.default === undefined) return [];
  const error = (reason: string, rule: string, below = '') => [{ name: 'default', pointer: `${at}/default${below}`, reason, rule }];
  if (field.type === 'hidden') return isPlainDefault(field.default) ? [] : error('must be a short text, a number, true or false', 'type');
  const value = normalValue(field, field.default);
  if (value === undefined) return [];
  return judge(field, value, { locale: 'en', matches, at: '' }).flatMap(({ reason, rule, pointer }) =>
    error(`breaks a rule of the field: ${reason}`, rule, pointer.slice(field.id.length + 1)),
  );
}

/** Returns the texts of a field that are missing in the languages of the form. */
function gapsOf(field: Field, at: string, languages: Languages): CheckedDefinition {
  const texts: [string, Text | undefined][] = [
    ['label', field.label],
    ['help', field.help],
    ['placeholder', field.placeholder],
    ['validation/message', field.validation?.message],
    ...(field.options ?? []).map(({ label }: Option, place): [string, Text | undefined] => [`options/${place}/label`, label]),
  ];
  const gaps = texts.map(([below, text]) => textGaps(text, `${at}/${below}`, languages));
  return { errors: gaps.flatMap(({ errors }) => errors), warnings: gaps.flatMap(({ warnings }) => warnings) };
}

/** Returns the languages of the form in which a text is missing: an error in the default language, a warning in others. */
export function textGaps(text: Text | undefined, pointer: string, { locales, defaultLocale }: Languages): CheckedDefinition {
  if (text === undefined || typeof text === 'string') return { errors: [], warnings: [] };
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  const missing = locales.filter((locale) => !text[locale]?.trim());
  const missingText = (locale: string): DefinitionError => ({ name, pointer, reason: `has no text in ${locale}`, rule: 'text' });
  // A text in another language is never shown. Probably the language tag has a typo.
  const unknown = Object.keys(text)
    .filter((locale) => !locales.includes(locale))
    .map((locale) => ({
      name,
      pointer: `${pointer}/${locale}`,
      reason: `is in ${locale}, which is not a language of the form`,
      rule: 'locale',
    }));
  return {
    errors: missing.filter((locale) => locale === defaultLocale).map(missingText),
    warnings: [...missing.filter((locale) => locale !== defaultLocale).map(missingText), ...unknown],
  };
}

import { isDeepStrictEqual } from 'node:util';
import { checkConditions, checkFields, type CheckedDefinition, type DefinitionError, type Text, textGaps, localesOf } from '#fields';
import { type FieldError, problems } from '../../platform/problems.ts';
import { unknownMembers } from '../../platform/http/known-members.ts';
import { checkOutputs } from './outputs/check.ts';
import { interfaceProblems } from './problems.ts';
import { type Calendar, configSchema, type CreateInterface, type Definition, type UpdateInterface } from './schemas.ts';
import { isObject } from '../../platform/json.ts';

/** The maximum size of a definition as JSON, in bytes. The calendar has a separate limit. */
const maxBytes = 512 * 1024;
const maxCalendarBytes = 64 * 1024;

/** The default upload settings. */
export const usualUploads = {
  maxSizeMb: 20,
  accept: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'text/plain', 'text/csv'],
};

/** A form definition, and its calendar, which takes effect without publication. */
export type FormDraft = { definition: Definition; calendar: Calendar | null };

export function newDefinition(
  { title, description, fields = [], calendar, config = {}, publicSettings = {} }: CreateInterface,
  team: string,
): Promise<FormDraft> {
  const definition = { title, ...(description === undefined ? {} : { description }), fields, config, publicSettings };
  return checked({ definition, calendar: calendar ?? null }, team);
}

/** Applies a merge patch to the draft (RFC 7396): `null` removes a member, and lists are replaced. */
export function changedDefinition(
  kept: FormDraft,
  { calendar, ...patch }: Omit<UpdateInterface, 'revision'>,
  team: string,
): Promise<FormDraft> {
  const patched = mergePatch(kept.definition, patch) as Partial<Definition>;
  const { title = kept.definition.title, fields = [], config = {}, publicSettings = {}, description } = patched;
  const definition = { title, ...(description === undefined ? {} : { description }), fields, config, publicSettings };
  const live = calendar === undefined ? kept.calendar : (mergePatch(kept.calendar ?? {}, calendar) as Calendar | null);
  return checked({ definition, calendar: live }, team, kept.definition);
}

/** Applies a merge patch (RFC 7396). */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [member, value] of Object.entries(patch)) {
    if (value === null) merged.delete(member);
    else merged.set(member, mergePatch(merged.get(member), value));
  }
  return Object.fromEntries(merged);
}

/** Checks a draft before it is saved. `before` is the previous draft. Throws 400, 422 `interface_invalid`. */
async function checked(made: FormDraft, team: string, before?: Definition): Promise<FormDraft> {
  const tooLarge = [
    ...(bytesOf(made.definition) > maxBytes ? [['', `is larger than ${maxBytes / 1024} KiB of JSON`] as const] : []),
    ...(bytesOf(made.calendar) > maxCalendarBytes ? [['/calendar', `is larger than ${maxCalendarBytes / 1024} KiB of JSON`] as const] : []),
  ];
  if (tooLarge.length > 0)
    throw problems.validation_failed('The definition is too large. Remove fields and texts that you do not need.', {
      errors: tooLarge.map(([pointer, reason]) => ({ name: pointer.slice(1), pointer, reason, rule: 'maxBytes' })),
    });
  refuse(unknownMembers(configSchema, made.definition.config, ['config']));
  // A draft may have missing texts. Publication checks them.
  const errors = (await checkDefinition(made.definition, team)).errors.filter(({ rule }) => rule !== 'text');
  refuse(errors.filter((error) => !isStoredAmount(error, made.definition, before)));
  refuse(checkOutputs(made.definition));
  return made;
}

/** Returns whether an error is about an amount without a currency in a condition that was already stored. Such a condition stays valid. */
function isStoredAmount({ rule, pointer }: DefinitionError, { fields }: Definition, before: Definition | undefined): boolean {
  const field = fields[Number(pointer.split('/')[2])];
  const kept = before?.fields.find(({ id }) => id === field?.id);
  return rule === 'currency' && kept?.visibleIf !== undefined && isDeepStrictEqual(kept.visibleIf, field?.visibleIf);
}

/** Returns the conditions that compare an amount without a currency. They were stored before the currency became required. */
export const amountsWithoutCurrency = (definition: Definition): DefinitionError[] =>
  checkConditions(definition.fields, '/fields').filter(({ rule }) => rule === 'currency');

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const maxErrors = 50;

/** Throws 422 `interface_invalid` if there are any errors. */
export function refuse(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const shown = errors.slice(0, maxErrors);
  throw interfaceProblems.interface_invalid(
    `The definition has errors: ${shown.map(({ pointer, reason }) => `${pointer} ${reason}`).join('; ')}.`,
    { errors: shown },
  );
}

/** Checks that a definition is complete before publication. Returns warnings about probable mistakes. Throws 422 `interface_invalid`. */
export async function requireCompleteDefinition(type: string, definition: Definition, team: string): Promise<FieldError[]> {
  const found = await checkDefinition(definition, team);
  // Only conditions that were stored before the currency became required can lack one.
  const isOld = ({ rule }: FieldError) => rule === 'currency';
  const errors = found.errors.filter((error) => !isOld(error));
  const warnings = [...found.errors.filter(isOld), ...found.warnings];
  const empty = { name: 'fields', pointer: '/fields', reason: 'is empty: a form needs at least one field', rule: 'minItems' };
  refuse([...(type === 'form' && definition.fields.length === 0 ? [empty] : []), ...errors]);
  return warnings.slice(0, maxErrors);
}

async function checkDefinition({ title, description, fields, publicSettings }: Definition, team: string): Promise<CheckedDefinition> {
  const locales = localesOf({ publicSettings });
  const languages = { locales, defaultLocale: locales[0] };
  const texts: [string, Text | undefined][] = [
    ['/title', title],
    ['/description', description],
    ['/publicSettings/submitLabel', publicSettings.submitLabel],
    ['/publicSettings/successMessage', publicSettings.successMessage],
  ];
  const found = [...texts.map(([pointer, text]) => textGaps(text, pointer, languages)), await checkFields(fields, languages, team)];
  return { errors: found.flatMap(({ errors }) => errors), warnings: found.flatMap(({ warnings }) => warnings) };
}

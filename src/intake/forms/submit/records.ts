import { type Field, messageOf, recordsIn } from '#fields';
import { recordsNamed } from '#registries';
import type { FieldError } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { showingOf } from '../bindings.ts';
import { submissionProblems } from './problems.ts';
import type { AnsweredVersion } from './versions.ts';

type NamedRecordsInput = { fields: readonly Field[]; values: Record<string, unknown>; locale: string };

/** Copies of the records that answers name, as the visitor was shown them, by their identifiers. */
export type NamedRecords = Record<string, { registryTypeId: string; data: Record<string, unknown> }>;

/**
 * The records that answers name: each is one that the form's look-up shows. They are kept as they are now, whatever becomes of
 * them. Errors: 422 `submission_invalid`.
 */
export async function nameRecords(
  scope: Pick<Scope, 'db' | 'team'>,
  { bindings }: Pick<AnsweredVersion, 'bindings'>,
  { fields, values, locale }: NamedRecordsInput,
): Promise<NamedRecords | null> {
  const named = recordsIn(fields, values);
  if (named.length === 0) return null;
  const found = await recordsNamed(scope, showingOf(bindings), named);
  const errors = named.flatMap(({ field: name, registryTypeId, recordId }): FieldError[] =>
    found.get(recordId.toLowerCase())?.registryId === registryTypeId.toLowerCase()
      ? []
      : [{ name, pointer: `/data/${name}`, reason: messageOf({ rule: 'record' }, locale), rule: 'record' }],
  );
  if (errors.length > 0)
    throw submissionProblems.submission_invalid('Some answers name what cannot be chosen here; `errors` names each.', { errors });
  return Object.fromEntries([...found.values()].map(({ id, registryId, data }) => [id, { registryTypeId: registryId, data }]));
}

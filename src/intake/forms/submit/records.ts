import { type Breach, type Field, recordsIn } from '#fields';
import { recordsNamed } from '#registries';
import type { FieldError } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { showingOf } from '../bindings.ts';
import { submissionProblems } from './problems.ts';
import type { AnsweredVersion } from './versions.ts';

type NamedRecordsInput = { fields: readonly Field[]; values: Record<string, unknown>; reasonOf: (breach: Breach) => string };

/** Copies of the records in the answers with the fields that the visitor saw, by identifier. */
export type NamedRecords = Record<string, { registryTypeId: string; data: Record<string, unknown> }>;

/**
 * Validates the records in the answers: the look-up of the form must show each of them. Returns copies of their current values, which
 * later changes do not affect. Throws 422 `submission_invalid`.
 */
export async function nameRecords(
  scope: Pick<Scope, 'db' | 'team'>,
  { bindings }: Pick<AnsweredVersion, 'bindings'>,
  { fields, values, reasonOf }: NamedRecordsInput,
): Promise<NamedRecords | null> {
  const named = recordsIn(fields, values);
  if (named.length === 0) return null;
  const found = await recordsNamed(scope, showingOf(bindings), named);
  const errors = named.flatMap(({ field: name, registryTypeId, recordId }): FieldError[] =>
    found.get(recordId.toLowerCase())?.registryId === registryTypeId.toLowerCase()
      ? []
      : [{ name, pointer: `/data/${name}`, reason: reasonOf({ rule: 'record' }), rule: 'record' }],
  );
  if (errors.length > 0)
    throw submissionProblems.submission_invalid('Some answers are not among the choices; `errors` lists each.', { errors });
  return Object.fromEntries([...found.values()].map(({ id, registryId, data }) => [id, { registryTypeId: registryId, data }]));
}

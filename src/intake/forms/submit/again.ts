import type { Scope } from '../../../platform/scope.ts';
import type { Submitting } from './context.ts';
import { carryOut, effectKinds } from './effects.ts';
import { askForFile } from './file-document.ts';
import type { EffectRow } from './queries.ts';
import * as queries from './queries.ts';

/** The dependencies of effects, in addition to the scope. */
export type Following = Pick<Submitting, 'log'>;

type Source = {
  id: string;
  interfaceId: string;
  ownerId: string;
  /** The current folder of the answers. */
  folderId: string | null;
  version: number;
  values: Record<string, unknown>;
};

/** Retries the failed effects of a submission. Returns true if an effect failed again. */
export async function followAgain(
  context: Following,
  scope: Scope,
  { id, interfaceId, ownerId, folderId, version: number, values }: Source,
  { failed, made }: { failed: readonly string[]; made: ReadonlyMap<string, string> },
): Promise<boolean> {
  const { team, now: at } = scope;
  const version = await scope.db.first(queries.answeredVersion, { team, interface: interfaceId, number });
  if (!version) throw new Error('the form version of the submission no longer exists');
  const { definition, bindings, uses_by } = version;
  const source = { id, interfaceId, definition, bindings, values, usedBy: { owner_id: ownerId, uses_by }, folderId, at };
  const rows = await carryOut(context, scope, source, { kinds: effectKinds.filter((kind) => failed.includes(kind)), made });
  const again = failed.includes('pdf') ? [...rows, waiting(made.get('pdf'))] : rows;
  scope.db.send(queries.putEffects, { team, id, effects: JSON.stringify(again), at });
  if (rows.some(({ kind, status }) => kind === 'document' && status === 'done')) askForFile(scope, id);
  return rows.some(({ status }) => status === 'failed');
}

const waiting = (documentId: string | undefined): EffectRow => ({
  kind: 'pdf',
  status: 'waiting',
  result_id: documentId ?? null,
  code: null,
  detail: null,
});

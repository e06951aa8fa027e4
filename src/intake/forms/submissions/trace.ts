import { documentFor } from '#documents';
import { recordFor } from '#registries';
import { readWorkflow } from '#workflows';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { Problem } from '../../../platform/problems.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { outputsOf, type OutputRow, submissionToMake } from '../outputs/index.ts';
import type { AccessibleForm } from '../queries.ts';
import * as queries from './queries.ts';
import type { TraceItem, TraceResult, TraceView } from './schemas.ts';

type ResultReference = { make: TraceItem['make']; id: string; registryId: string | undefined };

/** Returns the effects and outputs of a submission with the results that the caller can read. Throws 404. */
export async function traceSubmission(scope: ReadScope, { row: { id: form } }: AccessibleForm, submissionId: string): Promise<TraceView> {
  const one = { team: scope.team, id: pathId(submissionId, 'submission') };
  const row = await scope.db.first(queries.findSubmission, { ...one, interface: form });
  if (!row) throw notFound('submission');
  const effects = await scope.db.all(queries.effectsOf, one);
  const outputs = await scope.db.all(outputsOf, one);
  const config = (await scope.db.first(submissionToMake, one))?.definition.config;
  const items = [
    ...effects.map((effect) => ({ item: ofEffect(effect), made: effect.result_id, registryId: config?.bindsRegistryTypeId })),
    ...outputs.map((output) => ({
      item: ofOutput(output, outputs),
      made: output.result_id,
      registryId: config?.then?.find(({ id }) => id === output.output_id)?.registryId,
    })),
  ];
  const shown: TraceItem[] = [];
  for (const { item, made, registryId } of items)
    shown.push(made === null ? item : { ...item, ...(await resultOf(scope, { make: item.make, id: made, registryId })) });
  return { id: one.id, status: row.shelf, items: shown };
}

const reasonOf = ({ code, detail }: { code: string | null; detail: string | null }) => ({
  ...(code === null ? {} : { code }),
  ...(detail === null ? {} : { detail }),
});

const ofEffect = ({ kind, status, attempts, ...reason }: queries.EffectRow): TraceItem => ({
  id: kind,
  make: kind,
  status,
  attempts,
  ...reasonOf(reason),
});

function ofOutput(
  { output_id: id, make, needs, status, attempts, next_attempt_at: next, ...reason }: OutputRow,
  all: OutputRow[],
): TraceItem {
  const open = all.filter((one) => needs.includes(one.output_id) && (one.status === 'waiting' || one.status === 'failed'));
  return {
    id,
    make,
    status,
    attempts,
    ...(next === null ? {} : { nextAttemptAt: next }),
    ...(status === 'waiting' && open.length > 0 ? { waitsFor: open.map((one) => one.output_id) } : {}),
    ...reasonOf(reason),
  };
}

/** Returns a result if the caller can read it. */
async function resultOf(scope: ReadScope, made: ResultReference): Promise<Pick<TraceItem, 'result' | 'isHidden'>> {
  try {
    const result = await readResult(scope, made);
    return result ? { result } : { isHidden: true };
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 403)) return { isHidden: true };
    throw error;
  }
}

const scopesOf = { document: 'documents:read', workflow: 'workflows:read', record: 'registries:read' } as const;

async function readResult(scope: ReadScope, { make, id, registryId }: ResultReference): Promise<TraceResult | undefined> {
  // Readers of the submission can read its PDF and its booking.
  if (make === 'pdf' || make === 'booking') return { id };
  if ('scopes' in scope.actor && !scope.actor.scopes.has(scopesOf[make])) return undefined;
  if (make === 'document') {
    const { document } = await documentFor(scope, id);
    return { id, title: document.title, status: document.status };
  }
  if (make === 'record') {
    if (registryId === undefined) return undefined;
    const { row } = await recordFor(scope, registryId, id);
    return { id, registryId: row.registry_id, status: row.state };
  }
  const { value } = await readWorkflow(scope, id);
  const steps = value.steps.map(({ id: step, type, name, status, outcome, detail, requestId }) => ({
    id: step,
    type,
    ...(name === undefined ? {} : { name }),
    status,
    ...(outcome === undefined ? {} : { outcome }),
    ...(detail === undefined ? {} : { detail }),
    ...(requestId === undefined ? {} : { requestId }),
  }));
  return { id, title: value.name, status: value.status, steps };
}

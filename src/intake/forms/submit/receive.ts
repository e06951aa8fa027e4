import type { Wish } from '#bookings';
import { record } from '../../../platform/journal/record.ts';
import { awaitOutputs } from '../outputs/index.ts';
import { interfaceProblems } from '../problems.ts';
import { addressIn, askForReceipt, notifyOfFailures, notifyOfSubmission } from '../mails/index.ts';
import type { Submitting } from './context.ts';
import { askForDocument, carryOut, type EffectKind } from './effects.ts';
import { submissionReceived } from './events.ts';
import { recordFailures } from './failures.ts';
import type { NamedRecords } from './records.ts';
import * as queries from './queries.ts';
import { endTask } from './end-task.ts';
import type { Visit } from './visit.ts';
import type { AnsweredVersion } from './versions.ts';

/** A submission to store. */
export type StoredSubmission = {
  id: string;
  answered: AnsweredVersion;
  values: Record<string, unknown>;
  locale: string;
  status: string;
  records?: NamedRecords | null;
};

/** Stores a submission. `confirm` has the token hash and the expiry of an unconfirmed submission. */
export function keepSubmission(
  { scope, visited, channel }: Visit,
  { id, answered, values, locale, status, records }: StoredSubmission,
  session: string | null,
  confirm: { hash: Buffer; until: Date } | null = null,
): void {
  scope.db.send(queries.insertSubmission, {
    team: scope.team,
    interface: visited.id,
    id,
    version: answered.number,
    channel,
    status,
    data: JSON.stringify(values),
    records: records ? JSON.stringify(records) : null,
    address: addressIn(answered.definition, values) ?? null,
    locale,
    session,
    task: visited.task?.id ?? null,
    confirmHash: confirm?.hash ?? null,
    confirmUntil: confirm?.until ?? null,
    at: scope.now,
  });
}

type Receiving = Pick<StoredSubmission, 'id' | 'answered' | 'values'> & { kinds: EffectKind[]; wish?: Wish | undefined };

/** Runs the effects of an accepted submission in the transaction of the caller, and counts it. Throws 409 `interface_full`, 410. */
export async function receive(context: Submitting, visit: Visit, received: Receiving): Promise<{ recordId?: string | undefined }> {
  const { scope, visited, channel } = visit;
  const { id, answered, values, wish } = received;
  const said = {
    interfaceId: visited.id,
    version: answered.number,
    channel,
    fields: Object.keys(values),
    ...(visited.task ? { taskId: visited.task.id } : {}),
  };
  await record(scope, submissionReceived, id, said);
  const { failed, recordId } = await follow(context, visit, received);
  awaitOutputs(scope, id, answered.definition.config.then);
  if (wish) await context.bookings.book(scope, wish);
  else if (answered.definition.config.receipt === true) askForReceipt(scope, id);
  await count(visit);
  // Locks the counter now, so that concurrent submissions wait and their notifications include this one.
  if ((visited.definition.config.notify ?? []).length > 0) notifyOfSubmission(scope, visited.id);
  if (failed) await notifyOfFailures(scope, visited.id);
  return { recordId };
}

/** Runs the effects and stores their results. Returns whether an effect failed, and the created registry record. */
async function follow(
  context: Submitting,
  visit: Visit,
  { id, answered, values, kinds }: Receiving,
): Promise<{ failed: boolean; recordId?: string | undefined }> {
  const { scope, visited } = visit;
  const { definition, bindings } = answered;
  const usedBy = { owner_id: visited.owner_id, uses_by: answered.uses_by };
  const source = { id, interfaceId: visited.id, definition, bindings, values, usedBy, folderId: visited.folder_id, at: scope.now };
  // Lock order of docs/internals/locks.md: documents and workflows, the task with its workflow, then records.
  const before = visited.task ? kinds.filter((kind) => kind !== 'record') : kinds;
  const rows = await carryOut(context, scope, source, { kinds: before });
  if (visited.task) {
    await endTask(scope, visited.task, visited.linkId);
    rows.push(...(await carryOut(context, scope, source, { kinds: kinds.filter((kind) => kind === 'record') })));
  }
  if (kinds.includes('document')) rows.push(askForDocument(scope, id));
  if (rows.length === 0) return { failed: false };
  scope.db.send(queries.putEffects, { team: scope.team, id, effects: JSON.stringify(rows), at: scope.now });
  const failed = rows.filter(({ status }) => status === 'failed');
  await recordFailures(scope, { id, interfaceId: visited.id, failed });
  return { failed: failed.length > 0, recordId: rows.find(({ kind }) => kind === 'record')?.result_id ?? undefined };
}

/**
 * Counts the submission as the last step. The limit is that of the published version, even for answers to another version. Throws 409
 * `interface_full`, 410.
 */
async function count({ scope, visited, channel }: Visit): Promise<void> {
  const most = visited.definition.publicSettings.maxSubmissions ?? null;
  const counted = await scope.db.first(queries.countSubmission, { team: scope.team, interface: visited.id, channel, most, at: scope.now });
  if (counted) return;
  if (most !== null)
    throw interfaceProblems.interface_full('This form has reached its maximum number of submissions. Ask the sender of the link.');
  throw interfaceProblems.interface_closed('This form is closed. Ask the sender of the link.');
}

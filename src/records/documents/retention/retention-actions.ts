import { isBehindBarrier } from '#access';
import { lockTreesShared } from '#folders';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { dayIn } from '../dates/calculate.ts';
import { zoneFor } from '../dates/service.ts';
import { documentDeleted, reviewDue } from '../events.ts';
import { openSignatureOf, binDocument, lockDocument } from '../queries.ts';
import { eventData } from '../service.ts';
import { countedOf } from './preview.ts';
import * as queries from './queries.ts';
import { dispositionOf, isActing } from './retention-schedule.ts';
import { markOf, ruleFrom } from './rules.ts';

/**
 * Applies the current rules to a document if all of them are due. Checks this again under the locks of moves, barriers, holds and deletions.
 * `mayBin`: whether a rule may move a document to the bin today.
 */
export async function actOn(scope: Scope, document: string, mayBin: (folder: string, on: Temporal.PlainDate) => boolean): Promise<void> {
  const { db, team, now } = scope;
  lockTreesShared(scope);
  const row = await db.locked(lockDocument, { team, id: document }, () => db.first(queries.documentToKeep, { team, document }));
  if (!row || row.folder_id === null || row.on_hold || row.status === 'in_review') return;
  if (await db.first(openSignatureOf, { team, id: document })) return;
  const over = await db.all(queries.rulesOver, { team, folder: row.folder_id });
  const rules = over.map(ruleFrom);
  if (rules.some((rule) => !isActing(rule, now))) return;
  const timeZone = await zoneFor(scope);
  const today = dayIn(timeZone, now);
  const disposition = dispositionOf(rules, countedOf(row), timeZone);
  if (!disposition?.on || Temporal.PlainDate.compare(disposition.on, today) > 0) return;
  const { rule, on } = disposition;
  if (rule.action === 'delete') {
    if (!mayBin(rule.folder, on)) return;
    db.send(binDocument, { team, id: document, client: null, at: now });
    const said = { ...eventData(row.title, row.folder_id), retentionFolderId: rule.folder };
    await record(scope, documentDeleted, document, said, isBehindBarrier(row.barrier_id));
  }
  if (rule.action === 'review') {
    const said = { ...eventData(row.title, row.folder_id), ownerId: row.user_id, retentionFolderId: rule.folder, dueOn: on.toString() };
    await record(scope, reviewDue, document, said, isBehindBarrier(row.barrier_id));
  }
  const basis = over.map(markOf).join(' ');
  db.send(queries.storeRetentionDone, {
    team,
    document,
    folder: rule.folder,
    action: rule.action,
    on: on.toString(),
    basis,
    expiresAt: row.expires_at,
    at: now,
  });
  if (rule.action === 'delete') db.send(queries.countOfDay, { team, day: today.toString() });
}

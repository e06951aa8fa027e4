import { isBehindBarrier } from '#access';
import { folderNames, readableFolder } from '#folders';
import { lockSeen } from '../../../platform/database/lock-tracking.ts';
import type { Row } from '../../../platform/database/row.ts';
import { notFound } from '../../../platform/identifiers.ts';
import { changesBetween } from '../../../platform/journal/changes.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { dayIn } from '../dates/calculate.ts';
import { zoneFor } from '../dates/service.ts';
import { retentionConfirmed, retentionRemoved, retentionSet } from '../events.ts';
import { ownerToNotify } from '../owner-to-notify.ts';
import { documentProblems } from '../problems.ts';
import { ruleMail } from './mails.ts';
import * as queries from './queries.ts';
import { isNoShorter, type Rule } from './retention-schedule.ts';
import type { RuleBody, ShownRule } from './schemas.ts';

/** Days before a new or shorter rule takes effect, and days for which a removed rule still prevents deletions. */
const waitDays = 7;
/** Maximum rules of one team. */
const maxRules = 200;

/** Converts a row to a rule for calculations. */
export const ruleFrom = (row: queries.RuleRow): Rule => ({
  folder: row.folder_id,
  action: row.action,
  after: row.after,
  from: row.counted_from,
  effectiveFrom: new Date(row.effective_from),
  endsAt: row.ends_at === null ? null : new Date(row.ends_at),
});

/** Identifies the version of a rule. */
export const markOf = ({ folder_id, version }: queries.RuleRow): string => `${folder_id}:${version}`;

/**
 * Returns the retention rule of a folder that the actor may read. Ignores rules of folders above it. Errors: 403, 404.
 */
export async function getRule(scope: ReadScope | Scope, id: string): Promise<Versioned<ShownRule>> {
  const { folder } = await readableFolder(scope, id);
  const row = await scope.db.first(queries.ruleOf, { team: scope.team, folder: folder.id });
  if (!row || row.ends_at !== null) throw notFound('retention rule');
  return { value: presentRule(row), version: row.version };
}

const presentRule = (row: queries.RuleRow): ShownRule => ({
  folderId: row.folder_id,
  action: row.action,
  after: row.after,
  from: row.counted_from,
  effectiveFrom: row.effective_from,
  ...(row.waiting === 0 ? {} : { waitingDocuments: row.waiting }),
  ...(row.confirmed_by === null ? {} : { confirmedBy: row.confirmed_by }),
  setBy: row.set_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Returns the retention rules of the folders that the actor may read. */
export async function listRules(scope: ReadScope): Promise<ShownRule[]> {
  const rows = (await scope.db.all(queries.rulesOfTeam, { team: scope.team })).filter(({ ends_at }) => ends_at === null);
  const readable = await folderNames('folder')(
    scope,
    rows.map((row) => row.folder_id),
  );
  const ids = new Set(readable.map(({ id }) => id));
  return rows.filter((row) => ids.has(row.folder_id)).map(presentRule);
}

/**
 * Returns a folder whose retention rule the actor may set. The owner of the folder may, and managers of the team whom no
 * barrier excludes. Errors: 403, 404.
 */
export async function ruledFolder(scope: ReadScope | Scope, id: string) {
  const found = await readableFolder(scope, id);
  if (scope.actor.type !== 'user' || !found.access.can('manage'))
    throw problems.forbidden(
      'Only the owner of the folder, and the owner and administrators of the team, may set its retention rule. Ask one of them.',
    );
  return found;
}

async function lockRule(scope: Scope, id: string, expect: VersionCheck) {
  const { db, team } = scope;
  const { folder, access } = await lockSeen(db, queries.lockRules, { team }, () => ruledFolder(scope, id));
  const kept = await db.first(queries.ruleOf, { team, folder: folder.id });
  expect(kept?.ends_at === null ? kept.version : 0);
  return { folder, access, kept };
}

const shownIn = (rule: RuleBody | undefined) => ({ action: rule?.action, after: rule?.after, from: rule?.from });
const bodyOf = (row: queries.RuleRow): RuleBody => ({ action: row.action, after: row.after, from: row.counted_from });

/**
 * Sets the rule of a folder. A new rule, or one that may delete earlier, waits seven days, and the folder’s owner gets a mail. Errors: 403, 404,
 * 409 `retention_rule_limit`, 412, 422 `retention_rule_invalid`.
 */
export async function putRule(scope: Scope, id: string, body: RuleBody, expect: VersionCheck): Promise<Versioned<ShownRule>> {
  const { db, team, actor, now } = scope;
  if (Temporal.Duration.from(body.after).sign === 0)
    throw documentProblems.retention_rule_invalid('`after` must be longer than zero. Give the retention period, such as `P10Y`.', {
      errors: [{ name: 'after', pointer: '/after', reason: 'must be longer than zero', rule: 'retention' }],
    });
  const { folder, access, kept } = await lockRule(scope, id, expect);
  if (actor.type !== 'user') throw new Error('only a person may set a retention rule');
  const count = kept ? undefined : await db.first(queries.countRules, { team, most: maxRules });
  if ((count?.rules ?? 0) >= maxRules)
    throw documentProblems.retention_rule_limit(
      `Your team has ${maxRules} retention rules, which is the maximum. Set one on a folder above, or remove some.`,
    );
  const before = kept?.ends_at === null ? bodyOf(kept) : undefined;
  if (kept && before && JSON.stringify(before) === JSON.stringify(shownIn(body))) return getRule(scope, folder.id);
  const later = new Date(now.getTime() + waitDays * 86_400_000);
  const isSafe = before !== undefined && isNoShorter(body, before, dayIn(await zoneFor(scope), now));
  const effectiveFrom = kept && isSafe ? new Date(kept.effective_from) : later;
  db.send(queries.putRule, { team, folder: folder.id, ...body, effectiveFrom, by: actor.id, at: now });
  if (!isSafe) await notifyOwner(scope, folder, { ...body, effectiveFrom });
  const changes = changesBetween(shownIn(before), shownIn(body));
  await recordAudit(scope, retentionSet, folder.id, {
    ...body,
    effectiveFrom: effectiveFrom.toISOString(),
    changes,
    ...access.byRole('manage'),
  });
  return getRule(scope, folder.id);
}

/** Removes the rule of a folder. The removed rule prevents deletions for another seven days. Errors: 403, 404, 412. */
export async function removeRule(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  const { db, team, actor, now } = scope;
  const { folder, access, kept } = await lockRule(scope, id, expect);
  if (!kept || kept.ends_at !== null) throw notFound('retention rule');
  if (actor.type !== 'user') throw new Error('only a person may remove a retention rule');
  const endsAt = new Date(now.getTime() + waitDays * 86_400_000);
  db.send(queries.endRule, { team, folder: folder.id, endsAt, by: actor.id, at: now });
  await notifyOwner(scope, folder, { effectiveFrom: endsAt });
  await recordAudit(scope, retentionRemoved, folder.id, { ...bodyOf(kept), ...access.byRole('manage') });
}

type RuleNotification = Partial<RuleBody> & { effectiveFrom: Date };

async function notifyOwner(
  scope: Scope,
  folder: Row<'folder', 'id' | 'name' | 'user_id' | 'barrier_id'>,
  notification: RuleNotification,
): Promise<void> {
  const { db, team } = scope;
  const owner = await ownerToNotify(scope, { owner: folder.user_id, folder: folder.id });
  if (!owner) return;
  const timeZone = await zoneFor(scope);
  const mail = ruleMail(owner.locale, {
    name: isBehindBarrier(folder.barrier_id) ? undefined : folder.name,
    id: folder.id,
    rule: notification,
    day: dayIn(timeZone, notification.effectiveFrom),
  });
  await queueMail(db, { ...mail, to: owner.email, team, budgeted: true, lowPriority: true });
}

/** Confirms a large deletion by a rule that waits for it. Errors: 403, 404, 409 `retention_not_pending`. */
export async function confirmRule(scope: Scope, id: string): Promise<ShownRule> {
  const { db, team, actor, now } = scope;
  const { folder } = await lockSeen(db, queries.lockRules, { team }, () => ruledFolder(scope, id));
  if (actor.type !== 'user') throw new Error('only a person may confirm a retention rule');
  const day = dayIn(await zoneFor(scope), now).toString();
  const confirmed = await db.first(queries.confirmRule, { team, folder: folder.id, day, by: actor.id });
  if (!confirmed) throw documentProblems.retention_not_pending('The rule of this folder has no documents that wait for a confirmation.');
  await recordAudit(scope, retentionConfirmed, folder.id, { documents: confirmed.documents });
  return (await getRule(scope, folder.id)).value;
}

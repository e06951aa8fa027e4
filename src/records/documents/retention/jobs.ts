import { insideOf } from '#access';
import { managerContacts } from '#teams';
import type { DueJobDependencies } from '../../../platform/jobs/due-jobs.ts';
import { smallestId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { dayIn } from '../dates/calculate.ts';
import { zoneFor } from '../dates/service.ts';
import { retentionApprovalRequested, retentionFailed } from '../events.ts';
import { actOn } from './retention-actions.ts';
import { confirmationMail } from './mails.ts';
import { countedOf, ruleParams } from './preview.ts';
import * as queries from './queries.ts';
import { dueBy, dispositionOf, isActing, type Rule } from './retention-schedule.ts';
import { markOf, ruleFrom } from './rules.ts';

/** Documents that one statement finds. */
const page = 5_000;
/** Maximum actions for one team in one run. Their list is in memory, and the next run an hour later continues. */
const maxActionsPerRun = 10_000;
const planMs = 300_000;
const deedMs = 5_000;

type Deed = { team: string; id: string };
/** A day before all documents. */
const never = { before: new Date(0), day: '0001-01-01' };

/**
 * Applies the retention rules of all teams, with teams in turn. Finds the due documents of each team, and acts on them one by one. Requests a
 * confirmation first if there are too many for one day. Several nodes may run it at once, because each skips completed work of the other.
 */
export async function keepRules({ database, listeners, isolation }: DueJobDependencies, now: Date, most = maxActionsPerRun): Promise<void> {
  const inTeam = <T>(team: string, act: (scope: Scope) => Promise<T>): Promise<T> =>
    database.inTeam(team, (db) => act({ db, team, actor: { type: 'system' }, now, requestId: 'retention', listeners }));
  const teams = await database.asSystem('find teams with retention rules', (tx) => tx.all(queries.teamsWithRules, {}));
  const actions: Deed[] = [];
  const allowed = new Map<string, MayBin>();
  await isolation.each(
    queries.planJob,
    teams,
    async ({ team }) => {
      const scope = { db: database.reader(team), team, now };
      const plan = await planOf(scope);
      const { mayBin, waiting } = await inTeam(team, (writing) => decide(writing, plan));
      allowed.set(team, mayBin);
      if (waiting === plan.due) return;
      let taken = 0;
      for await (const { id, rule, on, free } of dueOf(scope, plan)) {
        // Documents that wait after a failure do not count against the limit.
        if (!free) continue;
        if (rule.action === 'delete' && !mayBin(rule.folder, on)) continue;
        actions.push({ team, id });
        taken += 1;
        if (taken >= most) break;
      }
    },
    { limitMs: planMs },
  );
  await isolation.each(
    queries.retentionActionJob,
    actions,
    ({ team, id }) => inTeam(team, (scope) => actOn(scope, id, allowed.get(team) ?? (() => false))),
    {
      limitMs: deedMs,
      onSetAside: ({ team, id }, failures) =>
        inTeam(team, (scope) => recordAudit(scope, retentionFailed, id, { job: queries.retentionActionJob, failures })),
    },
  );
}

type MayBin = (folder: string, on: Temporal.PlainDate) => boolean;
type DueDocument = { id: string; rule: Rule; on: Temporal.PlainDate; free: boolean };
type Reckoning = { rules: queries.RuleRow[]; timeZone: string; today: Temporal.PlainDate };
/** `due`: the number of documents that are due. `open`: unconfirmed deletions by the folder of the rule. */
type Plan = Reckoning & { due: number; open: ReadonlyMap<string, number>; isConfirmed: MayBin };
type PlanScope = Pick<ReadScope, 'db' | 'team' | 'now'>;

/** Counts the documents that are due by the rules of a team. */
async function planOf(scope: PlanScope): Promise<Plan> {
  const timeZone = await zoneFor(scope);
  const rules = await scope.db.all(queries.rulesOfTeam, { team: scope.team });
  const reckoning = { rules, timeZone, today: dayIn(timeZone, scope.now) };
  const confirmed = new Map(rules.map(({ folder_id, confirmed_on }) => [folder_id, confirmed_on]));
  const isConfirmed: MayBin = (folder, on) => {
    const day = confirmed.get(folder);
    return typeof day === 'string' && Temporal.PlainDate.compare(on, day) <= 0;
  };
  const open = new Map<string, number>();
  let due = 0;
  for await (const { rule, on } of dueOf(scope, reckoning)) {
    due += 1;
    if (rule.action === 'delete' && !isConfirmed(rule.folder, on)) open.set(rule.folder, (open.get(rule.folder) ?? 0) + 1);
  }
  return { ...reckoning, due, open, isConfirmed };
}

/** Yields the documents that are due by the rules of a team, by identifier, with one page in memory. */
async function* dueOf({ db, team, now }: PlanScope, { rules: rows, timeZone }: Reckoning): AsyncGenerator<DueDocument> {
  const rules = rows
    .filter(({ ends_at }) => ends_at === null || Date.parse(ends_at) > now.getTime())
    .map((row) => ({ rule: ruleFrom(row), mark: markOf(row) }));
  const params = ruleParams(rules, (rule) => (isActing(rule, now) ? dueBy(rule, now, timeZone) : never));
  const turns = yieldToEventLoop(team);
  for (let after = smallestId; ;) {
    const found = await db.all(queries.dueDocuments, { team, ...params, after, limit: page });
    for (const row of found) {
      if (turns.over) await turns.next();
      if (!row.comes) continue;
      const covering = row.rules.flatMap((n) => rules[n - 1]?.rule ?? []);
      const disposition = dispositionOf(covering, countedOf(row), timeZone);
      if (disposition?.on) yield { id: row.id, rule: disposition.rule, on: disposition.on, free: row.free };
    }
    const last = found.at(-1);
    if (!last || found.length < page) return;
    after = last.id;
  }
}

/** The part of a team’s documents that rules may move to the bin in one day without confirmation. */
const unasked = 0.1;

/**
 * Decides whether today’s deletions need a confirmation. If there are too many, each rule with unconfirmed documents waits, and the team’s managers
 * get one mail. `waiting`: the number of waiting documents.
 */
async function decide(scope: Scope, { open, rules, today, isConfirmed }: Plan): Promise<{ mayBin: MayBin; waiting: number }> {
  const { db, team, now } = scope;
  db.send(queries.dropEnded, { team, now });
  const all = [...open.values()].reduce((sum, documents) => sum + documents, 0);
  const { documents = 0, binned = 0 } = (await db.first(queries.shareOfDay, { team, day: today.toString() })) ?? {};
  const isTooMuch = all > 0 && all + binned > (documents + binned) * unasked;
  const requested: string[] = [];
  for (const { folder_id: folder, waiting } of rules) {
    const waits = isTooMuch ? (open.get(folder) ?? 0) : 0;
    if (waits === waiting) continue;
    if (await db.first(queries.askFor, { team, folder, documents: waits })) requested.push(folder);
  }
  for (const folder of requested) await recordAudit(scope, retentionApprovalRequested, folder, { documents: open.get(folder) ?? 0 });
  if (requested.length > 0) await requestConfirmation(scope, requested, open);
  return isTooMuch ? { mayBin: isConfirmed, waiting: all } : { mayBin: () => true, waiting: 0 };
}

/** Mails each owner or administrator the folders whose rules they can confirm. Managers excluded by a barrier on the folder get no mail. */
async function requestConfirmation({ db, team }: Scope, folders: readonly string[], open: Plan['open']): Promise<void> {
  const managers = await db.all(managerContacts, { team });
  const users = managers.map(({ id }) => id);
  const confirmers = new Map<string, Set<string>>();
  for (const id of folders) {
    const inside = await db.all(insideOf, { team, container: id, users, when: 'permanently' });
    confirmers.set(id, new Set(inside.map((one) => one.id)));
  }
  for (const { id, email, locale } of managers) {
    const own = folders.filter((folder) => confirmers.get(folder)?.has(id));
    const documents = own.reduce((sum, folder) => sum + (open.get(folder) ?? 0), 0);
    if (documents > 0)
      await queueMail(db, { ...confirmationMail(locale, own, documents), to: email, team, budgeted: true, lowPriority: true });
  }
}

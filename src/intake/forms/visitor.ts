import { assigneeOfTask } from '#tasks';
import { boundedCache } from '../../platform/bounded-cache.ts';
import { readTeamToken } from '../../platform/crypto/tokens.ts';
import type { Database } from '../../platform/database/database.ts';
import { enterTeam, type PublicScope, type Scope } from '../../platform/scope.ts';
import { sharedBy } from '../../platform/coalesce.ts';
import * as queries from './link-queries.ts';
import { opennessOf } from './policy.ts';
import { interfaceProblems } from './problems.ts';
import type { Channel } from './schemas.ts';

/** A link: its token and its channel. */
export type Link = { channel: Channel; token: string };

/** The target of a link. A `retired` link only gives access to existing submissions. */
export type Visited = queries.VisitedRow & {
  team: string;
  linkId: string;
  retired: boolean;
  /** For the link of a task: the assignee, and whether the task is still open for that person. */
  task?: TaskOfLink & { open: boolean };
};

type TaskOfLink = { id: string; person: string };

export const noSuchLink = () =>
  interfaceProblems.interface_not_found('No form belongs to this link. Check that the link is complete, or ask for the current link.');

export const taskOver = () =>
  interfaceProblems.interface_closed(
    'The task of this link does not accept answers: it is done, paused, ended or reassigned. Ask the person who started the workflow.',
  );

type LinkTarget = { team: string; interface: string; linkId: string; retired: boolean; task?: TaskOfLink };

async function findLink(db: Pick<PublicScope['db'], 'first'>, { channel, token }: Link): Promise<LinkTarget> {
  const key = readTeamToken(token);
  const found = key && (await db.first(queries.interfaceByLink, key));
  // The link of a task uses the same pages as the public link.
  if (!found || (found.channel === 'task' ? 'public' : found.channel) !== channel) throw noSuchLink();
  const { interface_id: id, link_id: linkId, retired, task_id: task, person_id: person } = found;
  return { team: key.team, interface: id, linkId, retired, ...(task === null || person === null ? {} : { task: { id: task, person } }) };
}

async function visitedBy(
  db: Pick<PublicScope['db'], 'first'>,
  { team, interface: id, linkId, retired, task }: LinkTarget,
): Promise<Visited> {
  const row = await db.first(queries.visitedInterface, { team, id });
  if (!row) throw noSuchLink();
  if (!task) return { ...row, team, linkId, retired };
  const assignment = await db.first(assigneeOfTask, { team, id: task.id });
  // A task link identifies the assignee, so it needs no proof of work against bots.
  const definition = { ...row.definition, config: { ...row.definition.config, requireAltcha: false } };
  const open = assignment?.open === true && assignment.assigned_to === task.person;
  return { ...row, definition, team, linkId, retired, task: { ...task, open } };
}

/** Returns the team of a link. Throws 404 `interface_not_found`. */
export type TeamOfLink = (link: Link) => Promise<string>;

const maxKnownLinks = 10_000;

/** Looks up the teams of links and caches them, because the team of a link never changes. Concurrent requests for one link share one lookup. */
export function rememberTeams({ publicReader }: Pick<Database, 'publicReader'>): TeamOfLink {
  const known = boundedCache<string>(maxKnownLinks);
  const once = sharedBy<string>();
  return async (link) => {
    const key = `${link.channel} ${link.token}`;
    const team = known.get(key) ?? (await once(key, async () => (await findLink(publicReader, link)).team));
    known.set(key, team);
    return team;
  };
}

/** Returns the target of a link in two database round trips. Throws 404 `interface_not_found` for any reason. */
export async function visit({ publicReader, reader }: Pick<Database, 'publicReader' | 'reader'>, link: Link): Promise<Visited> {
  const found = await findLink(publicReader, link);
  return visitedBy(reader(found.team), found);
}

/**
 * Enters the team of a link in a writing transaction, with a visitor as the actor. `id` is the session of the visitor. Throws 404
 * `interface_not_found`.
 */
export async function enterByLink(scope: PublicScope, link: Link, id: string): Promise<{ scope: Scope; visited: Visited }> {
  const found = await findLink(scope.db, link);
  const entered = enterTeam(scope, found.team, { type: 'visitor', id });
  return { scope: entered, visited: await visitedBy(entered.db, found) };
}

/** Checks that the form is open. Throws 404, 409 `interface_full`, 410 `interface_closed`. */
export function requireOpen({ status, definition, taken, retired, task }: Visited, now: Date): void {
  if (task && (retired || !task.open)) throw taskOver();
  if (retired) throw noSuchLink();
  const { opensAt, closesAt, maxSubmissions: most } = definition.publicSettings;
  switch (opennessOf(now, { status, opensAt, closesAt, most, taken })) {
    case 'closed':
      throw interfaceProblems.interface_closed('This form is closed. Ask the sender of the link.');
    case 'not yet':
      throw interfaceProblems.interface_closed(`This form opens at ${opensAt}. Try again then.`);
    case 'over':
      throw interfaceProblems.interface_closed(`This form was open until ${closesAt}. Ask the sender of the link.`);
    case 'full':
      throw interfaceProblems.interface_full('This form has reached its maximum number of submissions. Ask the sender of the link.');
    default:
  }
}

import { randomUUIDv7 } from 'node:crypto';
import type { Static } from 'typebox';
import { pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { type Interfaces, publicLinkOf } from '../links.ts';
import { reportsDismissed } from './events.ts';
import * as queries from './queries.ts';
import { maxText, type report, type ReportReason } from './schemas.ts';

/** What a visitor says of a page. */
export type Report = { reason: ReportReason; text: string };

/**
 * Keeps what a visitor told of an interface, for staff. Neither the visitor's address nor their session is kept, and nothing stands in the
 * journal of the team, which is not to learn of it.
 */
export function keepReport(scope: Scope, interfaceId: string, { reason, text }: Report): void {
  const said = text.replaceAll('\0', '').trim().slice(0, maxText);
  scope.db.send(queries.insertReport, { team: scope.team, id: randomUUIDv7(), interface: interfaceId, reason, text: said, at: scope.now });
}

/** What was reported in all teams and has not been ended, for staff; one more than asked for, where there are more. */
export async function listReports(
  interfaces: Interfaces,
  { db }: Pick<Scope, 'db'>,
  place: queries.ReportCursor,
): Promise<Static<typeof report>[]> {
  const rows = await db.all(queries.listReports, place);
  return rows.map(({ id, team_id, interface_id, title, suspended, reason, text, created_at, link_id, sealed }) => ({
    id,
    teamId: team_id,
    interfaceId: interface_id,
    title,
    ...(link_id === null || sealed === null ? {} : { publicUrl: publicLinkOf(interfaces, { id: link_id, sealed }) }),
    suspended,
    reason,
    text,
    createdAt: new Date(created_at).toISOString(),
  }));
}

/** Ends the reports of an interface of which staff see no reason to act. How many there were is written into the journal of the service. */
export async function dismissReports(scope: Scope, given: { teamId: string; id: string }, reason: string) {
  const [team, id] = [pathId(given.teamId, 'team'), pathId(given.id, 'interface')];
  const reports = (await scope.db.all(queries.endReports, { team, id })).length;
  await recordAudit(scope, reportsDismissed, id, { reason, teamId: team, reports });
  return { id, teamId: team, reports };
}

/** Ends the reports of an interface that staff have acted upon. */
export async function endReports({ db, team }: Pick<Scope, 'db' | 'team'>, id: string): Promise<void> {
  await db.all(queries.endReports, { team, id });
}

import { randomUUIDv7 } from 'node:crypto';
import type { Static } from 'typebox';
import { pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { type Interfaces, publicLinkOf } from '../links.ts';
import { reportsDismissed } from './events.ts';
import * as queries from './queries.ts';
import { maxText, type report, type ReportReason } from './schemas.ts';

/** The report of a visitor about a page. */
export type Report = { reason: ReportReason; text: string };

/**
 * Stores the report of a visitor for staff. Stores neither the address nor the session of the visitor. Writes no entry to the journal
 * of the team, because the team must not learn of the report.
 */
export function keepReport(scope: Scope, interfaceId: string, { reason, text }: Report): void {
  const said = text.replaceAll('\0', '').trim().slice(0, maxText);
  scope.db.send(queries.insertReport, { team: scope.team, id: randomUUIDv7(), interface: interfaceId, reason, text: said, at: scope.now });
}

/** Lists the open reports of all teams for staff. Returns one more than the limit if there are more. */
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

/** Dismisses the reports of a form without action. The journal of the service records their number. */
export async function dismissReports(scope: Scope, given: { teamId: string; id: string }, reason: string) {
  const [team, id] = [pathId(given.teamId, 'team'), pathId(given.id, 'interface')];
  const reports = (await scope.db.all(queries.endReports, { team, id })).length;
  await recordAudit(scope, reportsDismissed, id, { reason, teamId: team, reports });
  return { id, teamId: team, reports };
}

/** Deletes the reports of a form after staff acted on them. */
export async function endReports({ db, team }: Pick<Scope, 'db' | 'team'>, id: string): Promise<void> {
  await db.all(queries.endReports, { team, id });
}

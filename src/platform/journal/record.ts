import { randomUUIDv7 } from 'node:crypto';
import type { TObject, Static } from 'typebox';
import { type Columns, columnsOf, sqlStatement, type Statement } from '../database/statement.ts';
import type { Outgoing, Transaction } from '../database/database.ts';
import type { Actor, Scope } from '../scope.ts';
import type { AuditAction, EventType, Where } from './audit-actions.ts';
import { cut, entryData, knownMembers } from './truncate.ts';
import type { DomainEvent, RecordedEvent } from './domain-event.ts';
import { listenersOf } from './listeners.ts';
import { withoutTexts } from './redaction.ts';

/** An event that is announced together with many others. It is built only if a listener needs it. */
export type Announcement = { team: string; event: () => RecordedEvent };

/** Announces events of one type across teams, in the transaction that causes them: each exactly once, or none. */
export type BulkListener = (tx: Transaction, type: AuditAction, announcements: readonly Announcement[]) => Promise<void>;

export type EntryParams = {
  team: string;
  entryId: string;
  type: string;
  actorType: string;
  actorId: string | null;
  targetType: string | null;
  targetId: string | null;
  at: Date;
  ip: string | null;
  requestId: string;
  data: string;
};

const insertEntry = sqlStatement<EntryParams, never>(
  `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, ip, request_id, data)
   VALUES ($team, $entryId, $type, $actorType, $actorId, $targetType, $targetId, $at, $ip, $requestId, $data)`,
);

/** Inserts several entries: one array per column. */
const insertEntries = sqlStatement<Columns<EntryParams>, never>(
  `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, ip, request_id, data)
   SELECT * FROM unnest($team::uuid[], $entryId::uuid[], $type::text[], $actorType::text[], $actorId::uuid[], $targetType::text[],
     $targetId::text[], $at::timestamptz[], $ip::inet[], $requestId::text[], $data::jsonb[])`,
);

/**
 * Returns SQL for a larger statement, which inserts an entry if `source` has a row (it has at most one). The statement should then select {@link
 * wakeFrom} from `source`. The parameters are the result of {@link entryOf}.
 */
export const entryFrom = (source: string) =>
  `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, ip, request_id, data)
   SELECT $team, $entryId, $type, $actorType, $actorId, $targetType, $targetId, $at, $ip, $requestId, $data FROM ${source}`;

// The clock of the database, which all nodes share, so that recovery since a time does not depend on the node.
type EventParams = { team: string; id: string; type: string; body: Buffer };
const insertEvent = sqlStatement<EventParams, never>(
  'INSERT INTO event (team_id, id, type, body, created_at) VALUES ($team, $id, $type, $body, now())',
);
const insertEvents = sqlStatement<Columns<EventParams>, never>(
  `INSERT INTO event (team_id, id, type, body, created_at)
   SELECT e.*, now() FROM unnest($team::uuid[], $id::text[], $type::text[], $body::bytea[]) AS e`,
);

/** Sends rows with one statement: one for a single row, or one with an array per column. */
const rowsBy =
  <Row extends object>(one: Statement<Row, never>, several: Statement<Columns<Row>, never>): Outgoing<Row> =>
  async (tx, [row, ...others]) => {
    if (row === undefined) return;
    if (others.length === 0) tx.send(one, row);
    else tx.send(several, columnsOf([row, ...others]));
  };
const entries = rowsBy(insertEntry, insertEntries);
const events = rowsBy(insertEvent, insertEvents);

/** The channel that announces new journal entries. Notifications are sent at intervals; the sequencer also polls. */
export const auditDue = 'audit_due';
const wakeSequencer = sqlStatement<object, never>(`SELECT pg_notify('${auditDue}', '')`);
/** The notification of the sequencer, if it is due, as a column of a statement with {@link entryFrom}. */
export const wakeFrom = `(SELECT pg_notify('${auditDue}', '')::text WHERE $wake) AS woken`;
const wakeEveryMs = 200;
let wokenAt = Number.NEGATIVE_INFINITY;

const entryExists = sqlStatement<{ team: string; id: string }, unknown>('SELECT FROM audit_entry WHERE team_id = $team AND id = $id');

function actorId(actor: Actor): string | null {
  return actor.type === 'system' ? null : actor.id;
}

/** Returns whether this entry should notify the sequencer. */
function wakesNow(): boolean {
  // Commits with a notification are serialized in the whole database, so not every action sends one.
  if (performance.now() - wokenAt < wakeEveryMs) return false;
  wokenAt = performance.now();
  return true;
}

type ActContext = Pick<Scope, 'team' | 'actor' | 'recordedAs' | 'now' | 'requestId' | 'ip'>;

function entryParams(scope: ActContext, act: AuditAction, targetId: string | undefined, data: object): EntryParams {
  const known = knownMembers(act.data, data);
  const { recordedAs: actor = scope.actor } = scope;
  return {
    team: scope.team,
    entryId: randomUUIDv7(),
    type: act.type,
    actorType: actor.type,
    actorId: actorId(actor),
    targetType: targetId === undefined ? null : (act.target ?? null),
    targetId: targetId ?? null,
    at: scope.now,
    ip: scope.ip ?? null,
    requestId: scope.requestId,
    data: entryData(known),
  };
}

function insertAct(scope: Scope, act: AuditAction, targetId: string | undefined, data: object): void {
  const entry = entryParams(scope, act, targetId, data);
  scope.db.atEnd(entries, entry);
  scope.db.leaves(entryExists, { team: entry.team, id: entry.entryId });
  if (wakesNow()) scope.db.send(wakeSequencer, {});
}

/** Returns the parameters of an entry for a statement with {@link entryFrom}. */
export function entryOf<Data extends TObject>(
  context: ActContext,
  act: AuditAction<Data, never>,
  targetId: string,
  data: Static<Data>,
): EntryParams & { wake: boolean } {
  return { ...entryParams(context, act, targetId, data), wake: wakesNow() };
}

/** The details of an entry; optional if the action has no required details. */
type EntryArguments<Data extends TObject, Texts extends string> =
  Partial<Static<Data>> extends Static<Data> ? [data?: Static<Data>, ...Where<Texts>] : [data: Static<Data>, ...Where<Texts>];

/**
 * Writes an audit entry for an action without an event, in the transaction of the caller. It contains only known members, and
 * no texts if a barrier applies. Calls the listeners of the action.
 */
export async function recordAudit<Data extends TObject, Texts extends string>(
  scope: Scope,
  act: AuditAction<Data, Texts>,
  targetId: string | undefined,
  ...[data = {} as Static<Data>, barred = false]: EntryArguments<Data, Texts>
): Promise<void> {
  insertAct(scope, act, targetId, barred ? withoutTexts(act, data) : data);
  const { target } = act;
  const naming = listenersOf(scope.listeners, act.type).filter(({ subscribes }) => subscribes === act.type);
  if (naming.length === 0 || targetId === undefined || target === undefined) return;
  const content = { id: eventId(randomUUIDv7()), teamId: scope.team, timestamp: scope.now.toISOString(), targetId, data };
  const received: DomainEvent = { ...eventOf({ type: act.type, target }, content), targetId, data };
  for (const listener of naming) await listener(scope, received);
}

/** The team of journal entries that concern no team: the nil UUID (RFC 9562 §5.9). */
export const serviceTeam = '00000000-0000-0000-0000-000000000000';

/** Returns the scope for journal entries about the whole service, such as the rotation of its keys. */
export function serviceJournal(db: Transaction, context: { now: Date; requestId: string }): Scope {
  return { db, team: serviceTeam, actor: { type: 'system' }, listeners: [], ...context };
}

/**
 * Records one action: an audit entry and an event, in the transaction of the caller. They exist
 * if and only if the change commits. The statements do not wait for each other.
 *
 * @param targetId the resource; becomes `<resource>Id` in the `data` of the envelope
 * @param data the inner data, in the schema of the event type; other members are omitted
 * @param where for types with texts: whether a barrier applies to the resource, before or after the action
 */
export async function record<Data extends TObject, Texts extends string>(
  scope: Scope,
  type: EventType<Data, Texts>,
  targetId: string,
  data: Static<Data>,
  ...where: Where<Texts>
): Promise<void> {
  const id = eventId(randomUUIDv7());
  const known = knownMembers(type.data, data) as Static<Data> & object;
  const recorded = where[0] === true ? withoutTexts(type, known) : known;
  const event = eventOf(type, { id, teamId: scope.team, timestamp: scope.now.toISOString(), targetId, data: recorded });
  insertAct(scope, type, targetId, recorded);
  scope.db.atEnd(events, { team: scope.team, id: event.id, type: event.type, body: event.body });
  const delivered: DomainEvent = { ...event, targetId, data: known };
  // Sequential, so that locks of the listeners are always acquired in this order.
  for (const listener of listenersOf(scope.listeners, type.type)) await listener(scope, delivered);
}

/** Returns the id of an event as in its envelope. */
export function eventId(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`;
}

/**
 * Maximum size of an envelope in bytes. Normal events stay far below this size. In a larger envelope, texts and lists are truncated, like in a
 * journal entry, so that neither the change nor the entry fails.
 */
export const maxEventBytes = 256 * 1024;
const firstCut = 4_096;

type Content<Data> = { id: string; teamId: string; timestamp: string; targetId: string; data: Data };

/** Builds the envelope of an event and the bytes that are sent. */
export function eventOf<Data extends TObject>(
  { type, target }: Pick<EventType<Data>, 'type' | 'target'>,
  { id, teamId, timestamp, targetId, data }: Content<Static<Data>>,
): RecordedEvent {
  const envelope = (inner: unknown, more: object = {}) =>
    Buffer.from(JSON.stringify({ id, type, teamId, timestamp, data: { [`${target}Id`]: targetId, teamId, data: inner }, ...more }));
  let body = envelope(data);
  for (let most = firstCut; body.length > maxEventBytes && most >= 1; most /= 4) body = envelope(cut(data, most), { dataTruncated: true });
  return { id, type, teamId, timestamp, body };
}

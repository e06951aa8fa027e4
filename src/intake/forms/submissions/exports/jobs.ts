import { Readable } from 'node:stream';
import { actorToday } from '#documents';
import { Type } from 'typebox';
import type { Database, Transaction } from '../../../../platform/database/database.ts';
import { defineJob, type Try } from '../../../../platform/jobs/job.ts';
import type { EventListener } from '../../../../platform/journal/listeners.ts';
import { refusalOf } from '../../../../platform/limits/quotas.ts';
import { problems } from '../../../../platform/problems.ts';
import type { Scope } from '../../../../platform/scope.ts';
import { keepFile, removeDropped } from '../../../../platform/storage/store-file.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { holdsScope } from '../../policy.ts';
import { withSubmissions } from '../access.ts';
import { chosen } from '../service.ts';
import * as queries from './queries.ts';
import { exportText } from './write.ts';

export type Exporting = { database: Database; listeners: readonly EventListener[]; storage: Storage; clock: () => Date };
type Data = { team: string; export: string };

const mostBytes = 16 * 1024 ** 3;

/**
 * Writes an export. Done again after a crash: the file whose row commits at the end is the only one, and one without a row is
 * removed by night. Whoever asked for it must be allowed to read the submissions before and after.
 */
export const exportJob = defineJob(
  'submission-export',
  Type.Object({ team: Type.String(), export: Type.String() }),
  {
    retries: 3,
    backoff: { first: 5, factor: 4, most: 120 },
    timeout: 3_600,
    concurrency: 2,
    // A team has two at a time.
    counted: false,
    givenUp: (tx: Transaction, { team, export: id }: Data) =>
      tx.all(queries.failExport, {
        team,
        id,
        code: 'internal_error',
        detail: 'The service failed while it wrote the file, again and again. Ask for it once more.',
      }),
  },
  async (deps: Exporting, { team, export: id }: Data, { signal }: Try) => {
    const wanted = await deps.database.reader(team).first(queries.findExport, { team, id });
    if (wanted?.status !== 'waiting') return;
    try {
      await writeExport(deps, team, wanted, signal);
    } catch (error) {
      const problem = refusalOf(error);
      if (!problem) throw error;
      const { code, detail } = problem;
      await deps.database.inTeam(team, (db) => db.all(queries.failExport, { team, id, code, detail }));
    }
  },
);

async function writeExport(deps: Exporting, team: string, wanted: queries.ExportRow, signal: AbortSignal): Promise<void> {
  const { database, storage } = deps;
  const { id, interface_id: form, format, dialect, filters } = wanted;
  const reader = database.reader(team);
  await inTeam(deps, team, (scope) => requireRight(scope, wanted));
  // An erasure that has not found this export to end it may be under way, with the answers still there to be read.
  await database.inTeam(team, (db) => db.first(queries.awaitErasing, { interface: form }));
  const fields = (await reader.all(queries.fieldsOfVersions, { team, interface: form })).map(({ field }) => field);
  const counted = { rows: 0 };
  const text = exportText(reader, { team, interface: form, format, dialect, ...chosen(filters), fields, signal }, counted);
  await keepFile(storage, { bytes: Readable.from(text, { objectMode: false }), maxBytes: mostBytes }, (file) =>
    inTeam(deps, team, async (scope) => {
      await requireRight(scope, wanted);
      const row = await scope.db.first(queries.finishExport, { team, id, submissions: counted.rows, at: scope.now });
      if (row) scope.db.send(queries.insertFile, { team, id, ...file });
      return row !== undefined;
    }),
  );
}

/** Whoever asked, as what they are today. Errors: 403, 404. */
async function requireRight(scope: Scope, { created_by: by, interface_id: form }: queries.ExportRow): Promise<void> {
  const actor = await actorToday(scope, by);
  if (!actor) throw problems.forbidden('Whoever asked for the export has left the team.');
  if (!holdsScope(actor, 'interfaces:read'))
    throw problems.forbidden('The program that asked for the export may not read interfaces any more.');
  await withSubmissions({ ...scope, actor }, form);
}

function inTeam<T>({ database, listeners, clock }: Exporting, team: string, work: (scope: Scope) => Promise<T>): Promise<T> {
  return database.inTeam(team, (db) =>
    work({ db, team, actor: { type: 'system' }, now: clock(), requestId: 'submission-export', listeners }),
  );
}

const keptMs = 24 * 3_600_000;
const droppedAtOnce = 100;

/** Exports go a day after they were written: a bounded number a transaction, and their files after the commit. */
export function dropOldExports({ database, storage }: Pick<Exporting, 'database' | 'storage'>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs);
  return removeDropped(storage, () =>
    database.asSystem('drop exports of submissions', (tx) => tx.all(queries.dropExports, { before, limit: droppedAtOnce })),
  );
}

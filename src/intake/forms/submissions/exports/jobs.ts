import { Readable } from 'node:stream';
import { actorToday } from '#documents';
import { Type } from 'typebox';
import { defineJob, type JobAttempt } from '../../../../platform/jobs/job.ts';
import { refusalOf } from '../../../../platform/limits/quotas.ts';
import { problems } from '../../../../platform/problems.ts';
import type { Scope } from '../../../../platform/scope.ts';
import { keepFile } from '../../../../platform/storage/store-file.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { dropWrittenFiles, writtenFileJob } from '../../../../platform/storage/written-file-jobs.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../../../platform/system-scope.ts';
import { holdsScope } from '../../policy.ts';
import { withSubmissions } from '../access.ts';
import { chosen } from '../service.ts';
import * as queries from './queries.ts';
import { exportText } from './write.ts';

export type Exporting = SystemDependencies & { storage: Storage };
type ExportJobData = { team: string; export: string };

const requestId = 'submission-export';

const maxBytes = 16 * 1024 ** 3;

/**
 * Writes an export. A retry after a crash is safe: only a file with a committed row is used, and a nightly cleanup removes other files. The requester
 * must have the right to read the submissions before and after the file is written.
 */
export const exportJob = defineJob(
  'submission-export',
  Type.Object({ team: Type.String(), export: Type.String() }),
  writtenFileJob((tx, { team, export: id }: ExportJobData, failure) => tx.all(queries.failExport, { team, id, ...failure })),
  async (deps: Exporting, { team, export: id }: ExportJobData, { signal }: JobAttempt) => {
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
  await inTeamAsSystem(deps, team, requestId, (scope) => requireRight(scope, wanted));
  // An erasure that started before this export may still be in progress. Wait for it, so that the export cannot contain its answers.
  await database.inTeam(team, (db) => db.first(queries.awaitErasing, { interface: form }));
  const fields = (await reader.all(queries.fieldsOfVersions, { team, interface: form })).map(({ field }) => field);
  const counted = { rows: 0 };
  const text = exportText(reader, { team, interface: form, format, dialect, ...chosen(filters), fields, signal }, counted);
  await keepFile(storage, { bytes: Readable.from(text, { objectMode: false }), maxBytes }, (file) =>
    inTeamAsSystem(deps, team, requestId, async (scope) => {
      await requireRight(scope, wanted);
      const row = await scope.db.first(queries.finishExport, { team, id, submissions: counted.rows, at: scope.now });
      if (row) scope.db.send(queries.insertFile, { team, id, ...file });
      return row !== undefined;
    }),
  );
}

/** Checks the current rights of the requester. Throws 403, 404. */
async function requireRight(scope: Scope, { created_by: by, interface_id: form }: queries.ExportRow): Promise<void> {
  const actor = await actorToday(scope, by);
  if (!actor) throw problems.forbidden('The requester of the export left the team. Request a new export.');
  if (!holdsScope(actor, 'interfaces:read'))
    throw problems.forbidden(
      'The client that requested the export can no longer read forms. Check its scopes and state, or request the export with another client.',
    );
  await withSubmissions({ ...scope, actor }, form);
}

/** Removes exports one day after they were written. */
export const dropOldExports = (deps: Pick<Exporting, 'database' | 'storage'>, now: Date): Promise<void> =>
  dropWrittenFiles(deps, now, { reason: 'drop exports of submissions', statement: queries.dropExports });

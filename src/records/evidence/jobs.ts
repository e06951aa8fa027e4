import { Readable } from 'node:stream';
import { journalAbout, type JournalAbout } from '#journal';
import { actorToday, type ArchivedFile, archiveOf } from '#documents';
import type { KeyRing } from '#keys';
import { Type } from 'typebox';
import { defineJob, type JobResult, type JobAttempt } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { refusalOf } from '../../platform/limits/quotas.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { type ReadScope, isTeamManager, type Scope } from '../../platform/scope.ts';
import { keepFile } from '../../platform/storage/store-file.ts';
import { type Storage, StorageError } from '../../platform/storage/storage.ts';
import { dropWrittenFiles, writtenFileJob } from '../../platform/storage/written-file-jobs.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../platform/system-scope.ts';
import { manifestRecorded } from './events.ts';
import { bytesOf, contentsOf, type Manifest, manifestOf, type PackPart, partsOfManifest } from './pack/index.ts';
import * as queries from './queries.ts';
import { type OpenSubject, openSubject } from './subject.ts';

export type Packing = SystemDependencies & { storage: Storage; keys: KeyRing };
type PackJobData = { team: string; pack: string };

const requestId = 'evidence-pack';

const maxPackBytes = 3 * 1024 ** 3;
const maxEntries = 10_000;
/** The interval of checks, and the maximum wait, until a checkpoint covers the manifest. */
const wait = { againMs: 1_000, maxMs: 3_600_000 } as const;

/**
 * Writes a pack in two steps. It records the hash of the manifest in the journal, and after a published checkpoint covers that entry it writes the
 * file with the proof. Safe to repeat after a crash: the recorded manifest stays, and only the file of the committed row is used. Each step checks
 * that the owner may still have the pack.
 */
export const packJob = defineJob(
  'evidence-pack',
  Type.Object({ team: Type.String(), pack: Type.String() }),
  writtenFileJob((tx, { team, pack: id }: PackJobData, failure) => tx.all(queries.failPack, { team, id, ...failure })),
  async (deps: Packing, { team, pack: id }: PackJobData, { signal }: JobAttempt): Promise<JobResult> => {
    const wanted = await deps.database.reader(team).first(queries.findPack, { team, id, person: null });
    if (wanted?.status !== 'pending') return undefined;
    try {
      if (wanted.manifest === null) await sayManifest(deps, team, wanted);
      else if (await writePack(deps, team, wanted, JSON.parse(wanted.manifest) as Manifest, signal)) return undefined;
      return { later: new Date(deps.clock().getTime() + wait.againMs) };
    } catch (error) {
      const problem = refusalOf(error) ?? missing(error);
      if (!problem) throw error;
      const { code, detail } = problem;
      await deps.database.inTeam(team, (db) => db.all(queries.failPack, { team, id, code, detail: detail.slice(0, 1_000) }));
      return undefined;
    }
  },
);

const changed = () => problems.not_found('Content of the pack was deleted during its creation. Request the pack again.');
const missing = (error: unknown) => (error instanceof StorageError && error.reason === 'missing' ? changed() : undefined);

async function sayManifest(deps: Packing, team: string, wanted: queries.PackRow): Promise<void> {
  await inTeamAsSystem(deps, team, requestId, async (scope) => {
    const subject = await subjectOf(scope, wanted);
    const contents = await contentsOf(scope, subject, { network: wanted.network, keys: deps.keys });
    const about = { type: subject.type, id: subject.id, title: subject.title };
    const head = { packId: wanted.id, teamId: team, subject: about, requestedAt: new Date(wanted.created_at).toISOString() };
    const { text: manifest, sha256, files } = manifestOf(head, contents);
    const [kept] = await scope.db.all(queries.keepManifest, { team, id: wanted.id, manifest, sha256 });
    if (kept) await recordAudit(scope, manifestRecorded, wanted.id, { manifestSha256: sha256, files });
  });
}

/** Returns false if no checkpoint covers the manifest yet. The job then makes another attempt soon. */
async function writePack(deps: Packing, team: string, wanted: queries.PackRow, manifest: Manifest, signal: AbortSignal): Promise<boolean> {
  const { database, storage, clock, keys } = deps;
  const { id, network } = wanted;
  const reading = { db: database.reader(team), team, now: clock(), requestId };
  const subject = await subjectOf(reading, wanted);
  const owner = await actorToday(reading, wanted.owner_id);
  const addresses = network && owner !== undefined && isTeamManager(owner);
  const query = { keys, targets: [...manifest.about, id], until: manifestRecorded.type, most: maxEntries, addresses };
  const journal = await journalAbout(reading, query).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'checkpoint_missing') return undefined;
    throw error;
  });
  if (!journal) {
    if (clock().getTime() - new Date(wanted.created_at).getTime() < wait.maxMs) return false;
    throw problems.unavailable(
      'No worker has signed a checkpoint of the journal within the last hour. Contact the operator, then request the pack again.',
    );
  }
  const named = { about: manifest.about, versions: manifest.files };
  const contents = await contentsOf(reading, subject, { network, keys, named });
  const parts = partsOfManifest(manifest, contents);
  // The owner may have lost access since the list was made: a role in the team or a task. Then the pack fails.
  if (!parts || manifest.about.some((one) => !contents.targets.includes(one))) throw changed();
  const all = [bytesOf('manifest.json', wanted.manifest ?? ''), journalPart(journal), ...parts];
  const bytes = archiveOf(archived(storage, all, new Date(wanted.created_at), signal));
  await keepFile(storage, { bytes, maxBytes: maxPackBytes }, (file) =>
    inTeamAsSystem(deps, team, requestId, async (scope) => {
      await subjectOf(scope, wanted);
      const [row] = await scope.db.all(queries.finishPack, { team, id, at: scope.now });
      if (row) scope.db.send(queries.insertFile, { team, id, ...file });
      return row !== undefined;
    }),
  );
  return true;
}

function journalPart({ logs, verifierKeys, lines, leftOut }: JournalAbout): PackPart & { bytes: Buffer } {
  const head = { format: 'chancery-evidence-journal@2', logs, verifierKeys, leftOut };
  return bytesOf('journal.jsonl', `${JSON.stringify(head)}\n${lines.join('')}${JSON.stringify({ end: true, entries: lines.length })}\n`);
}

async function* archived(storage: Storage, parts: readonly PackPart[], at: Date, signal: AbortSignal): AsyncGenerator<ArchivedFile> {
  for (const part of parts) {
    signal.throwIfAborted();
    yield { path: part.path, at, size: part.size, source: 'bytes' in part ? Readable.from([part.bytes]) : await storage.read(part.key) };
  }
}

/** Returns the subject of a pack if its owner may still have it. Errors: 403, 404. */
async function subjectOf(
  scope: Omit<ReadScope, 'actor'> | Scope,
  { owner_id: owner, subject_type: type, subject_id: id }: queries.PackRow,
): Promise<OpenSubject> {
  const actor = await actorToday(scope, owner);
  if (!actor)
    throw problems.forbidden(
      'The requester of the pack has left the team, or is an API client that is no longer active. Request a new pack.',
    );
  return openSubject({ ...scope, actor }, { type, id });
}

/** Deletes packs one day after they were written. */
export const dropOldPacks = (deps: Pick<Packing, 'database' | 'storage'>, now: Date): Promise<void> =>
  dropWrittenFiles(deps, now, { reason: 'drop packs of evidence', statement: queries.dropPacks });

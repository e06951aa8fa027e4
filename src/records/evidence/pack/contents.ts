import { type DocumentInWhole, filesOfDocument, type KeptVersion, uniqueNames } from '#documents';
import type { KeyRing } from '#keys';
import { requestsAbout } from '#signatures';
import { tasksAbout } from '#tasks';
import { workflowsOn } from '#workflows';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { OpenSubject } from '../subject.ts';
import type { PackPart } from './part.ts';
import { signatureParts } from './signatures.ts';

/** The maximum content of a pack. */
const most = { versions: 200, bytes: 2 * 1024 ** 3, workflows: 100, requests: 100, tasks: 1_000 } as const;
/** By which factor the search for listed items extends its limit if newer items exist. */
const maxTimes = 16;

type PackReader = Pick<ReadScope | Scope, 'db' | 'team'>;

/**
 * Returns the versions whose files a pack has, and whether others are left out. The newest version of each document comes first, then the second newest.
 *
 * @param listed the files of an existing manifest; newer versions do not replace them
 */
export async function versionsOf(
  scope: PackReader,
  { document, versions, others = [] }: Pick<OpenSubject, 'document' | 'versions' | 'others'>,
  listed?: ListedItems['versions'],
): Promise<{ kept: (KeptVersion & { document: DocumentInWhole })[]; leftOut: boolean }> {
  const lists: (KeptVersion & { document: DocumentInWhole })[][] = [];
  for (const { document: one, versions: own } of [...(document ? [{ document, versions }] : []), ...others]) {
    const named = listed?.flatMap(({ documentId = document?.id, version }) => (documentId === one.id ? (version ?? []) : []));
    const numbers = named?.filter((number) => own?.includes(number) ?? true) ?? own;
    const files = await filesOfDocument(scope, one.id, { numbers, limit: most.versions + 1 });
    lists.push(files.map((file) => ({ ...file, document: one })));
  }
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const found = Array.from({ length: longest }, (_, at) => lists.flatMap((files) => files[at] ?? [])).flat();
  const kept: typeof found = [];
  let left: number = most.bytes;
  for (const version of found.slice(0, most.versions)) {
    left -= version.size;
    if (left < 0) break;
    kept.push(version);
  }
  return { kept, leftOut: kept.length < found.length };
}

type Targets = { targets: string[]; requests: string[]; leftOut: boolean };

/**
 * Returns the identifiers whose journal entries a pack has. For an existing manifest, its items that the owner may still see; newer items do not
 * replace them.
 */
async function targetsOf(scope: PackReader, subject: OpenSubject, named: readonly string[] | undefined): Promise<Targets> {
  if (!named) return newestTargets(scope, subject, 1);
  for (let times = 1; ; times *= 2) {
    const found = await newestTargets(scope, subject, times);
    const seen = new Set(found.targets);
    const targets = named.filter((one) => seen.has(one));
    if (targets.length < named.length && found.leftOut && times < maxTimes) continue;
    return { targets, requests: found.requests.filter((one) => named.includes(one)), leftOut: found.leftOut };
  }
}

/** Returns the newest items that a pack may cover, up to `times` the limit of a pack. */
async function newestTargets(
  scope: PackReader,
  { type, id, document, others = [], inWhole, principalId }: OpenSubject,
  times: number,
): Promise<Targets> {
  const { db, team } = scope;
  const limits = { workflows: times * most.workflows, requests: times * most.requests, tasks: times * most.tasks };
  const documents = [...(document ? [document] : []), ...others.map((one) => one.document)];
  if (type === 'signature') return { targets: [id, ...(inWhole ? documents.map((one) => one.id) : [])], requests: [id], leftOut: false };
  const workflows = type === 'workflow' ? [id] : await workflowsOn(scope, { document: id, principalId, limit: limits.workflows });
  const about = new Set<string>();
  for (const { id: one } of documents) {
    const query = { document: one, limit: limits.requests, ...(type === 'workflow' ? { workflow: id } : {}) };
    for (const request of await requestsAbout(scope, query)) about.add(request);
  }
  const requests = [...about].toSorted().toReversed().slice(0, limits.requests);
  const tasks = await db.all(tasksAbout, {
    team,
    workflows,
    document: type === 'document' ? id : null,
    principalId,
    limit: limits.tasks,
  });
  const leftOut = workflows.length >= limits.workflows || requests.length >= limits.requests || tasks.length >= limits.tasks;
  return {
    targets: [...new Set([id, ...documents.map((one) => one.id), ...workflows, ...requests, ...tasks.map((task) => task.id)])],
    requests,
    leftOut,
  };
}

/** The files of a pack besides the manifest and its companions, and texts about omitted content. */
export type Contents = { targets: string[]; parts: PackPart[]; leftOut: string[] };

/** The items and versions of an existing manifest. */
export type ListedItems = { about: readonly string[]; versions: readonly { documentId?: string; version?: number }[] };

/**
 * Collects the contents of a pack.
 *
 * @param named the items of an existing manifest, limited to those that the owner may still see
 */
export async function contentsOf(
  scope: PackReader,
  subject: OpenSubject,
  { network, keys, named }: { network: boolean; keys: KeyRing; named?: ListedItems },
): Promise<Contents> {
  const { kept, leftOut } = await versionsOf(scope, subject, named?.versions);
  const { targets, requests, leftOut: bounded } = await targetsOf(scope, subject, named?.about);
  const name = uniqueNames();
  const files = kept.map(({ document, number, file_name: fileName, size, sha256, storage_key: key }): PackPart => ({
    // The number comes first, so the name is unique among all versions.
    path: name('files/', `version ${number} ${fileName}`),
    size,
    sha256,
    documentId: document.id,
    version: number,
    key,
  }));
  return {
    targets,
    parts: [...files, ...(await signatureParts(scope, requests, { network, keys }))],
    leftOut: [
      ...(leftOut ? [`Versions of documents: the newest ${kept.length} are in the pack (at most ${most.versions}, and 2 GiB).`] : []),
      ...(bounded ? ['Workflows, tasks or signature requests: only the newest are in the pack.'] : []),
      ...(network
        ? []
        : [
            'Network addresses, and the signed statements in their original form. The pack has the statements without addresses, so it cannot verify their signatures.',
          ]),
    ],
  };
}

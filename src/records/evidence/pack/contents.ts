import { filesOfDocument, type KeptVersion, uniqueNames } from '#documents';
import type { KeyRing } from '#keys';
import { requestsAbout } from '#signatures';
import { tasksAbout } from '#tasks';
import { workflowsOn } from '#workflows';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { OpenSubject } from '../subject.ts';
import type { PackPart } from './part.ts';
import { signatureParts } from './signatures.ts';

/** What a pack has at most. */
const most = { versions: 200, bytes: 2 * 1024 ** 3, workflows: 100, requests: 100, tasks: 1_000 } as const;
/** How many times as many are looked through for what a list has named, when newer ones have come since. */
const maxTimes = 16;

type PackReader = Pick<ReadScope | Scope, 'db' | 'team'>;

/**
 * The versions of the document whose files a pack has, the newest first, and whether others are left out.
 *
 * @param listed those that a list has named already, where there is one: none that has come since pushes them out
 */
export async function versionsOf(
  scope: PackReader,
  { document, versions }: Pick<OpenSubject, 'document' | 'versions'>,
  listed?: readonly number[],
): Promise<{ kept: KeptVersion[]; leftOut: boolean }> {
  if (!document) return { kept: [], leftOut: false };
  const numbers = listed?.filter((number) => versions?.includes(number) ?? true) ?? versions;
  const found = await filesOfDocument(scope, document.id, { numbers, limit: most.versions + 1 });
  const kept: KeptVersion[] = [];
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
 * What a pack is about, by identifiers: the entries of the journal with one of these as their target are in it. Where a list has named them
 * already, those of them that are seen still: newer ones that have come since push none of them out.
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

/** The newest of what a pack may be about, so many times as many as it has at most. */
async function newestTargets(
  scope: PackReader,
  { type, id, document, inWhole, principalId }: OpenSubject,
  times: number,
): Promise<Targets> {
  const { db, team } = scope;
  const limits = { workflows: times * most.workflows, requests: times * most.requests, tasks: times * most.tasks };
  if (type === 'signature') return { targets: [id, ...(document && inWhole ? [document.id] : [])], requests: [id], leftOut: false };
  const workflows = type === 'workflow' ? [id] : await workflowsOn(scope, { document: id, principalId, limit: limits.workflows });
  const requests = document
    ? await requestsAbout(scope, { document: document.id, limit: limits.requests, ...(type === 'workflow' ? { workflow: id } : {}) })
    : [];
  const tasks = await db.all(tasksAbout, {
    team,
    workflows,
    document: type === 'document' ? id : null,
    principalId,
    limit: limits.tasks,
  });
  const leftOut = workflows.length >= limits.workflows || requests.length >= limits.requests || tasks.length >= limits.tasks;
  return {
    targets: [...new Set([id, ...(document ? [document.id] : []), ...workflows, ...requests, ...tasks.map((task) => task.id)])],
    requests,
    leftOut,
  };
}

/** The files of a pack beside those that explain and list them, and what is left out, for people. */
export type Contents = { targets: string[]; parts: PackPart[]; leftOut: string[] };

/** What a list has named already: what it is about, and versions of the document. */
export type ListedItems = { about: readonly string[]; versions: readonly number[] };

/** @param named of what a list has named already, what is there and seen still */
export async function contentsOf(
  scope: PackReader,
  subject: OpenSubject,
  { network, keys, named }: { network: boolean; keys: KeyRing; named?: ListedItems },
): Promise<Contents> {
  const { kept, leftOut } = await versionsOf(scope, subject, named?.versions);
  const { targets, requests, leftOut: bounded } = await targetsOf(scope, subject, named?.about);
  const name = uniqueNames();
  const files = kept.map(({ number, file_name: fileName, size, sha256, storage_key: key }): PackPart => ({
    // The number stands first: it makes the name the only one, whichever versions there are beside it.
    path: name('files/', `version ${number} ${fileName}`),
    size,
    sha256,
    version: number,
    key,
  }));
  return {
    targets,
    parts: [...files, ...(await signatureParts(scope, requests, { network, keys }))],
    leftOut: [
      ...(leftOut ? [`Versions of the document: the newest ${kept.length} are in the pack (at most ${most.versions}, and 2 GiB).`] : []),
      ...(bounded ? ['Workflows, tasks or requests for signatures: only the newest are in the pack.'] : []),
      ...(network
        ? []
        : [
            'Network addresses, and the signed statements in their original form. The pack has the statements without addresses, so it cannot verify their signatures.',
          ]),
    ],
  };
}

import { filesOfDocument, type KeptVersion, uniqueNames } from '#documents';
import type { KeyRing } from '#keys';
import { requestsAbout } from '#signatures';
import { tasksAbout } from '#tasks';
import { workflowsOn } from '#workflows';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { OpenSubject } from '../subject.ts';
import type { Part } from './part.ts';
import { signatureParts } from './signatures.ts';

/** What a pack has at most. */
const most = { versions: 200, bytes: 2 * 1024 ** 3, workflows: 100, requests: 100, tasks: 1_000 } as const;

type Reading = Pick<ReadScope | Scope, 'db' | 'team'>;

/** The versions of the document whose files a pack has, the newest first, and whether others are left out. */
export async function versionsOf(
  scope: Reading,
  { document, versions }: Pick<OpenSubject, 'document' | 'versions'>,
): Promise<{ kept: KeptVersion[]; leftOut: boolean }> {
  if (!document) return { kept: [], leftOut: false };
  const limit = versions === undefined ? most.versions + 1 : 1_000;
  const found = (await filesOfDocument(scope, document.id, limit)).filter(({ number }) => versions?.includes(number) ?? true);
  const kept: KeptVersion[] = [];
  let left: number = most.bytes;
  for (const version of found.slice(0, most.versions)) {
    left -= version.size;
    if (left < 0) break;
    kept.push(version);
  }
  return { kept, leftOut: kept.length < found.length };
}

/** What a pack is about, by identifiers: the entries of the journal with one of these as their target are in it. */
async function targetsOf(
  scope: Reading,
  { type, id, document, inWhole, seer }: OpenSubject,
): Promise<{ targets: string[]; requests: string[]; leftOut: boolean }> {
  const { db, team } = scope;
  if (type === 'signature') return { targets: [id, ...(document && inWhole ? [document.id] : [])], requests: [id], leftOut: false };
  const workflows = type === 'workflow' ? [id] : await workflowsOn(scope, { document: id, seer, limit: most.workflows });
  const requests = document
    ? await requestsAbout(scope, { document: document.id, limit: most.requests, ...(type === 'workflow' ? { workflow: id } : {}) })
    : [];
  const tasks = await db.all(tasksAbout, { team, workflows, document: type === 'document' ? id : null, seer, limit: most.tasks });
  const leftOut = workflows.length >= most.workflows || requests.length >= most.requests || tasks.length >= most.tasks;
  return {
    targets: [...new Set([id, ...(document ? [document.id] : []), ...workflows, ...requests, ...tasks.map((task) => task.id)])],
    requests,
    leftOut,
  };
}

/** The files of a pack beside those that explain and list them, and what is left out, for people. */
export type Contents = { targets: string[]; parts: Part[]; leftOut: string[] };

export async function contentsOf(
  scope: Reading,
  subject: OpenSubject,
  { network, keys }: { network: boolean; keys: KeyRing },
): Promise<Contents> {
  const { kept, leftOut } = await versionsOf(scope, subject);
  const { targets, requests, leftOut: bounded } = await targetsOf(scope, subject);
  const name = uniqueNames();
  const files = kept.map(({ number, file_name: fileName, size, sha256, storage_key: key }): Part => ({
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
        : ['Network addresses, and with them the signed statements as they were signed: what they say without addresses is in the pack.']),
    ],
  };
}

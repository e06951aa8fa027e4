import { buffer } from 'node:stream/consumers';
import { addSealedVersion } from '#documents';
import { fullNameOf, issuingTeam, zoneOfTeam } from '#teams';
import type { Reader } from '../../../platform/database/database.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { forDocument, inRequest, keepFileOf, stepJob } from './attempts.ts';
import { signerLocale } from './signer-locale.ts';
import type { Working } from './context.ts';
import { firstOf, isSignedBy, type RequestDocument, seenBy } from './documents.ts';
import { move, notifyRequester } from './request-transitions.ts';
import { signatureCompleted } from './events.ts';
import { filledFields, historyOf, signersOfEvidence } from './filled.ts';
import { issueSignerLink, linkOf, mailSigners } from './mail-signers.ts';
import type { Evidence } from '../sealing/index.ts';
import { requestEventData } from './present.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';
import { type SignerRow, signersOf } from './signer-queries.ts';

/**
 * Seals each signed document as a file, then adds all as the newest versions of their documents in one transaction. A retry seals only the missing
 * files. Safe to repeat after a crash: under the lock of the request, only one run finds the status `sealing` and adds versions.
 */
export const sealJob = stepJob('signature-seal', { status: 'sealing', step: 'seal' }, async (deps, request, { db, team, signal }) => {
  const { id, documents } = request;
  const rows = {
    signers: await db.all(signersOf, { team, request: id }),
    fields: await db.all(queries.fieldsOf, { team, request: id }),
    zone: (await db.first(zoneOfTeam, { team }))?.time_zone ?? 'UTC',
  };
  const about = await aboutRequest({ db, team, baseUrl: deps.context.baseUrl, now: deps.clock() }, request, rows.signers);
  const sealed = new Set((await db.all(queries.sealsOf, { team, request: id })).map(({ place }) => place));
  for (const document of documents.filter(({ place }) => !sealed.has(place)))
    await forDocument(document, async () => sealDocument(deps, { team, request, document }, { ...rows, about }, signal));
  await inRequest(deps, team, id, (scope, current) => publish(deps, scope, current));
});

type SealedDocument = { team: string; request: RequestRow; document: RequestDocument };
type RequestRows = { signers: readonly SignerRow[]; fields: readonly queries.FieldRow[]; zone: string };

/** Seals one document and stores its file. */
async function sealDocument(
  deps: Working,
  { team, request, document }: SealedDocument,
  { signers, fields, zone, about }: RequestRows & { about: RequestEvidence },
  signal: AbortSignal,
): Promise<void> {
  const { presentedKey: key, presentedSha256: sha256, manner, pages, findings } = document;
  if (key === null || manner === null || pages === null) throw new Error('The presented file is missing.');
  const presented = await buffer(await deps.context.storage.read(key));
  const own = {
    signers: signers.filter((signer) => isSignedBy(document, signer)),
    fields: fields.filter((field) => field.document === document.place),
    zone,
  };
  const evidence: Evidence = {
    ...about,
    documentName: document.title,
    ...(document.sha256 === sha256 ? {} : { originalSha256: document.sha256 }),
    signers: signersOfEvidence(own.signers, own.fields, about.acts),
    history: historyOf(signers, actsOn(document, signers, about.acts)),
  };
  const sealed = await deps.sealing.seal({ presented, manner, findings, pages, fields: filledFields(own), evidence }, signal);
  await keepFileOf(deps, { team, request }, sealed.sealed, async (scope, file) => {
    if (file.sha256 !== sealed.sha256) throw new Error('The stored file differs from the sealed file.');
    const { level, timestampedAt = null } = sealed;
    const at = { team, request: request.id, place: document.place };
    const row = { ...at, key: file.key, sha256: file.sha256, size: file.size, level, timestampedAt };
    return (await scope.db.first(queries.insertSeal, row)) !== undefined;
  });
}

/** Enqueues the sealing. The job runs after the commit. */
export function askForSeal(scope: Pick<Scope, 'db' | 'team'>, request: string): void {
  enqueue(scope, sealJob, { request }, { key: request });
}

type RequestEvidence = Omit<Evidence, 'documentName' | 'originalSha256' | 'signers' | 'history'> & { acts: readonly queries.EvidenceRow[] };

/** Returns the members of the certificate pages that are the same for all documents of a request. */
async function aboutRequest(
  { db, team, baseUrl, now }: { db: Reader; team: string; baseUrl: string; now: Date },
  request: RequestRow,
  signers: readonly SignerRow[],
): Promise<RequestEvidence> {
  const issuer = await db.first(issuingTeam, { team });
  const requester = await db.first(fullNameOf, { team, id: request.created_by });
  return {
    language: signerLocale(request.locale),
    requestId: request.id,
    teamName: issuer?.name ?? '',
    requestedBy: requester?.name ?? issuer?.name ?? '',
    requestedAt: new Date(request.created_at),
    completedAt: new Date(Math.max(...signers.map(({ signed_at: at }) => (at === null ? 0 : Date.parse(at))), 0) || now.getTime()),
    verifyUrl: `${baseUrl}/verify`,
    acts: await db.all(queries.evidenceOf, { team, request: request.id }),
  };
}

/** Returns the actions that concern a document: those of its readers, and the signatures of its signers. */
const actsOn = (document: RequestDocument, signers: readonly SignerRow[], acts: readonly queries.EvidenceRow[]) =>
  acts.filter(({ act, signer_id: id }) => {
    const signer = signers.find((one) => one.id === id);
    return signer !== undefined && (act === 'signed' ? isSignedBy(document, signer) : seenBy([document], id).length > 0);
  });

/** Completes a request: its sealed files become the newest versions of their documents. */
async function publish(deps: Working, scope: Scope, request: RequestRow): Promise<void> {
  const { team, now } = scope;
  const seals = await scope.db.all(queries.sealsOf, { team, request: request.id });
  if (seals.length < request.documents.length || !(await move(scope, request, 'complete'))) return;
  const documents: (ReturnType<typeof requestEventData>['documents'][number] & { sealedVersion: number; sealedSha256: string })[] = [];
  for (const { id, version, title, place } of request.documents) {
    const seal = seals.find((one) => one.place === place);
    if (!seal) throw new Error('The sealed file of a document is missing.');
    const { storage_key: key, sha256, size, level, timestamped_at: timestampedAt } = seal;
    const upload = { key, sha256, size, fileName: sealedName(title), mediaType: 'application/pdf' };
    const number = await addSealedVersion(scope, id, upload, request.id);
    if (number === undefined) throw new Error('The document was deleted during the sealing.');
    const at = { team, request: request.id, place };
    const source = timestampedAt === null ? 'service' : 'timestamp';
    scope.db.send(queries.setSealed, {
      ...at,
      number,
      sha256,
      level,
      source,
      sealedAt: timestampedAt === null ? now : new Date(timestampedAt),
    });
    documents.push({ documentId: id, documentVersion: version, sealedVersion: number, sealedSha256: sha256 });
  }
  scope.db.send(queries.dropSeals, { team, request: request.id });
  scope.db.send(queries.setCompleted, { team, id: request.id });
  await record(scope, signatureCompleted, request.id, { ...requestEventData(request), ...firstOf(documents), documents }, request.barred);
  const signers = await scope.db.all(signersOf, { team, request: request.id });
  const recipients = signers.map((signer) => ({
    signer,
    token: linkOf(deps.context, signer) ?? issueSignerLink(deps.context, scope, signer),
  }));
  await mailSigners(deps.context, scope, request, 'completed', recipients);
  await notifyRequester(scope, request, 'completed');
}

const sealedName = (title: string): string =>
  `${Array.from(title.replaceAll(/\.pdf$/gi, '').replaceAll(/["/\\]/g, '_'))
    .slice(0, 200)
    .join('')}.signed.pdf`;

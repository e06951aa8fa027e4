import { buffer } from 'node:stream/consumers';
import { addSealedVersion } from '#documents';
import { fullNameOf, issuingTeam, zoneOfTeam } from '#teams';
import type { Reader } from '../../../platform/database/database.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { keepWithMove, stepJob } from './attempts.ts';
import { signerLocale } from './consent.ts';
import type { Working } from './context.ts';
import { notifyRequester } from './request-transitions.ts';
import { signatureCompleted } from './events.ts';
import { filledFields, historyOf, signersOfEvidence } from './filled.ts';
import { issueSignerLink, linkOf, mailSigners } from './mail-signers.ts';
import type { Evidence, PreparationFinding, Sealed } from '../sealing/index.ts';
import { requestEventData } from './present.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';
import { type SignerRow, signersOf } from './signer-queries.ts';

/**
 * Seals the signed document as its newest version. Safe to repeat after a crash: under the lock of the request, only one run finds the status
 * `sealing` and adds a version.
 */
export const sealJob = stepJob('signature-seal', { status: 'sealing', step: 'seal' }, async (deps, request, { db, team, signal }) => {
  const { sealing, context } = deps;
  const { id, presented_storage_key: key, manner, pages } = request;
  // The findings come from the preparation.
  const findings = request.findings as PreparationFinding[];
  if (key === null || manner === null || pages === null) throw new Error('The presented file is missing.');
  const presented = await buffer(await context.storage.read(key));
  const rows = {
    signers: await db.all(signersOf, { team, request: id }),
    fields: await db.all(queries.fieldsOf, { team, request: id }),
    zone: (await db.first(zoneOfTeam, { team }))?.time_zone ?? 'UTC',
  };
  const evidence = await evidenceFor({ db, team, baseUrl: context.baseUrl, now: deps.clock() }, request, rows);
  const sealed = await sealing.seal({ presented, manner, findings, pages, fields: filledFields(rows), evidence }, signal);
  await keep(deps, team, request, sealed);
});

/** Enqueues the sealing. The job runs after the commit. */
export function askForSeal(scope: Pick<Scope, 'db' | 'team'>, request: string): void {
  enqueue(scope, sealJob, { request }, { key: request });
}

async function evidenceFor(
  { db, team, baseUrl, now }: { db: Reader; team: string; baseUrl: string; now: Date },
  request: RequestRow,
  { signers, fields }: { signers: readonly SignerRow[]; fields: readonly queries.FieldRow[] },
): Promise<Evidence> {
  const issuer = await db.first(issuingTeam, { team });
  const requester = await db.first(fullNameOf, { team, id: request.created_by });
  const acts = await db.all(queries.evidenceOf, { team, request: request.id });
  const original = request.document_sha256 === request.presented_sha256 ? {} : { originalSha256: request.document_sha256 };
  return {
    language: signerLocale(request.locale),
    requestId: request.id,
    documentName: request.title,
    teamName: issuer?.name ?? '',
    requestedBy: requester?.name ?? issuer?.name ?? '',
    requestedAt: new Date(request.created_at),
    completedAt: new Date(Math.max(...signers.map(({ signed_at: at }) => (at === null ? 0 : Date.parse(at))), 0) || now.getTime()),
    ...original,
    signers: signersOfEvidence(signers, fields, acts),
    history: historyOf(signers, acts),
    verifyUrl: `${baseUrl}/verify`,
  };
}

async function keep(deps: Working, team: string, { id, title }: RequestRow, sealed: Sealed): Promise<void> {
  await keepWithMove(deps, { team, id, how: 'complete' }, sealed.sealed, async (scope, request, file) => {
    if (file.sha256 !== sealed.sha256) throw new Error('The stored file differs from the sealed file.');
    const upload = { ...file, fileName: sealedName(title), mediaType: 'application/pdf' };
    const number = await addSealedVersion(scope, request.document_id, upload, id);
    if (number === undefined) throw new Error('The document was deleted during the sealing.');
    await complete(deps, scope, request, { ...sealed, number });
  });
}

const sealedName = (title: string): string =>
  `${Array.from(title.replaceAll(/\.pdf$/gi, '').replaceAll(/["/\\]/g, '_'))
    .slice(0, 200)
    .join('')}.signed.pdf`;

async function complete(
  deps: Working,
  scope: Scope,
  request: RequestRow,
  { number, sha256, level, timestampedAt }: Sealed & { number: number },
): Promise<void> {
  const { team, now } = scope;
  scope.db.send(queries.setSealed, {
    team,
    id: request.id,
    number,
    sha256,
    level,
    source: timestampedAt === undefined ? 'service' : 'timestamp',
    sealedAt: timestampedAt ?? now,
  });
  const said = { ...requestEventData(request), sealedVersion: number, sealedSha256: sha256 };
  await record(scope, signatureCompleted, request.id, said, request.barred);
  const signers = await scope.db.all(signersOf, { team, request: request.id });
  const recipients = signers.map((signer) => ({
    signer,
    token: linkOf(deps.context, signer) ?? issueSignerLink(deps.context, scope, signer),
  }));
  await mailSigners(deps.context, scope, request, 'completed', recipients);
  await notifyRequester(scope, request, 'completed');
}

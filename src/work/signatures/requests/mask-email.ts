import { createHash } from 'node:crypto';
import { fileOfVersion } from '#documents';
import { zoneOfTeam } from '#teams';
import { notFound } from '../../../platform/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import {
  returnsSealedFile,
  isExpired,
  over,
  requireInside,
  requireKnown,
  requireNotOver,
  requireOpen,
  requireStillOpen,
} from './admission.ts';
import { consentFor } from './consent.ts';
import { firstOf, isSignedBy, type RequestDocument, seenBy } from './documents.ts';
import { valueOf } from './filled.ts';
import { roomOf } from './signature-appearance.ts';
import { requestProblems, signingProblems } from './problems.ts';
import type { Locked, Signing } from './public-schemas.ts';
import * as queries from './queries.ts';
import type { FieldRow } from './queries.ts';
import type { SignerRow } from './signer-queries.ts';
import type { Visit } from './visit.ts';
import { firstCharacters } from '../../../platform/text.ts';

type Seeing = Visit<Pick<Scope, 'db' | 'team' | 'actor'> | { db: Pick<Scope['db'], 'first' | 'all'>; team: string; actor: Scope['actor'] }>;

/** Masks an address for visitors who are not identified yet: `o…a@example.org`. */
export const masked = (email: string): string => {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  return `${local.slice(0, 1)}…${local.length > 2 ? local.slice(-1) : ''}${email.slice(at)}`;
};

/**
 * Returns the content of a link. Before the visitor is identified, returns only the requirement. Throws 409 `request_suspended`, or 410
 * `signing_closed` if the request ended or 30 days after its completion.
 */
export async function look(visit: Seeing): Promise<Signing | Locked> {
  const { request, signer, coded, signedIn } = visit;
  requireNotOver(visit);
  const maskedEmail = masked(signer.email);
  if (signer.account_id !== null && !signedIn) return { status: request.status, signInRequired: true, maskedEmail };
  if (request.require_code && !coded) return { status: request.status, codeRequired: true, maskedEmail };
  await requireStillOpen(visit);
  return shown(visit);
}

/** Returns the hash of the content to sign, which includes the presented files and all previous signatures. */
export const stateOf = (presented: readonly (string | null)[], acts: readonly { act: string; sha256: string }[]): string =>
  createHash('sha256')
    .update([...presented, ...acts.filter(({ act }) => act === 'signed').map(({ sha256 }) => sha256)].join('\n'))
    .digest('hex');

export async function shown({ scope, request, signer, signers }: Seeing): Promise<Signing> {
  const { db, team } = scope;
  const fields = await db.all(queries.fieldsOf, { team, request: request.id });
  const acts = await db.all(queries.evidenceOf, { team, request: request.id });
  const consent = consentFor({ request, signer });
  const seen = seenBy(request.documents, signer.id);
  const documents = seen.map((document) => ({ ...shownDocument(document), signs: isSignedBy(document, signer) }));
  const zone = (await db.first(zoneOfTeam, { team }))?.time_zone ?? 'UTC';
  return {
    status: request.status,
    document: shownDocument(firstOf(seen)),
    documents,
    signer: {
      name: signer.name,
      email: signer.email,
      order: signer.turn,
      role: signer.role,
      status: signer.status,
      ...(signer.signed_at === null ? {} : { signedAt: signer.signed_at }),
    },
    signers: signers.map(({ name, turn, role, status }) => ({ name, order: turn, role, status })),
    consentText: consent.text,
    consentId: consent.id,
    locale: consent.locale,
    fields: fields.flatMap((field) => {
      const document = seen.findIndex(({ place }) => place === field.document);
      return document === -1 ? [] : [{ ...fieldFor(field, signer, { signers, zone }), document }];
    }),
    ...(request.message === null ? {} : { message: request.message }),
    allowDelegation: request.allow_delegation && signer.delegated_email === null,
    expiresAt: request.expires_at,
    stateSha256: stateOf(
      seen.map(({ presentedSha256 }) => presentedSha256),
      acts,
    ),
    sealed: returnsSealedFile(request),
  };
}

const shownDocument = ({ title, pages, presentedSha256: sha256 }: RequestDocument) => ({
  title,
  pages: pages?.length ?? 0,
  sha256: sha256 ?? '',
  pageSizes: pages ?? [],
});

function fieldFor(
  field: FieldRow,
  reader: SignerRow,
  { signers, zone }: { signers: readonly SignerRow[]; zone: string },
): Omit<Signing['fields'][number], 'document'> {
  const { id, kind, page, x, y, width, height, label, required, signer_id: of } = field;
  const own = of === reader.id;
  const filler = signers.find((signer) => signer.id === of);
  const value = filler && valueOf(field, filler, zone);
  const maxLength = own ? roomOf(field) : undefined;
  return {
    id,
    kind,
    page,
    x,
    y,
    width,
    height,
    ...(label === null ? {} : { label }),
    required,
    own,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(value === undefined ? {} : written(value)),
  };
}

function written(value: NonNullable<ReturnType<typeof valueOf>>): { value?: string | boolean; drawing?: string } {
  if ('png' in value) return { drawing: `data:image/png;base64,${Buffer.from(value.png).toString('base64')}` };
  return { value: 'text' in value ? value.text : value.checked };
}

/** Returns the document at a position among those that the visitor sees. Throws 404. */
function documentAt({ request, signer }: Pick<Seeing, 'request' | 'signer'>, at: number): RequestDocument {
  const document = seenBy(request.documents, signer.id)[at];
  if (!document) throw notFound('document');
  return document;
}

/** Returns the file to sign at this position, for an identified visitor. Throws 403, 404, 409 or 410. */
export async function presentedFile(visit: Seeing, at: number) {
  const { request } = visit;
  const { status } = request;
  if (
    status === 'declined' ||
    status === 'expired' ||
    status === 'voided' ||
    status === 'completed' ||
    (status === 'pending' && isExpired(request))
  )
    throw over(request);
  requireKnown(visit);
  const { title, presentedKey: key, presentedSha256: sha256, presentedSize: size } = documentAt(visit, at);
  if (key === null || sha256 === null || size === null)
    throw requestProblems.request_preparing('The document is not prepared yet. Try again in a moment.');
  await requireOpen(visit);
  return {
    storage_key: key,
    sha256,
    size,
    file_name: `${firstCharacters(title, 200)}.pdf`,
    media_type: 'application/pdf',
  };
}

/** Returns the sealed file at this position, for 30 days, for an identified visitor. Throws 403, 404, 409 `sealed_not_ready`, or 410. */
export async function sealedFile(visit: Seeing, at: number) {
  const { scope, request } = visit;
  if (request.status === 'pending' || request.status === 'sealing' || request.status === 'failed') {
    requireKnown(visit);
    throw signingProblems.sealed_not_ready('The document is not sealed yet. You get an email when it is.');
  }
  if (!returnsSealedFile(request)) throw over(request);
  requireKnown(visit);
  await requireInside(visit);
  const document = documentAt(visit, at);
  const file = await scope.db.first(fileOfVersion, {
    team: scope.team,
    document: document.id,
    number: document.sealedVersion ?? 0,
  });
  if (!file) throw signingProblems.signing_closed('The document no longer exists. Ask the sender.');
  return file;
}

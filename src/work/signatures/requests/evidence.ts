import { createHash, KeyObject, randomUUIDv7, sign } from 'node:crypto';
import type { KeyRing } from '#keys';
import type { Scope } from '../../../platform/scope.ts';
import { isSignedBy, type RequestDocument, seenBy } from './documents.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';
import type { SignerRow } from './signer-queries.ts';

/** Signs the evidence of an action. Returns a JWS (RFC 7515) and its SHA-256 in hexadecimal. */
export type SignEvidence = (content: object) => { jws: string; sha256: string };

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signs with the current evidence key of the key ring (Ed25519, RFC 8037). */
export function evidenceSigner(ring: KeyRing): SignEvidence {
  let known: { kid: string; header: string; key: KeyObject } | undefined;
  return (content) => {
    const { kid, alg, key } = ring.signer('evidence');
    if (known?.kid !== kid) known = { kid, header: encoded({ alg, kid, typ: 'signature-evidence+jwt' }), key: KeyObject.from(key) };
    const input = `${known.header}.${encoded(content)}`;
    const jws = `${input}.${sign(null, Buffer.from(input), known.key).toString('base64url')}`;
    return { jws, sha256: createHash('sha256').update(jws).digest('hex') };
  };
}

export type EvidenceAct = 'viewed' | 'signed' | 'declined' | 'delegated' | 'corrected';
type Proven = { act: EvidenceAct; signer: Pick<SignerRow, 'id' | 'role'>; at: Date; content: object };

/**
 * Stores the evidence of an action with the hash of the previous one. The caller must hold the lock of the request. Only the JWS contains the
 * identity and network address of the signer.
 */
export async function keepEvidence(
  { evidence, baseUrl }: { evidence: SignEvidence; baseUrl: string },
  scope: Scope,
  request: RequestRow,
  { act, signer, at, content }: Proven,
): Promise<string> {
  const { team } = scope;
  const before = await scope.db.first(queries.lastEvidence, { team, request: request.id });
  const { jws, sha256 } = evidence({
    iss: baseUrl,
    jti: randomUUIDv7(),
    iat: Math.floor(at.getTime() / 1_000),
    at: at.toISOString(),
    act,
    requestId: request.id,
    signerId: signer.id,
    ...documentsIn(request, signer),
    ...content,
    ...(before ? { previousSha256: before.sha256 } : {}),
  });
  scope.db.send(queries.insertEvidence, {
    team,
    request: request.id,
    number: (before?.number ?? 0) + 1,
    signer: signer.id,
    act,
    jws,
    sha256,
    at,
  });
  return sha256;
}

const presentedIn = ({ presentedSha256 }: RequestDocument) => (presentedSha256 === null ? {} : { presentedSha256 });

/** Returns the documents that the signer sees. A request with one document also has the members of that document. */
function documentsIn({ documents }: RequestRow, signer: Proven['signer']) {
  const [only, second] = documents;
  return {
    ...(only === undefined || second !== undefined
      ? {}
      : { documentId: only.id, documentVersion: only.version, documentSha256: only.sha256, ...presentedIn(only) }),
    documents: seenBy(documents, signer.id).map((document) => ({
      id: document.id,
      version: document.version,
      sha256: document.sha256,
      ...presentedIn(document),
      ...(isSignedBy(document, signer) ? {} : { signs: false }),
    })),
  };
}

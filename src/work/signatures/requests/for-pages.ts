import type { FastifyReply, FastifyRequest } from 'fastify';
import { fullNameOf, issuingTeam, memberContact } from '#teams';
import type { KeptFile } from '../../../platform/http/downloads.ts';
import { hmac } from '../../../platform/crypto/tokens.ts';
import { reading } from '../../../platform/http/scope.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { Problem } from '../../../platform/problems.ts';
import { type ReadScope, userIdOf } from '../../../platform/scope.ts';
import { requireAnswerAgain, requireTurn } from './admission.ts';
import { checkCode, locked, requireCodes, sendCode, wrongCode } from './codes.ts';
import type { Requests } from './context.ts';
import { delegate } from './delegate.ts';
import { seenBy, titleOf } from './documents.ts';
import { sealedFetched } from './events.ts';
import { drawingOf } from './signature-appearance.ts';
import { redrawn } from './drawings.ts';
import { look, presentedFile, sealedFile, shown } from './mask-email.ts';
import type { Done, Locked, Sign, Signing } from './public-schemas.ts';
import { decline, openSigning, sign } from './sign.ts';
import { spendAct } from './link-rate-limit.ts';
import { linkOf } from './mail-signers.ts';
import { endReason, findRequest } from './queries.ts';
import { isMemberExcluded } from './permission.ts';
import { signersOf } from './signer-queries.ts';
import { showSession, type Visit, visit, visiting } from './visit.ts';

/** The team, language and addressee of a signature request. */
export type RequestOrigin = {
  team: string;
  name: string;
  /** The time zone of the team. */
  zone: string;
  locale: string;
  asksMember: boolean;
  /** The details of a voided request that a signer may see: its title, the reason and a contact. */
  voided?: { title: string; reason?: string; contact?: { name: string; email: string } };
};

/**
 * The use cases behind the page of a signing link. The link, the session of a code (cookie or header) and the access token identify the visitor. Each
 * method rejects with the problems of its API operation.
 */
export type SigningForPages = {
  /** Returns the team of the request and its name. `asksMember`: the signer is a member, who must sign in first. */
  requestOrigin(request: FastifyRequest, token: string): Promise<RequestOrigin>;
  /** Returns the content of the link without recording an action. If a code or sign-in is required first, returns only that requirement. */
  show(request: FastifyRequest, token: string): Promise<Signing | Locked>;
  /** Records that the signer opened the document, and returns it. */
  open(request: FastifyRequest, token: string): Promise<Signing>;
  /** Returns the stored file to sign and its team. `at` is the position of its document in `documents`. */
  document(request: FastifyRequest, token: string, at?: number): Promise<KeptFile & { team: string }>;
  sendCode(request: FastifyRequest, token: string): Promise<{ success: true; maskedEmail: string; expiresInSeconds: number }>;
  /** A correct code starts a session, which the response sets as a cookie. */
  checkCode(request: FastifyRequest, reply: FastifyReply, token: string, code: string): Promise<Done>;
  /** Whether a base64 drawing is accepted as a signature. */
  takesDrawing(request: FastifyRequest, token: string, drawing: string): Promise<boolean>;
  sign(request: FastifyRequest, token: string, signed: Sign): Promise<Done>;
  decline(request: FastifyRequest, token: string, reason: string | undefined): Promise<Done>;
  delegate(request: FastifyRequest, token: string, to: { email: string; name: string }): Promise<Done>;
  /** Returns the token of the link that the signed-in member got for a request. Throws the same 404 if there is none, or a barrier excludes the member. */
  linkOfMember(request: FastifyRequest, id: string): Promise<string>;
  /** Returns a stored sealed file of a completed request. */
  sealed(request: FastifyRequest, token: string, at?: number): Promise<KeptFile>;
};

export function signingForPages(context: Requests): SigningForPages {
  return {
    requestOrigin: async (request, token) => originOf(await visit(request, token)),

    show: async (request, token) => look(await visit(request, token)),

    open: (request, token) =>
      visiting(request, token, {
        ...plain,
        work: async (visited) => {
          await openSigning(context, visited);
          const viewed = visited.signer.status === 'pending' ? { ...visited.signer, status: 'viewed' as const } : visited.signer;
          const signers = visited.signers.map((one) => (one.id === viewed.id ? viewed : one));
          return shown({ ...visited, signer: viewed, signers });
        },
      }),

    async document(request, token, at = 0) {
      const visited = await visit(request, token);
      return { ...(await presentedFile(visited, at)), team: visited.scope.team };
    },

    async sendCode(request, token) {
      // The count of codes commits with every result.
      const sent = await visiting(request, token, { fingerprint: {}, again: requireCodes, work: (visited) => sendCode(context, visited) });
      if ('locked' in sent) throw locked(new Date(sent.locked), request.server.clock());
      return sent.sent;
    },

    async checkCode(request, reply, token, code) {
      const checked = await visiting(request, token, {
        fingerprint: { code },
        // A different code is a new attempt. Without `part`, a stored response could answer for another code.
        part: hmac(context.codeKey, token, code).toString('base64url'),
        again: requireCodes,
        work: async (visited) => {
          const session = await checkCode(context, visited, code);
          return { status: visited.request.status, ...(session === undefined ? {} : { session }) };
        },
      });
      if (checked.session === undefined) throw wrongCode();
      showSession(reply, context.baseUrl, token, checked.session);
      return { success: true, status: checked.status };
    },

    takesDrawing: async (request, token, data) => (await redrawnSignature(request, token, { kind: 'drawn', data })) !== undefined,
    async sign(request, token, signed) {
      const png = await redrawnSignature(request, token, signed.signature);
      return visiting(request, token, { ...plain, fingerprint: signed, work: (visited) => sign(context, visited, signed, png) });
    },
    decline: (request, token, reason) =>
      visiting(request, token, { ...plain, fingerprint: { reason }, work: (visited) => decline(context, visited, reason) }),
    delegate: (request, token, to) =>
      visiting(request, token, { ...plain, fingerprint: to, work: (visited) => delegate(context, visited, to) }),

    linkOfMember: (request, id) => linkOfMember(context, reading(request), id),

    sealed: (request, token, at = 0) =>
      visiting(request, token, {
        ...plain,
        fingerprint: at === 0 ? {} : { at },
        work: async (visited) => {
          const file = await sealedFile(visited, at);
          await recordAudit(visited.scope, sealedFetched, visited.request.id, { signerId: visited.signer.id });
          return file;
        },
      }),
  };
}

async function linkOfMember(context: Requests, scope: ReadScope, id: string): Promise<string> {
  const { db, team, actor } = scope;
  const request = await db.first(findRequest, { team, id: pathId(id, 'signature request') });
  const signers = request ? await db.all(signersOf, { team, request: request.id }) : [];
  const signer = signers.find(({ account_id: account }) => account !== null && account === userIdOf(actor));
  const token = signer && linkOf(context, signer);
  if (!request || !signer || token === undefined || (await isMemberExcluded(scope, request, signer))) throw notFound('signature request');
  return token;
}

async function originOf(visited: Visit<ReadScope>): Promise<RequestOrigin> {
  const { scope, signer } = visited;
  const issuer = await scope.db.first(issuingTeam, { team: scope.team });
  const voided = await voidedFor(visited);
  return {
    team: scope.team,
    name: issuer?.name ?? '',
    zone: issuer?.time_zone ?? 'UTC',
    locale: signer.locale,
    asksMember: signer.account_id !== null,
    ...(voided === undefined ? {} : { voided }),
  };
}

/** Returns the details of a voided request if the signer has entered the required code or has signed in. */
async function voidedFor(visited: Visit<ReadScope>): Promise<RequestOrigin['voided']> {
  const { scope, request, signer, coded, signedIn } = visited;
  const isKnown = (!request.require_code || coded) && (signer.account_id === null || signedIn);
  if (request.status !== 'voided' || !isKnown || (await isMemberExcluded(scope, request, signer))) return undefined;
  const { db, team } = scope;
  const ended = await db.first(endReason, { team, id: request.id });
  const requester = await db.first(memberContact, { team, id: request.requested_by });
  const person = requester && (await db.first(fullNameOf, { team, id: request.requested_by }));
  return {
    title: titleOf(seenBy(request.documents, signer.id)),
    ...(ended?.end_reason == null ? {} : { reason: ended.end_reason }),
    ...(requester && person ? { contact: { name: person.name, email: requester.email } } : {}),
  };
}

const plain = { fingerprint: {}, again: requireAnswerAgain };

/**
 * Redraws a signature in a separate process. Runs before the transaction that locks the request, and only if the visitor may sign now. Returns
 * undefined if there is no accepted drawing.
 */
async function redrawnSignature(request: FastifyRequest, token: string, signature: Sign['signature']): Promise<Buffer | undefined> {
  const sent = drawingOf(signature);
  if (!sent) return undefined;
  const visited = await visit(request, token);
  spendAct(request, visited.signer.id);
  try {
    await requireTurn(visited);
  } catch (error) {
    // A repeated request can have a stored response.
    if (error instanceof Problem && request.headers['idempotency-key'] !== undefined) return undefined;
    throw error;
  }
  return redrawn(sent, visited.scope.team);
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { fullNameOf, issuingTeam, memberContact } from '#teams';
import type { KeptFile } from '../../../platform/http/downloads.ts';
import { hmac } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { Problem } from '../../../platform/problems.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { requireAnswerAgain, requireTurn } from './admission.ts';
import { checkCode, locked, requireCodes, sendCode, wrongCode } from './codes.ts';
import type { Requests } from './context.ts';
import { delegate } from './delegate.ts';
import { sealedFetched } from './events.ts';
import { drawingOf } from './signature-appearance.ts';
import { redrawn } from './drawings.ts';
import { look, presentedFile, sealedFile, shown } from './mask-email.ts';
import type { Done, Locked, Sign, Signing } from './public-schemas.ts';
import { decline, openSigning, sign } from './sign.ts';
import { spendAct } from './link-rate-limit.ts';
import { endReason } from './queries.ts';
import { isMemberExcluded } from './permission.ts';
import { showSession, type Visit, visit, visiting } from './visit.ts';

/** Where a request for signatures comes from, and in which language. */
export type RequestOrigin = {
  team: string;
  name: string;
  /** The time zone of the team. */
  zone: string;
  locale: string;
  asksMember: boolean;
  /** What a signer may know of a request that was voided: its title, the reason, and whom to ask. */
  voided?: { title: string; reason?: string; contact?: { name: string; email: string } };
};

/**
 * What the page of a signer's link runs: the use cases of its operations. Who came is known by the link, by the session of a code (a cookie or
 * header) and by the access token of the request, where there is one. Each rejects with the problems of its operation.
 */
export type SigningForPages = {
  /** The team of the request, and its name. `asksMember`: the signer is a member, who signs in first. */
  requestOrigin(request: FastifyRequest, token: string): Promise<RequestOrigin>;
  /** What the link shows; before a code or sign-in that is asked for, nothing but that. Changes nothing. */
  show(request: FastifyRequest, token: string): Promise<Signing | Locked>;
  /** Says that the document was opened, and shows it. */
  open(request: FastifyRequest, token: string): Promise<Signing>;
  /** The file that is signed, as it is kept in the storage, and whose it is. */
  document(request: FastifyRequest, token: string): Promise<KeptFile & { team: string }>;
  sendCode(request: FastifyRequest, token: string): Promise<{ success: true; maskedEmail: string; expiresInSeconds: number }>;
  /** A right code gives the browser a session, in a cookie of the answer. */
  checkCode(request: FastifyRequest, reply: FastifyReply, token: string, code: string): Promise<Done>;
  /** Whether a drawing, in base64, can be signed with. */
  takesDrawing(request: FastifyRequest, token: string, drawing: string): Promise<boolean>;
  sign(request: FastifyRequest, token: string, signed: Sign): Promise<Done>;
  decline(request: FastifyRequest, token: string, reason: string | undefined): Promise<Done>;
  delegate(request: FastifyRequest, token: string, to: { email: string; name: string }): Promise<Done>;
  /** The sealed file of a completed request, as it is kept in the storage. */
  sealed(request: FastifyRequest, token: string): Promise<KeptFile>;
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

    async document(request, token) {
      const visited = await visit(request, token);
      return { ...(await presentedFile(visited)), team: visited.scope.team };
    },

    async sendCode(request, token) {
      // What was counted is kept, whatever is answered.
      const sent = await visiting(request, token, { fingerprint: {}, again: requireCodes, work: (visited) => sendCode(context, visited) });
      if ('locked' in sent) throw locked(new Date(sent.locked), request.server.clock());
      return sent.sent;
    },

    async checkCode(request, reply, token, code) {
      const checked = await visiting(request, token, {
        fingerprint: { code },
        // Another code is another request, and counted as a try: what was kept says nothing of whether it is right.
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

    sealed: (request, token) =>
      visiting(request, token, {
        ...plain,
        work: async (visited) => {
          const file = await sealedFile(visited);
          await recordAudit(visited.scope, sealedFetched, visited.request.id, { signerId: visited.signer.id });
          return file;
        },
      }),
  };
}

async function originOf(visited: Visit<ReadScope>): Promise<RequestOrigin> {
  const { scope, request, signer } = visited;
  const issuer = await scope.db.first(issuingTeam, { team: scope.team });
  const voided = await voidedFor(visited);
  return {
    team: scope.team,
    name: issuer?.name ?? '',
    zone: issuer?.time_zone ?? 'UTC',
    locale: request.locale,
    asksMember: signer.account_id !== null,
    ...(voided === undefined ? {} : { voided }),
  };
}

/** The facts of a voided request, for a signer who has shown the code or the session that it asks for. */
async function voidedFor(visited: Visit<ReadScope>): Promise<RequestOrigin['voided']> {
  const { scope, request, signer, coded, signedIn } = visited;
  const isKnown = (!request.require_code || coded) && (signer.account_id === null || signedIn);
  if (request.status !== 'voided' || !isKnown || (await isMemberExcluded(scope, request, signer))) return undefined;
  const { db, team } = scope;
  const ended = await db.first(endReason, { team, id: request.id });
  const requester = await db.first(memberContact, { team, id: request.requested_by });
  const person = requester && (await db.first(fullNameOf, { team, id: request.requested_by }));
  return {
    title: request.title,
    ...(ended?.end_reason == null ? {} : { reason: ended.end_reason }),
    ...(requester && person ? { contact: { name: person.name, email: requester.email } } : {}),
  };
}

const plain = { fingerprint: {}, again: requireAnswerAgain };

/**
 * The drawing of a signature, made anew in a process of its own: before the transaction, which holds the request, and for whoever may sign now
 * alone. Undefined where there is none that is taken.
 */
async function redrawnSignature(request: FastifyRequest, token: string, signature: Sign['signature']): Promise<Buffer | undefined> {
  const sent = drawingOf(signature);
  if (!sent) return undefined;
  const visited = await visit(request, token);
  spendAct(request, visited.signer.id);
  try {
    await requireTurn(visited);
  } catch (error) {
    // Sent again, it may have an answer that is kept.
    if (error instanceof Problem && request.headers['idempotency-key'] !== undefined) return undefined;
    throw error;
  }
  return redrawn(sent, visited.scope.team);
}

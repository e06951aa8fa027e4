import type { FastifyReply, FastifyRequest } from 'fastify';
import { issuingTeam } from '#teams';
import type { KeptFile } from '../../platform/http/downloads.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { checkCode, locked, sendCode, wrongCode } from './codes.ts';
import type { Requests } from './context.ts';
import { delegate } from './delegate.ts';
import { sealedFetched } from './events.ts';
import { look, presentedFile, sealedFile, shown } from './look.ts';
import type { Done, Locked, Sign, Signing } from './public-schemas.ts';
import { decline, openSigning, sign } from './sign.ts';
import { showSession, visit, visiting } from './visit.ts';

/**
 * What the page of a signer's link runs: the use cases of its operations. Who came is known by the link, by the session of a code (a cookie or
 * header) and by the access token of the request, where there is one. Each rejects with the problems of its operation.
 */
export type SigningForPages = {
  /** Whose request it is: the team, and its name. */
  whose(request: FastifyRequest, token: string): Promise<{ team: string; name: string }>;
  /** What the link shows; before a code or sign-in that is asked for, nothing but that. Changes nothing. */
  show(request: FastifyRequest, token: string): Promise<Signing | Locked>;
  /** Says that the document was opened, and shows it. */
  open(request: FastifyRequest, token: string): Promise<Signing>;
  /** The file that is signed, as it is kept in the storage. */
  document(request: FastifyRequest, token: string): Promise<KeptFile>;
  sendCode(request: FastifyRequest, token: string): Promise<{ success: true; maskedEmail: string; expiresInSeconds: number }>;
  /** A right code gives the browser a session, in a cookie of the answer. */
  checkCode(request: FastifyRequest, reply: FastifyReply, token: string, code: string): Promise<Done>;
  sign(request: FastifyRequest, token: string, signed: Sign): Promise<Done>;
  decline(request: FastifyRequest, token: string, reason: string | undefined): Promise<Done>;
  delegate(request: FastifyRequest, token: string, to: { email: string; name: string }): Promise<Done>;
  /** The sealed file of a completed request, as it is kept in the storage. */
  sealed(request: FastifyRequest, token: string): Promise<KeptFile>;
};

export function signingForPages(context: Requests): SigningForPages {
  return {
    async whose(request, token) {
      const { scope } = await visit(request, token);
      const issuer = await scope.db.first(issuingTeam, { team: scope.team });
      return { team: scope.team, name: issuer?.name ?? '' };
    },

    show: async (request, token) => look(await visit(request, token)),

    open: (request, token) =>
      visiting(request, token, {}, async (visited) => {
        await openSigning(context, visited);
        const viewed = visited.signer.status === 'pending' ? { ...visited.signer, status: 'viewed' as const } : visited.signer;
        const signers = visited.signers.map((one) => (one.id === viewed.id ? viewed : one));
        return shown({ ...visited, signer: viewed, signers });
      }),

    document: async (request, token) => presentedFile(await visit(request, token)),

    async sendCode(request, token) {
      // What was counted is kept, whatever is answered.
      const sent = await visiting(request, token, {}, (visited) => sendCode(context, visited));
      if ('locked' in sent) throw locked(new Date(sent.locked), request.server.clock());
      return sent.sent;
    },

    async checkCode(request, reply, token, code) {
      const checked = await visiting(request, token, { code }, async (visited) => {
        const session = await checkCode(context, visited, code);
        return { status: visited.request.status, ...(session === undefined ? {} : { session }) };
      });
      if (checked.session === undefined) throw wrongCode();
      showSession(reply, context.baseUrl, token, checked.session);
      return { success: true, status: checked.status };
    },

    sign: (request, token, signed) => visiting(request, token, signed, (visited) => sign(context, visited, signed)),
    decline: (request, token, reason) => visiting(request, token, { reason }, (visited) => decline(context, visited, reason)),
    delegate: (request, token, to) => visiting(request, token, to, (visited) => delegate(context, visited, to)),

    sealed: (request, token) =>
      visiting(request, token, {}, async (visited) => {
        const file = await sealedFile(visited);
        await recordAct(visited.scope, sealedFetched, visited.request.id, { signerId: visited.signer.id });
        return file;
      }),
  };
}

import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { isKnownTo } from '../../platform/http/etag.ts';
import type { App } from '../../platform/http/server.ts';
import type { KeyRing } from './key-ring.ts';
import { cachedSeconds, type Purpose } from './rotation.ts';

const jsonWebKey = Type.Object(
  {
    kty: Type.String(),
    kid: Type.String(),
    alg: Type.String(),
    use: Type.String(),
    crv: Type.Optional(Type.String()),
    n: Type.Optional(Type.String()),
    e: Type.Optional(Type.String()),
    x: Type.Optional(Type.String()),
    y: Type.Optional(Type.String()),
  },
  // The contract allows other members. This schema does not, so that a private member can never be returned.
  { additionalProperties: false },
);
const keySet = Type.Object({ keys: Type.Array(jsonWebKey) }, { title: 'JsonWebKeySet' });

export function keyRoutes(app: App, ring: KeyRing): void {
  const sets: [string, string, Purpose, string][] = [
    ['/.well-known/jwks.json', 'getAccessTokenKeys', 'access', 'Keys that verify access tokens'],
    ['/.well-known/witness-jwks.json', 'getJournalKeys', 'witness', 'Keys that verify the audit journal’s checkpoints'],
    ['/.well-known/webhook-jwks.json', 'getWebhookKeys', 'webhook', 'Keys that verify the Ed25519 signatures of webhook deliveries'],
    ['/.well-known/evidence-jwks.json', 'getEvidenceKeys', 'evidence', 'Keys that verify the evidence of signatures'],
  ];
  for (const [path, operationId, purpose, summary] of sets) {
    app.get(
      path,
      {
        config: { access: { kind: 'public' }, tagsItself: true },
        schema: { operationId, summary, tags: ['Key sets'], response: { 200: keySet } },
      },
      (request, reply) => {
        const keys = ring.publicKeys(purpose);
        const tag = `"${createHash('sha256').update(JSON.stringify(keys)).digest('base64url').slice(0, 27)}"`;
        reply.headers({
          'cache-control': `public, max-age=${cachedSeconds.maxAge}, stale-while-revalidate=${cachedSeconds.staleWhileRevalidate}`,
          'access-control-allow-origin': '*',
          etag: tag,
        });
        if (isKnownTo(request, tag)) return reply.code(304 as 200).send(undefined as never) as never;
        return { keys: keys as Static<typeof jsonWebKey>[] };
      },
    );
  }
}

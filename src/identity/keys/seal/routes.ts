import { hash } from 'node:crypto';
import type { Database } from '../../../platform/database/database.ts';
import { isKnownTo } from '../../../platform/http/etag.ts';
import type { App } from '../../../platform/http/server.ts';
import { publishedSeals, type PublishedSeals, sealPaths } from './seal-keys.ts';

const headers = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' };

/** Encodes certificates as concatenated PEM (RFC 7468). */
export const pemOf = (certificates: readonly Buffer[]): string =>
  certificates
    .map((one) => `-----BEGIN CERTIFICATE-----\n${one.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`)
    .join('');

/** The routes for verifying seals. The certificates contain the addresses of these routes. */
export function sealRoutes(app: App, database: Database): void {
  const files: [string, string, string, string, (seals: PublishedSeals) => string | Buffer][] = [
    [
      sealPaths.authority,
      'getSealAuthority',
      'Download the certificate of the seal authority',
      'application/x-pem-file',
      ({ authority }) => pemOf(authority ? [authority] : []),
    ],
    [
      sealPaths.certificates,
      'getSealCertificates',
      'Download the certificates of all seals',
      'application/x-pem-file',
      ({ certificates }) => pemOf(certificates),
    ],
    [
      sealPaths.revocations,
      'getSealRevocations',
      'Download the revocation list of seal certificates',
      'application/pkix-crl',
      ({ revocations }) => revocations ?? Buffer.alloc(0),
    ],
  ];
  for (const [path, operationId, summary, type, content] of files) {
    app.get(
      path,
      { config: { access: { kind: 'public' }, tagsItself: true }, schema: { operationId, summary, tags: ['Key sets'], produces: [type] } },
      async (request, reply) => {
        const file = content(await publishedSeals(database));
        const tag = `"${hash('sha256', file, 'base64url').slice(0, 22)}"`;
        reply.headers({ ...headers, 'content-type': type, etag: tag });
        return isKnownTo(request, tag) ? reply.code(304).send() : reply.send(file);
      },
    );
  }
}

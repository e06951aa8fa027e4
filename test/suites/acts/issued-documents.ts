import { randomUUIDv7 } from 'node:crypto';
import { hashOfCode, newCode } from '../../../src/intake/issued-documents/codes.ts';
import { type Acts, type ActWorld, on } from './kit.ts';

/** Inserts an issued document, because the tested service cannot generate one. */
async function issued({ chancery, owner }: ActWorld): Promise<{ code: string }> {
  const code = newCode();
  await chancery.pool.query(
    `INSERT INTO issued_document (team_id, id, kind, about, status, code_hash, issued_at) VALUES ($1, $2, 'walked', $2, 'ready', $3, now())`,
    [owner.team, randomUUIDv7(), hashOfCode(code)],
  );
  return { code };
}

export const issuedDocumentActs: Acts = {
  // A query that changes nothing.
  'POST /api/v1/issued-documents/verify': on(
    issued,
    'POST',
    () => '/api/v1/issued-documents/verify',
    (_world: ActWorld, { code }: { code: string }) => ({ code }),
  ),
  'POST /api/v1/signatures/verify': on(
    async () => undefined,
    'POST',
    () => '/api/v1/signatures/verify',
    () => {
      const form = new FormData();
      form.set('file', new Blob(['A letter'], { type: 'text/plain' }), 'a.txt');
      return form;
    },
  ),
};

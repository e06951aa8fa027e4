import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createDiskStorage } from '../src/platform/storage/disk.ts';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { newTeamToken, tokenHash } from '../src/platform/crypto/tokens.ts';
import type { Chancery } from './harness.ts';
import { eventually } from './webhook-receiver.ts';
import { plainPdf } from './plain-pdf.ts';

const documents = '/api/v1/smartdoc/documents';
export const signatures = '/api/v1/signatures';

/** Creates a document with a PDF. */
export async function pdfDocument(
  chancery: Pick<Chancery, 'call'>,
  by: { token: string },
  members: Record<string, string> = {},
): Promise<any> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: 'Services agreement', ...members })) form.set(name, value);
  form.set(
    'file',
    new Blob([new Uint8Array(plainPdf(['The first page', 'The second page']))], { type: 'application/pdf' }),
    'agreement.pdf',
  );
  const answer = await chancery.call('POST', `${documents}/`, { token: by.token, body: form });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Creates a signature request for a new document. */
export async function askToSign(
  chancery: Pick<Chancery, 'call'>,
  by: { token: string },
  members: Record<string, unknown> = {},
): Promise<any> {
  const document = members.documentId === undefined && members.documents === undefined ? await pdfDocument(chancery, by) : undefined;
  const answer = await chancery.call('POST', `${signatures}/`, {
    token: by.token,
    body: {
      ...(document ? { documentId: document.id } : {}),
      signers: [{ email: `ada.${randomBytes(4).toString('hex')}@example.org`, name: 'Ada' }],
      ...members,
    },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/**
 * Puts a request into the pending state without its signing file, and returns the links of the first signers, which no operation returns. For tests
 * that need this state independent of background work.
 */
export async function outToSign({ pool, masterKey }: Pick<Chancery, 'pool' | 'masterKey'>, id: string): Promise<string[]> {
  const key = await loadMasterKey({ configured: masterKey, dataDir: '/nowhere', generate: 'never' });
  const box = key.box('signature-links');
  await pool.query(
    `UPDATE signature_request_document SET presented_sha256 = encode(sha256(convert_to(document_id::text, 'UTF8')), 'hex'), presented_size = 1,
       manner = 'append', presented_storage_key = 'none', pages = '[{"width":595,"height":842}]' WHERE request_id = $1`,
    [id],
  );
  await pool.query("UPDATE signature_request SET status = 'pending', step = NULL, step_since = NULL WHERE id = $1", [id]);
  const { rows } = await pool.query(
    `SELECT team_id, id FROM signature_signer s WHERE request_id = $1 AND role <> 'copy'
       AND turn = (SELECT min(turn) FROM signature_signer o WHERE o.request_id = $1 AND o.role <> 'copy') ORDER BY place`,
    [id],
  );
  const tokens: string[] = [];
  for (const { team_id: team, id: signer } of rows) {
    const token = newTeamToken(team);
    await pool.query(
      "UPDATE signature_signer SET status = 'pending', hash = $2, sealed = $3, sent_at = now() - interval '2 days' WHERE id = $1",
      [signer, tokenHash(token), box.seal(token, `signature_signer ${signer}`)],
    );
    tokens.push(token);
  }
  return tokens;
}

/** Adds the signing files to a pending request. */
export async function presentPdf({ pool, config }: Pick<Chancery, 'pool' | 'config'>, id: string): Promise<void> {
  const { rows } = await pool.query('SELECT place FROM signature_request_document WHERE request_id = $1', [id]);
  for (const { place } of rows) await presentDocument({ pool, config }, id, place);
}

async function presentDocument({ pool, config }: Pick<Chancery, 'pool' | 'config'>, id: string, place: number): Promise<void> {
  const pdf = plainPdf([
    place === 0 ? 'Services agreement between Harbour and Acme' : `Annex ${place} to the agreement`,
    'The second page',
  ]);
  const storage = await createDiskStorage({ folder: join(config.DATA_DIR, 'files') });
  const { key, size } = await storage.write(Readable.from([pdf]), { maxBytes: 10_000_000 });
  await pool.query(
    `UPDATE signature_request_document SET presented_storage_key = $3, presented_size = $4, presented_sha256 = $5,
       pages = '[{"width":612,"height":792},{"width":612,"height":792}]' WHERE request_id = $1 AND place = $2`,
    [id, place, key, size, createHash('sha256').update(pdf).digest('hex')],
  );
}

/** Returns the link in the newest mail to an address. */
export async function linkTo({ pool }: Pick<Chancery, 'pool'>, email: string): Promise<string> {
  return eventually(`the mail with a link to ${email}`, async () => {
    const { rows } = await pool.query('SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1', [email]);
    return /\/sign\/([\w-]{64})/.exec(rows[0]?.text_body ?? '')?.[1];
  });
}

/** Removes the prepared files of a request. */
export async function unprepared<T extends { id: string }>({ pool }: Pick<Chancery, 'pool'>, request: T): Promise<T> {
  await pool.query('UPDATE signature_request_document SET presented_storage_key = NULL WHERE request_id = $1', [request.id]);
  return request;
}

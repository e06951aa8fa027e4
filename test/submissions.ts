import assert from 'node:assert/strict';
import type { Chancery } from './harness.ts';

const bytes = '%PDF-1.7\n% submitted\n%%EOF\n';

/** Uploads a file to a form with the single field `file`, and submits the form with it. */
export async function submitFile(chancery: Chancery, publicToken: string): Promise<{ submissionId: string; fileId: string }> {
  const path = `/api/v1/interfaces/public/${publicToken}`;
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'proof.pdf');
  const sent = await chancery.call('POST', `${path}/upload`, { body: form });
  assert.equal(sent.status, 200, sent.text);
  const headers = { 'x-submission-session': sent.headers.get('x-submission-session') ?? '' };
  const { fileId } = sent.body;
  const submitted = await chancery.call('POST', `${path}/submit`, { headers, body: { data: { file: fileId } } });
  assert.equal(submitted.status, 200, submitted.text);
  return { submissionId: submitted.body.submissionId, fileId };
}

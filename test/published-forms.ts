import assert from 'node:assert/strict';
import type { Chancery, User } from './harness.ts';

export type PublishedForm = { id: string; publicToken: string; publicUrl: string };

const path = '/api/v1/interfaces';

/** Creates and publishes a form through the API, and returns its public address. */
export async function publishForm(chancery: Chancery, by: User, members: object): Promise<PublishedForm> {
  const made = await chancery.call('POST', `${path}/`, { token: by.token, body: { title: 'A form', type: 'form', ...members } });
  assert.equal(made.status, 201, made.text);
  const published = await chancery.call('POST', `${path}/${made.body.id}/publish`, {
    token: by.token,
    body: { revision: made.body.revision },
  });
  assert.equal(published.status, 200, published.text);
  return published.body;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newProviderKey } from '../../../../test/saml-provider.ts';
import { certificatesToPublish } from './service-metadata.ts';

test('the next certificate is published 90 days before its use, before the active one', async () => {
  const dayMs = 86_400_000;
  const began = Date.now();
  const [active, next] = (await Promise.all([newProviderKey(new Date(began)), newProviderKey(new Date(began))])).map(({ certificate }) =>
    certificate.replaceAll(/-----[A-Z ]+-----|\s/g, ''),
  );
  const after = (days: number) => certificatesToPublish([active ?? '', next ?? ''], began + days * dayMs);
  assert.deepEqual(after(0), [active]);
  assert.deepEqual(after(3 * 365 - 91), [active]);
  assert.deepEqual(after(3 * 365 - 90), [next, active]);
  assert.deepEqual(certificatesToPublish([], began), []);
});

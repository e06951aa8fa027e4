import assert from 'node:assert/strict';
import type { Chancery } from './harness.ts';
import { goodPassword } from './people.ts';

export const staffPath = '/api/v1/security/auth/staff';

/** Settings that create the first member of staff at the start. */
export const firstStaff = { STAFF_BOOTSTRAP_EMAIL: 'root@example.org', STAFF_BOOTSTRAP_PASSWORD: goodPassword };

/** Signs in the first member of staff over HTTP and returns the access token. */
export async function staffToken(chancery: Chancery): Promise<string> {
  const body = { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password: goodPassword };
  const answer = await chancery.call('POST', `${staffPath}/login`, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.accessToken;
}

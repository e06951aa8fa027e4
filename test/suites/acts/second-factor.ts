import { authPath as auth, challengeOf, enrolled, goodPassword, registered, secretOf } from '../../people.ts';
import { totpAt, totpStep } from '../../../src/platform/crypto/totp.ts';
import { type Acts, by } from './kit.ts';

/** Actions on the second factor and reauthentication. */
export const secondFactorActs: Acts = {
  [`POST ${auth}/verify-totp`]: {
    entries: ['login.succeeded'],
    async prepare({ chancery, send }) {
      const person = await enrolled(chancery);
      const challengeId = await challengeOf(chancery, person.email);
      return () => send('POST', `${auth}/verify-totp`, { challengeId, code: person.code() });
    },
  },
  [`POST ${auth}/reauthenticate`]: by(
    async ({ chancery }) => ({ token: (await registered(chancery)).token, body: { password: goodPassword } }),
    'POST',
    `${auth}/reauthenticate`,
    'session.reauthenticated',
  ),
  [`POST ${auth}/2fa/enable-init`]: by(
    ({ chancery }) => registered(chancery),
    'POST',
    `${auth}/2fa/enable-init`,
    'twofactor.setup_started',
  ),
  [`POST ${auth}/2fa/enable-confirm`]: by(
    async ({ chancery, made }) => {
      const { token } = await registered(chancery);
      const { setupId, totpUri } = await made('POST', `${auth}/2fa/enable-init`, undefined, { token });
      return { token, body: { code: totpAt(secretOf(totpUri), totpStep(new Date())), setupId } };
    },
    'POST',
    `${auth}/2fa/enable-confirm`,
    'twofactor.enabled',
  ),
  [`POST ${auth}/2fa/regenerate-codes`]: by(
    ({ chancery }) => enrolled(chancery).then(({ token }) => ({ token })),
    'POST',
    `${auth}/2fa/regenerate-codes`,
    'twofactor.codes_regenerated',
  ),
  [`POST ${auth}/2fa/disable`]: by(
    ({ chancery }) => enrolled(chancery).then(({ token }) => ({ token })),
    'POST',
    `${auth}/2fa/disable`,
    'twofactor.disabled',
  ),
};

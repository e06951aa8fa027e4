import { type Authenticator, createAuthenticator } from '../authenticator.ts';
import { authPath as auth, challengeOf, type Registered, registered } from '../people.ts';
import type { ActEntry, ActWorld } from './acts.ts';

type Holder = Registered & { authenticator: Authenticator; passkeyId: string };

async function registering(world: ActWorld) {
  const person = await registered(world.chancery);
  const options = (await world.send('POST', `${auth}/passkeys/options`, undefined, { token: person.token })).body;
  const authenticator = createAuthenticator();
  return { ...person, authenticator, body: { name: 'Key', response: authenticator.create(options) } };
}
async function holder(world: ActWorld): Promise<Holder> {
  const { body, ...person } = await registering(world);
  const made = await world.send('POST', `${auth}/passkeys`, body, { token: person.token });
  return { ...person, passkeyId: made.body.id };
}

/** What the operations of passkeys write into the journal. */
export const passkeyActs: Record<string, ActEntry> = {
  // Options are no act: what is done with them is.
  [`POST ${auth}/passkeys/options`]: {
    entries: [],
    async prepare(world) {
      const { token } = await registered(world.chancery);
      return () => world.send('POST', `${auth}/passkeys/options`, undefined, { token });
    },
  },
  [`POST ${auth}/passkeys`]: {
    entries: ['passkey.registered', 'twofactor.enabled'],
    async prepare(world) {
      const { token, body } = await registering(world);
      return () => world.send('POST', `${auth}/passkeys`, body, { token });
    },
  },
  [`PATCH ${auth}/passkeys/{id}`]: {
    entries: ['passkey.renamed'],
    async prepare(world) {
      const { token, passkeyId } = await holder(world);
      return () => world.send('PATCH', `${auth}/passkeys/${passkeyId}`, { name: 'Drawer' }, { token });
    },
  },
  [`DELETE ${auth}/passkeys/{id}`]: {
    entries: ['passkey.removed', 'twofactor.disabled'],
    async prepare(world) {
      const { token, passkeyId } = await holder(world);
      return () => world.send('DELETE', `${auth}/passkeys/${passkeyId}`, undefined, { token });
    },
  },
  [`POST ${auth}/passkeys/login/options`]: {
    entries: [],
    prepare: async (world) => () => world.send('POST', `${auth}/passkeys/login/options`),
  },
  [`POST ${auth}/passkeys/login`]: {
    entries: ['login.new_device', 'login.succeeded'],
    async prepare(world) {
      const { authenticator } = await holder(world);
      const options = (await world.send('POST', `${auth}/passkeys/login/options`)).body;
      const headers = { 'user-agent': 'Another browser' };
      return () => world.send('POST', `${auth}/passkeys/login`, { response: authenticator.get(options) }, { headers });
    },
  },
  [`POST ${auth}/verify-passkey/options`]: {
    entries: [],
    async prepare(world) {
      const challengeId = await challengeOf(world.chancery, (await holder(world)).email);
      return () => world.send('POST', `${auth}/verify-passkey/options`, { challengeId });
    },
  },
  [`POST ${auth}/verify-passkey`]: {
    entries: ['login.succeeded'],
    async prepare(world) {
      const { authenticator, email } = await holder(world);
      const challengeId = await challengeOf(world.chancery, email);
      const options = (await world.send('POST', `${auth}/verify-passkey/options`, { challengeId })).body;
      return () => world.send('POST', `${auth}/verify-passkey`, { challengeId, response: authenticator.get(options) });
    },
  },
  [`POST ${auth}/reauthenticate/options`]: {
    entries: [],
    async prepare(world) {
      const { token } = await holder(world);
      return () => world.send('POST', `${auth}/reauthenticate/options`, undefined, { token });
    },
  },
};

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../../test/harness.ts';
import { authPath, goodPassword, type Registered, registered } from '../../../../test/people.ts';
import { entryOf } from '../../../platform/journal/record.ts';
import { loginSucceeded } from '../events.ts';
import { closedToNew, openSession } from './credential-queries.ts';
import { plainly, signInPlainly, signInState } from '../queries.ts';

let chancery: Chancery;
before(async () => (chancery = await sharedChancery()));

type SignInCase = { person: Registered; key: Buffer };
const query = (text: string, values: unknown[]) => chancery.pool.query(text, values);

const reasons = ['disabled', 'credentials_changed', 'provider_required'] as const;

/** For each reason to close the team, and each further condition: how to make only this one apply, and the resulting response. */
const broken: Record<(typeof reasons)[number] | keyof typeof plainly, { by: (seen: SignInCase) => Promise<unknown>; answer: unknown[] }> = {
  disabled: {
    by: ({ person }) => query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [person.team]),
    answer: [403, 'account_disabled'],
  },
  credentials_changed: {
    // The test passes an older epoch, as if a change came between the look-up and the session. The next sign-in reads the current one.
    by: () => Promise.resolve(),
    answer: [200, undefined],
  },
  provider_required: {
    async by({ person }) {
      await query("UPDATE account SET role = 'member' WHERE id = $1", [person.id]);
      const connection = randomUUIDv7();
      await query(
        `INSERT INTO sso_connection (team_id, id, issuer, client_id, client_secret, default_role, is_enforced, trusts_mfa, is_active, created_at, updated_at)
         VALUES ($1, $2, 'https://provider.example', 'chancery', '', 'member', true, false, true, now(), now())`,
        [person.team, connection],
      );
      await query(
        "INSERT INTO federated_identity (team_id, id, issuer, subject, account_id, connection_id, created_at, last_used_at) VALUES ($1, gen_random_uuid(), 'https://provider.example', 'ada', $2, $3, now(), now())",
        [person.team, person.id, connection],
      );
    },
    answer: [403, 'sso_required'],
  },
  oneFactor: {
    by: ({ person }) => query('UPDATE person SET two_factor_enabled = true WHERE id = $1', [person.id]),
    answer: [200, 'challenge'],
  },
  knownDevice: {
    by: ({ person }) => query("UPDATE sign_in SET user_agent = 'another' WHERE person_id = $1", [person.id]),
    answer: [200, 'mail'],
  },
  unblocked: {
    by: ({ key }) =>
      query(
        "INSERT INTO throttle (key, hits, since, expires_at, blocked_until) VALUES ($1, 9, now(), now() + interval '1 hour', now() + interval '1 hour')",
        [key],
      ),
    answer: [200, undefined],
  },
};

for (const [condition, { by, answer }] of Object.entries(broken)) {
  test(`the plain sign-in opens no session if \`${condition}\` fails, and login handles it`, async () => {
    const person = await registered(chancery);
    const key = Buffer.from(person.id.replaceAll('-', ''), 'hex');
    await by({ person, key });
    const { rows } = await query('SELECT credential_epoch FROM person WHERE id = $1', [person.id]);
    const epoch = rows[0].credential_epoch - (condition === 'credentials_changed' ? 1 : 0);
    const now = new Date();
    const of = {
      team: person.team,
      account: person.id,
      epoch,
      byProvider: false,
      userAgent: 'node',
      keys: [key],
      renewed: Buffer.alloc(16),
    };
    const session = { session: randomUUIDv7(), amr: ['pwd'], acr: 'aal1', authTime: now, ip: null, lasts: 60 };
    const context = { team: person.team, actor: { type: 'user', id: person.id }, now, requestId: 'sign-in-test' } as const;
    const { database } = chancery;
    const plain = { ...of, ...session, ...entryOf(context, loginSucceeded, session.session, { amr: session.amr }) };
    assert.equal(await database.batched(person.team, person.id, person.id).first(signInPlainly, plain), undefined);
    const [state, conditions, opened] = await database.inTeam(person.team, async (tx) => {
      tx.enterPerson(person.id);
      const states = [await tx.first(signInState, of), await tx.first(closedToNew, of)] as const;
      const made = await tx.first(openSession, {
        ...of,
        ...session,
        session: randomUUIDv7(),
        connection: null,
        idpSession: null,
        ownProofAt: now,
        secondFactorAt: null,
        lives: null,
        at: now,
      });
      return [...states, made] as const;
    });
    const closes = reasons.some((reason) => reason === condition);
    const failed = Object.keys(plainly).filter((name) => state?.[name as keyof typeof plainly] === false);
    assert.deepEqual([state?.closed, failed], closes ? [condition, []] : [null, [condition]]);
    assert.equal(conditions?.closed, closes ? condition : null);
    assert.equal(opened === undefined, closes, 'openSession checks the sign-in conditions');
    await query('DELETE FROM sign_in WHERE person_id = $1 AND ip IS NULL', [person.id]);
    const { status, body } = await chancery.call('POST', `${authPath}/login`, { body: { email: person.email, password: goodPassword } });
    const mails = (await chancery.call('GET', `/dev/mail.json?to=${encodeURIComponent(person.email)}`)).body.length;
    const code = body.twoFactorRequired ? 'challenge' : mails > 1 ? 'mail' : body.code;
    assert.deepEqual([status, code], answer);
  });
}

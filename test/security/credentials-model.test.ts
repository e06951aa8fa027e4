import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { type TestResponse, type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { authPath, cookieOf, goodPassword, mailsTo, secretOf } from '../people.ts';
import { firstStaff, staffToken } from '../staff.ts';

/**
 * A person, their team and the credentials that come up in a random life: after each step, or each pair of steps at once, what
 * should be dead opens nothing. What should live is asked too, or a service that refuses everything would pass.
 */

let chancery: Chancery;
let staff: string;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', REFRESH_RETRY_GRACE_SECONDS: '0', ...firstStaff } });
  staff = await staffToken(chancery);
});
after(() => chancery.stop());

type Session = { token: string; refreshToken: string; team: string };
/** `dead`: for good. `held`: by a state that may pass, such as a team that is suspended. */
type Life = {
  team: TestTeam;
  email: string;
  id: string;
  password: string;
  /** In the team, in one of their own, or without an account. */
  place: 'team' | 'home' | 'nowhere';
  suspended: boolean;
  teamSuspended: boolean;
  enforced: boolean;
  connection: string;
  secret: Buffer | undefined;
  living: Session[];
  dead: Session[];
  challenges: { living: string[]; dead: string[] };
  links: { living: string[]; dead: string[] };
  clients: { living: string[]; dead: string[] };
  closed: boolean;
};

const call = (method: string, path: string, token?: string, body?: unknown): Promise<TestResponse> =>
  chancery.call(method, path, { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) });
const claimsOf = (token: string): any => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const mailed = async (email: string, what: RegExp) => what.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1];
const opened = (answer: TestResponse): Session => ({
  token: answer.body.accessToken,
  refreshToken: cookieOf(answer, 'refresh_token'),
  team: claimsOf(answer.body.accessToken).team,
});
const isOpen = (answer: TestResponse) => answer.status < 300 && answer.body?.accessToken !== undefined;

/** Everything of these that lived is dead, but what is kept. */
function kill(life: Life, sessions: boolean, kept: Session[] = []): void {
  const { challenges, links } = life;
  challenges.dead.push(...challenges.living.splice(0));
  links.dead.push(...links.living.splice(0));
  if (sessions) life.dead.push(...life.living.splice(0).filter((one) => !kept.includes(one)));
  if (sessions) life.living.push(...kept);
}

async function invite(life: Life): Promise<string | undefined> {
  const made = await call('POST', '/api/v1/team/invitations', life.team.owner.token, { email: life.email, role: 'member' });
  return made.status === 201 ? mailed(life.email, /token=([\w-]+)/) : undefined;
}

const usable = (life: Life) => !life.closed && !life.teamSuspended && !life.suspended;
const atHand = (life: Life) => (usable(life) ? life.living.at(-1) : undefined);

/** What a step did, told once both of a pair are over; nothing where it does not apply or was refused. */
type StepEffect = (() => void) | undefined;
type Step = (life: Life) => Promise<StepEffect>;

/** The steps that end every session there was. But for being signed out by staff, a sign-in at the same time opens none that lives. */
const ending = new Set(['reset', 'change', 'enable', 'suspend', 'remove', 'delete', 'signOut', 'close']);

const steps: Record<string, Step> = {
  async signIn(life) {
    const answer = await call('POST', `${authPath}/login`, undefined, { email: life.email, password: life.password });
    if (isOpen(answer)) return () => void life.living.push(opened(answer));
    const { challengeId } = answer.body;
    if (challengeId === undefined) return undefined;
    return () => {
      life.challenges.dead.push(...life.challenges.living.splice(0));
      life.challenges.living.push(challengeId);
    };
  },
  async complete(life) {
    const [challengeId] = life.challenges.living;
    if (challengeId === undefined || !life.secret) return undefined;
    // A code is good once: the step before it is forgotten instead of waiting for the next.
    await chancery.pool.query('UPDATE two_factor SET last_step = 0 WHERE account_id = $1', [life.id]);
    const code = totpAt(life.secret, totpStep(new Date()));
    const answer = await call('POST', `${authPath}/verify-totp`, undefined, { challengeId, code });
    if (!isOpen(answer)) return undefined;
    return () => {
      life.challenges.living = life.challenges.living.filter((one) => one !== challengeId);
      life.living.push(opened(answer));
    };
  },
  async askReset(life) {
    if (life.place === 'nowhere') return undefined;
    await call('POST', `${authPath}/request-password-reset`, undefined, { email: life.email });
    const token = await mailed(life.email, /reset-password#token=([\w-]+)/);
    if (token === undefined || life.links.living.includes(token) || life.links.dead.includes(token)) return undefined;
    return () => {
      life.links.dead.push(...life.links.living.splice(0));
      life.links.living.push(token);
    };
  },
  async reset(life) {
    const [token] = life.links.living;
    if (token === undefined) return undefined;
    const password = `Reset1-${randomBytes(6).toString('hex')}`;
    const answer = await call('POST', `${authPath}/reset-password`, undefined, { token, password });
    if (answer.status !== 200) return undefined;
    return () => {
      life.password = password;
      kill(life, true);
    };
  },
  async change(life) {
    const session = atHand(life);
    if (!session) return undefined;
    const newPassword = `Change1-${randomBytes(6).toString('hex')}`;
    const answer = await call('PUT', `${authPath}/change-password`, session.token, { currentPassword: life.password, newPassword });
    if (!isOpen(answer)) return undefined;
    return () => {
      life.password = newPassword;
      kill(life, true, [opened(answer)]);
    };
  },
  async enable(life) {
    const session = atHand(life);
    if (!session || life.secret) return undefined;
    const begun = await call('POST', `${authPath}/2fa/enable-init`, session.token);
    if (begun.status !== 200) return undefined;
    const secret = secretOf(begun.body.totpUri);
    const body = { setupId: begun.body.setupId, code: totpAt(secret, totpStep(new Date())) };
    if ((await call('POST', `${authPath}/2fa/enable-confirm`, session.token, body)).status !== 200) return undefined;
    return () => {
      life.secret = secret;
      kill(life, true, [session]);
    };
  },
  async disable(life) {
    const session = atHand(life);
    if (!session || !life.secret) return undefined;
    await chancery.pool.query('UPDATE two_factor SET last_step = 0 WHERE account_id = $1', [life.id]);
    const code = totpAt(life.secret, totpStep(new Date()));
    if ((await call('POST', `${authPath}/2fa/disable`, session.token, { code })).status !== 200) return undefined;
    return () => {
      life.secret = undefined;
      kill(life, false);
    };
  },
  async suspend(life) {
    if (life.place !== 'team' || !usable(life)) return undefined;
    const answer = await call('PATCH', `/api/v1/team/members/${life.id}`, life.team.owner.token, { isActive: false });
    if (answer.status !== 200) return undefined;
    return () => {
      life.suspended = true;
      kill(life, true);
    };
  },
  async reactivate(life) {
    if (!life.suspended || life.teamSuspended || life.closed) return undefined;
    const answer = await call('PATCH', `/api/v1/team/members/${life.id}`, life.team.owner.token, { isActive: true });
    return answer.status === 200 ? () => void (life.suspended = false) : undefined;
  },
  async remove(life) {
    if (life.place !== 'team' || !usable(life)) return undefined;
    if ((await call('DELETE', `/api/v1/team/members/${life.id}`, life.team.owner.token)).status !== 204) return undefined;
    return () => {
      life.place = 'home';
      // A link goes along with the person; what it was made for is theirs wherever they are. A sign-in beside it may be at home.
      const kept = life.links.living.splice(0);
      kill(
        life,
        true,
        life.living.filter(({ team }) => team !== life.team.id),
      );
      life.links.living.push(...kept);
    };
  },
  async inviteBack(life) {
    const session = atHand(life);
    if (life.place !== 'home' || !session) return undefined;
    const token = await invite(life);
    const answer = await call('POST', '/api/v1/team/invitations/accept', session.token, { token });
    // Where the team enforces its provider, who joins signs in through that.
    if (answer.status !== 200 && answer.body.code !== 'sso_required') return undefined;
    return () => {
      life.place = 'team';
      const kept = life.links.living.splice(0);
      kill(life, true, answer.status === 200 ? [opened(answer)] : []);
      life.links.living.push(...kept);
    };
  },
  async register(life) {
    if (life.place !== 'nowhere' || life.closed || life.teamSuspended) return undefined;
    const body = { token: await invite(life), firstName: 'Ada', lastName: 'Again', password: goodPassword };
    const answer = await call('POST', '/api/v1/team/invitations/accept', undefined, body);
    if (answer.status !== 201) return undefined;
    return () => {
      Object.assign(life, { place: 'team', id: answer.body.user.id, password: goodPassword, secret: undefined, suspended: false });
      life.living.push(opened(answer));
    };
  },
  async enforce(life) {
    if (life.closed || life.teamSuspended) return undefined;
    const on = !life.enforced;
    const answer = await call('PATCH', `/api/v1/team/sso/${life.connection}`, life.team.owner.token, { enforce: on });
    return answer.status === 200 ? () => void (life.enforced = on) : undefined;
  },
  async delete(life) {
    const session = atHand(life);
    if (!session || life.place === 'nowhere') return undefined;
    const answer = await call('DELETE', `${authPath}/profile`, session.token);
    if (answer.status !== 200) return undefined;
    return () => {
      life.place = 'nowhere';
      kill(life, true);
    };
  },
  async signOut(life) {
    if (life.place === 'nowhere') return undefined;
    const answer = await call('POST', `/api/v1/staff/users/${life.id}/revoke-sessions`, staff, { reason: 'asked for' });
    // It ends sessions; what waits for a factor or a new password proves more than they do.
    return answer.status === 200 ? () => void life.dead.push(...life.living.splice(0)) : undefined;
  },
  async signOutOne(life) {
    const session = atHand(life);
    if (!session || (await call('POST', `${authPath}/logout`, session.token)).status !== 200) return undefined;
    return () => {
      life.living = life.living.filter((one) => one !== session);
      life.dead.push(session);
    };
  },
  async suspendTeam(life) {
    const done = await call('POST', `/api/v1/staff/teams/${life.team.id}/${life.teamSuspended ? 'restore' : 'suspend'}`, staff, {
      reason: 'a test',
    });
    return done.status === 200 ? () => void (life.teamSuspended = !life.teamSuspended) : undefined;
  },
  async makeClient(life) {
    if (life.closed || life.teamSuspended) return undefined;
    const { token } = await chancery.client(life.team.owner, ['tasks:read']);
    return () => void life.clients.living.push(token);
  },
  async revokeClient(life) {
    const token = life.clients.living.at(-1);
    if (token === undefined || life.teamSuspended) return undefined;
    const answer = await call('DELETE', `/api/v1/security/clients/${claimsOf(token).client_id}`, life.team.owner.token);
    if (answer.status >= 300) return undefined;
    return () => void life.clients.dead.push(...life.clients.living.splice(life.clients.living.indexOf(token), 1));
  },
  async close(life) {
    // An owner who is alone takes the team along.
    if (life.place === 'team' || life.closed || life.teamSuspended) return undefined;
    if ((await call('DELETE', `${authPath}/profile`, life.team.owner.token)).status !== 200) return undefined;
    return () => {
      life.closed = true;
      life.clients.dead.push(...life.clients.living.splice(0));
    };
  },
};

async function begin(): Promise<Life> {
  const team = await chancery.team();
  const domain = `model${randomBytes(4).toString('hex')}.example`;
  const connection = { issuer: 'https://login.example', clientId: 'x', clientSecret: 'x', domains: [domain] };
  const made = await call('POST', '/api/v1/team/sso', team.owner.token, connection);
  assert.equal(made.status, 201, made.text);
  await chancery.pool.query('UPDATE sso_domain SET verified_at = now() WHERE connection_id = $1', [made.body.id]);
  const none = () => ({ living: [], dead: [] });
  const life: Life = {
    team,
    email: `ada@${domain}`,
    id: '',
    password: goodPassword,
    place: 'nowhere',
    connection: made.body.id,
    suspended: false,
    teamSuspended: false,
    enforced: false,
    closed: false,
    secret: undefined,
    living: [],
    dead: [],
    challenges: none(),
    links: none(),
    clients: none(),
  };
  (await steps.register?.(life))?.();
  return life;
}

const bearer = async (token: string) => (await call('GET', '/api/v1/tasks/', token)).status;

async function check(life: Life, steppedBy: string): Promise<void> {
  const ofTheTeam = (session: Session) => session.team === life.team.id;
  const suspendedSessions = life.living.filter((session) => ofTheTeam(session) && (life.teamSuspended || life.closed));
  for (const { token, refreshToken } of [...life.dead.slice(-6), ...suspendedSessions]) {
    assert.equal(await bearer(token), 401, `a dead access token opens something after ${steppedBy}`);
    const refreshed = await call('POST', `${authPath}/refresh`, undefined, { refreshToken });
    assert.equal(refreshed.status, 401, `a dead refresh token opens something after ${steppedBy}`);
  }
  for (const session of life.living.filter((one) => !suspendedSessions.includes(one)).slice(-2))
    assert.equal(await bearer(session.token), 200, `a living session opens nothing after ${steppedBy}`);
  const gone = [...life.clients.dead, ...(life.teamSuspended || life.closed ? life.clients.living : [])];
  for (const token of gone.slice(-3)) assert.equal(await bearer(token), 401, `a dead client opens something after ${steppedBy}`);
  const [code] = [life.secret ? totpAt(life.secret, totpStep(new Date())) : '000000'];
  for (const challengeId of life.challenges.dead.slice(-2))
    assert.equal(
      isOpen(await call('POST', `${authPath}/verify-totp`, undefined, { challengeId, code })),
      false,
      `a dead challenge after ${steppedBy}`,
    );
  for (const token of life.links.dead.slice(-2)) {
    const answer = await call('POST', `${authPath}/reset-password`, undefined, { token, password: 'Never-to-be-set-1' });
    assert.equal(answer.status, 400, `a dead link sets a password after ${steppedBy}`);
  }
}

/** Steps that change the same thing each in its own way are not done at once: which came last nobody could say. */
const alone = new Set(['register', 'inviteBack', 'delete', 'close', 'suspendTeam', 'reactivate', 'makeClient']);

async function pass(life: Life, names: readonly string[]): Promise<void> {
  const [first = '', second] = names;
  const both = second === undefined || first === second || alone.has(first) || alone.has(second) ? [first] : [first, second];
  const known = new Set([life.challenges, life.links].flatMap(({ living, dead }) => [...living, ...dead]));
  const effects = await Promise.all(both.map(async (name) => steps[name]?.(life)));
  // What ends is told last: a session that was opened beside it came before, or not at all.
  const order = both
    .map((name, at) => ({ name, tell: effects[at] }))
    .toSorted((a, b) => Number(ending.has(a.name)) - Number(ending.has(b.name)));
  const earlier = new Set([...life.living, ...life.dead]);
  const survivors = order.filter(({ name, tell }) => tell && ending.has(name)).length > 1;
  const kept = new Set<Session>();
  for (const { tell, name } of order) {
    tell?.();
    for (const one of tell && ending.has(name) ? life.living : []) kept.add(one);
    if (process.env.RUNS) process.stderr.write(`${name}${tell ? '+' : '-'} `);
  }
  // Of a challenge or link that was made beside another step nobody can say what it was made before.
  if (both.length > 1) for (const { living, dead } of [life.challenges, life.links]) for (const list of [living, dead]) forget(list, known);
  // Of two that end all but their own, one ended the other's: which, the service says.
  if (survivors) await settle(life, kept);
  // Whoever signs in with what is right, after they were signed out, is signed in.
  else if (both.length > 1 && both.includes('signOut')) life.dead = life.dead.filter((one) => earlier.has(one));
  await chancery.pool.query('DELETE FROM throttle');
  await check(life, both.join(' beside '));
}

function forget(list: string[], known: ReadonlySet<string>): void {
  list.splice(0, list.length, ...list.filter((one) => known.has(one)));
}

/** Of the sessions that one of several steps kept, tells which the service lets live: those that another of them ended are dead. */
async function settle(life: Life, kept: ReadonlySet<Session>): Promise<void> {
  const probes = await Promise.all(Array.from(kept, async (one) => ({ one, lives: (await bearer(one.token)) === 200 })));
  const lives = probes.flatMap((effects) => (effects.lives ? [effects.one] : []));
  assert.ok(lives.length <= 1, 'two that each end all but one leave one at most');
  life.living = lives;
  life.dead = life.dead.filter((one) => !kept.has(one)).concat(probes.flatMap((effects) => (effects.lives ? [] : [effects.one])));
}

test('whatever happens to a person and their team, in turn or two at once, no credential that should be dead opens anything', async () => {
  const name = fc.constantFrom(
    'signIn',
    'signIn',
    'signIn',
    'complete',
    'askReset',
    ...Object.keys(steps).filter((step) => step !== 'close'),
  );
  const life = fc.array(fc.array(name, { minLength: 1, maxLength: 2 }), { minLength: 8, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(life, async (moments) => {
      const one = await begin();
      for (const names of moments) await pass(one, names);
      await pass(one, ['close']);
    }),
    { numRuns: 6, endOnFailure: true, ...(process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {}) },
  );
});

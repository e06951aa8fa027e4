import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { type TestResponse, type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { authPath, cookieOf, goodPassword, mailsTo, secretOf } from '../people.ts';
import { firstStaff, staffToken } from '../staff.ts';

/**
 * Runs random steps on a person, their team and their credentials. After each step, or each pair of concurrent steps, dead credentials
 * must be rejected. Valid credentials must be accepted, so that a service that rejects everything fails.
 */

let chancery: Chancery;
let staff: string;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', REFRESH_RETRY_GRACE_SECONDS: '0', ...firstStaff } });
  staff = await staffToken(chancery);
});
after(() => chancery.stop());

type Session = { token: string; refreshToken: string; team: string };
/**
 * The state of a random life. Credentials in `dead` have ended permanently. A suspended team only blocks those in `living`. Sign-ins in `outside`
 * have no access to the team until the person is an active member again.
 */
type Life = {
  team: TestTeam;
  email: string;
  id: string;
  password: string;
  /** Where the person is: in the team, in their own team, or without an account. */
  place: 'team' | 'home' | 'nowhere';
  suspended: boolean;
  teamSuspended: boolean;
  enforced: boolean;
  connection: string;
  secret: Buffer | undefined;
  living: Session[];
  dead: Session[];
  outside: Session[];
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

/** Moves all living credentials to `dead`, except those in `kept`. */
function kill(life: Life, sessions: boolean, kept: Session[] = []): void {
  const { challenges, links } = life;
  challenges.dead.push(...challenges.living.splice(0));
  links.dead.push(...links.living.splice(0));
  if (!sessions) return;
  life.dead.push(...life.outside.splice(0), ...life.living.splice(0).filter((one) => !kept.includes(one)));
  life.living.push(...kept);
}

/**
 * The membership ended or is suspended: sessions and challenges in the team end, and sign-ins open it again only with an active membership. Reset links
 * belong to the person and stay valid.
 */
function leaveTeam(life: Life): void {
  const inTeam = ({ team }: Session) => team === life.team.id;
  life.outside.push(...life.living.filter(inTeam));
  life.living = life.living.filter((one) => !inTeam(one));
  life.challenges.dead.push(...life.challenges.living.splice(0));
}

/** The person is an active member again. Sign-ins and challenges from before open the team. */
function returnToTeam(life: Life): void {
  life.outside = [];
  life.challenges.dead = [];
}

async function invite(life: Life): Promise<string | undefined> {
  const made = await call('POST', '/api/v1/team/invitations', life.team.owner.token, { email: life.email, role: 'member' });
  return made.status === 201 ? mailed(life.email, /token=([\w-]+)/) : undefined;
}

const usable = (life: Life) => !life.closed && !life.teamSuspended && !life.suspended;
const atHand = (life: Life) => (usable(life) ? life.living.at(-1) : undefined);

/** Applies the effect of a step after both steps of a pair. Undefined if the step does not apply or was rejected. */
type StepEffect = (() => void) | undefined;
type Step = (life: Life) => Promise<StepEffect>;

/** The steps that end all sessions. A concurrent sign-in opens no valid session, except during a sign-out by staff. */
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
    // A code is valid once. Reset the last used step instead of waiting for the next code.
    await chancery.pool.query('UPDATE two_factor SET last_step = 0 WHERE person_id = $1', [life.id]);
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
    await chancery.pool.query('UPDATE two_factor SET last_step = 0 WHERE person_id = $1', [life.id]);
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
      leaveTeam(life);
    };
  },
  async reactivate(life) {
    if (!life.suspended || life.teamSuspended || life.closed) return undefined;
    const answer = await call('PATCH', `/api/v1/team/members/${life.id}`, life.team.owner.token, { isActive: true });
    if (answer.status !== 200) return undefined;
    return () => {
      life.suspended = false;
      returnToTeam(life);
    };
  },
  async remove(life) {
    if (life.place !== 'team' || !usable(life)) return undefined;
    if ((await call('DELETE', `/api/v1/team/members/${life.id}`, life.team.owner.token)).status !== 204) return undefined;
    return () => {
      life.place = 'home';
      leaveTeam(life);
    };
  },
  async inviteBack(life) {
    const session = atHand(life);
    if (life.place !== 'home' || !session) return undefined;
    const token = await invite(life);
    const answer = await call('POST', '/api/v1/team/invitations/accept', session.token, { token });
    // If the team enforces its provider, a new member signs in through the provider.
    if (answer.status !== 200 && answer.body.code !== 'sso_required') return undefined;
    return () => {
      life.place = 'team';
      returnToTeam(life);
      // The empty team of the person closes.
      life.dead.push(...life.living.splice(0));
      if (answer.status === 200) life.living.push(opened(answer));
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
    // Ends sessions only. Challenges and reset links stay, because they need further proof.
    return answer.status === 200 ? () => void life.dead.push(...life.outside.splice(0), ...life.living.splice(0)) : undefined;
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
    // The deletion of an owner without other members closes the team.
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
    outside: [],
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
  for (const { token, refreshToken } of [...life.dead.slice(-6), ...life.outside.slice(-3), ...suspendedSessions]) {
    assert.equal(await bearer(token), 401, `a dead access token is accepted after ${steppedBy}`);
    const refreshed = await call('POST', `${authPath}/refresh`, undefined, { refreshToken });
    // 403: the sign-in is valid in other teams of the person.
    assert.ok([401, 403].includes(refreshed.status), `a dead refresh token is accepted after ${steppedBy}`);
  }
  for (const session of life.living.filter((one) => !suspendedSessions.includes(one)).slice(-2))
    assert.equal(await bearer(session.token), 200, `a valid session is rejected after ${steppedBy}`);
  const gone = [...life.clients.dead, ...(life.teamSuspended || life.closed ? life.clients.living : [])];
  for (const token of gone.slice(-3)) assert.equal(await bearer(token), 401, `a dead client is accepted after ${steppedBy}`);
  const [code] = [life.secret ? totpAt(life.secret, totpStep(new Date())) : '000000'];
  for (const challengeId of life.challenges.dead.slice(-2))
    assert.equal(
      isOpen(await call('POST', `${authPath}/verify-totp`, undefined, { challengeId, code })),
      false,
      `a dead challenge is accepted after ${steppedBy}`,
    );
  for (const token of life.links.dead.slice(-2)) {
    const answer = await call('POST', `${authPath}/reset-password`, undefined, { token, password: 'Never-to-be-set-1' });
    assert.equal(answer.status, 400, `a dead link sets a password after ${steppedBy}`);
  }
}

/** Steps that never run concurrently, because they change the same state and the test cannot determine which came last. */
const alone = new Set(['register', 'inviteBack', 'delete', 'close', 'suspendTeam', 'reactivate', 'makeClient']);

async function pass(life: Life, names: readonly string[]): Promise<void> {
  const [first = '', second] = names;
  const both = second === undefined || first === second || alone.has(first) || alone.has(second) ? [first] : [first, second];
  const known = new Set([life.challenges, life.links].flatMap(({ living, dead }) => [...living, ...dead]));
  const effects = await Promise.all(both.map(async (name) => steps[name]?.(life)));
  // Apply ending steps last: a concurrent sign-in came before them or opened no session.
  const order = both
    .map((name, at) => ({ name, effect: effects[at] }))
    .toSorted((a, b) => Number(ending.has(a.name)) - Number(ending.has(b.name)));
  const earlier = new Set([...life.living, ...life.dead]);
  const survivors = order.filter(({ name, effect }) => effect && ending.has(name)).length > 1;
  const kept = new Set<Session>();
  for (const { effect, name } of order) {
    effect?.();
    for (const one of effect && ending.has(name) ? life.living : []) kept.add(one);
    if (process.env.RUNS) process.stderr.write(`${name}${effect ? '+' : '-'} `);
  }
  // Forget challenges and links of concurrent steps, because their order is unknown.
  if (both.length > 1) for (const { living, dead } of [life.challenges, life.links]) for (const list of [living, dead]) forget(list, known);
  // If two steps end all sessions except their own, one ended the session of the other. Ask the service which one.
  if (survivors) await settle(life, kept);
  // A sign-in after the sign-out by staff is valid.
  else if (both.length > 1 && both.includes('signOut')) life.dead = life.dead.filter((one) => earlier.has(one));
  await chancery.pool.query('DELETE FROM throttle');
  await check(life, both.join(' beside '));
}

function forget(list: string[], known: ReadonlySet<string>): void {
  list.splice(0, list.length, ...list.filter((one) => known.has(one)));
}

/** Asks the service which of the kept sessions is valid, and moves the others to `dead`. */
async function settle(life: Life, kept: ReadonlySet<Session>): Promise<void> {
  const probes = await Promise.all(Array.from(kept, async (one) => ({ one, lives: (await bearer(one.token)) === 200 })));
  const lives = probes.flatMap((effects) => (effects.lives ? [effects.one] : []));
  assert.ok(lives.length <= 1, 'at most one session remains after two steps that end all others');
  life.living = lives;
  life.dead = life.dead.filter((one) => !kept.has(one)).concat(probes.flatMap((effects) => (effects.lives ? [] : [effects.one])));
}

test('no dead credential is accepted after random steps on a person and their team, sequential or concurrent', async () => {
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

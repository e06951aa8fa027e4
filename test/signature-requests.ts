import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { doDueWork } from '../src/platform/jobs/due-jobs.ts';
import { Isolation } from '../src/platform/jobs/isolated-jobs.ts';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { listeners } from '../src/listeners.ts';
import { linkPurpose, type Requests } from '../src/work/signatures/requests/context.ts';
import { expiries, reminders } from '../src/work/signatures/requests/due-jobs.ts';
import type { TestResponse, Chancery, TestTeam, User } from './harness.ts';
import { askToSign, outToSign, signatures } from './signatures.ts';

export const documents = '/api/v1/smartdoc/documents';
export const address = () => `ada.${randomBytes(5).toString('hex')}@acme.example`;
export const stranger = (members: object = {}) => ({ email: address(), name: 'Ada Acme', ...members });
export const link = (token: string, verb = '') => `${signatures}/public/${token}${verb}`;
/** A PNG of 2 × 1 pixels with a header and an end but no pixel data. */
export const broken = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAABElEQVQAAAAAAAAAAElFTkSuQmCC';
export const yes = { consent: true, name: 'Ada Acme' };
export const days = (n: number) => new Date(Date.now() + n * 86_400_000);

/** The number of responses by status and code. */
export function counted(answers: readonly TestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = `${status} ${body?.code ?? body?.status}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

export async function refused(answering: Promise<TestResponse>, status: number, code: string): Promise<TestResponse> {
  const answer = await answering;
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);
  return answer;
}

/** A team with two members for the tests of signature requests. */
export async function signatureTeam(chancery: Chancery): Promise<{ team: TestTeam; creator: User; marcus: User }> {
  const team = await chancery.team('Harbour & Lane');
  return { team, creator: await chancery.user(team, { firstName: 'Priya' }), marcus: await chancery.user(team, { firstName: 'Marcus' }) };
}

/** Calls for the tests of signature requests. `service` and `requester` return values that the `before` of the file sets. */
export function signatureCalls(service: () => Chancery, requester: () => User) {
  const send = (by: { token: string } | undefined, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service().call(method, path, { ...(by ? { token: by.token } : {}), ...(body === undefined ? {} : { body }), headers });
  async function ok(...parameters: Parameters<typeof send>): Promise<any> {
    const answer = await send(...parameters);
    assert.ok(answer.status < 300, `${parameters[1]} ${parameters[2]} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }
  /** Returns a context for periodic jobs. */
  async function working(): Promise<Requests> {
    const key = await loadMasterKey({ configured: service().masterKey, dataDir: '/nowhere', generate: 'never' });
    const none = () => assert.fail('a periodic job does not sign');
    return {
      baseUrl: 'http://localhost:8080',
      links: key.box(linkPurpose),
      codeKey: Buffer.alloc(32),
      evidence: none,
      storage: {} as never,
    };
  }
  return {
    send,
    ok,
    working,
    read: (id: string) => ok(requester(), 'GET', `${signatures}/${id}`),
    sign: (token: string, body: object = {}, by?: User) => send(by, 'POST', link(token, '/sign'), { ...yes, ...body }),
    sql: async (text: string, ...values: unknown[]) => (await service().pool.query(text, values)).rows,
    /** Creates a pending request of the creator, and returns it with the links of the first signers. */
    async out(
      members: Record<string, unknown> = {},
      by = requester(),
    ): Promise<{ id: string; tokens: string[]; signers: any[]; documentId: string }> {
      const made = await askToSign(service(), by, members);
      return { ...made, tokens: await outToSign(service(), made.id) };
    },
    async due(kind: 'expiries' | 'reminders', now: Date): Promise<void> {
      const isolation = new Isolation({
        database: service().database,
        log: pino({ level: 'silent' }),
        metrics: { failed: (job) => assert.fail(job), setAside: () => undefined },
      });
      const deps = { database: service().database, listeners, isolation };
      await doDueWork(deps, kind === 'expiries' ? expiries : reminders(await working()), now);
    },
  };
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { SmtpReceiver } from '../../test/smtp-receiver.ts';
import { eventually } from '../../test/webhook-receiver.ts';

const writers = 8;
/** Pause of a writer after an acknowledged write, and before it sends a request again. A client would wait for `Retry-After`. */
const [pauseMs, retryMs] = [100, 200];
/** A request without a response for so long counts as failed. */
const responseMs = 60_000;

const kinds = [
  { table: 'folder', path: '/api/v1/smartdoc/folders/', member: 'name' },
  { table: 'document', path: '/api/v1/smartdoc/documents/', member: 'title' },
  { table: 'task', path: '/api/v1/tasks/', member: 'title' },
] as const;
export type Table = (typeof kinds)[number]['table'];
export const columns = new Map<Table, string>(kinds.map(({ table, member }) => [table, member]));

/** A response with the members that the load uses. Without a response the status is 0. */
type LoadResponse = { status: number; body: { id?: string; accessToken?: string; code?: string } };

/** Clients that write and read over HTTP. They repeat each write with its `Idempotency-Key` until it is acknowledged. */
export class Load {
  readonly acknowledged: { table: Table; id: string }[] = [];
  readonly registered: string[] = [];
  /** The number of responses by status. */
  readonly statuses = new Map<string, number>();
  /** Responses that no client should get. */
  readonly unexpected: string[] = [];
  longestResponseMs = 0;
  readonly #url: string;
  #token = '';
  #me = '';
  #isOn = true;
  #sent = 0;
  #acknowledgedAt = performance.now();
  #longestGapMs = 0;
  #running: Promise<unknown> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Registers the owner of a team. */
  async signUp(mails: SmtpReceiver): Promise<void> {
    const email = await this.#register();
    const mail = await eventually('the mail with the code', () => mails.received.find(({ to }) => to.includes(email)));
    const code = /^Subject:.*?(\d{6})/m.exec(mail.headers)?.[1];
    const { body } = await this.call('POST', '/api/v1/security/auth/verify-email', { body: { email, code } });
    this.#token = body.accessToken ?? '';
    this.#me = (await this.call('GET', '/api/v1/security/auth/profile')).body.id ?? '';
  }

  start(): void {
    const loops = [...Array.from({ length: writers }, (_, at) => () => this.#write(at)), () => this.#registerNext()];
    this.#acknowledgedAt = performance.now();
    this.#running = Promise.all(
      loops.map(async (loop) => {
        while (this.#isOn) await loop();
      }),
    );
    this.#running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    await this.#running;
  }

  /** Starts to measure the longest time without an acknowledged write. The returned function ends it, in seconds. */
  measureGap(): () => number {
    this.#longestGapMs = 0;
    return () => this.#longestGapMs / 1_000;
  }

  /** Waits until that many more writes are acknowledged. */
  async untilWritten(more: number): Promise<void> {
    const from = this.acknowledged.length;
    await eventually('writes are acknowledged', () => this.acknowledged.length >= from + more);
  }

  /** Sends a request. Statuses and unexpected responses are counted. */
  async call(method: string, path: string, { body, key }: { body?: object; key?: string } = {}): Promise<LoadResponse> {
    const from = performance.now();
    const headers = {
      ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    try {
      const response = await fetch(`${this.#url}${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(responseMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const answered: LoadResponse['body'] = text ? JSON.parse(text) : {};
      this.#count(`${method} ${path}`, response, answered);
      return { status: response.status, body: answered };
    } catch (error) {
      this.unexpected.push(`${method} ${path}: ${inspect(error)}`);
      return { status: 0, body: {} };
    } finally {
      this.longestResponseMs = Math.max(this.longestResponseMs, performance.now() - from);
    }
  }

  #count(request: string, { status, headers }: Response, body: LoadResponse['body']): void {
    const name = status < 400 ? String(status) : `${status} ${body.code}`;
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    const canRetry = ([429, 503].includes(status) && headers.has('retry-after')) || body.code === 'idempotency_in_progress';
    if (status >= 400 && !canRetry) this.unexpected.push(`${request}: ${status} ${JSON.stringify(body)}`);
  }

  async #write(writer: number): Promise<void> {
    const kind = kinds[(this.#sent += 1) % kinds.length] ?? kinds[0];
    const key = randomUUID();
    const body = { [kind.member]: `Write ${key}`, ...(kind.table === 'task' && { assignedTo: this.#me }) };
    const { body: created } = await this.#untilAcknowledged(() => this.call('POST', kind.path, { body, key }));
    const id = created.id ?? '';
    this.acknowledged.push({ table: kind.table, id });
    const now = performance.now();
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#acknowledgedAt);
    this.#acknowledgedAt = now;
    // An acknowledged write is visible to the next request. Otherwise the response is an unexpected 404.
    if (writer === 0) await this.call('GET', `${kind.path}${id}`);
    await sleep(pauseMs);
  }

  async #register(): Promise<string> {
    const email = `p${randomUUID()}@example.org`;
    const body = { email, password: 'CorrectHorse9Battery', firstName: 'Ada', lastName: 'Grace' };
    await this.#untilAcknowledged(() => this.call('POST', '/api/v1/security/auth/register', { body, key: randomUUID() }));
    return email;
  }

  /** Registers a person, who gets a mail from the worker. */
  async #registerNext(): Promise<void> {
    this.registered.push(await this.#register());
    await sleep(1_000);
  }

  async #untilAcknowledged(send: () => Promise<LoadResponse>): Promise<LoadResponse> {
    for (;;) {
      const answer = await send();
      if (answer.status < 400 && answer.status > 0) return answer;
      if (this.unexpected.length > 100) throw new Error(`too many unexpected responses: ${this.unexpected.slice(0, 3).join('\n')}`);
      await sleep(retryMs);
    }
  }
}

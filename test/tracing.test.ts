import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';
import { type Chancery, startChancery, type TestTeam } from './harness.ts';
import { type SmtpReceiver, startSmtpReceiver } from './smtp-receiver.ts';
import { eventually, type Receiver, startReceiver } from './webhook-receiver.ts';

/* A running service exports its spans to a collector. */

const collectorToken = 'token-of-the-collector';
let collector: Collector;
let smtp: SmtpReceiver;
let receiver: Receiver;
let chancery: Chancery;
let team: TestTeam;
before(async () => {
  collector = await startCollector();
  smtp = await startSmtpReceiver();
  receiver = await startReceiver();
  chancery = await startChancery({
    role: 'all',
    settings: {
      SMTP_URL: smtp.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collectorToken}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_SERVICE_NAME: 'chancery-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench',
    },
  });
  team = await chancery.team('Confidential & Partners');
});
after(async () => {
  await chancery.stop();
  await Promise.all([collector.close(), smtp.close(), receiver.close()]);
});

/** A position in a trace that a caller sends. */
function newPosition(flags = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}
const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const collected = (traceId: string, name: string) =>
  eventually(`the span ${name} in ${JSON.stringify(spansOf(traceId).map((span) => span.name))}`, () =>
    spansOf(traceId).find((span) => span.name === name),
  );
/** Returns the names of the ancestors of a span that is no statement, from its parent on. */
function pathOf(span: CollectedSpan): string[] {
  const parent = spansOf(span.traceId).find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [parent.name, ...pathOf(parent)] : [];
}

test('one trace joins a request, its jobs, the mail that is rejected, and the webhook about it, without values of users', async () => {
  const [email, secretPath] = [`bob.${randomUUID()}@acme.example`, `/hook-${randomUUID()}`];
  smtp.unknown.add(email);
  const { token } = team.owner;
  const endpoint = await chancery.call('POST', '/api/v1/webhooks/', {
    token,
    body: { name: 'Of the test', url: `${receiver.url}${secretPath}`, events: ['mail.undeliverable'] },
  });
  assert.equal(endpoint.status, 201, endpoint.text);
  const { traceId, spanId, headers } = newPosition();
  const made = await chancery.call('POST', '/api/v1/team/invitations', {
    token,
    headers: { ...headers, 'x-request-id': 'Bob.Acme' },
    body: { email, role: 'member' },
  });
  assert.equal(made.status, 201, made.text);
  await eventually('the webhook', () => receiver.at(secretPath)[0]);

  const delivery = await collected(traceId, 'deliver webhook');
  const request = await collected(traceId, 'POST /api/v1/team/invitations');
  const mail = await collected(traceId, 'send mail');
  assert.equal(request.parentSpanId, spanId);
  assert.deepEqual(pathOf(delivery), ['transaction', 'job mail-bounce', 'transaction', 'job team-mail', 'transaction', request.name]);
  assert.deepEqual(pathOf(mail), ['job team-mail', 'transaction', request.name]);

  assert.equal(request.kind, 2, 'a server');
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/v1/team/invitations',
    'http.response.status_code': 201,
    'chancery.team.id': team.id,
  });
  assert.deepEqual([delivery.kind, delivery.attributes['http.response.status_code']], [3, 200]);
  assert.equal(delivery.attributes['chancery.event.type'], 'mail.undeliverable');
  assert.deepEqual([mail.status, mail.attributes], [{ code: 2 }, { 'error.type': 'MailError' }]);
  const statements = spansOf(traceId).filter(({ attributes }) => 'db.query.text' in attributes);
  assert.ok(statements.some(({ name, attributes }) => name === 'INSERT' && String(attributes['db.query.text']).includes('$1')));

  const sent = collector.bodies.join('\n');
  for (const value of [email, secretPath, token, endpoint.body.secret, team.owner.email, 'Confidential', 'Bob.Acme', 'Of the test'])
    assert.ok(!sent.includes(value), value);
  assert.ok(
    spansOf(traceId).every(({ events = [], status }) => events.length === 0 && !status.message),
    'no message of an error, which can have values',
  );
});

test('spans name the service with its version and the attributes of the operator, and the collector gets the headers', async () => {
  const { traceId, headers } = newPosition();
  await chancery.call('GET', '/api/v1/team', { token: team.owner.token, headers });
  const { resource } = await collected(traceId, 'GET /api/v1/team');
  assert.deepEqual(
    [resource['service.name'], resource['deployment.environment.name'], resource['chancery.role']],
    ['chancery-test', 'test bench', 'all'],
  );
  assert.match(String(resource['service.version']), /^\d+\.\d+\.\d+/);
  assert.ok(collector.requests.every(({ url }) => url === '/v1/traces'));
  assert.ok(collector.requests.every(({ headers: sent }) => sent.authorization === `Bearer ${collectorToken}`));
});

test('a failed request has its status and the trace ID of its problem, and its path is not exported', async () => {
  const unknown = randomUUID();
  const answer = await chancery.call('GET', `/api/v1/smartdoc/folders/${unknown}`, { token: team.owner.token });
  assert.equal(answer.status, 404);
  const span = await collected(answer.body.trace_id, 'GET /api/v1/smartdoc/folders/:id');
  assert.deepEqual([span.parentSpanId ?? '', span.attributes['http.response.status_code']], ['', 404]);
  assert.ok(!collector.bodies.join('\n').includes(unknown));
});

test('a caller whose trace is not sampled causes no spans, and probes cause none', async () => {
  const [unsampled, last] = [newPosition('00'), newPosition()];
  await chancery.call('GET', '/api/v1/team', { token: team.owner.token, headers: unsampled.headers });
  await chancery.call('GET', '/readyz', { headers: last.headers });
  await chancery.call('GET', '/api/v1/team', { token: team.owner.token, headers: last.headers });
  await collected(last.traceId, 'GET /api/v1/team');
  assert.deepEqual(spansOf(unsampled.traceId), []);
  assert.deepEqual(
    spansOf(last.traceId).filter(({ name }) => name.includes('/readyz')),
    [],
  );
});

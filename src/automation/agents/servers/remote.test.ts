import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressPolicy, createGuardedStream } from '#webhooks';
import { startRemoteServer } from '../../../../test/remote-server.ts';
import { readDefinitions } from './definitions.ts';
import { RemoteFailure } from './failure.ts';
import { createAskRemote } from './remote.ts';

const guard = (allowPrivate: boolean) =>
  createGuardedStream({
    policy: createAddressPolicy({ allowPrivate, allowCidrs: [] }),
    timeoutMs: 30_000,
    answerBytes: 1024 * 1024,
    resolve: (_, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]),
  });
const codeOf = (error: unknown) => (error instanceof RemoteFailure ? error.code : String(error));

test('an exchange fails for a private address, a silent server, an endless response and too many requests', async () => {
  const remote = await startRemoteServer();
  const [open, closed] = [guard(true), guard(false)];
  const failed = (guarded: typeof open, url = remote.url, ms = 30_000) =>
    createAskRemote(guarded, '1', ms)({ url }, new AbortController().signal, ({ list }) => list()).then(() => 'ok', codeOf);
  try {
    assert.equal(await failed(open), 'ok');
    assert.equal(await failed(closed, `https://inside.example:${new URL(remote.origin).port}/mcp`), 'address_not_allowed');
    assert.equal(await failed(closed), 'address_not_allowed');
    remote.answer = () => undefined;
    assert.equal(await failed(open, remote.url, 300), 'timeout');
    remote.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': nothing\n\n');
    };
    assert.equal(await failed(open, remote.url, 300), 'timeout');
    const stopped = new AbortController();
    const rejection = createAskRemote(open, '1')({ url: remote.url }, stopped.signal, ({ list }) => list()).catch(
      (error: unknown) => error,
    );
    stopped.abort(new Error('the run is to end'));
    assert.match(String(await rejection), /the run is to end/);
  } finally {
    await Promise.all([open.close(), closed.close(), remote.close()]);
  }
});

test('a tool list is limited to 100 tools with short names, texts and schemas, without invisible characters', () => {
  const tool = (members: object = {}) => ({ name: 'find', description: 'Finds.', inputSchema: { type: 'object' }, ...members });
  const reason = (given: unknown) =>
    readDefinitions('crm', [given])
      .rejectedTools.map((one) => one.reason)
      .join();
  assert.equal(reason(tool()), '');
  assert.equal(reason(tool({ description: 'A picture \u2764\ufe0f, and a text \u2764\ufe0e' })), '');
  assert.equal(reason(tool({ description: 'Line\nbreaks, „quotes“ and \\u0041 are fine' })), '');
  for (const given of [
    null,
    7,
    {},
    tool({ name: 7 }),
    tool({ name: 'a'.repeat(60) }),
    tool({ name: 'a.b' }),
    tool({ description: 'x'.repeat(2_049) }),
    tool({ title: 'x'.repeat(201) }),
    tool({ inputSchema: { type: 'string' } }),
    tool({ inputSchema: { type: 'object', description: 'x'.repeat(17_000) } }),
    tool({ outputSchema: { type: 'object', description: 'x'.repeat(17_000) } }),
    ...['\u200b', '\u202e', '\u0000', '\ud800', '\u{e0041}', '\ue000', '\u{e0101}', '\ufe00', '\u034f', '\u3164', 'a\ufe0f\ufe0e'].map(
      (hidden) => tool({ inputSchema: { type: 'object', title: hidden } }),
    ),
  ])
    assert.notEqual(reason(given), '', JSON.stringify(given));
  const many = readDefinitions('crm', [tool(), ...Array.from({ length: 150 }, (_, n) => tool({ name: `t${n}` })), tool()]);
  assert.deepEqual([many.tools.length, many.rejectedTools.length], [100, 20]);
  const hash = (members: object) => readDefinitions('crm', [tool(members)]).tools[0]?.hash;
  const all = [{}, { title: 'T' }, { description: 'D' }, { annotations: { readOnlyHint: true } }, { outputSchema: { type: 'object' } }];
  assert.equal(new Set(all.map(hash)).size, all.length, 'the hash covers the complete description of a tool');
});

import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../test/harness.ts';

const metricsToken = 'a token of the collector';
let chancery: Chancery;
let outside: string | undefined;
before(async () => {
  const settings = { HOST: '0.0.0.0', METRICS_TOKEN: metricsToken.replaceAll(' ', '-'), API_DOCS: 'off' };
  // The tests read the description before it is disabled.
  chancery = await sharedChancery();
  const node = await chancery.node('api', settings);
  const port = new URL(node.address ?? '').port;
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address;
  outside = address === undefined ? undefined : `http://${address}:${port}`;
  inside = `http://127.0.0.1:${port}`;
});
let inside = '';

const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { status: response.status, text: await response.text(), challenge: response.headers.get('www-authenticate') };
};
const bearer = { authorization: `Bearer ${metricsToken.replaceAll(' ', '-')}` };

test('metrics require this machine or the token, and proxies on this machine do not count', async () => {
  assert.equal((await get(`${inside}/metrics`)).status, 200);
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    const answer = await get(`${inside}/metrics`, { [header]: '127.0.0.1' });
    assert.deepEqual([answer.status, JSON.parse(answer.text).code], [401, 'unauthenticated'], header);
    assert.equal((await get(`${inside}/metrics`, { [header]: '127.0.0.1', ...bearer })).status, 200);
  }
  for (const authorization of ['Bearer wrong', 'Bearer ', `Basic ${btoa('a:b')}`])
    assert.equal((await get(`${inside}/metrics`, { authorization, via: 'x' })).status, 401, authorization);
  assert.equal((await get(`${inside}/metrics`, { authorization: 'Bearer wrong' })).status, 401, 'a wrong token is rejected');
});

test('from another IP address metrics accept the token', { skip: outsideMissing() }, async () => {
  const refused = await get(`${outside}/metrics`);
  assert.deepEqual([refused.status, (refused.challenge ?? '').startsWith('Bearer')], [401, true]);
  assert.ok(!refused.text.includes('chancery_http'));
  assert.equal((await get(`${outside}/metrics`, bearer)).status, 200);
  assert.equal((await get(`${outside}/healthz`)).status, 200);
});

function outsideMissing(): string | false {
  const has = Object.values(networkInterfaces()).some((all) => all?.some((one) => !one.internal && one.family === 'IPv4'));
  return has ? false : 'this machine has no other IP address';
}

test('API_DOCS=off removes only the description and its pages', async () => {
  for (const path of [
    '/openapi.json',
    '/docs',
    '/docs/api/folders',
    '/docs/search',
    '/docs/guides/build-forms',
    '/docs/api/static/start.js',
  ])
    assert.equal((await get(`${inside}${path}`)).status, 404, path);
  assert.equal((await get(`${inside}/problems/not_found`, { accept: 'text/html' })).status, 200);
  assert.equal((await get(`${chancery.url}/openapi.json`)).status, 200, 'it is available by default');
});

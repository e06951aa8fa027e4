import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { sharedChancery } from '../harness.ts';
import { mcpToken } from '../mcp.ts';
import { installed, without } from './pinned.ts';
import { linesOf } from './tools.ts';

/**
 * The scenarios that apply. Others call tools, prompts and resources only for these tests, or use logging, completion, sampling and elicitation.
 * This server does not offer them.
 */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

test('the MCP server passes the conformance tests of the protocol', { skip: without('mcp_conformance') }, async () => {
  const chancery = await sharedChancery();
  const { owner } = await chancery.team();
  const token = await mcpToken(chancery, await chancery.client(owner));
  // The conformance tests cannot sign in, so a proxy adds the token.
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const forwarded = request(`${chancery.url}${url}`, { method, headers: { ...headers, authorization: `Bearer ${token}` } }, (answer) =>
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers)),
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'chancery-mcp-'));
  try {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
    const program = join(installed('mcp_conformance'), 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
    const failed: string[] = [];
    for (const scenario of scenarios) {
      const args = [program, 'server', '--url', url, '--scenario', scenario, '-o', folder];
      const said = await linesOf(process.execPath, args).catch((error: unknown) => [`failed ${(error as { stdout: string }).stdout}`]);
      const [, passed, all] = /Passed: (\d+)\/(\d+)/.exec(said.join('\n')) ?? [];
      if (passed === undefined || passed === '0' || passed !== all) failed.push(`${scenario}: ${said.join('\n')}`);
    }
    assert.deepEqual(failed, []);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
});

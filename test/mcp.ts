import assert from 'node:assert/strict';
import type { TestResponse, Chancery } from './harness.ts';

/* Requests to the MCP server without the official client: one request for each call, as in protocol version 2025. */

/** Returns the resource indicator of tokens for the MCP server. */
export const resourceOf = ({ config }: Chancery): string => `${config.BASE_URL}/mcp`;

/** Returns a token of a client for the MCP server or for another resource. */
export async function mcpToken(
  chancery: Chancery,
  client: { id: string; secret: string },
  members: Record<string, string> = {},
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, resource: resourceOf(chancery) };
  const issued = await chancery.call('POST', '/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, ...members }).toString(),
  });
  assert.equal(issued.status, 200, issued.text);
  return issued.body.access_token;
}

/** Sends one message. */
export function sendMessage(
  chancery: Chancery,
  token: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return chancery.call('POST', '/mcp', {
    ...(token === undefined ? {} : { token }),
    // The protocol defines these responses, not the API description.
    unchecked: true,
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

/** The result of a tool call, with the error code of the protocol or of the tool. */
export type ToolOutcome = { code: string; value: any; answer: TestResponse };

export async function callTool(
  chancery: Chancery,
  token: string,
  name: string,
  args: unknown,
  headers?: Record<string, string>,
): Promise<ToolOutcome> {
  const answer = await sendMessage(
    chancery,
    token,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers,
  );
  if (answer.status !== 200) return { code: answer.body?.code ?? `${answer.status}`, value: undefined, answer };
  const { result, error } = answer.body;
  if (error) return { code: `protocol ${error.code}`, value: undefined, answer };
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, 'the text content equals the structured content');
  return { code: result.isError ? result.structuredContent.code : 'ok', value: result.structuredContent, answer };
}

/** Returns the tools that the server lists for a token. */
export async function offered(chancery: Chancery, token: string): Promise<any[]> {
  const { status, body, text } = await sendMessage(chancery, token, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.equal(status, 200, text);
  return body.result.tools;
}

import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const entry = {
  id: desk.agentMcpServer,
  slug: 'crm',
  name: 'Customer records',
  url: 'https://crm.example.com/mcp',
  credential: { header: 'Authorization' },
  enabled: true,
  trustedEgress: false,
  toolCount: 1,
  enabledToolCount: 0,
  checkedAt: desk.tuesday,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.tuesday,
};
const tool = {
  name: 'find_customer',
  callName: 'crm__find_customer',
  description: 'Finds a customer by name.',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  hash: desk.sha256,
  state: 'off',
  readOnly: false,
  idempotent: false,
};
const server = { ...entry, tools: [tool], rejectedTools: [] };
const { checkedAt: _, ...added } = { ...server, toolCount: 0, tools: [], updatedAt: desk.monday };
const on = { ...tool, state: 'on', readOnly: true, setBy: desk.olivia.id, setAt: desk.wednesday };
const set = { ...server, enabledToolCount: 1, tools: [on], updatedAt: desk.wednesday };

/** What the description of the API says of MCP servers elsewhere. */
export const serverTexts: DomainText = {
  operations: {
    listAgentMcpServers: {
      text: 'Lists the MCP servers that the team has added, by their `slug`, without their tools. It is for owner and administrators, and for API clients that may read agents and are confined to no folders.',
      answer: [entry],
    },
    getAgentMcpServer: {
      text: 'Shows one MCP server with its tools, as the server described them when it was last asked, and which of them are switched on.',
      answer: server,
    },
    createAgentMcpServer: {
      text: 'Adds an MCP server elsewhere, whose tools agents may then have. It is reached over https at public addresses; redirects are not followed. What it is called with is kept sealed and never shown. Nothing is asked of it yet: `POST …/check` does that, and each of its tools is off until it was switched on. A team has 20 at most. It is for owner and administrators, in person.',
      records: ['agent.mcp_server_created'],
      problems: ['mcp_server_exists', 'mcp_server_limit', 'mcp_url_not_allowed'],
      body: {
        slug: 'crm',
        name: 'Customer records',
        url: 'https://crm.example.com/mcp',
        credential: { value: 'Bearer 6f1ed002ab5595859014ebf0951522d9' },
      },
      answer: added,
    },
    updateAgentMcpServer: {
      text: 'Changes the members that are sent. Another `url` ends the credential, unless one is sent along, and switches all tools off. `enabled: false` keeps agents from all of its tools at once.',
      records: ['agent.mcp_server_updated'],
      problems: ['mcp_url_not_allowed'],
      body: { name: 'Customers' },
      answer: { ...server, name: 'Customers' },
    },
    deleteAgentMcpServer: {
      text: 'Deletes an MCP server with its credential and its tools: no agent has them any more.',
      records: ['agent.mcp_server_deleted'],
    },
    beginAgentMcpSignIn: {
      text: 'Begins to sign in at an MCP server that asks people to (OAuth 2.1 with PKCE). The service finds out where that is, by the same rules as the server is reached, and introduces itself there: by its document, by registering itself, or as `clientId`. Open `authorizationUrl` in a browser, and allow it. The answer comes to `returnTo`, in the fragment, or is shown; hand it to `…/sign-in/finish` within ten minutes, in the same session. A sign-in that is begun anew ends the one before. It is for owner and administrators, in person.',
      records: ['agent.mcp_server_sign_in_begun'],
      problems: ['mcp_sign_in_unavailable', 'mcp_sign_in_callback_invalid'],
      body: { returnTo: '/' },
      answer: {
        authorizationUrl: 'https://id.example.com/authorize?response_type=code&client_id=7c4e1b',
        issuer: 'https://id.example.com',
        scope: 'customers:read',
        redirectUri: 'https://chancery.example.com/oauth/mcp-callback',
        expiresAt: desk.tuesday,
      },
    },
    finishAgentMcpSignIn: {
      text: 'Finishes a sign-in by the answer of the authorization server, as the browser brought it: once, and in the session in which it was begun alone. Where the answer names its issuer, it has to be the one that was asked (RFC 9207). Agents call the server with what came of it: with the rights of whoever has signed in there. Tokens are kept sealed, bound to the server and its address, and renewed; when that is refused, `agent.mcp_server.sign_in_needed` announces it. `credential: null` of the server gives them up.',
      records: ['agent.mcp_server_signed_in'],
      problems: ['mcp_sign_in_invalid', 'mcp_sign_in_refused'],
      body: { state: 'AQAAAAGJ9x0c', code: 'SplxlOBeZQQYbYS6WxSbIA', iss: 'https://id.example.com' },
      answer: { ...server, signIn: { issuer: 'https://id.example.com', by: desk.olivia.id, at: desk.tuesday } },
    },
    checkAgentMcpServer: {
      text: 'Asks an MCP server for its tools, and keeps what it says of them: 100 at most, whose description has 2 KiB at most and whose schema 16 KiB. New tools are off. One that was on and is described otherwise, or is gone, is off, and `agent.mcp_tool.changed` announces it. Where the server could not be asked, `failure` says why, and all stays as it was.',
      records: ['agent.mcp_server_checked', 'agent.mcp_tool.changed'],
      answer: server,
    },
    setAgentMcpTool: {
      text: 'Switches a tool on as it is described in what you have read, whose `hash` you send, or switches it off. `readOnly` and `idempotent` are yours to say: what the server claims decides nothing. Agents have the tool once their `tools.allow` names its `callName`.',
      records: ['agent.mcp_tool_set'],
      problems: ['mcp_tool_changed'],
      body: { enabled: true, readOnly: true, hash: desk.sha256 },
      answer: set,
    },
  },
  members: {
    'AgentMcpServer.name': 'What it is, for people',
    'AgentMcpServer.createdAt': 'When it was added',
    'AgentMcpServerWithTools.name': 'What it is, for people',
    'AgentMcpServerWithTools.createdAt': 'When it was added',
    'AgentMcpTool.title': 'What its server titles it',
    'RejectedMcpTool.name': 'What its server calls it',
  },
};

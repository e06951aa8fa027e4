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

/** The API texts of external MCP servers. */
export const serverTexts: DomainText = {
  operations: {
    listAgentMcpServers: {
      text: 'Lists the MCP servers of the team by `slug`, without their tools. For the owner and administrators, and for API clients without folder restrictions that can read agents.',
      answer: [entry],
    },
    getAgentMcpServer: {
      text: 'Returns an MCP server with its tools, as the last check found them, and which of them are enabled.',
      answer: server,
    },
    createAgentMcpServer: {
      text: 'Adds an external MCP server with tools for agents. Chancery connects to it over https at public addresses, and does not follow redirects. It stores the credential encrypted and never returns it. This request does not contact the server; use `POST …/check` for that. Each tool is off until you enable it. A team has at most 20 servers. For the owner and administrators, in person.',
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
      text: 'Changes the members that you send. A new `url` removes the credential, unless you send one, and disables all tools. `enabled: false` blocks all of its tools for agents at once.',
      records: ['agent.mcp_server_updated'],
      problems: ['mcp_url_not_allowed'],
      body: { name: 'Customers' },
      answer: { ...server, name: 'Customers' },
    },
    deleteAgentMcpServer: {
      text: 'Deletes an MCP server with its credential and its tools. Agents lose these tools.',
      records: ['agent.mcp_server_deleted'],
    },
    beginAgentMcpSignIn: {
      text: 'Starts a sign-in at an MCP server that requires one (OAuth 2.1 with PKCE). Chancery discovers the authorization server, with the same network rules. It identifies itself with its metadata document, with dynamic registration, or as `clientId`. Open `authorizationUrl` in a browser and allow the access. The result arrives at `returnTo`, in the fragment, or on a page. Send it to `…/sign-in/finish` within ten minutes, in the same session. A new sign-in ends the previous one. For the owner and administrators, in person.',
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
      text: 'Finishes a sign-in with the result of the authorization server. Works once, and only in the session that started it. If the result names its issuer, it must be the requested one (RFC 9207). Agents then call the server with the rights of the person who signed in there. Chancery stores the tokens encrypted, bound to the server and its address, and renews them. If the renewal is denied, it sends `agent.mcp_server.sign_in_needed`. Setting `credential: null` on the server deletes the tokens.',
      records: ['agent.mcp_server_signed_in'],
      problems: ['mcp_sign_in_invalid', 'mcp_sign_in_refused'],
      body: { state: 'AQAAAAGJ9x0c', code: 'SplxlOBeZQQYbYS6WxSbIA', iss: 'https://id.example.com' },
      answer: { ...server, signIn: { issuer: 'https://id.example.com', by: desk.olivia.id, at: desk.tuesday } },
    },
    checkAgentMcpServer: {
      text: 'Reads the tools of an MCP server and stores their descriptions. It stores at most 100 tools, with 2 KiB for a description and 16 KiB for a schema. New tools are off. An enabled tool that changed or disappeared is disabled and announced by `agent.mcp_tool.changed`. If the server cannot be read, `failure` has the reason, and nothing changes.',
      records: ['agent.mcp_server_checked', 'agent.mcp_tool.changed'],
      answer: server,
    },
    setAgentMcpTool: {
      text: 'Enables or disables a tool. To enable it, send the `hash` of the description that you read. You set `readOnly` and `idempotent`; the claims of the server have no effect. Agents have the tool once their `tools.allow` contains its `callName`.',
      records: ['agent.mcp_tool_set'],
      problems: ['mcp_tool_changed'],
      body: { enabled: true, readOnly: true, hash: desk.sha256 },
      answer: set,
    },
  },
  members: {
    'AgentMcpServer.name': 'The display name',
    'AgentMcpServer.createdAt': 'The time of creation',
    'AgentMcpServerWithTools.name': 'The display name',
    'AgentMcpServerWithTools.createdAt': 'The time of creation',
    'AgentMcpTool.title': 'The title from its server',
    'RejectedMcpTool.name': 'The name on its server',
  },
};
